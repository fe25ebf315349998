"""The shape of a tournament: its stages, how many play in each, who goes on. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from dalej.domain.format import Stage
from dalej.domain.reasons import Reason
from dalej.domain.rulesets import Ruleset
from dalej.domain.seating import Tables
from dalej.domain.standings import Line


def plan(ruleset: Ruleset, players: int) -> tuple[Stage, ...]:
    """The stages for so many players, their numbers settled (8 or 16 to the semifinal)."""
    raise NotImplementedError


def remarks(ruleset: Ruleset, players: int, *, closed: bool) -> list[Reason]:
    """What the organiser must know before the first draw with so many players: too few, too many, each with its
    clause. Going on is allowed, knowingly.
    """
    raise NotImplementedError


def advancing(stage: Stage, into: Stage, lines: Sequence[Line], last_round: Tables, gone: frozenset[int]) -> list[int]:
    """Players who go on, best first; whoever has left is passed over. Refused if a tie at the cut is undecided: the
    message names who is level.
    """
    raise NotImplementedError
