"""The lines around a table's box: which game this is, how the hall sees it, who else waits, what it waits for and the
key that answers; and a table in words and figures, where there is no box to draw.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from rich.cells import cell_len
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from dalej.domain.game.facts import SEATS, is_phone
from dalej.domain.game.rulings import Decision, FactKey, is_open, ruled_on
from dalej.tui.widgets.bars import Saying, desk_mark
from dalej.tui.widgets.boxdrawing import figures
from dalej.tui.widgets.grid import first_fit
from dalej.views.callwords import then_words
from dalej.views.feed import Feed
from dalej.views.phrases import (
    STALE,
    alert_mark,
    alert_words,
    clock_text,
    duration,
    lag_text,
    move_text,
    needs_words,
    seat_words,
    state_words,
    whose_words,
)
from dalej.views.rows import Alert, Row, SeenTurn
from dalej.words import _, ngettext
from moveclock import facts as k
from moveclock.view import time_text


def title(row: Row, feed: Feed, room: int, *, mine: bool) -> str:
    """The table, its box by name, its game, and whether a desk is live; in `room` columns, the first alone at least."""
    said = [_("Table {table}").format(table=row.table)]
    spare: list[str] = []  # the last goes first
    if row.called != row.box:
        said.append((_("phone {box}") if is_phone(row.box) else _("box {box}")).format(box=row.called))
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
    if mark := desk_mark(feed):
        said.append(mark)
    while cell_len(line := f" {' · '.join(said)}") > room and spare:
        said.remove(spare.pop())
    return line


def seen_there(row: Row, room: int, beside: Sequence[str] = ()) -> str:
    """How this table looks in the hall, in `room` columns: what waits at it comes first, and what goes on `beside`
    its game.
    """
    kinds = {alert.kind for alert in row.alerts}
    said = [*(_waiting(alert) for alert in row.alerts), *beside]
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


FULL = 999  # columns, as long as it is not known how many there are


class CallLine(Saying):
    """Written anew when it says something else; a click answers it."""

    ALLOW_SELECT = False

    class Clicked(Message):
        """Somebody wants to answer."""

    def __init__(self) -> None:
        super().__init__(id="call", hides=True)

    def show_alert(self, alert: Alert | None, names: Sequence[str], then: str = "") -> None:
        """What waits, None: nothing. `then`: what the table has to do, once a referee has decided."""
        said = ""
        if alert is not None:
            what = f"{alert_mark(alert)} {alert_words(alert)} {duration(alert.waiting_ms)}"
            whose, answer = whose_words(alert, names), "   ⏎ " + _("answer")
            beside: Sequence[Sequence[str]] = ((whose[0], needs_words(alert)), (whose[0],), (whose[-1],), ())
            if then:
                beside, answer = ((whose[0], then), (whose[-1], then), (then,)), ""
            lines = [" · ".join(filter(None, (what, *parts))) + answer for parts in beside]
            said = first_fit(lines, self.size.width or FULL)
        self.set_class(alert is not None and alert.urgent, "-urgent")
        self.say(said)

    def on_click(self) -> None:
        self.post_message(self.Clicked())


def waits_next(table: int, alerts: Sequence[Alert]) -> int | None:
    """The other table that waits longest, after this one if it waits itself; None: no other does."""
    waiting = list(dict.fromkeys(alert.table for alert in alerts))
    after = waiting.index(table) + 1 if table in waiting else 0
    return next((other for other in (*waiting[after:], *waiting) if other != table), None)


def after_ruling_ahead(row: Row, decisions: Sequence[Decision], since_ms: int, following: int) -> str:
    """The same where a referee has ruled since that Unix time, and the box has still to tell of the time-out."""
    if row.ahead is None or row.state != "expired" or following > k.SEAT_D:
        return ""
    for one in reversed(decisions):
        if one.when_ms < since_ms:
            break
        if is_open(one) and one.revoked_by is None and ruled_on(one)[:2] == (row.box, row.ahead[0]):
            return then_words(row, following, str(one.body.get("ruling")))
    return ""


def after_answer(row: Row, turns: Sequence[SeenTurn], granted: Collection[FactKey]) -> str:
    """What is left to be done where the claim for which the clock stands was denied, or is one of those that were
    granted; "" as long as nobody has answered it. `turns`: of its game.
    """
    if any(alert.denied for alert in row.alerts):
        return _("denied: r lets the clock go on")
    here = (one.turn for one in turns if one.turn.move == row.move and not one.turn.void)
    turn = next(here, None)
    if turn is None or row.state != "stopped":
        return ""
    if not any((box, epoch) == (turn.box, turn.epoch) and seq > turn.seq for box, epoch, seq in granted):
        return ""
    return _("granted: r lets the clock go on, with the full time")


def first_alert(row: Row) -> Alert | None:
    """What is to be answered first: the urgent that waits longest."""
    return next((alert for alert in row.alerts if alert.urgent), row.alerts[0] if row.alerts else None)


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
