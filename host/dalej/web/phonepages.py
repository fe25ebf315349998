"""`/phones`: the organiser shows a phone the code of a table, for a minute; which phones are boxes, and one that is not
to be one any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import segno
from aiohttp import web

from dalej.boxes.paired import OwnBox
from dalej.boxes.phones import CLAIM_MS
from dalej.errors import DalejError, WrongInput
from dalej.office.phonecodes import PhoneCodes
from dalej.web.live import Part
from dalej.web.sessions import Session
from dalej.web.visits import HERE, Visits
from dalej.words import N_, readable, said

_LOOK_S: Final = 0.5
_TABLES_MOST: Final = 2_500
_WHY: Final = N_("a phone is the box of this table")


@dataclass(slots=True)
class _Shown:
    """A code that somebody shows now."""

    box: OwnBox
    table: int
    address: str
    who: str
    waiting: asyncio.Task[None] | None = None


class PhonePages:
    """Codes that are shown now are known to this server alone, and gone with it."""

    def __init__(self, visits: Visits, codes: PhoneCodes) -> None:
        self._visits = visits
        self._codes = codes
        self._shown: dict[str, _Shown] = {}
        self._trouble: DalejError | None = None  # why the last one that was claimed stands on no table
        self._news = 0  # another number when something has become of a code

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/phones", self._list), web.get("/live/phones", self._live, allow_head=False),
            web.post("/phones/code", self._show), web.post("/phones/forget", self._forget),
        ]  # fmt: skip

    async def _list(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "organiser")
        if HERE in request.headers:
            text = self._visits.templates.block("phones.html", "here", token=session.form, **await self._fields())
            return web.Response(text=text, content_type="text/html")
        return await self._page(session)

    async def _live(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "organiser")

        def parts() -> Mapping[str, Part]:
            stamp = str(self._news)
            return {"stamp": Part(stamp, lambda: stamp)}

        return await self._visits.stream(request, session, f"phones {session.actor.name}", parts)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "organiser")
        typed = (await self._visits.typed(request, session)).get("table", "").strip()
        self._trouble = None
        try:
            table = _table(typed)
            at = await asyncio.to_thread(self._codes.address)
            code = await asyncio.to_thread(self._codes.draw, table)
        except DalejError as problem:
            return await self._page(session, typed, said(problem), HTTPStatus.UNPROCESSABLE_ENTITY)
        shown = _Shown(code.box, table, f"{at}/b{code.fragment}", session.actor.who)
        self._shown[code.box.uid] = shown
        shown.waiting = asyncio.create_task(self._wait(shown))
        raise web.HTTPSeeOther("/phones")

    async def _wait(self, shown: _Shown) -> None:
        """Until it is claimed, and stands on its table; or taken back after its minute."""
        uid = shown.box.uid
        try:
            async with asyncio.timeout(CLAIM_MS / 1_000):
                while not await asyncio.to_thread(self._codes.is_claimed, uid):  # noqa: ASYNC110 (another process)
                    await asyncio.sleep(_LOOK_S)
            await asyncio.to_thread(self._codes.stand, {shown.table: shown.box}, shown.who, _WHY)
        except TimeoutError:
            with suppress(DalejError):  # somebody was quicker
                await asyncio.to_thread(self._codes.forget, uid)
        except DalejError as problem:
            self._trouble = problem
        finally:
            self._shown.pop(uid, None)
            self._news += 1

    async def _forget(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "organiser")
        uid = (await self._visits.typed(request, session)).get("key", "")
        shown = self._shown.get(uid)
        if shown is not None and shown.waiting is not None:
            shown.waiting.cancel()
        try:
            await asyncio.to_thread(self._codes.forget, uid)
        except DalejError as problem:
            return await self._page(session, "", said(problem), HTTPStatus.UNPROCESSABLE_ENTITY)
        raise web.HTTPSeeOther("/phones")

    async def _page(
        self, session: Session, typed: str = "", problem: str = "", status: HTTPStatus = HTTPStatus.OK
    ) -> web.Response:  # fmt: skip
        fields = await self._fields(typed, problem)
        return self._visits.page(
            session, "phones.html", "/phones", status=status, live="/live/phones", feed=self._visits.watch.feed,
            stamp=str(self._news), **fields,
        )  # fmt: skip

    async def _fields(self, typed: str = "", problem: str = "") -> dict[str, Any]:
        there = [one for one in await asyncio.to_thread(self._codes.there) if one.box.uid not in self._shown]
        codes = [
            (one.table, readable(one.box.name), one.box.uid, _drawn(one.address), one.address)
            for one in self._shown.values()
        ]  # fmt: skip
        phones = [(readable(one.box.name), one.box.uid, one.table, bool(one.box.device)) for one in there]
        trouble = problem or ("" if self._trouble is None else said(self._trouble))
        return {"codes": codes, "phones": phones, "typed": typed, "problem": trouble}


def _table(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(_TABLES_MOST)) and int(text)):
        raise WrongInput(N_("“{table}” is no table: expected a number from 1 on"), table=text)
    return int(text)


def _drawn(address: str) -> str:
    return str(segno.make(address, error="m").svg_inline(scale=5, svgclass="qr", lineclass=None, border=2, dark="#000",
                                                         light="#fff"))  # fmt: skip
