"""What the public reads of people: who sits where, who stands where, who played what; names as they are published.
Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dalej.domain.game.facts import SEATS
from dalej.domain.scoring.points import points_said, total
from dalej.domain.tournament.stages import corrections, round_name, stage_name
from dalej.domain.tournament.standings import Line, standings
from dalej.domain.tournament.tournament import GameAt, Round, Tournament
from dalej.office.publicnames import public_names
from dalej.words import _, alphabetical, said


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody's seat in the round at work. `table` 0: none."""

    number: int
    name: str
    table: int = 0
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Chair:
    """At a table, "" and 0 of whoever has none. `player` 0: nobody sits there."""

    table: int
    letter: str
    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A line of the standings. `said`: its points in a sentence."""

    place: int
    number: int
    name: str
    points: str
    said: str
    has_big: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A game of somebody: in which round, at which table, with how many points; "" while they are not in."""

    round: str
    table: int
    game: int
    small: str
    big: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """A list of the standings. `corrections`: sentences, one for each round that was corrected after it was closed."""

    title: str
    lines: list[Placed]
    corrections: list[str]


def seats_of(state: Tournament | None) -> list[Seated]:
    """Everybody who takes part, by name, with the seat in the round at work."""
    if state is None:
        return []
    names = public_names(state)
    one = state.current
    seats = {} if one is None or one.seating is None else {
        player: (table.table, letter)
        for table in one.seating.tables for letter, player in zip(SEATS, table.players, strict=True) if player
    }  # fmt: skip
    found = [
        Seated(number, names[number], *seats.get(number, (0, "")))
        for number, player in state.players.items() if player.takes_part
    ]  # fmt: skip
    return sorted(found, key=lambda one: alphabetical(one.name, state.ruleset.language))


def tables_of(one: Round | None, names: Mapping[int, str]) -> list[tuple[int, list[Chair]]]:
    """The tables of a round by number, each with its chairs."""
    if one is None or one.seating is None:
        return []
    return [
        (at.table, [Chair(at.table, letter, player, names[player] if player else "")
                    for letter, player in zip(SEATS, at.players, strict=True)])
        for at in one.seating.tables
    ]  # fmt: skip


def draw_aloud(state: Tournament) -> list[tuple[int, str]]:
    """Each table of the round at work, with the sentence in which its seats are read to the hall."""
    names = public_names(state)
    return [
        (table, _("Table {table}: {names}.").format(
            table=table, names=", ".join(f"{one.letter} {one.name}" for one in chairs if one.name).rstrip(".")))
        for table, chairs in tables_of(state.current, names)
    ]  # fmt: skip


def rankings_of(state: Tournament | None) -> list[Ranking]:
    """The whole event first, then its stages, the latest first; of an event of one stage that one."""
    if state is None:
        return []
    stages = [one.id for one in reversed(state.plan) if one.id in state.entrants] if len(state.plan) > 1 else []
    found = [Ranking(_("Standings"), lines_of(state), corrections(state, None))]
    return found + [
        Ranking(_("Standings, {stage}").format(stage=stage_name(stage)), lines_of(state, stage), []) for stage in stages
    ]


def lines_of(state: Tournament | None, stage: str | None = None) -> list[Placed]:
    """The standings of a stage or of the whole event, best first; empty before its first result."""
    if state is None or not any(
        result.scores for one in state.rounds.values() if stage in (None, one.key.stage)
        for result in one.results.values()
    ):  # fmt: skip
        return []
    names = public_names(state)
    return [
        Placed(line.place, line.player, names[line.player], _points(line), said(points_said(line.big, line.small)),
               line.big is not None)
        for line in standings(state, stage) if line.player in names
    ]  # fmt: skip


def games_of(state: Tournament, number: int) -> list[Played]:
    """The games of that player, the newest round first."""
    found = [
        _played(one, at, seat)
        for one in state.rounds.values() if one.seating is not None
        for table in one.seating.tables if number in table.players
        for seat in [SEATS[table.players.index(number)]]
        for at in (GameAt(table.table, game) for game in range(1, one.stage.games + 1))
    ]  # fmt: skip
    return found[::-1]


def _played(one: Round, at: GameAt, seat: str) -> Played:
    result = one.results.get(at)
    score = None if result is None else next((each for each in result.scores if each.seat == seat), None)
    small = "" if score is None else total(score.small)
    big = "" if score is None or score.big is None else total(score.big)
    return Played(round_name(*one.key), at.table, at.game, small, big)


def _points(line: Line) -> str:
    return total(line.small) if line.big is None else f"{total(line.big)} / {total(line.small)}"
