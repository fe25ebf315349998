"""Who sits where: seats to be dragged, tapped, or reached by keys; and, without scripts, a form for each player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from aiohttp import web

from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.office.acts.catalogue import ACTS, allowed
from dalej.office.seating import present
from dalej.views.publicpeople import Chair, draw_aloud, tables_of
from dalej.web.actpage import link_to
from dalej.web.visits import Visits
from dalej.words import readable

_ABOVE: Final = ("draw_seating", "lock_seating", "open_table")


class SeatingPages:
    """`/seating`."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [web.get("/seating", self._seating)]

    async def _seating(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "referee", "organiser")
        page = self._visits.watch.page
        one, state = page.round, page.state
        may = {act.name for act in allowed(session.actor.role)}
        seated = one is not None and one.seating is not None
        tables: list[tuple[int, list[Chair]]] = []
        free: list[Chair] = []
        absent: list[Chair] = []
        if one is not None and state is not None and one.seating is not None:
            tables = tables_of(one, {number: readable(who.name) for number, who in state.players.items()})
            free, absent = _bench(state, one)
        return self._visits.page(
            session, "seating.html", "/seating", round="" if one is None else round_name(*one.key), tables=tables,
            free=free, absent=absent, links=[link_to(ACTS[name]) for name in _ABOVE if name in may], may=may,
            seated=seated, locked=one is not None and one.seating is not None and one.seating.locked is not None,
            seen=page.head, aloud=[] if state is None else draw_aloud(state),
        )  # fmt: skip


def _bench(state: Tournament, one: Round) -> tuple[list[Chair], list[Chair]]:
    """Who is there without a chair, and who misses the round."""

    def of(numbers: Iterable[int]) -> list[Chair]:
        return [Chair(0, "", number, readable(state.players[number].name)) for number in sorted(numbers)]

    chairs = set() if one.seating is None else {number for at in one.seating.tables for number in at.seated}
    return of(set(present(state, one)) - chairs), of(one.absent - chairs)
