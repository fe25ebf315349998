"""`dalej round` and `dalej advance`."""

from __future__ import annotations

import asyncio
import random
import shlex
from pathlib import Path

import pytest

from dalej.cli.rounds import Countdown, lap_lines
from dalej.clock import ManualClock
from dalej.domain.tournament.tournament import RoundClock, RoundKey
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office import rounds
from dalej.office.roundclock import Asked
from dalej.office.rounds import backup_of
from tests import world
from tests.cli.conftest import Program
from tests.domain.tables import BOX

EVENT = "event.dalej"


@pytest.fixture
def league(tmp_path: Path, dalej: Program) -> Event:
    """Eight players at two tables, two games each, seated."""
    with world.an_event(tmp_path, games="2", no_new_game="15 min") as event:
        return event


def reopened(tmp_path: Path) -> Event:
    return Event(Ledger.open(tmp_path / EVENT), who="Gęś", wall_ms=world.Ticking())


def play(tmp_path: Path) -> None:
    event = reopened(tmp_path)
    with event.ledger:
        world.play(event, random.Random(1))


def test_show_tells_what_is_missing_and_who_won(league: Event, tmp_path: Path, dalej: Program) -> None:
    assert "4 games are missing: tables 1, 2: 1, 2" in dalej("round", "show", EVENT).out
    play(tmp_path)
    assert "Every result is in." in dalej("round", "show", EVENT).out
    first = dalej("round", "show", EVENT, "--json").objects[0]
    assert (first["entered"], first["missing"], first["confirmed"], first["closed"]) == ([1, 2], [], False, False)


def test_a_closed_round_leaves_a_copy_beside_the_event(league: Event, tmp_path: Path, dalej: Program) -> None:
    assert "lacks results of games: tables 1, 2: 1, 2" in dalej("round", "close", EVENT).err
    play(tmp_path)
    done = dalej("round", "close", EVENT)
    copy = tmp_path / "event.league-1.backup.dalej"
    assert done.out.startswith(f"League, round 1 is closed; a copy is in {copy.name}. Note – not confirmed")
    assert backup_of(tmp_path / EVENT, RoundKey("league", 1)) == copy
    with Ledger.open(copy) as ledger:
        state = Event(ledger, who="Gęś", wall_ms=lambda: 0).state()
    assert state.rounds[RoundKey("league", 1)].closed is not None


def test_a_copy_that_cannot_be_made_leaves_the_round_closed(league: Event, tmp_path: Path, dalej: Program) -> None:
    play(tmp_path)
    (tmp_path / "event.league-1.backup.dalej").mkdir()
    done = dalej("round", "close", EVENT)
    assert done.code == 0
    assert done.out.startswith("League, round 1 is closed. No copy was made: ")


def test_the_clock_says_what_is_left(league: Event, dalej: Program) -> None:
    assert "dalej round start starts it" in dalej("round", "clock", EVENT, "--once").err
    assert "sets no round time (6o)" in dalej("round", "start", EVENT).err
    assert dalej("round", "start", EVENT, "--minutes", "1").out == "League, round 1 has begun: one minute.\n"
    assert dalej("round", "start", EVENT, "--minutes", "90").out == "League, round 1 has begun: 90 minutes.\n"
    assert dalej("round", "clock", EVENT, "--once").out.startswith("League, round 1: ")
    told = dalej("round", "clock", EVENT, "--json").objects[0]
    assert told["length_ms"] == 90 * 60_000
    assert 0 < told["remaining_ms"] <= told["length_ms"]


def begun(event: Event) -> RoundClock:
    """A box counts at table 1, and the round's 90 minutes have begun."""
    world.stands(event, BOX, 1)
    event.change(lambda state: rounds.start(state, 90))
    clock = rounds.seated(event.state()).clock
    assert clock is not None
    return clock


def test_the_countdown_tells_each_moment_and_asks_the_boxes_once(league: Event, tmp_path: Path) -> None:
    event = reopened(tmp_path)
    with event.ledger:
        began = begun(event)
        clock, said = ManualClock(began.starts_ms), list[str]()
        countdown = Countdown(event, clock, said.append, rewrites=False)
        for minute in (0, 75, 89, 90):
            clock.time_ms = minute * 60_000
            wait = countdown.step()
        assert wait is None
        assert said == [
            "90:00 left", "15:00 left", "No new game may begin.", "1:00 left",
            "The boxes at tables 1 are told when the final lap begins", "0:00 left", "The time of the round is over.",
            "Final lap, asked before of the boxes at tables 1", "Final lap, to be told by voice at tables 2",
        ]  # fmt: skip
        (request,) = event.ledger.open_requests()
        assert (request.command, request.args["at_ms"]) == ("final_lap", began.starts_ms + began.length_ms)


