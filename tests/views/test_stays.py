"""What a box did before it stood at a table does not show there, and the table where it was done keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from dalej.domain.game.facts import Fact
from dalej.domain.game.heard import Way
from dalej.event.boxplaces import STAND
from dalej.event.ledger import ASSIGN, Baseline, Decision, Reported, body_of
from dalej.views.hall import HallModel
from dalej.views.rows import Row
from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.begun import OTHER
from tests.domain.tables import BOX, DOINGS, EPOCH, GAPS, A, PlayedTable, do
from tests.views.writing import FOREST, HOUR_MS, NOON, RULES, START, Written, heard, running

BIRDS = {"A": "Bocian", "B": "Żuraw", "C": "Dudek", "D": "Czapla"}


def playing(table: PlayedTable, moves: int = 2) -> PlayedTable:
    for _ in range(moves):
        table.wait(5_000)
        table.press(2 * table.clock.seat + 1)
    table.wait(3_000)
    return table


def disputing() -> PlayedTable:
    table = playing(running())
    table.press(k.SEDZIA)
    return table


def set_up(table: PlayedTable) -> None:
    """The box plays something else: its game is ended, the next one dealt, and its first moves are made."""
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_END_GAME)
    table.order(k.C_NEXT_GAME)
    table.wait(1_000)
    table.press(2 * table.clock.starter)
    playing(table)


def meant(ledger: Written, number: int, box: str = BOX) -> Decision:
    return ledger.decide(STAND, {"table": number, "box": box, "from": "now", "goes_on": True, "name": ""})


def met(ledger: Written, number: int, table: PlayedTable, **position: int) -> Decision:
    """The box was given to the table, and a desk meets it there when it has told everything."""
    decided = meant(ledger, number, table.box)
    ledger.decide(ASSIGN, body_of(Baseline(number, table.box, EPOCH, len(table.facts), **position)))
    return decided


def moved(table: PlayedTable) -> tuple[Written, HallModel]:
    """The box has played at table 3, and stands on table 5 now, where others sit."""
    ledger = Written()
    ledger.assign(3)
    ledger.seat(3, FOREST)
    ledger.seat(5, BIRDS)
    ledger.facts(table.facts)
    met(ledger, 5, table)
    return ledger, ledger.model()


def expect_not_set_up(row: Row) -> None:
    assert (row.state, row.reason, row.seat, row.name) == ("idle", None, k.NOBODY, "")
    assert (row.game, row.move, row.bank, row.left_ms, row.limit_ms) == (0, 0, None, None, None)
    assert (row.seats, row.out, row.penalties, row.final_lap, row.moves_on) == (0, 0, (0, 0, 0, 0), False, False)


def asks(row: Row) -> list[tuple[str, int, int]]:
    return [(alert.kind, alert.seat, alert.move) for alert in row.alerts if alert.kind != "silent"]


def test_the_game_of_the_table_before_does_not_show_under_the_names_of_the_new_players() -> None:
    table = playing(running())
    _, model = moved(table)

    row = model.row(5, NOON)

    expect_not_set_up(row)
    assert (row.box, row.names, row.alerts) == (BOX, tuple(BIRDS.values()), ())
    assert model.turns(5) == []
    assert [(seen.turn.move, seen.name) for seen in model.turns(3)] == [(1, "Lis"), (2, "Sowa"), (3, "Żuraw")]


def test_what_the_box_still_says_of_the_game_before_does_not_show_either() -> None:
    table = playing(running())
    _, model = moved(table)
    model.pulse(START, NOON)
    ways: tuple[Way, ...] = ("link", "advert")
    for way in ways:
        model.heard(heard(table, START, 5, way=way))

        row = model.row(5, START)

        expect_not_set_up(row)
        assert (row.way, row.stale, row.lag, row.alerts) == (way, False, 0, ())


def test_facts_that_the_box_has_not_sent_yet_are_said_and_nothing_else_of_them() -> None:
    table = playing(running())
    _, model = moved(table)
    table.order(k.C_STOP, k.REFEREE)
    model.pulse(START, NOON)
    model.heard(heard(table, START, 5))

    row = model.row(5, START)

    expect_not_set_up(row)
    assert row.lag == 2


def test_a_box_that_is_switched_off_to_be_carried_waits_for_nobody_at_the_new_table() -> None:
    table = playing(running())
    ledger, model = moved(table)
    table.cut_power()

    for reported in ledger.facts(table.facts):
        model.entry(reported)

    expect_not_set_up(model.row(5, NOON))
    assert asks(model.row(5, NOON)) == []


def test_a_clock_that_runs_out_on_the_way_is_no_time_out_of_the_new_table() -> None:
    table = playing(running())
    ledger, model = moved(table)
    table.wait(HOUR_MS)

    for reported in ledger.facts(table.facts):
        model.entry(reported)

    assert table.facts[-1].seq > 0
    expect_not_set_up(model.row(5, NOON))
    assert asks(model.row(5, NOON)) == []


def test_a_call_that_was_open_when_the_box_was_carried_away_waits_at_neither_table() -> None:
    table = disputing()
    _, model = moved(table)
    alone = Written()
    alone.assign(3)
    alone.facts(table.facts)
    assert asks(alone.model().row(3, NOON)) != []

    assert asks(model.row(5, NOON)) == []
    assert asks(model.row(3, NOON)) == [], "nobody can answer it there, the box is gone"
    assert [seen.turn.move for seen in model.turns(3) if "dispute" in seen.turn.flags] == [2], "and it is on record"


def test_who_calls_at_the_new_table_is_heard_though_a_call_of_the_table_before_is_open() -> None:
    table = playing(running())
    table.facts.append(Fact(BOX, EPOCH, len(table.facts) + 1, 1, table.now, k.REFEREE_CALLED, 1, 3, 2))
    ledger, model = moved(table)
    table.wait(5_000)
    table.facts.append(Fact(BOX, EPOCH, len(table.facts) + 1, 1, table.now, k.REFEREE_CALLED, 1, 3, 2))

    for reported in ledger.facts(table.facts):
        model.entry(reported)

    assert asks(model.row(5, NOON)) == [("referee", k.NOBODY, 0)], (
        "and nobody is said to be in the move of a game there"
    )
    expect_not_set_up(model.row(5, NOON))


def test_as_soon_as_the_box_is_set_up_there_it_shows_the_new_game() -> None:
    table = playing(running())
    ledger, model = moved(table)
    set_up(table)

    touched = {one for reported in ledger.facts(table.facts) for one in model.entry(reported)}

    row = model.row(5, NOON)
    assert touched == {3, 5}, "the move that was under way at the table before is over"
    assert (row.state, row.game, row.move, row.seat) == ("running", 2, 3, table.clock.seat)
    assert row.name == tuple(BIRDS.values())[row.seat]
    assert [seen.turn.game for seen in model.turns(5)] == [2, 2, 2]
    assert {seen.turn.game for seen in model.turns(3)} == {1}


def test_a_game_that_goes_on_at_the_new_table_shows_there() -> None:
    table = playing(running())
    ledger, model = moved(table)
    playing(table, 1)

    for reported in ledger.facts(table.facts):
        model.entry(reported)

    row = model.row(5, NOON)
    assert (row.state, row.game, row.move, row.seat) == ("running", 1, 4, table.clock.seat)


def test_a_box_that_is_carried_away_and_back_shows_the_game_it_is_still_in() -> None:
    table = playing(running())
    ledger, model = moved(table)
    before = [seen.turn for seen in model.turns(3)]
    playing(table, 1)  # nobody had carried it anywhere: a slip of the finger
    ledger.facts(table.facts)
    met(ledger, 3, table)

    row = ledger.model().row(3, NOON)

    assert (row.state, row.game, row.move, row.seat) == ("running", 1, 4, table.clock.seat)
    assert (row.bank, row.seats, row.limit_ms) == (table.clock.bank, 15, 40_000)
    assert [seen.turn for seen in ledger.model().turns(3)][:2] == before[:2]


def test_a_box_that_comes_back_from_another_game_is_not_set_up() -> None:
    table = playing(running())
    ledger, _ = moved(table)
    set_up(table)
    ledger.facts(table.facts)
    met(ledger, 3, table)
    model = ledger.model()

    expect_not_set_up(model.row(3, NOON))
    assert {seen.turn.game for seen in model.turns(3)} == {1}
    assert {seen.turn.game for seen in model.turns(5)} == {2}


def test_a_move_of_a_box_that_is_undone_shows_its_game_again_at_once() -> None:
    table, ledger = playing(running()), Written()
    met(ledger, 3, running())
    ledger.entries.pop()
    ledger.assign(3)
    ledger.facts(table.facts)
    slip = met(ledger, 5, table)
    model = ledger.model()
    expect_not_set_up(model.row(5, NOON))

    model.entry(ledger.revoke(slip))

    row = model.row(3, NOON)
    assert (row.state, row.game, row.move) == ("running", 1, 3)


def test_a_box_that_nobody_has_met_at_its_new_table_yet_is_not_set_up_there() -> None:
    table, ledger = playing(running()), Written()
    ledger.assign(3)
    ledger.facts(table.facts)
    meant(ledger, 5)

    expect_not_set_up(ledger.model().row(5, NOON))


def test_with_all_its_facts_a_box_shows_everything_at_its_table() -> None:
    table = playing(running())
    ledger, model = moved(table)

    model.entry(ledger.assign(5, seq=0))

    row = model.row(5, NOON)
    assert (row.state, row.game, row.move, row.seat) == ("running", 1, 3, table.clock.seat)
    assert [seen.turn.move for seen in model.turns(5)] == [1, 2, 3]
    assert model.turns(3) == []


def test_a_box_of_another_evening_is_not_set_up_whatever_it_says_of_itself() -> None:
    table, ledger = playing(running()), Written()
    meant(ledger, 5)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START, 5))
    expect_not_set_up(model.row(5, START))

    model.entry(ledger.assign(5, seq=len(table.facts)))

    expect_not_set_up(model.row(5, START))
    assert (model.row(5, START).lag, model.row(5, START).alerts) == (0, ())


def test_a_spare_box_shows_where_it_is_to_go_on_and_then_how_it_does() -> None:
    ledger, dead = Written(), playing(running())
    ledger.assign(4)
    ledger.seat(4, FOREST)
    ledger.facts(dead.facts)
    spare = PlayedTable(dead.clock.settings, box=OTHER)
    met(ledger, 4, spare, game=1, move=3, seat=2, remaining_ms=37_000, bank=60)
    model = ledger.model()

    row = model.row(4, NOON)
    assert (row.box, row.state, row.game, row.move, row.seat, row.name) == (OTHER, "stopped", 1, 3, 2, "Żuraw")
    assert (row.left_ms, row.bank, row.moves_on) == (37_000, 60, False)
    assert asks(row) == []

    spare.clock.prepare(spare.now, 1, A, k.DESK)
    assert spare.order(k.C_TAKE_OVER, 1, 3, 2, 37_000, 60, 0) == 0
    for reported in ledger.facts(spare.facts):
        model.entry(reported)
    row = model.row(4, NOON)
    assert (row.state, row.game, row.move, row.seat, row.left_ms, row.bank) == ("stopped", 1, 3, 2, 37_000, 60)


def test_a_mended_box_does_not_bring_back_the_game_that_a_spare_one_ended() -> None:
    ledger, mended = Written(), playing(running())
    met(ledger, 4, mended)
    ledger.entries.pop()
    ledger.assign(4)
    ledger.facts(mended.facts)
    spare = running(box=OTHER)
    ledger.decide(STAND, {"table": 4, "box": OTHER, "from": "now", "goes_on": True, "name": ""})
    ledger.assign(4, OTHER)
    ledger.facts(playing(spare).facts)
    mended.cut_power()
    ledger.facts(mended.facts)
    met(ledger, 4, mended)

    row = ledger.model().row(4, NOON)

    expect_not_set_up(row)
    assert (row.box, asks(row)) == (BOX, [])


def test_a_fact_that_a_box_owed_to_the_table_before_is_told_to_that_table() -> None:
    table = playing(running())
    late, owed = table.facts[-1], table.facts[:-1]
    ledger = Written()
    ledger.assign(3)
    ledger.seat(3, FOREST)
    ledger.facts(owed)
    met(ledger, 5, table)
    model = ledger.model()
    before = len(model.turns(3))

    (reported,) = ledger.facts([late])

    assert model.entry(reported) == {3, 5}
    assert len(model.turns(3)) == before + 1


# --- whatever happens -----


def shown(row: Row) -> tuple[object, ...]:
    return (
        row.state, row.reason, row.seat, row.name, row.left_ms, row.limit_ms, row.game, row.move, row.bank, row.seats,
        row.out, row.final_lap, row.lag, sorted(map(repr, row.alerts)),
    )  # fmt: skip


def counts_after(facts: Sequence[Fact], assigned: Sequence[tuple[int, int]]) -> int:
    """After which fact those begin that the box's table is shown by, told as plainly as can be: `assigned` are
    (table, seq), oldest first.
    """

    def by(seq: int) -> tuple[int, int]:
        return next(((number, since) for number, since in reversed(assigned) if since < seq), (0, 0))

    here, latest = assigned[-1]
    dealt = [one.seq for one in facts if one.kind in (k.CONFIGURED, k.GAME_REDEALT) or (one.kind == 1 and not one.game)]
    if dealt and by(dealt[-1])[0] == here:
        return by(dealt[-1])[1]
    return latest


steps = st.lists(
    st.one_of(st.tuples(GAPS, DOINGS, st.integers(0, 7)), st.tuples(st.just(0), st.just("move"), st.integers(1, 3))),
    max_size=60,
)


@example(steps=[(0, "move", 2), (0, "cut_power", 0), (0, "resume", 0)], shuffled=Random(1), is_live=False)
@given(steps=steps, shuffled=st.randoms(use_true_random=False), is_live=st.booleans())
def test_a_table_shows_what_a_fold_over_the_facts_that_count_there_shows(
    steps: list[tuple[int, str, int]], shuffled: Random, is_live: bool
) -> None:
    table, ledger = running(rules.DRAW_OFF), Written()
    assigned = [(1, 0)]
    ledger.assign(1)
    ledger.facts(table.facts)
    follows = ledger.model()
    for gap, doing, number in steps:
        if doing == "move":
            follows.entry(ledger.assign(number, seq=len(table.facts)))
            assigned.append((number, len(table.facts)))
        else:
            table.wait(gap)
            boot, wall_ms = table.boot, ledger.wall_ms(table)
            do(table, doing, number)
            if table.boot != boot:
                ledger.began[table.box, table.boot] = wall_ms
            for reported in ledger.facts(table.facts):
                follows.entry(reported)
        follows.rows(NOON)  # somebody looks at it all the time
    here = assigned[-1][0]
    since = counts_after(table.facts, assigned)
    counting = [one for one in ledger.entries if isinstance(one, Reported) and one.fact.seq > since]
    alone = HallModel(RULES)
    alone.entry(Written().assign(here))
    for reported in counting:
        alone.entry(reported)
    if is_live:
        for model in (follows, alone):
            model.pulse(START, ledger.wall_ms(table))
            model.heard(heard(table, START, here))

    now = START if is_live else ledger.wall_ms(table)
    row = follows.row(here, now)
    begun = since == 0 or any(
        one.fact.kind
        in (k.CONFIGURED, k.GAME_REDEALT, k.GAME_STARTED, k.MOVE_STARTED, k.CLOCK_RESUMED, k.GAME_REOPENED)
        for one in counting
    )
    if begun:
        assert shown(row) == shown(alone.row(here, now))
    else:
        expect_not_set_up(row)
        assert {alert.kind for alert in row.alerts} <= {"referee", "dispute"}

    anew = HallModel(RULES)
    for entry in ledger.entries:
        if isinstance(entry, Decision):
            anew.entry(entry)
    late = [one for one in ledger.entries if isinstance(one, Reported)]
    shuffled.shuffle(late)
    for reported in late:
        anew.entry(reported)
    ledger_only = ledger.model()
    assert anew.rows(NOON) == ledger_only.rows(NOON)
    assert all(anew.turns(number) == ledger_only.turns(number) for number in anew.tables())


happenings = st.lists(
    st.tuples(st.sampled_from(["play", "play", "play", "set up", "stand", "meet", "undo"]), st.integers(0, 1),
              st.integers(1, 3)),
    max_size=40,
)  # fmt: skip


@given(happenings=happenings)
def test_whoever_watched_it_all_sees_what_somebody_sees_who_comes_now(
    happenings: list[tuple[str, int, int]],
) -> None:
    ledger, follows = Written(), HallModel(RULES)
    tables = [running(), running(box=OTHER)]
    stands: list[Decision] = []
    for what, which, number in happenings:
        table, before = tables[which], len(ledger.entries)
        if what == "play":
            playing(table, 1)
        elif what == "set up":
            set_up(table)
        elif what == "stand":
            stands.append(meant(ledger, number, table.box))
        elif what == "meet":
            ledger.facts(table.facts)
            ledger.assign(number, table.box, seq=len(table.facts))
        elif stands:
            ledger.revoke(stands.pop())
        if number > 1:
            ledger.facts(table.facts)
        for entry in ledger.entries[before:]:
            follows.entry(entry)
        follows.rows(NOON)
        for seen in follows.tables():
            follows.turns(seen)

    now = ledger.model()

    assert follows.rows(NOON) == now.rows(NOON)
    assert [follows.turns(number) for number in now.tables()] == [now.turns(number) for number in now.tables()]
