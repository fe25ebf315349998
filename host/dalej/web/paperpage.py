"""Papers: what can be printed, as PDF that the browser opens, and the same for a spreadsheet where there is such. Each
is made anew of what counts at that moment, in a thread, and kept nowhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import hdrs, web

from dalej.domain.game.sentences import local
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, Refused
from dalej.office.acts.printing import Print
from dalej.views.papers import PAPERS, Paper
from dalej.web.sessions import Session
from dalej.web.visits import Visits
from dalej.words import N_, _, ngettext, said

MADE_WITHIN_S: Final = 20.0
_NOW_MOST: Final = 2  # are made at once; whoever comes then waits within his deadline
_TYPES: Final = {
    ".pdf": "application/pdf", ".csv": "text/csv",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip
_OF_SEATS: Final = ("seating", "wall", "numbers", "sheets")  # nothing but who sits where stands in them

_SAID: Final = (DalejError, ImportError, web.HTTPNotFound)  # to whoever asked

log = logging.getLogger("dalej.web")


@dataclass(frozen=True, slots=True)
class Listed:
    """A paper as the list shows it. `ways`: its formats and where each opens, the likeliest first; none: it is written
    beside the event by the act. `stands`: what of it is in; `last`: when it was opened last here, and whether that is
    out of date. `why_not`: it cannot be made yet.
    """

    words: str
    ways: Sequence[tuple[str, str]]
    args: Mapping[str, object]
    stands: str
    last: str
    old: bool
    why_not: str


class PaperPages:
    """`/papers`: the list; `/papers/NUMBER.pdf`: one of them, `.xlsx` and `.csv` for those that are lists."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits
        self._making = asyncio.Semaphore(_NOW_MOST)
        self._opened: dict[int, tuple[int, object]] = {}  # when each was, and what stood in it

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/papers", self._papers),
            web.get("/papers/{number:[0-9]{1,3}}{form:[.](?:pdf|csv|xlsx)}", self._paper),
        ]

    async def _papers(self, request: web.Request) -> web.StreamResponse:
        return await self._list(self._visits.expect(request, "referee", "organiser"))

    async def _list(self, session: Session, problem: str = "", status: HTTPStatus = HTTPStatus.OK) -> web.Response:
        papers = await asyncio.to_thread(self._all, self._visits.watch.page.state)  # what sets papers loads for long
        return self._visits.page(session, "papers.html", "/papers", papers=papers, problem=problem, status=status)

    def _all(self, state: Tournament | None) -> list[Listed]:
        final = state is not None and state.ruleset.form_players is not None
        grouped = state is not None and any(one.group for one in state.players.values())
        return [
            self._listed(number, one, state) for number, one in enumerate(PAPERS)
            if (final or not one.final) and (grouped or not one.grouped)
        ]  # fmt: skip

    def _listed(self, number: int, paper: Paper, state: Tournament | None) -> Listed:
        """The final form holds what nobody but the organiser's own computer has to know: it does not travel."""
        act, why_not = msgspec.convert(dict(paper.args), Print), ""
        forms: list[str] = []
        try:
            basis = _basis(act, state)
            forms = [] if act.what == "form" else [*act.formats(_expected(state), 0, dict)]
        except DalejError as problem:
            basis, why_not = None, said(problem)
        when_ms, then = self._opened.get(number, (0, None))
        last = _("opened at {time}").format(time=f"{local(when_ms):%H:%M}") if when_ms else ""
        ways = [
            (form.removeprefix(".").upper(), f"/papers/{number}{form}") for form in sorted(forms, key=[*_TYPES].index)
        ]
        return Listed(_(paper.words), ways, paper.args, _stands(act, state), last, bool(when_ms) and then != basis,
                      why_not)  # fmt: skip

    async def _paper(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "referee", "organiser")
        number, form = int(request.match_info["number"]), request.match_info["form"]
        if number >= len(PAPERS):
            raise web.HTTPNotFound
        act = msgspec.convert(dict(PAPERS[number].args), Print)
        state, now_ms = self._visits.watch.page.state, self._visits.watch.feed.wall_ms()
        try:
            if act.what == "form":
                raise Refused(N_("the final form is written beside the event: it does not travel"))
            made, basis = await self._made(act, form, state, now_ms)
        except DalejError as problem:
            return await self._list(session, said(problem), HTTPStatus.UNPROCESSABLE_ENTITY)
        self._opened[number] = (now_ms, basis)
        shown = f'{"inline" if form == ".pdf" else "attachment"}; filename="{act.what}{form}"'
        return web.Response(body=made, content_type=_TYPES[form], headers={hdrs.CONTENT_DISPOSITION: shown})

    async def _made(self, act: Print, form: str, state: Tournament | None, now_ms: int) -> tuple[bytes, object]:
        """The paper and its basis, in a thread, within the deadline; what was begun there ends by itself."""
        try:
            async with asyncio.timeout(MADE_WITHIN_S):
                await self._making.acquire()
                work = asyncio.ensure_future(asyncio.to_thread(_make, act, form, _expected(state), now_ms))
                work.add_done_callback(self._was_made)
                return await asyncio.shield(work)
        except TimeoutError:
            raise Refused(
                N_("the paper was not ready within {seconds} s; try it again"), seconds=int(MADE_WITHIN_S)
            ) from None
        except ImportError:
            raise Refused(
                N_("papers are set by typst, which this computer does not have: the package typst is missing")
            ) from None

    def _was_made(self, work: asyncio.Future[tuple[bytes, object]]) -> None:
        self._making.release()
        with suppress(asyncio.CancelledError):
            if (error := work.exception()) is not None and not isinstance(error, _SAID):
                log.error("a paper could not be made", exc_info=error)


def _make(act: Print, form: str, state: Tournament, now_ms: int) -> tuple[bytes, object]:
    """HTTPNotFound if there is no such format of it."""
    made = act.formats(state, now_ms, dict).get(form)
    if made is None:
        raise web.HTTPNotFound
    return made(), _basis(act, state)


def _expected(state: Tournament | None) -> Tournament:
    if state is None:
        raise Refused(N_("nobody has said yet by which ruleset it is played"))
    return state


def _basis(act: Print, state: Tournament | None) -> object:
    """All that stands in such a paper: it is out of date once this is another. Refused if it cannot be made yet."""
    state = _expected(state)
    names = [(one.number, one.name, one.group) for one in state.players.values()]
    called = (state.name, state.town, state.date, names)
    if act.what in (*_OF_SEATS, "results"):
        of = act.round_of(state)
        seats = act.seats_of(state).tables
        filled = act.filled or act.what == "results"
        return (*called, of.key, seats, dict(of.results) if filled else None)
    results = [(one.key, one.closed, dict(one.results)) for one in state.rounds.values()]
    return (*called, results, [one.gone for one in state.players.values()], state.ties)


def _stands(act: Print, state: Tournament | None) -> str:
    """How many of the results are in, of what has any."""
    if state is None or (act.what in _OF_SEATS and not act.filled):
        return ""
    try:
        rounds = [act.round_of(state)] if act.what in ("sheets", "results") else [*state.rounds.values()]
    except DalejError:
        return ""
    count = sum(len(one.results) for one in rounds)
    return ngettext("{count} game is in", "{count} games are in", count).format(count=count)
