"""What a referee decides: on a time-out with a box and without, on a claim, on a tie; and takes back."""

from __future__ import annotations

import pytest

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import CLAIM, TABLE_RULING, TIE, GameAt
from dalej.errors import Refused, WrongInput
from dalej.event import cases
from dalej.event.cases import Case
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office import attendance, results, rulings
from dalej.office.notation import Entry, rack, seats_in
from dalej.office.rulings import Verdict
from dalej.words import said
from moveclock import facts as k
from tests.domain.begun import claimed, undone
from tests.domain.tables import B
from tests.world import FIRST, tell


def late(held: Event) -> Case:
    """A of table 1 was late in the first move, and the table says that it is undone."""
    tell(held, undone())
    return the_case(held)


def the_case(held: Event) -> Case:
    return cases.the_case(cases.cases(read(held.ledger), held.state()), FIRST, 1, 1, 1)


def history(held: Event) -> list[tuple[str, int | None, str, str]]:
    return [(one.ruling, one.tiles, one.by, one.standing) for one in the_case(held).history]


def test_6h_a_time_out_is_known_by_round_table_game_and_move(held: Event) -> None:
    place = late(held).place
    seating = held.state().rounds[FIRST].seating
    assert seating is not None
    assert (place.key, place.table, place.game, place.move, place.letter) == (FIRST, 1, 1, 1, "A")
    assert place.player == seating.tables[0].players[0]
    assert history(held) == [("undone", 1, "default", "replaced"), ("undone", 1, "table", "current")]


def test_6s_the_referees_word_is_final_and_the_one_before_stays_in_the_history(held: Event) -> None:
    case = late(held)
    made = held.change(lambda state: rulings.rule(state, case, Verdict("stands", None, "all sets were valid")))
    assert history(held)[-2:] == [("undone", 1, "table", "replaced"), ("stands", 0, "referee", "current")]
    with pytest.raises(Refused, match="ruled already"):
        held.change(lambda state: rulings.rule(state, the_case(held), Verdict("stands", None, "again")))
    held.change_seen(lambda seen: rulings.revoke(seen, made[0].cursor, "wrong table"))
    assert history(held)[-2:] == [("undone", 1, "table", "current"), ("stands", 0, "referee", "revoked")]


def test_a_table_that_was_quicker_than_the_referee_is_not_overruled_unseen(held: Event) -> None:
    before = held.ledger.head()
    case = late(held)
    where = rulings.Where(1, 1, 1, None, FIRST)
    with pytest.raises(Refused, match=r"table 1 has settled that time-out itself by now \(undone\)"):
        rulings.rule_at(held, where, "stands", None, "seen", before)
    assert history(held)[-1] == ("undone", 1, "table", "current")

    rulings.rule_at(held, where, "stands", None, "seen", held.ledger.head())
    assert the_case(held).place == case.place
    assert history(held)[-1] == ("stands", 0, "referee", "current")


def test_6h_tiles_in_no_valid_set_are_unknown_until_somebody_counts_them(held: Event) -> None:
    case = late(held)
    held.change(lambda state: rulings.rule(state, case, Verdict("takes_invalid", None, "not to be restored")))
    assert history(held)[-1] == ("takes_invalid", None, "referee", "current")
    held.change(lambda state: rulings.rule(state, the_case(held), Verdict("takes_invalid", 5, "counted")))
    assert history(held)[-1] == ("takes_invalid", 5, "referee", "current")


def test_there_is_nothing_to_rule_where_no_time_ran_out(held: Event) -> None:
    late(held)
    with pytest.raises(Refused, match="those with one: 1"):
        cases.the_case(cases.cases(read(held.ledger), held.state()), FIRST, 1, 1, 2)


def test_6h_where_no_box_counts_the_seat_is_ruled_on(held: Event) -> None:
    made = held.change(
        lambda state: rulings.rule_at_table(state, FIRST, GameAt(2, 3), "B", Verdict("undone", None, "saw it"))
    )
    assert made[0].kind == TABLE_RULING
    (ruled,) = held.state().rounds[FIRST].rulings
    assert (ruled.at, ruled.seat, ruled.ruling, ruled.tiles) == (GameAt(2, 3), "B", "undone", 1)
    held.change_seen(lambda seen: rulings.revoke(seen, made[0].cursor, "another table"))
    assert held.state().rounds[FIRST].rulings == ()


def at_table(held: Event, ruling: str, tiles: int | None = None, *, another: bool = False) -> int:
    """The number of the ruling on seat B of table 2, game 3."""
    verdict = rulings.verdict(held.state().ruleset, ruling, tiles, "looked again")
    return held.change(lambda state: rulings.rule_at_table(state, FIRST, GameAt(2, 3), "B", verdict, another=another))[
        -1
    ].cursor


def standing(held: Event) -> list[tuple[str, int | None]]:
    return [(one.ruling, one.tiles) for one in held.state().rounds[FIRST].rulings]


def test_6s_where_no_box_counts_a_second_ruling_on_a_seat_holds_in_place_of_the_first(held: Event) -> None:
    first = at_table(held, "undone")
    second = at_table(held, "stands")
    assert standing(held) == [("stands", 0)]
    with pytest.raises(Refused, match=f"ruled already, by decision {second}"):
        at_table(held, "stands")
    with pytest.raises(Refused, match="rests on it"):
        held.change_seen(lambda seen: rulings.revoke(seen, first, "so"))
    held.change_seen(lambda seen: rulings.revoke(seen, second, "it was undone after all"))
    assert standing(held) == [("undone", 1)]


