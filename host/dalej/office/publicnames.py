"""How players are called where everybody reads it: as the organiser chose, and nobody in full whose parents have not
agreed. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from dalej.domain.tournament.tournament import Player, Tournament
from dalej.office.finalists import apart
from dalej.words import readable


def asks_consent(state: Tournament) -> bool:
    """Whether consents are kept for the event: the ruleset asks a form, or somebody's yes or no is on file."""
    return state.ruleset.form_players is not None or any(one.consent is not None for one in state.players.values())


def without_consent(state: Tournament, players: Iterable[int]) -> list[int]:
    """Those of them who are never named in full in public: no consent is on file, though it is asked for."""
    return [number for number in players if asks_consent(state) and state.players[number].consent is not True]


def public_names(state: Tournament, *, full: bool) -> Mapping[int, str]:
    """By the players' numbers. `full`: in full where a consent is on file or is not asked for; else first name and
    initial. Namesakes are told apart by their class, or by their numbers where that is the same or unknown.
    """
    shortened = set(without_consent(state, state.players) if full else state.players)
    names = {
        number: _short(one) if number in shortened else one.name for number, one in state.players.items()
    }  # fmt: skip
    often = Counter(names.values())
    classes = Counter((name, state.players[number].group) for number, name in names.items())
    for number, name in names.items():
        if often[name] > 1:
            group = state.players[number].group.strip()
            names[number] = f"{name} ({group if group and classes[name, state.players[number].group] == 1 else number})"
    return {number: readable(name) for number, name in names.items()}


def _short(player: Player) -> str:
    """`Jan N.`; a name of one word stays."""
    name = apart(player)
    return f"{name.first} {name.surname[0]}." if name.surname else name.first
