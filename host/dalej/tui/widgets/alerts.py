"""What waits for a person, longest first; a click opens the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dalej.hall.seen import Alert, Row
from dalej.tui.widgets.grid import Cell, Grid, Line, Place
from dalej.tui.words import alert_mark, alert_words, brief, needs_words, whose_words
from dalej.words import _

_MARK, _TABLE, _WAITING, _KIND, _NEEDS = 1, 8, 6, 15, 16
_BEFORE: Final = 1 + _MARK + 1 + _TABLE + 1 + _WAITING + 2 + _KIND + 1


class AlertList(Grid):
    """The panel over (or beside) the tables. With nothing to show it says so in its title, and takes no room."""

    def __init__(self) -> None:
        super().__init__(header=False, id="alerts")

    def show_alerts(self, alerts: Sequence[Alert], rows: Mapping[int, Row]) -> None:
        """What waits now; `rows` know the names."""
        nobody = ("", "", "", "")
        self.border_title = (
            _("waiting for somebody: {count}").format(count=len(alerts)) if alerts else _("nobody has to wait")
        )
        self.show(
            _places(self.size.width),
            [_line(alert, rows[alert.table].names if alert.table in rows else nobody) for alert in alerts],
        )


def _places(width: int) -> tuple[Place, ...]:
    """Where an alert's words stand; those who are named get what room is left."""
    at, places = 1, []
    named = max(0, width - _BEFORE - _NEEDS - 1)
    for room, right, gap in (
        (_MARK, False, 1), (_TABLE, False, 1), (_WAITING, True, 2), (_KIND, False, 1), (named, False, 1),
        (_NEEDS, False, 0),
    ):  # fmt: skip
        places.append(Place("", at, room, right))
        at += room + gap
    return tuple(places)


def _line(alert: Alert, names: Sequence[str]) -> Line:
    look = "urgent" if alert.urgent else "patient"
    return Line(
        alert.table,
        (
            Cell(alert_mark(alert), look),
            Cell(_("table {table}").format(table=alert.table), "table"),
            Cell(brief(alert.waiting_ms)),
            Cell(alert_words(alert), look),
            Cell(whose_words(alert, names), "player"),
            Cell(needs_words(alert), look if alert.urgent else "quiet"),
        ),
    )
