"""The name that somebody gives at log-in: it goes into the ledger, "Sowa (referee)"."""

from __future__ import annotations

import unicodedata
from typing import Final

from dalej.errors import WrongInput
from dalej.words import N_

LONGEST: Final = 40
_ALSO: Final = frozenset(" .-'’_")


def named(text: str) -> str:
    """As it is kept; WrongInput if it is none. No brackets: the role stands in them, and nobody writes it himself."""
    name = " ".join(unicodedata.normalize("NFC", text[: 4 * LONGEST]).split())
    if not any(letter.isalpha() for letter in name):
        raise WrongInput(N_("your name is missing: it is written down with what you do"))
    if len(name) > LONGEST:
        raise WrongInput(N_("a name has at most {longest} characters"), longest=LONGEST)
    wrong = [letter for letter in name if not _fits(letter)]
    if wrong:
        raise WrongInput(N_("a name is made of letters, digits, spaces, . - ' and _; not of {found}"), found=wrong[0])
    return name


def _fits(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LMN" or letter in _ALSO
