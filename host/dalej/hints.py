"""Commands that the hint of an error names (`dalej.errors`). Only the command line says hints, and how a command is
typed here; no sentence that is made elsewhere has one in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dalej.errors import Command
from dalej.words import N_

EVENT: Final = "EVENT"
REASON: Final = "REASON"
# What a person writes something else for, in the reader's language.
TO_FILL_IN: Final = frozenset({
    N_("ENCODING"), N_("FILE"), N_("GAME"), N_("HINT"), N_("NAME"), N_("PLAYER"), N_("REASON"), N_("TABLE"),
})  # fmt: skip


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
