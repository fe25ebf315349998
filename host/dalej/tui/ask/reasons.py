"""Reasons that are ready to be picked where none of the act's own are; kept as a text of the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dalej.words import N_, _

STANDS: Final = (  # why a sheet stands that cannot be right
    N_("the table agrees on it"), N_("tiles were miscounted, nobody can tell any more"),
)  # fmt: skip
_ANY: Final = (N_("decided by the referee"), N_("a mistake put right"), N_("technical fault"))


def ready(reasons: Sequence[str]) -> list[str]:
    """Those, or what fits anything, in the reader's language."""
    return [_(reason) for reason in reasons or _ANY]
