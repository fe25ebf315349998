"""Decisions on an open event, as a test writes them."""

from __future__ import annotations

from dalej.event.event import Change, Event
from dalej.event.ledger import Draft, Json
from tests.domain.deciding import ANIMALS, result


def decide(event: Event, *drafts: Draft, why: str = "because") -> int:
    """Decides these together; the cursor of the last."""
    return event.change(lambda _: Change(drafts, why))[-1].cursor


def seat(event: Event, number: int, *tables: tuple[int, ...]) -> int:
    """Seats a round of the league."""
    seated: list[Json] = [
        {"table": table, "players": list(players), "names": [ANIMALS[player - 1] for player in players]}
        for table, players in enumerate(tables, start=1)
    ]
    body: dict[str, Json] = {"stage": "league", "round": number, "how": "lot", "seed": 1, "tables": seated}
    return decide(event, Draft("seating", body, f"seating:league:{number}"))


def enter(event: Event, number: int, table: int, game: int, players: tuple[int, ...], racks: tuple[int, ...]) -> int:
    """Enters a result."""
    return decide(event, Draft(*result(number, table, game, players, racks)))


def close(event: Event, number: int) -> int:
    """Closes a round."""
    return decide(event, Draft("closed", {"stage": "league", "round": number}, f"closed:league:{number}"))
