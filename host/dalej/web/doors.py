"""Who may speak to this server at all, and what a browser may do with what it answers.

- Host: an address as numbers, this computer's own name, or one that was named at the start. Another name that leads
  here is somebody's page that was made to (DNS rebinding).
- Origin: whatever changes something, and the socket of a screen, must be asked for by a page of this server.
- Headers: nothing from elsewhere, in no frame, kept by no cache.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Collection

from aiohttp import hdrs, web

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
