"""What goes on at a table and what may be done now, in plain words: a pure function of what is known of it."""

from __future__ import annotations

from typing import Final

from dalej.domain.facts import STATES
from dalej.domain.rulesets import Ruleset
from dalej.hall.seen import Alert, Row
from dalej.live.messages import Face
from dalej.tui.words import duration, seat_words
from dalej.words import _
from moveclock import facts as k
from moveclock import view as v

_RESUMES: Final = ("1", "2", "3")  # what a display counts down before a clock runs again


def hint(row: Row, face: Face | None, rules: Ruleset) -> str:
    """One to three sentences. `face`: the simulated box if there is one, then it knows better than `row`."""
    if face is None:
        return f"{_heard(row)} {_at_the_box(row)}".strip() if row.stale else f"{_now(row, None, rules)}"
    if not face.powered:
        return _("The box has no power. p gives it back; the clock then stands until Sędzia is held.")
    said = _now(row, face, rules)
    if not face.in_reach:
        said += " " + _("Out of reach, the hall learns of it later: l brings the box back.")
    if face.mine:
        return said
    if face.taken:
        return said + " " + _("Another screen plays this table.")
    return said + " " + _("t = you play this table, all seats of it.")


def state_of(face: Face) -> str:
    """The state that a box with power shows by its ring and lamps."""
    colour, _lit, _seat = face.ring
    if colour == v.WHITE:
        return "ready"
    if colour == v.BLUE:
        return "stopped"
    if colour == v.DARK:
        return "idle" if " -- " in face.displays else "over"
    return "running" if face.lit else "expired"


def acting_seat(row: Row, face: Face) -> int:
    """Whose buttons count now: in a move that seat's, then the next one's, before a game the starter's; else NOBODY.

    While a box blinks to be found, `row` knows the next seat.
    """
    state, seat = state_of(face), face.ring[2]
    if not face.powered or state not in ("ready", "running", "expired"):
        return k.NOBODY
    if state == "expired":
        blinks = (after for after in range(len(row.names)) if face.blinking & 255 == 3 << 2 * after)
        return next(blinks, _next_seat(row, seat))
    return _first(row) if state == "ready" and seat == k.NOBODY else seat


def _now(row: Row, face: Face | None, rules: Ruleset) -> str:
    state = row.state if face is None else state_of(face)
    seat = row.seat if face is None else face.ring[2]
    fresh = row.state == state and (row.seat == seat or state in ("idle", "ready", "over"))
    mine = face is not None and face.mine
    if state == "running":
        return _running(row, seat, mine, rules, _alert(row, "early_click") if fresh else None)
    if state == "expired":
        return _expired(row, seat, _next_seat(row, seat) if face is None else acting_seat(row, face), mine, rules)
    if state == "stopped":
        return _stopped(row, seat, mine, rules, row.reason if fresh else None, _counts_down(face))
    if state == "ready":
        return _ready(row, k.NOBODY if face is None else seat, mine)
    if state == "over":
        return _over(row, mine, row.reason if fresh else None)
    if state == "idle":
        return _("This table is not set up yet: the desk does that, and then it starts.")
    return _("Nothing has been heard of this table yet.")


def _heard(row: Row) -> str:
    if row.age_ms is None:
        return _("Nothing has been heard of this table yet.")
    return _("Nothing heard for {age}: what is shown is old.").format(age=duration(row.age_ms))


def _at_the_box(row: Row) -> str:
    return _("The game may well go on there: somebody should look.") if row.state in STATES else ""


def _running(row: Row, seat: int, mine: bool, rules: Ruleset, click: Alert | None) -> str:
    said = [_("{player} to move.").format(player=_player(row, seat))]
    if row.final_lap:
        said.append(_("Final lap: everybody has one more move."))
    if click is not None:
        said.append(_early_click(row, seat, click, mine, rules))
    elif (dispute := _alert(row, "dispute")) is not None:
        said.append(_("A dispute: the clock stops when this move ends."))
        if mine and dispute.waiting_ms < rules.withdraw_window_ms:
            said.append(_("s again takes the call back."))
    if not mine:
        said.append(_("Już ends the move with tiles laid, Dalej without."))
    elif row.bank == 0:
        said.append(_("j = laid tiles (Już). d = passed (Dalej): the bank is empty. Shift+J = the rack is empty."))
    elif click is not None:
        said.append(_("Else play on: j = Już; k, then d = Dalej."))
    else:
        said.append(_("j = laid tiles (Już). k, then d = drew a tile and passed (Dalej)."))
        said.append(_("Shift+J = the rack is empty. s = a dispute."))
    return " ".join(said)


def _early_click(row: Row, seat: int, click: Alert, mine: bool, rules: Ruleset) -> str:
    player, late = _player(row, seat), _player(row, click.seat)
    if row.left_ms is None or row.limit_ms is None:
        window = 0
    else:
        window = rules.claim_window_ms - (row.limit_ms - row.left_ms)
    if window <= 0:
        return _("{late} pressed Dalej before the tile was drawn.").format(late=late)
    template = _("Dalej came before the tile: {player} may press s within {left} to claim a fresh move.")
    if not mine:
        template = _("Dalej came before the tile: {player} may press Sędzia within {left} to claim a fresh move.")
    return template.format(player=player, left=duration(window + 999))