def test_6h_where_no_box_counts_a_seat_may_have_another_time_out_and_both_rulings_hold(held: Event) -> None:
    at_table(held, "undone")
    at_table(held, "undone", another=True)
    assert standing(held) == [("undone", 1), ("undone", 1)]
    at_table(held, "takes_invalid", 4)
    assert standing(held) == [("undone", 1), ("takes_invalid", 4)]


def test_6h_a_claim_of_the_next_player_is_answered(held: Event) -> None:
    at = claimed()
    heard = tell(held, at)
    claim = cases.the_claim(cases.claims(read(held.ledger), held.state()), FIRST, 1, 1, 2)
    assert (claim.answer, claim.place.seat) == (None, B)
    (made,) = held.change(lambda _: rulings.answer(claim, FIRST, granted=False, why="drawn first"))
    assert (made.kind, made.body["granted"], made.body["seat"]) == (CLAIM, False, "B")
    at.order(k.C_DENY_CLAIM)
    tell(held, at, heard)
    assert cases.claims(read(held.ledger), held.state())[0].answer == "denied"


@pytest.mark.parametrize(("seen", "ruling", "tiles"), [("touched", "undone", 1), ("nothing_laid", "stands", 1)])
def test_6k_6h_what_was_seen_is_ruled_as_the_ruleset_says(held: Event, seen: str, ruling: str, tiles: int) -> None:
    wanted = rulings.verdict(held.state().ruleset, seen, None, "saw it")

    (made,) = held.change(lambda state: rulings.rule_at_table(state, FIRST, GameAt(2, 3), "B", wanted))

    assert (made.body["ruling"], made.body["tiles"]) == (ruling, tiles)


@pytest.mark.parametrize(("seen", "clause"), [("touched", "6k"), ("nothing_laid", "6h"), ("undone", "6h")])
def test_6k_tiles_touched_after_the_time_are_ruled_under_that_clause(held: Event, seen: str, clause: str) -> None:
    case, rules = late(held), held.state().ruleset

    held.change(lambda state: rulings.rule(state, case, rulings.verdict(rules, seen, None, "saw it")))

    assert the_case(held).history[-1].clause == clause


def test_6k_what_was_ruled_under_6h_may_be_ruled_anew_because_tiles_were_touched(held: Event) -> None:
    case, rules = late(held), held.state().ruleset
    held.change(lambda state: rulings.rule(state, case, Verdict("undone", None, "not finished")))
    touched = rulings.verdict(rules, "touched", None, "saw a hand")

    held.change(lambda state: rulings.rule(state, the_case(held), touched))

    assert [one.clause for one in the_case(held).history[-2:]] == ["6h", "6k"]
    with pytest.raises(Refused, match="ruled already"):
        held.change(lambda state: rulings.rule(state, the_case(held), touched))


def play(held: Event, *told: str) -> None:
    racks = tuple(rack(one, text) for one, text in seats_in(told).items())
    held.change(lambda state: results.enter(state, FIRST, {GameAt(1, 1): Entry("went_out", racks)}))


def test_the_head_referee_sets_the_order_of_players_who_are_level_and_of_no_others(held: Event) -> None:
    play(held, "A=0", "B=9", "C=9", "D=30")
    state = held.state()
    seating = state.rounds[FIRST].seating
    assert seating is not None
    a, b, c, _ = (state.players[number] for number in seating.tables[0].players)
    (made,) = held.change(lambda now: rulings.tie(now, None, [c, b], "the lot"))
    assert (made.kind, made.body) == (TIE, {"stage": "league", "order": [c.number, b.number], "points": [0, -9]})
    held.change(lambda now: rulings.tie(now, "league", [b, c], "drawn anew"))
    with pytest.raises(Refused, match="not level"):
        held.change(lambda now: rulings.tie(now, None, [a, b], "why"))
    for players in ([b], [b, b]):
        with pytest.raises(WrongInput, match="at least two"):
            rulings.tie(held.state(), None, players, "why")


def test_an_order_names_everybody_who_is_level_and_has_not_left(held: Event) -> None:
    play(held, "A=0", "B=9", "C=9", "D=9")
    state = held.state()
    seating = state.rounds[FIRST].seating
    assert seating is not None
    _, b, c, d = (state.players[number] for number in seating.tables[0].players)
    with pytest.raises(Refused, match="is level too") as refused:
        held.change(lambda now: rulings.tie(now, None, [c, b], "the lot"))
    assert d.name in said(refused.value)
    held.change(lambda now: attendance.withdraw(now.players[d.number]))
    held.change(lambda now: rulings.tie(now, None, [c, b], "the lot"))
    places = {line.player: line.place for line in standings(held.state())}
    assert (places[c.number], places[b.number], places[d.number]) == (2, 3, 4)


def test_only_a_referees_decision_is_taken_back_here(held: Event) -> None:
    ledger: Ledger = held.ledger
    seated = read(ledger).decisions("seating")[0].cursor
    with pytest.raises(WrongInput, match="no referee's decision"):
        held.change_seen(lambda seen: rulings.revoke(seen, seated, "why"))
