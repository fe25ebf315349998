"""A test that does not end is ended, by its name, and all that it started with it; the run goes on without it.

No test can be trusted to end itself: it may wait in C, hold the interpreter's lock, or swallow whatever is raised in
it. So beside each process that plays tests there is another one that counts, this file as a program: `overdue.py PID
MARK NOTE`. It hears on its input what is due, "SECONDS WHAT" a line (0 seconds: nothing is). When that is over it
ends the player; xdist sends another one for the tests that are left. When the player is gone, however it went, what it
left behind goes too.
"""

from __future__ import annotations

import faulthandler
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

MARK: Final = "DALEJ_STARTED_BY_TESTS_OF"  # in the environment of all that a player starts: who started it
NOTE: Final = "overdue"  # what a worker is handed: the file that says of what it died
LATER: Final = 1.1  # `faulthandler_timeout` shows where the test waits; so many times as late it is ended
SLOWER: Final = 3  # a slow one may take so many times as long
COLLECTED_WITHIN_S: Final = 900
ENDS_WITHIN_S: Final = 60
SHOWN: Final = 3


class Watched:
    """The player's side. `note`: where the other process says of what this one died, besides on stderr; `is_slow`:
    which files play with browsers or whole processes.
    """

    def __init__(self, limit_s: float, note: str, is_slow: Callable[[Path], bool]) -> None:
        self.limit_s = limit_s
        self._is_slow = is_slow
        mark = f"{os.getpid()} {time.time_ns()}"
        apart: dict[str, Any]
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        else:
            apart = {"start_new_session": True}
        clean = {name: value for name, value in os.environ.items() if name != MARK}
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(os.getpid()), mark, note], stdin=subprocess.PIPE, text=True,
            encoding="utf-8", env=clean | {"PYTHONIOENCODING": "utf-8:backslashreplace"}, **apart,
        )  # fmt: skip
        os.environ[MARK] = mark

    def expect(self, seconds: float, what: str) -> None:
        """From now on it is over in so many seconds; 0: whenever it likes."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds} {what.encode('unicode_escape').decode()}\n")
        self._process.stdin.flush()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        self.expect(COLLECTED_WITHIN_S, "collecting the tests")
        try:
            return (yield)
        finally:
            self.expect(0, "")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        own = item.get_closest_marker("long")
        limit_s = self.limit_s * (SLOWER if self._is_slow(item.path) else 1)
        self.expect(max(limit_s, own.args[0]) if own else limit_s, item.nodeid)
        try:
            return (yield)
        finally:
            self.expect(0, "")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if item.get_closest_marker("long") is not None:
            faulthandler.cancel_dump_traceback_later()

    def pytest_enter_pdb(self) -> None:
        """Whoever debugs may take their time."""
        self.expect(0, "")

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: pytest.Config) -> None:
        if not hasattr(config, "workerinput"):  # a worker lives as long as the whole run
            self.expect(ENDS_WITHIN_S, "ending the run")


class Notes:
    """The side of whoever shares the tests out: what a worker died of stands in the report of its last test."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="dalej-overdue-", ignore_cleanup_errors=True)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[NOTE] = str(Path(self._folder.name) / node.gateway.id)

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, report: Any) -> None:
        with suppress(FileNotFoundError):
            report.longrepr = Path(report.node.workerinput[NOTE]).read_text(encoding="utf-8")

    def pytest_unconfigure(self) -> None:
        self._folder.cleanup()


def watch(config: pytest.Config, is_slow: Callable[[Path], bool]) -> None:
    """As `faulthandler_timeout` says; 0: a test may take as long as it likes, and nobody counts."""
    if config.getoption("tx", None):
        config.pluginmanager.register(Notes())
        return
    limit_s = float(config.getini("faulthandler_timeout") or 0) * LATER
    if limit_s:
        config.pluginmanager.register(Watched(limit_s, getattr(config, "workerinput", {}).get(NOTE, ""), is_slow))


def main(pid: int, mark: str, note: str) -> None:
    """The other process: counts until its input ends, which is when the player does."""
    heard: queue.Queue[str] = queue.Queue()

    def hear() -> None:
        for line in sys.stdin:
            heard.put(line)
        heard.put("")

    threading.Thread(target=hear, daemon=True).start()
    try:
        player = psutil.Process(pid)
    except psutil.NoSuchProcess:  # its tests were over before anybody looked
        _end(_left_by(mark))
        return
    due: float | None = None
    seconds = what = ""
    while True:
        try:
            line = heard.get(timeout=None if due is None else max(0.0, due - time.monotonic()))
        except queue.Empty:
            _end_overdue(player, mark, f"{what}: not over after {float(seconds):g} s", note)
            return
        if not line:
            _end(_left_by(mark))
            return
        seconds, _, what = line.strip().partition(" ")
        due = time.monotonic() + float(seconds) if float(seconds) else None


def _end_overdue(player: psutil.Process, mark: str, overdue: str, note: str) -> None:
    with suppress(psutil.Error):
        player.suspend()  # so that it starts nothing more
        started = {*player.children(recursive=True), *_left_by(mark)} - {psutil.Process()}
        names = sorted(_name(one) for one in started)
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        ended = f"; ended, with what it had started: {', '.join(names[:SHOWN])}{more}" if names else "; ended"
        sys.stderr.write(f"\n{overdue}{ended}\n")
        sys.stderr.flush()
        if note:
            Path(note).write_text(overdue + ended, encoding="utf-8")
        _end(started)
    with suppress(psutil.Error):
        player.kill()
    _end(_left_by(mark))


def _left_by(mark: str) -> set[psutil.Process]:
    """What was started by the player, or by what it started, even if whoever started it is gone."""
    found = set()
    for one in psutil.process_iter():
        with suppress(psutil.Error, OSError):  # somebody else's, or gone
            if one.environ().get(MARK) == mark:
                found.add(one)
    return found - {psutil.Process()}


def _end(processes: set[psutil.Process]) -> None:
    for one in processes:
        with suppress(psutil.Error):
            one.kill()


def _name(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())[:100] or process.name()
    except psutil.Error:
        return str(process.pid)


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
