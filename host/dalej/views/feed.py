"""What a screen knows of the hall: the model that entries and the desk's messages go into, and the hall's clock; the
two workers that keep it up to date, one of which listens to the desk while the other reads the ledger; and the news
that they tell.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final, Protocol

from dalej.clock import Clock
from dalej.desk.feed.messages import (
    Face,
    FromScreen,
    NoticeTold,
    Pulse,
    Refusal,
    TableHeard,
    Take,
    ToScreen,
    Welcome,
    parted,
)
from dalej.domain.game.heard import Heard
from dalej.domain.game.rulings import Ahead
from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import DalejError, Unreachable
from dalej.views.requests import Answered
from dalej.views.rows import Alert, Row, SeenTurn
from dalej.words import day_shown, said

# --- news -----


@dataclass(frozen=True, slots=True)
class Found:
    """A live desk answers (again); `feed.simulated` says of what kind it is."""


@dataclass(frozen=True, slots=True)
class Lost:
    """No live desk any more: times stand still at what was heard last."""


@dataclass(frozen=True, slots=True)
class HeardOf:
    """The desk has said something of a box that stands at this table."""

    table: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """The ledger has grown; these tables have something new in it."""

    tables: frozenset[int]


@dataclass(frozen=True, slots=True)
class Unread:
    """The event file cannot be read, `feed.trouble` says why; it is tried again."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A simulated box that is looked at looks different."""

    face: Face


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something that a person should read."""

    notice: DalejError


@dataclass(frozen=True, slots=True)
class Declined:
    """The desk does not grant what this screen asked for."""

    refusal: Refusal


News = Found | Lost | HeardOf | Recorded | Unread | Looked | Noticed | Declined
Tell = Callable[[News], object]

# --- the model -----

SETTLING_MS: Final = 2_000
LEAP_MS: Final = 500  # a desk's clock that is further off than this is another clock, or was held up


class Hall(Protocol):
    """What screens ask of the hall's model, and what the desk's messages do to it. Instants are of the desk's clock."""

    @property
    def ruleset(self) -> Ruleset: ...

    @property
    def written_ms(self) -> int: ...

    @property
    def has_boxes(self) -> bool: ...

    def tables(self) -> Sequence[int]: ...

    def row(self, table: int, now_ms: int) -> Row: ...

    def rows(self, now_ms: int) -> Sequence[Row]: ...

    def alerts(self, now_ms: int) -> Sequence[Alert]: ...

    def turns(self, table: int) -> Sequence[SeenTurn]: ...

    def turns_of(self, table: int, game: int) -> Sequence[SeenTurn]: ...

    def outcomes(self, ids: Iterable[int]) -> Sequence[Answered]: ...

    def unanswered(self, table: int) -> Sequence[Answered]: ...

    def ahead(self, decisions: Iterable[int]) -> Sequence[Ahead]: ...

    def heard(self, heard: Heard) -> int: ...

    def called(self, box: str) -> str: ...

    def met_desk(self) -> None: ...

    def pulse(self, now_ms: int, wall_ms: int) -> None: ...

    def lost_desk(self, now_ms: int | None = None) -> None: ...


