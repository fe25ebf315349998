"""What this screen knows of the hall: the model that entries and the desk's messages go into, and the hall's clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final, Protocol

from dalej.clock import Clock
from dalej.domain.heard import Heard
from dalej.domain.rulesets import Ruleset
from dalej.domain.rulings import Ahead
from dalej.hall.asked import Asked
from dalej.hall.seen import Alert, Row, SeenTurn
from dalej.live.messages import Face, FromScreen, Pulse, Take, Welcome

SETTLING_MS: Final = 2_000
LEAP_MS: Final = 500  # a desk's clock that is further off than this is another clock, or was held up


class Hall(Protocol):
    """What screens ask of the hall's model, and what the desk's messages do to it. Instants are of the desk's clock."""

    @property
    def ruleset(self) -> Ruleset: ...

    @property
    def written_ms(self) -> int: ...

    def tables(self) -> Sequence[int]: ...

    def row(self, table: int, now_ms: int) -> Row: ...

    def rows(self, now_ms: int) -> Sequence[Row]: ...

    def alerts(self, now_ms: int) -> Sequence[Alert]: ...

    def turns(self, table: int) -> Sequence[SeenTurn]: ...

    def outcomes(self, ids: Iterable[int]) -> Sequence[Asked]: ...

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
    recorded since the screen last looked. `zone`: of the clock on the wall, None: where this machine is.
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
        """Time of day at the desk, to the second; "" as long as no desk has said it."""
        if self._pulse is None:
            return ""
        return f"{self._wall(self.wall_ms()):%H:%M:%S}"

    def written_text(self, age_ms: int | None = 0) -> str:
        """Time of day, with the date if that is not today, of what is `age_ms` older than the ledger's last entry.

        "" once a desk has been heard, by whose clock ages mean more, and as long as there is no entry.
        """
        if self._pulse is not None or age_ms is None or not self.hall.written_ms:
            return ""
        then, today = self._wall(self.hall.written_ms - age_ms), self._wall(self._clock.wall_ms()).date()
        return f"{then:%H:%M:%S}" if then.date() == today else f"{then:%Y-%m-%d %H:%M}"

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

    def heard(self, heard: Heard) -> None:
        """The desk says what it hears of a box."""
        self.touched.add(self.hall.heard(heard))

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
