"""The public's picture: everything on it in lines of a screen, each with its look. Pure, so that it can be measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len

from dalej.tui.widgets import bigletters
from dalej.tui.widgets.grid import first_fit, fitted
from dalej.tui.widgets.posterpages import Leaf

Look = Literal["head", "clock", "hurry", "words", "lap", "call", "alarm", "title", "text"]

ROOMY: Final = 34  # rows from which on words are in big letters too: below, fewer names would have room
CALLING: Final = 20  # rows from which on the call of a referee is: it is short, and whoever it is for sits far away
VAST: Final = 48  # rows from which on the round's name and the page's title are, too
BIG_ROWS: Final = bigletters.TALL // 2
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
    across, down = bigletters.largest(said.time, width - 4, height if room is None else max(0, room - 2))
    if room is None:
        wanted = max(int(height / _THIRD), -(-height // _QUARTER))
        down = min(down, wanted)
        across = min(across, 2 * down)
    if not down:
        yield Painted(said.time.center(width), "hurry" if said.hurry else "clock")
        return
    for line in bigletters.drawn(said.time, across, down, bare=True) or []:
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
        across, down = bigletters.largest(text, width - 4, height // 4 - 1)
        if down:
            for line in bigletters.drawn(text, across, down) or []:
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
        wide = bigletters.wide(text)
        if wide is not None and wide <= width - 4:
            yield from (Painted(line.center(width), look) for line in bigletters.drawn(text) or [])
            return
    if said:
        yield Painted("", look)
        yield Painted(fitted(first_fit(said, width - 2), width - 2).strip().center(width), look)
        yield Painted("", look)
