"""Acts on who sits where: drawn, moved, locked, taken off, seated late."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.stages import round_said
from dalej.event.event import Event
from dalej.office import rounds
from dalej.office.acts.act import Anyway, Asked, PlayerNumber, Seat, Table, Tables
from dalej.office.acts.players import OfPlayer
from dalej.office.acts.rounds import OfRound
from dalej.office.acts.undoing import undoable
from dalej.office.acts.wishes import Done, Wish
from dalej.office.reseating import drawn, others_said, rearrange, taken_off
from dalej.office.seating import BY_LOT, ORDERS, STILL_SEATED, Chair, Draw, chair_name, lock, lot, sits
from dalej.words import N_

Order = Literal["lot", "rank", "snake", "fresh_lot", "given"]

_SEED_MOST: Final = (1 << 63) - 1


class DrawSeating(OfRound, frozen=True):
    """Who sits where, as the stage says, or in another `order`; without a `seed` the lot is of the instant and the
    ledger's place. `playing`: tables that were named to whoever draws anew, because they have begun to play.
    """

    name = "draw_seating"
    title = N_("seat the round")
    topics = ("seating",)
    again: Annotated[bool, Asked("flag", N_("draw anew"))] = False
    seed: Annotated[int, Meta(ge=0, le=_SEED_MOST), Asked("number", N_("seed"), most=_SEED_MOST)] | None = None
    anyway: Anyway = ""
    order: Order | None = None
    playing: Tables = ()

    def do(self, event: Event, wish: Wish) -> Done:
        wanted = Draw(
            seed=lot(event) if self.seed is None else self.seed, anyway=self.anyway, again=self.again,
            order=None if self.order is None else ORDERS[self.order],
        )  # fmt: skip
        made = drawn(event, wanted, self.playing)
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
        return undoable(said, made, wish, round=round_said(*one.key), count=len(seating.tables),
                        seed=seating.seed or 0)  # fmt: skip


class MovePlayer(OfRound, frozen=True):
    """To another chair; who sits there changes places. `playing`: tables that were named to whoever moves the player,
    because a game goes on there.
    """

    name = "move_player"
    title = N_("move a player to another seat")
    topics = ("seating",)
    player: PlayerNumber
    table: Table
    seat: Seat
    playing: Tables = ()

    def do(self, event: Event, wish: Wish) -> Done:
        to = Chair(self.table, SEATS.index(self.seat))
        made, others = rearrange(event, self.player, to, wish.seen, playing=self.playing)
        names = event.state().players
        data = {"name": names[self.player].name, "chair": chair_name(self.table, to.seat or 0)}
        if not others:
            return undoable(N_("{name} sits at {chair} now."), made, wish, **data)
        said = N_("{name} sits at {chair} now; {others}.")
        return undoable(said, made, wish, **data, others=others_said(names, others))


class LockSeating(OfRound, frozen=True):
    """Nobody is seated otherwise from now on, or it may be done again."""

    name = "lock_seating"
    title = N_("lock the seating")
    on: Annotated[bool, Asked("flag", N_("locked"))] = False

    def do(self, event: Event, wish: Wish) -> Done:
        made = event.change(lambda state: lock(state, on=self.on))
        said = N_("The seating is locked.") if self.on else N_("The seating may be changed again.")
        return undoable(said, made, wish)


class Unseat(OfPlayer, frozen=True):
    """A player who sits misses the round; the chair is free. `playing`: tables that were named to whoever does it."""

    name = "unseat"
    title = N_("take a player off the table")
    about = "round"
    topics = ("seating",)
    playing: Tables = ()

    def do(self, event: Event, wish: Wish) -> Done:
        made = taken_off(event, self.player, self.playing)
        state, said = event.state(), N_("{name} misses this round.")
        if sits(state, self.player):
            said = STILL_SEATED
        return undoable(said, made, wish, name=state.players[self.player].name)


class OpenTable(OfPlayer, frozen=True):
    """A late player sits at a new table, with the last of the last tables that can spare one."""

    name = "open_table"
    title = N_("seat a late player at a new table")
    about = "round"
    topics = ("seating",)
    playing: Tables = ()

    def do(self, event: Event, wish: Wish) -> Done:
        made, others = rearrange(event, self.player, Chair(None), wish.seen, playing=self.playing)
        state = event.state()
        seating = None if state.current is None else state.current.seating
        at = None if seating is None else seating.place_of(self.player)
        chair = "" if at is None else chair_name(*at)
        said = N_("{name} sits at {chair}, a new table; {others}.")
        return undoable(said, made, wish, name=state.players[self.player].name, chair=chair,
                        others=others_said(state.players, others))  # fmt: skip
