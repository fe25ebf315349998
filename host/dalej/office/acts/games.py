"""Acts on a table's game: begun, ended, taken up again, dealt anew."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from dalej.errors import Refused
from dalej.event.event import Event
from dalej.office.acts.act import Asked
from dalej.office.acts.attable import PLAYS, TableNow, ToBox, ask, asked
from dalej.office.acts.restoring import as_it_was
from dalej.office.acts.wishes import Done, Wish, taken_back
from dalej.words import N_
from moveclock import facts as k


class Start(ToBox, frozen=True):
    """The first move begins."""

    name = "start"
    title = N_("start the game")
    topics = ("starting",)
    command = "start"

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        if now.at.starter == k.NOBODY:
            raise Refused(
                N_("table {table}: nobody is named who starts; change whose move it is first"), table=now.table
            )
        said = N_("Table {table}: its box is asked to start game {game}.")
        undo = Redeal(**_here(now)).wish(taken_back(wish.why))
        return _asked(event, now, self, wish, said, undo)


class FinalLap(ToBox, frozen=True):
    """The running move is completed, then every seat moves once."""

    name = "final_lap"
    title = N_("begin the final lap")
    reasons = (N_("the bank is empty"), N_("the round's time is over"), N_("decided by the referee"))
    why = True
    topics = ("end", "bank_empty")
    confirm = N_("Table {table}: the running move is completed, then every seat moves once, and game {game} ends.")
    command = "final_lap"
    reason: Annotated[Literal["round_time", "bank_empty"], Asked("choice", N_("because of"))]

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        if now.at.lap_reason is not None:
            raise Refused(N_("table {table}: its final lap has begun already"), table=now.table)
        said = N_("Table {table}: its box is asked to begin the final lap of game {game}.")
        return _asked(event, now, self, wish, said, as_it_was(now, wish), reason=self.reason)


class EndGame(ToBox, frozen=True):
    """The game ends where it is."""

    name = "end_game"
    title = N_("end the game")
    reasons = (N_("the round's time is over"), N_("begun by mistake"), N_("decided by the referee"))
    why = True
    topics = ("end",)
    confirm = N_("Table {table}: game {game} ends in move {move}.")
    command = "end_game"

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        said = N_("Table {table}: its box is asked to end game {game}.")
        undo = ReopenGame("same_seat", **_here(now)).wish(taken_back(wish.why))
        return _asked(event, now, self, wish, said, undo)


class ReopenGame(ToBox, frozen=True):
    """The game goes on after its end: with the same seat and what was left, or with the next seat."""

    name = "reopen_game"
    title = N_("reopen the game")
    reasons = (N_("ended by mistake"), N_("not all sets were valid"), N_("decided by the referee"))
    why = True
    topics = ("end",)
    confirm = N_("Table {table}: game {game} goes on after its end.")
    command = "reopen"
    how: Annotated[Literal["same_seat", "next_seat"], Asked("choice", N_("with"))]

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        said = N_("Table {table}: its box is asked to take game {game} up again; its clock stands then.")
        undo = EndGame(**_here(now)).wish(taken_back(wish.why))
        return _asked(event, now, self, wish, said, undo, how=self.how)


class Redeal(ToBox, frozen=True):
    """Dealt anew in the first round of a game; a clock that runs is stopped first."""

    name = "redeal"
    title = N_("deal anew")
    reasons = (N_("three pairs on a rack"), N_("dealt wrongly"), N_("decided by the referee"))
    why = True
    topics = ("redeal",)
    confirm = N_("Table {table}: game {game} is dealt anew; the {move} moves made in it do not count.")
    command = "redeal"

    @classmethod
    def states(cls) -> frozenset[int]:
        return super().states() | {*PLAYS}

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event, stops=True)
        if now.at.state != k.READY and now.at.move > (now.at.seats.bit_count() or 4):
            raise Refused(
                N_("table {table}: game {game} is in move {move}; it is dealt anew in the first round alone"),
                table=now.table, game=now.at.game, move=now.at.move,
            )  # fmt: skip
        with event.together():
            requests = [*stopped(event, now, wish.why), ask(event, now, self.command, {}, wish.why)]
        undo = as_it_was(now, wish)
        said = N_("Table {table}: its box is asked to begin game {game} with a new deal.")
        return asked(event, now, said, requests, undo, game=now.at.game)


class NextGame(ToBox, frozen=True):
    """The box is ready for the next game."""

    name = "next_game"
    title = N_("set the next game up")
    command = "next_game"

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        request = ask(event, now, self.command, {}, wish.why)
        said = N_("Table {table}: its box is asked to set game {game} up.")
        return asked(event, now, said, [request], game=now.at.game + 1)


def stopped(event: Event, now: TableNow, why: str) -> list[int]:
    """Asks a clock that runs to stand, for what the box obeys only then; the request, if one was needed."""
    if now.at.state not in (k.RUNNING, k.EXPIRED):
        return []
    return [ask(event, now, "stop", {"reason": "referee"}, why, alone=False)]


def _asked(event: Event, now: TableNow, act: ToBox, wish: Wish, said: str, undo: Wish | None, **args: Any) -> Done:
    request = ask(event, now, act.command, args, wish.why)
    return asked(event, now, said, [request], undo, game=now.at.game)


def _here(now: TableNow) -> dict[str, int]:
    return {"table": now.table, "game": now.at.game}
