"""From which fact on a box counts at its table: decided once, when the desk meets it there, by whatever process."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from dalej.domain.game.facts import Fact
from dalej.event import boxplaces
from dalej.event.ledger import Ledger
from moveclock import facts as k
from tests.desk.evening.evening import SOON_MS, Evening, Process


def pressed(evening: Evening, box: str, times: int) -> None:
    """Taps that a box writes down, whatever its state."""
    for _ in range(times):
        evening.tap(box, k.SEDZIA)


def head(evening: Evening, box: str) -> int:
    powered = evening.boxes[box].box
    assert powered is not None
    return powered.journal.head


def presses(facts: list[Fact]) -> list[int]:
    return [fact.seq for fact in facts if fact.kind in (k.STRAY_TAP, k.REFEREE_CALLED)]


def test_nothing_of_an_earlier_evening_is_asked_for_or_missed(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, draws=False))
    pressed(evening, "1", 40)
    before = head(evening, "1")
    evening.put("1", 3)
    desk = evening.start()
    evening.run()

    (baseline,) = desk.baselines()
    assert (baseline.table, baseline.seq) == (3, before)
    assert desk.facts(evening.boxes["1"]) == []

    pressed(evening, "1", 2)
    evening.run()
    assert presses(desk.facts(evening.boxes["1"])) == [before + 1, before + 2]
    assert not desk.ledger.missing(baseline.box, baseline.epoch)
    powered = evening.boxes["1"].box
    assert powered is not None
    assert powered.journal.backlog == 0


def test_all_facts_of_the_day_are_asked_for_when_people_want_them(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, draws=False))
    pressed(evening, "1", 40)
    evening.put("1", 3, since=boxplaces.ALL)
    desk = evening.begins()

    (baseline,) = desk.baselines()
    assert baseline.seq == 0
    assert len(presses(desk.facts(evening.boxes["1"]))) == 40


def test_an_empty_second_laptop_rebuilds_the_day_from_the_boxes(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, players=8, boxes=2))
    for box in evening.boxes:
        evening.put(box, int(box))
    first = evening.begins()
    for _ in range(5):
        for box in evening.boxes:
            evening.play(box, 1)
    evening.run()
    told = {box: first.facts(evening.boxes[box]) for box in evening.boxes}
    first.close()

    other = tmp_path / "other.dalej"
    Ledger.create(other).close()
    second = evening.start(other, desk_id=815, name="spare laptop")
    for box in evening.boxes:
        evening.put(box, int(box), since=boxplaces.ALL, ledger=second.ledger)
    evening.run(2 * SOON_MS)

    for box in evening.boxes:
        rebuilt = second.facts(evening.boxes[box])
        assert [fact for fact in rebuilt if fact.seq >= told[box][0].seq][: len(told[box])] == told[box]


def test_a_box_is_met_once_however_often_the_desk_restarts(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, draws=False))
    evening.put("1", 1)
    for _ in range(3):
        desk = evening.begins()
        pressed(evening, "1", 1)
        evening.run()
        desk.close()

    last = evening.start()
    assert len(last.baselines()) == 1
    assert len(presses(last.facts(evening.boxes["1"]))) == 3


def moved(evening: Evening, desk: Process) -> None:
    evening.put("1", 2)
    evening.run()
    assert [baseline.table for baseline in desk.baselines()] == [1, 2]


def test_a_box_that_moves_while_it_is_linked_counts_at_the_new_table_from_then_on(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, draws=False))
    desk = evening.begins("1")
    pressed(evening, "1", 3)
    evening.run()

    moved(evening, desk)

    assert desk.baselines()[-1].seq == head(evening, "1")
    assert len(presses(desk.facts(evening.boxes["1"]))) == 3
    assert len(desk.said("stands")) == 1
    assert desk.desk.lines[evening.boxes["1"].uid].table == 2


def test_a_box_that_moves_out_of_reach_tells_first_what_it_has_of_the_table_before(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, draws=False))
    desk = evening.begins("1")
    desk.adapter.set_reach(evening.boxes["1"].uid, False)
    pressed(evening, "1", 5)

    evening.put("1", 2)
    evening.run()
    desk.adapter.set_reach(evening.boxes["1"].uid, True)
    evening.run()

    assert len(presses(desk.facts(evening.boxes["1"]))) == 5
    assert desk.baselines()[-1].table == 2
    assert desk.baselines()[-1].seq == head(evening, "1")


def test_a_journal_that_begins_anew_counts_at_the_same_table_from_its_first_fact(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, draws=False))
    desk = evening.begins("1")
    box = evening.boxes["1"]
    box.power_off()
    box.flash.files.clear()  # type: ignore[attr-defined]
    box.flash.folders.clear()  # type: ignore[attr-defined]
    box.power_on()
    evening.run(2 * SOON_MS)

    first, second = desk.baselines()
    assert first.epoch != second.epoch
    assert (second.table, second.seq) == (1, 0)
    assert len(desk.said("new_epoch")) == 1


def test_a_box_that_stands_on_no_table_any_more_is_let_go(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, boxes=2, players=8))
    desk = evening.begins("1", "2")
    evening.take_away("1")
    evening.run()

    assert len(desk.said("gone")) == 1
    assert [heard.table for heard in desk.desk.heard_since(0)] == [2]
    assert not desk.adapter.connected(evening.boxes["1"].uid)
    evening.put("1", 1)
    evening.run()
    assert desk.desk.is_live(evening.boxes["1"].uid)
