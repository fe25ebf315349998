"""The panel that is ordered: what hangs on what, and what machines hold it by."""

from __future__ import annotations

import re
from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest

from hardware.flat import layout
from hardware.flat.circuit import MAIN, SIDES

PAGES = ("flat.md", "flat-pl.md")
PINS_OVERHANG = 6.04  # mm: a display's pins, beyond the main board's edge
MARK_CLEAR = 2.0  # diameter of what is bare round a mark


def _pieces() -> dict[str, list[tuple[float, float]]]:
    """The corners of each piece on the panel, its rails among them."""
    placed = {piece: layout.placed(piece) for piece in (MAIN, *SIDES)}
    return placed | dict(zip(("upper rail", "lower rail"), layout.rails(), strict=True))


def test_each_bridge_joins_two_pieces_and_every_piece_hangs_on_a_rail_or_between_two_neighbours() -> None:
    beyond = layout.GAP / 2 + 0.1
    joined: dict[str, set[str]] = {name: set() for name in _pieces()}
    for x, y, across in layout.bridges():
        ends = [(x + s * beyond, y) if across else (x, y + s * beyond) for s in (-1, 1)]
        found = [[name for name, corners in _pieces().items() if layout.encloses(corners, *end)] for end in ends]
        assert all(len(one) == 1 for one in found), (x, y, found)
        (one,), (other,) = found
        joined[one].add(other)
        joined[other].add(one)
    assert joined == {
        "upper rail": {MAIN, "A"}, "lower rail": {MAIN, "D"}, MAIN: {"upper rail", "lower rail", "B", "C"},
        "A": {"upper rail", "B"}, "B": {"A", "C", MAIN}, "C": {"B", "D", MAIN}, "D": {"C", "lower rail"},
    }  # fmt: skip


def test_rails_are_the_panels_long_edges_and_have_what_jlcpcb_asks_for() -> None:
    """JLCPCB, "Specifications for adding process edges", 2024: 5 mm and more, holes of 2 mm, marks 3.58 mm or more from
    the edge; "How to add edge rails", 2023: a mark's clearing 3.35 mm, and all parts 5 mm from the edge.
    """
    corners = [at for each in _pieces().values() for at in each]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    for rail, edge in zip(layout.rails(), (top, bottom), strict=True):
        assert {(left, edge), (right, edge)} <= set(rail)
        assert min(abs(y - edge) for _, y in rail if y != edge) >= 5.0
    assert bottom - layout.HALF - PINS_OVERHANG > 5.0
    assert layout.TOOLING == 2.0
    assert len(layout.tooling()) == 4
    fronts = [(x, y) for x, y, back in layout.fiducials() if not back]
    assert fronts == [(x, y) for x, y, back in layout.fiducials() if back]
    assert len(fronts) == 3
    for x, y in fronts:
        assert min(y - top, bottom - y) > max(3.58, 3.35 + MARK_CLEAR / 2)
        assert min(hypot(x - a, y - b) for a, b in layout.tooling()) > 5, "a hole is taken for a mark"
    turned = {(left + right - x, top + bottom - y) for x, y in fronts}
    assert len(turned & set(fronts)) < len(fronts), "turned round it looks alike"
    for at in (*layout.tooling(), *fronts):
        assert any(layout.encloses(rail, *at) for rail in layout.rails())


def test_a_rail_hangs_on_bridges_that_are_close_to_each_other() -> None:
    """JLCPCB's guide to panels: 50 to 60 mm at most; and no end of a rail is free for longer."""
    for end in (-1, 1):
        at = sorted(x for x, y, across in layout.bridges() if not across and end * y > layout.HALF - 6)
        assert max(there - here for here, there in pairwise(at)) <= 50
        assert at[0] - -layout.HALF < 40
        assert layout.HALF + layout.GAP + layout.DISPLAY[0] - at[-1] < 20


@pytest.mark.parametrize("name", PAGES)
def test_the_page_says_how_large_the_panel_is(name: str) -> None:
    corners = [at for each in _pieces().values() for at in each]
    size = [max(at[axis] for at in corners) - min(at[axis] for at in corners) for axis in (0, 1)]
    text = Path(layout.__file__).parents[1].joinpath(name).read_text("utf-8")
    assert re.findall(r"panel (?:of )?(\d+) × (\d+) mm", text) == [tuple(f"{one:g}" for one in size)]
