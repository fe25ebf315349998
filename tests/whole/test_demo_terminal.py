"""`dalej demo` as a visitor starts it: in a terminal, with its hall in a process of its own."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.event.reading import read

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="there is no such terminal on Windows to write to and read from"
)

WITHIN_S: Final = 20.0
LIVE: Final = "● live".encode()


class Visitor:
    """Who sits at the terminal."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self.terminal = terminal
        self.seen = b""

    def sees(self, text: bytes) -> None:
        """Read until that is on the screen."""
        while text not in self.seen:
            assert self._reads(), self.seen[-2_000:]

    def sees_the_end(self) -> str:
        """Read until the program has ended; its last words."""
        while self._reads():
            pass
        self.process.wait(WITHIN_S)
        return self.seen[-2_000:].decode(errors="replace")

    def _reads(self) -> bool:
        ready, _, _ = select.select([self.terminal], [], [], WITHIN_S)
        assert ready, "nothing more came"
        try:
            read = os.read(self.terminal, 65_536)
        except OSError:  # how Linux says that the other end is closed
            return False
        self.seen += read
        return bool(read)


@contextmanager
def demo(event: Path, *, errors: Path | None = None) -> Iterator[Visitor]:
    """The program in a terminal of 100 by 30; what it says on standard error may go into a file."""
    import fcntl
    import pty
    import struct
    import termios

    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    elsewhere = its if errors is None else os.open(errors, os.O_WRONLY | os.O_CREAT)
    with subprocess.Popen(
        [sys.executable, "-m", "dalej", "demo", "--tables", "2", "--event", str(event)], cwd=event.parent,
        env={**os.environ, "LANGUAGE": "en", "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"},
        stdin=its, stdout=its, stderr=elsewhere, start_new_session=True,
    ) as process:  # fmt: skip
        for one in {its, elsewhere}:
            os.close(one)
        try:
            yield Visitor(process, ours)
        finally:
            process.kill()
            os.close(ours)


def whole(event: Path) -> None:
    """The hall has ended as it should."""
    assert [file.name for file in event.parent.iterdir()] == [event.name]
    with Ledger.open(event) as ledger:
        assert eventlog.turns(read(ledger))
        assert not list(eventlog.problems(read(ledger)))


@pytest.mark.parametrize("goes", ["by the key q", "by SIGTERM"])
def test_a_visitor_sees_the_hall_live_and_is_told_where_it_is_kept(tmp_path: Path, goes: str) -> None:
    event = tmp_path / "hall.dalej"
    with demo(event) as visitor:
        visitor.sees(LIVE)
        if goes == "by SIGTERM":
            visitor.process.send_signal(signal.SIGTERM)
        else:
            os.write(visitor.terminal, b"q")
        last = visitor.sees_the_end()

        assert visitor.process.returncode == 0
        words = " ".join(last.split())
        again = shlex.quote(sys.executable)
        assert f"This hall has ended with its screen. The ledger: {event}; to see it again: {again}" in words
        assert f"-m dalej screen {event};" in words
        assert "-m dalej demo --no-screen" in words
    whole(event)


def test_the_picture_is_painted_where_one_looks_though_errors_go_into_a_file(tmp_path: Path) -> None:
    event, errors = tmp_path / "event" / "hall.dalej", tmp_path / "errors.txt"
    event.parent.mkdir()
    with demo(event, errors=errors) as visitor:
        visitor.sees(LIVE)
        os.write(visitor.terminal, b"q")
        visitor.sees_the_end()

        assert visitor.process.returncode == 0
        assert errors.read_text() == ""
    whole(event)


def test_the_hall_ends_when_its_screen_is_killed(tmp_path: Path) -> None:
    event = tmp_path / "hall.dalej"
    with demo(event) as visitor:
        visitor.sees(LIVE)
        visitor.process.kill()
        visitor.sees_the_end()
        for _ in range(int(WITHIN_S / 0.05)):
            if [file.name for file in tmp_path.iterdir()] == [event.name]:
                break
            select.select([], [], [], 0.05)

    whole(event)
