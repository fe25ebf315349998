"""What the server answers: pages, log-in and log-out, the socket of a screen; who may speak to it at all, and what a
browser may do with what it answers. Of files only those that lie there when it starts, so no path leads elsewhere.
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

import textual_serve
from aiohttp import hdrs, web

from dalej.errors import DalejError, Refused
from dalej.office.acts.roles import Actor, Role, role_of
from dalej.web.attempts import FIRST_MS, Arrivals, Attempts
from dalej.web.pages import ENDS, FONTS, Form, Pages, Speech, chosen, named, refusals
from dalej.web.passwords import Passwords
from dalej.web.screens import Screens
from dalej.web.sessions import Session, Sessions, Trail
from dalej.words import LANGUAGES, N_

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

# xterm.js sets colours and sizes by style elements of its own; no script is written in a page.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self' {socket}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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
        kept = request.path.startswith(("/static/", "/assets/")) and response.status == web.HTTPOk.status_code
        response.headers[hdrs.CACHE_CONTROL] = "private, max-age=3600" if kept else "no-store"
        host = request.headers.get(hdrs.HOST, "")
        socket = f"{'wss' if self._scheme == 'https' else 'ws'}://{host}" if self._is_own(host) else ""
        response.headers["Content-Security-Policy"] = _POLICY.format(socket=socket)


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


def page_files(folder: Path) -> Mapping[str, Path]:
    """Each under its path within the folder, as an address spells it."""
    return {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}


def handing_out(files: Mapping[str, Path]) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """The handler of `/…/{file:.*}`."""

    async def hand_out(request: web.Request) -> web.StreamResponse:
        file = files.get(request.match_info["file"])
        if file is None:
            raise web.HTTPNotFound
        return web.FileResponse(file)

    return hand_out


FORM_MOST: Final = 16 * 1024  # bytes of what is sent with a log-in
FORM_WITHIN_S: Final = 10.0
HASHES_AT_ONCE: Final = 2  # each takes 19 MiB and a tenth of a second of a processor
_STATIC: Final = Path(textual_serve.__file__).with_name("static")


@dataclass(frozen=True, slots=True)
class Manner:
    """How this server is run. `public_open`: the public needs no password; `secure`: over TLS; `language`: of whoever's
    browser asks for none of ours; `cookie`: its name, which differs from other servers' on this computer.
    """

    public_open: bool
    secure: bool
    language: str
    cookie: str


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
        screens: Screens,
        trail: Trail,
    ) -> None:
        self._manner = manner
        self._doors = doors
        self._pages = pages
        self._passwords = passwords
        self._attempts = attempts
        self._arrivals = arrivals
        self._sessions = sessions
        self._screens = screens
        self._trail = trail
        self._hashing = asyncio.Semaphore(HASHES_AT_ONCE)

    def make(self) -> web.Application:
        """The application that aiohttp runs."""
        app = web.Application(client_max_size=FORM_MOST, middlewares=[refusals(self._pages, self._speech)])
        self._doors.install(app)
        app.add_routes(
            [
                web.get("/", self._screen),
                web.get("/login", self._show_log_in),
                web.post("/login", self._log_in),
                web.post("/logout", self._log_out),
                web.get("/session", self._how_it_stands),
                web.get("/ws", self._socket),
                web.get("/static/{file:.*}", handing_out(page_files(_STATIC))),
                web.get("/assets/{file:.*}", handing_out(page_files(Path(str(files("dalej.web"))) / "assets"))),
            ]
        )
        return app

    # --- in and out -----

    async def _show_log_in(self, request: web.Request) -> web.StreamResponse:
        if self._session(request) is not None:
            raise web.HTTPSeeOther("/")
        over = request.query.get("over", "")
        return self._log_in_page(self._speech(request), remark=ENDS.get(over, ""))

    async def _log_in(self, request: web.Request) -> web.StreamResponse:
        try:
            async with asyncio.timeout(FORM_WITHIN_S):
                typed = await request.post()
        except TimeoutError:
            raise web.HTTPRequestTimeout from None
        except (web.RequestPayloadError, ConnectionError, ValueError, LookupError):
            raise web.HTTPUnauthorized from None  # no form, of no charset, or the end of one never came
        fields = {name: value for name, value in typed.items() if isinstance(value, str)}
        language = fields.get("lang", "")
        speech = Speech(language) if language in LANGUAGES else self._speech(request)
        address = request.remote or "?"
        name, shown_role = fields.get("name", ""), fields.get("role", "")
        try:
            role = role_of(shown_role)
            actor = Actor(_named(name, role), role, served=True)
            stamp = await self._admitted(actor, fields.get("password", ""), address)
            token, _session = self._sessions.begin(actor, address, speech.language, stamp)
        except Slowed as slowed:
            page = self._log_in_page(speech, name, shown_role, slowed, status=HTTPStatus.TOO_MANY_REQUESTS)
            page.headers[hdrs.RETRY_AFTER] = str(slowed.seconds)
            return page
        except DalejError as error:
            return self._log_in_page(speech, name, shown_role, error, status=HTTPStatus.FORBIDDEN)
        self._trail.note({"log": "in", "name": actor.name, "role": actor.role, "address": address})
        before = self._session(request)
        if before is not None:
            self._sessions.end(before, "out")
        welcome = web.HTTPSeeOther("/")
        welcome.set_cookie(
            self._manner.cookie, token, path="/", httponly=True, samesite="Strict", secure=self._manner.secure
        )
        raise welcome

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
        self, speech: Speech, name: str = "", role: str = "", problem: DalejError | None = None, *,
        remark: str = "", status: HTTPStatus = HTTPStatus.OK,
    ) -> web.Response:  # fmt: skip
        roles = [one for one in self._passwords.roles() if one != "public" or not self._manner.public_open]
        if problem is None and not roles and not self._manner.public_open:
            problem = Refused(N_("No role has a password now, so nobody can log in."))
        form = Form(
            roles, self._manner.public_open, name[:200], role, "" if problem is None else speech.said(problem),
            speech.say(remark),
        )  # fmt: skip
        return _html(self._pages.log_in(speech, form), status)

    # --- behind the session -----

    async def _screen(self, request: web.Request) -> web.StreamResponse:
        session = self._session(request)
        if session is None:
            why = self._sessions.why_over(self._token(request))
            raise web.HTTPSeeOther("/login" if why is None else f"/login?over={why}")
        language, font = request.query.get("lang", ""), request.query.get("font", "")
        if language in LANGUAGES:
            session.language = language
        if font in ("0", *map(str, FONTS)):
            session.font = int(font)
        if language or font:
            raise web.HTTPSeeOther("/")  # so that loading it again changes nothing
        return _html(self._pages.screen(Speech(session.language), session), HTTPStatus.OK)

    async def _how_it_stands(self, request: web.Request) -> web.StreamResponse:
        """For the page whose screen went away: why."""
        session = self._session(request)
        if session is None:
            why = self._sessions.why_over(self._token(request)) or "over"
            return web.json_response({"why": why}, status=HTTPStatus.UNAUTHORIZED)
        note = "" if session.note is None else Speech(session.language).said(session.note)
        return web.json_response({"note": note})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        self._doors.expect_own_page(request)
        return await self._screens.serve(request, self._expect_session(request))

    def _token(self, request: web.Request) -> str:
        return request.cookies.get(self._manner.cookie, "")

    def _session(self, request: web.Request) -> Session | None:
        token = self._token(request)
        return self._sessions.find(token) if token else None

    def _expect_session(self, request: web.Request) -> Session:
        session = self._session(request)
        if session is None:
            raise web.HTTPUnauthorized
        return session

    def _speech(self, request: web.Request) -> Speech:
        language = request.query.get("lang", "")
        if language not in LANGUAGES:
            language = chosen(request.headers.get(hdrs.ACCEPT_LANGUAGE, ""), self._manner.language)
        return Speech(language)


class Slowed(Refused):
    """Too much of that from there."""

    def __init__(self, template: str, wait_ms: int) -> None:
        self.seconds = math.ceil(wait_ms / 1000)
        super().__init__(template, seconds=self.seconds)


def _named(name: str, role: Role) -> str:
    """The public does nothing, so it may go without a name."""
    if role == "public" and not name.strip():
        return "public"
    return named(name)


def _html(text: str, status: HTTPStatus) -> web.Response:
    return web.Response(text=text, content_type="text/html", charset="utf-8", status=status)
