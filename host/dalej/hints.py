"""Commands that the hint of an error names (`dalej.errors`). Only the command line says hints, and how a command is
typed here; no sentence that is made elsewhere has one in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dalej.words import N_

EVENT: Final = "EVENT"
REASON: Final = "REASON"
# What a person writes something else for, in the reader's language.
TO_FILL_IN: Final = frozenset({
    N_("ENCODING"), N_("FILE"), N_("GAME"), N_("HINT"), N_("NAME"), N_("PLAYER"), N_("REASON"), N_("TABLE"),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Command:
    """`words`: behind the program's name; `EVENT` stands for the event's file. `again`: behind the command that has
    just been refused, as it was typed.
    """

    words: tuple[str, ...]
    again: bool = False

    def __str__(self) -> str:
        return " ".join(("dalej", *(("…",) if self.again else ()), *self.words))


def typed(*words: str | int) -> Command:
    """`dalej` with these words."""
    return Command(tuple(map(str, words)))


def correcting(round_key: str, table: int | str, game: int | str, *racks: str) -> Command:
    """What is typed to correct a result of that round, such as "league/2"; without `racks` a terminal asks for them."""
    return typed("results", "correct", EVENT, table, game, *racks, "--round", round_key, "--why", REASON)


def undoing(numbers: Iterable[int]) -> tuple[Command, ...]:
    """What is typed, one after the other, to take these decisions back."""
    return tuple(typed("undo", EVENT, number, "--why", REASON) for number in numbers)


def once_more(*words: str | int) -> Command:
    """What was refused, with these words behind it."""
    return Command(tuple(map(str, words)), again=True)
