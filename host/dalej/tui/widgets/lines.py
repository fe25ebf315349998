"""The lines over and under a table's box: which game this is, how the hall sees it, and who else waits there."""

from __future__ import annotations

from collections.abc import Sequence

from dalej.hall.seen import Alert, Row
from dalej.tui.feed import Feed
from dalej.tui.words import (
    STALE,
    alert_mark,
    alert_words,
    clock_text,
    duration,
    lag_text,
    move_text,
    seat_words,
    state_words,
)
from dalej.words import _
from moveclock import facts as k


def title(row: Row, feed: Feed, *, mine: bool) -> str:
    """The table, its game, and whether a desk is live."""
    said = [_("Table {table}").format(table=row.table)]
    if mine:
        said.append(_("YOU PLAY (t gives it back)"))
    if row.game:
        said.append(_("game {game}, move {move}").format(game=row.game, move=move_text(row)))
    if row.bank is not None:
        said.append(_("bank {bank}").format(bank=row.bank))
    if feed.live and feed.speed != 1:
        said.append(f"×{feed.speed:g}")
    said.append("● " + _("live") if feed.live else "◌ " + _("NO LIVE DESK"))
    return f" {' · '.join(said)}"


def seen_there(row: Row) -> str:
    """How this table looks in the hall, and what waits at it."""
    said = [state_words(row)]
    if row.seat <= k.SEAT_D and row.state not in ("idle", "over"):
        said.append(f"{seat_words(row.seat, row.name)} {clock_text(row)}")
    if row.stale:
        said = [f"{STALE} {' · '.join(said)} {STALE}"]
    said += [_waiting(alert) for alert in row.alerts]
    if row.stale and row.age_ms is not None and all(alert.kind != "silent" for alert in row.alerts):
        said.append(_("silent {age}").format(age=duration(row.age_ms)))
    if row.lag:
        said.append(_("log lags {lag}").format(lag=lag_text(row.lag)))
    return _("The hall sees: {what}").format(what=" · ".join(said))


def waiting_elsewhere(table: int, alerts: Sequence[Alert]) -> str:
    """What waits at the other tables, longest first."""
    others = [
        _("table {table}").format(table=alert.table) + " " + _waiting(alert) for alert in alerts if alert.table != table
    ]
    return _("Other tables: {what}").format(what=" · ".join(others) or _("nobody has to wait"))


def _waiting(alert: Alert) -> str:
    return f"{alert_mark(alert)} {alert_words(alert)} {duration(alert.waiting_ms)}"
