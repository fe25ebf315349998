"""Lists of players and of results: sent from this device, shown as they were understood, and then entered, all of a
list or nothing. What was shown is what is entered: between the two it is kept here, for whoever sent it.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal

from aiohttp import BodyPartReader, hdrs, web

from dalej.domain.game.sentences import word
from dalej.errors import DalejError, Refused, WrongInput
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.players import SignUpList
from dalej.office.acts.results import EnterResults, FiledGame
from dalej.office.acts.wishes import Wish
from dalej.office.notation import written
from dalej.views.book import Page
from dalej.views.listwords import planned_results, planned_signups
from dalej.web.sentforms import arriving
from dalej.web.sessions import Session
from dalej.web.visits import TOKEN, Visits
from dalej.words import N_, _, readable, said

FILE_MOST: Final = 2 * 1024 * 1024  # bytes; a list of 5 000 has some 200 000
FIELD_MOST: Final = 1024
SENT_WITHIN_S: Final = 30.0
READ_WITHIN_S: Final = 20.0
KEPT_MOST: Final = 32
_HEARD_OUT: Final = 16  # times as much
_READ_AT_ONCE: Final = 1
_NAME_MOST: Final = 120

Kind = Literal["players", "results"]
_ACTS: Final[dict[Kind, type[SignUpList | EnterResults]]] = {"players": SignUpList, "results": EnterResults}


@dataclass(frozen=True, slots=True)
class Understood:
    """A list as it was read: `words` of the whole, `rows` under `headings`; `wish`: what enters it, None: there is
    nothing to be entered.
    """

    words: Sequence[str]
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    wish: Wish | None


class ListPages:
    """`/lists/players`, `/lists/results`."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits
        self._kept: OrderedDict[tuple[str, Kind], Wish] = OrderedDict()
        self._reading = asyncio.Semaphore(_READ_AT_ONCE)

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/lists/{kind:players|results}", self._ask), web.post("/lists/{kind:players|results}", self._read),
            web.post("/lists/{kind:players|results}/enter", self._enter),
        ]  # fmt: skip

    async def _ask(self, request: web.Request) -> web.StreamResponse:
        session, kind = self._expect(request)
        return self._page(session, kind)

    async def _read(self, request: web.Request) -> web.StreamResponse:
        """What the list would come to; nothing is done."""
        session, kind = self._expect(request)
        self._kept.pop((session.key, kind), None)
        try:
            name, data = await self._sent(request, session)
            understood = await self._understood(_READS[kind], self._visits.watch.page, data, name)
        except DalejError as problem:
            return self._page(session, kind, problem=said(problem), status=HTTPStatus.UNPROCESSABLE_ENTITY)
        if understood.wish is not None:
            self._kept[session.key, kind] = understood.wish
            if len(self._kept) > KEPT_MOST:
                self._kept.popitem(last=False)
        return self._page(session, kind, name=readable(name), understood=understood)

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        session, kind = self._expect(request)
        await self._visits.typed(request, session)
        wish = self._kept.pop((session.key, kind), None)
        try:
            if wish is None:
                raise Refused(N_("this list is not at hand any more: send it once more"))
            await self._visits.do(session, wish, f"/{kind}")
        except DalejError as problem:
            return self._page(session, kind, problem=said(problem), status=HTTPStatus.UNPROCESSABLE_ENTITY)
        raise web.HTTPSeeOther(f"/{kind}")

    def _expect(self, request: web.Request) -> tuple[Session, Kind]:
        kind: Kind = "players" if request.match_info["kind"] == "players" else "results"
        return self._visits.expect(request, *_ACTS[kind].roles), kind

    async def _sent(self, request: web.Request, session: Session) -> tuple[str, bytes]:
        """The file's name and what it holds; 403 before any of it is read if the form is another's."""
        if not request.headers.get(hdrs.CONTENT_TYPE, "").startswith("multipart/form-data"):
            raise web.HTTPForbidden
        async with arriving(SENT_WITHIN_S):
            return await self._parts(request, session)

    async def _parts(self, request: web.Request, session: Session) -> tuple[str, bytes]:
        parts = await request.multipart()
        token = await parts.next()
        if not isinstance(token, BodyPartReader) or token.name != TOKEN:
            raise web.HTTPForbidden
        if not hmac.compare_digest(await _whole(token, FIELD_MOST), session.form.encode()):
            raise web.HTTPForbidden
        part = await parts.next()
        if not isinstance(part, BodyPartReader) or part.name != "file" or not part.filename:
            raise WrongInput(N_("no file was chosen, expected one that ends in .xlsx, .ods or .csv"))
        name = part.filename.replace("\\", "/").rpartition("/")[2][-_NAME_MOST:]
        return name, await _whole(part, FILE_MOST)

    async def _understood(
        self, reads: Callable[[Page, bytes, str], Understood], page: Page, data: bytes, name: str
    ) -> Understood:
        """Read in a thread, one list at a time, within the deadline."""
        try:
            async with asyncio.timeout(READ_WITHIN_S):
                await self._reading.acquire()
                work = asyncio.ensure_future(asyncio.to_thread(reads, page, data, name))
                work.add_done_callback(lambda _done: self._reading.release())
                return await asyncio.shield(work)
        except TimeoutError:
            raise Refused(
                N_("{file} could not be read within {seconds} s: save it as a plain list of one sheet"),
                file=name, seconds=int(READ_WITHIN_S),
            ) from None  # fmt: skip

    def _page(
        self, session: Session, kind: Kind, *, name: str = "", understood: Understood | None = None, problem: str = "",
        status: HTTPStatus = HTTPStatus.OK,
    ) -> web.Response:  # fmt: skip
        return self._visits.page(
            session, "list.html", f"/{kind}", status=status, kind=kind, title=_(ACTS[_ACTS[kind].name].title),
            file=name, understood=understood, problem=problem, most=FILE_MOST >> 20,
        )  # fmt: skip


