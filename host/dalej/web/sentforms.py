"""Forms as browsers send them: within so long, and in words if something is none."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

FORM_WITHIN_S: Final = 10.0
_NO_FORM: Final = (
    web.RequestPayloadError, HttpProcessingError, ConnectionError, ValueError, LookupError, zlib.error,
)  # fmt: skip
"""Cut wrong, of a charset that is none, or without its end."""


@asynccontextmanager
async def arriving(within_s: float) -> AsyncIterator[None]:
    """What is read of a request therein; 408 if it takes longer, 400 if it is no form."""
    try:
        async with asyncio.timeout(within_s):
            yield
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except _NO_FORM:
        raise web.HTTPBadRequest from None
    except RuntimeError as problem:
        if type(problem) is not RuntimeError:  # by which aiohttp tells of an encoding that is none
            raise
        raise web.HTTPBadRequest from None


async def sent(request: web.Request) -> dict[str, str]:
    """The fields of its form, but for files."""
    async with arriving(FORM_WITHIN_S):
        fields = await request.post()
        found = {name: value for name, value in fields.items() if isinstance(value, str)}
        "".join((*found, *found.values())).encode()  # half a character, as some charsets have it, is no text
    return found