def _expired(row: Row, seat: int, following: int, mine: bool, rules: Ruleset) -> str:
    late = _player(row, seat)
    player = _("The next player") if following == k.NOBODY else _player(row, following)
    said = [_("Time is over for {late}.").format(late=late)]
    if mine:
        template = _(
            "{player} speaks for the table: j = the move stands, d = it was undone and the penalty tile taken."
        )
    else:
        template = _(
            "{player} speaks for the table: Już = it stands, Dalej = it was undone and the penalty tile taken."
        )
    said.append(template.format(player=player))
    if rules.on_expiry == "advance":
        said.append(_("If nobody does, the next move starts by itself."))
    elif _alert(row, "referee") is not None:
        said.append(_("The referee is called."))
    elif mine:
        said.append(_("s = call the referee."))
    return " ".join(said)


def _stopped(row: Row, seat: int, mine: bool, rules: Ruleset, reason: str | None, counts: str) -> str:
    if counts:
        return _("Hands off the tiles: the clock runs again in {count}.").format(count=counts)
    player = _player(row, seat)
    hold = (
        _("When all agree, Shift+S (hold Sędzia) goes on after 3-2-1.")
        if mine
        else _("When all agree, holding Sędzia for 2 s goes on after 3-2-1.")
    )
    dispute = _alert(row, "dispute")
    if reason == "early_click":
        said = _("{player} claims a fresh move, because Dalej came before the tile. The clock stands.")
        said = said.format(player=player)
        if mine:
            hold = _("k = the missing tile. Shift+S (hold Sędzia) starts the move again with its full time.")
    elif reason == "dispute":
        said = _("Dispute: the clock stands, nobody touches the tiles.")
        if dispute is not None:
            said = _("Dispute about the move of {player}: the clock stands, nobody touches the tiles.").format(
                player=_player(row, dispute.seat)
            )
        if mine and dispute is not None and dispute.waiting_ms < rules.withdraw_window_ms:
            hold = _("s again takes the call back.") + " " + hold
    elif reason == "box_lost_power":
        said = _("The box was without power: the clock stands at what was left for {player}.").format(player=player)
    elif reason == "round_break":
        said = _("A break: the clock stands.")
    elif reason == "referee":
        said = _("The referee is called: the clock stands.")
    else:
        said = _("The clock stands.")
    return f"{said} {hold}"


def _ready(row: Row, seat: int, mine: bool) -> str:
    game = _("Game {game} is ready.").format(game=row.game) if row.game else _("The next game is ready.")
    if seat == k.NOBODY:
        do = _("Whoever begins presses Już twice: once to be named, once to start.")
        if mine:
            template = _("j twice: {player} begins; or choose another with 1 to 4 before each j.")
            do = template.format(player=_player(row, _first(row)))
    else:
        do = _("{player} begins and presses Już to start the clock.").format(player=_player(row, seat))
        if mine:
            do = _("{player} begins: j starts the clock.").format(player=_player(row, seat))
    return f"{game} {do}"


def _over(row: Row, mine: bool, reason: str | None) -> str:
    if reason == "went_out" and row.seat <= k.SEAT_D:
        said = _("The game is over: {player} has no tiles left.").format(player=_player(row, row.seat))
    elif reason == "bank_empty":
        said = _("The game is over: the bank is empty and everybody had their last move.")
    elif reason == "round_time":
        said = _("The game is over: the time of the round is up.")
    elif reason == "last_seat":
        said = _("The game is over: only one player is left.")
    elif reason == "desk":
        said = _("The game is over: the desk ended it.")
    else:
        said = _("The game is over.")
    hold = _("Shift+S (hold Sędzia): the next game.") if mine else _("Holding Sędzia for 2 s starts the next game.")
    return f"{said} {hold}"


def _next_seat(row: Row, seat: int) -> int:
    """Who judges a late move, as far as the hall knows."""
    if seat > k.SEAT_D:
        return k.NOBODY
    playing = row.seats & ~row.out
    return next((after & 3 for after in range(seat + 1, seat + 4) if playing >> (after & 3) & 1), k.NOBODY)


def _first(row: Row) -> int:
    return next((seat for seat in range(len(row.names)) if (row.seats & ~row.out) >> seat & 1), k.SEAT_A)


def _counts_down(face: Face | None) -> str:
    if face is None:
        return ""
    return next((text.strip() for text in face.displays if text.strip() in _RESUMES), "")


def _alert(row: Row, kind: str) -> Alert | None:
    return next((alert for alert in row.alerts if alert.kind == kind), None)


def _player(row: Row, seat: int) -> str:
    return seat_words(seat, row.names[seat] if seat <= k.SEAT_D else "")
