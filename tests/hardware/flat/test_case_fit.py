"""What the flat box's case holds fits into it, goes in the straight way, and does what it is for."""

from __future__ import annotations

import re
from dataclasses import replace
from math import hypot, radians, tan
from typing import TYPE_CHECKING, Any

import pytest

from hardware.flat import layout
from hardware.flat.case.sizes import SIZES, Sizes, in_corner, on_main
from hardware.flat.circuit import SIDES
from tests.hardware.clash import clashes

if TYPE_CHECKING:
    from hardware.flat.case.pieces import Piece

Named = list[tuple[str, Any]]


@pytest.fixture(scope="module")
def fit(case: dict[str, Piece]) -> dict[str, Piece]:
    """With a deck that has no segments' windows: what meets nothing there meets nothing, in a third of the time."""
    from build123d import Location

    from hardware.flat.case.deck import deck

    over = Location((0, 0, SIZES.shell.deck), (180, 0, 0))
    return case | {"deck": replace(case["deck"], solid=deck(SIZES, blind=True).moved(over))}


def printed(case: dict[str, Piece], *names: str) -> Named:
    """Where they are in the box."""
    return [(name, case[name].solid.moved(at)) for name in names for at in case[name].places]


def held(sizes: Sizes = SIZES) -> Named:
    from hardware.flat.case.bought import bought

    return [(part.kind, part.solid) for part in bought(sizes)]


def met(found: list[tuple[str, str, float]]) -> set[tuple[str, str]]:
    """Without what belongs into each other: a screw cuts its thread, a cap's cross holds on a stem of 1.29."""
    fine = {("deck", "screw"), ("main", "key")}
    return {pair for one, two, _ in found if (pair := (min(one, two), max(one, two))) not in fine}


def near(one: Any, other: Any) -> bool:
    """Whether two bounds meet."""
    return all(low < high for low, high in zip((*one.min, *other.min), (*other.max, *one.max), strict=True))


def test_nothing_in_the_closed_box_meets(fit: dict[str, Piece]) -> None:
    from hardware.flat.case.bought import plugs

    whole = printed(fit, "base", "deck", "mask", "cap-juz", "cap-dalej", "cap-sedzia") + held()
    whole += [(part.kind, part.solid) for part in plugs(SIZES)]
    assert met(clashes(whole)) == set()


def test_nothing_meets_what_is_soldered(fit: dict[str, Piece]) -> None:
    from hardware.flat.case.bought import below, parts_on

    for name, parts in (("deck", parts_on(SIZES, "main")), ("base", below(SIZES))):
        ((_, solid),) = printed(fit, name)
        bounds = [face.bounding_box() for face in solid.faces()]
        for part in parts.solids():
            own = part.bounding_box()
            if any(near(own, other) for other in bounds) or solid.is_inside(part.center()):
                assert sum(one.volume for one in solid.intersect(part) or []) < 0.01, f"{name} at {part.center()}"


def test_a_displays_parts_are_free_of_deck_base_and_mask(fit: dict[str, Piece]) -> None:
    from hardware.flat.case.bought import parts_on

    small = [("part", one) for one in parts_on(SIZES, "A").solids()]
    around = printed(fit, "base", "deck") + printed(fit, "mask")[:1]
    assert {pair for pair in met(clashes(small + around)) if "part" in pair} == set()


def test_what_does_not_fit_is_found(fit: dict[str, Piece]) -> None:
    from hardware.flat.case.bought import bought, plugs

    deck = printed(fit, "deck", "base")
    thick = replace(SIZES, plugs=replace(SIZES.plugs, usb=(14.0, 7.0)))
    assert ("cable", "deck") in met(clashes(deck + [(part.kind, part.solid) for part in plugs(thick)]))
    low = replace(SIZES, boards=replace(SIZES.boards, top=20.0))
    assert {"board", "display"} & {name for pair in met(clashes(deck + held(low))) for name in pair}
    long = replace(SIZES, screw=replace(SIZES.screw, length=22.0))
    assert any(volume > 60 for one, two, volume in clashes(deck + [(p.kind, p.solid) for p in bought(long)]))


def test_nothing_is_higher_than_40_mm_or_wider_than_200(fit: dict[str, Piece]) -> None:
    for _, solid in printed(fit, "base", "deck", "mask", "cap-juz", "cap-dalej", "cap-sedzia") + held():
        bounds = solid.bounding_box()
        assert bounds.min.Z >= 0.0
        assert bounds.max.Z <= 40.0
        assert max(bounds.max.X, bounds.max.Y, -bounds.min.X, -bounds.min.Y) <= 93.0 + 1e-6
    across = 2 * max(hypot(x, y) for x, y in SIZES.outline())
    assert across < 204.0, "from corner to corner"


