"""What is known of the inside of a table's clock: its own word where the box is simulated, else what the hall knows."""

from __future__ import annotations

from typing import Final

from dalej.domain.facts import END_REASONS, STATES, STOP_REASONS
from dalej.domain.rulesets import Ruleset
from dalej.hall.seen import Alert, Row
from dalej.live.messages import Face, Inside
from moveclock import facts as k

UNKNOWN: Final = k.NOBODY  # a state of which nothing has been heard


def known(row: Row, face: Face | None, rules: Ruleset) -> Inside:
    """The box itself knows at once and all of it; the hall what has been told so far."""
    return _from(row, rules) if face is None or face.inside is None else face.inside


def _alert(row: Row, kind: str) -> Alert | None:
    """The table's alert of that kind."""
    return next((alert for alert in row.alerts if alert.kind == kind), None)


def acting_seat(inside: Inside) -> int:
    """Whose buttons count now: in a move that seat's, then the next one's, before a game the starter's; else NOBODY."""
    if inside.state == k.RUNNING:
        return inside.seat
    if inside.state == k.READY and inside.following == k.NOBODY:
        return first_seat(inside)
    return inside.following if inside.state in (k.READY, k.EXPIRED) else k.NOBODY


def first_seat(inside: Inside) -> int:
    """The first that plays, clockwise from A."""
    return next((seat for seat in range(k.SEAT_D + 1) if inside.playing >> seat & 1), k.SEAT_A)


def _from(row: Row, rules: Ruleset) -> Inside:
    state = STATES.index(row.state) if row.state in STATES else UNKNOWN
    runs, playing = state == k.RUNNING, row.seats & ~row.out
    dispute, click, referee = (_alert(row, kind) for kind in ("dispute", "early_click", "referee"))
    about = row.seat if state == k.OVER else next((alert.seat for alert in (dispute, click) if alert), k.NOBODY)
    claim_ms = 0
    if runs and click is not None and row.left_ms is not None and row.limit_ms is not None:
        claim_ms = rules.claim_window_ms - (row.limit_ms - row.left_ms)
    withdraw_ms = 0 if dispute is None else rules.withdraw_window_ms - dispute.waiting_ms
    return Inside(
        state=state, seat=row.seat, following=_after(row.seat, playing) if state == k.EXPIRED else k.NOBODY,
        playing=playing, game=row.game, bank=-1 if row.bank is None else row.bank, reason=_reason(row), by_desk=False,
        about=about, drawn=False, further=False, clicked=runs and click is not None,
        pending=runs and dispute is not None, called=referee is not None, announced=False, final_lap=row.final_lap,
        claim_s=_begun(claim_ms), withdraw_s=_begun(withdraw_ms), holds=(k.NOBODY, 0, 0), stray=(0, k.NOBODY, 0),
    )  # fmt: skip


def _reason(row: Row) -> int:
    names = END_REASONS if row.state == "over" else STOP_REASONS
    return names.index(row.reason) if row.reason in names else k.NOBODY


def _after(seat: int, playing: int) -> int:
    """Who judges a late move, as far as the hall knows."""
    if seat > k.SEAT_D:
        return k.NOBODY
    return next((after & 3 for after in range(seat + 1, seat + 4) if playing >> (after & 3) & 1), k.NOBODY)


def _begun(ms: int) -> int:
    return max(0, -(-ms // 1_000))
