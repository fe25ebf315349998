"""What the final form asks of a finalist: the fields under the reader's names, and values
as people write them. No value is ever quoted in an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final, NamedTuple

from babel import Locale
from babel.dates import get_month_names

from dalej.errors import DalejError, WrongInput
from dalej.event.ledger import PERSONAL_FIELDS, PERSONAL_TITLES
from dalej.event.ledger.personal import checked
from dalej.office.paper.naming import day_in_digits
from dalej.office.players import folded
from dalej.office.signups import yes_or_no
from dalej.words import LANGUAGES, N_, _, dated, language

CONSENT: Final = "consent"
PHONE: Final = "phone"
BORN: Final = "born"
FIELDS: Final = (*PERSONAL_FIELDS, CONSENT)

# Other names that people give a field, without case and accents; each goes by its titles in every language as well.
ALSO: Final[Mapping[str, frozenset[str]]] = {
    "first_name": frozenset({"imie", "imiona", "first name", "given name", "nome"}),
    "surname": frozenset({"nazwisko", "surname", "last name", "family name", "cognome"}),
    "town": frozenset({"miasto", "miejscowosc", "skad", "town", "city", "citta"}),
    BORN: frozenset({
        "data urodzenia", "urodzony", "urodzona", "ur", "date of birth", "birth date", "born", "data di nascita",
        "nato", "nata",
    }),
    "email": frozenset({"e mail", "email", "mail", "adres e mail", "e mail address", "indirizzo e mail", "posta"}),
    PHONE: frozenset({
        "telefon", "tel", "nr telefonu", "numer telefonu", "telefon kontaktowy", "phone", "phone number", "telefono",
        "numero di telefono", "cellulare", "komorka",
    }),
    CONSENT: frozenset({
        "zgoda", "zgoda rodzica", "zgoda opiekuna", "zgoda rodzica opiekuna", "consent", "parental consent",
        "parent s consent", "consenso", "consenso dei genitori", "consenso del genitore",
    }),
}  # fmt: skip
_TITLES: Final = {**PERSONAL_TITLES, CONSENT: N_("a parent's consent")}

_SLASHED: Final = re.compile(r"(\d{1,2})([-/])(\d{1,2})\2(\d{4})", re.ASCII)
_TURNED: Final = re.compile(r"(\d{4})([./])(\d{1,2})\2(\d{1,2})", re.ASCII)
_SPELLED: Final = re.compile(r"(\d{1,2})\.? ?([^\W\d]+),? (\d{4})")
_MONTH_FIRST: Final = re.compile(r"([^\W\d]+) (\d{1,2}),? (\d{4})")
_YEAR: Final = re.compile(r" ?(?:r\.?|rok|roku)$")
_BEFORE_NUMBER: Final = re.compile(r"^(?:tel|telefon|telefono|phone|kom|komórka|cell?)?[.: ]*(?=[+(\d])", re.IGNORECASE)
_DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))


class Answers(NamedTuple):
    """Values as they are kept, by field ("" removes one), the `consent` where it was told, what is `wrong` by field."""

    values: dict[str, str]
    consent: bool | None
    wrong: dict[str, DalejError]


def title(field: str) -> str:
    """What the reader calls it."""
    return _(_TITLES[field])


def titled(field: str) -> DalejError:
    """The same within an error."""
    return DalejError(_TITLES[field])


def field_of(text: str) -> str | None:
    """The field that goes by that name, in whatever language; None if there is none."""
    wanted = _plain(text)
    for field in FIELDS:
        if wanted in ALSO[field] or wanted in (_plain(field), _plain(title(field))):
            return field
    return None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", folded(text)))


def read(given: Iterable[tuple[str, str]], today: date) -> Answers:
    """Fields by their English keys and what was written there."""
    answers = Answers({}, None, {})
    for field, text in given:
        try:
            if field == CONSENT:
                answers = answers._replace(consent=agreed(text))
            else:
                answers.values[field] = value_of(field, text, today)
        except WrongInput as problem:
            answers.wrong[field] = problem
    return answers


def agreed(text: str) -> bool | None:
    """Whether a parent has; None: nothing is said. WrongInput if it is no answer."""
    try:
        return yes_or_no(text)
    except ValueError:
        raise WrongInput(N_("{field}: expected yes or no"), field=titled(CONSENT)) from None


def value_of(field: str, text: str, today: date) -> str:
    """The value as it is kept, of a day or a number in one of the ways in which people write it; WrongInput says what
    was expected.
    """
    if field == BORN:
        text = _day(text)
    elif field == PHONE:
        text = _BEFORE_NUMBER.sub("", " ".join(text.translate(_DASHES).lstrip("'").split()))
    elif field == "email":
        text = text.strip().removeprefix("mailto:").strip("<> ")
    return checked(field, text, today)


def _day(text: str) -> str:
    """A day with dots, dashes, slashes or the month in words, as 2013-05-04; all else as it is. With slashes it may be
    the month that stands first in English: then it is not read.
    """
    plain = _YEAR.sub("", " ".join(text.split()))
    if told := _TURNED.fullmatch(plain):
        return f"{told[1]}-{told[3]:0>2}-{told[4]:0>2}"
    if (told := _SLASHED.fullmatch(plain)) and (told[2] == "-" or language() != "en"):
        return f"{told[4]}-{told[3]:0>2}-{told[1]:0>2}"
    if (told := _SPELLED.fullmatch(plain)) and (month := _month(told[2])):
        return f"{told[3]}-{month:02}-{told[1]:0>2}"
    if (told := _MONTH_FIRST.fullmatch(plain)) and (month := _month(told[1])):
        return f"{told[3]}-{month:02}-{told[2]:0>2}"
    return dated(plain)


def as_typed(field: str, value: str) -> str:
    """A value as people write it who read this language."""
    return day_in_digits(value) if field == BORN else value


def _month(word: str) -> int:
    for tongue in LANGUAGES:
        for context in ("format", "stand-alone"):
            for number, name in get_month_names("wide", context, Locale(tongue)).items():
                if folded(name) == folded(word):
                    return int(number)
    return 0
