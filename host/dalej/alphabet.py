"""The order of names, the same on a screen and on paper: that of the language in which an event is played."""

from __future__ import annotations

import unicodedata
from typing import Final

_POLISH: Final = "pl"
_STROKE: Final = "\u0337"


def alphabetical(name: str, language: str = _POLISH) -> tuple[object, ...]:
    """What names are sorted by. In Polish ą follows a and ł follows l; elsewhere an accent decides only between names
    that are spelled alike.
    """
    letters = [_letter(letter) for letter in name.casefold()]
    if language == _POLISH:
        return tuple(letters)
    return (tuple(plain for plain, _accents in letters), tuple(letters))


def _letter(letter: str) -> tuple[str, str]:
    if letter == "ł":
        return "l", _STROKE
    apart = unicodedata.normalize("NFD", letter)
    return apart[0], apart[1:]