class Feed:
    """The hall as it is known here and now. `hall` answers for rows, alerts and turns at `now_ms()`.

    `live`: a desk answers; then `simulated` says whether its boxes can be played, and `speed` how many of the hall's
    ms pass in one of ours. `face`: the box that is looked at, as it was last told; `mine`: tables that this screen
    plays; `trouble`: why the ledger cannot be read, in words. `touched`: tables of which something was heard or
    recorded since the screen last looked. `zone`: of the clock on the wall, None: where this machine is. `starts`: what
    starts the desk anew, as it is typed; "": that cannot be said here.
    """

    def __init__(self, hall: Hall, clock: Clock, *, event_name: str, ruleset: str, zone: tzinfo | None = None) -> None:
        self.hall = hall
        self.called: Callable[[], str] = str  # in the event as it is read now, "" as long as nobody has read it
        self._first_name = event_name
        self.ruleset = ruleset
        self.live = False
        self.simulated = False
        self.speed = 1.0
        self.face: Face | None = None
        self.mine: set[int] = set()
        self.trouble = ""
        self.starts = self.clears = ""
        self.touched: set[int] = set()
        self.outbox: asyncio.Queue[FromScreen] = asyncio.Queue()
        self.grown = asyncio.Event()  # the desk says that the ledger has more
        self.caught_up = asyncio.Event()  # nothing is known to be in the ledger that has not been read
        self._clock = clock
        self._zone = zone
        self._pulse: Pulse | None = None
        self._pulse_at_ms = self._base_at_ms = clock.now_ms()
        self._base_ms = 0
        self._welcomed_ms = 0
        self._latest_ms = 0

    @property
    def event_name(self) -> str:
        """What the event is called now."""
        return self.called() or self._first_name

    @property
    def is_missed(self) -> bool:
        """Whether there is no desk although tables have boxes; where none has, nobody needs one."""
        return not self.live and self.hall.has_boxes

    def now_ms(self) -> int:
        """The instant of the desk's clock; never a little back. Without a desk it goes on, so that ages do.

        Before any desk has been heard it is Unix time, and stands at the ledger's last entry.
        """
        if self._pulse is None:
            return self.hall.written_ms
        return self._base_ms + int((self._clock.now_ms() - self._base_at_ms) * self.speed)

    def wall_ms(self) -> int:
        """Unix time as the desk has it, else this machine's."""
        if self._pulse is None:
            return self._clock.wall_ms()
        return self._pulse.wall_ms + self.now_ms() - self._pulse.now_ms

    def wall_text(self) -> str:
        """Time of day at the desk, to the second; here, where no table has a box; else "" until a desk has said it."""
        if self._pulse is None and self.hall.has_boxes:
            return ""
        return f"{self._wall(self.wall_ms()):%H:%M:%S}"

    def written_text(self, age_ms: int | None = 0) -> str:
        """Time of day, with the date if that is not today, of what is `age_ms` older than the ledger's last entry.

        "" once a desk has been heard, by whose clock ages mean more, and as long as there is no entry.
        """
        if self._pulse is not None or age_ms is None or not self.hall.written_ms:
            return ""
        then, today = self._wall(self.hall.written_ms - age_ms), self._wall(self._clock.wall_ms()).date()
        return f"{then:%H:%M:%S}" if then.date() == today else f"{day_shown(then.date().isoformat())} {then:%H:%M}"

    def own_ms(self) -> int:
        """The screen's own time, however fast the hall runs."""
        return self._clock.now_ms()

    def silence_ms(self) -> int | None:
        """For how long, in this screen's time, no desk has said anything; None: none ever has."""
        return None if self._pulse is None else self._clock.now_ms() - self._pulse_at_ms

    def say(self, wish: FromScreen) -> bool:
        """Send the desk a wish, in the order of the calls; False if there is none to hear it."""
        if self.live:
            self.outbox.put_nowait(wish)
            if isinstance(wish, Take) and not wish.on:
                self._mine(wish.table, False)
        return self.live

    def welcomed(self, welcome: Welcome) -> None:
        """A desk answers."""
        self.live, self.simulated = True, welcome.simulated
        self._welcomed_ms = self._clock.now_ms()
        self.hall.met_desk()

    def has_settled(self) -> bool:
        """Whether what the desk tells now is new: first it repeats what it told others."""
        return self._clock.now_ms() - self._welcomed_ms > SETTLING_MS

    def pulsed(self, pulse: Pulse) -> None:
        """The desk is alive, and says what time it is and how long the ledger has become."""
        if self._pulse is None or pulse.cursor != self._pulse.cursor:
            self.grown.set()
            self.caught_up.clear()
        now_ms = self.now_ms()
        leaps = self._pulse is None or abs(pulse.now_ms - now_ms) > LEAP_MS * max(1, pulse.speed)
        self._base_ms = pulse.now_ms if leaps else max(now_ms, pulse.now_ms)
        self._pulse, self.speed = pulse, pulse.speed
        self._pulse_at_ms = self._base_at_ms = self._clock.now_ms()
        self.hall.pulse(pulse.now_ms, pulse.wall_ms)

    def heard(self, heard: Heard) -> int:
        """The desk says what it hears of a box; the table that it stands at."""
        table = self.hall.heard(heard)
        self.touched.add(table)
        return table

    def faced(self, face: Face) -> None:
        """The desk says how the box looks, and whether it is this screen that plays it."""
        self.face = face
        self._mine(face.table, face.mine)

    def lost(self) -> None:
        """The desk is gone, and with it what was still to be said; from now on ages are in this screen's own time."""
        self.live, self.simulated, self.face = False, False, None
        self._base_ms, self._base_at_ms, self.speed = self.now_ms(), self._clock.now_ms(), 1.0
        self.touched |= self.mine
        self.mine.clear()
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self.hall.lost_desk(self.now_ms())
        self.grown.set()  # from now on nobody says when the ledger has grown

    def _mine(self, table: int, mine: bool) -> None:
        if mine != (table in self.mine):
            (self.mine.add if mine else self.mine.discard)(table)
            self.touched.add(table)

    def _wall(self, unix_ms: int) -> datetime:
        return datetime.fromtimestamp(unix_ms / 1_000, UTC).astimezone(self._zone)


