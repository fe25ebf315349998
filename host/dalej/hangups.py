"""Whoever asks may have left before they are answered. That is nobody's fault, and nobody is told of it: aiohttp would
tell of each with a traceback.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def hang_ups(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A middleware, within any that tells of failures. A connection of the server's own that breaks is told."""
    try:
        return await handler(request)
    except ConnectionError:
        if request.transport is None or request.transport.is_closing():
            return web.Response()
        raise
