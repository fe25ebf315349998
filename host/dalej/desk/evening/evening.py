"""A desk that keeps running through an evening: it follows what people decide, looks after the boxes accordingly, and
tells people at a terminal what they should know, each thing once.

By its number boxes know a desk again: a process that takes a killed one's place must have the same one. The lease of
a desk that was killed runs out after a few seconds, and whoever wants its place waits for that.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from dalej import drafts
from dalej.clock import Clock
from dalej.desk.desk import LEASE_TTL_MS, POLL_MS, Desk
from dalej.desk.evening.meeting import LastHeard, Meetings
from dalej.desk.evening.owngames import OwnGames
from dalej.desk.evening.places import Places, RoundNow
from dalej.desk.evening.setup import SetUp
from dalej.desk.feed.server import Server
from dalej.desk.hearing import Line
from dalej.desk.notices import Notice
from dalej.desk.requests import OLD_MS, begin_anywhere, end_old_requests
from dalej.errors import Command, DalejError, Refused, Sayable, WrongInput
from dalej.event.boxplaces import BoxPlace
from dalej.event.event import Event
from dalej.event.ledger import Held, Ledger
from dalej.link.serving import Serving
from dalej.link.session import Trusted
from dalej.words import N_, _, ngettext, said

FILE: Final = "desk"
SIZE: Final = 16


def desk_id(folder: Path, event: Path, random: Callable[[int], bytes]) -> int:
    """The number (u32, never 0) of the desk that this computer is for that event; drawn anew if the club's folder
    cannot keep what it is made of.
    """
    digest = hashlib.sha256(_of_computer(folder / FILE, random) + os.fsencode(event.resolve())).digest()
    return int.from_bytes(digest[:4], "little") or 1


def _of_computer(file: Path, random: Callable[[int], bytes]) -> bytes:
    with suppress(OSError):
        kept = file.read_bytes()
        if len(kept) == SIZE:
            return kept
    drawn = random(SIZE)
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the club's secret may come to lie here
        drafts.write(file, drawn)
    return drawn


WAIT_MS: Final = LEASE_TTL_MS + 500
AGAIN_MS: Final = 250


def lease(
    ledger: Ledger,
    clock: Clock,
    name: str,
    *,
    ttl_ms: int,
    pause: Callable[[int], object],
    waits: Callable[[str], object],
    wait_ms: int = WAIT_MS,
) -> Held:
    """The lease on the links, now or as soon as it has run out; Refused, with the holder's name, if it is renewed.

    `waits(holder)` is called once before the first `pause(ms)`.
    """
    until_ms = clock.now_ms() + wait_ms
    told = False
    while True:
        try:
            return ledger.lease.acquire(name, clock.wall_ms(), ttl_ms)
        except Refused as refused:
            if clock.now_ms() >= until_ms:
                raise
            if not told:
                told = True
                waits(str(refused.data["holder"]))
        pause(AGAIN_MS)


COMMIT_DELAY_MS: Final = 20
LOOK_MS: Final = 200
HEARD_LATELY_MS: Final = 12_000
SECRET_AGAIN_MS: Final = 10_000  # a keyring that is locked may ask people each time, and nothing goes on meanwhile

NO_SECRET: Final = N_("table {table}: box {box} cannot be served: {problem}")
STANDS: Final = N_("table {table}: box {box} stands here now")
GONE: Final = N_("table {table}: box {box} does not stand here any more")


@dataclass(frozen=True, slots=True)
class Counts:
    """Boxes that stand on tables: how many, and of them heard lately and linked; facts that they still have to tell."""

    boxes: int
    heard: int
    linked: int
    waiting: int


class RunningDesk:
    """Whoever makes one holds no lease on the links: this takes it, and Refused names who has it.

    `secret_of(uid)`: by which the box and the club know each other; `desk_id`: see `dalej.desk.evening.evening`;
    `links`, `connects`, `poll_ms`: see `dalej.desk.desk.Desk`.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        clock: Clock,
        random: Callable[[int], bytes],
        secret_of: Callable[[bytes], bytes],
        name: str,
        desk_id: int,
        links: int | Callable[[], int] | None,
        connects: int | Callable[[], int] = 1,
        poll_ms: int = POLL_MS,
    ) -> None:
        self._clock = clock
        self._secret_of = secret_of
        self._name = name
        self._known: dict[str, BoxPlace] = {}
        self._last: dict[str, LastHeard] = {}
        self._again: set[str] = set()  # boxes whose link is to be begun anew: more of what they hold is asked for
        self._secrets_ms = clock.now_ms() + SECRET_AGAIN_MS
        self._unserved: dict[tuple[str, int], int] = {}  # box and decision -> when its secret is asked for again
        event = Event(ledger, who=name, wall_ms=clock.wall_ms)
        self._places = Places(event)
        held = ledger.lease.acquire(name, clock.wall_ms(), LEASE_TTL_MS)
        try:
            end_old_requests(ledger, clock, held, OLD_MS)
            begin_anywhere(ledger, random, new=not event.read().asked())
        finally:
            ledger.lease.release(held)
        self.desk = Desk(
            ledger, clock=clock, random=random, name=name, desk_id=desk_id, commit_delay_ms=COMMIT_DELAY_MS,
            poll_ms=poll_ms, links=links, connects=connects, attendant=self,
        )  # fmt: skip
        self._round = RoundNow(event, self._places)
        self._meetings = Meetings(
            ledger, clock, self._places, name, self._tell, self._last.get, self._round.began, self._again.add
        )  # fmt: skip
        own_games = OwnGames(self._places, self._round.began)
        self._set_up = SetUp(self.desk, self._places, self._meetings, own_games, self._round, self._tell, self._ask)
        self._follow(self.desk.lines)

    def names(self) -> Mapping[str, str]:
        """What is written on the boxes that stand on tables, by uid."""
        return {place.box: place.called for place in self._known.values()}

    def counts(self) -> Counts:
        """How the hall is served now."""
        now_ms = self._clock.now_ms()
        lines = self.desk.lines.values()
        return Counts(
            boxes=len(lines),
            heard=sum(line.seen_ms is not None and now_ms - line.seen_ms <= HEARD_LATELY_MS for line in lines),
            linked=sum(line.live is not None for line in lines),
            waiting=sum(line.backlog for line in lines),
        )

    # --- what the desk asks for -----

    def met(self, line: Line, event: Trusted) -> None:
        self._places.read_on()
        self._meetings.met(line, event)

    def caught_up(self, line: Line, epoch: int, contiguous: int) -> None:  # noqa: ARG002 -- the ledger tells
        self._places.read_on()
        self._meetings.caught_up(line, epoch)

    def attend(self, now_ms: int) -> int:
        self._places.read_on()
        self._round.look()
        self._follow(self.desk.lines)
        self._ask_secrets(now_ms)
        for place in self._known.values():
            line = self.desk.lines[bytes.fromhex(place.box)]
            if line.live is not None and line.catch_up is None:
                self._meetings.caught_up(line, line.live.epoch)
            try:
                self._set_up.look(line, place, now_ms)
            except WrongInput as error:  # of one table: the others go on
                self._set_up.cannot(line, place, error)
        self._link_again()
        return now_ms + LOOK_MS

    # --- which boxes -----

    def _link_again(self) -> None:
        """What a box is asked for is agreed on when its link begins."""
        while self._again:
            box = self._again.pop()
            if box in self._known:
                self.desk.forget(bytes.fromhex(box))
                self._know(self._known.pop(box), new=True)

    def _follow(self, lines: Mapping[bytes, Line]) -> None:
        """Know the boxes that stand on tables, and no others."""
        places = self._places.places
        for box, before in list(self._known.items()):
            if box not in places:
                self._keep_heard(lines[bytes.fromhex(box)])
                self._tell("gone", lines[bytes.fromhex(box)], GONE, table=before.table)
                self.desk.forget(bytes.fromhex(box))
                del self._known[box]
        for box, place in places.items():
            before_it = self._known.get(box)
            if before_it is None or before_it.table != place.table:
                self._know(place, new=before_it is None)
            elif before_it != place:
                self._known[box] = place

    def _know(self, place: BoxPlace, *, new: bool) -> None:
        uid, asked = bytes.fromhex(place.box), (place.box, place.cursor)
        now_ms = self._clock.now_ms()
        if now_ms < self._unserved.get(asked, now_ms):
            return
        try:
            secret = self._secret_of(uid)
        except DalejError as error:
            said = asked in self._unserved
            self._unserved[asked] = now_ms + SECRET_AGAIN_MS
            if not said:
                self.desk.notify(Notice("no_secret", place.box, NO_SECRET,
                                        {"table": place.table, "box": place.called, "problem": error}))  # fmt: skip
            return
        self.desk.know(uid, secret, place.table)
        self._known[place.box] = place
        if not new:
            self._tell("stands", self.desk.lines[uid], STANDS, table=place.table)

    def _ask_secrets(self, now_ms: int) -> None:
        """A box may have been paired anew meanwhile: whatever holds a link with its secret from before loses it."""
        if now_ms < self._secrets_ms:
            return
        self._secrets_ms = now_ms + SECRET_AGAIN_MS
        for place in self._known.values():
            uid = bytes.fromhex(place.box)
            with suppress(DalejError):  # what could be read before still holds
                if self._secret_of(uid) != self.desk.lines[uid].secret:
                    self._again.add(place.box)

    def _keep_heard(self, line: Line) -> None:
        if line.told is not None and line.seen_ms is not None:
            self._last[line.box] = LastHeard(line.told, line.seen_ms)

    def _ask(self, line: Line, command: str, args: Mapping[str, int | str], why: str) -> bool:
        return self.desk.ask(line.uid, command, args, who=self._name, why=why)

    def _tell(
        self, kind: str, line: Line, template: str, *, hint: DalejError | None = None, **data: Sayable
    ) -> None:  # fmt: skip
        self.desk.notify(Notice(kind, line.box, template, {"box": line.box, **data}, hint))