async def _whole(part: BodyPartReader, most: int) -> bytes:
    """All of that part; WrongInput if it is more. What is not much more is heard to its end: a browser shows no answer
    that comes before.
    """
    found, size = bytearray(), 0
    while size <= _HEARD_OUT * most and (chunk := await part.read_chunk()):
        size += len(chunk)
        found += chunk if size <= most else b""
    if size > most:
        raise WrongInput(N_("{file} is larger than {most} MB"), file=part.filename or TOKEN, most=most >> 20)
    return bytes(found)


def _players(page: Page, data: bytes, name: str) -> Understood:
    planned = planned_signups(page.state, data, name)
    new = [
        [str(one["player"]), readable(str(one["name"])), readable(str(one.get("group") or "")),
         _("waits for a place") if one.get("waits") else ""]
        for one in planned.new
    ]  # fmt: skip
    if not new:
        return Understood([_("Nobody new: all of them were signed up already.")], (), (), None)
    wish = SignUpList(planned.players, "", planned.new_only, name).wish()
    return Understood(planned.lines(), (_("no."), _("name"), _("group"), _("state")), new, wish)


def _results(page: Page, data: bytes, name: str) -> Understood:
    one = page.round
    found, words = planned_results(page, one, data, name)
    games = tuple(FiledGame(at.table, at.game, entry) for at, entry in found.entries.items())
    rows = [
        [str(at.table), str(at.game), "  ".join(f"{rack.seat}={written(rack)}" for rack in entry.racks),
         "" if entry.ended is None else word(entry.ended)]
        for at, entry in sorted(found.entries.items())
    ]  # fmt: skip
    wish = EnterResults(games, "" if one is None else one.key.text).wish() if games else None
    return Understood(words, (_("table"), _("game"), _("racks"), _("how it ended")), rows, wish)


_READS: Final[dict[Kind, Callable[[Page, bytes, str], Understood]]] = {"players": _players, "results": _results}
