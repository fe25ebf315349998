"""How long moves take: turns of the hall -> move times of each player and each table. Pure.

Only what a player did from beginning to end by himself is a move time. Everything else is left out, and counted by why:
a move that goes on, one of a deal that was dealt anew, one whose start nobody has heard, one within which the clock
stood (the thinking went on), one whose time was set otherwise, and one that desk or withdrawal ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from dalej.domain.game.facts import SEATS
from dalej.domain.game.games import BoxGame
from dalej.domain.game.turns import Turn
from dalej.views.rows import SeenTurn

LeftOut = Literal["under_way", "void", "partial", "stopped", "changed", "ended_otherwise"]

LEFT_OUT: Final[tuple[LeftOut, ...]] = ("under_way", "void", "partial", "stopped", "changed", "ended_otherwise")
STEPS_MS: Final = (500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000)
_OWN: Final = frozenset({"juz", "dalej", "empty_rack", "timeout"})  # ways in which a move ends by itself
_CHANGED: Final = frozenset({
    "restarted", "taken_up", "corrected", "extra_time", "seat_changed", "reopened", "other_box", "unended",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class MoveTime:
    """One move. `limit_ms`: what it began with, None: not known."""

    elapsed_ms: int
    limit_ms: int | None
    timed_out: bool


@dataclass(frozen=True, slots=True)
class Whose:
    """A player, by name; where nobody said who sits there, a seat of a table. A table has neither name nor seat."""

    name: str = ""
    table: int = 0
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class MoveTimes:
    """The moves of a player or a table, in the order in which they were made, and how many were left out by why."""

    whose: Whose
    moves: tuple[MoveTime, ...]
    left_out: Mapping[LeftOut, int] = field(default_factory=dict)

    @property
    def median_ms(self) -> int | None:
        """Half of the moves took no longer; of an even number the mean of the middle two, rounded down."""
        times = self._sorted()
        if not times:
            return None
        return (times[(len(times) - 1) // 2] + times[len(times) // 2]) // 2

    @property
    def slow_ms(self) -> int | None:
        """What the slowest tenth took at least: of 41 moves, the fifth slowest; of fewer than 11, the slowest."""
        times = self._sorted()
        return times[-len(times) // 10] if times else None

    @property
    def time_outs(self) -> int:
        """Moves that ran out of time."""
        return sum(move.timed_out for move in self.moves)

    @property
    def limit_ms(self) -> int | None:
        """The limit that counts now: of the last move of which it is known."""
        return next((move.limit_ms for move in reversed(self.moves) if move.limit_ms is not None), None)

    @property
    def limits(self) -> tuple[int, ...]:
        """All limits that moves were made under, the shortest first."""
        return tuple(sorted({move.limit_ms for move in self.moves if move.limit_ms is not None}))

    def _sorted(self) -> list[int]:
        return sorted(move.elapsed_ms for move in self.moves)


@dataclass(frozen=True, slots=True)
class Spread:
    """How many moves took how long: `counts[i]` from i to i + 1 times `step_ms`. Those that ran out of time are not
    among them but in `late`; a move that took exactly all of it stands in the last one.
    """

    step_ms: int
    counts: tuple[int, ...]
    late: int

    @property
    def until_ms(self) -> int:
        """Where the last one ends."""
        return self.step_ms * len(self.counts)


def of_players(
    turns: Mapping[int, Sequence[SeenTurn]], wanted: Callable[[Turn], bool] | None = None
) -> list[MoveTimes]:
    """Of everybody who has made a turn at any of the tables (number -> its turns, oldest first), by name; who has no
    name, by table and seat. `wanted`: which turns are looked at, None: all.
    """
    made: dict[tuple[str, int, int], list[Turn]] = {}
    for table, seen in sorted(turns.items()):
        for one in seen:
            turn = one.turn
            if turn.seat < len(SEATS) and (wanted is None or wanted(turn)):
                key = (one.name, 0, 0) if one.name else ("", table, turn.seat)
                made.setdefault(key, []).append(turn)
    return [
        _times(Whose(name) if name else Whose(table=table, seat=seat), own) for (name, table, seat), own in made.items()
    ]


def of_tables(turns: Mapping[int, Sequence[SeenTurn]], wanted: Callable[[Turn], bool] | None = None) -> list[MoveTimes]:
    """Of each table at which a turn was made, by number."""
    of_table = {
        table: [one.turn for one in seen if wanted is None or wanted(one.turn)] for table, seen in sorted(turns.items())
    }
    return [_times(Whose(table=table), made) for table, made in of_table.items() if made]


def in_games(games: Iterable[BoxGame]) -> Callable[[Turn], bool]:
    """Whether a turn belongs to one of these games, as their boxes tell of them."""
    of_box: dict[tuple[str, int], list[BoxGame]] = {}
    for game in games:
        for part in _parts(game):
            of_box.setdefault((part.box, part.epoch), []).append(part)

    def wanted(turn: Turn) -> bool:
        return any(part.game == turn.game and part.dealt <= turn.seq for part in of_box.get((turn.box, turn.epoch), ()))

    return wanted


def spread(times: MoveTimes, most: int) -> Spread:
    """With the smallest step of `STEPS_MS` that needs no more than `most` (at least 1) counts, up to the longest limit
    or the longest move in time, whichever is longer.
    """
    in_time = [move.elapsed_ms for move in times.moves if not move.timed_out]
    until_ms = max([*times.limits, *in_time, 1])
    steps = [step for step in STEPS_MS if -(-until_ms // step) <= max(1, most)]
    step_ms = steps[0] if steps else -(-until_ms // max(1, most))
    counts = [0] * -(-until_ms // step_ms)
    for elapsed_ms in in_time:
        counts[min(elapsed_ms // step_ms, len(counts) - 1)] += 1
    return Spread(step_ms, tuple(counts), times.time_outs)


def why_left_out(turn: Turn) -> LeftOut | None:
    """Why it is no move time, the first reason that applies; None: it is one."""
    if turn.void:
        return "void"
    if turn.partial or turn.takes_over:
        return "partial"
    if not _CHANGED.isdisjoint(turn.flags):
        return "changed"
    if turn.elapsed_ms is None or turn.how is None:
        return "under_way"
    if turn.stops or turn.stopped_ms:
        return "stopped"
    return None if turn.how in _OWN else "ended_otherwise"


def _times(whose: Whose, turns: Iterable[Turn]) -> MoveTimes:
    moves: list[MoveTime] = []
    left_out: Counter[LeftOut] = Counter()
    for turn in turns:
        why = why_left_out(turn)
        if why is not None:
            left_out[why] += 1
        elif turn.elapsed_ms is not None:
            moves.append(MoveTime(turn.elapsed_ms, turn.given_ms, turn.how == "timeout"))
    return MoveTimes(whose, tuple(moves), {why: left_out[why] for why in LEFT_OUT if left_out[why]})


def _parts(game: BoxGame) -> Iterable[BoxGame]:
    yield game
    for part in game.before:
        yield from _parts(part)
