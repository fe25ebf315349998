"""`dalej standings`."""

from __future__ import annotations

from pathlib import Path

from dalej.domain.scoring.sheets import Rack
from dalej.domain.tournament.tournament import GameAt
from dalej.office import attendance, results, rounds
from dalej.office.notation import Entry
from dalej.office.results import seats_of
from tests import world
from tests.cli.conftest import Program

EVENT = "event.dalej"


def test_before_the_first_game_nobody_stands_anywhere(tmp_path: Path, dalej: Program) -> None:
    world.event_file(tmp_path, seated=False)
    assert dalej("standings", EVENT).out == "Nobody has played yet.\n"


def test_level_players_are_marked_and_who_has_left_too(tmp_path: Path, dalej: Program) -> None:
    with world.an_event(tmp_path, games="1") as event:
        one = rounds.seated(event.state())
        entries = {
            GameAt(at.table, 1): Entry(
                "went_out", tuple(Rack(seat=seat, points=10 * place) for place, seat in enumerate(seats_of(at)))
            )
            for at in rounds.seating_of(one).tables
        }
        event.change(lambda state: results.enter(state, one.key, entries))
        world.close(event)
        event.change(lambda state: attendance.withdraw(state.players[1]))
    done = dalej("standings", EVENT)
    lines = done.out.splitlines()
    assert lines[0].split() == ["place", "player", "big", "points", "small", "points", "games"]
    assert lines[1].split()[0] == "1="
    assert lines[1].split()[-3:] == ["1", "60", "1"]
    assert lines[3].split()[-3:] == ["0", "−10", "1"]
    assert "Lis (withdrawn)" in done.out
    told, _colon, command = lines[-1].partition(": ")
    assert told == "= level; the head referee may decide, the best first"
    assert command.startswith("dalej ruling tie "), "complete, to be copied"
    assert len(command.split()) > 6


def test_json_is_a_line_a_player_of_a_stage_or_of_the_event(tmp_path: Path, dalej: Program) -> None:
    with world.an_event(tmp_path, 16, ruleset="pl-eliminations", closed=2, seated=False) as event:
        world.advance(event)
    whole = dalej("standings", EVENT, "--json").objects
    assert len(whole) == 16
    assert [one["stage"] for one in whole] == ["semifinal"] * 8 + ["preliminaries"] * 8
    first = dalej("standings", EVENT, "--stage", "preliminaries", "--round", "1", "--json").objects
    assert {one["games"] for one in first} == {2}
    assert first[0].keys() == {
        "place", "level", "player", "name", "group", "stage", "big", "small", "games", "gone",
    }  # fmt: skip
    assert dalej("standings", EVENT, "--stage", "final").code == 1
