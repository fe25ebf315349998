"""The line over a table that waits for a person: what for, since when, and the key that answers it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from dalej.domain.rulings import Decision, FactKey, is_open, ruled_on
from dalej.hall.seen import Alert, Row, SeenTurn
from dalej.tui.widgets.grid import first_fit
from dalej.tui.words import alert_mark, alert_words, duration, needs_words, seat_words, whose_words
from dalej.words import _
from moveclock import facts as k

FULL = 999  # columns, as long as it is not known how many there are


class CallLine(Static):
    """Written anew when it says something else; a click answers it."""

    ALLOW_SELECT = False

    class Clicked(Message):
        """Somebody wants to answer."""

    _said = ""

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
        if said != self._said:
            self._said = said
            self.display = bool(said)
            self.set_class(alert is not None and alert.urgent, "-urgent")
            self.update(Content(said))

    def on_click(self) -> None:
        self.post_message(self.Clicked())


def waits_next(table: int, alerts: Sequence[Alert]) -> int | None:
    """The other table that waits longest, after this one if it waits itself; None: no other does."""
    waiting = list(dict.fromkeys(alert.table for alert in alerts))
    after = waiting.index(table) + 1 if table in waiting else 0
    return next((other for other in (*waiting[after:], *waiting) if other != table), None)


def after_ruling(row: Row, turns: Sequence[SeenTurn], following: int) -> str:
    """Who has to press what, where a referee has ruled on the move whose time is over; "" as long as nobody has."""
    if row.state != "expired" or following > k.SEAT_D:
        return ""
    here = (one for one in turns if (one.turn.game, one.turn.move) == (row.game, row.move) and not one.turn.void)
    ruled = next(here, None)
    if ruled is None or ruled.turn.ruling is None or ruled.ruled_by in ("default", "table"):
        return ""
    return _then(row, following, ruled.turn.ruling)


def after_ruling_ahead(row: Row, decisions: Sequence[Decision], since_ms: int, following: int) -> str:
    """The same where a referee has ruled since that Unix time, and the box has still to tell of the time-out."""
    if row.ahead is None or row.state != "expired" or following > k.SEAT_D:
        return ""
    for one in reversed(decisions):
        if one.when_ms < since_ms:
            break
        if is_open(one) and one.revoked_by is None and ruled_on(one)[:2] == (row.box, row.ahead[0]):
            return _then(row, following, str(one.body.get("ruling")))
    return ""


def _then(row: Row, following: int, ruling: str) -> str:
    button = "Już" if ruling == "stands" else "Dalej"
    return _("ruled: {player} presses {button}, then play goes on").format(
        player=seat_words(following, row.names[following]), button=button
    )


def after_answer(row: Row, turns: Sequence[SeenTurn], granted: Collection[FactKey]) -> str:
    """What is left to be done where the claim for which the clock stands was denied, or is one of those that were
    granted; "" as long as nobody has answered it.
    """
    if any(alert.denied for alert in row.alerts):
        return _("denied: r lets the clock go on")
    here = (one.turn for one in turns if (one.turn.game, one.turn.move) == (row.game, row.move) and not one.turn.void)
    turn = next(here, None)
    if turn is None or row.state != "stopped":
        return ""
    if not any((box, epoch) == (turn.box, turn.epoch) and seq > turn.seq for box, epoch, seq in granted):
        return ""
    return _("granted: r lets the clock go on, with the full time")


def first_alert(row: Row) -> Alert | None:
    """What is to be answered first: the urgent that waits longest."""
    return next((alert for alert in row.alerts if alert.urgent), row.alerts[0] if row.alerts else None)
