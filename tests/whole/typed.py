"""`dalej …` as people type it: the program itself, in a folder and a club of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.boxes.firmware.club import environment

PROGRAM: Final = Path(sys.executable).with_name("dalej")
NO_TERMINALS: Final = os.name == "nt"
ENDS_WITHIN_S: Final = 100
INSTALLED_WITHIN_S: Final = 100


class Typed:
    """Whoever types in this folder; `club` is where the secret and the list of boxes are kept."""

    def __init__(self, folder: Path, club: Path) -> None:
        self.folder = folder
        self.club = club
        self._environment = {**environment(club), "DALEJ_WHO": "Sowa"}

    def __call__(self, *arguments: str) -> str:
        """What a command prints; AssertionError with that if it does not end well."""
        with self.begin(*arguments) as begun:
            code = begun.ended(ENDS_WITHIN_S)
        assert code == 0, f"dalej {' '.join(arguments)} ended with {code}:\n{begun.said}"
        return begun.said

    def begin(self, *arguments: str) -> Begun:
        return Begun(arguments, self.folder, self._environment)


class Begun:
    """A command that runs; both its streams as one, line by line as they come."""

    def __init__(self, arguments: tuple[str, ...], folder: Path, environment: dict[str, str]) -> None:
        self._command = f"dalej {' '.join(arguments)}"
        self._lines: list[str] = []
        self._news = threading.Condition()
        self._over = False
        self._process = subprocess.Popen(
            [PROGRAM, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8",
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self.ended(ENDS_WITHIN_S)

    @property
    def said(self) -> str:
        with self._news:
            return "".join(self._lines)

    def until(self, words: str, within_s: float = 30) -> str:
        """The first line that says so; AssertionError with everything that was said if none does."""
        deadline = time.monotonic() + within_s
        with self._news:
            while True:
                for line in self._lines:
                    if words in line:
                        return line
                left_s = deadline - time.monotonic()
                told = f"{self._command} did not say {words!r} within {within_s} s:\n{''.join(self._lines)}"
                assert left_s > 0, told
                assert not self._over, told
                self._news.wait(left_s)

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self.ended(ENDS_WITHIN_S)

    def ended(self, within_s: float) -> int:
        code = self._process.wait(within_s)
        self._reader.join(within_s)
        return code

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            for line in stream:
                with self._news:
                    self._lines.append(line)
                    self._news.notify_all()
        with self._news:
            self._over = True
            self._news.notify_all()
