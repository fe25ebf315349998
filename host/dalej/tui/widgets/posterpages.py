"""Topics cut into pages of lines, in the largest type in which people need not wait too long for their page. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from dalej.tui.widgets import bigletters
from dalej.tui.widgets.grid import fitted
from dalej.tui.widgets.topics import Entry, Topic
from dalej.words import _

PAGES_MOST: Final = 12  # of one topic in big letters: at 9 s each, nobody waits two minutes for a name
BIG_ROWS: Final = bigletters.TALL // 2
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
    if rows > 1 and (bigletters.wide(title) or width + 1) <= width:
        return tuple(bigletters.drawn(title) or ())
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
    wide = bigletters.wide(text)
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
    if bigletters.wide(name) is None:
        return fitted(name, width).rstrip()
    while name and _big_wide(name) > width:
        name = name.removesuffix("…")[:-1].rstrip() + "…" if len(name) > 1 else ""
    return name


def _drawn(text: str) -> list[str]:
    """In big letters; in the terminal's own, on the middle line, what these cannot write."""
    lines = bigletters.drawn(text)
    if lines is not None:
        return lines
    middle = BIG_ROWS // 2
    return [text if row == middle else " " * cell_len(text) for row in range(BIG_ROWS)]
