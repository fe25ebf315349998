"""What a value of a ruleset may be. Each annotated field of `Ruleset` names one of these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`; with a `word`, such as "unknown", also that word, which reads as None."""

    section: str
    low: int
    high: int
    word: str = ""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these words."""

    section: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class YesNo:
    """true or false."""

    section: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Big points of a table of `seats`: so many whole numbers, best first; or the word "none", which is None."""

    section: str
    seats: int
    high: int


@dataclass(frozen=True, slots=True)
class Stages:
    """A list of tables, one a stage, with the names of `dalej.domain.format.Stage`."""

    section: str


Shape = Whole | OneOf | YesNo | Scale | Stages
