"""What a browser is told that asks for what there is not, or may not: a page with one sentence, in its language; and
what the terminal is told of those that are no browsers.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final

from aiohttp import hdrs, web
from aiohttp.http_exceptions import HttpProcessingError

from dalej.clock import Clock
from dalej.errors import DalejError
from dalej.web.pages import Pages
from dalej.web.speech import Speech
from dalej.words import N_, ngettext

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

FAILED: Final = N_("The server has failed at that; its terminal says at what.")
_SAID: Final[Mapping[int, str]] = {
    HTTPStatus.UNAUTHORIZED: N_("Log in first."),
    HTTPStatus.FORBIDDEN: N_("This was asked for by another page than Dalej's own."),
    HTTPStatus.NOT_FOUND: N_("There is no such page here."),
    HTTPStatus.METHOD_NOT_ALLOWED: N_("There is nothing to be sent to this page."),
    HTTPStatus.REQUEST_TIMEOUT: N_("What was sent took too long to arrive; try again."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: N_("That is more than a log-in has."),
    HTTPStatus.MISDIRECTED_REQUEST: N_("This name does not belong to Dalej here; use the address."),
}

log = logging.getLogger("dalej.web")


def refusals(pages: Pages, speech_of: Callable[[web.Request], Speech]) -> Callable[..., Awaitable[web.StreamResponse]]:
    """The outermost middleware: nothing that went wrong leaves as English words of a library, or as a traceback."""

    @web.middleware
    async def refusing(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as refused:
            if refused.status < HTTPStatus.BAD_REQUEST:
                raise
            allowed = {str(hdrs.ALLOW): refused.headers[hdrs.ALLOW]} if hdrs.ALLOW in refused.headers else {}
            return _answer(request, pages, speech_of(request), refused.status, allowed)
        except DalejError as error:  # such as passwords that others can read: no business of whoever asks
            log.error("%s", error)
            return _answer(request, pages, speech_of(request), HTTPStatus.INTERNAL_SERVER_ERROR, {})
        except Exception:
            log.exception("a page failed")
            return _answer(request, pages, speech_of(request), HTTPStatus.INTERNAL_SERVER_ERROR, {})

    return refusing


class Malformed(logging.Filter):
    """Requests that are no HTTP: aiohttp answers each with a 400 and a traceback; here they are counted, and told of in
    one line a minute.
    """

    EVERY_MS: Final = 60_000

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._count = 0
        self._since_ms = 0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, (HttpProcessingError, web.RequestPayloadError)):
            return record.levelno >= logging.WARNING
        if not self._count:
            self._since_ms = self._clock.now_ms()
        self._count += 1
        return False

    def tell(self, *, now: bool = False) -> None:
        """Of those of the last minute, if one is over; `now`: of what there is."""
        if self._count and (now or self._clock.now_ms() - self._since_ms >= self.EVERY_MS):
            log.warning("%s", ngettext(
                "{count} request was refused that no browser makes.",
                "{count} requests were refused that no browser makes.", self._count,
            ).format(count=self._count))  # fmt: skip
            self._count = 0


def requests_log(malformed: Malformed) -> logging.Logger:
    """Where a server's library writes what goes wrong with requests, but for those."""
    found = logging.Logger("dalej.web.requests", logging.DEBUG)  # noqa: LOG001 -- one a server, gone with it
    found.parent = log
    found.addFilter(malformed)
    return found


def _answer(
    request: web.Request, pages: Pages, speech: Speech, status: int, headers: Mapping[str, str]
) -> web.Response:
    """A page for whoever looks at it, else the bare sentence."""
    text = speech.say(_SAID.get(status, FAILED))
    if "text/html" not in request.headers.get(hdrs.ACCEPT, ""):
        return web.Response(text=f"{text}\n", status=status, headers=headers)
    way_in = status != HTTPStatus.MISDIRECTED_REQUEST  # under that name there is none
    page = pages.refusal(speech, text, way_in=way_in)
    return web.Response(text=page, content_type="text/html", charset="utf-8", status=status, headers=headers)
