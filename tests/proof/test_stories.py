"""One story of each part of the campaign, and that each finds what is spoilt."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
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


SPOILT: Final = """
from dalej.desk.arrivals import Arrivals

commit, kept = Arrivals.commit, []


def commits_later(arrivals, now_ms):
    new = arrivals._reports
    arrivals._reports, kept[:] = [*kept], new
    commit(arrivals, now_ms)
    for one in new:
        session = arrivals._lines[bytes.fromhex(one.fact.box)].session
        if session is not None:
            session.committed(one.fact.epoch, one.fact.seq)


Arrivals.commit = commits_later
"""


def test_an_evening_finds_a_desk_that_acknowledges_what_it_stores_with_what_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given such a desk: what it had not stored when it was killed is nowhere any more."""
    (tmp_path / "sitecustomize.py").write_text(SPOILT, "utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH")))))
    monkeypatch.setattr(evenings, "own_database", lambda _name: nullcontext(""))

    with pytest.raises(AssertionError, match=r"^box [0-9a-f]{12}: Fact.* in the file, Fact.* in truth$"):
        evenings.play(1)
