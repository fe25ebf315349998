"""A result before it is entered: what the box adds to what was typed, and what is to be said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dalej.domain.tournament import GameAt, Round
from dalej.errors import DalejError
from dalej.office import results
from dalej.office.boxes import games_of_round
from dalej.office.entry import Entry, surprising, with_box
from dalej.office.event import Event


@dataclass(frozen=True, slots=True)
class Prepared:
    """`entry`: with what the box knows. `remarks` are to be said; `doubts` to be asked about, where anybody can be."""

    entry: Entry
    remarks: Sequence[DalejError]
    doubts: Sequence[DalejError]


def prepared(event: Event, one: Round, at: GameAt, entry: Entry) -> Prepared:
    """WrongInput if the table is none of the round, or nobody says how the game ended."""
    state = event.state()
    seats = results.seats_of(results.table_of(one, at.table))
    box = games_of_round(event.ledger, state, one.key, [at.table]).get(at)
    filled, remarks = with_box(entry, box, list(seats))
    return Prepared(filled, [*remarks, *results.left_out(state, one, at, filled)], surprising(filled.racks))
