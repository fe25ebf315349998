"""The end of a round's time at twenty-five tables whose boxes share three links: told ahead, begun at the instant."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Final

from dalej.cli.rounds import Countdown
from dalej.event.event import Event
from dalej.event.ledger import APPLIED, SENT, Outcome, Request
from dalej.office import rounds
from dalej.office.roundclock import AHEAD_MS
from dalej.simulator.box import SimBox
from moveclock import facts as k
from moveclock import wire
from tests.desk.evening.evening import Evening

TABLES: Final = 25
LINKS: Final = 3
FAR: Final = "7"  # carried out of reach once it was told
NEVER: Final = "9"  # not heard all the time: it cannot be told
MINUTE_MS: Final = 60_000
MOVE_MS: Final = 20_000
LOOK_MS: Final = 2_000  # as often as the round's clock looks
MAP_ERROR_MS: Final = 150  # half of the slowest round trip of these radios


class Hall(Evening):
    """Every table plays its first game; a round of five minutes has begun."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, boxes=TABLES, players=4 * TABLES)
        self.office = Event(self.event.ledger, who="Gęś", wall_ms=self.clock.wall_ms)
        for box in self.boxes:
            self.put(box, int(box))
        self.process = self.start(links=LINKS)
        while any(self.clock_of(box).state != k.READY for box in self.boxes):
            self.run(LOOK_MS)
        for place, box in enumerate(self.boxes):
            self.tap(box, 2 * self.clock_of(box).starter)
            self.world.after(place * MOVE_MS // TABLES + 1, lambda box=box: self.move(box))  # type: ignore[misc]
        self.office.change(lambda state: rounds.start(state, 5))
        began = rounds.seated(self.office.state()).clock
        assert began is not None
        self.ends_ms = began.starts_ms + began.length_ms

    def move(self, box: str) -> None:
        """Whoever's turn it is ends it, and so every table goes on."""
        clock, simulated = self.clock_of(box), self.boxes[box]
        if clock.state == k.RUNNING:
            contact = 2 * clock.seat + 1
            simulated.edge(contact, True)
            self.world.after(80, lambda: simulated.edge(contact, False))
        self.world.after(MOVE_MS, lambda: self.move(box))

    def run_to(self, wall_ms: int) -> None:
        self.run(max(0, wall_ms - self.clock.wall_ms()))

    def laps(self) -> dict[str, int]:
        """Box -> Unix time at which its lap began, by the facts on its own flash."""
        found = {name: self.lap_of(box) for name, box in self.boxes.items()}
        return {name: at_ms for name, at_ms in found.items() if at_ms is not None}

    def outcomes(self) -> dict[int, list[str]]:
        """Table -> all that became of the requests for its final lap."""
        found: dict[int, list[str]] = {}
        entries = self.process.ledger.since(0, 100_000)
        asked = {one.id: one.table for one in entries if isinstance(one, Request) and one.command == "final_lap"}
        for one in entries:
            if isinstance(one, Outcome) and one.request in asked:
                found.setdefault(asked[one.request], []).append(one.result)
        return found

    def lap_of(self, box: SimBox) -> int | None:
        powered = box.box
        assert powered is not None
        for seq in range(powered.journal.head, powered.journal.oldest - 1, -1):
            record = powered.journal.record(seq)
            assert record is not None
            _, boot, fact = wire.unpack_record(record)
            if fact[0] == k.FINAL_LAP_BEGUN:
                return box.world_ms(boot, fact[1]) + self.clock.wall_start_ms
        return None


def waiting(hall: Hall) -> set[str]:
    """Boxes that hold the order for its instant."""
    return {name for name, box in hall.boxes.items() if box.box is not None and box.box.commands.due() is not None}


def test_the_final_lap_begins_everywhere_at_the_instant_also_where_the_box_was_told_and_is_out_of_reach(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    hall = kept_open.enter_context(Hall(tmp_path))
    hall.process.adapter.set_reach(hall.boxes[NEVER].uid, False)
    said: list[str] = []
    countdown = Countdown(hall.office, hall.clock, lambda line, **_: said.append(line), rewrites=False)
    hall.run_to(hall.ends_ms - AHEAD_MS)
    told_ms = 0
    while hall.clock.wall_ms() < hall.ends_ms - LOOK_MS:
        countdown.step()
        hall.run(LOOK_MS)
        if not told_ms and len(waiting(hall)) == TABLES - 1:
            told_ms = hall.clock.wall_ms()
            hall.process.adapter.set_reach(hall.boxes[FAR].uid, False)
    assert told_ms, f"told only {sorted(waiting(hall))}"

    hall.run_to(hall.ends_ms)
    countdown.step()
    hall.run(1_000)
    late = {box: at_ms - hall.ends_ms for box, at_ms in hall.laps().items()}
    assert late.keys() == hall.boxes.keys() - {NEVER}
    assert max(map(abs, late.values())) <= MAP_ERROR_MS
    assert f"Final lap, asked of the boxes at tables {NEVER}" in said

    hall.process.adapter.set_reach(hall.boxes[FAR].uid, True)
    hall.run(2 * MINUTE_MS)
    became = hall.outcomes()
    assert {table for table, results in became.items() if APPLIED in results} == set(map(int, late))
    assert SENT not in became[int(NEVER)]
