"""What few links cost: how soon the desk knows of an alarm, and how far the log of turns lies behind.

A simulated hall plays behind an adapter that holds three links and takes two seconds for each connect; boxes are heard
by their advertisements. The baseline is the same hall, seed by seed, on a desk with a link for every table. An alarm
has come when the desk has heard of it or recorded its facts, whichever is first; a turn's lag runs from the click to
the committed row. Not counted are tables that were out of reach or without power meanwhile, and of the recorded ones
alarms that were over before: a call withdrawn, a late move judged. All in simulated time.

The way from the desk to the screen has nothing to do with links: it is measured in real time, as `bench.screen` does,
with the most tables and a link each. The median on that way is added to the median to the desk, and so on.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from bench import screen
from bench.ledger import DISK
from bench.row import Row, quantile
from dalej.clock import ManualClock
from dalej.desk.hearing import Line
from dalej.event.ledger import Ledger, Report
from dalej.event.ledger.entries import Recorded
from dalej.event.ledger.sqlitefile import SqliteStore
from dalej.event.ledger.store import BUSY_MS, Store
from dalej.rulesets.rulebook import load
from dalej.simulator.box import SimBox
from dalej.simulator.hall import Hall
from moveclock import facts as k
from moveclock.clock import QUIET

TABLES: Final = (25, 100)
LINKS: Final = 3
WARM_UP_MS: Final = 300_000  # by then every table has had its first turn
PLAYED_MS: Final = 600_000
LINKED_WARM_UP_MS: Final = 60_000  # with a link each nothing builds up, so a shorter look tells the same
LINKED_MS: Final = 180_000
STEP_MS: Final = 20
SEED: Final = 7
PARTS: Final = (("median", 0.5), ("99 %", 0.99), ("worst", 1.0))
GOAL: Final = "≤ 5 s"
SCREEN: Final = 0.15  # so long, as a part of what `bench.screen` takes, is a screen looked at
LIMIT_S: Final = 40


class Waits(NamedTuple):
    """In ms: from an alarm until the desk knew of it, until its facts were recorded, and from a click to its row."""

    heard: list[int]
    recorded: list[int]
    turns: list[int]


def measure(size: float = 1) -> list[Row]:
    """Median, 99th percentile and worst of all three, at 25 and at 100 tables."""
    rows = []
    for tables in TABLES:
        pooled = _played(tables, LINKS, WARM_UP_MS, PLAYED_MS, size)
        linked = _played(tables, None, LINKED_WARM_UP_MS, LINKED_MS, size)
        of = f"{tables} tables, {LINKS} links"
        for what, few, all_linked, goal in (
            ("alarm to desk", pooled.heard, linked.heard, GOAL),
            ("alarm's facts recorded", pooled.recorded, linked.recorded, "–"),
            ("turn-log lag", pooled.turns, linked.turns, "–"),
        ):
            rows += [_row(f"{what}, {of}, {label}", few, all_linked, part, goal) for label, part in PARTS]
    return [*rows, *_screen_rows(of, pooled.heard, linked.heard, _desk_to_screen(max(TABLES), size))]


def _desk_to_screen(tables: int, size: float) -> list[float]:
    """In ms, of every fact that a screen was shown meanwhile."""
    watched = screen.watch(max(screen.FEW, int(tables * min(size, 1))), SCREEN * size, LIMIT_S)
    return [max(0.0, shown - arrived) for shown, arrived in zip(watched.shown, watched.arrived, strict=True)]


def _screen_rows(of: str, few: Sequence[int], all_linked: Sequence[int], on: Sequence[float]) -> list[Row]:
    """From the alarm at the box to its picture, if the desk's part and the screen's are equally unlucky."""
    ways = [
        (label, quantile(part, few) + quantile(part, on), quantile(part, all_linked) + quantile(part, on))
        for label, part in PARTS
    ]
    return [
        Row(
            f"alarm to screen, {of}, {label}",
            f"{value / 1000:.2f} s",
            f"a link each: {base / 1000:.2f} s",
            f"{value / base:.1f}" if base else "–",
            GOAL,
        )
        for label, value, base in ways
    ]


def _row(what: str, few: Sequence[int], all_linked: Sequence[int], part: float, goal: str) -> Row:
    value, base = quantile(part, few), quantile(part, all_linked)
    return Row(
        f"{what} (of {len(few)})", f"{value / 1000:.2f} s", f"a link each: {base / 1000:.2f} s",
        f"{value / base:.1f}" if base else "–", goal,
    )  # fmt: skip


class _WatchedLedger(Ledger):
    """Notes for every recorded end of a move when that was: box, boot, uptime, and the world's time of the row."""

    clock: ManualClock

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.ended: list[tuple[str, int, int, int]] = []

    def record(self, reports: Iterable[Report], *, token: int | None = None) -> Recorded:
        recorded = super().record(reports, token=token)
        now_ms = self.clock.now_ms()
        self.ended += [
            (fact.box, fact.boot, fact.uptime_ms, now_ms) for fact in recorded.new if fact.kind == k.MOVE_ENDED
        ]
        return recorded


