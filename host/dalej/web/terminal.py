"""One screen in a process of its own, by textual-serve's `AppService`, and its sure end.

Textual's web driver speaks packets over pipes: a byte D (terminal), M (JSON) or P (files), four bytes of length (big
endian), the payload; the screen says `__GANGLION__` first. What this leans on is pinned in tests/web/test_upstream.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

QUIT_S: Final = 2.0  # a screen that is told to quit needs a tenth of it
DIE_S: Final = 2.0
GONE_AGAIN_S: Final = 0.02  # between two looks whether it is gone
FRAMES: Final = "20"  # a second: a clock ticks once, and every frame costs the hall's laptop
DRIVER: Final = "dalej.tui.webdriver:ServedDriver"  # of Textual, for screens that are made with it
WIDTHS: Final = (20, 400)
HEIGHTS: Final = (6, 150)
_COMPLAINT_MOST: Final = 4_096  # bytes of what a screen says on stderr that are kept


def within(size: int, limits: tuple[int, int]) -> int:
    """A size that a screen can be drawn in, whatever a browser says."""
    return min(max(size, limits[0]), limits[1])


class Terminal(AppService):
    """`command`: the program and its arguments; `environment`: besides what `AppService` gives it."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        write_bytes: Callable[[bytes], Awaitable[None]],
        write_str: Callable[[str], Awaitable[None]],
    ) -> None:
        self._words = list(command)
        self._more = environment
        self._complaint = b""
        self._listening: asyncio.Task[None] | None = None
        self.said_exit = False
        super().__init__(
            shlex.join(command), write_bytes=write_bytes, write_str=write_str, close=self._closed,
            download_manager=DownloadManager(),
        )  # fmt: skip

    @property
    def pid(self) -> int:
        """Of its process; 0 before it was started."""
        return 0 if self._process is None else self._process.pid

    @property
    def complaint(self) -> str:
        """The end of what it said on stderr."""
        return self._complaint.decode("utf-8", "replace").strip()

    async def resize(self, width: int, height: int) -> None:
        """The browser's window has another size."""
        await self.set_terminal_size(within(width, WIDTHS), within(height, HEIGHTS))

    async def until_over(self) -> None:
        """Wait until the process has nothing more to say."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def stop(self) -> None:
        """End it: told to, then made to. Returns when the process is gone, a few seconds later at worst."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(QUIT_S / 2):  # one that does not read keeps nobody waiting
                    await self.send_meta({"type": "quit"})
            self.stdin.close()
        for end, within_s in ((None, QUIT_S), (process.terminate, DIE_S), (process.kill, None)):
            if end is not None:
                with suppress(ProcessLookupError):
                    end()
            with suppress(TimeoutError):
                async with asyncio.timeout(within_s):
                    await _gone(process)
                break
        for task in (self._task, self._listening):
            if task is not None:
                task.cancel()
                await asyncio.wait((task,))
        self._task = None
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 -- a pipe that nobody reads stays open

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """Without a shell, and apart from a Ctrl-C at the server's terminal."""
        environment = self._build_environment(within(width, WIDTHS), within(height, HEIGHTS))
        environment |= {
            "TEXTUAL_FPS": FRAMES,
            "TEXTUAL_DRIVER": DRIVER,
            "PYTHONIOENCODING": "utf-8:backslashreplace",
            **self._more,
        }
        self._process = process = await asyncio.create_subprocess_exec(
            *self._words, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, **_apart()
        )
        assert process.stdin is not None
        assert process.stderr is not None
        self._stdin = process.stdin
        self._listening = asyncio.create_task(self._listen(process.stderr))
        process.stderr = asyncio.StreamReader()  # AppService would print it all
        process.stderr.feed_eof()
        return process

    async def on_meta(self, data: bytes) -> None:
        """A screen says when it ends. It hands out no files and opens no pages: browsers take that for advertising,
        and what is printed lies beside the event.
        """
        if json.loads(data).get("type") == "exit":
            await self.remote_close()

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        while said := await stderr.read(_COMPLAINT_MOST):
            self._complaint = (self._complaint + said)[-_COMPLAINT_MOST:]

    async def _closed(self) -> None:
        """The screen says that it ends by itself."""
        self.said_exit = True


async def _gone(process: Process) -> None:
    """`process.wait()` waits for its pipes too, and one that nobody reads never ends."""
    while process.returncode is None:  # noqa: ASYNC110 -- it tells nobody else
        await asyncio.sleep(GONE_AGAIN_S)


def _apart() -> dict[str, Any]:
    if sys.platform == "win32":
        import subprocess  # noqa: PLC0415 -- its flags exist on Windows alone

        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True} if os.name == "posix" else {}
