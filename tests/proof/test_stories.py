"""One story of each part of the campaign, and that each finds what is spoilt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest

from proof import evenings, power, scopes, stamps
from proof.campaign import Outcome
from tests.journal.little_flash import LittleFlash
from tests.link.rig import Shelf

of_a_chip: Final = partial(power.of_a_chip, commits=60)
of_a_browser: Final = partial(power.of_a_browser, presses=150)


@pytest.mark.parametrize(
    ("play", "counted"),
    [(evenings.play, "turns"), (scopes.of_two_moves, "cases"), (of_a_chip, "cuts"),
     (of_a_browser, "cuts"), (stamps.of_moves, "moves")],
    ids=["evenings", "scopes", "chip", "browser", "stamps"],
)  # fmt: skip
def test_a_story_finds_nothing_and_is_the_same_again(play: Callable[[int], Outcome], counted: str) -> None:
    first = play(1)

    assert first.counts[counted] > 50
    if play is not evenings.play:  # a killed process has done as much as it has
        assert play(1) == first


def test_a_desk_that_acknowledges_what_it_has_not_stored_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shelf, "_store", lambda shelf, session, event, now: session.committed(session.epoch, 1_000))
    with pytest.raises(AssertionError):
        scopes.of_two_moves(1)


def test_a_journal_that_says_more_than_its_flash_holds_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    put, calls = LittleFlash._put, iter(range(1_000))
    monkeypatch.setattr(LittleFlash, "_put", lambda flash, *what: put(flash, *what) if next(calls) != 30 else None)
    with pytest.raises(AssertionError):
        of_a_chip(1)
