"""`dalej demo --event` at an event of the office: the round that is seated is played, and nothing else."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from dalej.cli.demo import LINKS, Evening, child
from dalej.domain.tournament.tournament import GameAt, RoundKey
from dalej.errors import Unreachable
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from tests import world
from tests.cli.conftest import Program

EVENT = "event.dalej"


class Keyboard(io.StringIO):
    """A terminal at which somebody has typed."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def league(tmp_path: Path, dalej: Program) -> Iterator[Event]:
    """Seven players sign up for a league of two games a round; nobody is seated."""
    with world.an_event(tmp_path, 7, seated=False, games="2") as event:
        yield event


def demo(dalej: Program, *options: str) -> str:
    """What it refuses, in one sentence."""
    done = dalej("demo", "--headless", "--yes", "--event", EVENT, *options)
    assert (done.code, done.err.count("\n")) == (1, 1)
    return done.err


def test_the_games_of_the_round_are_played_and_known_at_the_office(league: Event, dalej: Program) -> None:
    world.draw(league)
    done = dalej("demo", "--headless", "--yes", "--event", EVENT)

    assert done.code == 0
    assert "verify: clean" in done.out
    assert f"results list {EVENT}" in done.out
    games = dalej("results", "list", EVENT, "--json").objects
    assert [(game["table"], game["game"], game["state"]) for game in games] == [
        (1, 1, "played"), (1, 2, "played"), (2, 1, "played"), (2, 2, "played")
    ]  # fmt: skip
    for command in ("show", "verify"):
        assert dalej("log", command, EVENT).code == 0
    assert dalej("ruling", "list", EVENT).code == 0
    assert [game["table"] for game in dalej("log", "show", EVENT, "--table", "2", "--json").objects][:1] == [2]


