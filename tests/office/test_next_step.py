"""What comes next names whoever would be forgotten: a child who came after the draw has no seat yet."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dalej.domain.game.facts import SEATS
from dalej.errors import Refused
from dalej.office import attendance, seating
from dalej.office.nextstep import next_step
from dalej.words import said
from tests.world import an_event, close, draw, play, sign_up


def test_who_came_after_the_draw_is_named_until_there_is_a_seat(tmp_path: Path) -> None:
    with an_event(tmp_path, 7) as event:

        def following() -> str:
            return said(next_step(event.state(), "e.dalej").said)

        before = following()
        assert "seat" not in before
        sign_up(event, [8])
        late = event.state().players[8]
        assert following() == f"{before} (8 {late.name} has no seat yet)"

        (chair,) = seating.free_chairs(event.state())
        assert next_step(event.state(), "e.dalej").before == ("seat", "move", "e.dalej", "8", chair)
        event.change(
            lambda state: seating.move(state, state.players[8], seating.Chair(int(chair[:-1]), SEATS.index(chair[-1])))
        )
        assert following() == before


def test_who_misses_the_round_and_who_finds_no_free_chair_is_not_named(tmp_path: Path) -> None:
    with an_event(tmp_path, 7) as event:
        sign_up(event, [8, 9])
        assert "8 " in said(next_step(event.state(), "e.dalej").said)
        event.change(lambda state: attendance.absent(state, [state.players[8], state.players[9]], True, None))
        assert "no seat" not in said(next_step(event.state(), "e.dalej").said)


def test_who_comes_after_the_last_round_is_closed_is_told_that_and_nothing_of_tables(tmp_path: Path) -> None:
    with an_event(tmp_path, 7) as event:
        for _round in range(event.state().plan[0].rounds):
            one = event.state().current
            if one is None or one.seating is None:
                draw(event)
            play(event, Random(1))
            close(event)
        with pytest.raises(Refused, match="the last round is closed, nobody can come in any more"):
            sign_up(event, [8])
