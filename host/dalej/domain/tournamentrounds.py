"""One round while it is being folded: what was decided on it, and the `Round` that makes.

Games are scored when everything is known that a score depends on: the ruleset with its options, the names, the seating.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, get_args

from dalej.domain.format import Stage
from dalej.domain.rulesets import Ruleset
from dalej.domain.scoring import Ended, Sheet, score
from dalej.domain.sheets import sheet_from
from dalej.domain.tournament import (
    NOT_PLAYED,
    GameAt,
    Mark,
    Result,
    Round,
    RoundClock,
    RoundKey,
    Seating,
    TableRuling,
    TableSeats,
)
from dalej.domain.tournamentbodies import Body
from dalej.errors import Damaged, WrongInput
from dalej.words import N_

_ENDED: Final = (*get_args(Ended), NOT_PLAYED)


class Told(NamedTuple):
    """A result as its body tells it, not scored yet."""

    at: GameAt
    played: bool
    players: dict[str, int]
    body: Body


class RoundSoFar:
    """What stands of one round; of several decisions on the same thing the latest."""

    def __init__(self) -> None:
        self._seating: tuple[tuple[TableSeats, ...], str, int | None, Mark] | None = None
        self._locked: Mark | None = None
        self._absent: dict[int, bool] = {}
        self._told: dict[GameAt, Told] = {}
        self._confirmed: list[tuple[Mark, tuple[int, ...]]] = []
        self._clock: RoundClock | None = None
        self._closed: Mark | None = None
        self._rulings: list[TableRuling] = []

    def seat(self, body: Body) -> None:
        seed = body.maybe_number("seed")
        self._seating = body.tables(), body.text("how"), seed, body.mark

    def lock(self, body: Body) -> None:
        self._locked = body.mark if body.flag("locked") else None

    def excuse(self, body: Body) -> None:
        self._absent[body.number("player")] = body.flag("absent")

    def start_clock(self, body: Body) -> None:
        self._clock = RoundClock(body.mark.when_ms, body.number("length_ms"), body.mark)

    def close(self, body: Body) -> None:
        self._closed = body.mark

    def rule(self, body: Body) -> None:
        instead = body.maybe_number("instead")
        self._rulings = [one for one in self._rulings if one.mark.cursor != instead]
        self._rulings.append(
            TableRuling(
                body.game_at(), body.text("seat"), body.number("player"), body.text("ruling"),
                body.maybe_number("tiles"), body.text("seen", ""), body.mark,
            )
        )  # fmt: skip

    def enter(self, body: Body) -> None:
        at, played = body.game_at(), body.one_of("ended", _ENDED) != NOT_PLAYED
        self._told[at] = Told(at, played, body.seat_players() if played else {}, body)

    def confirm(self, body: Body) -> None:
        self._confirmed.append((body.mark, body.numbers("results")))

    @property
    def closed(self) -> bool:
        """Whether nothing is left to play in it."""
        return self._closed is not None

    def seated(self) -> set[int]:
        """Everybody who has a seat in it."""
        return set() if self._seating is None else {player for one in self._seating[0] for player in one.seated}

    def made(
        self,
        key: RoundKey,
        stage: Stage,
        ruleset: Ruleset,
        names: Mapping[int, str],
        scored: Mapping[GameAt, Result],
        scored_alike: Callable[[int], bool],
    ) -> Round:
        """The round as it stands; Damaged if a result cannot be right by this ruleset. `scored`: results that were
        scored by it before. `scored_alike`: whether the rules gave the same scores at that cursor.
        """
        seating = None if self._seating is None else Seating(*self._seating, self._locked)
        return Round(
            key=key, stage=stage, seating=seating,
            absent=frozenset(player for player, absent in self._absent.items() if absent),
            results=self._results(ruleset, names, scored, scored_alike), clock=self._clock, closed=self._closed,
            rulings=tuple(self._rulings),
        )  # fmt: skip

    def _results(
        self,
        ruleset: Ruleset,
        names: Mapping[int, str],
        scored: Mapping[GameAt, Result],
        scored_alike: Callable[[int], bool],
    ) -> dict[GameAt, Result]:
        tables = () if self._seating is None else self._seating[0]
        seats = {one.table: len(one.seated) for one in tables}
        confirmed = self._confirmations(scored_alike)
        results = {}
        for at, told in sorted(self._told.items()):
            marked = confirmed.get(told.body.mark.cursor)
            again = _again(told, seats.get(at.table, 0), scored.get(at), names)
            result = _scored(told, seats.get(at.table, 0), ruleset, names) if again is None else again
            results[at] = result if result.confirmed == marked else replace(result, confirmed=marked)
        return results

    def _confirmations(self, scored_alike: Callable[[int], bool]) -> dict[int, Mark]:
        """By the cursors of results: who has looked at them, as they stand and as they are scored now. A game that
        comes in later, or is corrected, takes nothing from the others of its table.
        """
        looked_at = [(mark, named) for mark, named in self._confirmed if scored_alike(mark.cursor)]
        return {result: mark for mark, named in looked_at for result in named}


def _again(told: Told, seats: int, scored: Result | None, names: Mapping[int, str]) -> Result | None:
    """The result as it was scored before, if nothing that its score depends on is otherwise."""
    if scored is None or scored.mark != told.body.mark:
        return None
    started = 0 if scored.sheet is None else scored.sheet.started
    same = not told.played or started == _started(told, seats)
    return (
        scored if same and all(one.name == names.get(scored.players[one.seat], "") for one in scored.scores) else None
    )


def _scored(told: Told, seats: int, ruleset: Ruleset, names: Mapping[int, str]) -> Result:
    mark = told.body.mark
    if not told.played:
        return Result(told.at, None, (), {}, mark)
    try:
        sheet = _sheet(told, seats, names)
        scores = score(sheet, ruleset)
    except WrongInput as problem:
        raise Damaged(
            N_("decision {cursor} is a result that cannot be right: {problem}"), cursor=mark.cursor, problem=problem
        ) from problem
    return Result(told.at, sheet, scores, told.players, mark)


def _sheet(told: Told, seats: int, names: Mapping[int, str]) -> Sheet:
    """The sheet with the names that players have now."""
    decision = told.body.decision
    racks = [
        {**rack, "name": names.get(player, "")}
        for rack, player in zip(told.body.objects("racks"), told.players.values(), strict=True)
    ]
    body = {**decision.body, "racks": racks, "started": _started(told, seats)}
    return sheet_from(body, decision.subject or decision.kind)


def _started(told: Told, seats: int) -> int:
    """With how many the table began: where nobody has said so, with as many as sit there."""
    return told.body.maybe_number("started") or seats
