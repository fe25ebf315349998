"""The reader's language: everything a person reads goes through gettext, nothing a program reads does.

Catalogues lie in `dalej/locale`; which one is used follows `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG` as gettext
always does, or `speak`. Templates of errors are marked with `N_` where they are written and translated by `said`.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path

from dalej.errors import DalejError

DOMAIN = "dalej"
LANGUAGES = ("pl", "en")


def speak(language: str | None = None) -> None:
    """Bind the catalogues; `language` (pl or en) wins over the environment."""
    if language is not None:
        os.environ["LANGUAGE"] = language
    gettext.bindtextdomain(DOMAIN, str(Path(__file__).with_name("locale")))
    gettext.textdomain(DOMAIN)


def N_(template: str) -> str:
    """Marks a template for the catalogues without translating it yet."""
    return template


def said(error: DalejError) -> str:
    """The error's sentence in the reader's language; an error within it (what is wrong with a line, say) likewise."""
    data = {name: said(value) if isinstance(value, DalejError) else value for name, value in error.data.items()}
    return gettext.gettext(error.template).format(**data)