def test_a_clock_that_is_started_anew_after_the_boxes_were_told_says_which_go_by_the_old_one(
    league: Event, tmp_path: Path
) -> None:
    event = reopened(tmp_path)
    with event.ledger:
        began = begun(event)
        clock, said = ManualClock(began.starts_ms + 88 * 60_000), list[str]()
        countdown = Countdown(event, clock, said.append, rewrites=False)
        countdown.step()
        event.change(lambda state: rounds.start(state, 100))
        countdown.step()
        countdown.step()
    assert [line for line in said if "as it was before" in line] == [
        "The boxes at tables 1 were told the end as it was before: their final lap begins then"
    ]


def test_the_countdown_ends_when_another_desk_closes_the_round(league: Event, tmp_path: Path) -> None:
    event, said = reopened(tmp_path), list[str]()
    with event.ledger:
        event.change(lambda state: rounds.start(state, 90))
        countdown = Countdown(event, ManualClock(world.NOON), said.append, rewrites=False)
        countdown.step()
        event.change(lambda state: rounds.close(state, "the school closes"))
        asyncio.run(countdown.run())
    assert said[-1] == "The round is closed."


def test_tables_asked_before_are_told_apart() -> None:
    assert lap_lines(Asked((), (1, 2), ())) == ["Final lap, asked before of the boxes at tables 1, 2"]


def test_advance_prints_who_goes_on(tmp_path: Path, dalej: Program) -> None:
    world.event_file(tmp_path, 16, ruleset="pl-eliminations", closed=2, seated=False)
    assert dalej("advance", EVENT, "--players", "12").code == 1
    done = dalej("advance", EVENT)
    assert done.out.startswith("8 players go on to Semifinal:\n   1  ")
    assert len(done.out.splitlines()) == 9
    assert dalej("advance", EVENT).err.startswith("Semifinal: it is settled already who goes on (8 players); ")


def test_who_leaves_after_the_advance_is_replaced_by_nobody_and_how_is_said(tmp_path: Path, dalej: Program) -> None:
    with world.an_event(tmp_path, 16, ruleset="pl-eliminations", closed=2, seated=False) as event:
        world.advance(event)
        first, *_others = event.state().entrants["semifinal"]
    assert dalej("seat", "show", EVENT, "--round", "preliminaries/1").code == 0
    told = dalej("players", "withdraw", EVENT, str(first)).out
    assert "Semifinal: nobody moves up by itself; dalej undo event.dalej " in told
    undo, again = told.splitlines()[-2].split("; ")[1].split(", then ")
    assert dalej(*shlex.split(undo)[1:], "--yes").code == 0
    assert dalej(*again.removesuffix(", lets the next one in").split()[1:]).code == 0
    assert str(first) not in dalej("seat", "draw", EVENT, "--json").objects[0]["seats"]


def test_a_round_is_shown_when_everything_is_over(tmp_path: Path, dalej: Program) -> None:
    with world.an_event(tmp_path, closed=1, seated=False, games="1", rounds="1") as event:
        assert event.state().over
    for command in ("seat", "round"):
        assert dalej(command, "show", EVENT).out.splitlines()[0].endswith("League, round 1")
        assert dalej(command, "show", EVENT, "--round", "1").code == 0


def test_16_each_round_of_a_league_has_its_own_date_on_paper_and_on_the_page(dalej: Program) -> None:
    new = ("--ruleset", "school-league", "--town", "Reda", "--date", "2026-11-27")
    assert dalej("event", "new", "dated.dalej", *new).code == 0
    for name in (f"Lis {letter}{other}" for letter in "abcde" for other in "abcd"):
        assert dalej("players", "add", "dated.dalej", name).code == 0
    assert dalej("round", "date", "dated.dalej", "2026-12-04", "--round", "2").code == 0
    assert dalej("round", "date", "dated.dalej", "2026-12-11", "--round", "league/3").code == 0
    days = [one["date"] for one in dalej("round", "date", "dated.dalej", "--json").objects]
    assert days == ["2026-11-27", "2026-12-04", "2026-12-11", None, None, None]
    assert "League, round 2: 2026-12-04" in dalej("event", "show", "dated.dalej").out
    assert "04.12.2026" in dalej("--lang", "pl", "event", "show", "dated.dalej").out
    assert "04/12/2026" in dalej("--lang", "it", "round", "date", "dated.dalej").out
    assert dalej("--lang", "en", "round", "date", "dated.dalej", "--json").objects[1]["date"] == "2026-12-04"
    assert dalej("paper", "site", "dated.dalej").code == 0
    page = Path("dated-site", "index.html").read_text(encoding="utf-8")
    assert "League, round 2: December 4, 2026" in page
    assert "League, round 1: November 27, 2026" in page
    for wrong in (("tomorrow",), ("2026-12-04", "--round", "9")):
        assert dalej("round", "date", "dated.dalej", *wrong).code == 1
    assert dalej("round", "date", "dated.dalej", "default", "--round", "2").code == 0
    assert "League, round 2  –" in dalej("round", "date", "dated.dalej").out
    assert dalej("undo", "dated.dalej", "--yes", "--why", "not yet").code == 0
    assert "2026-12-04" in dalej("round", "date", "dated.dalej").out
