"""What a table's screen says fits into its lines, whatever there is to say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from textwrap import wrap
from typing import Any, Final

import pytest

from dalej.desk.feed.messages import Inside
from dalej.domain.game.facts import STATES
from dalej.views import tablehints
from dalej.views.tablehints import COLUMNS, LINES, hint
from moveclock import facts as k
from tests.tui.clocks import CLOCKS, ROW, SCHOOL, face_of, knows

FLAGS: Final = ("called", "drawn", "pending", "announced", "final_lap", "clicked")


def known_as(state: str) -> Iterator[Inside]:
    """The box's own word in that state with every combination of what changes its hint."""
    inside = knows(CLOCKS[state](), 50_000)
    reasons = range(5) if state in ("stopped", "over") else (k.NOBODY,)
    held = ((k.NOBODY, 0, 0), (k.SEDZIA, 900, 2_000))
    for flags in product([False, True], repeat=len(FLAGS) if state == "running" else 1):
        said: dict[str, Any] = dict(zip(FLAGS, flags, strict=False))
        for claim_s, withdraw_s, reason, holds in product((0, 10), (0, 3), reasons, held):
            yield replace(
                inside, **said, claim_s=claim_s, withdraw_s=withdraw_s, reason=reason, holds=holds,
                further=said.get("drawn", False),
            )  # fmt: skip


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("who", ["looks", "plays", "other"])
@pytest.mark.parametrize("in_reach", [True, False])
def test_every_combination_is_told_in_three_lines_that_fit(state: str, who: str, in_reach: bool) -> None:
    face = face_of(CLOCKS[state](), 50_000, mine=who == "plays", taken=who != "looks", in_reach=in_reach)
    row = replace(ROW, names=("Gżegżółka", "Trzmielojad", "Pliszka", "Pustułka"))
    remark = "" if in_reach else tablehints.not_ours(face)
    for said_inside in known_as(state):
        said = hint(row, replace(face, inside=said_inside), SCHOOL, remark)

        assert said.endswith((".", ")"))
        assert "{" not in said
        assert sum(len(wrap(line, COLUMNS, break_on_hyphens=False)) for line in said.split("\n")) <= LINES, said


@pytest.mark.parametrize("state", STATES)
def test_what_the_hall_knows_is_told_in_three_lines_that_fit(state: str) -> None:
    row = replace(ROW, state=state, seat=k.NOBODY if state in ("idle", "ready") else 0)

    said = hint(row, None, SCHOOL)

    assert said.endswith((".", ")"))
    assert len(wrap(said, COLUMNS)) <= LINES
