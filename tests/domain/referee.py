"""A referee's decisions on what a box told, as the ledger hands them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dalej.domain.game.facts import Fact
from dalej.domain.game.rulings import FactKey, Ruling


@dataclass(frozen=True)
class Decided:
    """A decision as the ledger hands it out."""

    cursor: int
    body: Mapping[str, object] = field(default_factory=dict)
    kind: str = "ruling"
    revokes: int | None = None
    revoked_by: int | None = None
    when_ms: int = 0


def key(fact: Fact) -> FactKey:
    return (fact.box, fact.epoch, fact.seq)


def ruled(cursor: int, on: Fact, ruling: str, tiles: int | None) -> Decided:
    return Decided(cursor, {"of": list(key(on)), "ruling": ruling, "tiles": tiles})


def only(found: Sequence[Ruling]) -> Ruling:
    (ruling,) = found
    return ruling
