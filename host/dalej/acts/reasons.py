"""Why somebody decides: whether an act needs a reason, and whether it is one that can be kept."""

from __future__ import annotations

from typing import Final

from dalej.acts.catalogue import Act
from dalej.errors import DalejError, WrongInput
from dalej.words import N_

WHY_MOST: Final = 500


def expect_reason(act: Act | None, why: str) -> None:
    """WrongInput if it is no reason that can be kept (half a character, or a book), or none where the act needs one."""
    if len(why) > WHY_MOST or any("\ud800" <= sign <= "\udfff" for sign in why):
        raise WrongInput(N_("the reason cannot be kept, expected up to {most} readable characters"), most=WHY_MOST)
    if act is not None and act.why and not why.strip():
        raise WrongInput(N_("{act}: say why, it is kept with the decision"), act=DalejError(act.title))