@pytest.mark.parametrize("pressed", [0.0, 2.0, 4.0])
def test_a_cap_goes_down_and_stays_in_its_sleeve(fit: dict[str, Piece], pressed: float) -> None:
    """It meets nothing on its way, and is still held by four millimetres of wall or more."""
    from build123d import Location

    from hardware.flat.case.bought import key, parts_on

    keys = SIZES.key_places()
    caps = [
        ("cap", solid.moved(Location((0, 0, -pressed))))
        for _, solid in printed(fit, "cap-juz", "cap-dalej", "cap-sedzia")
    ]
    switches = [("key", key(SIZES, at, pressed)) for at in keys.values()]
    small = [
        ("part", one) for one in parts_on(SIZES, "main").solids() if SIZES.boards.top + 1.5 < one.bounding_box().max.Z
    ]
    assert met(clashes(caps + switches + small + printed(fit, "deck"))) == set()
    low = SIZES.cap.top - SIZES.cap.skirt - pressed
    assert low > SIZES.boards.top + 1.8, "above the lamps beside it"
    assert SIZES.cap.top - pressed > SIZES.shell.deck - SIZES.shell.bevel
    sleeve = SIZES.shell.deck - SIZES.shell.sleeve
    assert min(SIZES.cap.top - pressed, SIZES.shell.deck) - max(low, sleeve) > 7.0


def test_a_press_beside_a_caps_middle_counts() -> None:
    """At its edge it leans until the sleeve holds it; a flat hand presses it far enough."""
    cap, shell, key = SIZES.cap, SIZES.shell, SIZES.key
    overlap = min(cap.skirt, shell.sleeve) - (cap.top - shell.deck)
    lean = 2 * shell.cap_air / overlap
    assert lean * cap.side / 2 < 2.0, "millimetres at the edge"
    assert cap.top - shell.deck >= key.operates + 0.6, "flush with the deck it has made contact"


def test_each_word_is_for_the_player_of_its_side() -> None:
    """Już at the right hand, Dalej at the left, both upright from there."""
    from math import cos, sin

    keys = SIZES.key_places()
    for place, side in enumerate(SIDES):
        quarter = radians(-90.0 * place)
        right = (cos(quarter), sin(quarter))
        for name, hand in (("juz", 1), ("dalej", -1)):
            x, y, turn = keys[f"{name}-{side}"]
            assert (x * right[0] + y * right[1]) * hand == pytest.approx(16.0)
            assert turn == pytest.approx(-90.0 * place)


def test_the_words_are_sunk_into_the_caps(fit: dict[str, Piece]) -> None:
    from build123d import Location

    from hardware.enclosure.letters import width
    from hardware.enclosure.shapes import box
    from hardware.flat.case.small import WORDS

    for name, (words, height, _, pen) in WORDS.items():
        assert words in ("JUŻ", "DALEJ")
        assert width(words, height) + pen < SIZES.cap.side - 3.0
        assert 2 * SIZES.printer.line <= pen < 1.6 * height / 6, "as wide as prints, and no letter meets the next"
        lid = fit[f"cap-{name}"].solid.intersect(box((-20, 20), (-20, 20), (0.0, 0.3)))
        assert lid is not None
        upright = [solid.moved(Location()) for solid in lid]
        assert sum(one.volume for one in upright) < 0.3 * 24.5**2 - 10.0, "less than the whole lid"


@pytest.mark.parametrize("side", SIDES)
def test_a_display_is_plugged_on_and_the_deck_put_on_the_straight_way(fit: dict[str, Piece], side: str) -> None:
    """Onto its pins from outside, while the deck is off; then the deck, with its masks, down over all of them."""
    from build123d import Location

    from hardware.flat.case.bought import bought

    everything = bought(SIZES)
    home = SIDES.index(side)
    out = [(0, -1), (-1, 0), (0, 1), (1, 0)][home]
    own = [part for part in everything if part.place == side and part.kind in ("display", "display-socket")]
    rest = [(p.kind, p.solid) for p in everything if p.kind in ("board", "display-pins")] + printed(fit, "base")
    for away in (0.0, 2.0, 5.0, 8.5):
        moved = [(p.kind, p.solid.moved(Location((out[0] * away, out[1] * away, 0)))) for p in own]
        assert met(clashes(moved + rest)) == set()


