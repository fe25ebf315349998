"""Acts about players: warned, excluded, gone, back, taken off a chair, given one late, signed up, renamed. Where one
of them sits in a game, the box skips the seat or lets it in again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.tournament import Player, Tournament
from dalej.event.event import Change, Event, queue
from dalej.event.ledger import Decision
from dalej.event.roundgames import games_of_round
from dalej.office import attendance, signups
from dalej.office.acts.games import stopped
from dalej.office.acts.restoring import as_it_was, let_in_again, own_undo
from dalej.office.acts.tables import TableNow, ask, expect_not_asked, table_at
from dalej.office.acts.undoing import undoable
from dalej.office.acts.waiting import with_moved_up
from dalej.office.acts.wishes import Args, Done, Wish, cursors, done, taken_back
from dalej.office.players import find, proper_group, proper_name
from dalej.office.reseating import others_said, rearrange, taken_off
from dalej.office.seating import Chair, chair_name
from dalej.office.signups import SignUp
from dalej.words import N_

_HAS_LEFT: Final = N_("{name} has left.")
_EXCLUDED: Final = N_("{name} is excluded.")


def warn(event: Event, wish: Wish) -> Done:
    """A warning, counted."""
    number = _player(event, wish).number
    made = event.change(lambda state: attendance.warn(state.players[number], wish.why))
    player = event.state().players[number]
    return done(N_("{name} is warned; warnings by now: {count}."), name=player.name, count=len(player.warnings),
                decisions=cursors(made), undo=own_undo(made, wish))  # fmt: skip


def exclude(event: Event, wish: Wish) -> Done:
    """Out for good."""
    unwarned = Args(wish).flag("unwarned")

    def plan(state: Tournament, player: Player) -> Change:
        return attendance.exclude(state, player, wish.why, without_warning=unwarned)

    return _goes(event, wish, _EXCLUDED, plan)


def withdraw(event: Event, wish: Wish) -> Done:
    """Leaves for good, at any moment. Of one who has left already a box that still counts the seat is told."""
    why = wish.why or None
    return _goes(event, wish, _HAS_LEFT, lambda _state, player: attendance.withdraw(player, why))


def back(event: Event, wish: Wish) -> Done:
    """A withdrawal is taken back."""
    number = _player(event, wish).number
    with event.together():
        made = event.change(lambda state: attendance.back(state, state.players[number], wish.why or None))
        state = event.state()
        name, at = state.players[number].name, _seat_in_game(event, state, number)
        requests = [] if at is None else let_in_again(event, at[0], at[1], wish.why)
        waits = state.players[number].waits is not None
    undo = Wish("withdraw", {"player": number}, why=taken_back(wish.why))
    if waits:
        return done(N_("{name} is back and waits for a place."), name=name, decisions=cursors(made), undo=undo)
    if not requests or at is None:
        return done(N_("{name} plays on."), name=name, decisions=cursors(made), undo=undo)
    return done(N_("{name} plays on; the box of table {table} is asked to let seat {seat} in again, its clock stands."),
                name=name, table=at[0].table, seat=SEATS[at[1]], decisions=cursors(made), requests=requests,
                undo=undo)  # fmt: skip


def _goes(event: Event, wish: Wish, template: str, plan: Callable[[Tournament, Player], Change]) -> Done:
    player = _player(event, wish)
    at = _seat_in_game(event, event.state(), player.number)
    skips = at is not None and bool((at[0].at.seats & ~at[0].at.out) >> at[1] & 1)
    made: list[Decision] = []
    requests: list[int] = []
    with event.together():
        if player.gone is None or not skips:
            made = event.change(lambda state: plan(state, state.players[player.number]))
        if at is not None and skips:
            expect_not_asked(event, at[0], "withdraw")
            requests = [*stopped(event, at[0], wish.why),
                        ask(event, at[0], "withdraw", {"seat": SEATS[at[1]]}, wish.why)]  # fmt: skip
    numbers = cursors(made)
    if at is None or not skips:
        left = done(template, name=player.name, decisions=numbers, undo=own_undo(made, wish))
        return with_moved_up(event, left)
    now, seat = at
    said = N_("{name} has left; the box of table {table} is asked to skip seat {seat}, its clock stands.")
    left = done(said, name=player.name, table=now.table, seat=SEATS[seat], decisions=numbers, requests=requests,
                undo=as_it_was(now, wish, numbers) or own_undo(made, wish))  # fmt: skip
    return with_moved_up(event, left)


def _player(event: Event, wish: Wish) -> Player:
    return find(event.state(), str(Args(wish).number("player", 1)))


def _seat_in_game(event: Event, state: Tournament, player: int) -> tuple[TableNow, int] | None:
    """The table with a game of this round under way at which the player sits, and the seat 0..3; None also where a
    table still plays the round before, in which others sit there.
    """
    current = state.current
    place = None if current is None or current.seating is None else current.seating.place_of(player)
    if current is None or place is None:
        return None
    table, seat = place
    now = table_at(event.read(), table)
    if now is None or not now.plays:
        return None
    games = games_of_round(event.read(), state, current.key, [table]).values()
    return (now, seat) if any(game.holds(now.box, now.at.epoch, now.at.dealt_seq) for game in games) else None


def unseat(event: Event, wish: Wish) -> Done:
    """A player who sits misses the round; the chair is free."""
    args = Args(wish)
    number, playing = args.number("player", 1), args.tables("playing")

    made = taken_off(event, number, playing)
    return undoable(N_("{name} misses this round."), made, wish, name=event.state().players[number].name)


def open_table(event: Event, wish: Wish) -> Done:
    """A late player sits at a new table, with the last of the last tables that can spare one."""
    args = Args(wish)
    number = args.number("player", 1)
    made, others = rearrange(event, number, Chair(None), wish.seen, playing=args.tables("playing"))
    state = event.state()
    seating = None if state.current is None else state.current.seating
    at = None if seating is None else seating.place_of(number)
    chair = "" if at is None else chair_name(*at)
    return undoable(N_("{name} sits at {chair}, a new table; {others}."), made, wish, name=state.players[number].name,
                 chair=chair, others=others_said(state.players, others))  # fmt: skip


def sign_up(event: Event, wish: Wish) -> Done:
    """One player; the next number is theirs."""
    args = Args(wish)
    wanted = SignUp(0, proper_name(args.text("name")), proper_group(args.text("group", "")))
    made = event.change(lambda state: signups.enter(state, [wanted], anyway=args.text("anyway", "")))
    number, waits = int(str(made[-1].body["player"])), [one.number for one in queue(event.state())]
    place = waits.index(number) + 1 if number in waits else 0
    said = N_("{name} is player {number}.")
    if place:
        said = N_("{name} is player {number} and waits for a place: {place} on the waiting list.")
    return undoable(said, made, wish, name=wanted.name, number=number, place=place)


def change_player(event: Event, wish: Wish) -> Done:
    """The same player under another name, or in another class, club or town, which stays if it is left out."""
    args = Args(wish)
    number = args.number("player", 1)
    name, group = args.text("name", ""), args.text("group") if args.given("group") else None

    def plan(state: Tournament) -> Change:
        player = find(state, str(number))
        return signups.change_player(state, player, name, player.group if group is None else group, wish.why or None)

    made = event.change(plan)
    player = event.state().players[number]
    if not made:
        return done(N_("{name} is written so already."), name=player.name)
    return undoable(N_("Player {number} is written {name} now."), made, wish, number=number, name=player.name)


HANDLERS: Final = {
    "warn": warn,
    "exclude": exclude,
    "withdraw": withdraw,
    "back": back,
    "unseat": unseat,
    "open_table": open_table,
    "sign_up": sign_up,
    "change_player": change_player,
}
