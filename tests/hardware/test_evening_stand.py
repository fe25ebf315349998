"""The evening box's stands: what is printed is printable, nothing meets, every seat sees the screen; the template says
in millimetres what the sizes say.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import radians, tan
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from hardware.evening import sight
from hardware.evening.sizes import SIZES, Sizes, Stand
from tests.hardware.clash import clashes

if TYPE_CHECKING:
    import trimesh

    from hardware.evening.stand import Piece

ALLOWED = ("shell", "screw")  # which cuts its thread there


@pytest.fixture(scope="module")
def made() -> dict[str, Piece]:
    from hardware.evening.stand import pieces

    return {piece.name: piece for piece in pieces()}


@pytest.fixture(scope="module")
def meshes(made: dict[str, Piece]) -> dict[str, trimesh.Trimesh]:
    """As the printer gets them."""
    from hardware.enclosure.printing import mesh

    return {name: mesh(piece.solid) for name, piece in made.items()}


def whole(made: dict[str, Piece], sizes: Sizes = SIZES) -> list[tuple[str, Any]]:
    """Pieces and all that is bought, where they are in the stand."""
    from hardware.evening import bought

    parts = [(piece.name, piece.solid.moved(piece.place)) for piece in made.values()]
    parts += [(part.kind, part.solid) for part in bought.bought(sizes)]
    parts += [("screw", one) for one in bought.screws(sizes)] + [("foot", one) for one in bought.feet(sizes)]
    return [*parts, ("lead", bought.cable(sizes))]


def test_the_stand_is_two_pieces(made: dict[str, Piece]) -> None:
    assert set(made) == {"shell", "base"}


@pytest.mark.parametrize("name", ["shell", "base"])
def test_a_piece_is_one_closed_body_that_lies_on_a_small_bed(name: str, meshes: dict[str, trimesh.Trimesh]) -> None:
    surface = meshes[name]
    assert surface.is_watertight
    assert surface.is_winding_consistent
    assert surface.volume > 0
    assert surface.body_count == 1
    (low_x, low_y, low_z), (high_x, high_y, high_z) = surface.bounds
    assert SIZES.printer.bed <= 210.0
    room = SIZES.printer.bed - 2 * SIZES.printer.margin
    assert max(high_x - low_x, high_y - low_y, high_z) <= room
    assert low_z == pytest.approx(0.0, abs=1e-6)
    on_bed = surface.area_faces[(surface.triangles[:, :, 2] < 1e-6).all(axis=1)].sum()
    assert on_bed >= 10_000.0, "square millimetres that hold it there"


@pytest.mark.parametrize("name", ["shell", "base"])
def test_a_piece_prints_without_supports_and_of_whole_lines(name: str, meshes: dict[str, trimesh.Trimesh]) -> None:
    from hardware.enclosure.printing import hanging, thin_spots

    asked = SIZES.printer
    assert asked.steepest <= 45.0
    found = hanging(meshes[name].triangles, asked)
    assert found.cells == 0, f"in the air at {found.where}"
    assert thin_spots(meshes[name].triangles, 2 * asked.line - 0.1) == 0


def test_the_other_way_up_the_shell_would_not_print(made: dict[str, Piece]) -> None:
    from hardware.enclosure.printing import hanging, mesh

    standing = made["shell"].solid.moved(made["shell"].place)
    assert hanging(mesh(standing).triangles, SIZES.printer).cells > 100


def test_the_list_says_how_much_it_is_printed_of(meshes: dict[str, trimesh.Trimesh]) -> None:
    """At most: as if both were solid."""
    from hardware.evening import order

    grams = sum(surface.volume for surface in meshes.values()) * SIZES.printer.density / 1000
    (row,) = [row for row in order.rows() if row.kind == "stand"]
    for words in row.words.values():
        (said,) = re.findall(r"(\d+) g", words.look)
        assert grams <= int(said) < grams + 20


def test_nothing_in_the_stand_meets(made: dict[str, Piece]) -> None:
    found = [pair for pair in clashes(whole(made)) if (pair[0], pair[1]) != ALLOWED]

    assert found == []


def test_a_board_a_button_and_a_plug_that_do_not_fit_are_found(made: dict[str, Piece]) -> None:
    thick = replace(SIZES, board=replace(SIZES.board, behind=12.0))
    deep = replace(SIZES, button=replace(SIZES.button, depth=55.0))
    long = replace(SIZES, plug=replace(SIZES.plug, bend=20.0))
    for sizes, met in ((thick, "board"), (deep, "button-juz"), (long, "cable")):
        assert met in {name for pair in clashes(whole(made, sizes)) for name in pair[:2]}


def test_the_picture_and_fingers_find_the_window(made: dict[str, Piece]) -> None:
    """The picture may be beside the board's middle by 1 to 3 mm; a finger reaches its edge."""
    from build123d import Location

    from hardware.enclosure.shapes import rod
    from hardware.evening import bought
    from hardware.evening.stand import front

    shell = ("shell", made["shell"].solid.moved(made["shell"].place))
    home = front(SIZES)
    wide, tall = SIZES.board.picture
    over = bought.picture(SIZES)
    for aside in (-1.0, 0.0, 1.0):
        sheet = over.moved(Location((aside, 0, 0))).moved(Location((0, 0, 1.0)))
        assert clashes([shell, ("picture", sheet.moved(home))]) == []
    corner = (wide / 2 - 4.0, SIZES.front.window_up + tall / 2 - 4.0)
    finger = rod(corner, 4.0, (-SIZES.stand.face, 20.0)).moved(home)
    assert clashes([shell, ("finger", finger)]) == []


