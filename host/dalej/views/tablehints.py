"""What goes on at a table and what may be done now, in plain words: a pure function of what is known of it; and why a
key or a finger changed nothing. Of the inside of a clock is known its own word where the box is simulated, else what
the hall knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from dalej.desk.feed.messages import Face, Inside
from dalej.domain.game.facts import END_REASONS, STATES, STOP_REASONS
from dalej.domain.rules.rulesets import Ruleset
from dalej.views.callwords import why_it_stands
from dalej.views.phrases import duration, seat_words
from dalej.views.rows import Alert, Row
from dalej.words import _
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
        state=state, seat=row.seat, following=seat_after(row.seat, playing) if state == k.EXPIRED else k.NOBODY,
        playing=playing, game=row.game, bank=-1 if row.bank is None else row.bank, reason=_reason(row), by_desk=False,
        about=about, drawn=False, further=False, clicked=runs and click is not None,
        pending=runs and dispute is not None, called=referee is not None, announced=False, final_lap=row.final_lap,
        claim_s=_begun(claim_ms), withdraw_s=_begun(withdraw_ms), holds=(k.NOBODY, 0, 0), stray=(0, k.NOBODY, 0),
    )  # fmt: skip


def _reason(row: Row) -> int:
    names = END_REASONS if row.state == "over" else STOP_REASONS
    return names.index(row.reason) if row.reason in names else k.NOBODY


def seat_after(seat: int, playing: int) -> int:
    """Who judges a late move, as far as the hall knows."""
    if seat > k.SEAT_D:
        return k.NOBODY
    return next((after & 3 for after in range(seat + 1, seat + 4) if playing >> (after & 3) & 1), k.NOBODY)


def _begun(ms: int) -> int:
    return max(0, -(-ms // 1_000))


LINES: Final = 3
COLUMNS: Final = 76  # of a line at the smallest screen that is planned for
REMARK: Final = "✗"
BAR: Final = 10
_RESUMES: Final = ("1", "2", "3")  # what a display counts down before a clock runs again


class Say(NamedTuple):
    """A sentence. Where there is no room for all, those with the highest rank are left out first; 0 must be said."""

    words: str
    rank: int = 0


class Hint(NamedTuple):
    """What goes on, and what may be done."""

    goes_on: tuple[Say, ...]
    do: tuple[Say, ...] = ()


def hint(row: Row, face: Face | None, rules: Ruleset, remark: str = "") -> str:
    """At most three lines of 76 columns. `remark`: what a key did not do; it takes the place of what goes on."""
    said = _hint(row, face, rules)
    line = f"{REMARK} {remark}" if remark else _hold(face)
    return fitted(line, said.do or said.goes_on) if line else fitted("", (*said.goes_on, *said.do))


def fitted(line: str, said: Sequence[Say]) -> str:
    """`line`, and under it as many of the sentences as have room, in their order."""
    room = LINES - len(_lines(line))
    kept: set[int] = set()
    for place in sorted(range(len(said)), key=lambda place: said[place].rank):
        some = " ".join(said[each].words for each in sorted({*kept, place}))
        if said[place].rank == 0 or len(_lines(some)) <= room:
            kept.add(place)
    return "\n".join(filter(None, (line, " ".join(said[place].words for place in sorted(kept)))))


def _lines(text: str) -> list[str]:
    return wrap(text, COLUMNS, break_on_hyphens=False)


def _hint(row: Row, face: Face | None, rules: Ruleset) -> Hint:
    if face is None and row.stale:
        return Hint((Say(_heard(row)), *_at_the_box(row)))
    if face is not None and not face.powered:
        return _dark(face)
    inside = known(row, face, rules)
    said = _now(row, inside, face, rules)
    if face is None:
        return said
    more: list[Say] = []
    if not face.in_reach:
        more.append(Say(_("Out of reach, the hall learns of it later: l brings the box back."), 1))
    if not face.mine:
        more.append(Say(_("Another screen plays this table.") if face.taken else _take()))
    return Hint(said.goes_on, (*said.do, *more))


def _take() -> str:
    return _("t = you play this table, all seats of it.")


def _dark(face: Face) -> Hint:
    do = [Say(_("p gives it back; the clock then stands until Sędzia is held."))]
    if face.mine:
        do.append(Say(_("t gives the table back to its players, with power and reach."), 1))
    return Hint((Say(_("The box has no power.")),), tuple(do))


def _hold(face: Face | None) -> str:
    """How far a hold that is under way has come."""
    if face is None or face.inside is None or face.inside.holds[2] == 0:
        return ""
    contact, ms, needs_ms = face.inside.holds
    button = "Sędzia" if contact == k.SEDZIA else "Dalej" if contact & 1 else "Już"
    filled = min(BAR, ms * BAR // needs_ms)
    tenths = _("{whole}.{tenths}")
    return _("▼ hold {button} {bar} {seconds} of {needs} s").format(
        button=button, bar="█" * filled + "░" * (BAR - filled),
        seconds=tenths.format(whole=ms // 1_000, tenths=ms // 100 % 10),
        needs=tenths.format(whole=needs_ms // 1_000, tenths=needs_ms // 100 % 10),
    )  # fmt: skip


def _now(row: Row, inside: Inside, face: Face | None, rules: Ruleset) -> Hint:
    mine = face is not None and face.mine
    if inside.state == k.RUNNING:
        return _running(row, inside, mine)
    if inside.state == k.EXPIRED:
        return _expired(row, inside, mine, rules)
    if inside.state == k.STOPPED:
        counts = _counts_down(face)
        return _counting(counts) if counts else _stopped(row, inside, mine)
    if inside.state == k.READY:
        return _ready(row, inside, mine)
    if inside.state == k.OVER:
        return _over(row, inside, mine)
    if inside.state == UNKNOWN:
        return Hint((Say(_("Nothing has been heard of this table yet.")),))
    return Hint((Say(_("This table is not set up yet: the desk does that, and then it starts.")),))


def _heard(row: Row) -> str:
    if row.age_ms is None:
        return _("Nothing has been heard of this table yet.")
    return _("Nothing heard for {age}: what is shown is old.").format(age=duration(row.age_ms))


def _at_the_box(row: Row) -> tuple[Say, ...]:
    if row.state not in STATES:
        return ()
    return (Say(_("The game may well go on there: somebody should look.")),)


# --- a clock that runs -----


def _running(row: Row, inside: Inside, mine: bool) -> Hint:
    player = _player(row, inside.seat)
    goes_on = [Say(_("{player} to move.").format(player=player))]
    if inside.final_lap:
        goes_on.append(Say(_("Final lap: everybody has one more move."), 2))
    if inside.announced:
        said = _("{player} announced: „Wyłożę się w następnej rundzie”.")
        goes_on.append(Say(said.format(player=player), 2))
    if inside.called:
        goes_on.append(Say(_("The referee was called; play goes on."), 2))
    if inside.clicked and not inside.claim_s:
        said = _("{late} pressed Dalej before the tile was drawn.")
        goes_on.append(Say(said.format(late=_player(row, inside.about)), 3))
    do: list[Say] = []
    if inside.pending:
        goes_on.append(Say(_("A dispute: the clock stops when this move ends.")))
        do += _withdraw(inside, mine)
    elif inside.claim_s:
        template = _("Dalej came before the tile: {player} may press s within {left} to claim a fresh move.")
        if not mine:
            template = _("Dalej came before the tile: {player} may press Sędzia within {left} to claim a fresh move.")
        do.append(Say(template.format(player=player, left=duration(1_000 * inside.claim_s))))
    return Hint(tuple(goes_on), (*do, *_moves(inside, mine)))


def _moves(inside: Inside, mine: bool) -> list[Say]:
    """What may be done with the move that runs."""
    if not mine:
        return [Say(_("Już ends the move with tiles laid, Dalej without."), 1)]
    disputable = not inside.pending and not inside.claim_s
    if inside.bank == 0:
        said = [Say(_("j = laid tiles (Już). d = passed (Dalej): the bank is empty."))]
    elif inside.drawn:
        said = [Say(_("A tile is taken: d = pass (Dalej)."))]
        if inside.further:
            said.append(Say(_("One tile a move is enough: the referee sees more."), 1))
    elif inside.claim_s:
        said = [Say(_("Else play on: j = Już; k, then d = Dalej."))]
    else:
        said = [Say(_("j = laid tiles (Już). k, then d = drew a tile and passed (Dalej)."))]
    said.append(Say(_("Shift+J = the rack is empty."), 4))
    if disputable:
        said.append(Say(_("s = a dispute."), 3))
    if not inside.announced:
        said.append(Say(_("Shift+D = „Wyłożę się w następnej rundzie”."), 5))
    return said


def _expired(row: Row, inside: Inside, mine: bool, rules: Ruleset) -> Hint:
    player = _("The next player") if inside.following > k.SEAT_D else _player(row, inside.following)
    template = _("{player} speaks for the table: Już = it stands, Dalej = it was undone and the penalty tile taken.")
    if mine:
        template = _(
            "{player} speaks for the table: j = the move stands, d = it was undone and the penalty tile taken."
        )
    do = [Say(template.format(player=player))]
    if rules.on_expiry == "advance":
        do.append(Say(_("If nobody does, the next move starts by itself."), 1))
    elif inside.called:
        do.append(Say(_("The referee is called."), 1))
    elif mine:
        do.append(Say(_("s = call the referee."), 1))
    return Hint((Say(_("Time is over for {late}.").format(late=_player(row, inside.seat))),), tuple(do))


# --- a clock that stands -----


def _counting(count: str) -> Hint:
    return Hint((), (Say(_("Hands off the tiles: the clock runs again in {count}.").format(count=count)),))


def _stopped(row: Row, inside: Inside, mine: bool) -> Hint:
    do = list(_withdraw(inside, mine))
    if inside.by_desk:
        do.append(Say(_("The desk has stopped it, and lets it go on.")))
    elif inside.reason == k.EARLY_CLICK and mine:
        do.append(Say(_("k = the missing tile. Shift+S (hold Sędzia) starts the move again with its full time.")))
    elif mine:
        do.append(Say(_("When all agree, Shift+S (hold Sędzia) goes on after 3-2-1.")))
    else:
        do.append(Say(_("When all agree, holding Sędzia for 2 s goes on after 3-2-1.")))
    about = "" if inside.about > k.SEAT_D else _player(row, inside.about)
    return Hint((Say(why_it_stands(inside.reason, _player(row, inside.seat), about)),), tuple(do))


def _withdraw(inside: Inside, mine: bool) -> tuple[Say, ...]:
    if not mine or not inside.withdraw_s:
        return ()
    left = duration(1_000 * inside.withdraw_s)
    return (Say(_("s again within {left} takes the call back.").format(left=left)),)


def _ready(row: Row, inside: Inside, mine: bool) -> Hint:
    game = _("Game {game} is ready.").format(game=inside.game) if inside.game else _("The next game is ready.")
    if inside.following > k.SEAT_D:
        do = _("Whoever begins presses Już twice: once to be named, once to start.")
        if mine:
            template = _("j twice: {player} begins; or choose another with 1 to 4 before each j.")
            do = template.format(player=_player(row, first_seat(inside)))
    else:
        template = (
            _("{player} begins: j starts the clock.")
            if mine
            else _("{player} begins and presses Już to start the clock.")
        )
        do = template.format(player=_player(row, inside.following))
    return Hint((Say(game),), (Say(do), *_called(inside, mine)))


def _over(row: Row, inside: Inside, mine: bool) -> Hint:
    if inside.reason == k.WENT_OUT and inside.about <= k.SEAT_D:
        said = _("The game is over: {player} has no tiles left.").format(player=_player(row, inside.about))
    else:
        said = {
            k.BANK_EMPTY: _("The game is over: the bank is empty and everybody had their last move."),
            k.ROUND_TIME: _("The game is over: the time of the round is up."),
            k.LAST_SEAT: _("The game is over: only one player is left."),
            k.DESK_ENDED: _("The game is over: the desk ended it."),
        }.get(inside.reason, _("The game is over."))
    hold = _("Shift+S (hold Sędzia): the next game.") if mine else _("Holding Sędzia for 2 s starts the next game.")
    return Hint((Say(said),), (Say(hold), *_called(inside, mine)))


def _called(inside: Inside, mine: bool) -> tuple[Say, ...]:
    if inside.called:
        return (Say(_("The referee is called."), 1),)
    return (Say(_("s = call the referee."), 1),) if mine else ()


def _counts_down(face: Face | None) -> str:
    if face is None:
        return ""
    return next((text.strip() for text in face.displays if text.strip() in _RESUMES), "")


def _player(row: Row, seat: int) -> str:
    return seat_words(seat, row.names[seat] if seat <= k.SEAT_D else "")


def not_ours(face: Face) -> str:
    """The table is not played from this screen."""
    if face.taken:
        return _("Another screen plays this table.")
    return _("Press t first: then you play this table.")


def no_power() -> str:
    """Nothing counts at a box that is dark."""
    return _("The box has no power: p first.")


def no_seat(kind: int) -> str:
    """Już (0) or Dalej (1) where no seat's counts."""
    return _("Nobody's {button} counts now.").format(button=_button(kind))


