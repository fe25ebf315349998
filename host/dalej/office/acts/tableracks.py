"""What a table does by itself, on a phone that is its box: the players write their racks down, and each agrees. Once
all of them have, that is the game's result; the role `table` may do nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from dalej.domain.game.facts import Seat as Letter
from dalej.domain.scoring.sheets import Ended
from dalej.domain.tournament.tournament import GameAt, Round
from dalej.errors import Refused
from dalej.event.event import Change, Event, Seen
from dalej.event.ledger import Draft, Json
from dalej.event.roundgames import games_of_round
from dalej.office import results, rounds
from dalej.office.acts.act import About, Act, Asked, Table
from dalej.office.acts.results import EnterResult, ended_as
from dalej.office.acts.roles import TABLES, Role
from dalej.office.acts.wishes import Done, Wish, done
from dalej.office.notation import Entry, rack
from dalej.office.tableracks import AGREES, OF_RACKS, RACKS, Written, written_at
from dalej.words import N_

_WHY: Final = N_("counted at the table")
_GAMES: Final = N_("table {table}: no game is over that has no result yet")


class ByTable(Act, frozen=True, kw_only=True):
    """Of the first game at that table that its box has ended, and that has no result."""

    about: ClassVar[About] = "game"
    roles: ClassVar[frozenset[Role]] = TABLES
    offered: ClassVar[bool] = False
    table: Table


class WriteRacks(ByTable, frozen=True, kw_only=True):
    """What lies on the racks, by seat, in the notation of `dalej.office.notation`; nothing counts before all agree.
    `ended`: how, where no rack is empty.
    """

    name = "write_racks"
    title = N_("write the racks down")
    racks: Annotated[dict[str, str], Asked("racks", N_("racks"))]
    ended: Annotated[Ended, Asked("choice", N_("how it ended"))] | None = None

    def do(self, event: Event, wish: Wish) -> Done:
        one, at = game_to_enter(event, self.table)
        entry = Entry(self.ended, tuple(rack(seat, text) for seat, text in self.racks.items()))
        ready = results.prepared(event, one, at, entry)

        def plan(seen: Seen) -> Change:
            results.enter(seen.state, one.key, {at: ready.entry})  # what cannot be right is said now
            body: dict[str, Json] = {
                "stage": one.key.stage, "round": one.key.round, "table": at.table, "game": at.game,
                "racks": dict(self.racks), **({} if self.ended is None else {"ended": self.ended}),
            }  # fmt: skip
            return Change([Draft(RACKS, body)], wish.why or _WHY)

        made = event.change_seen(plan)
        return done(N_("Table {table}, game {game}: the racks are written down; each player agrees now."),
                    table=at.table, game=at.game, decisions=[made[0].cursor])  # fmt: skip


class AgreeRacks(ByTable, frozen=True, kw_only=True):
    """The player of that seat has looked at racks `of`; the last one to agree makes them the result."""

    name = "agree_racks"
    title = N_("agree to the racks")
    seat: Annotated[Letter, Asked("seat", N_("seat"))]
    of: Annotated[int, Meta(ge=1)]

    def do(self, event: Event, wish: Wish) -> Done:
        one, at = game_to_enter(event, self.table)

        def plan(seen: Seen) -> Change:
            written = written_at(seen.decisions, one.key, at)
            if written is None or written.number != self.of:
                raise Refused(N_("table {table}: other racks are written down by now: look at them"), table=at.table)
            if self.seat in written.agreed:
                raise Refused(N_("seat {seat} has agreed already"), seat=self.seat)
            body: dict[str, Json] = {"table": at.table, "seat": self.seat, "of": self.of}
            return Change([Draft(AGREES, body)], wish.why or _WHY)

        with event.together():
            made = event.change_seen(plan)
            written = written_at(event.read().decisions(*OF_RACKS), one.key, at)
            if written is not None and not written.lacks(seats_that_play(event, one, at)):
                act = EnterResult(table=at.table, game=at.game, round=f"{one.key.stage}/{one.key.round}",
                                  racks=dict(written.racks), ended=ended_as(written.ended or None))  # fmt: skip
                entered = act.do(event, wish)
                return replace(entered, decisions=(made[0].cursor, *entered.decisions))
        return done(N_("Table {table}: seat {seat} agrees."), table=at.table, seat=self.seat,
                    decisions=[made[0].cursor])  # fmt: skip


def game_to_enter(event: Event, table: int) -> tuple[Round, GameAt]:
    """The first game at that table that is over by its box and has no result; Refused if there is none."""
    state = event.state()
    one = rounds.seated(state)
    told = games_of_round(event.read(), state, one.key, [table], lately=True)
    over = sorted(at for at, game in told.items() if game.ended is not None and at not in one.results)
    if not over:
        raise Refused(_GAMES, table=table)
    return one, over[0]


def seats_that_play(event: Event, one: Round, at: GameAt) -> list[str]:
    """Letters of those who sit there and have not left the event."""
    players = event.state().players
    return [seat for seat, player in results.seats_of(results.table_of(one, at.table)).items()
            if players[player].gone is None]  # fmt: skip


def written_now(event: Event, table: int) -> tuple[GameAt, list[str], Written | None, str] | None:
    """The game that the table is to write down, who has to agree, what is written, and who went out by its box, "":
    nobody; None: no game is to be written down.
    """
    try:
        one, at = game_to_enter(event, table)
    except Refused:
        return None
    told = games_of_round(event.read(), event.state(), one.key, [table], lately=True)[at]
    out = told.winner or "" if told.ended == "went_out" else ""
    return at, seats_that_play(event, one, at), written_at(event.read().decisions(*OF_RACKS), one.key, at), out