def test_the_sound_of_the_largest_speaker_that_fits_finds_its_way_out(made: dict[str, Piece]) -> None:
    """Every hole goes through the front, lies before the speaker, and in cardboard there is room for the rolls, too."""
    from hardware.enclosure.shapes import rod
    from hardware.evening import bought, order
    from hardware.evening.stand import front

    shell = ("shell", made["shell"].solid.moved(made["shell"].place))
    needles = [rod(at, 1.0, (-SIZES.stand.face - 0.2, 5.0)).moved(front(SIZES)) for at in SIZES.front.sounds]
    assert clashes([shell, *[("needle", one) for one in needles]]) == []
    x, y = SIZES.front.speaker
    smallest = (20.0, 30.0)
    for across, up in SIZES.front.sounds:
        assert abs(across - x) + SIZES.front.sound / 2 < smallest[0] / 2
        assert abs(up - y) + SIZES.front.sound / 2 < smallest[1] / 2
    box = bought.speaker(SIZES).bounding_box()
    rolls = min(at for at, _ in SIZES.holes()) - SIZES.cardboard.roll / 2
    assert -SIZES.front.width / 2 + SIZES.cardboard.sheet < box.min.X < box.max.X <= rolls
    (row,) = [row for row in order.rows() if row.kind == "speaker"]
    part = SIZES.speaker
    for words in row.words.values():
        size, *_ = words.look.split(";")
        assert re.findall(r"\d+", size) == [f"{one:g}" for one in (part.height, part.width, part.depth)]


def test_the_window_is_where_the_boards_picture_is() -> None:
    """Behind it, with its holes on pads that are not under the screen's frame."""
    board, front = SIZES.board, SIZES.front
    x, y = SIZES.board_middle
    assert (x - board.aside, y) == (0.0, front.window_up)
    assert all(window > shown for window, shown in zip(front.window, board.picture, strict=True))
    assert front.window == (58.0, 44.0)
    across = board.width / 2 - board.corner - SIZES.stand.pad / 2
    assert across > board.module[0] / 2 + board.tolerance
    assert {abs(at[0] - x) for at in SIZES.holes()} == {board.width / 2 - 4.0}
    assert {abs(at[1] - y) for at in SIZES.holes()} == {board.height / 2 - 4.0}


def test_a_pressed_button_does_not_tip_the_stand() -> None:
    """Whoever presses along it presses onto the table between the feet, even without the weight of anything in it."""
    from hardware.evening import bought
    from hardware.evening.stand import front

    feet = [one.center() for one in bought.feet(SIZES)]
    nearest, farthest = min(at.Y for at in feet), max(at.Y for at in feet)
    for x, y in SIZES.front.buttons.values():
        from build123d import Location

        at = (front(SIZES) * Location((x, y - 12.0, SIZES.button.height))).position
        under = at.Z - min(one.Z for one in feet)
        assert nearest < at.Y + under * tan(radians(SIZES.stand.slope)) < farthest
        assert abs(x) < max(one.X for one in feet)


