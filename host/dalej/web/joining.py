"""The pages of joining: the organiser's list of who is in and who is invited, a code to be scanned, and the way in of
whoever has scanned it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import segno
from aiohttp import web

from dalej.errors import DalejError, Refused
from dalej.office.acts.roles import ROLES, Actor, Role, role_of
from dalej.views.phrases import duration
from dalej.web.invitations import Invitations, tables_named
from dalej.web.pages import LONGEST, Pages, named
from dalej.web.sentforms import sent
from dalej.web.sessions import Session, Sessions, is_loopback
from dalej.web.visits import Visits
from dalej.words import N_, ROLE_WORDS, _, readable, said


@dataclass(frozen=True, slots=True)
class Listed:
    """A session or an invitation as the list shows it."""

    key: str
    name: str
    role: str
    more: str
    mine: bool = False


class JoiningPages:
    """`/people`: who is in; `/join/TOKEN`: the way in. `stamp(role)`: changes with the role's password;
    `reached(request)`: the address by which others reach this server; `welcome`: lets whoever joins in.
    """

    def __init__(
        self, visits: Visits, pages: Pages, sessions: Sessions, invitations: Invitations,
        stamp: Callable[[Role], str], reached: Callable[[web.Request], str],
        welcome: Callable[[web.Request, Actor, str, frozenset[int]], web.Response],
    ) -> None:  # fmt: skip
        self._visits = visits
        self._pages = pages
        self._sessions = sessions
        self._invitations = invitations
        self._stamp = stamp
        self._reached = reached
        self._welcome = welcome

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/people", self._people), web.post("/people/invite", self._invite),
            web.post("/people/end", self._end), web.post("/people/withdraw", self._withdraw),
            web.get("/join/{token:[0-9a-f]{32}}", self._ask), web.post("/join/{token:[0-9a-f]{32}}", self._join),
        ]  # fmt: skip

    async def _people(self, request: web.Request) -> web.StreamResponse:
        return self._list(self._visits.expect(request, "organiser"))

    async def _invite(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "organiser")
        sent = await self._visits.typed(request, session)
        try:
            role = role_of(sent.get("role", ""))
            name = named(sent["name"]) if sent.get("name", "").strip() else ""
            tables = tables_named(sent.get("tables", "")) if role == "referee" else frozenset[int]()
            token, made = self._invitations.make(name, role, tables, self._stamp(role))
        except DalejError as problem:
            return self._list(session, problem=said(problem), status=HTTPStatus.UNPROCESSABLE_ENTITY)
        address = f"{self._reached(request)}join/{token}"
        drawn = segno.make(address, error="m").svg_inline(scale=6, svgclass="qr", lineclass=None, border=2, dark="#000",
                                                          light="#fff")  # fmt: skip
        invited = Listed(made.key, name, _(ROLE_WORDS[role]), _tables(tables))
        return self._list(session, code=drawn, address=address, invited=invited)

    async def _end(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "organiser")
        key = (await self._visits.typed(request, session)).get("key", "")
        found = next((one for one in self._sessions.all() if one.key == key), None)
        if found is not None:
            self._sessions.end(found, "ended")
        raise web.HTTPSeeOther("/people")

    async def _withdraw(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request, "organiser")
        self._invitations.withdraw((await self._visits.typed(request, session)).get("key", ""))
        raise web.HTTPSeeOther("/people")

    async def _ask(self, request: web.Request) -> web.StreamResponse:
        """Looking uses nothing up: what opens links ahead of people must not."""
        found = self._invitations.look(request.match_info["token"])
        if found is None:
            return self._shown("", problem=_(_OVER), status=HTTPStatus.GONE)
        return self._shown(_(ROLE_WORDS[found.role]), name=found.name, tables=_tables(found.tables))

    async def _join(self, request: web.Request) -> web.StreamResponse:
        token = request.match_info["token"]
        found = self._invitations.look(token)
        if found is None:
            return self._shown("", problem=_(_OVER), status=HTTPStatus.GONE)
        typed = (await sent(request)).get("name", "")
        try:
            if found.stamp != self._stamp(found.role):
                raise Refused(_OVER)
            name = found.name or ("public" if found.role == "public" and not typed.strip() else named(typed))
        except DalejError as problem:
            return self._shown(_(ROLE_WORDS[found.role]), name=typed[:LONGEST], tables=_tables(found.tables),
                               problem=said(problem), status=HTTPStatus.UNPROCESSABLE_ENTITY)  # fmt: skip
        if self._invitations.take(token) is None:
            return self._shown("", problem=_(_OVER), status=HTTPStatus.GONE)
        actor = Actor(name, found.role, served=True)
        return self._welcome(request, actor, found.stamp, found.tables)

    def _list(self, session: Session, *, status: HTTPStatus = HTTPStatus.OK, **fields: Any) -> web.Response:
        inside = [self._listed(one, mine=one is session) for one in self._sessions.all() if one.actor.role != "public"]
        public = sum(one.actor.role == "public" for one in self._sessions.all())
        waiting = [Listed(one.key, readable(one.name), _(ROLE_WORDS[one.role]), _tables(one.tables))
                   for one in self._invitations.open()]  # fmt: skip
        shown = {"code": "", "address": "", "invited": None, "problem": "", **fields}
        alone = bool(shown["address"]) and is_loopback(urlsplit(str(shown["address"])).hostname or "")
        return self._visits.page(session, "people.html", "/people", status=status, inside=inside, public=public,
                                 waiting=waiting, roles=[(role, _(ROLE_WORDS[role])) for role in reversed(ROLES)],
                                 alone=alone, **shown)  # fmt: skip

    def _listed(self, one: Session, *, mine: bool) -> Listed:
        since = _("for {age}").format(age=duration(self._visits.now_ms() - one.began_ms))
        more = " · ".join(filter(None, (_tables(one.tables), _(one.device) if one.device else "", since, one.address)))
        return Listed(one.key, readable(one.actor.name), _(ROLE_WORDS[one.actor.role]), more, mine)

    def _shown(
        self, role: str, *, name: str = "", tables: str = "", problem: str = "", status: HTTPStatus = HTTPStatus.OK
    ) -> web.Response:  # fmt: skip
        text = self._pages.page("join.html", called=role, typed=name, tables=tables, problem=problem, name_most=LONGEST)
        return web.Response(text=text, status=status, content_type="text/html", charset="utf-8")


_OVER = N_("This invitation has been used, or is too old: ask for another one.")


def _tables(tables: frozenset[int]) -> str:
    return _("tables {tables}").format(tables=", ".join(map(str, sorted(tables)))) if tables else ""
