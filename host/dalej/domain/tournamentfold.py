"""Decisions of a ledger -> the `Tournament` they make. Pure; what a body must hold is in `dalej.domain.tournament`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from dalej.domain.standings import Line
from dalej.domain.tournament import Tournament


class Decided(Protocol):
    """What the fold needs of a decision in the ledger."""

    @property
    def cursor(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def subject(self) -> str | None: ...
    @property
    def body(self) -> Mapping[str, object]: ...
    @property
    def who(self) -> str: ...
    @property
    def when_ms(self) -> int: ...
    @property
    def why(self) -> str: ...
    @property
    def revokes(self) -> int | None: ...
    @property
    def revoked_by(self) -> int | None: ...


def tournament(decisions: Iterable[Decided]) -> Tournament:
    """The tournament that these decisions make; revoked ones count for nothing, whatever comes after. WrongInput if
    none of them names the ruleset, Damaged if a body says nothing.
    """
    raise NotImplementedError


def standings(state: Tournament, stage: str | None = None, *, through: int | None = None) -> list[Line]:
    """Standings of one stage (through its round `through`), or of the whole event: by last stage reached, then by that
    stage's points. Everybody who played is in it, also who has left.
    """
    raise NotImplementedError


def met(state: Tournament, stage: str) -> Mapping[frozenset[int], int]:
    """Pairs of players -> how often they have sat at one table in that stage."""
    raise NotImplementedError
