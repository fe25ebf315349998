"""Every act by its name, in the order in which they are offered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Final

from dalej.office.acts import (
    clocks,
    games,
    halls,
    players,
    printing,
    restoring,
    results,
    rounds,
    rulings,
    seating,
    sessions,
    settings,
    tableracks,
    tablewords,
    undoing,
)
from dalej.office.acts.act import Act
from dalej.office.acts.roles import Role

if TYPE_CHECKING:
    from dalej.domain.tournament.tournament import Tournament

# In the order in which they are offered, and within each file in that of its lines.
_FILES: Final = (
    clocks, games, rulings, players, results, seating, rounds, halls, printing, settings, undoing, restoring, sessions,
    tableracks, tablewords,
)  # fmt: skip


def _acts_of(file: ModuleType) -> Iterator[type[Act]]:
    for one in vars(file).values():
        if isinstance(one, type) and issubclass(one, Act) and one.__module__ == file.__name__ and "name" in vars(one):
            yield one


ACTS: Final[Mapping[str, type[Act]]] = {act.name: act for file in _FILES for act in _acts_of(file)}


def allowed(role: Role) -> list[type[Act]]:
    """What that role may be offered, in the order of the catalogue."""
    return [act for act in ACTS.values() if act.offered and role in act.roles]


def allowed_in(state: Tournament | None, role: Role) -> list[type[Act]]:
    """The same in that event; None: as nothing is known of it, what goes with any."""
    several = state is not None and bool(state.halls) and not state.home
    return [act for act in allowed(role) if several or not act.of_halls]