EVERY_MS: Final = 60_000  # how the hall stands is said so often,
CHANGED_MS: Final = 5_000  # and so long after another number of boxes is heard
SAID_AGAIN_MS: Final = 300_000  # the same trouble is said again after so long
SAME_MS: Final = 10_000  # a port that fails again within that time fails for the same reason, whatever it says

_BOXES: Final = ("box", "other", "by")  # fields that name one; the others by the event's name for it

NO_BLUETOOTH: Final = N_("no box is heard over the air: {problem}")
BLUETOOTH_BACK: Final = N_("Bluetooth works")


class Telling:
    """`trouble()`: why the air cannot be used now, None: it can, or it is not used. `names()`: what is written on the
    club's boxes, by uid, also on those that stand on no table. `say`: how a sentence is said here, with its hint.
    """

    def __init__(
        self,
        running: RunningDesk,
        clock: Clock,
        trouble: Callable[[], DalejError | None],
        names: Callable[[], Mapping[str, str]] = dict,
        say: Callable[[DalejError], str] = said,
    ) -> None:
        self._running = running
        self._say = say
        self._names = names
        self._named_once: dict[str, str] = dict(running.names())
        self._clock = clock
        self._trouble = trouble
        self._last: Notice | None = None
        self._waiting: list[DalejError] = []
        self._in_trouble = False
        self._troubles: dict[str, int] = {}  # sentence -> when it was said
        self._ports: dict[object, int] = {}  # port -> when it failed
        self._counts: Counts | None = None
        self._counted_ms = clock.now_ms()

    def hear(self, problem: DalejError) -> None:
        """Something that a carrier complains of. A cable that is pulled does so twice: the port is gone, and then it
        cannot be opened.
        """
        now_ms, port = self._clock.now_ms(), problem.data.get("port")
        failed_ms = self._ports.get(port)
        if port is not None:
            self._ports[port] = now_ms
        if failed_ms is None or now_ms - failed_ms > SAME_MS or "box" in problem.data:
            self._waiting.append(problem)

    def lines(self) -> list[str]:
        """What is new since the last time."""
        errors = [*self._new_notices(), *self._carriers(), *self._air()]
        return [self._say(error) for error in errors] + self._standing()

    # --- where it comes from -----

    def _new_notices(self) -> list[DalejError]:
        new: list[Notice] = []
        for notice in reversed(self._running.desk.notices):
            if notice is self._last:
                break
            new.append(notice)
        if new:
            self._last = new[0]
        return [self._rename(notice.template, notice.data, notice.hint) for notice in reversed(new)]

    def _carriers(self) -> list[DalejError]:
        told, self._waiting = self._waiting, []
        return [self._rename(problem.template, problem.data, problem.hint) for problem in told]

    def _air(self) -> list[DalejError]:
        problem = self._trouble()
        if problem is None:
            was, self._in_trouble = self._in_trouble, False
            return [DalejError(BLUETOOTH_BACK)] if was else []
        about_box = bool(problem.data.get("box"))
        self._in_trouble = self._in_trouble or not about_box
        named = self._rename(problem.template, problem.data, problem.hint)
        if not self._is_due(str(named)):
            return []
        return [named if about_box else DalejError(NO_BLUETOOTH, problem=named)]

    def _is_due(self, sentence: str) -> bool:
        now_ms = self._clock.now_ms()
        due = now_ms - self._troubles.get(sentence, now_ms - SAID_AGAIN_MS) >= SAID_AGAIN_MS
        if due:
            self._troubles[sentence] = now_ms
        return due

    def _standing(self) -> list[str]:
        """How the hall stands, if that is due."""
        now_ms, counts, before = self._clock.now_ms(), self._running.counts(), self._counts
        changed = before is None or (before.boxes, before.heard) != (counts.boxes, counts.heard)
        if now_ms - self._counted_ms < (CHANGED_MS if changed else EVERY_MS):
            return []
        self._counted_ms, self._counts = now_ms, counts
        return [summary(counts)] if counts.boxes or (before is not None and before.boxes) else []

    # --- names -----

    def _rename(self, template: str, data: Mapping[str, Sayable], hint: DalejError | None) -> DalejError:
        """The club's names of today before those that the event wrote down, under which commands may find nobody."""
        if "box" not in data:
            named = DalejError(template, **data)
            named.hint = hint
            return named
        self._named_once.update(self._running.names())
        club, once = self._names(), self._named_once
        by_uid = once | dict(club)
        names = {called: club[uid] for uid, called in once.items() if uid in club} | by_uid
        named = DalejError(
            template,
            **{
                name: names.get(value, value) if name in _BOXES and isinstance(value, str) else value
                for name, value in data.items()
            },
        )
        if hint is not None:
            named.hinted(hint.template, **{name: _renamed(value, by_uid) for name, value in hint.data.items()})
        return named