def test_the_deck_comes_down_over_displays_and_keys(fit: dict[str, Piece]) -> None:
    from build123d import Location

    inside = [one for one in held() if one[0] in ("board", "display", "key-switch", "buzzer", "usb-socket")]
    for up in (0.5, 4.0, 12.0, 24.0, 33.0):
        lid = [(name, solid.moved(Location((0, 0, up)))) for name, solid in printed(fit, "deck", "mask")]
        assert met(clashes(lid + inside)) == set()


def test_the_masks_slide_into_their_rails(fit: dict[str, Piece]) -> None:
    """From below; only the catch at the end is in the way, by less than a lip bends."""
    from build123d import Location

    deck = printed(fit, "deck")
    (name, mask), *_ = printed(fit, "mask")
    for down in (3.0, 10.0, 25.0):
        found = clashes([*deck, (name, mask.moved(Location((0, 0, -down))))])
        assert sum(volume for *_, volume in found) < 2.0
    bends = SIZES.rail.catch - SIZES.rail.slide
    assert 1.5 * SIZES.rail.lip * bends / SIZES.rail.tongue**2 < 0.015, "of its length: PLA breaks at two percent"


def test_a_mask_stays_when_the_deck_is_turned_over(fit: dict[str, Piece]) -> None:
    """Wherever in its groove it lies, the ridge at the end is before it; the other way up it has no notch for that."""
    from build123d import Axis, Location

    deck = printed(fit, "deck")
    (name, mask), *_ = printed(fit, "mask")
    assert met(clashes([*deck, (name, mask)])) == set()
    for out in (0.0, SIZES.rail.slide):
        assert met(clashes([*deck, (name, mask.moved(Location((0, -out, -1.1))))])) != set(), out
    over = mask.rotate(Axis((0, 0, (SIZES.mask.low + SIZES.mask.high) / 2), (0, 1, 0)), 180)
    assert met(clashes([*deck, (name, over)])) != set()


def test_boot_is_written_beside_its_hole(fit: dict[str, Piece]) -> None:
    """Through the white, down to the black; read from outside, and not over the hole."""
    from build123d import Vector

    from hardware.flat.case.deck import POKE, letters

    part, at = SIZES.shell, on_main()
    ((_, deck),) = printed(fit, "deck")
    x, y = at["S12"]
    bars = [
        bar
        for bar in letters(SIZES, (part.deck - part.skin, part.deck))
        if hypot(bar.center().X - x, bar.center().Y - y) < 9
    ]
    assert len(bars) == 28
    for bar in bars:
        middle = bar.center()
        assert not deck.is_inside(Vector(middle.X, middle.Y, part.deck - part.skin / 2))
        assert deck.is_inside(Vector(middle.X, middle.Y, part.deck - part.skin - 0.3))
        assert hypot(middle.X - x, middle.Y - y) < hypot(middle.X - at["S11"][0], middle.Y - at["S11"][1])
        assert min(hypot(v.X - x, v.Y - y) for v in bar.vertices()) > POKE + 0.4


def test_the_box_stands_on_its_feet() -> None:
    """Each is as high as the list asks, and stands out of its hollow in the base."""
    from hardware.flat import order

    (row,) = (row for row in order.rows() if row.kind == "foot")
    for words in row.words.values():
        told = re.search(r"(\d+) mm", words.look)
        assert told, words.look
        assert int(told[1]) == SIZES.foot.height
    assert SIZES.shell.foot >= 0.5


def test_a_screw_bites_and_holds_the_board_between_deck_and_base() -> None:
    screw, boards = SIZES.screw, SIZES.boards
    assert screw.seat + screw.length - boards.top >= screw.bite
    assert boards.bottom - screw.seat >= 2.5, "material over its head"
    assert screw.seat - screw.head_height > 0.0, "its head is within the base"
    assert screw.through < layout.HOLE + 0.5


def test_each_lamp_has_its_window(fit: dict[str, Piece]) -> None:
    """Over it, black between it and the next one, white print of 0.4 to 0.8 mm on top."""
    from build123d import Vector

    from hardware.flat.case.deck import lamp_windows

    ((_, deck),) = printed(fit, "deck")
    at, windows = on_main(), dict(lamp_windows(SIZES))
    assert windows.keys() == {ref for ref in at if ref.startswith("LP")}
    assert 0.4 <= SIZES.shell.skin <= 0.8
    for ref, outline in windows.items():
        x, y = (sum(point[axis] for point in outline) / 4 for axis in (0, 1))
        assert hypot(x - at[ref][0], y - at[ref][1]) < 1.6, ref
        shaft = [deck.is_inside(Vector(x, y, z)) for z in (SIZES.boards.top + 3.0, SIZES.under, SIZES.shell.deck - 0.8)]
        assert not any(shaft), ref
        assert deck.is_inside(Vector(x, y, SIZES.shell.deck - 0.3)), ref


