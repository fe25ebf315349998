"""Acts on rounds: seated, moved about, locked, timed, closed, opened again; and who goes on to the next stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import RoundKey, Tournament
from dalej.errors import DalejError, Refused
from dalej.event.event import Change, Event
from dalej.event.roundgames import games_of_round
from dalej.office import advancing, attendance, results, rounds
from dalej.office.acts.tables import tables_now
from dalej.office.acts.undoing import undoable
from dalej.office.acts.wishes import Args, Done, Wish, cursors, done
from dalej.office.grounds import decided_from
from dalej.office.opening import proper_date
from dalej.office.players import find
from dalej.office.reseating import drawn, others_said, rearrange
from dalej.office.seating import BY_LOT, ORDERS, Chair, Draw, chair_name, lock, lot
from dalej.office.settings import DEFAULT
from dalej.words import N_


def draw_seating(event: Event, wish: Wish) -> Done:
    """Who sits where, as the stage says, or in another `order`; without a `seed` the lot is of the instant and the
    ledger's place. `playing`: tables that were named to whoever draws anew, because they have begun to play.
    """
    args = Args(wish)
    seed = args.asked("seed")
    order = ORDERS[args.one_of("order", tuple(ORDERS))] if args.given("order") else None
    wanted = Draw(
        seed=lot(event) if seed is None else seed, order=order, anyway=args.text("anyway", ""),
        again=args.flag("again"),
    )  # fmt: skip
    made = drawn(event, wanted, args.tables("playing"))
    one = rounds.seated(event.state())
    seating = rounds.seating_of(one)
    alone = len(seating.tables) == 1
    said = N_("{round} is seated at one table.") if alone else N_("{round} is seated at {count} tables.")
    if seating.seed is not None:
        said = N_("{round} is seated at {count} tables, by lot with seed {seed}.")
        if alone:
            said = N_("{round} is seated at one table, by lot with seed {seed}.")
        elif seating.how not in BY_LOT:
            said = N_("{round} is seated at {count} tables; who is level by lot, with seed {seed}.")
    return undoable(said, made, wish, round=round_said(*one.key), count=len(seating.tables), seed=seating.seed or 0)


def move_player(event: Event, wish: Wish) -> Done:
    """To another chair; who sits there changes places. `playing`: tables that were named to whoever moves the player,
    because a game goes on there.
    """
    args = Args(wish)
    player, to = args.number("player", 1), Chair(args.table, SEATS.index(args.one_of("seat", SEATS)))
    made, others = rearrange(event, player, to, wish.seen, playing=args.tables("playing"))
    names = event.state().players
    data = {"name": names[player].name, "chair": chair_name(args.table, to.seat or 0)}
    if not others:
        return undoable(N_("{name} sits at {chair} now."), made, wish, **data)
    return undoable(N_("{name} sits at {chair} now; {others}."), made, wish, **data,
                 others=others_said(names, others))  # fmt: skip


def lock_seating(event: Event, wish: Wish) -> Done:
    """Nobody is seated otherwise from now on, or it may be done again."""
    on = Args(wish).flag("on")
    made = event.change(lambda state: lock(state, on=on))
    said = N_("The seating is locked.") if on else N_("The seating may be changed again.")
    return undoable(said, made, wish)


def absent(event: Event, wish: Wish) -> Done:
    """Misses the round at work; `players`: several at once."""
    return _attend(event, wish, away=True)


def present(event: Event, wish: Wish) -> Done:
    """Does not miss it after all; `players`: several at once."""
    return _attend(event, wish, away=False)


def start_round(event: Event, wish: Wish) -> Done:
    """The round's time begins now; said is where a game goes on that began before the round was seated."""
    minutes = Args(wish).asked("minutes")
    made = event.change(lambda state: rounds.start(state, minutes))
    one = rounds.seated(event.state())
    length_ms = 0 if one.clock is None else one.clock.length_ms
    games = games_of_round(event.read(), event.state(), one.key)
    here = {at.table for at, game in games.items() if game.ended is None}
    earlier = [now.table for now in tables_now(event.read()) if now.plays and now.table not in here]
    data: dict[str, Any] = {"round": round_said(*one.key), "minutes": -(-length_ms // 60_000)}
    said = N_("{round} has begun: {minutes} minutes.")
    if not earlier:
        return undoable(said, made, wish, **data)
    return undoable(N_("{said} Boxes that still play a game from before it: tables {tables}."), made, wish,
                 said=DalejError(said, **data), tables=_listed(earlier), **data)  # fmt: skip


def close_round(event: Event, wish: Wish) -> Done:
    """The round is over, and a copy of the event is kept beside it."""
    play = [now.table for now in tables_now(event.read()) if now.plays]
    closed = rounds.close_round(event, Args(wish).text("anyway", ""))
    data: dict[str, Any] = {"round": round_said(*closed.key), "file": closed.copy.name, "problem": closed.problem}
    said = N_("{round} is closed; a copy is in {file}.")
    if closed.problem is not None:
        said = N_("{round} is closed. No copy was made: {problem}")
    remarks = []
    if open_ones := rounds.unconfirmed(event.state().rounds[closed.key]):
        remarks.append(DalejError(N_("not confirmed by a second person: tables {tables}"), tables=_listed(open_ones)))
    if play:
        remarks.append(DalejError(N_("boxes that still play: tables {tables}"), tables=_listed(play)))
    if not remarks:
        return undoable(said, closed.made, wish, **data)
    first = DalejError(said, **data)
    return undoable("{said} ({remarks})", closed.made, wish, said=first, remarks=rounds.together(remarks), **data)


def reopen_round(event: Event, wish: Wish) -> Done:
    """The round that was closed last, or the one that is named."""
    key = _closed(event.state(), Args(wish).text("round", ""))
    made = rounds.reopen_round(event, key, wish.why)
    stands = [one.told for one in decided_from(event.seen(), key)]
    said = N_("{round} is open again.")
    if not stands:
        return done(said, round=round_said(*key), decisions=cursors(made))
    return done("{said} ({stands})", said=DalejError(said, round=round_said(*key)), stands=rounds.together(stands),
                decisions=cursors(made))  # fmt: skip


def date_round(event: Event, wish: Wish) -> Done:
    """The day of a round, also of one that is still to come; “default” takes it back."""
    args = Args(wish)
    key = rounds.planned(event.state(), args.text("round", "") or None)
    text = args.text("date")
    day = "" if text.strip().lower() == DEFAULT else proper_date(text)
    made = event.change(lambda state: rounds.date_round(state, key, day))
    if not day:
        return undoable(N_("{round} has no day of its own."), made, wish, round=round_said(*key))
    if not made:
        return done(N_("{round} is on {date} already."), round=round_said(*key), date=day)
    return undoable(N_("{round} is on {date}."), made, wish, round=round_said(*key), date=day)


def advance(event: Event, wish: Wish) -> Done:
    """Who plays in the next stage."""
    args = Args(wish)
    players, anyway = args.asked("players"), args.text("anyway", "")
    before = event.state()
    made = event.change(lambda state: advancing.advance(state, players, anyway))
    stage, on = list(event.state().entrants.items())[-1]
    others = advancing.left_open(before, next(one for one in before.plan if one.id == stage))
    if others and players is None:
        return undoable(
            N_("Players who go on to {stage}: {count}; {others} may be chosen as well [{clause}], after this is taken "
               "back."),
            made, wish, stage=stage_said(stage), count=len(on), others=", ".join(map(str, others)),
            clause=before.ruleset.clause("semifinal_large"),
        )  # fmt: skip
    return undoable(N_("Players who go on to {stage}: {count}."), made, wish, stage=stage_said(stage), count=len(on))


def _attend(event: Event, wish: Wish, *, away: bool) -> Done:
    args = Args(wish)
    numbers = args.numbers("players") if args.given("players") else [args.number("player", 1)]

    def plan(state: Tournament) -> Change:
        return attendance.absent(state, [find(state, str(one)) for one in numbers], away, wish.why or None)

    made = event.change(plan)
    names = event.state().players
    said = N_("{name} misses this round.") if away else N_("{name} is there.")
    return undoable(said, made, wish, name=", ".join(names[one].name for one in numbers))


def _closed(state: Tournament, text: str) -> RoundKey:
    if text:
        return results.which(state, text).key
    closed = [one.key for one in state.rounds.values() if one.closed is not None]
    if not closed:
        raise Refused(N_("no round is closed yet"))
    return closed[-1]


def _listed(tables: Sequence[int]) -> str:
    return ", ".join(map(str, tables))


HANDLERS: Final = {
    "draw_seating": draw_seating, "move_player": move_player, "lock_seating": lock_seating, "absent": absent,
    "present": present, "start_round": start_round, "close_round": close_round, "reopen_round": reopen_round,
    "advance": advance, "date_round": date_round,
}  # fmt: skip
