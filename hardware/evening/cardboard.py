"""The template for a cardboard box, at its real size on one A4 page: its front with a flap, and its foot."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import typst

from hardware.canvas import Canvas, Point
from hardware.evening.sizes import SIZES, Sizes
from hardware.pixels import FONTS

PAGE: Final = (210.0, 297.0)
CUT: Final = 0.5  # width of what is cut
FOLD: Final = "4 2.4"  # dashes of what is folded
_FRONT: Final = (5.0, 168.0)  # its lower left corner on the page
_FOOT: Final = 22.0  # lower edge
_RULER: Final = 100.0
_WORDS: Final = (("cut / ciąć", ""), ("fold / zgiąć", FOLD))
_PRICK: Final = "prick / nakłuć"


def template(sizes: Sizes = SIZES) -> str:
    """Its SVG, in millimetres."""
    canvas = Canvas((0.0, 0.0), PAGE, 5.0, "mm")
    _front(canvas, sizes)
    _foot(canvas, sizes)
    _legend(canvas)
    return canvas.svg()


def pdf(svg: str) -> bytes:
    """The same as a page to print at 100 %."""
    wide, tall = PAGE
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "template.svg").write_text(svg, "utf-8")
        page = Path(folder, "page.typ")
        sheet = f"#set page(width: {wide:g}mm, height: {tall:g}mm, margin: 0mm)"
        page.write_text(f'{sheet}\n#image("template.svg", width: {wide:g}mm)\n', "utf-8")
        made: bytes = typst.compile(page, format="pdf", root=Path(folder), ignore_system_fonts=True, font_paths=[FONTS])
    return made


def _on_page(at: Point) -> Point:
    return _FRONT[0] + SIZES.front.width / 2 + at[0], _FRONT[1] + at[1]


def _front(canvas: Canvas, sizes: Sizes) -> None:
    face, part, board = sizes.front, sizes.cardboard, sizes.board
    half = face.width / 2
    left, low = _on_page((-half, 0.0))
    right, top = _on_page((half, face.height))
    canvas.area([(left, low), (right + part.flap, low), (right + part.flap, top), (left, top)], "none", CUT)
    canvas.line([(right, low), (right, top)], CUT, dash=FOLD)
    x, y = sizes.board_middle
    lower_left = _on_page((x - board.width / 2, y - board.height / 2))
    upper_right = _on_page((x + board.width / 2, y + board.height / 2))
    canvas.box((lower_left[0], upper_right[0]), (lower_left[1], upper_right[1]), width=0.15, colour="#999")
    window = _on_page((face.window_x[0], face.window_y[0])), _on_page((face.window_x[1], face.window_y[1]))
    canvas.box((window[0][0], window[1][0]), (window[0][1], window[1][1]), "#eef1f5", CUT)
    middle = _on_page((0.0, face.window_up))
    canvas.cross(middle, 3.0)
    canvas.text(f"{face.window[0]:g} × {face.window[1]:g}", (middle[0], middle[1] + 8.0))
    for at, fill in zip(face.buttons.values(), ("#dff3e3", "#fff4cf"), strict=True):
        place = _on_page(at)
        canvas.ring(place, sizes.button.hole / 2, fill, CUT)
        canvas.cross(place, 3.0)
        canvas.text(f"Ø {sizes.button.hole:g}", (place[0], place[1] - 7.5))
    for words, at in zip(("JUŻ", "DALEJ"), face.buttons.values(), strict=True):
        canvas.text(words, _on_page((at[0], at[1] - 22.0)))
    for at in face.sounds:
        canvas.ring(_on_page(at), face.sound / 2, width=0.3)
    _measures(canvas, sizes)
    slit = [
        _on_page((half + part.slit_under, y - part.slit[0] / 2)),
        _on_page((half + part.slit_under + part.slit[1], y + part.slit[0] / 2)),
    ]
    canvas.box((slit[0][0], slit[1][0]), (slit[0][1], slit[1][1]), "#eef1f5", CUT)
    canvas.text("USB", ((slit[0][0] + slit[1][0]) / 2, (slit[0][1] + slit[1][1]) / 2), size=4.0)
    canvas.text(f"{part.slit[1]:g} × {part.slit[0]:g}", ((slit[0][0] + slit[1][0]) / 2, slit[1][1] + 5.0), size=3.6)


def _measures(canvas: Canvas, sizes: Sizes) -> None:
    face = sizes.front
    half = face.width / 2
    (juz, up), (dalej, _) = face.buttons["juz"], face.buttons["dalej"]
    canvas.measure(_on_page((dalej, up)), _on_page((juz, up)), 0.01)
    canvas.measure(_on_page((-half, 0.0)), _on_page((-half, face.height)), 8.0)
    canvas.measure(_on_page((dalej - 20, 0.0)), _on_page((dalej - 20, up)), 0.01)
    canvas.measure(_on_page((66.0, 0.0)), _on_page((66.0, face.window_up)), 0.01)
    canvas.measure(_on_page((-half, face.height)), _on_page((half, face.height)), 6.0)
    canvas.measure(_on_page((-half, 52.0)), _on_page((0.0, 52.0)), 0.01)


def _foot(canvas: Canvas, sizes: Sizes) -> None:
    """Three panels and a tab: folded at each line it is a prism."""
    part = sizes.cardboard
    left, right = _FRONT[0], _FRONT[0] + sizes.front.width
    folds = [_FOOT + part.tab + part.foot * panel for panel in range(3)]
    top = _FOOT + part.tab + 3 * part.foot
    canvas.area(
        [(left + 6, _FOOT), (right - 6, _FOOT), (right, folds[0]), (right, top), (left, top), (left, folds[0])],
        "none",
        CUT,
    )
    for y in folds:
        canvas.line([(left, y), (right, y)], CUT, dash=FOLD)
    for place in range(12):
        x = left + 14.0 + 12.0 * place
        canvas.line([(x, _FOOT + 2), (x + 8, folds[0] - 2)], 0.2, "#888")
    for low in folds:
        canvas.measure((right - 12, low), (right - 12, low + part.foot), 0.01)
    canvas.measure((right - 12, _FOOT), (right - 12, folds[0]), 0.01)
    canvas.measure((left, folds[1] + part.foot / 2), (right, folds[1] + part.foot / 2), 0.01)


def _legend(canvas: Canvas) -> None:
    """How lines are drawn, and a length to check the printer by."""
    x, y = 8.0, 9.0
    for place in range(3):
        canvas.ring((x + 1.0 + 5.0 * place, y), SIZES.front.sound / 2, width=0.3)
    canvas.text(_PRICK, (x + 14, y), "start", size=4.0)
    y = 16.0
    for place, (words, dash) in enumerate(_WORDS):
        x = 8.0 + 46.0 * place
        canvas.line([(x, y), (x + 12, y)], CUT, dash=dash)
        canvas.text(words, (x + 14, y), "start", size=4.0)
    canvas.measure((104.0, y), (104.0 + _RULER, y), 0.01)
    canvas.text("mm, 100 %", (104.0 + _RULER, y + 5.0), "end", size=4.0)
