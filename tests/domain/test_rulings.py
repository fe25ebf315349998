"""Rulings at a time-out, clause by clause; and that they can be neither lost nor doubled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.commands import MidGame
from dalej.domain.game.facts import Fact
from dalej.domain.game.rulings import FactKey, Ruling, Rulings, Told, by_fact, games_ruled, rulings
from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import Damaged
from dalej.rulesets import rulebook
from moveclock import facts as k
from tests.domain.referee import Decided, key, only, ruled
from tests.domain.tables import A, B, Journal, played

SCHOOL = rulebook.load("school-league")
POLAND = rulebook.load("pl-championship")
ITALY = rulebook.load("it-classic")


# --- the default ----------------------------------------------------------------------------------------------------


def test_6h_an_unfinished_move_counts_as_undone_and_costs_one_tile_until_somebody_rules() -> None:
    journal = Journal()
    late = journal.time_out(B, move=2, start=10_000)
    ruling = only(rulings(journal.facts, SCHOOL))
    assert ruling == Ruling("undone", key(late), 1, 2, B, 1, True, "6h", "default")
    assert ruling.fields() == {
        "ruling": "undone", "of_seq": late.seq, "game": 1, "move": 2, "seat": "B", "tiles": 1, "provisional": True,
        "clause": "6h", "by": "default",
    }  # fmt: skip


def test_6h_who_drew_a_tile_only_forgot_to_click() -> None:
    journal = Journal()
    journal.time_out(B, move=2, start=10_000, drawn=1)
    ruling = only(rulings(journal.facts, SCHOOL))
    assert (ruling.ruling, ruling.tiles, ruling.provisional) == ("stands", 0, True)


def test_limit_czasu_the_polish_championship_cites_its_own_clause() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    ruling = only(rulings(journal.facts, POLAND))
    assert (ruling.ruling, ruling.tiles, ruling.clause) == ("undone", 1, "LIMIT CZASU")


def test_tempo_limite_the_player_takes_what_is_not_in_a_valid_set_and_nobody_has_counted_it_yet() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    ruling = only(rulings(journal.facts, ITALY))
    assert (ruling.ruling, ruling.tiles, ruling.clause) == ("takes_invalid", None, "Tempo limite")


@pytest.mark.parametrize(
    ("drawn", "clause"), [(0, "what is not finished"), (1, "who only forgot to click")], ids=["nothing", "a tile"]
)
def test_a_regulation_may_say_in_one_clause_what_is_undone_and_in_another_who_only_forgot_to_click(
    drawn: int, clause: str
) -> None:
    clauses = {"default_ruling": "what is not finished", "default_ruling_drawn": "who only forgot to click"}
    rules = tuple(replace(rule, clause=clauses.get(rule.key, rule.clause)) for rule in SCHOOL.rules)
    journal = Journal()
    journal.time_out(B, move=2, start=10_000, drawn=drawn)

    assert only(rulings(journal.facts, replace(SCHOOL, rules=rules))).clause == clause


@pytest.mark.parametrize(
    ("before", "bank", "cost"),
    [
        (MidGame(late=True), 12, ("undone", 1)),
        (MidGame(late=True), 0, ("undone", 0)),
        (MidGame(late=True, penalty=True), 0, ("undone", 1)),
        (MidGame(late=True, drawn=True), 12, ("stands", 0)),
        (MidGame(late=True, drawn=True, lap_reason=k.ROUND_TIME, lap_mask=0b0011), 12, ("stands", 0)),
    ],
)
def test_6h_a_move_that_was_late_at_a_box_nobody_heard_is_ruled_by_what_the_spare_was_told(
    before: MidGame, bank: int, cost: tuple[str, int]
) -> None:
    spare = Journal()
    spare.write(k.CONFIGURED, 0, 0, A, k.DESK, 40_000, 0b1111, bank)
    taken = spare.write(k.MOVE_STARTED, 0, 7, B, code=1, b=before.number, c=bank)

    ruling = only(rulings(spare.facts, SCHOOL))

    assert (ruling.of, ruling.seat, ruling.by) == (key(taken), B, "default")
    assert (ruling.ruling, ruling.tiles) == cost


@pytest.mark.parametrize(("bank", "tiles"), [(50, 1), (1, 1), (0, 0)])
def test_never_more_tiles_than_the_bank_holds(bank: int, tiles: int) -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0, bank=bank)
    assert only(rulings(journal.facts, SCHOOL)).tiles == tiles


# --- the table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("verdict", "tiles", "ruling"), [(k.STANDS, 0, "stands"), (k.UNDONE, 1, "undone")])
def test_the_tables_verdict_replaces_the_default(verdict: int, tiles: int, ruling: str) -> None:
    journal = Journal()
    late = journal.time_out(B, move=1, start=0)
    fold = Rulings(SCHOOL)
    for fact in journal.facts:
        fold.add(fact)
    new = fold.add(journal.write(k.TABLE_RESTORED, 45_000, 1, B, verdict, 5_000, tiles, 49))
    assert only(new) == Ruling(only(new).ruling, key(late), 1, 1, B, tiles, False, "6h", "table")
    assert only(new).ruling == ruling
    assert [(one.ruling, one.standing) for one in fold.history()] == [("undone", "replaced"), (ruling, "current")]


def test_an_undone_move_whose_tile_was_drawn_before_costs_no_second_one() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0, drawn=1)
    journal.write(k.TABLE_RESTORED, 45_000, 1, A, k.UNDONE, 5_000, 0, 49)
    assert only(rulings(journal.facts, SCHOOL)).tiles == 0


def test_a_table_that_does_not_wait_leaves_the_default_standing() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.play(B, 2, 50_000, 7_000, k.BY_JUZ)
    assert only(rulings(journal.facts, SCHOOL)).provisional


def test_a_verdict_whose_time_out_is_lost_still_costs_its_tile_once() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    verdict = journal.write(k.TABLE_RESTORED, 45_000, 1, A, k.UNDONE, 5_000, 1, 49)
    fold = Rulings(SCHOOL)
    fold.add(verdict)
    assert (only(fold.current()).of, only(fold.current()).tiles) == (key(verdict), 1)
    for fact in journal.facts:  # the box sends them again after all
        fold.add(fact)
    assert (only(fold.current()).of, only(fold.current()).tiles) == (key(late), 1)


# --- the referee ----------------------------------------------------------------------------------------------------


def test_6s_the_referee_overrules_table_and_default() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    journal.write(k.TABLE_RESTORED, 45_000, 1, A, k.STANDS, 5_000, 0, 50)
    ruling = only(rulings(journal.facts, SCHOOL, [ruled(9, late, "takes_invalid", 5)]))
    assert (ruling.ruling, ruling.tiles, ruling.by, ruling.decision) == ("takes_invalid", 5, "referee", 9)
    assert not ruling.provisional


@pytest.mark.parametrize(
    ("rules", "seen", "clause"),
    [
        (SCHOOL, {}, "6h"), (SCHOOL, {"seen": "touched"}, "6k"), (SCHOOL, {"seen": "nothing_laid"}, "6h"),
        (POLAND, {"seen": "touched"}, "LIMIT CZASU"), (POLAND, {"seen": "nothing_laid"}, "MANIPULACJE"),
        (ITALY, {"seen": "nothing_laid"}, "Gioco"),
    ],
)  # fmt: skip
def test_a_ruling_cites_the_clause_on_what_the_referee_saw(
    rules: Ruleset, seen: dict[str, object], clause: str
) -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    decision = Decided(9, {"of": list(key(late)), "ruling": "undone", "tiles": 2, **seen})

    ruling = only(rulings(journal.facts, rules, [decision]))

    assert ruling == Ruling("undone", key(late), 1, 1, A, 2, False, clause, "referee", 9)


def test_a_ruling_is_found_under_every_fact_that_tells_of_its_time_out() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    verdict = journal.write(k.TABLE_RESTORED, 45_000, 1, A, k.UNDONE, 5_000, 1, 49)

    found = by_fact(rulings(journal.facts, SCHOOL, [ruled(9, late, "stands", 0)]))

    assert {of: (one.decision, one.of) for of, one in found.items()} == {
        key(late): (9, key(late)), key(verdict): (9, key(late))
    }  # fmt: skip


def test_of_a_fact_that_is_no_time_out_there_is_no_history() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    fold = Rulings(SCHOOL)
    for fact in journal.facts:
        fold.add(fact)

    assert [one.of for one in fold.history(key(late))] == [key(late)]
    assert fold.history(key(journal.facts[0])) == []


def test_a_count_that_comes_later_replaces_the_unknown_one() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    decisions = [ruled(1, late, "takes_invalid", None), ruled(2, late, "takes_invalid", 4)]
    assert only(rulings(journal.facts, ITALY, decisions[:1])).tiles is None
    assert only(rulings(journal.facts, ITALY, decisions)).tiles == 4


def test_a_revoked_ruling_gives_way_to_the_one_before_and_stays_visible() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    fold = Rulings(SCHOOL)
    for fact in journal.facts:
        fold.add(fact)
    fold.decide(ruled(1, late, "stands", 0))
    fold.decide(ruled(2, late, "takes_invalid", 3))
    assert only(fold.decide(Decided(3, kind="revoke", revokes=2))).ruling == "stands"
    assert only(fold.decide(Decided(4, kind="revoke", revokes=1))).by == "default"
    assert [(one.decision, one.standing) for one in fold.history(key(late))] == [
        (None, "current"), (1, "revoked"), (2, "revoked"),
    ]  # fmt: skip


def test_a_decision_read_with_its_revocation_already_known_does_not_hold() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    decision = replace(ruled(1, late, "stands", 0), revoked_by=2)
    assert only(rulings(journal.facts, SCHOOL, [decision])).by == "default"


def test_a_decision_that_comes_before_its_fact_holds_when_the_fact_arrives() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    fold = Rulings(SCHOOL)
    assert fold.decide(ruled(1, late, "stands", 0)) == []
    for fact in journal.facts:
        fold.add(fact)
    assert only(fold.current()).by == "referee"


def test_a_ruling_made_when_only_the_verdict_was_known_holds_when_the_time_out_arrives() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    verdict = journal.write(k.TABLE_RESTORED, 45_000, 1, A, k.UNDONE, 5_000, 1, 49)
    fold = Rulings(SCHOOL)
    fold.add(verdict)
    fold.decide(ruled(1, verdict, "stands", 0))
    for fact in journal.facts:
        fold.add(fact)
    assert (only(fold.current()).of, only(fold.current()).decision) == (key(late), 1)


def test_decisions_of_other_kinds_are_none_of_its_business() -> None:
    assert Rulings(SCHOOL).decide(Decided(1, {"box": "x"}, kind="assign")) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"of": ["box", 1], "ruling": "stands", "tiles": 0},
        {"of": ["box", "1", 1], "ruling": "stands", "tiles": 0},
        {"of": ["box", 1, "1"], "ruling": "stands", "tiles": 0},
        {"of": ["box", 1, 1], "ruling": "forgiven", "tiles": 0},
        {"of": ["box", 1, 1], "ruling": "undone", "tiles": -1},
        {"of": ["box", 1, 1], "ruling": "undone", "tiles": "1"},
        {"of": "box", "ruling": "undone", "tiles": 1},
    ],
)
def test_a_stored_ruling_that_says_nothing_is_damage_and_not_a_guess(body: Mapping[str, object]) -> None:
    sentence = f"decision 4 is not a ruling, expected of, ruling and tiles, found {body}"
    with pytest.raises(Damaged, match=f"^{re.escape(sentence)}$"):
        Rulings(SCHOOL).decide(Decided(4, body))


# --- rulings that come before their facts ---------------------------------------------------------------------------


def ruled_ahead(
    cursor: int, head: Fact, ruling: str, tiles: int | None = 0, *, usual: bool = False, when_ms: int = 0
) -> Decided:
    """What a referee ruled when the box was known to have no more than that fact."""
    body = {"of": list(key(head)), "ruling": ruling, "tiles": tiles, "open": True, "usual": usual}
    return Decided(cursor, body, when_ms=when_ms)


def test_a_ruling_made_ahead_waits_until_all_is_told_that_its_box_had_then() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    head = journal.write(k.REFEREE_CALLED, 42_000, 1, A)
    fold = Rulings(SCHOOL)
    fold.decide(ruled_ahead(9, head, "stands"))

    for fact in journal.facts[:-1]:
        fold.add(fact)
    assert (fold.ahead(9), only(fold.current()).by) == ("waits", "default")

    assert only(fold.add(head)) == Ruling("stands", key(late), 1, 1, A, 0, False, "6h", "referee", 9)
    assert fold.ahead(9) == "holds"


@pytest.mark.parametrize(("last", "becomes"), [("time-out", "holds"), ("verdict", "astray"), ("next move", "astray")])
def test_a_ruling_made_ahead_is_tied_to_the_time_out_that_was_open_at_the_last_fact_the_box_had(
    last: str, becomes: str
) -> None:
    journal = Journal()
    heads = {"time-out": journal.time_out(A, move=1, start=0)}
    heads["verdict"] = journal.write(k.TABLE_RESTORED, 45_000, 1, A, k.UNDONE, 5_000, 1, 49)
    heads["next move"] = journal.write(k.MOVE_STARTED, 45_000, 2, B, a=40_000, c=49)
    fold = Rulings(SCHOOL)
    fold.decide(ruled_ahead(9, heads[last], "undone", 1))

    for fact in journal.facts:
        fold.add(fact)

    assert fold.ahead(9) == becomes
    assert only(fold.current()).by == ("referee" if becomes == "holds" else "table")


def test_a_ruling_made_ahead_at_the_spare_is_tied_to_the_time_out_it_took_over() -> None:
    spare = Journal()
    spare.write(k.CONFIGURED, 0, 0, A, k.DESK, 40_000, 0b1111, 12)
    taken = spare.write(k.MOVE_STARTED, 0, 7, B, code=1, b=MidGame(late=True).number, c=12)
    fold = Rulings(SCHOOL)
    fold.decide(ruled_ahead(9, taken, "stands"))

    for fact in spare.facts:
        fold.add(fact)

    assert (fold.ahead(9), only(fold.current()).decision) == ("holds", 9)


def test_a_fact_that_comes_late_may_show_that_the_time_out_was_closed_when_it_was_ruled_on() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    closes = journal.write(k.MOVE_STARTED, 50_000, 2, B, a=40_000, c=50)
    head = journal.write(k.REFEREE_CALLED, 52_000, 2, B)
    fold = Rulings(SCHOOL)
    fold.decide(ruled_ahead(9, head, "stands"))
    for fact in journal.facts:
        if fact is not closes:
            fold.add(fact)
    before = only(fold.current())

    changed = only(fold.add(closes))

    assert (before.decision, changed.by, fold.ahead(9)) == (9, "default", "astray")
    assert only(fold.current()) == changed


def test_a_ruling_on_the_first_fact_of_a_journal_is_astray_as_soon_as_that_is_told() -> None:
    journal = Journal()
    booted = journal.write(k.BOOTED, 0, 0)
    fold = Rulings(SCHOOL)
    fold.decide(ruled_ahead(9, booted, "stands"))

    before = fold.ahead(9)
    fold.add(booted)

    assert (before, fold.ahead(9)) == ("waits", "astray")


@pytest.mark.parametrize(("ruled_ms", "holds"), [(999, "referee"), (1_000, "referee"), (1_001, "table")])
def test_the_table_overtakes_a_ruling_made_ahead_only_if_it_had_spoken_before(ruled_ms: int, holds: str) -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    fold = Rulings(SCHOOL)
    for fact in journal.facts:
        fold.add(fact)
    fold.add(journal.write(k.TABLE_RESTORED, 45_000, 1, A, k.STANDS, 5_000, 0, 50), wall_ms=1_000)
    fold.decide(ruled_ahead(9, late, "undone", 1, when_ms=ruled_ms))

    (game,) = games_ruled(Told(0, part, fold) for part in fold.parts())

    assert only(fold.current()).by == only(game.current()).by == holds
    assert fold.ahead(9) == ("holds" if holds == "referee" else "overtaken")


@pytest.mark.parametrize(("bank", "usual", "tiles"), [(50, True, 1), (0, True, 0), (0, False, 1)])
def test_the_usual_tile_of_a_ruling_made_ahead_is_none_where_the_bank_was_empty(
    bank: int, usual: bool, tiles: int
) -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0, bank=bank)
    fold = Rulings(SCHOOL)
    for fact in journal.facts:
        fold.add(fact)
    fold.decide(ruled_ahead(9, late, "undone", 1, usual=usual))

    (game,) = games_ruled(Told(0, part, fold) for part in fold.parts())

    assert only(fold.current()).tiles == only(game.current()).tiles == tiles


# --- moves that go on, games that go on, games dealt anew -----------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "remaining"), [(k.MOVE_RESTARTED, 40_000), (k.TIME_CORRECTED, 1), (k.EXTRA_TIME_GIVEN, 5_000)]
)
def test_a_time_out_lapses_when_the_referee_lets_the_move_go_on(kind: int, remaining: int) -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.write(k.CLOCK_STOPPED, 42_000, 1, A, k.REFEREE)
    journal.write(kind, 60_000, 1, A, a=remaining)
    fold = Rulings(SCHOOL)
    for fact in journal.facts:
        fold.add(fact)
    assert fold.current() == []
    assert [one.standing for one in fold.history()] == ["lapsed"]


def test_a_move_that_went_on_and_ran_out_again_is_ruled_on_once() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.write(k.EXTRA_TIME_GIVEN, 60_000, 1, A, a=5_000, b=5_000)
    again = journal.write(k.TIME_RAN_OUT, 70_000, 1, A, a=45_000, c=50)
    assert only(rulings(journal.facts, SCHOOL)).of == key(again)


@pytest.mark.parametrize(
    ("how", "remaining", "standing"),
    [(k.SAME_SEAT, 1, "lapsed"), (k.SAME_SEAT, 0, "current"), (k.NEXT_SEAT, 5_000, "current")],
)
def test_a_time_out_lapses_when_the_game_is_reopened_for_the_same_move_and_there_is_time_left(
    how: int, remaining: int, standing: str
) -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    journal.write(k.GAME_ENDED, 50_000, 1, code=k.DESK_ENDED)
    journal.write(k.GAME_REOPENED, 60_000, 1, A, how, remaining)
    fold = Rulings(SCHOOL)
    for fact in journal.facts:
        fold.add(fact)

    assert [(one.of, one.standing) for one in fold.history()] == [(key(late), standing)]


def test_nothing_left_on_the_clock_is_no_taking_up() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.write(k.TIME_CORRECTED, 60_000, 1, A, a=0)
    assert len(rulings(journal.facts, SCHOOL)) == 1


def test_time_given_to_the_next_move_leaves_the_time_out_alone() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.write(k.EXTRA_TIME_GIVEN, 60_000, 2, B, a=45_000, b=5_000)
    assert len(rulings(journal.facts, SCHOOL)) == 1


def test_an_empty_rack_shown_wrongly_is_ruled_like_a_time_out() -> None:
    journal = Journal()
    journal.play(A, 1, 0, 20_000, k.BY_EMPTY_RACK)
    journal.write(k.GAME_ENDED, 20_000, 1, A, k.WENT_OUT)
    reopened = journal.write(k.GAME_REOPENED, 90_000, 1, A, k.NEXT_SEAT)
    ruling = only(rulings(journal.facts, SCHOOL))
    assert ruling == Ruling("undone", key(reopened), 1, 1, A, 1, True, "6h", "default")


def test_an_empty_rack_shown_wrongly_after_a_draw_costs_no_second_tile() -> None:
    journal = Journal()
    journal.play(A, 1, 0, 20_000, k.BY_EMPTY_RACK, drawn=1)
    journal.write(k.GAME_REOPENED, 90_000, 1, A, k.NEXT_SEAT)
    ruling = only(rulings(journal.facts, SCHOOL))
    assert (ruling.ruling, ruling.tiles) == ("undone", 0)


@pytest.mark.parametrize(("bank", "tiles"), [(50, 1), (0, 0)])
def test_an_empty_rack_shown_wrongly_costs_no_tile_that_is_not_there(bank: int, tiles: int) -> None:
    journal = Journal()
    journal.play(A, 1, 0, 20_000, k.BY_EMPTY_RACK, bank=bank)
    journal.write(k.GAME_REOPENED, 90_000, 1, A, k.NEXT_SEAT)

    assert only(rulings(journal.facts, SCHOOL)).tiles == tiles


def test_how_a_move_ended_may_be_told_after_its_game_was_reopened() -> None:
    journal = Journal()
    ended = journal.play(A, 1, 0, 20_000, k.BY_EMPTY_RACK, drawn=1)
    fold = Rulings(SCHOOL)
    before = only(fold.add(journal.write(k.GAME_REOPENED, 90_000, 1, A, k.NEXT_SEAT)))

    assert (before.tiles, only(fold.add(ended)).tiles) == (1, 0)


def test_a_mistaken_hold_costs_nothing() -> None:
    journal = Journal()
    journal.play(A, 1, 0, 20_000, k.BY_EMPTY_RACK)
    journal.write(k.GAME_REOPENED, 90_000, 1, A, k.SAME_SEAT, 20_000)
    assert rulings(journal.facts, SCHOOL) == []


def test_a_late_move_in_a_game_that_is_reopened_is_not_ruled_on_twice() -> None:
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    journal.write(k.GAME_ENDED, 50_000, 1, code=k.DESK_ENDED)
    journal.write(k.GAME_REOPENED, 60_000, 1, A, k.NEXT_SEAT)
    assert only(rulings(journal.facts, SCHOOL)).of == key(late)


def test_6b_a_redeal_voids_the_games_rulings_and_its_moves_are_counted_anew() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.write(k.GAME_REDEALT, 60_000, 0, c=50)
    second = journal.time_out(A, move=1, start=70_000)
    fold = Rulings(SCHOOL)
    for fact in journal.facts:
        fold.add(fact)
    assert only(fold.current()).of == key(second)
    assert [one.standing for one in fold.history()] == ["void", "current"]


def test_a_box_that_is_set_up_anew_may_count_the_same_game_again() -> None:
    journal = Journal()
    first = journal.time_out(A, move=1, start=0)
    journal.write(k.CONFIGURED, 80_000, 0, A, k.DESK, 40_000, 15, 50)
    journal.write(k.TABLE_RESTORED, 130_000, 1, B, k.UNDONE, 1_000, 1, 49)
    assert [one.of for one in rulings(journal.facts, SCHOOL)] == [key(first), key(journal.facts[-1])]


def test_the_same_move_of_another_box_or_epoch_is_another_move() -> None:
    here, there, later = Journal(), Journal(box="ffeeddccbbaa"), Journal(epoch=8)
    for journal in (here, there, later):
        journal.time_out(A, move=1, start=0)
    here.write(k.TABLE_RESTORED, 45_000, 1, A, k.STANDS, 5_000, 0, 50)
    found = rulings(there.facts + later.facts + here.facts, SCHOOL)
    assert [(one.of[:2], one.by) for one in found] == [
        ((here.box, 7), "table"), ((here.box, 8), "default"), ((there.box, 7), "default"),
    ]  # fmt: skip


# --- neither lost nor doubled -----------------------------------------------------------------------------------------

OTHER = "ffeeddccbbaa"


NAMES = ["stands", "undone", "takes_invalid"]


def decided(data: st.DataObject, facts: Sequence[Fact]) -> list[Decided]:
    """Decisions about time-outs there are or are not, some of them revoked."""
    made: list[Decided] = []
    for cursor in range(1, data.draw(st.integers(0, 6)) + 1):
        if data.draw(st.booleans()) and made:
            made.append(Decided(cursor, kind="revoke", revokes=data.draw(st.integers(1, cursor - 1))))
        else:
            made.append(ruled(cursor, data.draw(st.sampled_from(facts)), data.draw(st.sampled_from(NAMES)), cursor))
    return made


@given(played(), played(box=OTHER), st.data())
def test_in_whatever_order_and_however_often_facts_arrive_the_rulings_are_the_same(
    here: list[Fact], there: list[Fact], data: st.DataObject
) -> None:
    late = [fact for fact in here + there if fact.kind in (k.TIME_RAN_OUT, k.GAME_REOPENED)] or here[:1]
    decisions = decided(data, late)
    expected = rulings(here + there, SCHOOL, decisions)
    arrivals = here + there + data.draw(st.lists(st.sampled_from(here + there), max_size=20))
    fold = Rulings(SCHOOL)
    for fact in data.draw(st.permutations(arrivals)):
        fold.add(fact)
    for decision in [*decisions, *decisions]:
        fold.decide(decision)
    assert fold.current() == expected
    before = fold.history()
    for fact in arrivals:
        assert fold.add(fact) == []
    assert fold.history() == before


@given(played())
def test_what_each_fact_changed_adds_up_to_what_stands(facts: list[Fact]) -> None:
    fold = Rulings(SCHOOL)
    told = [ruling for fact in facts for ruling in fold.add(fact)]
    for ruling in fold.current():
        assert ruling in told


@given(played(), st.sampled_from([SCHOOL, POLAND, ITALY]).map(lambda ruleset: ruleset.id))
def test_every_time_out_has_one_current_ruling_or_has_lapsed_or_is_void(facts: list[Fact], name: str) -> None:
    fold = Rulings(rulebook.load(name))
    for fact in facts:
        fold.add(fact)
    standings: dict[FactKey, Counter[str]] = {}
    for ruling in fold.history():
        standings.setdefault(ruling.of, Counter())[ruling.standing] += 1
    assert {key(fact) for fact in facts if fact.kind == k.TIME_RAN_OUT} <= standings.keys()
    for counted in standings.values():
        assert counted["current"] + counted["lapsed"] + counted["void"] == 1
    banks = {key(fact): fact.c for fact in facts if fact.kind == k.TIME_RAN_OUT}
    for ruling in fold.current():
        if ruling.ruling == "undone" and ruling.provisional:
            assert ruling.tiles is not None
            assert ruling.tiles <= banks.get(ruling.of, 1)


# --- before the facts are there --------------------------------------------------------------------------------------

RULED_AT: int = 1_000_000


def ahead(cursor: int, head: int, ruling: str = "undone", tiles: int | None = 1, *, usual: bool = True) -> Decided:
    """Made when the box was known to have told of so many facts."""
    of = ["a0b1c2d3e4f5", 7, head]
    body = {"of": of, "ruling": ruling, "tiles": tiles, "open": True, "usual": usual, "table": 3}
    return Decided(cursor, body, when_ms=RULED_AT)


def two_time_outs(spoken: int = k.STANDS) -> Journal:
    """Facts 1 to 3: B is late, 4: the table speaks, 5 to 7: C is late."""
    journal = Journal()
    journal.time_out(B, move=2, start=10_000)
    journal.write(k.TABLE_RESTORED, 55_000, 2, B, spoken, a=5_000, c=50)
    journal.time_out(2, move=3, start=60_000)
    return journal


@given(order=st.permutations(range(7)), decided_after=st.integers(0, 7))
def test_a_ruling_ahead_holds_for_the_time_out_open_then_in_whatever_order_facts_come(
    order: list[int], decided_after: int
) -> None:
    facts = two_time_outs().facts
    fold = Rulings(SCHOOL)
    for count, place in enumerate(order):
        if count == decided_after:
            fold.decide(ahead(9, 7, "stands", 0))
        fold.add(facts[place])
    if decided_after == len(order):
        fold.decide(ahead(9, 7, "stands", 0))

    first, second = fold.current()
    assert (first.by, second.by, second.decision, second.ruling) == ("table", "referee", 9, "stands")
    assert fold.ahead(9) == "holds"


def test_a_ruling_ahead_whose_facts_came_while_it_was_made_is_told_of_at_once() -> None:
    fold = Rulings(SCHOOL)
    for fact in two_time_outs().facts:
        fold.add(fact)
    assert [(one.decision, one.ruling) for one in fold.decide(ahead(9, 7, "stands", 0))] == [(9, "stands")]


def test_a_ruling_ahead_waits_for_every_fact_up_to_the_one_it_names() -> None:
    facts = two_time_outs().facts
    fold = Rulings(SCHOOL)
    fold.decide(ahead(9, 7))
    for fact in facts[:5]:
        fold.add(fact)

    assert fold.ahead(9) == "waits"
    assert not any(one.by == "referee" for one in fold.current())  # not on the time-out of the move before


def test_a_ruling_ahead_costs_what_the_bank_holds_unless_the_referee_has_counted() -> None:
    journal = Journal()
    journal.time_out(B, move=2, start=10_000, bank=0)

    assert only(rulings(journal.facts, SCHOOL, [ahead(9, 2)])).tiles == 0
    assert only(rulings(journal.facts, SCHOOL, [ahead(9, 2, tiles=2, usual=False)])).tiles == 2


@pytest.mark.parametrize(("spoken_ms", "holds"), [(RULED_AT - 1, "table"), (RULED_AT + 1, "referee"), (None, "table")])
def test_what_the_table_had_settled_otherwise_before_stays_as_it_is(spoken_ms: int | None, holds: str) -> None:
    fold = Rulings(SCHOOL)
    for fact in two_time_outs().facts[:4]:
        fold.add(fact, spoken_ms if fact.kind == k.TABLE_RESTORED else 0)
    fold.decide(ahead(9, 3))

    assert only(fold.current()).by == holds
    assert fold.ahead(9) == ("holds" if holds == "referee" else "overtaken")
    assert [one.standing for one in fold.history()][-1] == ("current" if holds == "referee" else "overtaken")


def test_a_ruling_ahead_on_a_move_that_was_not_late_rules_nothing() -> None:
    fold = Rulings(SCHOOL)
    for fact in two_time_outs().facts:
        fold.add(fact)
    fold.decide(ahead(9, 5))

    assert fold.ahead(9) == "astray"
    assert all(one.by != "referee" for one in fold.current())
