"""A table in words and figures, where there is no box to draw: who sits there, whose move it is, how much is left."""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.widgets import Static

from dalej.domain.facts import SEATS
from dalej.hall.seen import Row
from dalej.tui.widgets.figures import figures
from dalej.tui.words import STALE, duration, state_words
from dalej.words import _, ngettext
from moveclock.view import time_text

_BIG: Final = 40  # columns from which on the figures are large


class SeatList(Static):
    """Written anew when it says something else."""

    DEFAULT_CSS = """
    SeatList { width: 1fr; height: 1fr; padding: 1 3; }
    """

    def show(self, row: Row) -> None:
        """The table as the hall knows it."""
        lines = [Content.styled(state_words(row), "bold"), Content("")]
        style = "dim" if row.stale else "bold $error" if row.state == "expired" else "bold"
        lines += [Content.styled(line, style) for line in figures(_figures(row), 3 if self.size.width >= _BIG else 1)]
        if row.stale:
            age = _("never heard") if row.age_ms is None else _("silent {age}").format(age=duration(row.age_ms))
            lines.append(Content.styled(f"{STALE * 3} {age} {STALE * 3}", "bold $warning"))
        lines += [Content(""), *(_seat(row, seat) for seat in range(len(SEATS)) if row.seats >> seat & 1)]
        said = Content("\n").join(lines)
        if said != self.content:
            self.update(said, layout=False)


def _figures(row: Row) -> str:
    if row.left_ms is None or row.state in ("idle", "over", "unknown"):
        return "----"
    return f"-{min(999, -min(0, row.left_ms) // 1000):3d}" if row.state == "expired" else time_text(max(0, row.left_ms))


def _seat(row: Row, seat: int) -> Content:
    turn = row.seat == seat and row.state in ("running", "expired", "stopped")
    said = f"{'▶' if turn else ' '} {SEATS[seat]} {row.names[seat]}"
    if row.out >> seat & 1:
        said += " · " + _("has left")
    if tiles := row.penalties[seat]:
        count = _("penalty tiles to be counted")
        if tiles > 0:
            count = ngettext("{count} penalty tile", "{count} penalty tiles", tiles).format(count=tiles)
        said = f"{said} · {count}"
    return Content.styled(said, "bold") if turn else Content(said)
