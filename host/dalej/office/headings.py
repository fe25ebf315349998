"""What the columns of a sign-up list are called, in Polish, English and Italian, and what their yes and no are.

A heading counts if all of it is known: "imię i nazwisko rodzica" is a parent's name and no player's, so it is not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from dalej.errors import WrongInput
from dalej.office.players import folded
from dalej.quoting import quoted
from dalej.words import N_, language

Field = Literal["name", "first", "surname", "group", "qualified", "consent"]
NAME: Final = "name"
FIRST: Final = "first"
SURNAME: Final = "surname"
GROUP: Final = "group"
QUALIFIED: Final = "qualified"
CONSENT: Final = "consent"

_KNOWN: Final[Mapping[Field, frozenset[str]]] = {
    NAME: frozenset({
        "imie i nazwisko", "nazwisko i imie", "imie nazwisko", "nazwisko imie", "imiona i nazwisko",
        "nazwisko i imiona",
        "uczestnik", "uczestniczka", "uczestnik uczestniczka", "uczen", "uczennica", "uczen uczennica", "gracz",
        "zawodnik", "zawodniczka", "zawodnik zawodniczka", "name", "full name", "first name and surname",
        "first and last name", "name and surname", "first name and last name", "player", "student", "pupil",
        "participant", "nome e cognome", "cognome e nome", "nome cognome", "cognome nome", "nominativo", "giocatore",
        "giocatrice", "partecipante", "alunno", "alunna", "studente",
    }),
    FIRST: frozenset({"imie", "imiona", "first name", "firstname", "given name", "given names", "forename", "nome"}),
    SURNAME: frozenset({"nazwisko", "surname", "last name", "lastname", "family name", "cognome"}),
    GROUP: frozenset({
        "klasa", "szkola", "nazwa szkoly", "klasa i szkola", "szkola i klasa", "klub", "nazwa klubu", "miasto",
        "miejscowosc", "druzyna", "grupa", "class", "school", "school class", "club", "town", "city", "team", "group",
        "classe", "scuola", "citta", "squadra", "gruppo", "circolo", "associazione",
    }),
    QUALIFIED: frozenset({
        "qualified", "already qualified", "zakwalifikowany", "zakwalifikowana", "zakwalifikowany a", "kwalifikacja",
        "zakwalifikowany do finalu", "zakwalifikowany a do finalu", "qualificato", "qualificata", "gia qualificato",
    }),
    CONSENT: frozenset({
        "zgoda", "zgoda rodzica", "zgoda rodzicow", "zgoda opiekuna", "zgoda opiekuna prawnego",
        "zgoda rodzica opiekuna", "zgoda rodzica opiekuna prawnego", "zgoda rodzica lub opiekuna", "consent",
        "parental consent", "parent consent", "parent s consent", "parents consent", "consent on file", "consenso",
        "consenso dei genitori", "consenso del genitore", "autorizzazione",
    }),
}  # fmt: skip

# Whose name or class it is, as forms put it behind the heading.
_WHOSE: Final = frozenset({
    "ucznia", "uczennicy", "uczestnika", "uczestniczki", "gracza", "zawodnika", "zawodniczki", "dziecka", "twoje",
    "twoja", "of", "the", "your", "player", "players", "student", "students", "pupil", "participant", "child", "s",
    "del", "della", "dell", "giocatore", "partecipante", "alunno", "alunna", "studente", "bambino",
})  # fmt: skip

_EXPECTED: Final = ("imię i nazwisko", "name", "nome e cognome")
_YES: Final = frozenset({
    "tak", "t", "yes", "y", "si", "s", "1", "x", "+", "true", "prawda", "vero", "wyrazam zgode", "tak wyrazam zgode",
    "zgadzam sie", "tak zgadzam sie", "i agree", "acconsento",
})  # fmt: skip
_NO: Final = frozenset({
    "nie", "n", "no", "0", "-", "false", "falsz", "falso", "nie wyrazam zgody", "nie zgadzam sie", "i do not agree",
    "non acconsento",
})  # fmt: skip


def field_of(heading: str) -> Field | None:
    """What the column holds, None if it is not one that is read."""
    words = re.findall(r"\w+", folded(heading))
    for spelled in (" ".join(words), " ".join(word for word in words if word not in _WHOSE)):
        for field, known in _KNOWN.items():
            if spelled in known:
                return field
    return None


def score(header: Sequence[str]) -> int:
    """How many columns would be read; 0 if a player's name is not among them."""
    fields = [field_of(heading) for heading in header]
    return sum(field is not None for field in fields) if {NAME, FIRST, SURNAME} & set(fields) else 0


def columns(header: Sequence[str], file: str, line: int) -> dict[Field, list[int]]:
    """Where what is read stands, from 0; WrongInput, naming the columns found, if there is no name or something twice.

    "name" beside "surname" is the first name. Of groups there may be several.
    """
    found: dict[Field, list[int]] = {}
    for place, heading in enumerate(header):
        if (field := field_of(heading)) is not None:
            found.setdefault(field, []).append(place)
    if SURNAME in found and FIRST not in found and NAME in found:
        found[FIRST] = found.pop(NAME)
    if not {NAME, FIRST, SURNAME} & found.keys():
        raise WrongInput(
            N_("{file}, line {line}: no column holds the name, expected one called {expected}; found: {columns}"),
            file=file, line=line, columns=_listed(header), expected=_listed(_EXPECTED),
        )  # fmt: skip
    for field, places in found.items():
        if len(places) > 1 and field != GROUP:
            raise WrongInput(
                N_("{file}, line {line}: the columns {columns} say the same, expected one of them"),
                file=file, line=line, columns=_listed([header[place] for place in places]),
            )  # fmt: skip
    return found


def yes_or_no(cell: str) -> bool | None:
    """What a cell says; ValueError if it is neither. None: it is empty."""
    said = " ".join(re.findall(r"[\w+-]+", folded(cell)))
    if said in _YES or said in _NO:
        return said in _YES
    if cell.strip():
        raise ValueError(cell)
    return None


def _listed(header: Sequence[str]) -> str:
    return ", ".join(quoted(heading.strip()[:40], language()) for heading in header)
