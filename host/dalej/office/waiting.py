"""Who waits for a place: whoever signs up once all places are taken, in the order in which they came, and whoever comes
back after others have moved up. As soon as a place is free the first of them moves up, as a decision of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from dalej.domain.tournament import WAITING, Player, RoundKey, Tournament
from dalej.ledger import Decision, Draft


def queue(state: Tournament) -> list[Player]:
    """Who waits, the next to move up first."""
    waits = [(player.waits.cursor, player) for player in state.players.values() if player.waits and not player.gone]
    return [player for _cursor, player in sorted(waits, key=lambda one: one[0])]


def free_places(state: Tournament) -> int | None:
    """How many can still come in; None: the ruleset sets no limit."""
    most = state.ruleset.players_max
    return None if most is None else max(0, most - sum(player.takes_part for player in state.players.values()))


def moving_up(state: Tournament) -> list[Draft]:
    """Places that are free go to who has waited longest; nobody comes in any more once the first stage is seated."""
    first, free = state.plan[0], free_places(state)
    if all(_seated(state, RoundKey(first.id, number)) for number in range(1, first.rounds + 1)):
        return []
    return [waits(player.number, False) for player in queue(state)[:free]]


def waits(number: int, waiting: bool) -> Draft:
    """That the player waits for a place, or has one now."""
    return Draft(WAITING, {"player": number, "waits": waiting}, f"{WAITING}:{number}")


def moved_up(made: Iterable[Decision], state: Tournament) -> list[Player]:
    """Who has moved up by these decisions."""
    numbers = [one.body.get("player") for one in made if one.kind == WAITING and not one.body.get("waits")]
    return [state.players[number] for number in numbers if isinstance(number, int) and number in state.players]


def _seated(state: Tournament, key: RoundKey) -> bool:
    one = state.rounds.get(key)
    return one is not None and (one.seating is not None or one.closed is not None)
