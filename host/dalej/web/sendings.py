"""What a page sends under a name of its own, so that it may send it once more when no answer came: it is acted on once,
and answered alike. The answer says where the page shall go: on, or to what was answered instead, such as a question.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from aiohttp import hdrs, web

from dalej.hangups import Handler

HEADER: Final = "Dalej-Sending"
GO: Final = "Dalej-Go"
MOST: Final = 8  # of a session: nobody waits for an answer longer than that
_NAME: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(slots=True)
class Sending:
    """`go`: where it led, "" as long as nothing was done. `page`: what was answered, if it leads nowhere."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    go: str = ""
    page: tuple[int, str] | None = None


class Sendings:
    """The last ones of a session, by their names."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, Sending] = OrderedDict()

    def named(self, name: str) -> Sending:
        """That one, which may be its first."""
        found = self._of.setdefault(name, Sending())
        while len(self._of) > MOST:
            self._of.popitem(last=False)
        return found

    def page(self, name: str) -> web.Response:
        """With what it was answered; the first page if that is not known any more."""
        found = self._of.get(name)
        if found is None or found.page is None:
            raise web.HTTPSeeOther("/")
        status, text = found.page
        return web.Response(text=text, status=status, content_type="text/html", charset="utf-8")


def acted_on_once(
    sendings_of: Callable[[web.Request], Sendings | None],
) -> Callable[..., Awaitable[web.StreamResponse]]:
    """`sendings_of`: of the session that asks, None: it has none. What fails is not kept: it may be tried again."""

    @web.middleware
    async def acting(request: web.Request, handler: Handler) -> web.StreamResponse:
        name = request.headers.get(HEADER, "")
        if request.method != hdrs.METH_POST or not name:
            return await handler(request)
        if not _NAME.fullmatch(name):
            raise web.HTTPBadRequest
        sendings = sendings_of(request)
        one = Sending() if sendings is None else sendings.named(name)
        async with one.lock:
            if one.go:
                return _gone(one.go)
            try:
                answer = await handler(request)
            except web.HTTPSeeOther as further:
                one.go = further.headers[hdrs.LOCATION]
                gone = _gone(one.go)
                gone.cookies.update(further.cookies)
                return gone
            if isinstance(answer, web.Response):
                one.page, one.go = (answer.status, answer.text or ""), f"/sent/{name}"
        return _gone(one.go) if one.go else answer

    return acting


def _gone(to: str) -> web.Response:
    return web.Response(status=HTTPStatus.NO_CONTENT, headers={GO: to})
