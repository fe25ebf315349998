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


SPOILT: Final = {
    r"was told that \d+ facts are stored, and \d+ are": (
        """
def arrived(arrivals, line, event, now_ms, arrived=Arrivals.arrived):  # acknowledges what it stores soon
    arrived(arrivals, line, event, now_ms)
    line.session.committed(event.facts[-1].epoch, event.facts[-1].seq)

Arrivals.arrived = arrived
""",
        """
def commit(arrivals, now_ms, commit=Arrivals.commit):  # acknowledges to each box what it has of another
    seqs = [one.fact.seq for one in arrivals._reports]
    commit(arrivals, now_ms)
    for line in arrivals._lines.values():
        if line.live is not None:
            for seq in seqs:
                line.live.committed(line.live.epoch, seq)

Arrivals.commit = commit
""",
    ),
    "more than anybody asked|was set up as another": (
        """
def send(orders, line, session, request, send=Orders._send):  # to another box
    others = [one for one in orders._lines.values() if one.live is not None and one is not line]
    for other in others[:1]:
        send(orders, other, other.live, request)

Orders._send = send
""",
    ),
    "became .*, not": (
        """
def answer(orders, fact):  # whatever it is
    orders._outcome(fact.a, "refused", "state")

Orders._answer = answer
""",
    ),
    "and the box never answered it": (
        """
def send(orders, line, session, request, send=Orders._send):
    send(orders, line, session, request)
    unsent = orders._ledger.request(line.table, "blink", {}, who="Sowa", at_ms=0, box=line.box)
    orders._outcome(unsent.id, "applied")

Orders._send = send
""",
    ),
    r"ms earlier than the file has it": (
        """
def desk_ms(uptimes, boot, uptime_ms, desk_ms=UptimeMap.desk_ms):
    made_ms = desk_ms(uptimes, boot, uptime_ms)
    return None if made_ms is None else made_ms - 700

UptimeMap.desk_ms = desk_ms
""",
    ),
    "is no news after": (
        """
def arrived(arrivals, line, event, now_ms, arrived=Arrivals.arrived):
    arrived(arrivals, line, replace(event, old_through=1_000_000), now_ms)

Arrivals.arrived = arrived
""",
    ),
    "is news after": (
        """
arrivals.Report = lambda fact, received_ms, wall_ms, old: Report(fact, received_ms, wall_ms, False)
""",
    ),
}  # fmt: skip
"""What an evening says of a desk that does so."""

PREPARED: Final = """
from dataclasses import replace

from dalej.desk import arrivals
from dalej.desk.arrivals import Arrivals, Report
from dalej.desk.requests import Orders
from dalej.link.uptime import UptimeMap
"""


@pytest.mark.parametrize(("said", "spoilt"), [(said, each) for said, every in SPOILT.items() for each in every])
def test_an_evening_finds_a_desk_that_is_spoilt(
    said: str, spoilt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(PREPARED + spoilt, "utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH")))))
    monkeypatch.setattr(evenings, "own_database", lambda _name: nullcontext(""))
    monkeypatch.setattr(evenings, "MOVES", 30)

    with pytest.raises(AssertionError, match=said):
        evenings.play(1)
