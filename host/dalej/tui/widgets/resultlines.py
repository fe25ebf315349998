"""The tables of a round as lines: which games are in, who entered them, what the box says, who has to look again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import word
from dalej.domain.tournament.tournament import GameAt, Round
from dalej.tui.widgets.grid import Cell, Line, Place
from dalej.views.book import Page
from dalej.views.resultwords import box_words, game_mark, last_told, names_at, stands_words
from dalej.words import _

_TABLE: Final = 5
_LEAST_NAMES: Final = 24


def _of_box(box: BoxGame, names: Mapping[str, str]) -> str:
    """The same in a column, where the end may be cut: the name first."""
    who = names.get(box.winner or "", "")
    return f"{who}: {word(box.ended)}" if who and box.ended is not None else box_words(box, names)


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns there is room for, and where they stand."""

    names: tuple[str, ...]
    places: tuple[Place, ...]


def shape(room: int, games: int, *, boxes: bool) -> Shape:
    """Table, games, in words; then players and what the box says, if there are `boxes`, or one of the two."""
    marks = max(4 * games, cell_len(_("games")))
    words = max(24, cell_len(_("how it stands")), cell_len(_("{game} missing").format(game="1, 2, 3")))
    table = max(_TABLE, cell_len(_("table")))
    rest = room - (1 + table + 2 + marks + 2 + words + 2)
    columns = [
        ("table", _("table"), table, True), ("games", _("games"), marks, False),
        ("state", _("how it stands"), words, False),
    ]  # fmt: skip
    names = rest if not boxes else rest * 3 // 5 if rest >= 2 * _LEAST_NAMES else 0
    if names > cell_len(_("players")):
        columns.append(("players", _("players"), max(0, names - 1), False))
    if boxes and rest - names - 2 >= cell_len(_("the box says")):
        columns.append(("box", _("the box says"), rest - names - 2, False))
    at, places = 1, []
    for _name, title, width, right in columns:
        places.append(Place(title, at, width, right))
        at += width + 2
    return Shape(tuple(name for name, *_rest in columns), tuple(places))


def line(page: Page, one: Round, table: int, shape: Shape, *, checked: bool) -> Line:
    """The table's line."""
    assert page.state is not None
    names = names_at(page.state, one, table)
    latest = last_told(page, one, table)
    games, stands = on_paper(page, one, table, checked=checked)
    cells = {
        "table": Cell(str(table), "table"),
        "games": games,
        "state": stands,
        "players": Cell(", ".join(names.values()), "player"),
        "box": Cell("" if latest is None else f"{latest.game}: {_of_box(page.boxes[latest], names)}"),
    }
    return Line(table, tuple(cells[name] for name in shape.names))


def on_paper(page: Page, one: Round, table: int, *, checked: bool) -> tuple[Cell, Cell]:
    """The table's games with a mark each, and how it stands in words."""
    ats = [GameAt(table, game) for game in range(1, one.stage.games + 1)]
    marks = "  ".join(f"{at.game}{game_mark(one.results.get(at), page.boxes.get(at))}" for at in ats)
    return Cell(marks), Cell(*stands_words(page, one, ats, checked))
