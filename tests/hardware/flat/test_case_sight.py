"""Nobody loses the field to the flat box, and a referee three metres away reads it."""

from __future__ import annotations

import pytest

from hardware.flat.case import sight
from hardware.flat.case.sizes import SIZES

BOX = sight.flat(SIZES)
CORNER = SIZES.shell.corner
LIMITS = {"child of seven, adults' chair": 0.07}
"""Most that a seat may lose: 6 %, but for a child whose chair is too low for the table."""


@pytest.mark.parametrize("eye", sight.EYES, ids=lambda eye: eye.name)
def test_in_the_middle_of_the_table_no_seat_loses_much(eye: sight.Eye) -> None:
    for at in sight.seats(eye, 800.0):
        lost = sight.hidden(BOX, at)
        assert lost < LIMITS.get(eye.name, 0.06)
        assert lost < sight.hidden(sight.OLD, at) / 3
    assert sight.taken(BOX) < 0.085 < sight.taken(sight.OLD)


@pytest.mark.parametrize("eye", sight.EYES, ids=lambda eye: eye.name)
def test_at_a_corner_of_the_table_no_seat_loses_anything(eye: sight.Eye) -> None:
    """Of a metre: nothing at all. Of 80 cm, where it must stand on the field's corner: half a percent behind it."""
    for table, most in ((1000.0, 0.0), (800.0, 0.005)):
        at = table / 2 - CORNER
        for x, y in ((at, at), (at, -at), (-at, at), (-at, -at)):
            there = [block.moved((x, y)) for block in BOX]
            assert max(sight.hidden(there, seat) for seat in sight.seats(eye, table)) <= most
            assert sight.taken(there) <= 4 * most


def test_the_tray_beside_it_hides_nothing_either() -> None:
    """At the next corner of a table of a metre, though it is higher than the box."""
    from hardware.flat.case import tray

    (left, right), (near, far) = tray.stand_outline(SIZES)
    top = tray.height(SIZES) + SIZES.tile.stack * SIZES.tile.thickness + 8.0
    stand = sight.Block(((left, near), (right, near), (right, far), (left, far)), top).moved((440.0, 420.0))
    for eye in sight.EYES:
        assert max(sight.hidden([stand], seat) for seat in sight.seats(eye, 1000.0)) == 0.0


def test_a_higher_box_would_hide_more() -> None:
    eye = sight.seats(sight.EYES[0], 800.0)[0]
    high = [sight.Block(block.outline, block.height + 20.0) for block in BOX]
    assert sight.hidden(high, eye) > 0.06


@pytest.mark.parametrize("stands", [1515.0, 1630.0, 1745.0])
def test_a_standing_referee_reads_the_digits_at_three_metres(stands: float) -> None:
    """At least 16 minutes of arc, better 20 to 22 (ISO 9241-303, 5.5.4)."""
    assert sight.digit_angle(SIZES, 3000.0, stands) > 20.0
    assert sight.digit_angle(SIZES, 5000.0, stands) > 16.0, "and from five metres at all"


@pytest.mark.parametrize("eye", sight.EYES, ids=lambda eye: eye.name)
def test_a_player_sees_level_segments_through_the_wall(eye: sight.Eye) -> None:
    assert sight.stroke_seen(SIZES, eye, 800.0) > 2.0
