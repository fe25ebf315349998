"""A written game: one line an event, in the order of time. Text -> lines; nothing is played here.

MS CONTACT down|up          contacts A.juz … D.dalej, kostka, sedzia (juz and dalej at a box with shared buttons)
MS desk COMMAND [ARGUMENT]
MS link off|on
MS power off|on
# a comment, or an empty line
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dalej.domain import commands
from dalej.domain.facts import contact_name
from dalej.errors import WrongInput
from dalej.words import N_
from moveclock import facts as k

LATEST_MS: Final = 0xFFFFFFFF
_CONTACTS: Final = {contact_name(contact): contact for contact in range(k.CONTACTS)}
_FULL: Final = tuple(range(k.SHARED_JUZ))
_SHARED: Final = (k.KOSTKA, k.SEDZIA, k.SHARED_JUZ, k.SHARED_DALEJ)


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact goes down or up."""

    at_ms: int
    contact: int
    down: bool


@dataclass(frozen=True, slots=True)
class Order:
    """The desk asks for a command."""

    at_ms: int
    line: int
    command: str
    args: dict[str, int | str]


@dataclass(frozen=True, slots=True)
class Reach:
    """The link is cut or comes back."""

    at_ms: int
    on: bool


@dataclass(frozen=True, slots=True)
class Power:
    """The box loses its power or gets it back."""

    at_ms: int
    on: bool


Line = Edge | Order | Reach | Power


def parse(text: str, file: str, *, kostka: bool = True, shared: bool = False) -> list[Line]:
    """The lines of a script for a box built so; WrongInput names file, line and what was expected."""
    known = [c for c in (_SHARED if shared else _FULL) if kostka or c != k.KOSTKA]
    reader = _Reader(file, {contact_name(contact): contact for contact in known})
    return [line for number, raw in enumerate(text.splitlines(), 1) if (line := reader.read(number, raw)) is not None]


class _Reader:
    """Reads line by line and remembers what may follow: time, contacts that are down, link and power."""

    def __init__(self, file: str, contacts: dict[str, int]) -> None:
        self._file = file
        self._contacts = contacts
        self._at_ms = 0
        self._on: dict[str, bool] = {"link": True, "power": True}

    def read(self, number: int, raw: str) -> Line | None:
        words = raw.split("#", 1)[0].split()
        if not words:
            return None
        at_ms = self._time(number, words[0])
        if len(words) < 3:
            raise self._wrong(number, N_("expected a line such as 1000 A.juz down, found {found}"), found=raw.strip())
        what, rest = words[1], words[2:]
        if what == "desk":
            try:
                return Order(at_ms, number, rest[0], commands.read(rest[0], rest[1:]))
            except WrongInput as error:
                raise WrongInput(
                    N_("{file}, line {line}: {problem}"), file=self._file, line=number, problem=error
                ) from error
        if len(rest) != 1:
            raise self._wrong(number, N_("expected three words, found {found}"), found=raw.strip())
        if what in self._contacts:
            return Edge(at_ms, self._contacts[what], self._turned(number, what, rest[0], ("up", "down"), False))
        if what in self._on:
            on = self._turned(number, what, rest[0], ("off", "on"), True)
            return Reach(at_ms, on) if what == "link" else Power(at_ms, on)
        allowed = ", ".join((*self._contacts, "desk", "link", "power"))
        if what in _CONTACTS:
            raise self._wrong(
                number, N_("this box has no contact {found}, expected one of {allowed}"), found=what, allowed=allowed
            )
        raise self._wrong(number, N_("{found} is not known, expected one of {allowed}"), found=what, allowed=allowed)

    def _time(self, number: int, word: str) -> int:
        if not word.isascii() or not word.isdigit() or int(word) > LATEST_MS:
            raise self._wrong(number, N_("expected a time in whole milliseconds, found {found}"), found=word)
        if int(word) < self._at_ms:
            raise self._wrong(
                number, N_("{found} ms is before the line above, expected lines in time order"), found=word
            )
        self._at_ms = int(word)
        return self._at_ms

    def _turned(self, number: int, what: str, word: str, words: tuple[str, str], at_first: bool) -> bool:
        if word not in words:
            raise self._wrong(number, N_("expected {allowed}, found {found}"), found=word, allowed=" | ".join(words))
        on = word == words[1]
        if self._on.get(what, at_first) == on:
            raise self._wrong(number, N_("{what} is {word} already"), what=what, word=word)
        self._on[what] = on
        return on

    def _wrong(self, number: int, problem: str, /, **data: object) -> WrongInput:
        return WrongInput(
            N_("{file}, line {line}: {problem}"), file=self._file, line=number, problem=WrongInput(problem, **data)
        )
