"""Words and figures that every screen says alike, in the reader's language. Durations come in ms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dalej.domain.game.facts import seat_name
from dalej.domain.game.sentences import word
from dalej.views.rows import Alert, Row, SeenTurn
from dalej.words import N_, _, ngettext, who_said

TENTHS_MS: Final = 10_000  # tenths from here on, as on the box
MOST_LAG: Final = 255

STATES: Final[Mapping[str, str]] = {
    "idle": N_("not set up"), "ready": N_("ready to start"), "running": N_("playing"), "expired": N_("time is over"),
    "stopped": N_("the clock stands"), "over": N_("game over"), "unknown": N_("not heard yet"),
}  # fmt: skip
ALERTS: Final[Mapping[str, str]] = {
    "referee": N_("referee called"), "dispute": N_("dispute"), "early_click": N_("early click"),
    "time_out": N_("time is over"), "power_lost": N_("power lost"),
    "stands": N_("the clock stands"), "silent": N_("box silent"),
}  # fmt: skip
ALERTS_BRIEF: Final[Mapping[str, str]] = {
    "referee": N_("referee"), "dispute": N_("disputed"), "early_click": N_("click"),
    "time_out": N_("late"), "power_lost": N_("power"), "stands": N_("stands"),
    "silent": N_("silent"),
}  # fmt: skip
NEEDS: Final = (N_("go and look"), N_("needs a referee"), N_("table may settle"))
URGENT, PATIENT = "▲", "△"  # a referee is needed; the table may still settle it
STALE = "░"
PLAYED = "»"  # by this screen


def duration(ms: int) -> str:
    """How long, in whole seconds, rounded down: `14 s`, `2:05 min`, `1 h 02 min`."""
    seconds = max(0, ms) // 1_000
    if seconds < 60:
        return _("{seconds} s").format(seconds=seconds)
    if seconds < 3_600:
        return _("{minutes}:{seconds:02d} min").format(minutes=seconds // 60, seconds=seconds % 60)
    return _("{hours} h {minutes:02d} min").format(hours=seconds // 3_600, minutes=seconds // 60 % 60)


def brief(ms: int) -> str:
    """How long, where room is scarce: `14 s`, `2:05`, `1:02 h`."""
    seconds = max(0, ms) // 1_000
    if seconds < 60:
        return _("{seconds} s").format(seconds=seconds)
    if seconds < 3_600:
        return f"{seconds // 60}:{seconds % 60:02d}"
    return _("{hours}:{minutes:02d} h").format(hours=seconds // 3_600, minutes=seconds // 60 % 60)


def time_text(left_ms: int | None) -> str:
    """Time left as the box shows it: `0:45`, in the last 10 s `9.3`, how long it is over `−7`; `–` if not known.

    In the first second after the end it is `0.0`: there is no `−0` to be read.
    """
    if left_ms is None:
        return "–"
    if left_ms <= -1_000:
        return f"−{-left_ms // 1_000}"
    left_ms = max(0, left_ms)
    tenths = -(-left_ms // 100)
    if left_ms <= TENTHS_MS - 100:
        return _("{whole}.{tenths}").format(whole=tenths // 10, tenths=tenths % 10)
    seconds = -(-left_ms // 1_000)
    return f"{seconds // 60}:{seconds % 60:02d}"


def clock_text(row: Row) -> str:
    """The time cell of a table; in `expired` it is over, even at zero."""
    if row.state == "over" or row.state == "idle":
        return "–"
    if row.state == "expired" and row.left_ms is not None:
        return time_text(min(0, row.left_ms))
    return time_text(row.left_ms)


def move_text(row: Row) -> str:
    """Number of the move; `17+` if the box is further than the log."""
    if row.move == 0:
        return "–"
    return f"{row.move}+" if row.move_at_least else str(row.move)


def seat_words(seat: int, name: str) -> str:
    """`Lis (A)`, or what is known of it."""
    letter = seat_name(seat)
    if letter is None:
        return name or "–"
    return f"{name} ({letter})" if name else letter


def penalties_text(row: Row) -> str:
    """`A1 C?`: penalty tiles by seat; `?` where somebody still has to count; empty if there are none."""
    said = (f"{seat_name(seat)}{'?' if tiles < 0 else tiles}" for seat, tiles in enumerate(row.penalties) if tiles)
    return " ".join(said)


def lag_text(lag: int) -> str:
    """Facts that the log still waits for."""
    return "" if lag == 0 else f"{MOST_LAG}+" if lag >= MOST_LAG else str(lag)


def alert_mark(alert: Alert) -> str:
    """The shape that goes before an alert."""
    return URGENT if alert.urgent else PATIENT


def alert_words(alert: Alert) -> str:
    """What waits."""
    return _(ALERTS[alert.kind])


def whose_words(alert: Alert, names: Sequence[str]) -> tuple[str, ...]:
    """Whose move it is about, at length and shorter: `Lis (A), move 17`, `Lis (A)`, `Lis`, `A`; `names`: of the table's
    seats.
    """
    letter = seat_name(alert.seat)
    if letter is None:
        return ("",)
    name = names[alert.seat]
    short = (seat_words(alert.seat, name), *([name] if name else []), letter)
    return (_("{player}, move {move}").format(player=short[0], move=alert.move), *short) if alert.move else short


def waits_words(alerts: Sequence[Alert], *, played: bool) -> tuple[str, ...]:
    """What waits at a table, from all words to few: the mark and the waiting time are in each, a number of others too.

    The urgent comes first. `played`: by this screen, which is said if there is room.
    """
    first = next((alert for alert in alerts if alert.urgent), alerts[0])
    mark, waiting = alert_mark(first), brief(first.waiting_ms)
    more = f" +{len(alerts) - 1}" if len(alerts) > 1 else ""
    long, short = (f"{mark} {_(kinds[first.kind])} {waiting}" for kinds in (ALERTS, ALERTS_BRIEF))
    least = (f"{long}{more}", f"{short}{more}", short, f"{mark} {waiting}")
    if not played:
        return least
    also = played_words()
    return (f"{long}{more} {also}", f"{long}{more} {PLAYED}", f"{short}{more} {PLAYED}", *least[1:])


def played_words() -> str:
    """That this screen plays the table."""
    return f"{PLAYED} " + _("you play")


def needs_words(alert: Alert) -> str:
    """Whom it waits for."""
    if alert.taken:
        return _("{who} is on the way").format(who=who_said(alert.taken))
    look, referee, table = NEEDS
    if alert.kind == "silent":
        return _(look)
    if alert.kind == "stands":
        return _("let it go on")
    return _(referee) if alert.urgent else _(table)


def state_choices(row: Row) -> tuple[str, ...]:
    """`state_words`, and shorter where there is a reason: `game over: went out`, `went out`, `game over`."""
    said = state_words(row)
    if row.reason is None or row.state not in ("stopped", "over"):
        return (said,)
    return said, word(row.reason), _(STATES[row.state])


def state_words(row: Row) -> str:
    """What the table is doing, and why if it does not play."""
    said = _(STATES.get(row.state, STATES["unknown"])) if row.box else _("no box")
    if row.reason is not None and row.state in ("stopped", "over"):
        said = f"{said}: {word(row.reason)}"
    return _("{state}, final lap").format(state=said) if row.final_lap and row.state != "over" else said


def ruling_words(seen: SeenTurn) -> str:
    """The ruling, its tiles, the clause and who made it: `→ undone, +1 tile (rule 6h), the table`.

    What follows from the rules as long as nobody has decided is no ruling yet, and must not read like one.
    """
    turn = seen.turn
    assert turn.ruling is not None
    tiles = _("tiles to be counted") if turn.tiles is None else tiles_words(turn.tiles) if turn.tiles else _("no tile")
    said = f"{word(turn.ruling)}, {tiles}"
    if seen.clause:
        said += " " + _("(rule {clause})").format(clause=seen.clause)
    if seen.ruled_by == "default":
        return "… " + _("until somebody decides: {ruling}").format(ruling=said)
    who = _("the table") if seen.ruled_by == "table" else seen.ruled_by
    return f"→ {said}, {who}"


def tiles_words(count: int) -> str:
    """What a ruling costs."""
    return ngettext("+{count} tile", "+{count} tiles", count).format(count=count)
