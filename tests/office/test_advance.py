"""Who goes on to the next stage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.domain.scoring.sheets import Rack
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import GameAt, Player, RoundKey
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.office import advancing, attendance, results, rounds, rulings, settings
from dalej.office.notation import Entry
from dalej.office.results import seats_of
from dalej.words import advised
from tests import world

SEMIFINAL = RoundKey("semifinal", 1)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Event]:
    """Eliminations of 16 after the preliminaries."""
    with world.an_event(tmp_path, 16, ruleset="pl-eliminations", closed=2, seated=False) as event:
        yield event


@pytest.fixture
def level(tmp_path: Path) -> Iterator[Event]:
    """Sixteen, four of whom won alike and twelve lost alike: nobody can say who of them goes on. A 17th never came."""
    with world.an_event(tmp_path, 17, ruleset="pl-eliminations", seated=False, rounds="1") as event:
        event.change(lambda state: attendance.absent(state, [state.players[17]], True))
        world.draw(event)
        one = rounds.seated(event.state())
        entries = {
            GameAt(at.table, game): Entry(
                "went_out", tuple(Rack(seat=seat, points=0 if seat == "A" else 10) for seat in seats_of(at))
            )
            for at in rounds.seating_of(one).tables
            for game in (1, 2)
        }
        event.change(lambda state: results.enter(state, one.key, entries))
        world.close(event)
        yield event


@pytest.fixture
def level_at_both_tables(played: Event) -> Event:
    """Two semifinal tables that were played alike: A won twice, B and C lost alike, D lost more."""
    world.advance(played)
    world.draw(played)
    one = rounds.seated(played.state())
    lost = {"A": 0, "B": 10, "C": 10, "D": 20}
    racks = tuple(Rack(seat=seat, points=points) for seat, points in lost.items())
    entries = {at: Entry("went_out", racks) for at in one.missing()}
    played.change(lambda state: results.enter(state, one.key, entries))
    world.close(played)
    return played


def at_seats(event: Event, table: int, letters: str) -> list[Player]:
    state = event.state()
    seated = seats_of(rounds.seating_of(state.rounds[SEMIFINAL]).tables[table - 1])
    return [state.players[seated[seat]] for seat in letters]


def order_of(event: Event, players: list[Player]) -> None:
    event.change(lambda state: rulings.tie(state, None, players, "a tile drawn by each"))


def refused(event: Event, players: int | None = None) -> str:
    with pytest.raises(Refused) as why:
        event.change(lambda state: advancing.advance(state, players))
    return advised(why.value)


def test_organizacja_7_eight_of_sixteen_go_on(played: Event) -> None:
    world.advance(played)
    assert len(played.state().entrants["semifinal"]) == 8
    assert refused(played).startswith("Semifinal: it is settled already who goes on (8 players)")


def test_another_number_than_the_text_says_needs_a_reason(played: Event) -> None:
    assert "8 go on to the stage Semifinal [ORGANIZACJA 7], not 12: to go on knowingly takes a reason" in refused(
        played, 12
    )
    (made,) = played.change(lambda state: advancing.advance(state, 12, "three tables are there"))
    assert made.body["anyway"] == "three tables are there"
    assert len(played.state().entrants["semifinal"]) == 12


def test_a_number_for_a_stage_that_everybody_plays_needs_a_reason(tmp_path: Path) -> None:
    stages = "preliminaries 1x2 lot/fresh_lot; final 1x2 rank"
    with world.an_event(tmp_path, 8, stages=stages, closed=1, seated=False) as event:
        assert "everybody goes on to the stage Final [" in refused(event, 4)
        event.change(lambda state: advancing.advance(state, 4, "one table is left"))
        assert len(event.state().entrants["final"]) == 4


def test_so_many_as_cannot_sit_at_tables_do_not_go_on(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 16, ruleset="pl-championship", closed=2, seated=False) as event:
        with pytest.raises(Refused, match="cannot seat exactly 5"):
            event.change(lambda state: advancing.advance(state, 5, "so"))
        assert list(event.state().entrants) == ["preliminaries"]


def test_a_tie_at_the_cut_names_the_players_and_how_it_is_decided(level: Event) -> None:
    sentence = refused(level)
    assert "dalej ruling tie" in sentence
    last = [number for number in level.state().players if world.name_of(number) in sentence]
    assert last
    losers = [line for line in standings(level.state(), "preliminaries") if line.big == 0 and line.games]
    order = [level.state().players[line.player] for line in reversed(losers)]
    level.change(lambda state: rulings.tie(state, None, order, "a tile drawn by each"))
    world.advance(level)
    on = level.state().entrants["semifinal"]
    assert list(on[4:]) == [player.number for player in order[:4]]


def test_15_whoever_has_left_is_passed_over(played: Event) -> None:
    best = standings(played.state(), "preliminaries")[0].player
    played.change(lambda state: attendance.withdraw(state.players[best]))
    world.advance(played)
    on = played.state().entrants["semifinal"]
    assert best not in on
    assert len(on) == 8


def test_whoever_never_came_does_not_go_on_before_people_who_played(level: Event) -> None:
    level.change_seen(lambda seen: settings.setting(seen, "not_played_stands", "by_points", "as agreed").change)
    lines = standings(level.state(), "preliminaries")
    assert lines[4].player == 17
    losers = [level.state().players[line.player] for line in lines if line.big == 0 and line.games]
    level.change(lambda state: rulings.tie(state, None, losers, "a tile drawn by each"))
    world.advance(level)
    assert 17 not in level.state().entrants["semifinal"]
    with pytest.raises(Refused, match="their order stays"):
        level.change(lambda state: rulings.tie(state, "preliminaries", losers[::-1], "drawn anew"))


def test_whoever_never_came_goes_on_by_points_where_the_event_says_so(level: Event) -> None:
    level.change_seen(lambda seen: settings.setting(seen, "not_played_stands", "by_points", "as agreed").change)
    level.change_seen(lambda seen: settings.setting(seen, "not_played_advances", "by_points", "as agreed").change)
    losers = [
        level.state().players[line.player]
        for line in standings(level.state(), "preliminaries")
        if line.big == 0 and line.games
    ]
    level.change(lambda state: rulings.tie(state, None, losers, "a tile drawn by each"))
    world.advance(level)
    assert level.state().entrants["semifinal"][4] == 17


def test_nobody_goes_on_from_a_league(tmp_path: Path) -> None:
    with world.an_event(tmp_path, closed=1, seated=False, rounds="1", games="1") as event:
        assert "is over" in refused(event)


def test_organizacja_7_two_go_on_from_each_table_and_a_tie_at_one_is_ruled_at_that_table(
    level_at_both_tables: Event,
) -> None:
    event = level_at_both_tables
    for table in (1, 2):
        level = at_seats(event, table, "BC")
        sentence = refused(event)
        assert all(f"{one.number} {one.name}" in sentence for one in level)
        assert not any(f"{one.number} {one.name}" in sentence for one in at_seats(event, 3 - table, "BC"))
        order_of(event, level[::-1])
    world.advance(event)
    on = [one.number for table in (1, 2) for one in at_seats(event, table, "AC")]
    assert set(event.state().entrants["final"]) == set(on)


def test_organizacja_7_an_order_at_one_table_is_ruled_again_and_says_nothing_of_the_other(
    level_at_both_tables: Event,
) -> None:
    event = level_at_both_tables
    first, again = at_seats(event, 1, "BC"), at_seats(event, 1, "CB")
    for order in (first, again):
        order_of(event, order)
    lines = {line.player: line for line in standings(event.state(), "semifinal")}
    assert len({lines[one.number].place for table in (1, 2) for one in at_seats(event, table, "BC")}) == 1
    event.change(lambda state: rulings.tie(state, None, at_seats(event, 2, "BC"), "a tile drawn by each"))
    world.advance(event)
    assert again[0].number in event.state().entrants["final"]
    assert first[0].number not in event.state().entrants["final"]


def test_organizacja_7_an_order_of_everybody_level_at_both_tables_does_as_well(level_at_both_tables: Event) -> None:
    event = level_at_both_tables
    order = [one for table in (2, 1) for one in at_seats(event, table, "CB")]
    event.change(lambda state: rulings.tie(state, None, order, "a tile drawn by each"))
    world.advance(event)
    on = [one.number for table in (1, 2) for one in at_seats(event, table, "AC")]
    assert set(event.state().entrants["final"]) == set(on)


def test_an_order_that_mixes_two_tables_and_leaves_somebody_out_is_refused(level_at_both_tables: Event) -> None:
    event = level_at_both_tables
    order = [*at_seats(event, 1, "B"), *at_seats(event, 2, "B")]
    with pytest.raises(Refused, match="names everybody who is level"):
        event.change(lambda state: rulings.tie(state, None, order, "drawn"))
