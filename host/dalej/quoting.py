"""A regulation's own words, in the quotation marks of its own language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_MARKS: Final[Mapping[str, str]] = {"pl": "„{}”"}
_OTHERS: Final = "“{}”"


def quoted(quote: str, language: str) -> str:
    """The words between their marks; nothing for none."""
    return _MARKS.get(language, _OTHERS).format(quote) if quote else ""
