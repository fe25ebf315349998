"""A hall's entries as they travel: nothing is lost, nothing is confused, and what changes later is no part of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.centre.stream import BEGINNING, digest_after, expect_dense, line_of, read_line
from dalej.errors import WrongInput
from dalej.event.ledger import Decision, Ledger
from tests.centre.making import Filling, lines_of


def test_entries_of_every_kind_travel_and_are_read_as_they_were_written(tmp_path: Path, seed: int) -> None:
    with Ledger.create(tmp_path / "hall.dalej") as ledger:
        Filling(ledger, Random(seed)).some(300)
        entries, lines = ledger.since(0, 1_000), lines_of(ledger)
    assert {type(read_line(line)).__name__ for line in lines} == {
        "FactLine", "ConflictLine", "GapLine", "DecisionLine", "RequestLine", "OutcomeLine",
    }  # fmt: skip
    assert [read_line(line).cursor for line in lines] == [entry.cursor for entry in entries]
    expect_dense(lines, 0)


def test_what_a_later_entry_revokes_travels_as_it_was(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "hall.dalej") as ledger:
        made = ledger.decide("note", {}, who="Sowa", when_ms=1, why="seen")
        before = line_of(made)
        ledger.revoke(made.cursor, who="Wilk", when_ms=2, why="by mistake")
        (after, _revocation) = ledger.since(0)
    assert isinstance(after, Decision)
    assert after.revoked_by == 2
    assert line_of(after) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '["fact",1]',
        '["note",1,2]',
        '["outcome",1,2,"lost","",3]',
        '["gap",1,"b",1,1,1,"",1,1]',
        "[" * 999,
    ],
)
def test_what_is_no_entry_is_refused_in_words(text: str) -> None:
    with pytest.raises(WrongInput, match=r"expected|allowed"):
        read_line(text)


@given(st.lists(st.text(max_size=20), max_size=8), st.integers(0, 8))
def test_the_running_digest_is_the_same_in_however_many_steps(lines: list[str], cut: int) -> None:
    whole = digest_after(BEGINNING, lines)
    assert digest_after(digest_after(BEGINNING, lines[:cut]), lines[cut:]) == whole
    if lines:
        assert digest_after(BEGINNING, [*lines[:-1], lines[-1] + "!"]) != whole


def test_a_line_that_is_left_out_is_missed() -> None:
    lines = [f'["outcome",{cursor},1,"sent","",1]' for cursor in (4, 5, 7)]
    with pytest.raises(WrongInput, match="entry 7 comes where 6 was expected"):
        expect_dense(lines, 3)
