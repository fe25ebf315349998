"""What everybody may see: find me, my table and seat, my games, the standings, the round's clock; and the same on the
wall. Light pages for hundreds of phones: what is live is one picture for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from aiohttp import web

from dalej.domain.tournament.stages import round_name
from dalej.hangups import Handler
from dalej.office.acts.roles import Role
from dalej.office.players import folded
from dalej.views.publiclists import timing
from dalej.views.publicpeople import games_of, lines_of, rankings_of, seats_of
from dalej.views.roundwords import clock_words, round_time
from dalej.web.live import Part
from dalej.web.packed import Packed
from dalej.web.visits import HERE, Visits
from dalej.words import _

LINES_OF_WALL: Final = 16
COLUMNS_OF_WALL: Final = 3


class PublicPages:
    """`/find`, `/me/NUMBER`, `/standings`, `/wall`, and what is live of them."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits
        self._drawn: dict[tuple[str, Role, str], Packed] = {}
        self._drawn_at = ""

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/find", self._drawn_once(self._find)),
            web.get("/me/{number:[0-9]{1,6}}", self._drawn_once(self._me)),
            web.get("/standings", self._drawn_once(self._standings)),
            web.get("/wall", self._wall), web.get("/live/public", self._live, allow_head=False),
        ]  # fmt: skip

    def parts(self) -> Mapping[str, Part]:
        """What ticks, and a mark that is another when a page has to be read anew."""
        watch = self._visits.watch
        page, one, time = watch.page, watch.page.round, round_time(watch.page)
        left = None if time is None else clock_words(time.remaining_ms(watch.feed.wall_ms()))
        says = timing(page, watch.feed.wall_ms())
        said = _("FINAL LAP: one more move for each") if says.lap else _("TIME IS OVER") if says.over_ms else ""
        name = "" if one is None else round_name(*one.key)
        ends_ms = None if time is None else time.ends_ms
        fields = {"round": name, "ends_ms": ends_ms, "left": left or "", "said": said}
        draw = self._visits.templates.part
        stamp = self._stamp()
        return {
            "round": Part((name, ends_ms, said), lambda: draw("publicparts.html", "clock", **fields)),
            "stamp": Part(stamp, lambda: stamp),
        }

    def _stamp(self) -> str:
        """Another one when a page has to be read anew."""
        page = self._visits.watch.page
        alone = timing(page, self._visits.watch.feed.wall_ms()).alone
        return str(0 if page.state is None else page.state.changed) + ("a" if alone else "")

    def _drawn_once(self, handler: Handler) -> Handler:
        """What hundreds read anew at once is drawn for the first of them."""

        async def answer(request: web.Request) -> web.StreamResponse:
            if HERE not in request.headers or request.query_string:
                return await handler(request)
            session, stamp = self._visits.expect(request), self._stamp()
            if stamp != self._drawn_at:
                self._drawn_at, self._drawn = stamp, {}
            key = (request.path, session.actor.role, session.language)
            if key not in self._drawn:
                drawn = await handler(request)
                assert isinstance(drawn, web.Response)
                assert isinstance(drawn.body, bytes)
                self._drawn[key] = Packed(drawn.body, "text/html; charset=utf-8")
            return self._drawn[key].answer(request)

        return answer

    async def _live(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request)
        return await self._visits.stream(request, session, "public", self.parts)

    async def _find(self, request: web.Request) -> web.StreamResponse:
        wanted = request.query.get("q", "")[:60]
        people = seats_of(self._visits.watch.page.state)
        parts = folded(wanted).split()
        found = [one for one in people if all(part in folded(one.name) for part in parts)]
        return self._page(request, "find.html", "/find", people=found, wanted=wanted)

    async def _me(self, request: web.Request) -> web.StreamResponse:
        state = self._visits.watch.page.state
        number = int(request.match_info["number"])
        me = next((one for one in seats_of(state) if one.number == number), None)
        if state is None or me is None:
            raise web.HTTPNotFound
        with_me = [one for one in seats_of(state) if me.table and one.table == me.table]
        line = next((one for one in lines_of(state) if one.number == number), None)
        return self._page(request, "me.html", "/find", me=me, with_me=sorted(with_me, key=lambda one: one.seat),
                          line=line, games=games_of(state, number))  # fmt: skip

    async def _standings(self, request: web.Request) -> web.StreamResponse:
        state = self._visits.watch.page.state
        return self._page(request, "standings.html", "/standings", rankings=rankings_of(state))

    async def _wall(self, request: web.Request) -> web.StreamResponse:
        """Seats and standings in pages that a hall can read."""
        watch = self._visits.watch
        state, time = watch.page.state, timing(watch.page, watch.feed.wall_ms())
        seats = [(one.name, f"{one.table} {one.seat}") for one in seats_of(state) if one.table]
        ranks = [(f"{one.place}. {one.name}", one.points) for one in lines_of(state)]
        leaves: list[tuple[str, Sequence[tuple[str, str]]]] = []
        if not time.alone:
            if time.fresh or not ranks:
                leaves += [(_("Find your table"), leaf) for leaf in _leaves(seats)]
            leaves += [(_("Standings"), leaf) for leaf in _leaves(ranks)]
        return self._page(request, "wall.html", "/wall", leaves=leaves, alone=time.alone)

    def _page(self, request: web.Request, template: str, path: str, **fields: Any) -> web.Response:
        session = self._visits.expect(request)
        if HERE in request.headers:
            return web.Response(text=self._visits.templates.block(template, "here", **fields), content_type="text/html")
        picture = self._visits.pictures.of("public", session.language, self.parts)
        return self._visits.page(session, template, path, parts=picture.whole(), live="/live/public",
                                 feed=self._visits.watch.feed, **fields)  # fmt: skip


def _leaves(entries: Sequence[tuple[str, str]]) -> list[Sequence[tuple[str, str]]]:
    most = LINES_OF_WALL * COLUMNS_OF_WALL
    return [entries[at : at + most] for at in range(0, len(entries), most)]
