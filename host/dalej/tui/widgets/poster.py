"""The public's picture: everything on it in lines of a screen, each with its look; topics cut into pages in the
largest type in which people need not wait too long for their page; letters drawn from blocks. Pure, so that it can be
measured.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from rich.cells import cell_len

from dalej.tui.widgets.grid import first_fit, fitted
from dalej.views.publiclists import Entry, Topic
from dalej.words import _

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


def width_of(text: str, across: int = 1) -> int | None:
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


PAGES_MOST: Final = 12  # of one topic in big letters: at 9 s each, nobody waits two minutes for a name
BIG_ROWS: Final = TALL // 2
BIG_LEAST: Final = 3  # lines in big letters, else there are more in the terminal's own
TITLED: Final = 30  # rows of a page whose title is in big letters too
LEAST: Final = 2  # rows and columns of a page
_BIG_WIDE: Final = 66  # columns that one entry may have at most, some 20 letters
_PLAIN_WIDE: Final = 36
_GAP: Final = 4


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page as it is shown: a title of one line or of big letters, lines that fit, how many entries are to be read."""

    title: tuple[str, ...]
    lines: tuple[str, ...]
    entries: int


@dataclass(frozen=True, slots=True)
class _Type:
    """How entries are set: in `columns` of `wide`, each of `rows` rows; `before` columns are kept for what is before
    the names.
    """

    big: bool
    rows: int
    columns: int
    wide: int
    before: int
    lines: int  # entries one below the other

    @property
    def holds(self) -> int:
        return self.columns * self.lines


def leaves(topics: Sequence[Topic], width: int, height: int, *, big: bool) -> list[Leaf]:
    """Every page of every topic, in order; [] where there is no room for a title and a line. `big`: in letters drawn
    from blocks if that makes not too many pages.
    """
    if height < LEAST or width < LEAST:
        return []
    return [leaf for topic in topics if topic.entries for leaf in _of_topic(topic, width, height, big)]


