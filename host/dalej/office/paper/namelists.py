"""Players in the order in which they look for themselves on a wall: by surname, where the sign-up lists said which word
that is; else by name as it was written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from dalej.domain.tournament.tournament import Player, Tournament
from dalej.office.nameorder import apart
from dalej.words import _, alphabetical, readable

_UNKNOWN_MOST: Final = 0.1  # of all: so few names that were typed by hand do not change the order of a list


def by_surname(state: Tournament, players: Collection[int]) -> bool:
    """Whether the surname of nearly everybody is known."""
    unknown = sum(not apart(one.name, one.surname).sure for one in map(state.players.__getitem__, players))
    return bool(players) and unknown <= _UNKNOWN_MOST * len(players)


def order_said(state: Tournament, players: Collection[int]) -> str:
    """What such a list is titled."""
    return _("By surname") if by_surname(state, players) else _("In alphabetical order")


def in_order(state: Tournament, players: Collection[int]) -> Mapping[int, str]:
    """By player's number, in the order of the list, how each is printed there: `Nowak Jan`, or as it was written."""
    surnames = by_surname(state, players)
    printed = {one: _surname_first(state.players[one]) if surnames else state.players[one].name for one in players}
    language = state.ruleset.language
    ordered = sorted(players, key=lambda one: (_sorted_by(state.players[one], surnames, language), printed[one], one))
    return {one: readable(printed[one]) for one in ordered}


def _sorted_by(player: Player, surnames: bool, language: str) -> tuple[object, ...]:
    name = apart(player.name, player.surname)
    words = (name.surname or name.first, name.first) if surnames else (player.name,)
    return tuple(alphabetical(word, language) for word in words)


def _surname_first(player: Player) -> str:
    """With what tells namesakes apart behind it."""
    name = apart(player.name, player.surname)
    if not name.surname:
        return player.name
    behind = player.name.partition("(")[1:]
    return " ".join(part for part in (name.surname, name.first, "".join(behind)) if part)
