"""The standings of a season on paper and as files that sort (PDF, CSV, XLSX)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from dalej.domain.scoring.points import total
from dalej.domain.tournament.season import SeasonLine
from dalej.domain.tournament.standings import Total
from dalej.domain.tournament.tournament import Tournament
from dalej.office.paper.formats import Cell, Formats, Sheet, csv_bytes, pdf, xlsx_bytes
from dalej.office.paper.naming import latest_heading
from dalej.office.paper.standings import Column, shown_text
from dalej.words import _, readable

_COLUMNS: Final = 6  # of events that a page has room for


def season_list(events: Sequence[Tournament], lines: Sequence[SeasonLine], delimiter: str | None = None) -> Formats:
    """The list, in each format. What is not added up stands in brackets."""
    shown = season_columns(events, lines)
    headings = [column.heading for column in shown]
    rows = list(zip(*(column.cells for column in shown), strict=True))
    called = _("Standings of the season")
    return {
        ".pdf": lambda: pdf(
            "standings", called, {**latest_heading(events[-1]), "event": called, "lists": [_printed(events, shown)]}
        ),
        ".csv": lambda: csv_bytes(headings, rows, delimiter),
        ".xlsx": lambda: xlsx_bytes(called, [Sheet(called, headings, rows)]),
    }


def _printed(events: Sequence[Tournament], shown: Sequence[Column]) -> dict[str, object]:
    """Events stand above the list, and in it as numbers, or not at all if it has no room for them."""
    names = [f"{number}: {readable(state.name)}" for number, state in enumerate(events, start=1)]
    numbered = [
        replace(column, heading=str(place - 1)) if 2 <= place < 2 + len(events) else column
        for place, column in enumerate(shown)
        if len(events) <= _COLUMNS or not 2 <= place < 2 + len(events)
    ]
    return {
        "title": " · ".join(names), "after": "", "corrections": [],
        "columns": [{"heading": column.heading, "wide": column.wide} for column in numbered],
        "rows": [
            [shown_text(cell) for cell in row] for row in zip(*(column.cells for column in numbered), strict=True)
        ],
    }  # fmt: skip


def season_columns(events: Sequence[Tournament], lines: Sequence[SeasonLine]) -> list[Column]:
    """The list as columns. Big points only where the events have them."""
    called: list[Cell] = [called_in(events, line) for line in lines]
    shown = [Column(_("Place"), [line.place for line in lines]), Column(_("Player"), called, wide=True)]
    for number, state in enumerate(events):
        shown.append(Column(readable(state.name), [points_at(line, number) for line in lines]))
    if any(line.big is not None for line in lines):
        shown.append(Column(_("Big points"), [line.big for line in lines]))
    shown.append(Column(_("Small points"), [line.small for line in lines]))
    shown.append(Column(_("Games"), [line.games for line in lines]))
    return shown


def called_in(events: Sequence[Tournament], line: SeasonLine) -> str:
    """As the last of them has it."""
    found = [state.players[one.player].name for state, one in zip(events, line.of, strict=True) if one is not None]
    return found[-1]


def points_at(line: SeasonLine, event: int) -> str:
    """What the player has of that event: big and small points, in brackets if they are not added up."""
    one = line.of[event]
    if one is None:
        return ""
    return _points(one) if line.counts[event] else f"({_points(one)})"


def _points(one: Total) -> str:
    return total(one.small) if one.big is None else f"{one.big} / {total(one.small)}"
