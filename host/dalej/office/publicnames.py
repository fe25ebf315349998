"""How players are called where everybody reads it: the one place that decides it. Pure.

The event's setting `public_names` says how, as the organiser chose it, else as the ruleset does; nobody stands in full
without a consent on file. Pages, posters, the pages of a web site and papers for the public are all made of
`published`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from dalej.domain.tournament.tournament import Tournament
from dalej.office.nameorder import apart
from dalej.words import readable

IN_FULL: Final = "in_full"


def published(state: Tournament) -> Tournament:
    """The tournament as everybody may read it: names as they are published, no classes, clubs or towns."""
    names = public_names(state)
    return replace(state, players={
        number: replace(one, name=names[number], group="", surname="") for number, one in state.players.items()
    })  # fmt: skip


def public_names(state: Tournament) -> Mapping[int, str]:
    """By the players' numbers. Those who are called alike are told apart by their class, or by their numbers where
    that is the same or unknown.
    """
    shortened = set(shortened_in_public(state, state.players))
    names = {
        number: short(one.name, one.surname) if number in shortened else one.name
        for number, one in state.players.items()
    }
    often = Counter(names.values())
    classes = Counter((name, state.players[number].group.strip()) for number, name in names.items())
    called = {number: _apart(name, number, state, classes) if often[name] > 1 else name
              for number, name in names.items()}  # fmt: skip
    again = Counter(called.values())  # somebody may be called as another one is told apart
    return {
        number: readable(name if again[name] == 1 else f"{names[number]} ({number})") for number, name in called.items()
    }


def short(name: str, surname: str) -> str:
    """`Jan N.`; a name of one word stays, and so does one that a number tells apart."""
    first, last, _sure = apart(name, surname)
    return f"{first} {last[0]}." if last[:1].isalpha() else name


def shortened_in_public(state: Tournament, players: Iterable[int]) -> list[int]:
    """Those of them who stand there by first name and initial."""
    full = state.ruleset.public_names == IN_FULL
    return [number for number in players if not full or state.players[number].consent is not True]


def _apart(name: str, number: int, state: Tournament, classes: Mapping[tuple[str, str], int]) -> str:
    group = state.players[number].group.strip()
    return f"{name} ({group if group and classes[name, group] == 1 else number})"