def chosen(seat: int, names: Sequence[str]) -> str:
    """The next j or d is this seat's."""
    return _("{player} is chosen: j or d (Shift: hold) presses that seat's button; Esc lets go.").format(
        player=seat_words(seat, names[seat])
    )


def changed_nothing(inside: Inside, names: Sequence[str]) -> str:
    """What the box itself recorded as a press that changed nothing."""
    _number, contact, kind = inside.stray
    if kind == k.DALEJ_REFUSED:
        return _("No tile is taken yet: k, then d.")
    if contact == k.SEDZIA:
        return _("Sędzia changes nothing now.")
    if contact == k.KOSTKA:
        return _("There is no tile to take now.")
    if contact > k.KOSTKA:
        return _("That changes nothing now.")
    seat = contact >> 1
    pressed = seat_words(seat, names[seat])
    if inside.state == k.RUNNING:
        if seat == inside.seat:
            return _("Too soon: the move has only just begun.")
        return _("It is the move of {player}, not of {other}.").format(player=_whose(inside.seat, names), other=pressed)
    if inside.state == k.EXPIRED and inside.following <= k.SEAT_D:
        return _("{player} speaks for the table, not {other}.").format(
            player=_whose(inside.following, names), other=pressed
        )
    if inside.state == k.READY and inside.following <= k.SEAT_D:
        return _("{player} begins, not {other}.").format(player=_whose(inside.following, names), other=pressed)
    return no_seat(contact & 1)


def _button(kind: int) -> str:
    return "Dalej" if kind else "Już"


def _whose(seat: int, names: Sequence[str]) -> str:
    return seat_words(seat, names[seat] if seat <= k.SEAT_D else "")
