"""Who sits where in a simulated hall: boxes are given to their tables, and every seat to an animal of the forest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.domain.facts import SEATS
from dalej.eventlog import SEATED
from dalej.ledger import ASSIGN, Baseline, Draft, body_of

ANIMALS: Final = (
    "Lis", "Sowa", "Borsuk", "Wydra", "Żuraw", "Jeż", "Wilk", "Sarna", "Dzik", "Kuna", "Ryś", "Bocian", "Łoś", "Gęś",
    "Zając", "Żubr", "Bóbr", "Czapla", "Kruk", "Sójka", "Dzięcioł", "Wiewiórka", "Łasica", "Jaskółka", "Puchacz",
    "Sikorka", "Świstak", "Niedźwiedź",
)  # fmt: skip


def names_at(table: int) -> dict[str, str]:
    """The players of a table by seat; when the animals are used up they come again with a number: Lis 2."""
    first = (table - 1) * len(SEATS)
    return {seat: _name(first + place) for place, seat in enumerate(SEATS)}


def assigned(table: int, box: str, epoch: int) -> Draft:
    """That the box stands on the table from now on; all of its journal's facts count."""
    return Draft(ASSIGN, body_of(Baseline(table=table, box=box, epoch=epoch, seq=0)))


def seated(table: int, names: Mapping[str, str]) -> Draft:
    """Who sits at the table."""
    return Draft(SEATED, {"table": table, "names": names}, f"seated:{table}")


def _name(place: int) -> str:
    again, animal = divmod(place, len(ANIMALS))
    return f"{ANIMALS[animal]} {again + 1}" if again else ANIMALS[animal]
