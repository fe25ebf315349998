"""What the server answers: log-in, log-out, and the pages behind it; who may speak to it at all, and what a browser may
do with what it answers. Of files only those that lie there when it starts, so no path leads elsewhere.
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Final

from aiohttp import hdrs, web

from dalej.errors import DalejError, Refused
from dalej.hangups import Handler, hang_ups
from dalej.office.acts.roles import Actor, Role, role_of
from dalej.office.phonecodes import PhoneCodes
from dalej.web.actpage import ActPages
from dalej.web.attempts import FIRST_MS, Arrivals, Attempts
from dalej.web.hallpage import HallPages
from dalej.web.invitations import Invitations
from dalej.web.joining import JoiningPages
from dalej.web.listpages import ListPages
from dalej.web.organiserpages import OrganiserPages
from dalej.web.packed import Packed
from dalej.web.pages import ENDS, Form, Pages, chosen, named, refusals
from dalej.web.paperpage import PaperPages
from dalej.web.passwords import Passwords
from dalej.web.phonepages import PhonePages
from dalej.web.publicpage import PublicPages
from dalej.web.seatingpage import SeatingPages
from dalej.web.sendings import Sendings, acted_on_once
from dalej.web.sentforms import sent
from dalej.web.sessions import Session, Sessions, Trail, device_of, is_loopback
from dalej.web.settingspage import SettingPages
from dalej.web.trust import TrustPages
from dalej.web.visits import LOOKS, Visits, own_path
from dalej.words import LANGUAGES, N_, _, language, said, speaking

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), clipboard-read=(), usb=(), serial=()",
    "Server": "dalej",
}
_HSTS_S: Final = 7 * 86_400  # a name is the laptop's also after the event; of a number no browser remembers it
_READING = frozenset({hdrs.METH_GET, hdrs.METH_HEAD})


class Doors:
    """`names`: by which this computer is called besides localhost; `secure`: it speaks TLS."""

    def __init__(self, names: Collection[str], *, secure: bool) -> None:
        self._names = {"localhost", *(name.lower().rstrip(".") for name in names)}
        self._scheme = "https" if secure else "http"

    def install(self, app: web.Application) -> None:
        """Every request goes through here, every answer gets its headers."""

        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            self._expect_right(request)
            return await handler(request)

        app.middlewares.append(guard)
        app.on_response_prepare.append(self._prepare)

    def expect_own_page(self, request: web.Request) -> None:
        """403 unless a page of this server asks."""
        own = f"{self._scheme}://{request.headers.get(hdrs.HOST, '')}"
        if request.headers.get(hdrs.ORIGIN) != own:
            raise web.HTTPForbidden
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise web.HTTPForbidden

    def _expect_right(self, request: web.Request) -> None:
        if len(request.headers.getall(hdrs.HOST, [])) != 1 or not self._is_own(request.headers[hdrs.HOST]):
            raise web.HTTPMisdirectedRequest
        if request.method not in _READING:
            self.expect_own_page(request)

    def _is_own(self, host: str) -> bool:
        name, port = _split(host)
        if port and not (port.isascii() and port.isdecimal()):
            return False
        return name.lower().rstrip(".") in self._names or _is_number(name)

    async def _prepare(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(_HEADERS)
        kept = request.path.startswith("/assets/") and response.status == web.HTTPOk.status_code
        response.headers[hdrs.CACHE_CONTROL] = "private, max-age=3600" if kept else "no-store"
        response.headers["Content-Security-Policy"] = _POLICY
        name = _split(request.headers.get(hdrs.HOST, ""))[0].lower().rstrip(".")
        if request.secure and name in self._names - {"localhost"}:
            response.headers["Strict-Transport-Security"] = f"max-age={_HSTS_S}"


def _split(host: str) -> tuple[str, str]:
    """Name and port; of [::1]:8000 the name is ::1."""
    if host.startswith("["):
        name, end, rest = host[1:].partition("]")
        return (name, rest.removeprefix(":")) if end else ("", "")
    name, _, port = host.partition(":")
    return name, port


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


KINDS: Final = {
    ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}  # fmt: skip


def page_files(folder: Path) -> Mapping[str, Path]:
    """Each under its path within the folder, as an address spells it."""
    return {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}


def handing_out(files: Mapping[str, Path]) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """The handler of `/…/{file:.*}`; each is read now."""
    kept = {name: Packed(file.read_bytes(), KINDS[file.suffix]) for name, file in files.items()}

    async def hand_out(request: web.Request) -> web.StreamResponse:
        file = kept.get(request.match_info["file"])
        if file is None:
            raise web.HTTPNotFound
        return file.answer(request)

    return hand_out


def assets() -> web.RouteDef:
    """What pages are dressed with."""
    return web.get("/assets/{file:.*}", handing_out(page_files(Path(str(files("dalej.web"))) / "assets")))


def speaking_as_asked(language_of: Callable[[web.Request], str]) -> Callable[..., Awaitable[web.StreamResponse]]:
    """The outermost middleware: all that is said is said in the language of whoever asks."""

    @web.middleware
    async def speak(request: web.Request, handler: Handler) -> web.StreamResponse:
        with speaking(language_of(request)):
            return await handler(request)

    return speak


def wished_language(request: web.Request, default: str) -> str:
    """What the address asks for, else the browser."""
    wished = request.query.get("lang", "")
    return wished if wished in LANGUAGES else chosen(request.headers.get(hdrs.ACCEPT_LANGUAGE, ""), default)


def redirecting(doors: Doors, pages: Pages, trust: TrustPages | None, default: str) -> web.Application:
    """What http gets where https is spoken: the way there, and how its certificate is trusted. Nothing is taken in."""

    async def lead(request: web.Request) -> web.StreamResponse:
        raise web.HTTPTemporaryRedirect(f"https://{request.host}{request.rel_url.raw_path_qs}")  # not kept by browsers

    app = web.Application(
        client_max_size=1,
        middlewares=[speaking_as_asked(lambda request: wished_language(request, default)), refusals(pages), hang_ups],
    )
    doors.install(app)
    app.add_routes([*([] if trust is None else [*trust.routes(), assets()]), web.get("/{path:.*}", lead)])
    return app


FORM_MOST: Final = 16 * 1024  # bytes of what is sent with a log-in
HASHES_AT_ONCE: Final = 2  # each takes 19 MiB and a tenth of a second of a processor


@dataclass(frozen=True, slots=True)
class Manner:
    """How this server is run. `public_open`: the public needs no password; `secure`: over TLS; `language`: of whoever's
    browser asks for none of ours; `cookie`: its name, which differs from other servers' on this computer. `number`: the
    address by which other devices reach it, "": none does. `public_only`: in clear, where others can reach it.
    """

    public_open: bool
    secure: bool
    language: str
    cookie: str
    number: str = ""
    public_only: bool = False


class Application:
    """Everything that it needs is handed to it."""

    def __init__(
        self,
        manner: Manner,
        doors: Doors,
        pages: Pages,
        passwords: Passwords,
        attempts: Attempts,
        arrivals: Arrivals,
        sessions: Sessions,
        visits: Callable[[Callable[[web.Request], Session | None]], Visits],
        trail: Trail,
        invitations: Invitations,
        phones: PhoneCodes,
        trust: TrustPages | None = None,
    ) -> None:
        self._phones = phones
        self._manner = manner
        self._trust = trust
        self._doors = doors
        self._pages = pages
        self._passwords = passwords
        self._attempts = attempts
        self._arrivals = arrivals
        self._sessions = sessions
        self._visits = visits(self._session)
        self._trail = trail
        self._invitations = invitations
        self._hashing = asyncio.Semaphore(HASHES_AT_ONCE)

    def make(self) -> web.Application:
        """The application that aiohttp runs."""
        app = web.Application(
            client_max_size=FORM_MOST, middlewares=[speaking_as_asked(self._language), refusals(self._pages), hang_ups]
        )
        self._doors.install(app)
        app.middlewares.append(acted_on_once(self._sendings))
        app.add_routes(
            [
                web.get("/", self._first),
                web.get("/login", self._show_log_in),
                web.post("/login", self._log_in),
                web.post("/logout", self._log_out),
                web.post("/manner", self._choose),
                web.get("/session", self._how_it_stands),
                web.get("/sent/{name}", self._sent),
                *HallPages(self._visits).routes(),
                *ActPages(self._visits).routes(),
                *OrganiserPages(self._visits).routes(),
                *JoiningPages(
                    self._visits,
                    self._pages,
                    self._sessions,
                    self._invitations,
                    lambda role: self._passwords.roles().get(role, ""),
                    self._reached,
                    self._let_in,
                ).routes(),
                *PhonePages(self._visits, self._phones).routes(),
                *SeatingPages(self._visits).routes(),
                *SettingPages(self._visits).routes(),
                *PaperPages(self._visits).routes(),
                *ListPages(self._visits).routes(),
                *PublicPages(self._visits).routes(),
                *([] if self._trust is None else self._trust.routes()),
                assets(),
            ]
        )
        return app

    # --- in and out -----

    async def _show_log_in(self, request: web.Request) -> web.StreamResponse:
        if self._session(request) is not None:
            raise web.HTTPSeeOther("/")
        over = request.query.get("over", "")
        return self._log_in_page(remark=ENDS.get(over, ""))

    async def _log_in(self, request: web.Request) -> web.StreamResponse:
        fields = await sent(request)
        spoken = fields.get("lang", "")
        with speaking(spoken if spoken in LANGUAGES else language()):
            return await self._admit(request, fields)

    async def _admit(self, request: web.Request, fields: Mapping[str, str]) -> web.StreamResponse:
        address = request.remote or "?"
        name, shown_role = fields.get("name", ""), fields.get("role", "")
        try:
            role = role_of(shown_role)
            if self._manner.public_only and role != "public":
                raise Refused(N_("Only the public is served in clear: referees and organisers need https."))
            actor = Actor(_named(name, role), role, served=True)
            stamp = await self._admitted(actor, fields.get("password", ""), address)
            token, _session = self._sessions.begin(actor, address, language(), stamp, device=_device(request))
        except Slowed as slowed:
            page = self._log_in_page(name, shown_role, slowed, status=HTTPStatus.TOO_MANY_REQUESTS)
            page.headers[hdrs.RETRY_AFTER] = str(slowed.seconds)
            return page
        except DalejError as error:
            return self._log_in_page(name, shown_role, error, status=HTTPStatus.FORBIDDEN)
        before = self._session(request)
        if before is not None:
            self._sessions.end(before, "out")
        return self._welcome(actor, address, token)

    def _reached(self, request: web.Request) -> str:
        """As others can type it: whoever sits at this computer may have asked for it by a name that means itself."""
        host = request.host
        name, port = _split(host)
        if self._manner.number and is_loopback(name):
            host = f"{self._manner.number}:{port}" if port else self._manner.number
        return f"{request.scheme}://{host}/"

    def _let_in(self, request: web.Request, actor: Actor, stamp: str, tables: frozenset[int]) -> web.Response:
        """Somebody who was invited."""
        address = request.remote or "?"
        token, _session = self._sessions.begin(actor, address, language(), stamp, tables, _device(request))
        return self._welcome(actor, address, token)

    def _welcome(self, actor: Actor, address: str, token: str) -> web.Response:
        self._trail.note({"log": "in", "name": actor.name, "role": actor.role, "address": address})
        welcome = web.Response(status=HTTPStatus.SEE_OTHER, headers={hdrs.LOCATION: "/"})
        welcome.set_cookie(
            self._manner.cookie, token, path="/", httponly=True, samesite="Strict", secure=self._manner.secure
        )
        return welcome

    async def _admitted(self, actor: Actor, password: str, address: str) -> str:
        """What changes with the role's password; Refused, or Slowed, if it is not that one."""
        if actor.role == "public" and self._manner.public_open:
            wait_ms = self._arrivals.begin(address)
            if wait_ms:
                raise Slowed(N_("Too many log-ins from there: try again in {seconds} s."), wait_ms)
            return self._passwords.roles().get("public", "")
        async with self._attempts.turn(address) as first:
            wait_ms = self._attempts.begin(address) if first else FIRST_MS
            if wait_ms:
                raise Slowed(N_("Too many wrong passwords: try again in {seconds} s."), wait_ms)
            stamp = self._passwords.roles().get(actor.role, "")  # before: if it changes meanwhile, the session ends
            async with self._hashing:
                right = await asyncio.to_thread(self._passwords.check, actor.role, password)
            if not right:
                self._trail.note({"log": "refused", "name": actor.name, "role": actor.role, "address": address})
                raise Refused(N_("That is not the password of this role."))
            self._attempts.right(address, actor.role)
            return stamp

    async def _log_out(self, request: web.Request) -> web.StreamResponse:
        session = self._session(request)
        if session is not None:
            self._sessions.end(session, "out")
        farewell = web.HTTPSeeOther("/login?over=out")
        farewell.del_cookie(self._manner.cookie, path="/", httponly=True, samesite="Strict", secure=self._manner.secure)
        raise farewell

    def _log_in_page(
        self, name: str = "", role: str = "", problem: DalejError | None = None, *,
        remark: str = "", status: HTTPStatus = HTTPStatus.OK,
    ) -> web.Response:  # fmt: skip
        kept = () if self._manner.public_only else self._passwords.roles()
        roles = [one for one in kept if one != "public" or not self._manner.public_open]
        if problem is None and not roles and not self._manner.public_open:
            problem = Refused(N_("No role has a password now, so nobody can log in."))
        form = Form(
            roles, self._manner.public_open, name[:200], role, "" if problem is None else said(problem), _(remark),
        )  # fmt: skip
        return _html(self._pages.log_in(form), status)

    # --- behind the session -----

    async def _first(self, request: web.Request) -> web.StreamResponse:
        """Where each role begins."""
        session = self._session(request)
        if session is None:
            token = self._token(request)
            why = self._sessions.why_over(token) or ("over" if token else None)  # of a server that was there before
            raise web.HTTPSeeOther("/login" if why is None else f"/login?over={why}")
        raise web.HTTPSeeOther("/find" if session.actor.role == "public" else "/hall")

    async def _choose(self, request: web.Request) -> web.StreamResponse:
        """Language, looks and sounds of this session."""
        session = self._visits.expect(request)
        sent = await self._visits.typed(request, session)
        if sent.get("lang") in LANGUAGES:
            session.language = sent["lang"]
        if sent.get("look") in LOOKS:
            session.look = sent["look"]
        if "sounds" in sent:
            session.sounds = sent["sounds"] == "on"
        raise web.HTTPSeeOther(own_path(sent.get("path", "")))

    def _sendings(self, request: web.Request) -> Sendings | None:
        session = self._session(request)
        return None if session is None else session.sendings

    async def _sent(self, request: web.Request) -> web.StreamResponse:
        """With what a form was answered that a page sent by itself."""
        return self._visits.expect(request).sendings.page(request.match_info["name"])

    async def _how_it_stands(self, request: web.Request) -> web.StreamResponse:
        """For a page whose live parts went away: why."""
        if self._session(request) is not None:
            return web.json_response({})
        why = self._sessions.why_over(self._token(request)) or "over"
        return web.json_response({"why": why}, status=HTTPStatus.UNAUTHORIZED)

    def _token(self, request: web.Request) -> str:
        return request.cookies.get(self._manner.cookie, "")

    def _session(self, request: web.Request) -> Session | None:
        token = self._token(request)
        session = self._sessions.find(token) if token else None
        if session is not None and request.transport is not None:
            self._sessions.asked_over[request.transport] = session
        return session

    def _language(self, request: web.Request) -> str:
        session = None if request.query.get("lang", "") in LANGUAGES else self._session(request)
        return wished_language(request, self._manner.language) if session is None else session.language


class Slowed(Refused):
    """Too much of that from there."""

    def __init__(self, template: str, wait_ms: int) -> None:
        self.seconds = math.ceil(wait_ms / 1000)
        super().__init__(template, seconds=self.seconds)


def _device(request: web.Request) -> str:
    return device_of(request.headers.get(hdrs.USER_AGENT, ""))


def _named(name: str, role: Role) -> str:
    """The public does nothing, so it may go without a name."""
    if role == "public" and not name.strip():
        return "public"
    return named(name)


def _html(text: str, status: HTTPStatus) -> web.Response:
    return web.Response(text=text, content_type="text/html", charset="utf-8", status=status)
