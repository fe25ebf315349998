"""What one browser is told, in its language: this process speaks to many at once, `dalej.words` to one."""

from __future__ import annotations

import gettext
from pathlib import Path
from typing import Final

import dalej.words
from dalej.errors import DalejError
from dalej.words import DOMAIN, LANGUAGES, readable

OWN_NAMES: Final = {"pl": "Polski", "en": "English", "it": "Italiano"}
_LOCALE: Final = Path(dalej.words.__file__).with_name("locale")
_LONGEST: Final = 500


class Speech:
    """`language`: one of `LANGUAGES`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = gettext.translation(DOMAIN, str(_LOCALE), languages=[language], fallback=True)

    def say(self, template: str, **data: object) -> str:
        """The sentence, with its fields; an error among them is a sentence too."""
        said = {name: self.said(value) if isinstance(value, DalejError) else value for name, value in data.items()}
        translated = self._catalogue.gettext(template) if template else ""
        return readable(translated.format(**said) if said else translated)

    def said(self, error: DalejError) -> str:
        """The error's sentence."""
        return self.say(error.template, **error.data)


def chosen(accepted: str, default: str) -> str:
    """Of our languages the one that an Accept-Language header likes best."""
    best, most = default, 0.0
    for part in accepted[:_LONGEST].split(","):
        tag, _, parameters = part.strip().partition(";")
        language = tag.partition("-")[0].lower()
        weight = _weight(parameters)
        if language in LANGUAGES and weight > most:
            best, most = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
