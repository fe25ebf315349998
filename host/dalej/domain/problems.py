"""What `verify` finds: something in a journal that cannot be right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from dalej.domain.facts import Fact


@dataclass(frozen=True, slots=True)
class Problem:
    """A code for programs, a sentence for people, and which facts it concerns (of missing ones the first and last)."""

    box: str
    epoch: int
    seqs: tuple[int, ...]
    code: str
    template: str
    data: Mapping[str, object]

    @classmethod
    def of(cls, at: Fact, code: str, template: str, data: Mapping[str, object], *seqs: int) -> Self:
        """A problem with the fact `at`, or with the facts `seqs` of its journal."""
        named = {"seq": at.seq, "fact": at.name, "game": at.game, "move": at.move, **data}
        return cls(at.box, at.epoch, seqs or (at.seq,), code, template, named)

    @property
    def sentence(self) -> str:
        """The problem in English; for other readers `template` is translated."""
        return self.template.format(**self.data)
