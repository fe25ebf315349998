"""Seatings that are changed while games of the round are played: what was played keeps who played it, and a table that
plays is seated otherwise only by somebody who knows that it does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from dalej.domain.boxgames import BoxGame
from dalej.domain.stagewords import round_said
from dalej.domain.tournament import GameAt, Round, Tournament
from dalej.errors import Refused
from dalej.ledger import Ledger
from dalej.office.boxes import games_of_round
from dalej.office.commands import once_more
from dalej.words import N_


def seated_otherwise(before: Tournament, after: Tournament) -> set[int]:
    """Tables of the round at work at which others sit afterwards, or the same ones on other chairs."""
    was, becomes = (_chairs(state.current) for state in (before, after))
    return {table for table in was.keys() | becomes.keys() if was.get(table) != becomes.get(table)}


def seated_otherwise_in_round(before: Tournament, after: Tournament) -> set[int]:
    """The same, if it is the same round that is worked on afterwards."""
    keys = [None if state.current is None else state.current.key for state in (before, after)]
    return seated_otherwise(before, after) if keys[0] == keys[1] else set()


def begun(games: Mapping[GameAt, BoxGame], *, ended: bool) -> dict[int, int]:
    """The games of a round that go on, or those that have `ended`: the last of each table, by table."""
    return {at.table: at.game for at, game in sorted(games.items()) if (game.ended is not None) is ended}


def expect_known(ledger: Ledger, state: Tournament, tables: Collection[int], known: Collection[int]) -> None:
    """Before others sit at those `tables`: Refused where a game of the round was played, and where one goes on unless
    the table is among the `known` ones.
    """
    one = state.current
    if one is None or not tables:
        return
    games = games_of_round(ledger, state, one.key, sorted(tables))
    for table, game in begun(games, ended=True).items():
        if table in tables:
            raise Refused(
                N_("table {table}: game {game} of this round is over there, and who played it stays: nobody changes "
                   "places at that table before the next round"),
                table=table, game=game,
            )  # fmt: skip
    if playing := _unknown(begun(games, ended=False), tables, known):
        raise _knowingly(
            Refused(
                N_("a game of this round goes on at these tables: {tables}; let it end first, or change the seating on "
                   "the screen of the seating, which asks about that"),
                tables=playing,
            ),
            {*known, *map(int, playing.split(", "))},
        )  # fmt: skip


def expect_known_to_fall(ledger: Ledger, state: Tournament, tables: Collection[int], known: Collection[int]) -> None:
    """Before everybody is drawn anew: Refused where a game of the round was begun, unless the table is `known`. What
    its box has told of the game counts no longer then.
    """
    one = state.current
    if one is None or not tables:
        return
    games = games_of_round(ledger, state, one.key)
    there = {**begun(games, ended=True), **begun(games, ended=False)}
    if played := _unknown(there, tables, known):
        raise _knowingly(
            Refused(
                N_("{round}: these tables have begun to play: {tables}; what their boxes have told would count no "
                   "longer: the screen of the seating asks about that"),
                round=round_said(*one.key), tables=played,
            ),
            {*known, *map(int, played.split(", "))},
        )  # fmt: skip


def _knowingly(problem: Refused, tables: Collection[int]) -> Refused:
    """With what is typed by somebody who knows that these tables play."""
    return problem.hinted(
        N_("{command} does it knowingly"), command=once_more("--playing", ",".join(map(str, sorted(tables))))
    )


def _unknown(there: Collection[int], tables: Collection[int], known: Collection[int]) -> str:
    return ", ".join(str(table) for table in sorted(there) if table in tables and table not in known)


def _chairs(one: Round | None) -> dict[int, tuple[int, ...]]:
    seating = None if one is None else one.seating
    return {} if seating is None else {at.table: tuple(at.players) for at in seating.tables}