# Notices somebody has to act on; alarms say the others better, and what came of a command is its sender's business.
SHOWN: Final = frozenset({
    "new_epoch", "lost", "conflict", "turned_away", "not_recorded", "recorded_again", "lease_lost", "offer",
    "to_take_over", "takes_over", "nothing_known", "not_set_up", "busy", "ends_own_game", "no_secret",
})  # fmt: skip
AGAIN_S: Final = 1.0
SHOW_S: Final = 0.1  # how often what was read is shown, as long as there is more to read at once
LOOK_S: Final = 0.5  # how often the ledger is looked at while no desk says when it has grown


class Live(Protocol):
    """A connection to a live desk; `messages` ends, or raises Unreachable, when the desk is gone."""

    def messages(self) -> AsyncIterator[ToScreen]: ...

    async def send(self, message: FromScreen) -> None: ...

    async def close(self) -> None: ...


Connect = Callable[[], Awaitable[Live]]


class Reader(Protocol):
    """Brings the hall's model up to what the ledger holds."""

    async def read_on(self) -> set[int] | None:
        """The tables that the next slice of the ledger is about; None if there is nothing new."""

    async def hint(self) -> None:
        """Until somebody says that there is more; for ever where nobody does."""

    def new_troubles(self) -> list[DalejError]:
        """What could not be read and was passed over since this was asked last."""


async def listen(feed: Feed, connect: Connect, tell: Tell) -> None:
    """Stay connected to the desk; try again every second."""
    while True:
        with suppress(Unreachable):
            live = await connect()
            sending = asyncio.create_task(_send(feed, live))
            try:
                async for message in live.messages():
                    _hear(feed, message, tell)
            finally:
                sending.cancel()
                if feed.live:
                    feed.lost()
                    tell(Lost())
                await live.close()
        await asyncio.sleep(AGAIN_S)


async def _send(feed: Feed, live: Live) -> None:
    with suppress(Unreachable):  # whoever listens finds out too
        while True:
            await live.send(await feed.outbox.get())


def _hear(feed: Feed, message: ToScreen, tell: Tell) -> None:
    match message:
        case TableHeard(heard):
            tell(HeardOf(feed.heard(heard)))
        case Pulse():
            feed.pulsed(message)
        case Face():
            feed.faced(message)
            tell(Looked(message))
        case Welcome():
            feed.welcomed(message)
            tell(Found())
        case NoticeTold(kind=kind, template=template, data=data):
            if kind in SHOWN and feed.has_settled():
                known = parted(data).items()
                named = {name: feed.hall.called(str(value)) if name == "box" else value for name, value in known}
                tell(Noticed(DalejError(template, **named)))
        case Refusal():
            tell(Declined(message))


async def _read_on(reader: Reader, tell: Tell) -> None:
    """Up to where the ledger ends; says what was read even if it cannot be read to its end."""
    loop = asyncio.get_running_loop()
    touched: set[int] = set()
    some, shown = False, -SHOW_S
    try:
        while (tables := await reader.read_on()) is not None:
            touched |= tables
            some = True
            for trouble in reader.new_troubles():
                tell(Noticed(trouble))
            if loop.time() - shown >= SHOW_S:
                tell(Recorded(frozenset(touched)))
                touched, some, shown = set(), False, loop.time()
    finally:
        if some:
            tell(Recorded(frozenset(touched)))


async def follow(feed: Feed, reader: Reader, tell: Tell) -> None:
    """Read on whenever the desk says that there is more, and every half second while there is no desk.

    What comes first is shown at once, and what comes while there is more to read a few times a second: a long event
    would be drawn anew for every slice of it.
    """
    hints = asyncio.create_task(_hints(feed, reader))
    try:
        await _follow(feed, reader, tell)
    finally:
        hints.cancel()


async def _hints(feed: Feed, reader: Reader) -> None:
    while True:
        await reader.hint()
        feed.grown.set()


async def _follow(feed: Feed, reader: Reader, tell: Tell) -> None:
    while True:
        feed.grown.clear()
        try:
            await _read_on(reader, tell)
            if not feed.grown.is_set():
                feed.caught_up.set()
            if feed.trouble:
                feed.trouble = ""
                tell(Recorded(frozenset()))
        except DalejError as error:
            if feed.trouble != said(error):
                feed.trouble = said(error)
                tell(Unread())
        with suppress(TimeoutError):
            async with asyncio.timeout(None if feed.live and not feed.trouble else LOOK_S):
                await feed.grown.wait()
