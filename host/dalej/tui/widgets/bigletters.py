"""Letters and digits drawn from blocks, for whoever reads a screen from the other end of a hall.

A character cell is cut into four blocks, twice as tall as they are wide. A capital is seven blocks tall and up to five
wide, and two rows above and one below it are kept for the accents of Polish, Italian and their neighbours; everything
is written in capitals. `across` and `down` repeat each block, so that digits can be as large as the screen.

How tall is enough: at 10 m a capital should be seen under 16 minutes of arc (ISO 9241-303), that is 4.7 cm. On a
picture 1.2 m high a capital of the terminal's own font has about 0.7 of a row: 3.5 cm with 24 rows, 1.4 cm with 60.
One drawn here has 3.5 rows: 10.5 cm with 40 rows, 7 cm with 60; a digit of a quarter of the screen has 30 cm.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

TALL: Final = 10  # blocks of a line: two for accents, seven for the letter, one below
_ABOVE: Final = 2
_CAPITAL: Final = 7
_WIDE: Final = 5
_BLOCKS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # the index has bit 0 for the upper left block, then right, lower left, lower right
_BANDS: Final = """
A     B     C     D     E     F     G     H     I     J     K     L     M
.###. ####. .###. ####. ##### ##### .###. #...# .###. ..### #...# #.... #...#
#...# #...# #...# #...# #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.##
#...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.#
##### ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.#
#...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...#
#...# #...# #...# #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...#
#...# ####. .###. ####. ##### #.... .###. #...# .###. .##.. #...# ##### #...#

N     O     P     Q     R     S     T     U     V     W     X     Y     Z
#...# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# #####
##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....#
##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#.
#.#.# #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#..
#..## #...# #.... #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#...
#..## #...# #.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #....
#...# .###. #.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. #####

0     1     2     3     4     5     6     7     8     9     Ł     Đ     Ø
.###. ..#.. .###. .###. ...#. ##### .###. ##### .###. .###. .#... .###. .####
#...# .##.. #...# #...# ..##. #.... #...# ....# #...# #...# .#... .#..# #..##
#...# ..#.. ....# ....# .#.#. ####. #.... ...#. #...# #...# .#.#. .#..# #.#.#
#...# ..#.. ...#. ..##. #..#. ....# ####. ...#. .###. .#### .##.. ####. #.#.#
#...# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....# ##... .#..# #.#.#
#...# ..#.. .#... #...# ...#. #...# #...# ..#.. #...# #...# .#... .#..# ##..#
.###. .###. ##### .###. ...#. .###. .###. ..#.. .###. .###. .#### .###. ####.

