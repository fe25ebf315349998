"""Acts on single chairs: somebody is taken off one, a late player gets a new table; and who signs up, or is renamed."""

from __future__ import annotations

from typing import Final

from dalej.acts.undoing import undoable
from dalej.acts.wishes import Args, Done, Wish, done
from dalej.domain.tournament import Tournament
from dalej.office import moves, registering
from dalej.office.event import Change, Event
from dalej.office.moves import Chair
from dalej.office.players import find, proper_group, proper_name
from dalej.office.rearranging import others_said, rearrange, taken_off
from dalej.office.signups import SignUp
from dalej.office.waiting import queue
from dalej.words import N_


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
    chair = "" if at is None else moves.chair_name(*at)
    return undoable(N_("{name} sits at {chair}, a new table; {others}."), made, wish, name=state.players[number].name,
                 chair=chair, others=others_said(state.players, others))  # fmt: skip


def sign_up(event: Event, wish: Wish) -> Done:
    """One player; the next number is theirs."""
    args = Args(wish)
    wanted = SignUp(0, proper_name(args.text("name")), proper_group(args.text("group", "")))
    made = event.change(lambda state: registering.enter(state, [wanted], anyway=args.text("anyway", "")))
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
        return registering.change_player(
            state, player, name, player.group if group is None else group, wish.why or None
        )

    made = event.change(plan)
    player = event.state().players[number]
    if not made:
        return done(N_("{name} is written so already."), name=player.name)
    return undoable(N_("Player {number} is written {name} now."), made, wish, number=number, name=player.name)


HANDLERS: Final = {
    "unseat": unseat, "open_table": open_table, "sign_up": sign_up, "change_player": change_player,
}  # fmt: skip
