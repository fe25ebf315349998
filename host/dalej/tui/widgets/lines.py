"""The lines over and under a table's box: which game this is, how the hall sees it, and who else waits there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rich.cells import cell_len

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


def title(row: Row, feed: Feed, room: int, *, mine: bool) -> str:
    """The table, its box by name, its game, and whether a desk is live; in `room` columns, the first alone at least."""
    said = [_("Table {table}").format(table=row.table)]
    spare: list[str] = []  # the last goes first
    if row.called != row.box:
        said.append(_("box {box}").format(box=row.called))
        spare.append(said[-1])
    if mine:
        said.append(_("YOU PLAY (t gives it back)"))
    if row.game:
        said.append(_("game {game}, move {move}").format(game=row.game, move=move_text(row)))
    if row.bank is not None:
        said.append(_("bank {bank}").format(bank=row.bank))
        spare.append(said[-1])
    if feed.live and feed.speed != 1:
        said.append(f"×{feed.speed:g}")
    said.append("● " + _("live") if feed.live else "◌ " + _("NO LIVE DESK"))
    while cell_len(line := f" {' · '.join(said)}") > room and spare:
        said.remove(spare.pop())
    return line


def seen_there(row: Row, room: int) -> str:
    """How this table looks in the hall, in `room` columns: what waits at it comes first."""
    kinds = {alert.kind for alert in row.alerts}
    said = [_waiting(alert) for alert in row.alerts]
    if row.stale and row.age_ms is not None and "silent" not in kinds:
        said.append(_("silent {age}").format(age=duration(row.age_ms)))
    state = state_beside(row, kinds)
    if row.seat <= k.SEAT_D and row.state not in ("idle", "over"):
        state = " · ".join(filter(None, (state, f"{seat_words(row.seat, row.name)} {clock_text(row)}")))
    if state:
        said.append(f"{STALE} {state} {STALE}" if row.stale else state)
    if row.lag:
        said.append(_("log lags {lag}").format(lag=lag_text(row.lag)))
    return _fitting(_("The hall sees: {what}"), said, room)


def waiting_elsewhere(table: int, alerts: Sequence[Alert], room: int) -> str:
    """What waits at the other tables, longest first, in `room` columns."""
    others = [
        _("table {table}").format(table=alert.table) + " " + _waiting(alert) for alert in alerts if alert.table != table
    ]
    return _fitting(_("Other tables: {what}"), others or [_("nobody has to wait")], room)


def state_beside(row: Row, kinds: Collection[str]) -> str:
    """What the table is doing, without what an alert has said already."""
    if row.state == "expired" and "time_out" in kinds:
        return ""
    told = {"box_lost_power": "power_lost"}.get(row.reason or "", row.reason)
    return state_words(replace(row, reason=None) if told in kinds else row)


def _waiting(alert: Alert) -> str:
    return f"{alert_mark(alert)} {alert_words(alert)} {duration(alert.waiting_ms)}"


def _fitting(template: str, parts: Sequence[str], room: int) -> str:
    """As many whole parts as have room, one at least, and how many more there are."""
    said = ""
    for shown in range(len(parts), 0, -1):
        more = [_("+{count} more").format(count=len(parts) - shown)] if shown < len(parts) else []
        said = template.format(what=" · ".join([*parts[:shown], *more]))
        if cell_len(said) <= room:
            break
    return said