def test_nothing_is_written_into_an_event_that_people_play_until_somebody_says_so(
    league: Event, dalej: Program
) -> None:
    world.draw(league)
    head = league.ledger.head()

    for how in (["--headless"], ["--no-screen"], ["--json"], ["--moves", "3"]):
        refused = dalej("demo", *how, "--event", EVENT)
        assert (refused.code, refused.out, league.ledger.head()) == (1, "", head)
        assert "would play 4 games of League, round 1 in it, at tables 1, 2: every move is written into" in refused.err
        assert refused.err.endswith(f"; dalej demo {' '.join(how)} --event {EVENT} --yes asks for it\n")
    typed = shlex.split(refused.err.rpartition("; ")[2].removesuffix(" asks for it\n"))
    assert dalej(*typed[1:]).code == 0
    assert league.ledger.head() > head


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 1), ("", 1)])
def test_a_terminal_asks_and_only_a_yes_plays(
    league: Event, dalej: Program, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    world.draw(league)
    monkeypatch.setattr("sys.stdin", Keyboard(f"{answer}\n"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    head = league.ledger.head()

    done = dalej("demo", "--json", "--event", EVENT)

    assert (done.code, league.ledger.head() > head) == (code, code == 0)
    assert "nothing takes that back. Play them? [y/N]" in done.err


def test_an_event_with_results_of_people_is_refused_even_to_somebody_who_insists(league: Event, dalej: Program) -> None:
    world.draw(league)
    world.play(league, Random(1), [GameAt(1, 1)])
    head = league.ledger.head()

    refused = demo(dalej)
    assert "League, round 1: results of 1 games that people played are in this event" in refused
    world.play(league, Random(1))
    world.close(league)
    world.draw(league)
    head = league.ledger.head()
    refused = demo(dalej)
    assert (league.ledger.head(), "League, round 1: results of 4 games" in refused) == (head, True)

    command = shlex.split(refused.rpartition("; ")[2].removesuffix(" makes one\n"))
    assert dalej(*command[1:]).out.startswith("rehearsal.dalej holds the event")


def test_a_rehearsal_goes_on_though_its_results_were_entered(league: Event, dalej: Program) -> None:
    world.draw(league)
    assert dalej("demo", "--headless", "--yes", "--event", EVENT).code == 0
    world.play(league, Random(1))
    world.close(league)
    world.draw(league)

    assert dalej("demo", "--headless", "--yes", "--event", EVENT).code == 0


def test_the_summary_counts_what_this_hall_has_played(league: Event, dalej: Program) -> None:
    world.draw(league)
    first = dalej("demo", "--json", "--yes", "--event", EVENT, "--moves", "20").objects[0]
    second = dalej("demo", "--json", "--yes", "--event", EVENT).objects[0]

    assert (first["tables"], second["tables"]) == (2, 2)
    assert first["moves"] + second["moves"] == len(dalej("log", "show", EVENT, "--json").objects)


def test_a_round_that_nobody_sits_in_is_refused(league: Event, dalej: Program) -> None:
    assert "is not seated yet; dalej seat draw event.dalej seats it" in demo(dalej)


def test_a_closed_round_is_refused(league: Event, dalej: Program) -> None:
    world.draw(league)
    world.play(league, Random(1))
    world.close(league)
    head = league.ledger.head()

    assert "round 2 is not seated yet" in demo(dalej)
    assert league.ledger.head() == head, "nothing was written"


def test_a_round_that_is_played_is_refused(league: Event, dalej: Program) -> None:
    world.draw(league)
    assert dalej("demo", "--headless", "--yes", "--event", EVENT).code == 0

    assert "every game has been played at the boxes" in demo(dalej)


def test_an_event_without_players_is_refused(dalej: Program) -> None:
    assert dalej("demo", "--json", "--yes", "--event", EVENT, "--tables", "1", "--moves", "3").code == 0

    assert "is not seated yet" in demo(dalej)


@pytest.mark.parametrize("option", [["--tables", "2"], ["--ruleset", "it-classic"]], ids=" ".join)
def test_tables_and_rules_are_the_events_own(league: Event, dalej: Program, option: list[str]) -> None:
    world.draw(league)
    done = dalej("demo", "--headless", "--yes", "--event", EVENT, *option)

    assert done.code == 2
    assert f"{option[0]} is for a new file" in done.err


def test_a_mixed_evening_is_rehearsed_boxes_play_where_they_are_and_people_type_the_other_results(
    league: Event, dalej: Program
) -> None:
    world.draw(league)
    assert dalej("demo", "--headless", "--yes", "--event", EVENT, "--boxes", "1").code == 0
    assert {at.table for at in games_of_round(league.read(), league.state(), world.FIRST)} == {1}
    world.play(league, Random(1))
    world.close(league)
    world.draw(league, anyway="")

    assert dalej("demo", "--headless", "--yes", "--event", EVENT, "--boxes", "2").code == 0
    assert {at.table for at in games_of_round(league.read(), league.state(), RoundKey("league", 2))} == {2}


def test_tables_that_are_to_have_boxes_are_those_of_a_seated_round(league: Event, dalej: Program) -> None:
    world.draw(league)
    head = league.ledger.head()

    assert "there is no table 3 (League, round 1), expected one of 1, 2" in demo(dalej, "--boxes", "1-3")
    assert "names no tables" in demo(dalej, "--boxes", "all")
    assert dalej("demo", "--json", "--boxes", "1", "--event", "new.dalej").code == 2
    assert league.ledger.head() == head


def test_links_held_by_another_process_are_not_taken(league: Event, dalej: Program) -> None:
    world.draw(league)
    seated_ms = league.state().rounds[next(iter(league.state().rounds))].seating.mark.when_ms  # type: ignore[union-attr]
    with Ledger.open(EVENT) as other:
        held = other.lease.acquire("the desk of Sowa", seated_ms, 10**12)
        assert "held by the desk of Sowa" in demo(dalej)
        other.lease.release(held)
    assert dalej("demo", "--headless", "--yes", "--event", EVENT, "--moves", "4").code == 0


def evening() -> Evening:
    """What a terminal starts for its screen."""
    return Evening(Path(EVENT), tables=6, seed=1, ruleset="school-league", links=LINKS, speed=20.0, seated=True)


def test_the_hall_behind_a_screen_plays_the_round_too(league: Event) -> None:
    world.draw(league)
    with child(evening()) as until_live:
        until_live()

    assert {decision.body["table"] for decision in read(league.ledger).decisions("assign")} == {1, 2}


def test_the_hall_behind_a_screen_has_boxes_where_it_was_said(league: Event) -> None:
    world.draw(league)
    with child(replace(evening(), boxes="2")) as until_live:
        until_live()

    assert {decision.body["table"] for decision in read(league.ledger).decisions("assign")} == {2}


def test_a_screen_says_why_there_is_no_hall(league: Event) -> None:
    with pytest.raises(Unreachable, match="did not start"), child(evening()) as until_live:
        until_live()