def _of_topic(topic: Topic, width: int, height: int, big: bool) -> list[Leaf]:
    entries, above = topic.entries, 1 if height < TITLED else BIG_ROWS
    kind = _big(entries, width, height - above) if big else None
    if kind is None or -(-len(entries) // kind.holds) > PAGES_MOST:
        above, kind = 1, _plain(entries, width, height - 1)
    cut = [entries[first : first + kind.holds] for first in range(0, len(entries), kind.holds)]
    titles = [_title(topic, page, at, len(cut)) for at, page in enumerate(cut, 1)]
    return [
        Leaf(_headed(title, width, above), _set(page, kind), len(page)) for title, page in zip(titles, cut, strict=True)
    ]


def _headed(title: str, width: int, rows: int) -> tuple[str, ...]:
    """In big letters where that many rows are for it and they suffice."""
    if rows > 1 and (width_of(title) or width + 1) <= width:
        return tuple(drawn(title) or ())
    cut = title if cell_len(title) <= width else fitted(title, width)
    return tuple(cut if row == rows // 2 else "" for row in range(rows))


def _title(topic: Topic, entries: Sequence[Entry], number: int, pages: int) -> str:
    if pages == 1:
        return topic.title
    if topic.named:
        return _("{title}: {first} to {last} ({page} of {pages})").format(
            title=topic.title, first=entries[0].name, last=entries[-1].name, page=number, pages=pages
        )
    return _("{title} ({page} of {pages})").format(title=topic.title, page=number, pages=pages)


def _big(entries: Sequence[Entry], width: int, room: int) -> _Type | None:
    if room < BIG_LEAST * BIG_ROWS:
        return None
    before = max((_big_wide(entry.before) + 2 for entry in entries if entry.before), default=0)
    needed = max((_big_wide(entry.name) + _big_wide(entry.behind) + 3 for entry in entries), default=1)
    wide = min(width, _BIG_WIDE, before + needed)
    return _Type(True, BIG_ROWS, max(1, (width + _GAP) // (wide + _GAP)), wide, before, room // BIG_ROWS)


def _plain(entries: Sequence[Entry], width: int, room: int) -> _Type:
    before = max((cell_len(entry.before) + 1 for entry in entries if entry.before), default=0)
    needed = max((cell_len(entry.name) + cell_len(entry.behind) + 2 for entry in entries), default=1)
    wide = min(width, _PLAIN_WIDE, before + needed)
    columns = max(1, (width + _GAP) // (wide + _GAP))
    spaced = 2 if len(entries) <= columns * (room // 2) else 1  # with an empty line between, where all fit so
    return _Type(False, spaced, columns, wide, before, max(1, room // spaced))


def _big_wide(text: str) -> int:
    wide = width_of(text)
    return cell_len(text) if wide is None else wide


def _set(entries: Sequence[Entry], kind: _Type) -> tuple[str, ...]:
    """Down the first column, then down the next, as lists on a wall are read."""
    deep = min(kind.lines, len(entries))
    columns = [entries[first : first + deep] for first in range(0, len(entries), deep)]
    lines = []
    for row in range(deep):
        cells = [_cell(column[row] if row < len(column) else None, kind) for column in columns]
        lines += [(" " * _GAP).join(parts).rstrip() for parts in zip(*cells, strict=True)]
    return tuple(lines)


def _cell(entry: Entry | None, kind: _Type) -> list[str]:
    if entry is None:
        return [" " * kind.wide] * kind.rows
    return _big_cell(entry, kind) if kind.big else [_plain_cell(entry, kind), *[" " * kind.wide] * (kind.rows - 1)]


def _plain_cell(entry: Entry, kind: _Type) -> str:
    named = max(0, kind.wide - kind.before - cell_len(entry.behind) - 1)
    before = fitted(entry.before, kind.before - 1, right=True) + " " if kind.before else ""
    return fitted(f"{before}{fitted(entry.name, named)} {entry.behind}", kind.wide)


def _big_cell(entry: Entry, kind: _Type) -> list[str]:
    behind = _drawn(entry.behind)
    named = max(0, kind.wide - kind.before - cell_len(behind[0]) - 1)
    before = _drawn(entry.before) if entry.before else [""] * kind.rows
    name = _drawn(_shortened(entry.name, named))
    return [
        f"{left.rjust(max(0, kind.before - 2))}{'  ' if kind.before else ''}{_padded(middle, named)} {right}"
        for left, middle, right in zip(before, name, behind, strict=True)
    ]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def _shortened(name: str, width: int) -> str:
    if width_of(name) is None:
        return fitted(name, width).rstrip()
    while name and _big_wide(name) > width:
        name = name.removesuffix("…")[:-1].rstrip() + "…" if len(name) > 1 else ""
    return name


def _drawn(text: str) -> list[str]:
    """In big letters; in the terminal's own, on the middle line, what these cannot write."""
    lines = drawn(text)
    if lines is not None:
        return lines
    middle = BIG_ROWS // 2
    return [text if row == middle else " " * cell_len(text) for row in range(BIG_ROWS)]


Look = Literal["head", "clock", "hurry", "words", "lap", "call", "alarm", "title", "text"]

ROOMY: Final = 34  # rows from which on words are in big letters too: below, fewer names would have room
CALLING: Final = 20  # rows from which on the call of a referee is: it is short, and whoever it is for sits far away
VAST: Final = 48  # rows from which on the round's name and the page's title are, too
_QUARTER: Final = 14  # a digit has 3.5 rows for each time its blocks are repeated: rows / 14 times make a quarter
_THIRD: Final = 10.5


@dataclass(frozen=True, slots=True)
class Said:
    """What there is to say. `time` "": no round is timed. `words`: about the round's time, all of them, then fewer.

    `lap`: these words are what everybody must see. `calls`: to where a referee is called. `alarm`: why the picture
    cannot be trusted, all words, then fewer; () if it can.
    """

    event: str
    wall: str
    leave: str
    round: str
    time: str
    hurry: bool
    words: tuple[str, ...]
    lap: bool
    calls: tuple[str, ...]
    alarm: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Painted:
    """A line and how it looks."""

    text: str
    look: Look


@dataclass(frozen=True, slots=True)
class Frame:
    """The lines above and below a page, and the rows between them for it."""

    above: tuple[Painted, ...]
    below: tuple[Painted, ...]
    room: int


def frame(said: Said, width: int, height: int, *, pages: bool) -> Frame:
    """Everything but the page. Without `pages` the clock has the room to itself."""
    head = [Painted(_head(said, width), "head")]
    below = [*_call(said.calls, width, height), *_alarm(said.alarm, width, height)]
    words = list(_lap(said, width, height) if said.lap and not pages else _round(said, width, height, pages=pages))
    room = height - len(head) - len(below) - len(words)
    clock = list(_clock(said, width, height, room if not pages else None))
    blank = [Painted("", "text")]
    above = [*head, *(blank if pages and clock and height >= ROOMY else []), *clock, *words]
    if not pages:
        spare = max(0, height - len(above) - len(below))
        above = [*head, *blank * (spare // 2), *clock, *words, *blank * (spare - spare // 2)]
    return Frame(tuple(above), tuple(below), max(0, height - len(above) - len(below)))


def painted(shown: Frame, leaf: Leaf | None) -> list[Painted]:
    """The whole picture."""
    page: list[Painted] = []
    if leaf is not None:
        page = [
            *(Painted(f" {text}", "title") for text in leaf.title),
            *(Painted(f"  {text}", "text") for text in leaf.lines),
        ]
        page = page[: shown.room]
    return [*shown.above, *page, *[Painted("", "text")] * (shown.room - len(page)), *shown.below]


def page_room(width: int) -> int:
    """Columns of a page between its margins."""
    return max(0, width - 4)


def _head(said: Said, width: int) -> str:
    right = f"{said.wall}   {said.leave}".strip()
    return f" {fitted(said.event, max(0, width - 4 - cell_len(right)))}  {right} "


def _clock(said: Said, width: int, height: int, room: int | None) -> Iterable[Painted]:
    """With pages below (`room` None): between a quarter and a third of the screen where its width allows it."""
    if not said.time:
        return
    across, down = largest(said.time, width - 4, height if room is None else max(0, room - 2))
    if room is None:
        wanted = max(int(height / _THIRD), -(-height // _QUARTER))
        down = min(down, wanted)
        across = min(across, 2 * down)
    if not down:
        yield Painted(said.time.center(width), "hurry" if said.hurry else "clock")
        return
    for line in drawn(said.time, across, down, bare=True) or []:
        yield Painted(line.center(width), "hurry" if said.hurry else "clock")


def _round(said: Said, width: int, height: int, *, pages: bool) -> Iterable[Painted]:
    look: Look = "lap" if said.lap else "words"
    parts = [": ".join(part for part in (said.round, words) if part) for words in said.words or ("",)]
    if not pages or height >= (ROOMY if said.lap else VAST):
        yield from _large([*parts, *said.words], width, look)
    elif parts[0]:
        yield Painted(first_fit([*parts, *said.words], width - 2).center(width), look)


def _lap(said: Said, width: int, height: int) -> Iterable[Painted]:
    """In letters as large as there is room for, on a quarter of the screen at most: all words, or the fewest."""
    yield Painted("", "text")  # so that the clock does not run into the band
    yield Painted("", "lap")
    for text in (said.words[0], said.words[-1]):
        across, down = largest(text, width - 4, height // 4 - 1)
        if down:
            for line in drawn(text, across, down) or []:
                yield Painted(line.center(width), "lap")
            return
    yield Painted(first_fit(said.words, width - 2).center(width), "lap")
    yield Painted("", "lap")


def _call(calls: tuple[str, ...], width: int, height: int) -> Iterable[Painted]:
    if calls and height >= CALLING:
        yield from _large(calls, width, "call")
    elif calls:
        yield Painted(fitted(first_fit(calls, width - 2), width - 2).strip().center(width), "call")


def _alarm(alarm: tuple[str, ...], width: int, height: int) -> Iterable[Painted]:
    """Words on a band that no eye overlooks, between hatched edges."""
    if not alarm:
        return
    edge = Painted("░" * width, "alarm")
    yield edge
    if height >= ROOMY:
        yield from _large(alarm, width, "alarm")
    else:
        yield Painted(fitted(first_fit(alarm, width - 2), width - 2).strip().center(width), "alarm")
    yield edge


def _large(texts: Iterable[str], width: int, look: Look) -> Iterable[Painted]:
    """The first of these texts that fits in big letters; else the last in the terminal's own."""
    said = [text for text in texts if text]
    for text in said:
        wide = width_of(text)
        if wide is not None and wide <= width - 4:
            yield from (Painted(line.center(width), look) for line in drawn(text) or [])
            return
    if said:
        yield Painted("", look)
        yield Painted(fitted(first_fit(said, width - 2), width - 2).strip().center(width), look)
        yield Painted("", look)
