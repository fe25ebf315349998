"""What people did to the clocks and games of tables: who asked for it, why, and what the box made of it.

These are commands, not decisions: the ledger keeps who asked and why, the box's facts say how much it came to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.facts import Fact
from dalej.ledger import Ledger, Outcome, Reported, Request
from moveclock import facts as k

SLICE: Final = 5_000  # entries read at once
CORRECTIONS: Final = ("set_remaining", "give_time", "restart_move")  # of a clock
TOLD: Final = (
    *CORRECTIONS, "set_seat", "set_bank", "withdraw", "final_lap", "reopen", "redeal", "end_game"
)  # fmt: skip

_ANSWERS: Final[Mapping[int, str]] = {
    k.TIME_CORRECTED: "set_remaining", k.EXTRA_TIME_GIVEN: "give_time", k.MOVE_RESTARTED: "restart_move",
}  # fmt: skip
_LEFT: Final = (k.CLOCK_STOPPED, k.MOVE_STARTED, *_ANSWERS)  # facts whose first number is the time left
_KINDS: Final = (*_LEFT, k.COMMAND_APPLIED)

MoveKey = tuple[str, int, int, int]  # box, epoch, game and move as the box counts them


@dataclass(frozen=True, slots=True)
class Intervention:
    """One command. `result`: as `Outcome`'s, "" while there is none, with the box's `reason`. `fact`: how the box told
    of a correction, None if it did not; `before_ms`: what was left before it, None if that is not known.
    """

    request: Request
    result: str = ""
    reason: str = ""
    fact: Fact | None = None
    before_ms: int | None = None


def interventions(ledger: Ledger) -> list[Intervention]:
    """Every command of `TOLD`, in the order in which it was asked for."""
    asked: dict[int, Request] = {}
    became: dict[int, Outcome] = {}
    facts: defaultdict[tuple[str, int], list[Fact]] = defaultdict(list)
    cursor = 0
    while entries := ledger.since(cursor, SLICE):
        cursor = entries[-1].cursor
        for one in entries:
            if isinstance(one, Request) and one.command in TOLD:
                asked[one.id] = one
            elif isinstance(one, Outcome):
                became[one.request] = one
            elif isinstance(one, Reported) and one.fact.kind in _KINDS:
                facts[one.fact.box, one.fact.epoch].append(one.fact)
    told = {ident: (fact, before) for of_box in facts.values() for ident, fact, before in _answers(of_box)}
    return [_of(request, became.get(ident), told.get(ident)) for ident, request in asked.items()]


def by_move(found: Sequence[Intervention]) -> dict[MoveKey, list[Intervention]]:
    """The corrections that boxes carried out, by the move they were made in."""
    moves: defaultdict[MoveKey, list[Intervention]] = defaultdict(list)
    for one in found:
        if one.fact is not None:
            moves[one.fact.box, one.fact.epoch, one.fact.game, one.fact.move].append(one)
    return dict(moves)


def _of(request: Request, became: Outcome | None, told: tuple[Fact, int | None] | None) -> Intervention:
    fact, before_ms = told or (None, None)
    if became is None:
        return Intervention(request, fact=fact, before_ms=before_ms)
    return Intervention(request, became.result, became.reason, fact, before_ms)


def _answers(facts: Sequence[Fact]) -> Iterator[tuple[int, Fact, int | None]]:
    """Of one journal: the request, the fact that it became, and what was left before."""
    left_ms: int | None = None
    last: tuple[Fact, int | None] | None = None
    for fact in sorted(facts, key=lambda fact: fact.seq):
        if fact.kind == k.COMMAND_APPLIED:
            if last is not None and fact.fields().get("command") == _ANSWERS[last[0].kind]:
                yield fact.a, *last
            last = None
            continue
        if fact.kind in _ANSWERS:
            last = fact, left_ms
        left_ms = fact.a
