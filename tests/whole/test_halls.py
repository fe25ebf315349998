"""Whole evenings of simulated halls: whatever the links and batteries do, the ledger is the boxes' own story."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dalej.clock import ManualClock
from dalej.domain.game.facts import Fact
from dalej.event import eventlog
from dalej.event.ledger import APPLIED, REFUSED, Ledger
from dalej.event.people import SEATED
from dalej.event.reading import read
from dalej.rulesets import rulebook
from dalej.simulator.box import Faults, SimBox
from dalej.simulator.hall import Hall, Played
from dalej.simulator.players import Habits
from moveclock import facts as k
from moveclock.wire import unpack_record
from tests.told import facts_of

ROUGH = Faults(loss=0.15, duplicate=0.1, reorder=0.1, delay_ms=(5, 400))
WILD = Habits(
    pace=0.4,
    early_click=0.2,
    forgets_the_tile=0.1,
    overtime=0.2,
    announces=0.2,
    disputes=0.2,
    stray=0.3,
    withdraws=0.02,
)


@contextmanager
def hall_in(
    folder: Path, *, ruleset: str = "school-league", seed: int = 1, **how: Any
) -> Iterator[tuple[Ledger, Hall]]:
    """A hall, and its event of that ruleset, e.dalej."""
    with Ledger.create(folder / "e.dalej") as ledger:
        rules = eventlog.choose_ruleset(ledger, ruleset, who="test", when_ms=0)
        yield ledger, Hall(ledger, rules, ManualClock(), seed=seed, **how)


def evening(folder: Path, ruleset: str, seed: int, faults: Faults | None, habits: Habits | None) -> tuple[Hall, Played]:
    how = {"habits": habits, "faults": faults or Faults()}
    with hall_in(folder, ruleset=ruleset, tables=3, moves=120, seed=seed, **how) as (_, hall):
        return hall, hall.play()


def journal(box: SimBox) -> list[Fact]:
    """What the box itself holds."""
    assert box.box is not None
    kept = box.box.journal
    facts = []
    for seq in range(kept.oldest, kept.head + 1):
        record = kept.record(seq)
        assert record is not None
        number, boot, (kind, at, *rest) = unpack_record(record)
        facts.append(Fact(box.uid.hex(), kept.epoch, number, boot, at, kind, *rest))
    return facts


@pytest.mark.parametrize("ruleset", rulebook.available())
def test_an_evening_on_lossy_links_is_logged_exactly_once(tmp_path: Path, ruleset: str, seed: int) -> None:
    hall, played = evening(tmp_path, ruleset, seed, ROUGH, WILD)

    with Ledger.open(tmp_path / "e.dalej") as ledger:
        assert list(eventlog.problems(read(ledger))) == []
        assert read(ledger).conflicts() == []
        for box in hall.radio.boxes.values():
            assert [reported.fact for reported in facts_of(ledger, box.uid.hex())] == journal(box)
    assert played.lost_frames > 0


def test_every_time_out_has_one_ruling_and_every_move_one_turn(tmp_path: Path, seed: int) -> None:
    evening(tmp_path, "school-league", seed, None, WILD)

    with Ledger.open(tmp_path / "e.dalej") as ledger:
        facts = [reported.fact for reported in read(ledger).facts()]
        turns = eventlog.turns(read(ledger))
        rulings = eventlog.rulings(facts, eventlog.ruleset_of(read(ledger)))
    begun = {(fact.box, fact.game, fact.move) for fact in facts if fact.kind == k.MOVE_STARTED}
    assert {(seen.turn.box, seen.turn.game, seen.turn.move) for seen in turns} == begun
    assert len(turns) == len(begun)
    assert len({ruling.of for ruling in rulings}) == len(rulings)
    assert {ruling.of[2] for ruling in rulings} <= {fact.seq for fact in facts if fact.kind == k.TIME_RAN_OUT}


def test_no_penalty_tile_is_counted_twice_and_the_bank_adds_up(tmp_path: Path, seed: int) -> None:
    evening(tmp_path, "school-league", seed, None, WILD)

    with Ledger.open(tmp_path / "e.dalej") as ledger:
        facts = [reported.fact for reported in read(ledger).facts()]
    for box in {fact.box for fact in facts}:
        bank = 0
        counted: set[tuple[int, int]] = set()
        for fact in (fact for fact in facts if fact.box == box):
            if fact.kind in (k.CONFIGURED, k.BANK_CORRECTED):
                bank = fact.c
            penalty = fact.kind == k.TABLE_RESTORED and fact.c == bank - 1
            if penalty or (fact.kind == k.TILE_DRAWN and fact.code == 1):
                bank -= 1
                assert (fact.game, fact.move) not in counted
                counted.add((fact.game, fact.move))
            if fact.kind in (k.TILE_DRAWN, k.MOVE_ENDED, k.TABLE_RESTORED, k.MOVE_STARTED):
                assert fact.c == bank >= 0


def test_an_evening_behind_a_pool_of_three_links_is_logged_exactly_once(tmp_path: Path, seed: int) -> None:
    with hall_in(tmp_path, tables=10, moves=200, seed=seed, habits=WILD, faults=ROUGH, links=3) as (_, hall):
        played = hall.play()

    with Ledger.open(tmp_path / "e.dalej") as ledger:
        assert list(eventlog.problems(read(ledger))) == []
        assert read(ledger).conflicts() == []
        assert not ledger.open_requests()
        for box in hall.radio.boxes.values():
            assert [reported.fact for reported in facts_of(ledger, box.uid.hex())] == journal(box)
    left = [table for table in hall.tables.values() if table.players.resting]  # by all players but one
    assert all(table.players.moves >= 20 for table in hall.tables.values() if table not in left)
    assert played.moves == sum(table.players.moves for table in hall.tables.values())


def test_an_evening_lasts_until_what_was_asked_of_its_boxes_is_answered(tmp_path: Path) -> None:
    """Given commands to boxes that wait for their turn at a link, when everybody has gone home."""
    waiting: list[int] = []
    with hall_in(tmp_path, tables=10, moves=10, links=3) as (ledger, hall):

        def ask_at_the_end() -> None:
            if not all(table.players.gone_home for table in hall.tables.values()):
                hall.world.after(100, ask_at_the_end)
                return
            for number, table in hall.tables.items():
                if not hall.desk.is_live(table.uid):
                    waiting.append(number)
                    assert hall.desk.ask(table.uid, "stop", {}, who="test")

        ask_at_the_end()
        hall.play()

        assert len(waiting) == 7
        assert not ledger.open_requests()
        asked = [one.request for one in read(ledger).asked() if one.request.command == "stop"]
        assert [request.table for request in asked] == waiting
        assert {ledger.outcomes(request.id)[-1].result for request in asked} <= {APPLIED, REFUSED}


def test_who_sits_where_is_decided_before_the_first_box_is_heard(tmp_path: Path) -> None:
    with hall_in(tmp_path, tables=30, moves=None) as (ledger, hall):
        assert eventlog.tables(read(ledger)) == {table.uid.hex(): number for number, table in hall.tables.items()}
        seated = [decision.body for decision in read(ledger).decisions(SEATED)]
        assert [body["table"] for body in seated] == list(hall.tables)
        assert [body["names"] for body in seated] == [table.names for table in hall.tables.values()]
        assert read(ledger).decisions(SEATED, subject="seated:7")[0].body["table"] == 7
        assert list(read(ledger).facts()) == []
    names = [name for table in hall.tables.values() for name in table.names.values()]
    assert len(set(names)) == len(names) == 120
    assert {"Lis", "Żuraw", "Lis 2"} <= set(names)
