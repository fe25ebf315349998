"""What a call asks of whoever comes, and what each answer comes to where its title does not say. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dalej.domain.game.facts import STOP_REASONS, seat_name
from dalej.domain.game.sentences import choice, word
from dalej.office.rulings import Verdict
from dalej.views.phrases import duration, seat_words, time_text
from dalej.views.rows import Alert, Row, SeenTurn
from dalej.words import N_, _, said
from moveclock import facts as k

_CLAIM: Final[Mapping[str, str]] = {
    "grant_claim": N_("{player} begins the move anew with its full time, at once."),
    "deny_claim": N_("{player} goes on with the {left} that are left, at once."),
}
_STANDING: Final[Mapping[str, str]] = {
    "resume": N_("Nothing else changes: {player} goes on with {left}."),
    "restart_move": N_("It begins at once."),
    "set_time": N_("{player} goes on at once with as much as you say."),
    "set_seat": N_("At once, with the {left} that are left."),
    "rule": N_("About move {move}, of which the time ran out."),
    "stop": N_("At once, not only when this move ends."),
    "warn": N_("Is written down; clock and call stay as they are."),
}
_STILL_LATE: Final = N_("Nothing else changes: the time of {player} is over, and the table waits for the verdict.")


def why_it_stands(reason: int, player: str, about: str) -> str:
    """In a sentence. `reason`: of `moveclock.facts`; `player`: who is to move; `about`: whose move a dispute is about,
    "" if nobody knows.
    """
    if reason == k.EARLY_CLICK:
        if about and about != player:
            said = _("{player} claims a fresh move: {about} pressed Dalej before taking the tile. The clock stands.")
            return said.format(player=player, about=about)
        said = _("{player} claims a fresh move, because Dalej came before the tile. The clock stands.")
        return said.format(player=player)
    if reason == k.DISPUTE:
        if not about:
            return _("Dispute: the clock stands, nobody touches the tiles.")
        said = _("Dispute about the move of {player}: the clock stands, nobody touches the tiles.")
        return said.format(player=about)
    if reason == k.BOX_LOST_POWER:
        return _("The box was without power: the clock stands at what was left for {player}.").format(player=player)
    if reason == k.ROUND_BREAK:
        return _("A break: the clock stands.")
    if reason == k.REFEREE:
        return _("The referee is called: the clock stands.")
    return _("The clock stands.")


def question(alert: Alert, row: Row, *, answered: bool = False) -> str:
    """What happened, and what is asked. `answered`: somebody has decided on the claim."""
    about = _seat(alert.seat, row)
    if alert.kind == "time_out":
        return _("{late}: what did you see at the table?").format(late=about or "–")
    if alert.kind == "silent":
        return (
            _("Nothing heard for {age}: what is shown is old.").format(age=duration(alert.waiting_ms))
            + " "
            + _("The game may well go on there: somebody should look.")
        )
    if alert.kind == "stands":
        stopped = _("The clock was stopped from the desk. It is {player}'s move, with {left} left.")
        return (
            stopped.format(player=_seat(row.seat, row) or "–", left=time_text(row.left_ms))
            + " "
            + _("What have you decided?")
        )
    if alert.denied or answered:
        return _("The claim is answered. The clock still stands: let it go on.")
    if row.state != "stopped":
        return _running(alert, about)
    reason = STOP_REASONS.index(row.reason) if row.reason in STOP_REASONS else k.NOBODY
    player = _seat(row.seat, row)
    if reason == k.EARLY_CLICK and about and about != player:
        return claim_asked(alert, row)
    if reason == k.DISPUTE and about:
        what = _("Dispute about the move of {about}.").format(about=about)
        return what if about == player else f"{what} " + _("By now {player} is to move.").format(player=player or "–")
    what = why_it_stands(reason, player, about)
    return what + " " + (_("Was it so?") if alert.kind == "early_click" else _("What have you decided?"))


def comes_to(act: str, alert: Alert, row: Row, *, answered: bool = False, move: int | None = None) -> str:
    """What follows from that answer; "" where its title says it. `move`: that it is about, None: the one at work."""
    claimed = alert.kind == "early_click" and not alert.denied
    template = (_CLAIM if claimed else _STANDING).get(act, "")
    stands = row.state == "stopped" or act in ("stop", "warn")
    if not template or not stands or (claimed and answered):
        return ""
    if row.left_ms is not None and row.left_ms <= 0 and act == "resume":
        template = _STILL_LATE
    return _(template).format(player=_seat(row.seat, row) or "–", left=time_text(row.left_ms), move=move or row.move)


def stands_words() -> str:
    """Of a move whose time is over, as an answer."""
    return _("valid in time → {ruling}").format(ruling=word("stands"))


def undone_words(tiles: int | None, *, late: bool) -> str:
    """The same. `tiles`: what it costs, None: not known yet; `late`: so fares who touched tiles later."""
    what = _("late or not valid → {ruling}") if late else _("not valid → {ruling}")
    what = what.format(ruling=word("undone"))
    return what if tiles is None else _("{answer}, draws {tiles}").format(answer=what, tiles=tiles)


def claim_asked(alert: Alert, row: Row) -> str:
    """What a claim asks, in a line: of the player whose click it is about, where that is known."""
    about = "" if alert.seat == row.seat else _seat(alert.seat, row)
    if not about:
        return _("Dalej before taking the tile?")
    return _("{about}: Dalej before taking the tile?").format(about=about)


def claim_words(row: Row, *, granted: bool) -> str:
    """Of the claim that waits there, as an answer."""
    if granted:
        return _("yes → fresh move: {player}").format(player=_seat(row.seat, row) or "–")
    return _("no → {plays_on}").format(plays_on=_plays_on(row.seat, row))


def goes_on_words(row: Row, *, disputed: bool) -> str:
    """Of a clock that stands, as an answer."""
    if row.left_ms is not None and row.left_ms <= 0:
        template = _("nothing changes: the time of {player} is over")
        if disputed:
            template = _("nothing wrong → the time of {player} is over")
        return template.format(player=_seat(row.seat, row) or "–")
    goes_on = _plays_on(row.seat, row)
    return _("nothing wrong → {plays_on}").format(plays_on=goes_on) if disputed else goes_on


def given_back_words(row: Row, seat: int) -> str:
    """Of a move that is given back to that seat, as an answer."""
    return _("mistaken click → {plays_on}").format(plays_on=_plays_on(seat, row))


_SEEN: Final[Mapping[str, str]] = {
    "stands": N_("valid"),
    "undone": N_("not valid"),
    "takes_invalid": N_("cannot be put back"),
}


def seen_words(seen: str) -> str:
    """What a referee saw, and what is ruled by it where that is always the same."""
    return f"{_(_SEEN[seen])} → {word(seen)}" if seen in _SEEN else said(choice(seen))


def verdict_words(seen: str, usual: Verdict) -> str:
    """What is ruled by that answer, where it does not say it itself, and how many tiles it usually costs."""
    cost = (
        _("tiles not counted yet")
        if usual.tiles is None
        else _("penalty tiles by the rules: {tiles}").format(tiles=usual.tiles)
    )
    return cost if usual.ruling == seen else f"→ {word(usual.ruling)}, {cost}"


def after_ruling(row: Row, turns: Sequence[SeenTurn], following: int) -> str:
    """Who has to press what, where a referee has ruled on the move whose time is over; "" as long as nobody has.
    `turns`: of its game.
    """
    if row.state != "expired" or following > k.SEAT_D:
        return ""
    here = (one for one in turns if one.turn.move == row.move and not one.turn.void)
    ruled = next(here, None)
    if ruled is None or ruled.turn.ruling is None or ruled.ruled_by in ("default", "table"):
        return ""
    return then_words(row, following, ruled.turn.ruling)


def then_words(row: Row, following: int, ruling: str) -> str:
    """Who has to press what, once it is ruled so."""
    button = "Już" if ruling == "stands" else "Dalej"
    return _("ruled: {player} is next and presses {button}; play goes on").format(
        player=seat_words(following, row.names[following]), button=button
    )


def _running(alert: Alert, about: str) -> str:
    if alert.kind == "dispute" and about:
        return _("Dispute about the move of {player}: the clock stops when that move ends.").format(player=about)
    return _("The table calls the referee; no clock is stopped for that.")


def _plays_on(seat: int, row: Row) -> str:
    return _("{player} plays on: {left}").format(player=_seat(seat, row) or "–", left=time_text(row.left_ms))


def _seat(seat: int, row: Row) -> str:
    return "" if seat_name(seat) is None else seat_words(seat, row.names[seat])
