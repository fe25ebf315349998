"""Acts on a table's game: begun, ended, taken up again, dealt anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import Json
from dalej.office.acts.catalogue import LAPS, REOPENINGS
from dalej.office.acts.restoring import as_it_was
from dalej.office.acts.tables import (
    OTHER_GAME,
    TableNow,
    ask,
    asked,
    expect_can,
    expect_not_asked,
    expect_settled,
    expect_unmoved,
    table_now,
)
from dalej.office.acts.wishes import Args, Done, Wish, taken_back
from dalej.words import N_
from moveclock import facts as k


def start(event: Event, wish: Wish) -> Done:
    """The first move begins."""
    now = _meant(event, wish, "start")
    if now.at.starter == k.NOBODY:
        raise Refused(N_("table {table}: nobody is named who starts; change whose move it is first"), table=now.table)
    request = ask(event, now, "start", {}, wish.why)
    return asked(event, now, N_("Table {table}: its box is asked to start game {game}."), [request],
                 _undo("redeal", now, wish), game=now.at.game)  # fmt: skip


def final_lap(event: Event, wish: Wish) -> Done:
    """The running move is completed, then every seat moves once."""
    reason = Args(wish).one_of("reason", LAPS)
    now = _meant(event, wish, "final_lap")
    if now.at.lap_reason is not None:
        raise Refused(N_("table {table}: its final lap has begun already"), table=now.table)
    request = ask(event, now, "final_lap", {"reason": reason}, wish.why)
    return asked(event, now, N_("Table {table}: its box is asked to begin the final lap of game {game}."), [request],
                 as_it_was(now, wish), game=now.at.game)  # fmt: skip


def end_game(event: Event, wish: Wish) -> Done:
    """The game ends where it is."""
    now = _meant(event, wish, "end_game")
    request = ask(event, now, "end_game", {}, wish.why)
    return asked(event, now, N_("Table {table}: its box is asked to end game {game}."), [request],
                 _undo("reopen_game", now, wish, how=REOPENINGS[0]), game=now.at.game)  # fmt: skip


def reopen_game(event: Event, wish: Wish) -> Done:
    """The game goes on after its end: with the same seat and what was left, or with the next seat."""
    how = Args(wish).one_of("how", REOPENINGS)
    now = _meant(event, wish, "reopen")
    request = ask(event, now, "reopen", {"how": how}, wish.why)
    said = N_("Table {table}: its box is asked to take game {game} up again; its clock stands then.")
    return asked(event, now, said, [request], _undo("end_game", now, wish), game=now.at.game)


def redeal(event: Event, wish: Wish) -> Done:
    """Dealt anew in the first round of a game; a clock that runs is stopped first."""
    now = _meant(event, wish, "redeal", stops=True)
    if now.at.state != k.READY and now.at.move > (now.at.seats.bit_count() or 4):
        raise Refused(
            N_("table {table}: game {game} is in move {move}; it is dealt anew in the first round alone"),
            table=now.table, game=now.at.game, move=now.at.move,
        )  # fmt: skip
    with event.together():
        requests = [*stopped(event, now, wish.why), ask(event, now, "redeal", {}, wish.why)]
    undo = as_it_was(now, wish) if now.plays else None
    said = N_("Table {table}: its box is asked to begin game {game} with a new deal.")
    return asked(event, now, said, requests, undo, game=now.at.game)


def next_game(event: Event, wish: Wish) -> Done:
    """The box is ready for the next game."""
    now = _meant(event, wish, "next_game")
    request = ask(event, now, "next_game", {}, wish.why)
    return asked(event, now, N_("Table {table}: its box is asked to set game {game} up."), [request],
                 game=now.at.game + 1)  # fmt: skip


def stopped(event: Event, now: TableNow, why: str) -> list[int]:
    """Asks a clock that runs to stand, for what the box obeys only then; the request, if one was needed."""
    if now.at.state not in (k.RUNNING, k.EXPIRED):
        return []
    return [ask(event, now, "stop", {"reason": "referee"}, why, alone=False)]


def _meant(event: Event, wish: Wish, command: str, *, stops: bool = False) -> TableNow:
    now = table_now(event, Args(wish).table)
    expect_not_asked(event, now, command)
    expect_settled(event, now, OTHER_GAME)
    expect_unmoved(now, wish)
    if not (stops and now.plays):
        expect_can(now, command)
    return now


def _undo(act: str, now: TableNow, wish: Wish, **args: Json) -> Wish:
    where: Mapping[str, Json] = {"table": now.table, "game": now.at.game}
    return Wish(act, {**where, **args}, why=taken_back(wish.why))


HANDLERS: Final = {
    "start": start, "final_lap": final_lap, "end_game": end_game, "reopen_game": reopen_game, "redeal": redeal,
    "next_game": next_game,
}  # fmt: skip
