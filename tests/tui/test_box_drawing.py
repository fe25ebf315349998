"""The drawing of a box says exactly what its view says: figures, ring, lamps; and every contact can be hit."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment

from dalej.desk.feed.messages import Face
from dalej.tui.widgets.boxdrawing import (
    PLANS,
    SEGMENTS,
    SOUNDS,
    Place,
    Plan,
    Scene,
    draw,
    figures,
    height,
    plan_for,
    split,
    width,
)
from moveclock import facts as k
from moveclock import view as v

NAMES: Final = ("Lis", "Sowa", "Borsuk", "Wydra")
SIZES: Final = (1, 3)
RUNS: Final = Face(3, True, True, (" 0:24",) * 4, (v.GREEN, 14, 3), 3 << 6, 0, 0, 0, False, False)
TEXTS: Final = (" -- ", "End ", "E 12", "----", "    ", "  3 ", "-  7", "-312")

sizes = pytest.mark.parametrize("size", SIZES)
plans = pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.width}x{plan.height}")


def shown(face: Face, plan: Plan = PLANS[-1], *, blink: bool = True, chosen: int | None = None) -> list[str]:
    return ["".join(piece.text for piece in line) for line in pieces(face, plan, blink=blink, chosen=chosen)]


def pieces(face: Face, plan: Plan = PLANS[-1], *, blink: bool = True, chosen: int | None = None) -> list[list[Segment]]:
    return draw(plan, Scene(face, NAMES, blink, chosen))


def part(lines: list[str], place: Place) -> str:
    return "\n".join(line[place.x : place.x + place.width] for line in lines[place.y : place.y + place.height])


def read(lines: list[str], size: int) -> str:
    """The text on a display, read from its figures."""
    known = {tuple(_figure(figures(f"{char}   ", size), 0, size)): char for char in SEGMENTS}
    digits = "".join(known[tuple(_figure(lines, place, size))] for place in range(4))
    gap = [line[2 * (size + 2) + 1 : -2 * (size + 2) - 1] for line in lines]
    dots = sum(1 for between in gap if between.strip())
    point = "" if not dots else "." if gap[-1].strip() else ":"
    return digits[:2] + point + digits[2:]


def _figure(lines: list[str], place: int, size: int) -> list[str]:
    left = place * (size + 3)
    if place > 1:
        left = width(size) - (4 - place) * (size + 3) + 1
    return [line[left : left + size + 2] for line in lines]


@sizes
@pytest.mark.parametrize("text", TEXTS)
def test_a_display_shows_exactly_its_four_characters(text: str, size: int) -> None:
    assert read(figures(text, size), size) == text


@sizes
@given(ms=st.integers(0, 6_000_000))
def test_a_display_shows_every_time_with_its_point(size: int, ms: int) -> None:
    assert read(figures(v.time_text(ms), size), size) == v.time_text(ms)


@sizes
def test_no_two_characters_look_alike(size: int) -> None:
    looks = {"\n".join(figures(f"{char}   ", size)) for char in SEGMENTS}

    assert len(looks) == len(SEGMENTS)


@sizes
def test_a_character_that_seven_segments_do_not_know_is_no_known_one(size: int) -> None:
    assert "\n".join(figures("?   ", size)) not in {"\n".join(figures(f"{char}   ", size)) for char in SEGMENTS}


@sizes
def test_figures_are_as_large_as_they_say(size: int) -> None:
    lines = figures(" 9.3 ", size)

    assert split(" 9.3 ") == (" 93 ", ".")
    assert [len(line) for line in lines] == [width(size)] * height(size)


@plans
def test_every_part_lies_within_the_box_and_apart_from_the_others(plan: Plan) -> None:
    parts = [*plan.contacts.values(), *plan.displays, *plan.names, plan.words, *plan.ring]

    for place in parts:
        assert place.x >= 0
        assert place.x + place.width <= plan.width
        assert place.y >= 0
        assert place.y + place.height <= plan.height
    for one, other in combinations(parts, 2):
        assert not any(
            other.holds(x, y) for x in range(one.x, one.x + one.width) for y in range(one.y, one.y + one.height)
        ), (one, other)


@plans
def test_every_contact_of_a_box_can_be_touched(plan: Plan) -> None:
    assert set(plan.contacts) == {*range(8), k.KOSTKA, k.SEDZIA}


@plans
@pytest.mark.parametrize("seat", range(4))
def test_each_side_shows_its_own_display_and_name(plan: Plan, seat: int) -> None:
    texts = ("12:34", " 5.6 ", "----", "    ")

    lines = shown(replace(RUNS, displays=texts), plan)

    assert read(part(lines, plan.displays[seat]).split("\n"), plan.size) == texts[seat]
    assert NAMES[seat] in part(lines, plan.names[seat])


@plans
@given(lit=st.integers(0, v.RING), seat=st.sampled_from([0, 1, 2, 3, k.NOBODY]))
def test_the_ring_lights_as_many_pixels_as_the_view_says_from_the_active_seat_on(
    plan: Plan, lit: int, seat: int
) -> None:
    lines = shown(replace(RUNS, ring=(v.RED, lit, seat)), plan)

    first = 0 if seat == k.NOBODY else 6 * seat
    for place, pixel in enumerate(plan.ring):
        assert (set(part(lines, pixel)) != {"·"}) == ((place - first) % v.RING < lit)


@plans
def test_the_ring_begins_in_the_middle_of_a_side_and_goes_clockwise(plan: Plan) -> None:
    top, right, bottom, left = (plan.ring[6 * seat] for seat in range(4))

    assert (top.x, left.y) == (bottom.x, right.y)
    assert top.y < right.y < bottom.y
    assert left.x < top.x < right.x
    assert plan.ring[1].x > top.x


@pytest.mark.parametrize(
    ("colour", "hue"),
    [(v.GREEN, "#3fdc6f"), (v.AMBER, "#ffb84d"), (v.RED, "#ff5f56"), (v.BLUE, "#6aa8ff"), (v.WHITE, "#f4f4f4")],
)
def test_the_ring_has_the_colour_of_the_view(colour: int, hue: str) -> None:
    lines = pieces(replace(RUNS, ring=(colour, v.RING, 0), lit=0))

    assert {piece.style.color.name for line in lines for piece in line if "●" in piece.text} == {hue}  # type: ignore[union-attr]


@plans
@pytest.mark.parametrize("contact", [*range(8), k.SEDZIA])
def test_a_lamp_tells_dark_lit_and_both_halves_of_blinking_by_shape(plan: Plan, contact: int) -> None:
    dark, mask = replace(RUNS, lit=0), 1 << contact
    place = plan.contacts[contact]

    looks = [
        part(shown(dark, plan), place),
        part(shown(replace(dark, lit=mask), plan), place),
        part(shown(replace(dark, blinking=mask), plan), place),
        part(shown(replace(dark, blinking=mask), plan, blink=False), place),
        part(shown(replace(dark, lit=mask, down=mask), plan), place),
    ]

    assert [look.strip("╭─╮│╰╯┏━┓┃┗┛╔═╗║╚╝\n ")[0] for look in looks] == ["○", "●", "◆", "◇", "▼"]
    assert len({look[0] for look in looks[:3]}) == 3


@plans
@pytest.mark.parametrize("contact", [*range(8), k.KOSTKA, k.SEDZIA])
def test_a_pressed_contact_looks_pressed_and_no_other_does(plan: Plan, contact: int) -> None:
    lines = shown(replace(RUNS, down=1 << contact), plan)

    assert [other for other, place in plan.contacts.items() if "▼" in part(lines, place)] == [contact]


@plans
def test_a_box_without_power_is_dark_and_says_so(plan: Plan) -> None:
    lines = shown(replace(RUNS, powered=False), plan)

    assert "NO POWER" in part(lines, plan.words)
    assert not any(part(lines, place).strip() for place in plan.displays)
    assert all(set(part(lines, pixel)) == {"·"} for pixel in plan.ring)
    assert not any("●" in line for line in lines)
    assert lines[0] != shown(RUNS, plan)[0]


@plans
def test_a_box_out_of_reach_shows_on_and_says_so(plan: Plan) -> None:
    lines = shown(replace(RUNS, in_reach=False), plan)

    assert any("OUT OF REACH" in line for line in lines)
    assert NAMES[k.SEAT_C] in lines[-1]
    assert lines[:-1] == shown(RUNS, plan)[:-1]


@plans
@pytest.mark.parametrize("sound", SOUNDS)
def test_a_sound_is_written(plan: Plan, sound: int) -> None:
    assert f"♪ {SOUNDS[sound]}" in part(shown(replace(RUNS, sound=sound), plan), plan.words)


@plans
def test_the_seat_of_the_ring_and_the_chosen_seat_are_marked(plan: Plan) -> None:
    lines = shown(RUNS, plan, chosen=k.SEAT_B)

    assert "▶ D Wydra ◀" in part(lines, plan.names[3])
    assert "[B Sowa]" in part(lines, plan.names[1])
    assert not any(mark in part(lines, plan.names[0]) for mark in "▶[")


@pytest.mark.parametrize(
    ("room", "plan"),
    [((85, 25), PLANS[0]), ((84, 25), PLANS[1]), ((200, 24), PLANS[1]), ((49, 15), PLANS[1]), ((10, 3), PLANS[1])],
)
def test_the_largest_drawing_that_fits_is_taken_and_the_smallest_if_none_does(
    room: tuple[int, int], plan: Plan
) -> None:
    assert plan_for(*room) is plan
