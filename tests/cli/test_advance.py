"""`dalej advance`, and what the organiser may choose before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event.event import Event
from dalej.office import nextstep
from dalej.words import N_
from tests import world
from tests.cli.conftest import Program


@pytest.fixture
def elimination(tmp_path: Path) -> Iterator[Event]:
    """event.dalej: eliminations of 24 after the preliminaries."""
    with world.an_event(tmp_path, 24, ruleset="pl-eliminations", closed=2, seated=False) as event:
        yield event


@pytest.mark.usefixtures("elimination")
def test_organizacja_7_of_24_it_is_said_before_and_after_that_sixteen_may_be_chosen(dalej: Program) -> None:
    shown = dalej("event", "show", "event.dalej").out
    assert max(map(len, shown.splitlines()[:-1])) <= 80
    assert "8 players, or 16 where the organiser chooses so [ORGANIZACJA 7]" in " ".join(shown.split())
    done = dalej("advance", "event.dalej")
    assert "8 players go on to Semifinal:" in done.out
    words = " ".join(done.out.split())
    assert "The organiser may choose 16 as well [ORGANIZACJA 7" in words
    undo, again = (one for one in words.partition("”]: ")[2].split(", then "))
    assert dalej(*undo.split()[1:], "--yes", "--why", "sixteen").code == 0
    assert "16 players go on to Semifinal:" in dalej(*again.split()[1:]).out


@pytest.mark.parametrize(("players", "choice"), [(23, False), (24, True), (25, False)])
def test_organizacja_7_only_of_24_there_is_a_choice(dalej: Program, tmp_path: Path, players: int, choice: bool) -> None:
    world.event_file(tmp_path, players, ruleset="pl-eliminations", seated=False)
    shown = " ".join(dalej("event", "show", "event.dalej").out.split())
    assert ("or 16, if the organiser chooses so [ORGANIZACJA 7]" in shown) is choice


def test_organizacja_7_the_next_step_names_the_choice(elimination: Event) -> None:
    step = nextstep.next_step(elimination.state(), "event.dalej")
    assert step.said.data["others"] == "16"
    world.advance(elimination)
    assert nextstep.next_step(elimination.state(), "event.dalej").said.template == N_("seat {round}")


@pytest.mark.usefixtures("elimination")
def test_organizacja_7_where_sixteen_were_chosen_the_event_is_shown_so(dalej: Program) -> None:
    assert dalej("advance", "event.dalej", "--players", "16").code == 0
    assert "Semifinal: 1 round, 2 games at a table, for 16 players" in " ".join(
        dalej("event", "show", "event.dalej").out.split()
    )
