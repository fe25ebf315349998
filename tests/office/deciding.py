"""Decisions on an open event, as a test writes them."""

from __future__ import annotations

from dalej.event.event import Change, Event
from dalej.event.ledger import Draft, Json
from tests.domain.deciding import ANIMALS, result


def decide(event: Event, *drafts: Draft, why: str = "because") -> int:
    """Decides these together; the cursor of the last."""
    return event.change(lambda _: Change(drafts, why))[-1].cursor


def seat(event: Event, number: int, *tables: tuple[int, ...], stage: str = "league") -> int:
    """Seats a round."""
    seated: list[Json] = [
        {
            "table": table, "players": [*players, *[0] * (4 - len(players))],
            "names": [*(ANIMALS[player - 1] for player in players), *[""] * (4 - len(players))],
        }
        for table, players in enumerate(tables, start=1)
    ]  # fmt: skip
    body: dict[str, Json] = {"stage": stage, "round": number, "how": "lot", "seed": 1, "tables": seated}
    return decide(event, Draft("seating", body, f"seating:{stage}:{number}"))


def enter(event: Event, number: int, table: int, game: int, players: tuple[int, ...], racks: tuple[int, ...]) -> int:
    """Enters a result."""
    return decide(event, Draft(*result(number, table, game, players, racks)))


def close(event: Event, number: int, *, stage: str = "league") -> int:
    """Closes a round."""
    return decide(event, Draft("closed", {"stage": stage, "round": number}, f"closed:{stage}:{number}"))
