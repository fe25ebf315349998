"""The live parts of pages over server-sent events: drawn once for all who look at the same, sent to each as far as it
differs from what he has.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from aiohttp import web

from dalej.web.sessions import Session
from dalej.web.watch import Watch
from dalej.words import speaking

PULSE_S: Final = 5.0  # a page that hears nothing for twice as long says so
SLOW_S: Final = 20.0  # a browser that takes nothing for so long is hung up on; it comes back by itself
PICTURES_MOST: Final = 200


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
        self.version = 0

    def refresh(self, beat: int) -> None:
        """As it is at this beat."""
        if beat == self._beat:
            return
        self._beat = beat
        with speaking(self._language):
            parts = self._draw()
            changed = {name for name, part in parts.items() if not self._has(name, part)}
            if changed or self._drawn.keys() - parts.keys():
                self.version += 1
            self._drawn = {
                name: _Drawn(part.key, part.html(), self.version) if name in changed else self._drawn[name]
                for name, part in parts.items()
            }

    def whole(self) -> Mapping[str, str]:
        """Every part as it is at this instant, what ticks in it too."""
        with speaking(self._language):
            return {name: part.html() for name, part in self._draw().items()}

    def since(self, version: int) -> Mapping[str, str]:
        """The parts that are newer."""
        return {name: drawn.html for name, drawn in self._drawn.items() if drawn.version > version}

    def _has(self, name: str, part: Part) -> bool:
        return name in self._drawn and self._drawn[name].key == part.key


class Pictures:
    """Every picture that somebody looks at, or did lately."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._of: dict[tuple[str, str], Picture] = {}

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
        over = asyncio.Event()
        session.watchers.add(over.set)
        session.screens += 1
        try:
            await self._send(answer, session, name, draw, mine, over)
        except (ConnectionError, TimeoutError):
            pass  # it comes back by itself
        finally:
            session.screens -= 1
            session.watchers.discard(over.set)
        return answer

    async def _send(
        self, answer: web.StreamResponse, session: Session, name: str, draw: Draw, mine: Picture, over: asyncio.Event
    ) -> None:
        """`over`: the session has ended."""
        watch, told_s, version, own = self._watch, 0.0, 0, 0
        loop, ended = asyncio.get_running_loop(), asyncio.create_task(over.wait())
        try:
            while not over.is_set():
                picture, beat = self.of(name, session.language, draw), watch.beat
                mine.refresh(beat)
                parts, version, own = {**picture.since(version), **mine.since(own)}, picture.version, mine.version
                if parts or loop.time() - told_s >= PULSE_S:
                    told_s = loop.time()
                    feed = watch.feed
                    runs = feed.speed if feed.live else 0
                    await _write(answer, {"now": feed.now_ms(), "wall": feed.wall_ms(), "runs": runs, "parts": parts})
                changed = asyncio.create_task(watch.changed(beat))
                try:
                    await asyncio.wait((changed, ended), timeout=PULSE_S, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    changed.cancel()
                    with suppress(asyncio.CancelledError):
                        await changed
            await _write(answer, {"over": True})
        finally:
            ended.cancel()


async def _write(answer: web.StreamResponse, what: Mapping[str, object]) -> None:
    line = json.dumps(what, ensure_ascii=False, separators=(",", ":"))
    async with asyncio.timeout(SLOW_S):
        await answer.write(f"data:{line}\n\n".encode())
