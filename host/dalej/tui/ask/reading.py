"""What is typed into a field -> what a wish carries; WrongInput says in one sentence what was expected."""

from __future__ import annotations

from typing import Final

from dalej.acts.catalogue import Ask
from dalej.domain.tournament import Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.office.players import find
from dalej.words import N_

_DIGITS_MOST: Final = 9


def typed(ask: Ask, text: str, state: Tournament | None) -> object:
    """The value of a field, None if it was left empty and may be."""
    text = text.strip()
    if not text:
        if ask.needed:
            raise WrongInput(N_("{field}: expected something here"), field=DalejError(ask.label))
        return None
    match ask.kind:
        case "seconds":
            return seconds(ask, text)
        case "tiles" | "number" | "table" | "ruling":
            return number(ask, text)
        case "player":
            return find(_known(state), text).number
        case "players":
            return [find(_known(state), part).number for part in text.split(",") if part.strip()]
        case _:
            return text


def seconds(ask: Ask, text: str) -> int:
    """`20` or `1:30`, in ms."""
    minutes, colon, rest = text.rpartition(":")
    parts = (minutes, rest) if colon else ("0", rest)
    if all(part.isascii() and part.isdigit() and len(part) < _DIGITS_MOST for part in parts):
        found = int(parts[0]) * 60 + int(parts[1])
        if found <= ask.most and (not colon or int(rest) < 60):
            return found * 1_000
    raise WrongInput(
        N_("{field}: expected 0 to {most} seconds, such as 20 or 1:30, found {found}"), field=DalejError(ask.label),
        most=ask.most, found=text[:20],
    )  # fmt: skip


def number(ask: Ask, text: str) -> int:
    """A whole number within what the field allows."""
    if text.isascii() and text.isdigit() and len(text) < _DIGITS_MOST + 2 and ask.least <= int(text) <= ask.most:
        return int(text)
    raise WrongInput(
        N_("{field}: expected {least} to {most}, found {found}"), field=DalejError(ask.label), least=ask.least,
        most=ask.most, found=text[:20],
    )  # fmt: skip


def _known(state: Tournament | None) -> Tournament:
    if state is None:
        raise Refused(N_("nobody has signed up for this event yet"))
    return state
