"""Seating a round: the draw, its seed, who plays; and seatings changed by hand."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import RoundKey, Seating, Tournament
from dalej.errors import Refused, WrongInput
from dalej.event.event import Event
from dalej.office import attendance, rounds
from dalej.office import seating as moves
from dalej.office.reseating import others_moved
from dalej.office.seating import Chair, Draw, draw, met_before, present, repeated
from dalej.words import said
from tests import world

Opened = Callable[..., Event]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """`opened(ruleset, players, key=value)`."""
    with ExitStack() as stack:

        def event(ruleset: str, players: int, **options: Any) -> Event:
            made = world.new_event(tmp_path, ruleset, players, **options)
            stack.callback(made.ledger.close)
            return made

        yield event


def seating(event: Event) -> Seating:
    return rounds.seating_of(rounds.seated(event.state()))


def tables(event: Event) -> list[tuple[int, ...]]:
    return [at.players for at in seating(event).tables]


def move(event: Event, player: int, to: Chair) -> None:
    event.change(lambda state: moves.move(state, state.players[player], to))


def first_at(event: Event, table: int) -> int:
    at = seating(event).at(table)
    assert at is not None
    return at.players[0]


def test_2_the_first_round_is_drawn_by_lot_and_its_seed_draws_it_again(opened: Opened) -> None:
    event = opened("school-league", 23)
    world.draw(event, 4711)
    drawn = tables(event)
    world.draw(event, 12, again=True)
    assert tables(event) != drawn
    world.draw(event, 4711, again=True)
    assert tables(event) == drawn
    assert seating(event).seed == 4711
    assert seating(event).how == "lot"


def test_organizacja_4_who_is_absent_from_the_first_draw_does_not_count(opened: Opened) -> None:
    event = opened("pl-eliminations", 16)
    event.change(lambda state: attendance.absent(state, [state.players[1]], True))
    with pytest.raises(Refused) as few:
        world.draw(event, anyway="")
    assert "players here: 15" in said(few.value)


def test_it_classic_nine_players_at_three_tables_are_asked_about(opened: Opened) -> None:
    event = opened("it-classic", 9)
    with pytest.raises(Refused) as many:
        world.draw(event, anyway="")
    assert "players: 9, who need 3 tables, expected at most 1" in said(many.value)
    assert "Fine del gioco" in said(many.value)
    world.draw(event, anyway="three tables, one winner")
    assert [len(at.seated) for at in seating(event).tables] == [3, 3, 3]


def test_it_classic_four_players_are_seated_without_a_question(opened: Opened) -> None:
    event = opened("it-classic", 4)
    world.draw(event, anyway="")
    assert len(seating(event).tables) == 1


def test_school_league_1_participants_of_the_league_count_not_those_present(opened: Opened) -> None:
    event = opened("school-league", 20)
    event.change(lambda state: attendance.absent(state, [state.players[1]], True))
    world.draw(event, anyway="")
    assert sum(len(at.seated) for at in seating(event).tables) == 19


@pytest.mark.parametrize(
    ("ruleset", "players", "clause"),
    [
        ("school-league", 19, r"expected at least 20.*\[1: „Liga odbywa się przy udziale minimum 20 uczniów\.”\]"),
        ("school-league", 33, r"expected at most 32.*\[18"),
        ("pl-eliminations", 15, r"expected at least 16.*\[ORGANIZACJA 4"),
    ],
)  # fmt: skip
def test_too_few_or_too_many_are_refused_with_the_clause_until_a_reason_is_given(
    opened: Opened, ruleset: str, players: int, clause: str
) -> None:
    event = opened(ruleset, players)
    with pytest.raises(Refused, match="to go on knowingly takes a reason"):
        event.change(lambda state: draw(state, Draw(seed=1)))
    with pytest.raises(Refused) as refused:
        event.change(lambda state: draw(state, Draw(seed=1)))
    assert re.search(clause, said(refused.value))
    (drawn,) = event.change(lambda state: draw(state, Draw(seed=1, anyway="the hall is small")))
    assert drawn.body["anyway"] == "the hall is small"
    assert "the hall is small" in drawn.why


def test_the_number_of_players_is_asked_before_the_first_round_only(opened: Opened) -> None:
    event = opened("school-league", 8, games="1")
    world.play_round(event, random.Random(1))
    event.change(lambda state: draw(state, Draw(seed=1)))
    assert len(tables(event)) == 2


def test_12_three_seat_tables_stand_at_the_end(opened: Opened) -> None:
    event = opened("school-league", 22)
    world.draw(event)
    assert [len(at.seated) for at in seating(event).tables] == [4, 4, 4, 4, 3, 3]


def test_who_is_absent_or_has_left_is_not_seated(opened: Opened) -> None:
    event = opened("school-league", 20)
    event.change(lambda state: attendance.withdraw(state.players[3]))
    event.change(lambda state: attendance.absent(state, [state.players[7]], away=True))
    world.draw(event)
    assert present(event.state(), rounds.seated(event.state())) == tuple(
        number for number in range(1, 21) if number not in (3, 7)
    )
    assert sum(len(at.seated) for at in seating(event).tables) == 18


def test_level_players_are_seated_by_lot(opened: Opened) -> None:
    event = opened("school-league", 20)
    assert len({_by_rank(event, seed) for seed in range(3)}) > 1
    assert seating(event).seed == 2


def test_level_players_by_sign_up_need_no_lot(opened: Opened) -> None:
    event = opened("school-league", 20, level_seating="sign_up")
    assert _by_rank(event, 1) == _by_rank(event, 2)
    assert tables(event)[0] == (1, 2, 3, 4)
    assert seating(event).seed is None


def _by_rank(event: Event, seed: int) -> tuple[tuple[int, ...], ...]:
    wanted = Draw(seed=seed, order="rank", anyway="so", again=True)
    event.change(lambda state: draw(state, wanted))
    return tuple(tables(event))


def test_preliminary_round_2_is_a_fresh_lot_and_repeats_that_cannot_be_avoided_are_named(opened: Opened) -> None:
    event = opened("pl-eliminations", 7)
    world.play_round(event, random.Random(1))
    world.draw(event)
    state = event.state()
    pairs = repeated(state, RoundKey("preliminaries", 2))
    met = met_before(state, RoundKey("preliminaries", 2))
    assert pairs
    assert all(met[frozenset(pair)] for pair in pairs)


def test_semifinal_tables_1_4_5_8_and_2_3_6_7(opened: Opened) -> None:
    event = opened("pl-eliminations", 16)
    for _ in range(2):
        world.play_round(event, random.Random(3))
    world.advance(event)
    order = event.state().entrants["semifinal"]
    world.draw(event)
    places = {line.player: line.place for line in standings(event.state(), "preliminaries")}
    found = [tuple(places[player] for player in at.seated) for at in seating(event).tables]
    ranked = [places[player] for player in order]
    assert found == [tuple(ranked[at] for at in (0, 3, 4, 7)), tuple(ranked[at] for at in (1, 2, 5, 6))]


def test_a_seating_with_a_result_is_not_drawn_again_nor_changed(opened: Opened) -> None:
    event = opened("school-league", 20)
    world.draw(event)
    world.play(event, random.Random(1), rounds.seated(event.state()).missing()[:1])
    with pytest.raises(Refused, match="Gęś has entered a result"):
        world.draw(event, again=True)
    with pytest.raises(Refused, match="Gęś has entered a result"):
        move(event, first_at(event, 1), Chair(2, 1))


def test_a_locked_seating_says_who_locked_it(opened: Opened) -> None:
    event = opened("school-league", 20)
    world.draw(event)
    event.change(lambda state: moves.lock(state, on=True))
    with pytest.raises(Refused, match="Gęś has locked the seating"):
        world.draw(event, again=True)
    with pytest.raises(Refused, match="Gęś has locked the seating"):
        move(event, 1, Chair(2, 1))
    with pytest.raises(Refused, match="locked already"):
        event.change(lambda state: moves.lock(state, on=True))
    event.change(lambda state: moves.lock(state, on=False))
    world.draw(event, again=True)


def test_a_started_round_is_not_drawn_again(opened: Opened) -> None:
    event = opened("school-league", 20)
    world.draw(event)
    event.change(lambda state: rounds.start(state, 60))
    with pytest.raises(Refused, match="Gęś has started the round"):
        world.draw(event, again=True)


def test_a_no_show_is_taken_off_a_table_without_results_whatever_other_tables_have_played(opened: Opened) -> None:
    event = opened("school-league", 20)
    world.draw(event)
    event.change(lambda state: rounds.start(state, 60))
    world.play(event, random.Random(1), rounds.seated(event.state()).missing()[:1])
    no_show, playing_on = first_at(event, 4), first_at(event, 1)
    event.change(lambda state: moves.remove(state, state.players[no_show]))
    assert tables(event)[3][0] == 0
    with pytest.raises(Refused, match="table 1 has a result already; who leaves only today"):
        event.change(lambda state: moves.remove(state, state.players[playing_on]))
    with pytest.raises(Refused, match="the seating of table 1 stays"):
        move(event, first_at(event, 2), Chair(1, 1))
    with pytest.raises(Refused, match="Gęś has entered a result"):
        world.draw(event, again=True)
    world.sign_up(event, [21])
    assert moves.free_chairs(event.state()) == ["4A"]
    move(event, 21, Chair(4))
    assert first_at(event, 4) == 21


def test_a_no_show_at_the_smallest_table_is_replaced_first_once_results_are_in(opened: Opened) -> None:
    event = opened("school-league", 23)
    world.draw(event)
    world.play(event, random.Random(1), rounds.seated(event.state()).missing()[:1])
    no_show = first_at(event, 6)
    with pytest.raises(Refused, match=r"first move somebody there from one of the tables 2, 3, 4, 5"):
        event.change(lambda state: moves.remove(state, state.players[no_show]))
    move(event, first_at(event, 5), Chair(6))
    event.change(lambda state: moves.remove(state, state.players[no_show]))
    assert [len(at.seated) for at in seating(event).tables] == [4, 4, 4, 4, 3, 3]


def test_a_late_player_opens_no_table_with_players_whose_table_has_a_result(opened: Opened) -> None:
    event = opened("school-league", 24)
    world.draw(event)
    games = [at for at in rounds.seated(event.state()).missing() if at.table == 6 and at.game == 1]
    world.play(event, random.Random(1), games)
    world.sign_up(event, [25])
    assert moves.free_chairs(event.state()) == ["new"]
    before = event.state()
    move(event, 25, Chair(None))
    moved = {one[1:] for one in others_moved(before, event.state(), 25)}
    assert moved == {("4D", "7A"), ("5D", "7B")}


def test_two_players_change_places_and_everybody_else_stays(opened: Opened) -> None:
    event = opened("school-league", 20)
    world.draw(event)
    before = tables(event)
    one, other = before[0][0], before[3][2]
    move(event, one, Chair(4, 2))
    after = tables(event)
    assert (after[0][0], after[3][2]) == (other, one)
    unmoved = [list(table) for table in after]
    unmoved[0][0], unmoved[3][2] = one, other
    assert [tuple(table) for table in unmoved] == before
    assert seating(event).how == "moved"


def test_a_table_may_not_become_too_small(opened: Opened) -> None:
    event = opened("school-league", 22)
    world.draw(event)
    with pytest.raises(Refused, match="table 6 would have 2 players, expected 3 to 4"):
        move(event, first_at(event, 6), Chair(5))
    with pytest.raises(Refused, match="mark absent who is not there"):
        event.change(lambda state: moves.remove(state, state.players[first_at(event, 6)]))


def test_a_late_player_takes_a_free_chair(opened: Opened) -> None:
    event = opened("school-league", 23)
    world.draw(event)
    world.sign_up(event, [24])
    with pytest.raises(Refused, match=r"1B is taken by .* free chairs: 6D"):
        move(event, 24, Chair(1, 1))
    with pytest.raises(Refused, match="free chairs: 6D"):
        move(event, 24, Chair(None))
    with pytest.raises(WrongInput, match="there is no table 9"):
        move(event, 24, Chair(9, 1))
    move(event, 24, Chair(6))
    assert tables(event)[5][3] == 24


def test_a_late_player_opens_a_table_when_no_chair_is_free(opened: Opened) -> None:
    event = opened("school-league", 24)
    world.draw(event)
    before = tables(event)
    world.sign_up(event, [25])
    move(event, 25, Chair(None))
    assert [len(at.seated) for at in seating(event).tables] == [4, 4, 4, 4, 3, 3, 3]
    assert tables(event)[6] == (before[4][3], before[5][3], 25, 0)


def test_who_is_taken_off_is_absent_and_back_when_seated_again(opened: Opened) -> None:
    event = opened("school-league", 20)
    world.draw(event)
    player = first_at(event, 2)
    event.change(lambda state: moves.remove(state, state.players[player]))
    assert event.state().rounds[RoundKey("league", 1)].absent == {player}
    assert tables(event)[1][0] == 0
    move(event, player, Chair(2))
    assert event.state().rounds[RoundKey("league", 1)].absent == frozenset()
    assert first_at(event, 2) == player


def test_who_has_left_or_does_not_play_in_the_stage_gets_no_chair(opened: Opened) -> None:
    event = opened("pl-eliminations", 16)
    for _ in range(2):
        world.play_round(event, random.Random(3))
    world.advance(event)
    world.draw(event)
    state: Tournament = event.state()
    out = next(number for number in state.players if number not in state.entrants["semifinal"])
    with pytest.raises(Refused, match=r"Semifinal: .* does not play in this stage"):
        move(event, out, Chair(1, 0))
    gone = state.entrants["semifinal"][0]
    event.change(lambda state: attendance.withdraw(state.players[gone]))
    with pytest.raises(Refused, match="has left the tournament"):
        move(event, gone, Chair(1, 0))
