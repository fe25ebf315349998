"""What waits for a person, longest first; a click opens the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from rich.cells import cell_len

from dalej.tui.widgets.grid import Cell, Grid, Line, Place, first_fit
from dalej.views.phrases import ALERTS, NEEDS, alert_mark, alert_words, brief, needs_words, whose_words
from dalej.views.rows import Alert, Row
from dalej.words import _, ngettext

LEAST: Final = 3  # lines that are kept free for alerts, and what part of the screen if that is more
PART: Final = 8
BY: Final = 8
MOST_PART: Final = 0.42
_MARK, _WAITING = 1, 6
_LONG_NUMBER: Final = 88  # tables have at most two digits in most halls


class AlertList(Grid):
    """The panel over (or beside) the tables. Its room is there before it is needed, and grows in few steps.

    So the tables stay where they are while alarms come and go.
    """

    def __init__(self) -> None:
        super().__init__(header=False, id="alerts", by=BY)
        self._step = 0
        self._height: int | None = None
        self._placed_in = -1
        self._placed: tuple[Place, ...] = ()
        self._made: dict[tuple[Alert, Sequence[str]], Line] = {}

    def show_alerts(self, alerts: Sequence[Alert], rows: Mapping[int, Row]) -> None:
        """What waits now; `rows` know the names."""
        nobody = ("", "", "", "")
        title = _title(alerts)
        if title != self.border_title:
            self.border_title = title
        self._make_room(len(alerts))
        if self._placed_in != self.room:
            self._placed_in, self._placed, self._made = self.room, _places(self.room), {}
        before, self._made = self._made, {}
        for alert in alerts:
            names = rows[alert.table].names if alert.table in rows else nobody
            told = (replace(alert, waiting_ms=alert.waiting_ms // 1_000 * 1_000), names)  # all that words are made of
            self._made[told] = before.get(told) or _line(*told, self._placed)
        self.show(self._placed, list(self._made.values()))

    def _make_room(self, lines: int) -> None:
        """Above the tables by steps; beside them it has all the room it may get anyway."""
        if self.screen.has_class("-wide"):
            self._be_high(None)
            return
        steps = _steps(self.screen.size.height)
        step = min(self._step, len(steps) - 1)
        while step + 1 < len(steps) and lines > steps[step]:
            step += 1
        while step and lines < steps[step - 1]:  # not at once when one is gone: the next may be near
            step -= 1
        self._step = step
        self._be_high(steps[step] + self.gutter.height)

    def _be_high(self, height: int | None) -> None:
        """Said only if it is new: it lays out the whole screen."""
        if height != self._height:
            self._height = self.styles.height = height


def _steps(height: int) -> list[int]:
    """Lines the panel may have on a screen of so many lines."""
    steps, most = [max(LEAST, height // PART)], int(height * MOST_PART) - 2
    while steps[-1] < most:
        steps.append(min(most, 2 * steps[-1]))
    return steps


def _title(alerts: Sequence[Alert]) -> str:
    """How many calls; the bar counts the tables they are at."""
    if not alerts:
        return _("nobody has to wait")
    tables = len({alert.table for alert in alerts})
    calls = ngettext("{count} call", "{count} calls", len(alerts)).format(count=len(alerts))
    return f"{calls} " + ngettext("at {count} table", "at {count} tables", tables).format(count=tables)


def _places(width: int) -> tuple[Place, ...]:
    """Where an alert's words stand; those who are named get what room is left."""
    kind = max(cell_len(_(words)) for words in ALERTS.values())
    needs = max(cell_len(_(words)) for words in NEEDS)
    table = cell_len(_("table {table}").format(table=_LONG_NUMBER))
    before = 1 + _MARK + 1 + table + 1 + _WAITING + 2 + kind + 1
    at, places = 1, []
    for room, right, gap in (
        (_MARK, False, 1), (table, False, 1), (_WAITING, True, 2), (kind, False, 1),
        (max(0, width - before - needs - 1), False, 1), (needs, False, 0),
    ):  # fmt: skip
        places.append(Place("", at, room, right))
        at += room + gap
    return tuple(places)


def _line(alert: Alert, names: Sequence[str], places: Sequence[Place]) -> Line:
    look = "urgent" if alert.urgent else "patient"
    *_before, named, _needs = places
    return Line(
        alert.table,
        (
            Cell(alert_mark(alert), look),
            Cell(_("table {table}").format(table=alert.table), "table"),
            Cell(brief(alert.waiting_ms)),
            Cell(alert_words(alert), look),
            Cell(first_fit(whose_words(alert, names), named.width), "player"),
            Cell(needs_words(alert), look if alert.urgent else "quiet"),
        ),
    )
