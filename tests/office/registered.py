"""Events in a folder, with players who signed up, and a round as it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dalej.domain.tournament.tournament import RoundKey, TableSeats
from dalej.event.event import Change, Event
from dalej.event.ledger import Draft, Ledger
from dalej.office import signups
from dalej.office.opening import Opening, open_event
from dalej.office.signups import SignUp

ANIMALS = ("Lis", "Sowa", "Borsuk", "Wydra", "Żuraw", "Jeż", "Wilk", "Sarna")


@contextmanager
def an_event(folder: Path, ruleset: str = "school-league", *names: str) -> Iterator[Event]:
    """An event of that ruleset; without names the first eight animals have signed up."""
    file = str(folder / "event.dalej")
    open_event(file, Opening(ruleset=ruleset), who="Sowa", wall_ms=lambda: 0)
    with Ledger.open(file) as ledger:
        event = Event(ledger, who="Sowa", wall_ms=lambda: 0)
        wanted = [SignUp(0, name) for name in names or ANIMALS]
        event.change(lambda state: signups.enter(state, wanted))
        yield event


def seat(event: Event, stage: str, number: int, *tables: tuple[int, ...]) -> None:
    """A round is drawn so."""
    written = [
        {"table": table, "players": list(TableSeats(table, (*players, 0, 0, 0)[:4]).players), "names": ["", "", "", ""]}  # type: ignore[arg-type]  # four of them
        for table, players in enumerate(tables, start=1)
    ]
    key = RoundKey(stage, number)
    body: Any = {"stage": key.stage, "round": key.round, "how": "lot", "seed": 1, "tables": written}
    event.change(lambda state: Change([Draft("seating", body, f"seating:{key.stage}:{key.round}")], "drawn"))


def close(event: Event, stage: str, number: int) -> None:
    """That round is closed."""
    body: Any = {"stage": stage, "round": number}
    event.change(lambda state: Change([Draft("closed", body, f"closed:{stage}:{number}")], "closed"))
