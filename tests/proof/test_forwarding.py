"""Some cases of the small scope between a hall and its centre, and that each kind of spoilt end is found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
import pytest

from dalej.centre.mirror import SeenHall
from dalej.centre.stream import read_line
from dalej.centre.talk import Asking, Told
from dalej.centre.whole import Whole
from dalej.event.event import Event
from proof import forwarding
from proof.campaign import share
from proof.forwarding import Case, Scene, Story, cases, played
from tests.postgres import Postgres

SOME: Final = 16
GIVEN: Final = 3  # the exchange in which the hall hears that it is given the round


@pytest.fixture(scope="module")
def scene(server: Postgres) -> Iterator[Scene]:
    with forwarding.scene(server) as made:
        yield made


def test_every_case_is_another_one() -> None:
    every = cases()

    assert len({*every}) == len(every)


def test_faults_and_crashes_are_at_every_place_that_a_round_without_any_has(scene: Scene) -> None:
    usual = Story(scene, Case())

    usual.play()

    assert (usual.exchanges, usual.commits) == (forwarding.EXCHANGES, forwarding.COMMITTED)


def test_cases_of_all_kinds_end_with_the_same_at_both_ends(scene: Scene) -> None:
    every = cases()

    counted = played(scene, every[:: len(every) // SOME]).counts

    assert counted["cases"] >= SOME
    assert counted["... with a crash"]
    assert counted["... that met a fault"] > SOME


def test_a_story_plays_its_own_cases_and_they_are_the_same_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarding, "A_STORY", 2)

    third = forwarding.of_a_round(3)

    assert third.counts["cases"] == 2
    assert third == played(scene, share(cases(), 3, 2))


def test_a_centre_that_tells_nothing_twice_is_found_by_an_answer_that_is_lost(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a centre that takes for heard what it has told, and not what the hall says that it has."""
    told = Whole.told
    last: dict[Whole, int] = {}

    def once(whole: Whole, hall: SeenHall, asking: Asking) -> Told:
        found = told(whole, hall, msgspec.structs.replace(asking, after=max(asking.after, last.get(whole, 0))))
        last[whole] = max([asking.after, last.get(whole, 0), *(read_line(line).cursor for line in found.lines)])
        return found

    monkeypatch.setattr(Whole, "told", once)

    played(scene, [Case(), Case(None, ((GIVEN, "lost"),))])
    with pytest.raises(AssertionError, match="it does not settle"):
        played(scene, [Case(None, ((GIVEN, "whose answer was lost"),))])


def test_an_end_that_puts_down_in_two_steps_what_is_one_is_found(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def one_by_one(_event: Event) -> Iterator[None]:
        yield

    monkeypatch.setattr(Event, "together", one_by_one)

    with pytest.raises(AssertionError, match="of centre there is"):
        played(scene, [Case()])
