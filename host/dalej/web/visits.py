"""A visit to a page: who asks, in which language, with which hands; and what every page behind the log-in has around
it: where one can go, what was done last and takes it back.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from aiohttp import web

from dalej.clock import Clock
from dalej.errors import DalejError, Refused
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import ROLES, Actor, Role
from dalej.office.acts.wishes import Done, Wish
from dalej.views.deeds import Deed, Place
from dalej.web.live import Draw, Part, Picture, Pictures
from dalej.web.pages import Pages
from dalej.web.sentforms import sent
from dalej.web.sessions import Session
from dalej.web.templates import Templates
from dalej.web.watch import Watch
from dalej.words import N_, ROLE_WORDS, _, readable, said

TOKEN: Final = "token"
HERE: Final = "Dalej-Here"  # a request with it has a page already, and wants what is not live of it alone

LOOKS: Final = ("", "light", "dark", "contrast")

Perform = Callable[[Actor, Wish], Awaitable[Done]]


class Way(NamedTuple):
    """A page one can go to."""

    path: str
    words: str
    roles: frozenset[Role]


_ALL: Final[frozenset[Role]] = frozenset(ROLES)
_HALL: Final[frozenset[Role]] = frozenset({"referee", "organiser"})
WAYS: Final = (
    Way("/hall", N_("Hall"), _HALL), Way("/find", N_("Find your table"), frozenset({"public"})),
    Way("/results", N_("Results"), _HALL), Way("/standings", N_("Standings"), _ALL),
    Way("/seating", N_("Seating"), _HALL), Way("/players", N_("Players"), _HALL),
    Way("/papers", N_("Papers"), _HALL), Way("/settings", N_("Settings"), _HALL),
    Way("/phones", N_("Phones"), frozenset({"organiser"})),
    Way("/people", N_("Who is in"), frozenset({"organiser"})),
    Way("/acts", N_("Everything"), _HALL), Way("/wall", N_("On the wall"), _ALL),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SessionHands:
    """`Hands` of whoever is logged in."""

    actor: Actor
    perform: Perform

    async def do(self, wish: Wish) -> Done:
        """Done, or the DalejError that says why not."""
        return await self.perform(self.actor, wish)


class Visits:
    """Everything that pages need, and what all of them do alike."""

    def __init__(
        self, watch: Watch, pages: Pages, templates: Templates, clock: Clock, perform: Perform,
        session_of: Callable[[web.Request], Session | None],
    ) -> None:  # fmt: skip
        self.watch = watch
        self.templates = templates
        self.pictures = Pictures(watch)
        self._pages = pages
        self._clock = clock
        self._perform = perform
        self._session_of = session_of

    def expect(self, request: web.Request, *roles: Role) -> Session:
        """Who asks: back to the log-in without a session, 403 for a role that has no such page."""
        session = self._session_of(request)
        if session is None:
            if "text/html" in request.headers.get("Accept", ""):
                raise web.HTTPSeeOther("/login?over=over")
            raise web.HTTPUnauthorized
        if roles and session.actor.role not in roles:
            raise web.HTTPForbidden
        return session

    def page(
        self, session: Session, template: str, path: str, *, status: int = HTTPStatus.OK, **fields: object
    ) -> web.Response:
        """That page, with what all have. `path`: where it is, for the way back."""
        actor = session.actor
        ways = [(way.path, _(way.words), way.path == path) for way in WAYS if actor.role in way.roles]
        called = _(ROLE_WORDS[actor.role])
        text = self._pages.page(
            template, who=called if actor.name == actor.role else actor.name, role=actor.role, role_words=called,
            ways=ways, path=path, token=session.form, done=self.done_line(session, path), look=session.look,
            sounds=session.sounds, **fields,
        )  # fmt: skip
        return web.Response(text=text, status=status, content_type="text/html", charset="utf-8")

    async def typed(self, request: web.Request, session: Session) -> dict[str, str]:
        """What a form of this session has sent; 403 if it is another's."""
        typed = await sent(request)
        if not hmac.compare_digest(typed.pop(TOKEN, "").encode(), session.form.encode()):
            raise web.HTTPForbidden
        return typed

    def now_ms(self) -> int:
        """Of the server's clock."""
        return self._clock.now_ms()

    async def do(self, session: Session, wish: Wish, at: str) -> Done:
        """Do it, keep how it is taken back, and read on; DalejError: it was not done. `at`: the path of the page that
        will tell of it.
        """
        _expect_own_table(session, wish)
        hands = SessionHands(session.actor, self._perform)
        done = await hands.do(wish)
        session.told_at = urlsplit(at).path
        session.history.was_done(Deed(wish, done, hands, Place(session.told_at)), self._clock.now_ms())
        await self.watch.read_on()
        return done

    async def perform_quietly(self, session: Session, wish: Wish) -> None:
        """Nothing that a person has done, so nothing that is told or taken back."""
        await self._perform(session.actor, wish)

    async def take_back(self, session: Session, at: str) -> None:
        """What was done last in this session. `at`: the path of the page that will tell of it."""
        session.told_at = urlsplit(at).path
        deed, seen = session.history.to_take_back, self.watch.page.head
        wish = None if deed is None else deed.undo(seen)
        if deed is None or wish is None:
            return
        try:
            done = await SessionHands(session.actor, self._perform).do(wish)
        except DalejError as error:
            session.history.let_be(deed)
            session.history.came_to_nothing(said(error), self._clock.now_ms())
            return
        session.history.was_taken_back(deed, done, self._clock.now_ms())
        await self.watch.read_on()

    def done_line(self, session: Session, path: str) -> str:
        """What was done last at that page, what became of it, the button that takes it back; "" once it is no news."""
        last = session.history.last
        if last is None or not _tells_of(path, session.told_at):
            return ""
        hall = self.watch.feed.hall
        asked = [] if last.done is None else hall.outcomes(last.done.requests)
        ahead = [] if last.done is None else hall.ahead(last.done.decisions)
        if not last.is_shown(self._clock.now_ms(), asked, ahead):
            return ""
        back = session.history.to_take_back if session.history.is_last else None
        title = "" if back is None else _(ACTS[back.wish.act].title)
        return self.templates.part(
            "parts.html", "done", words=readable(last.words(asked, ahead)), trouble=bool(last.trouble),
            back=title, token=session.form, number=last.since_ms,
            firm=not last.trouble and not last.waits(asked) and not any(one.result == "refused" for one in asked)
            and not any(one != "holds" for one in ahead),
        )  # fmt: skip

    async def stream(self, request: web.Request, session: Session, name: str, draw: Draw) -> web.StreamResponse:
        """The live parts of a page, and of what this person has done."""
        path = request.path.removeprefix("/live")

        def mine() -> Mapping[str, Part]:
            line = self.done_line(session, path)
            return {"done": Part(line, lambda: line)}

        return await self.pictures.stream(request, session, name, draw, Picture(mine, session.language))


def _expect_own_table(session: Session, wish: Wish) -> None:
    """Refused if this person decides on certain tables only, and it is none of them."""
    if not session.tables:
        return
    about, table = ACTS[wish.act].about if wish.act in ACTS else "", wish.args.get("table")
    if table not in session.tables:
        named = ", ".join(map(str, sorted(session.tables)))
        if isinstance(table, int) or about in ("hall", "round", "event", "decision"):
            raise Refused(N_("you decide on these tables alone: {tables}"), tables=named)


def _tells_of(path: str, at: str) -> bool:
    """Whether that page tells of what was done there: itself, what lies below it, the hall of its tables, and of a
    round that is closed the page that shows it, which lies under the results.
    """
    below = f"{at}/".startswith(f"{path}/")
    return below or (path, at.split("/")[1:2]) in (("/hall", ["table"]), ("/results", ["rounds"]))


def own_path(path: str) -> str:
    """A path of this server; of any other address its first page. Browsers pass over a tab or the end of a line: with
    one of them between two slashes it is another's address.
    """
    own = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if own else "/"