-     −     +     .     ,     :     '     ’     (     )     /     &     ?
..... ..... ..... ..... ..... ..... .#... .#... ..#.. .#... ....# .##.. .###.
..... ..... ..#.. ..... ..... .#... .#... .#... .#... ..#.. ....# #..#. #...#
..... ..... ..#.. ..... ..... .#... ..... #.... .#... ..#.. ...#. #.#.. ....#
.###. ##### ##### ..... ..... ..... ..... ..... .#... ..#.. ..#.. .#... ...#.
..... ..... ..#.. ..... ..... .#... ..... ..... .#... ..#.. .#... #.#.# ..#..
..... ..... ..#.. .##.. .##.. .#... ..... ..... .#... ..#.. #.... #..#. .....
..... ..... ..... .##.. .#... ..... ..... ..... ..#.. .#... #.... .##.# ..#..
"""
_ACCENTS: Final = {
    "\u0301": ("...#.", "..#.."), "\u0300": (".#...", "..#.."), "\u0307": ("..#..", "....."),
    "\u0308": (".#.#.", "....."), "\u0302": ("..#..", ".#.#."), "\u030c": (".#.#.", "..#.."),
    "\u030a": ("..#..", ".#.#."), "\u0303": (".#..#", "#.##."), "\u030b": ("..#.#", ".#.#."),
}  # fmt: skip
_TAILS: Final = {"\u0328": "...##", "\u0327": "..#..", "\u0326": "..#.."}
_SAME: Final = {"–": "-", "—": "-", "Æ": "AE", "Œ": "OE", "„": "'", "”": "'", "…": ".."}
_BLANK: Final = ("...",) * TALL

Glyph = tuple[str, ...]


def wide(text: str, across: int = 1) -> int | None:
    """Columns that the text takes; None: it has a character that is not known here."""
    glyphs = _glyphs(text)
    return None if glyphs is None else -(-_blocks(glyphs) * across // 2)


def drawn(text: str, across: int = 1, down: int = 1, *, bare: bool = False) -> list[str] | None:
    """The text in lines of equal width; None: it cannot be written. `bare`: without the room for accents.

    Digits all have the same width, so that a clock does not jump.
    """
    glyphs = _glyphs(text)
    if glyphs is None:
        return None
    rows = range(_ABOVE, _ABOVE + _CAPITAL) if bare else range(TALL)
    grid = [[mark == "#" for mark in ".".join(glyph[row] for glyph in glyphs)] for row in rows]
    tall = [[lit for lit in row for _ in range(across)] for row in grid for _ in range(down)]
    return _as_blocks(tall)


def largest(text: str, width: int, height: int, *, stretched: int = 2) -> tuple[int, int]:
    """How often each block of that text may be repeated, across and down, to fill so many columns and rows; (0, 0):
    there is no room. Letters are at most `stretched` times as often across as down, at least once: that is square to
    slim.
    """
    glyphs = _glyphs(text)
    room = 0 if not glyphs else 2 * width // _blocks(glyphs)
    down = min(2 * height // _CAPITAL, room)
    return min(room, stretched * down), down


@cache
def _font() -> dict[str, Glyph]:
    font: dict[str, Glyph] = {" ": _BLANK}
    for band in _BANDS.strip().split("\n\n"):
        heads, *rows = band.splitlines()
        for place, letter in enumerate(heads.split()):
            left = place * (_WIDE + 1)
            letter_rows = [row[left : left + _WIDE] for row in rows]
            blank = "." * _WIDE
            font[letter] = (blank,) * _ABOVE + tuple(letter_rows) + (blank,)
    return font


def _glyphs(text: str) -> list[Glyph] | None:
    found = [_glyph(letter) for letter in _spelled(text)]
    return [glyph for glyph in found if glyph is not None] if all(found) else None


def _spelled(text: str) -> list[str]:
    """Letters with the accents that belong to them."""
    plain = "".join(_SAME.get(letter, letter) for letter in unicodedata.normalize("NFC", text).upper())
    letters: list[str] = []
    for part in unicodedata.normalize("NFD", plain):
        if unicodedata.combining(part) and letters:
            letters[-1] += part
        else:
            letters.append(part)
    return letters


@cache
def _glyph(letter: str) -> Glyph | None:
    base = _font().get(letter[:1])
    if base is None or any(mark not in _ACCENTS and mark not in _TAILS for mark in letter[1:]):
        return None
    rows = list(base)
    for mark in letter[1:]:
        if mark in _ACCENTS:
            rows[:_ABOVE] = _ACCENTS[mark]
        else:
            rows[-1] = _TAILS[mark]
    return tuple(rows) if letter[0].isdigit() or letter == " " else _trimmed(rows)


def _trimmed(rows: list[str]) -> Glyph:
    """Without the empty columns beside it."""
    lit = [column for column in range(_WIDE) if any(row[column] == "#" for row in rows)]
    return tuple(row[lit[0] : lit[-1] + 1] for row in rows)


def _blocks(glyphs: list[Glyph]) -> int:
    return sum(len(glyph[0]) + 1 for glyph in glyphs) - 1 if glyphs else 0


def _as_blocks(grid: list[list[bool]]) -> list[str]:
    if not grid or not grid[0]:
        return [""] * -(-len(grid) // 2)
    width = len(grid[0]) + len(grid[0]) % 2
    rows = [[*row, *[False] * (width - len(row))] for row in grid]
    if len(rows) % 2:
        rows.append([False] * width)
    return [
        "".join(_BLOCKS[upper[x] + 2 * upper[x + 1] + 4 * lower[x] + 8 * lower[x + 1]] for x in range(0, width, 2))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