def _renamed(value: Sayable, by_uid: Mapping[str, str]) -> Sayable:
    """A command in which boxes are named by their uids, with their names."""
    if not isinstance(value, Command):
        return value
    return replace(value, words=tuple(by_uid.get(word, word) for word in value.words))


def summary(counts: Counts) -> str:
    """One line."""
    boxes = ngettext("{count} box stands on a table", "{count} boxes stand on tables", counts.boxes)
    facts = ngettext("{count} fact waits", "{count} facts wait", counts.waiting)
    return _("{boxes}: {heard} heard, {linked} linked, {facts}").format(
        boxes=boxes.format(count=counts.boxes), heard=counts.heard, linked=counts.linked,
        facts=facts.format(count=counts.waiting),
    )  # fmt: skip


LOOK_S: Final = 0.2


async def go(
    running: RunningDesk,
    serving: Serving,
    carriers: Sequence[Coroutine[Any, Any, None]],
    server: Server | None,
    stop: asyncio.Event,
    look: Callable[[], None],
) -> None:
    """Until `stop` is set: then goodbye is said to every box, and the lease is given back. `look` is called five times
    a second. Refused if another process has taken the lease; whatever else ends one of the parts is raised.
    """
    parts: list[asyncio.Task[Any]] = [asyncio.create_task(one) for one in carriers]
    linking = asyncio.create_task(serving.run())
    try:
        if server is not None:
            await server.open()
            parts.append(asyncio.create_task(server.until_closed()))
        parts.append(asyncio.create_task(_looking(running, look)))
        stopping = asyncio.create_task(stop.wait())
        parts.append(stopping)
        done, _ = await asyncio.wait((*parts, linking), return_when=asyncio.FIRST_COMPLETED)
        for part in done:
            part.result()
    finally:
        try:
            running.desk.close()
        finally:
            await _end(linking, *parts)
            if server is not None:
                await server.close()
    if running.desk.resigned is not None:
        raise running.desk.resigned


async def _looking(running: RunningDesk, look: Callable[[], None]) -> None:
    while running.desk.resigned is None:
        look()
        await asyncio.sleep(LOOK_S)
    look()


async def _end(*tasks: asyncio.Task[Any]) -> None:
    """One after the other: links are closed before what carries them goes."""
    for task in tasks:
        task.cancel()
        await asyncio.wait((task,))