@pytest.mark.parametrize("eye", sight.EYES, ids=lambda eye: eye.name)
@pytest.mark.parametrize("stand", ["printed", "cardboard"])
def test_every_seat_reads_the_screen_of_a_box_at_the_tables_corner(eye: sight.Eye, stand: str) -> None:
    """Within the angle that the screen's maker promises, and with digits of half a degree."""
    printed = SIZES.stand.slope, sight.screen_height(SIZES)
    slope, height = printed if stand == "printed" else (sight.cardboard_slope(SIZES), SIZES.cardboard.depth + 30.0)
    digits = SIZES.board.picture[1] * 124 / 240
    for seen in sight.seats(eye, slope, height):
        assert seen.angle <= sight.WIDEST
        assert digits * 0.5 / seen.distance > radians(0.5), "at the widest angle they look half as high"


def test_upright_half_of_the_seats_would_not_read_it() -> None:
    upright = [seen.angle for seen in sight.seats(sight.EYES[0], 90.0, 80.0)]
    assert sum(angle > sight.WIDEST for angle in upright) == 2


def numbers_of(svg: str) -> list[str]:
    """What is written in it, once: each text is drawn twice, white behind."""
    root = ET.fromstring(svg)
    return [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("fill") == "#111"]


def test_the_template_is_one_page_at_its_real_size() -> None:
    from io import BytesIO

    from pypdf import PdfReader

    from hardware.evening import cardboard

    svg = cardboard.template()
    root = ET.fromstring(svg)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")
    (page,) = PdfReader(BytesIO(cardboard.pdf(svg))).pages
    assert [float(side) / 72 * 25.4 for side in page.mediabox[2:]] == pytest.approx([210.0, 297.0], abs=0.01)


def test_the_template_says_and_draws_what_the_sizes_say() -> None:
    from hardware.evening import cardboard

    front, part = SIZES.front, SIZES.cardboard
    svg = cardboard.template()
    told = numbers_of(svg)
    wanted = {
        f"{front.window[0]:g} × {front.window[1]:g}", f"Ø {SIZES.button.hole:g}", f"{front.apart:g}",
        f"{front.buttons_up:g}", f"{front.window_up:g}", f"{front.width:g}", f"{front.height:g}",
        f"{part.foot:g}", f"{part.tab:g}", f"{part.slit[1]:g} × {part.slit[0]:g}",
    }  # fmt: skip
    assert wanted <= set(told)
    assert told.count("Ø 30") == 2
    assert told.count(f"{part.foot:g}") == 3
    root = ET.fromstring(svg)
    circles = [
        one for one in root.iter("{http://www.w3.org/2000/svg}circle") if one.get("r") == f"{SIZES.button.hole / 2:g}"
    ]
    (left, right) = sorted(float(one.get("cx") or 0) for one in circles)
    assert right - left == pytest.approx(front.apart)
    small = [one for one in root.iter("{http://www.w3.org/2000/svg}circle") if one.get("r") == f"{front.sound / 2:g}"]
    assert len(small) == len(front.sounds) + 3, "and three in the legend"
    assert any("prick" in words and "nakłuć" in words for words in told)


def test_on_paper_nothing_is_nearer_to_the_edge_than_a_printer_prints() -> None:
    assert SIZES.front.width + SIZES.cardboard.flap <= 200.0
    assert SIZES.front.height + 3 * SIZES.cardboard.foot + SIZES.cardboard.tab <= 287.0


def test_another_stand_is_another_pair_of_pieces() -> None:
    steep = replace(SIZES, stand=replace(Stand(), slope=25.0, lip=42.0))
    from hardware.enclosure.printing import hanging, mesh
    from hardware.evening.stand import pieces

    for piece in pieces(steep):
        assert hanging(mesh(piece.solid).triangles, SIZES.printer).cells == 0
