"""The live parts of pages over server-sent events: drawn once for all who look at the same, sent to each as far as it
differs from what he has.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from aiohttp import web

from dalej.web.sessions import Session
from dalej.web.watch import Watch
from dalej.words import speaking

PULSE_S: Final = 5.0  # a page that hears nothing for twice as long says so
SLOW_S: Final = 20.0  # a browser that takes nothing for so long is hung up on; it comes back by itself
PICTURES_MOST: Final = 200

log = logging.getLogger("dalej.web")


class Part(NamedTuple):
    """A part of a page: drawn anew when its `key` is another. What ticks in it is no part of the key: a page counts
    for itself.
    """

    key: Hashable
    html: Callable[[], str]


Draw = Callable[[], Mapping[str, Part]]


@dataclass(slots=True)
class _Drawn:
    key: Hashable
    html: str
    version: int


class Picture:
    """What everybody sees who looks at the same in the same language: parts by their ids. It is drawn at most once a
    beat, and only while somebody looks. `version` grows whenever a part changes.
    """

    def __init__(self, draw: Draw, language: str) -> None:
        self._draw = draw
        self._language = language
        self._drawn: dict[str, _Drawn] = {}
        self._beat = -1
        self._written: dict[int, bytes] = {}
        self.version = 0

    def refresh(self, beat: int) -> None:
        """As it is at this beat."""
        if beat == self._beat:
            return
        with speaking(self._language):
            parts = self._draw()
            changed = {name for name, part in parts.items() if not self._has(name, part)}
            if changed or self._drawn.keys() - parts.keys():
                self.version += 1
                self._written.clear()
            self._drawn = {
                name: _Drawn(part.key, part.html(), self.version) if name in changed else self._drawn[name]
                for name, part in parts.items()
            }
        self._beat = beat

    def whole(self) -> Mapping[str, str]:
        """Every part as it is at this instant, what ticks in it too."""
        with speaking(self._language):
            return {name: part.html() for name, part in self._draw().items()}

    def since(self, version: int) -> Mapping[str, str]:
        """The parts that are newer."""
        return {name: drawn.html for name, drawn in self._drawn.items() if drawn.version > version}

    def written(self, version: int) -> bytes:
        """The parts that are newer, as they are sent: written once for all who have that version."""
        found = self._written.get(version)
        if found is None:
            found = self._written[version] = _json(self.since(version))
        return found

    def _has(self, name: str, part: Part) -> bool:
        return name in self._drawn and self._drawn[name].key == part.key


@dataclass(eq=False, slots=True)
class _Viewer:
    """A page that is open. `version`, `own`: which it has of what all see, and of what is this person's alone. `woken`:
    there is something for it, or its session is over.
    """

    name: str
    language: str
    mine: Picture
    version: int = 0
    own: int = 0
    over: bool = False
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def end(self) -> None:
        self.over = True
        self.woken.set()


class Pictures:
    """Every picture that somebody looks at, or did lately. One worker follows the beats for all who look, and wakes
    those alone for whom there is something: of hundreds most sleep.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._of: dict[tuple[str, str], Picture] = {}
        self._viewers: set[_Viewer] = set()
        self._following: asyncio.Task[None] | None = None

    def of(self, name: str, language: str, draw: Draw) -> Picture:
        """The picture of that name, as it is now; `draw` makes it if nobody has looked at it yet."""
        picture = self._of.pop((name, language), None) or Picture(draw, language)
        self._of[name, language] = picture  # the latest last
        if len(self._of) > PICTURES_MOST:
            del self._of[next(iter(self._of))]
        picture.refresh(self._watch.beat)
        return picture

    async def stream(
        self, request: web.Request, session: Session, name: str, draw: Draw, mine: Picture
    ) -> web.StreamResponse:
        """Send that picture, and the one that is this person's alone, as long as the browser looks and the session
        lasts.
        """
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await answer.prepare(request)
        viewer = _Viewer(name, session.language, mine)
        session.watchers.add(viewer.end)
        session.screens += 1
        self._viewers.add(viewer)
        if self._following is None:
            self._following = asyncio.create_task(self._follow())
        try:
            await self._send(answer, viewer, draw)
        except (ConnectionError, TimeoutError):
            pass  # it comes back by itself
        finally:
            session.screens -= 1
            session.watchers.discard(viewer.end)
            self._viewers.discard(viewer)
            if not self._viewers and self._following is not None:
                self._following.cancel()
                self._following = None
        return answer

    async def _send(self, answer: web.StreamResponse, viewer: _Viewer, draw: Draw) -> None:
        while not viewer.over:
            viewer.woken.clear()
            picture, mine = self.of(viewer.name, viewer.language, draw), viewer.mine
            mine.refresh(self._watch.beat)
            parts = picture.written(viewer.version)
            if viewer.own != mine.version:
                parts = _json({**picture.since(viewer.version), **mine.since(viewer.own)})
            viewer.version, viewer.own = picture.version, mine.version
            await _write(answer, b'{%b,"parts":%b}' % (self._time(), parts))
            with suppress(TimeoutError):
                async with asyncio.timeout(PULSE_S):
                    await viewer.woken.wait()
        await _write(answer, b'{"over":true}')

    def _time(self) -> bytes:
        feed = self._watch.feed
        return _json({
            "now": feed.now_ms(), "wall": feed.wall_ms(), "runs": feed.speed if feed.live else 0
        })[1:-1]  # fmt: skip

    async def _follow(self) -> None:
        beat = self._watch.beat
        while True:
            try:
                woken = [viewer for viewer in self._viewers if self._is_new_for(viewer, beat)]
            except Exception:  # whatever it is: who looks at it is hung up on, the others' pictures go on
                log.exception("a page cannot be drawn")
                woken = list(self._viewers)
            for viewer in woken:
                viewer.woken.set()
            beat = await self._watch.changed(beat)

    def _is_new_for(self, viewer: _Viewer, beat: int) -> bool:
        picture = self._of.get((viewer.name, viewer.language))
        if picture is None:
            return True
        picture.refresh(beat)
        viewer.mine.refresh(beat)
        return (picture.version, viewer.mine.version) != (viewer.version, viewer.own)


def _json(what: Mapping[str, object]) -> bytes:
    return json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode()


async def _write(answer: web.StreamResponse, line: bytes) -> None:
    async with asyncio.timeout(SLOW_S):
        await answer.write(b"data:%b\n\n" % line)
