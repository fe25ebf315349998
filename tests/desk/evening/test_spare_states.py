"""A spare box takes a table over in whatever state it stood: after the limit, in the final lap, in its first move."""

from __future__ import annotations

from dalej.event import boxplaces, eventlog
from dalej.event.cases import cases
from dalej.event.ledger import APPLIED
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from moveclock import facts as k
from tests.desk.evening.evening import SOON_MS, Evening
from tests.desk.evening.spare import dies, replace, started


def limit_of(evening: Evening, box: str) -> int:
    return int(evening.clock_of(box).settings.limit_ms)


def test_a_table_that_waits_for_its_verdict_gets_it_at_the_spare_and_the_player_one_penalty_tile(
    evening: Evening,
) -> None:
    desk = started(evening, 6)
    evening.run(limit_of(evening, "1") + 4_000)
    late = evening.clock_of("1")
    assert late.state == k.EXPIRED
    bank, seat = late.bank, late.seat
    dies(evening)
    replace(evening)
    spare = evening.clock_of("2")
    assert (spare.state, spare.late, spare.seat, spare.bank) == (k.STOPPED, True, seat, bank)

    desk.ask("2", "resume")
    assert spare.state == k.EXPIRED
    evening.tap("2", 2 * spare.next_seat() + 1)
    evening.run()

    assert (spare.state, spare.move, spare.bank) == (k.RUNNING, 8, bank - 1)
    (case,) = cases(read(evening.event.ledger), evening.event.state())
    assert [(one.by, one.tiles, one.standing) for one in case.history] == [
        ("default", 1, "replaced"), ("table", 1, "current"),
    ]  # fmt: skip
    seen = [one for one in eventlog.turns(read(evening.event.ledger)) if one.turn.move == 7]
    assert [(one.turn.how, one.turn.ruling, one.turn.tiles) for one in seen] == [("timeout", "undone", 1)]
    assert seen[0].turn.elapsed_ms == limit_of(evening, "2")
    assert seen[0].bank.corrected == bank - 1
    assert len([one for one in desk.facts(evening.boxes["2"]) if one.kind == k.TIME_RAN_OUT]) == 0
    assert list(eventlog.problems(read(evening.event.ledger))) == []


def test_the_box_before_may_come_back_and_tell_what_it_kept_without_a_second_penalty(evening: Evening) -> None:
    """It ran out of time where nobody heard it."""
    desk = started(evening, 6)
    evening.run(1_000)
    desk.adapter.set_reach(evening.boxes["1"].uid, False)
    evening.run(limit_of(evening, "1") + 4_000)
    evening.boxes["1"].power_off()
    replace(evening)
    spare = evening.clock_of("2")
    desk.ask("2", "set_remaining", ms=0)
    desk.ask("2", "resume")
    evening.tap("2", 2 * spare.next_seat() + 1)
    evening.run()
    one_before = [one.current for one in cases(read(evening.event.ledger), evening.event.state())]
    evening.boxes["1"].power_on()
    desk.adapter.set_reach(evening.boxes["1"].uid, True)
    evening.run(60_000)

    current = [
        one.current for one in cases(read(evening.event.ledger), evening.event.state()) if one.current is not None
    ]

    assert len(one_before) == 1
    assert [(one.by, one.tiles) for one in current if one.move == 7] == [("table", 1)]


def test_a_final_lap_goes_on_at_the_spare_and_ends_the_game_by_itself(evening: Evening) -> None:
    desk = started(evening, 5)
    desk.ask("1", "final_lap", reason="round_time")
    evening.play("1", 3)  # the running move, and two of the lap
    left = evening.clock_of("1").lap_mask
    dies(evening)
    replace(evening)
    spare = evening.clock_of("2")
    assert (spare.lap_reason, spare.lap_mask, spare.lap_waits) == (k.ROUND_TIME, left, False)

    desk.ask("2", "resume")
    evening.play("2", 2)
    evening.run()

    assert spare.state == k.OVER
    state = evening.event.state()
    assert state.current is not None
    (game,) = games_of_round(read(evening.event.ledger), state, state.current.key).values()
    assert (game.ended, len(game.before)) == ("round_time", 1)
    assert desk.results("take_over") == [APPLIED]


def test_a_tile_that_was_drawn_before_the_box_died_is_not_drawn_again(evening: Evening) -> None:
    desk = started(evening, 6)
    evening.tap("1", k.KOSTKA)
    evening.run(1_000)
    bank = evening.clock_of("1").bank
    dies(evening)
    replace(evening)
    desk.ask("2", "resume")
    spare = evening.clock_of("2")
    evening.tap("2", 2 * spare.seat + 1)
    evening.run()

    seen = next(one for one in eventlog.turns(read(evening.event.ledger)) if one.turn.move == 7)

    assert (spare.bank, spare.move) == (bank, 8)
    assert (seen.turn.how, seen.turn.tiles, seen.turn.drawn) == ("dalej", 1, True)


def test_a_game_that_is_begun_anew_takes_the_turns_of_the_one_that_was_broken_off_with_it(evening: Evening) -> None:
    desk = started(evening, 3)
    evening.run(limit_of(evening, "1") + 4_000)
    dies(evening)
    evening.boxes["2"].power_on()
    evening.put("2", 1, goes_on=False)
    evening.run()
    evening.play("2", 2)
    evening.run()

    seen = [(one.turn.move, one.turn.void) for one in eventlog.turns(read(evening.event.ledger))]

    assert seen == [(1, True), (2, True), (3, True), (4, True), (1, False), (2, False), (3, False)]
    assert [one.current for one in cases(read(evening.event.ledger), evening.event.state())] == [None]
    assert not desk.requests("take_over")


def test_a_spare_in_a_game_that_a_restored_copy_knows_nothing_of_is_not_ended_when_it_is_given_again(
    evening: Evening,
) -> None:
    first = started(evening, 3)
    dies(evening)
    evening.run()
    copy = evening.folder / "copy.dalej"
    first.ledger.backup(copy)
    replace(evening)
    first.ask("2", "resume")
    evening.play("2", 2)
    first.close()

    restored = evening.start(copy, desk_id=815)
    evening.put("2", 1, ledger=restored.ledger)
    evening.run(2 * SOON_MS)

    assert evening.clock_of("2").state == k.RUNNING
    assert not restored.requests("end_game")
    (said,) = restored.said("busy")
    assert "give it to the table anew, with all that it holds" in said
    (hint,) = restored.hints("busy")
    assert hint.endswith("1 --all-facts counts what it holds")

    evening.put("2", 1, since=boxplaces.ALL, ledger=restored.ledger)
    evening.run()
    assert evening.clock_of("2").state in (k.RUNNING, k.EXPIRED)
    assert eventlog.turns(read(restored.ledger))[-1].turn.move >= 6
