"""The standings of a season on paper and as files that sort (PDF, CSV, XLSX)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from dalej.domain.scoring.points import total
from dalej.domain.tournament.season import SeasonLine
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import Refused
from dalej.office.paper.formats import Cell, Formats, Sheet, csv_bytes, pdf, xlsx_bytes
from dalej.office.paper.naming import latest_heading
from dalej.office.paper.standings import Column, shown_text
from dalej.words import N_, _, readable

_COLUMNS: Final = 6  # of events that a page has room for


def season_list(
    events: Sequence[Tournament], lines: Sequence[SeasonLine], best: int | None = None, delimiter: str | None = None
) -> Formats:
    """The list, in each format; Refused before anybody has played."""
    if not lines:
        raise Refused(N_("nobody has played yet"))
    called = _("Standings of the season")
    columns = _sorted_columns(events, lines, best)
    headings = [column.heading for column in columns]
    rows = list(zip(*(column.cells for column in columns), strict=True))
    return {
        ".pdf": lambda: pdf(
            "standings", called,
            {**latest_heading(events[-1]), "event": called, "lists": [_printed(events, lines, best)]},
        ),
        ".csv": lambda: csv_bytes(headings, rows, delimiter),
        ".xlsx": lambda: xlsx_bytes(called, [Sheet(called, headings, rows)]),
    }  # fmt: skip


def names(events: Sequence[Tournament], lines: Sequence[SeasonLine]) -> list[str]:
    """How each is called, as the last event that they played in has it; two who would be called alike have a number."""
    called = [
        [state.players[one.player].name for state, one in zip(events, line.of, strict=True) if one is not None][-1]
        for line in lines
    ]
    return _apart(called)


def _apart(called: Sequence[str]) -> list[str]:
    """Those that are called alike have numbers."""
    often, met = Counter(called), Counter[str]()
    found = []
    for name in called:
        met[name] += 1
        found.append(f"{name} ({met[name]})" if often[name] > 1 else name)
    return found


def points_at(line: SeasonLine, event: int) -> str:
    """What the player has of that event: big and small points, in brackets if they are not added up."""
    one = line.of[event]
    if one is None:
        return ""
    points = total(one.small) if one.big is None else f"{one.big} / {total(one.small)}"
    return points if line.counts[event] else f"({points})"


def legend(lines: Sequence[SeasonLine], best: int | None) -> str:
    """What the columns of events say."""
    said = _("big / small points") if _has_big(lines) else _("small points")
    if best is None:
        return said
    return said + "; " + _("of each player the best {count} count, what does not is in brackets").format(count=best)


def _has_big(lines: Sequence[SeasonLine]) -> bool:
    return any(line.big is not None for line in lines)


def _columns(lines: Sequence[SeasonLine], called: Sequence[Cell], of_events: Sequence[Column]) -> list[Column]:
    """Big points only where the events have them."""
    shown = [Column(_("Place"), [line.place for line in lines]), Column(_("Player"), list(called), wide=True)]
    shown += of_events
    if _has_big(lines):
        shown.append(Column(_("Big points"), [line.big for line in lines]))
    shown.append(Column(_("Small points"), [line.small for line in lines]))
    shown.append(Column(_("Games"), [line.games for line in lines]))
    return shown


def _sorted_columns(events: Sequence[Tournament], lines: Sequence[SeasonLine], best: int | None) -> list[Column]:
    """Numbers, with which a spreadsheet can work on."""
    of_events = []
    for number, name in enumerate(_apart([readable(state.name) for state in events])):
        of = [line.of[number] for line in lines]
        if _has_big(lines):
            heading = _("{event}: big points").format(event=name)
            of_events.append(Column(heading, [None if one is None else one.big for one in of]))
        heading = _("{event}: small points").format(event=name)
        of_events.append(Column(heading, [None if one is None else one.small for one in of]))
        if best is not None:
            heading = _("{event}: counts").format(event=name)
            of_events.append(Column(heading, [int(line.counts[number]) for line in lines]))
    return _columns(lines, names(events, lines), of_events)


def _printed(events: Sequence[Tournament], lines: Sequence[SeasonLine], best: int | None) -> dict[str, object]:
    """Events stand above the list, and in it under their numbers, if the page has room for them."""
    has_room = len(events) <= _COLUMNS
    called = [readable(state.name) for state in events]
    of_events = [
        Column(str(number + 1), [points_at(line, number) for line in lines])
        for number in range(len(events) if has_room else 0)
    ]
    shown = _columns(lines, names(events, lines), of_events)
    return {
        "title": " · ".join(f"{number}: {name}" if has_room else name for number, name in enumerate(called, start=1)),
        "after": "", "corrections": [legend(lines, best)] if has_room else [],
        "columns": [{"heading": column.heading, "wide": column.wide} for column in shown],
        "rows": [[shown_text(cell) for cell in row] for row in zip(*(column.cells for column in shown), strict=True)],
    }  # fmt: skip
