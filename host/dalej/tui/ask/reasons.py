"""Reasons that are ready to be picked, by what they are given for; kept as a text of the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dalej.words import N_, _

UNPLAYED: Final = "enter_result"  # asked only where the game was not played
STANDS: Final = "stands"  # no act: why a sheet stands that cannot be right
_ANY: Final = (N_("decided by the referee"), N_("a mistake put right"), N_("technical fault"))
_TIME: Final = (
    N_("the box was passed on late"), N_("a dispute took the time"), N_("disturbed from outside"),
    N_("technical fault"),
)  # fmt: skip
_CLAIM: Final = (
    N_("both players agree"), N_("the tile was drawn late"), N_("the tile was drawn first"), N_("nobody saw it"),
)  # fmt: skip
_CONDUCT: Final = (
    N_("talked about the game while it went on"), N_("touched tiles after the time was over"),
    N_("did not follow the referee"), N_("disturbed another table"), N_("touches others' tiles"), N_("comes late"),
    N_("disturbs the game"), N_("argues with the referee"),
)  # fmt: skip
_SHEET: Final = (N_("mistyped"), N_("counted again"), N_("read from the wrong line"), N_("the referee's ruling"))
_FOR: Final[Mapping[str, Sequence[str]]] = {
    "set_time": _TIME, "give_time": _TIME, "grant_claim": _CLAIM, "deny_claim": _CLAIM, "warn": _CONDUCT,
    "exclude": _CONDUCT, "correct_result": _SHEET, "reopen_result": _SHEET,
    "restart_move": (N_("clicked before drawing"), N_("disturbed from outside"), N_("technical fault")),
    "set_seat": (N_("the wrong player clicked"), N_("a mistake put right"), N_("technical fault")),
    "set_bank": (N_("counted at the table"), N_("technical fault")),
    "rule": (N_("seen by the referee"), N_("both players agree"), N_("the table was asked"), N_("nobody saw it")),
    "final_lap": (N_("the bank is empty"), N_("the round's time is over"), N_("decided by the referee")),
    "end_game": (N_("the round's time is over"), N_("begun by mistake"), N_("decided by the referee")),
    "reopen_game": (N_("ended by mistake"), N_("not all sets were valid"), N_("decided by the referee")),
    "redeal": (N_("three pairs on a rack"), N_("dealt wrongly"), N_("decided by the referee")),
    "withdraw": (N_("did not appear"), N_("is ill"), N_("had to go home")),
    "tie": (N_("as the head referee decides"), N_("by lot"), N_("by a game played for it")),
    UNPLAYED: (
        N_("the round's time was over"), N_("too few players were left"),
        N_("by agreement, with the head referee's leave"),
    ),
    STANDS: (N_("the table agrees on it"), N_("tiles were miscounted, nobody can tell any more")),
}  # fmt: skip


def has_reasons(act: str) -> bool:
    """Whether there are reasons of its own, so that one is asked for even where none is needed."""
    return act in _FOR


def ready_reasons(what: str) -> list[str]:
    """Reasons for that act, in the reader's language."""
    return [_(reason) for reason in _FOR.get(what, _ANY)]
