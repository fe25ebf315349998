"""What a spare box is told of the game it takes over: as it travels, as its journal says it, in words."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game import commands
from dalej.domain.game.calls import Calls
from dalej.domain.game.commands import MidGame, read, told_by
from dalej.domain.game.facts import Fact
from dalej.domain.game.sentences import tell
from dalej.domain.game.verify import verify
from moveclock import facts as k
from tests.domain.tables import B, Journal
from tests.domain.takeover import Both, both, late, takes_over

LAPS = st.builds(
    MidGame, late=st.booleans(), drawn=st.booleans(), penalty=st.booleans(),
    lap_reason=st.sampled_from((k.BANK_EMPTY, k.ROUND_TIME)), lap_mask=st.integers(0, 15), lap_waits=st.booleans(),
)  # fmt: skip
NO_LAPS = st.builds(MidGame, late=st.booleans(), drawn=st.booleans(), penalty=st.booleans())
LATE = "B: time was over at the box before, and what becomes of the move is still to be said"
POSITION = {"game": 1, "move": 2, "seat": 3, "remaining_ms": 4, "bank": 5, "out": 6}


def begun(more: MidGame) -> Fact:
    return Journal().write(k.MOVE_STARTED, 0, 7, B, int(more.late), 0 if more.late else 9_000, more.number, 12)


@given(st.one_of(LAPS, NO_LAPS))
def test_what_is_told_is_what_is_read(more: MidGame) -> None:
    assert read(more.number) == more
    assert told_by(begun(more)) == more
    assert more.number < 1 << 12


def test_a_move_like_any_other_is_sent_as_six_numbers() -> None:
    six = struct.pack("<6I", *POSITION.values())
    assert commands.encode("take_over", POSITION) == (k.C_TAKE_OVER, six)
    assert commands.encode("take_over", {**POSITION, "more": 0}) == (k.C_TAKE_OVER, six)
    assert commands.encode("take_over", {**POSITION, "more": 2048}) == (k.C_TAKE_OVER, six + struct.pack("<I", 2048))


def test_a_journal_names_what_a_move_brought_along_and_says_nothing_of_other_moves() -> None:
    more = MidGame(late=True, penalty=True, lap_reason=k.ROUND_TIME, lap_mask=0b1001)
    assert begun(more).fields() == {
        "game": 1, "move": 7, "seat": "B", "remaining_ms": 0, "bank": 12, "late": True, "drawn": False,
        "penalty_tile": True, "final_lap": "round_time", "lap_seats": "AD", "lap_waits": False,
    }  # fmt: skip
    assert begun(MidGame()).fields() == {"game": 1, "move": 7, "seat": "B", "remaining_ms": 9_000, "bank": 12}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (MidGame(), "B to move, 9.0 s"),
        (MidGame(drawn=True), "B to move, 9.0 s"),
        (MidGame(lap_reason=k.BANK_EMPTY), "B to move, 9.0 s; the final lap goes on (bank empty)"),
        (MidGame(late=True), LATE),
        (
            MidGame(late=True, lap_reason=k.ROUND_TIME),
            f"{LATE}; the final lap goes on (round time)",
        ),
    ],
)
def test_a_move_that_was_taken_over_is_told_in_a_sentence(more: MidGame, said: str) -> None:
    assert tell(begun(more)) == said


def test_a_verdict_that_was_open_waits_for_the_table_at_the_spare_until_it_has_spoken() -> None:
    spare, calls = takes_over(late()), Calls()
    for fact in spare.facts:
        calls.take(fact)
    assert {(one.kind, one.seat, one.move) for one in calls.open()} == {("time_out", 0, 1), ("power_lost", 0, 1)}
    known = len(spare.facts)
    spare.order(k.C_RESUME)
    spare.press(2 * B)
    for fact in spare.facts[known:]:
        calls.take(fact)
    assert calls.open() == ()


@given(both())
def test_a_spare_that_goes_on_with_any_game_tells_of_a_game_that_makes_sense(game: Both | None) -> None:
    if game is not None:
        assert verify(game.spare, baseline=0, head=game.spare[-1].seq) == []
