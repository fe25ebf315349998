"""Acts of a centre on its halls: which tables stand in which, and a round given to them and taken back."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from dalej.domain.tournament.stages import round_said
from dalej.errors import DalejError
from dalej.event.event import Event
from dalej.office import halls, numbers, rounds
from dalej.office.acts.act import Act, Asked
from dalej.office.acts.rounds import OfRound
from dalej.office.acts.wishes import Done, Wish, cursors, done
from dalej.words import N_


class SetHall(Act, frozen=True, kw_only=True):
    """Which tables stand in a hall that has an event file of its own; none: it has no part in the event any more."""

    name = "set_hall"
    title = N_("say which tables stand in a hall")
    offered = False
    hall: Annotated[str, Meta(min_length=1, max_length=80), Asked("text", N_("hall"))]
    tables: Annotated[str, Asked("text", N_("tables, such as 1-20"))] = ""

    def do(self, event: Event, wish: Wish) -> Done:
        tables = numbers.tables(self.tables) if self.tables.strip() else []
        made = event.change(lambda state: halls.stands(state, self.hall, tables))
        said = N_("{hall}: {count} tables.") if len(tables) != 1 else N_("{hall}: one table.")
        return done(said, hall=self.hall, count=len(tables), decisions=cursors(made))


class GiveRound(OfRound, frozen=True):
    """The halls play the round; who sits where stays as it is until it is taken back."""

    name = "give_round"
    title = N_("give the round to the halls")
    of_halls = True

    def do(self, event: Event, wish: Wish) -> Done:
        made = event.change(halls.give)
        one = rounds.at_work(event.state())
        return done(
            N_("{round} is given to the halls {halls}."), round=round_said(*one.key), halls=halls.named(one.returns),
            decisions=cursors(made),
        )  # fmt: skip


class TakeRound(OfRound, frozen=True):
    """The halls decide about the round no more; each that has heard of it says that all it has decided is told."""

    name = "take_round"
    title = N_("take the round back from the halls")
    of_halls = True

    def do(self, event: Event, wish: Wish) -> Done:
        made = event.change(halls.take_back)
        one = rounds.at_work(event.state())
        open_ones = one.missing()
        said = DalejError(
            N_("{round} is taken back; it is complete when the halls {halls} have heard of it."),
            round=round_said(*one.key), halls=halls.named(one.returns),
        )  # fmt: skip
        if not open_ones:
            return done("{said}", said=said, decisions=cursors(made))
        return done(
            N_("{said} Note – results are missing: {games}."), said=said, games=rounds.games_by_table(open_ones),
            decisions=cursors(made),
        )  # fmt: skip
