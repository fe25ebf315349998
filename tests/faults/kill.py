"""A desk in a process of its own, with its event on disk, that can be killed while the boxes play on.

The parent has the world: boxes, radio, time. The child has `Desk` and `Ledger` and nothing else; it is told what the
radio hears and what time it is, and answers what to write. A radio speaks to it through `Remote`.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from select import select
from time import perf_counter
from typing import Any, Final

from dalej.clock import ManualClock
from tests.processes import WITHIN_S, Patience

ROOT: Final = Path(__file__).parents[2]
LEASE_MS: Final = 3000
MEAN_OF: Final = 8  # calls, the last ones

Answer = tuple[list[tuple[bytes, list[bytes], bool]], int | None, int | None]


class Remote:
    """The port of a desk in another process. `dead`: that process is gone; `before_answer` is called while it works;
    `stores`: what it works at is to store what it has gathered; `takes_s`: how long such work takes, about, and other.
    """

    def __init__(
        self, event: Path, clock: ManualClock, boxes: list[tuple[bytes, bytes, int]], name: str, desk_id: int,
        seed: int, commit_delay_ms: int = 0,
    ) -> None:  # fmt: skip
        self.dead = self.stores = False
        self.calls = 0
        self.takes_s = {True: 0.0, False: 0.0}
        self.before_answer: Callable[[], None] | None = None
        self._clock = clock
        self._due: int | None = None
        self._stores_ms: int | None = None
        self._out: dict[bytes, list[bytes]] = {}
        self._leaving: set[bytes] = set()
        command = [sys.executable, "-m", "tests.faults.kill"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._patience = Patience(self.process)
        self._call("begin", str(event), boxes, name, desk_id, seed, commit_delay_ms)

    def kill(self) -> None:
        """SIGKILL: no handler runs, no file is closed."""
        self.process.kill()
        self.process.wait(WITHIN_S)
        self.dead = True
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what it had not read yet is lost, as it should be
                    pipe.close()

    def has_answered(self) -> bool:
        """What it was asked last."""
        return self.process.stdout is not None and bool(select([self.process.stdout], [], [], 0)[0])

    def end(self) -> None:
        """A desk that closes in good order; AssertionError if it does not."""
        self._call("close")
        assert not self.dead, "the desk did not close"
        self.kill()

    def connected(self, uid: bytes, now_ms: int) -> None:
        self._call("connected", uid, now_ms)

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        self._call("disconnected", uid, now_ms)

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        self._call("receive", uid, frame, now_ms)

    def waiting(self) -> list[bytes]:
        return list(self._out)

    def frames(self, uid: bytes) -> list[bytes]:
        return self._out.pop(uid, [])

    def wants_to_leave(self, uid: bytes) -> bool:
        return uid in self._leaving

    def next_timer(self) -> int | None:
        return None if self.dead else self._due

    def handle_timer(self, now_ms: int) -> None:
        self.stores = self._stores_ms is not None and self._stores_ms <= now_ms
        self._call("handle_timer", now_ms)
        self.stores = False

    def know(self, uid: bytes, secret: bytes, table: int) -> None:
        """The box stands there from now on."""
        self._call("know", uid, secret, table)

    def ask(self, uid: bytes, command: str, args: dict[str, int | str]) -> None:
        """Somebody at the desk asks for a command."""
        self._call("ask", uid, command, args)

    def _call(self, method: str, *arguments: Any) -> None:
        if self.dead:
            return
        self.calls += 1
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            began_s = perf_counter()
            pickle.dump((self._clock.time_ms, self._clock.wall_start_ms, method, arguments), self.process.stdin)
            self.process.stdin.flush()
            if self.before_answer is not None:
                self.before_answer()
            if self.dead:
                return
            with self._patience:
                said, self._due, self._stores_ms = pickle.load(self.process.stdout)
            self.takes_s[self.stores] += (perf_counter() - began_s - self.takes_s[self.stores]) / MEAN_OF
        except (BrokenPipeError, EOFError):
            self.kill()
            return
        self._leaving.clear()
        for uid, frames, leaves in said:
            self._out.setdefault(uid, []).extend(frames)
            if leaves:
                self._leaving.add(uid)


def serve() -> None:
    """The child's whole life."""
    from random import Random

    from dalej.desk.desk import Desk
    from dalej.event.ledger import Ledger

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, and a desk ends with it
    clock = ManualClock()
    desk: Desk | None = None
    while True:
        try:
            clock.time_ms, clock.wall_start_ms, method, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        if method == "begin":
            event, boxes, name, desk_id, seed, delay_ms = arguments
            ledger = Ledger.open(event) if Path(event).exists() else Ledger.create(event)
            desk = Desk(
                ledger, clock=clock, random=Random(seed).randbytes, name=name, desk_id=desk_id, lease_ttl_ms=LEASE_MS,
                commit_delay_ms=delay_ms,
            )  # fmt: skip
            for box in boxes:
                desk.know(*box)
        elif method == "ask":
            assert desk is not None
            desk.ask(*arguments, who="referee")
        else:
            getattr(desk, method)(*arguments)
        assert desk is not None
        answer: Answer = (
            [(uid, desk.frames(uid), desk.wants_to_leave(uid)) for uid in desk.waiting()],
            desk.next_timer(),
            desk._arrivals.commit_at,
        )
        pickle.dump(answer, sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve()