def test_sound_leaves_over_the_buzzer(fit: dict[str, Piece]) -> None:
    """Seven holes over its 12 mm, open from board to air."""
    from hardware.enclosure.shapes import rod
    from hardware.flat.case.deck import SOUND, sound_holes

    at = on_main()["LS1"]
    middle = in_corner("DA", 0.0, 74.0)
    assert hypot(at[0] - middle[0], at[1] - middle[1]) == pytest.approx(3.25), "its footprint begins at a pin"
    holes = sound_holes()
    assert len(holes) == 7
    for hole in holes:
        assert hypot(hole[0] - middle[0], hole[1] - middle[1]) < 6.0
    sound = [("sound", rod(hole, SOUND - 0.1, (32.0, 45.0))) for hole in holes]
    assert met(clashes(sound + printed(fit, "deck"))) == set()
    clip = [("clip", rod(on_main()[ref], 1.2, (25.0, 60.0))) for ref in ("S11", "S12")]
    assert met(clashes(clip + printed(fit, "deck", "cap-juz", "cap-dalej"))) == set()


def test_the_antenna_is_clear_of_metal() -> None:
    """Espressif wants 15 mm around it free; screws, keys and displays are farther, the USB shell and Kostka much."""
    from hardware.flat.case.bought import antenna, bought, plugs

    metal = ("screw", "key-switch", "display", "display-pins", "usb-socket", "buzzer", "kostka-plug", "cable")
    sends = antenna(SIZES)
    for part in [*bought(SIZES), *plugs(SIZES)]:
        if part.kind in metal:
            assert sends.distance_to(part.solid) >= 15.0, part.kind


def test_light_of_one_segment_does_not_reach_the_next_window() -> None:
    """From an LED's top the steepest ray under a wall of the mask meets the next well's far wall below the paper."""
    gap = SIZES.mask_back - SIZES.boards.display_front - SIZES.boards.lit
    assert 0.2 <= gap <= 0.5
    for beside, width in zip(layout.BESIDE, (0.6, 0.6), strict=True):
        assert beside > width
    slope = gap / SIZES.mask.apart  # at the steepest, from right beside the wall
    assert slope * SIZES.mask.stroke < SIZES.mask.deep / 2


def test_each_led_is_in_its_well() -> None:
    """Its body of 2.0 x 1.25 mm, within the outline that the mask has for it."""
    from build123d import Face, Vector, Wire

    from hardware.flat.case import face
    from hardware.flat.case.sizes import places
    from hardware.flat.circuit import circuit

    up = SIZES.boards.display_middle
    wells = [Face(Wire.make_polygon([Vector(x, y, 0) for x, y in one], close=True)) for one in face.outlines(SIZES)]
    leds = [part.ref for part in circuit().parts if part.piece == "A" and part.kind.name == "led"]
    assert len(leds) == 62
    for ref in leds:
        at = places()[ref]
        half = (1.0, 0.62) if at.angle == 0 else (0.62, 1.0)
        corners = [Vector(at.x + a * half[0], up - at.y + b * half[1], 0) for a in (-1, 1) for b in (-1, 1)]
        assert any(all(well.is_inside(corner) for corner in corners) for well in wells), ref


def test_the_tray_holds_a_stack_and_lets_one_tile_out(fit: dict[str, Piece]) -> None:
    from hardware.flat.case import tray
    from hardware.flat.case.bought import tray_parts

    whole = printed(fit, "tray-stand", "tray-chute", "tray-clamp")
    whole += [(part.kind, part.solid) for part in tray_parts(SIZES)]
    assert {pair for pair in met(clashes(whole)) if pair != ("kostka-switch", "tile")} == set()
    assert SIZES.tile.thickness < tray.mouth(SIZES) < 2 * 8.0, "one leaves, never two of the thinnest"
    assert SIZES.tile.stack >= 8
    assert SIZES.microswitch.lever_free - 2.0 > tray.mouth(SIZES) - 8.0


def test_a_slope_that_a_wall_hides_is_what_sight_counts() -> None:
    assert SIZES.shell.wall * tan(radians(45)) < SIZES.mask.stroke - 2 * SIZES.mask.shy
