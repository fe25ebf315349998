"""Reasons that referees give most, ready to be picked by a digit. What is picked is kept as a text of the reader's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dalej.telling import choice
from dalej.words import N_, _, said

_ANY: Final = (N_("decided by the referee"), N_("a mistake put right"), N_("technical fault"))
_TIME: Final = (
    N_("the box was passed on late"), N_("a dispute took the time"), N_("disturbed from outside"),
    N_("technical fault"),
)  # fmt: skip
_CLAIM: Final = (
    N_("both players agree"), N_("the tile was drawn late"), N_("the tile was drawn first"), N_("nobody saw it"),
)  # fmt: skip
_CONDUCT: Final = (
    N_("disturbs the game"), N_("argues with the referee"), N_("touches others' tiles"), N_("comes late"),
)  # fmt: skip
_OF: Final[Mapping[str, Sequence[str]]] = {
    "set_time": _TIME, "give_time": _TIME, "grant_claim": _CLAIM, "deny_claim": _CLAIM, "warn": _CONDUCT,
    "exclude": _CONDUCT,
    "restart_move": (N_("clicked before drawing"), N_("disturbed from outside"), N_("technical fault")),
    "set_seat": (N_("the wrong player clicked"), N_("a mistake put right"), N_("technical fault")),
    "set_bank": (N_("counted at the table"), N_("technical fault")),
    "rule": (N_("seen by the referee"), N_("both players agree"), N_("the table was asked"), N_("nobody saw it")),
    "final_lap": (N_("the bank is empty"), N_("the round's time is over"), N_("decided by the referee")),
    "end_game": (N_("the round's time is over"), N_("begun by mistake"), N_("decided by the referee")),
    "reopen_game": (N_("ended by mistake"), N_("not all sets were valid"), N_("decided by the referee")),
    "redeal": (N_("three pairs on a rack"), N_("dealt wrongly"), N_("decided by the referee")),
}  # fmt: skip


def ready_reasons(act: str) -> list[str]:
    """Reasons for that act, in the reader's language."""
    return [_(reason) for reason in _OF.get(act, _ANY)]


def choice_words(name: str) -> str:
    """A choice as people say it."""
    return said(choice(name))
