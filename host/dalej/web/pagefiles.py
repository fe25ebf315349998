"""The files that pages load: those that lie there when the server starts and no others, so no path leads elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from aiohttp import web


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