class _Alarm(NamedTuple):
    """An alarm that the desk has not got to the bottom of. `head`: its facts are up to here."""

    line: Line
    sim: SimBox
    at_ms: int
    head: int


class _Watch:
    """Looks at a hall every few ms: alarms that boxes raise, what the desk knows of them, who is not there."""

    def __init__(self, hall: Hall) -> None:
        self.heard: list[int] = []
        self.recorded: list[int] = []
        self.away_ms: dict[str, int] = {}  # when a box was last out of reach or without power
        self._hall = hall
        self._alarms: dict[bytes, int] = {}
        self._unheard: list[_Alarm] = []
        self._unrecorded: list[_Alarm] = []
        for table in hall.tables.values():
            table.box.watchers.append(self._look)

    def step(self, now_ms: int) -> None:
        radio = self._hall.radio
        for uid, sim in radio.boxes.items():
            if sim.box is None or not radio.in_reach(uid):
                self.away_ms[uid.hex()] = now_ms
        self._unheard = self._still(self._unheard, self.heard, now_ms, _is_heard)
        self._unrecorded = self._still(self._unrecorded, self.recorded, now_ms, _is_recorded)

    def _look(self, sim: SimBox) -> None:
        """A box after a turn of its loop."""
        if sim.box is None:
            return
        alarm = sim.box.clock.alarm(sim.box.uptime.now)
        before = self._alarms.get(sim.uid, QUIET)
        self._alarms[sim.uid] = alarm
        if alarm == QUIET:
            self._unrecorded = [raised for raised in self._unrecorded if raised.sim is not sim]
        elif before == QUIET:
            raised = _Alarm(self._hall.desk.lines[sim.uid], sim, self._hall.world.now_ms, sim.box.journal.head)
            self._unheard.append(raised)
            self._unrecorded.append(raised)

    def _still(
        self, alarms: list[_Alarm], waits: list[int], now_ms: int, is_known: Callable[[_Alarm], bool]
    ) -> list[_Alarm]:
        left = []
        for alarm in alarms:
            if self.away_ms.get(alarm.line.box, -1) >= alarm.at_ms:
                continue
            if is_known(alarm):
                waits.append(now_ms - alarm.at_ms)
            else:
                left.append(alarm)
        return left


def _is_heard(alarm: _Alarm) -> bool:
    told = alarm.line.told
    if told is not None and told.head >= alarm.head and (told.alarm != QUIET or told.head > alarm.head):
        return True
    return _is_recorded(alarm)


def _is_recorded(alarm: _Alarm) -> bool:
    return alarm.line.stored[1] >= alarm.head


def _played(tables: int, links: int | None, warm_up_ms: int, played_ms: int, size: float) -> Waits:
    until_ms, warm_up_ms = int((warm_up_ms + played_ms) * size), int(warm_up_ms * min(size, 1))
    DISK.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as folder,
        _WatchedLedger(SqliteStore.create(Path(folder) / "event.dalej", BUSY_MS)) as ledger,
    ):
        ledger.clock = ManualClock()
        hall = Hall(ledger, load("school-league"), ledger.clock, tables=tables, moves=None, seed=SEED, links=links)
        world = hall.world
        world.run_until(warm_up_ms)
        ledger.ended.clear()
        watch, turns = _Watch(hall), list[int]()
        boxes = {uid.hex(): sim for uid, sim in hall.radio.boxes.items()}
        while world.now_ms < until_ms:
            world.run_until(world.now_ms + STEP_MS)
            watch.step(world.now_ms)
            for box, boot, uptime_ms, at_ms in ledger.ended:
                made_ms = boxes[box].world_ms(boot, uptime_ms)
                if watch.away_ms.get(box, -1) < made_ms >= warm_up_ms:
                    turns.append(at_ms - made_ms)
            ledger.ended.clear()
    return Waits(watch.heard, watch.recorded, turns)
