"""Ctrl-C, a terminal that is closed, and whoever ends the campaign: its stories end then, and what they have begun."""

from __future__ import annotations

import multiprocessing
import multiprocessing.process
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Final, Self

import psutil

STOPS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def heard() -> Iterator[None]:
    """Each of them ends the block as Ctrl-C does, with KeyboardInterrupt; not what is ignored, as under nohup."""
    listened_to = [one for one in STOPS if signal.getsignal(one) is not signal.SIG_IGN]
    before = {one: signal.signal(one, signal.default_int_handler) for one in listened_to}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def left_to_the_campaign() -> None:
    """From now on none of them ends this process, which plays stories: when it has none to play, the campaign does."""
    for one in STOPS:
        signal.signal(one, signal.SIG_IGN)


@contextmanager
def stories_of(pool: ProcessPoolExecutor) -> Iterator[None]:
    """A KeyboardInterrupt ends them with the block; what they have begun and could not end is killed then."""
    try:
        yield
    except KeyboardInterrupt:
        players = multiprocessing.active_children()
        begun = [one for player in players for one in _begun_by(player)]
        for player in players:
            if os.name == "nt":
                player.terminate()
            elif player.pid is not None:
                os.kill(player.pid, signal.SIGINT)
        try:
            pool.shutdown()
        finally:
            for one in begun:
                with suppress(psutil.Error):
                    one.kill()
        raise


def _begun_by(player: multiprocessing.process.BaseProcess) -> list[psutil.Process]:
    try:
        return psutil.Process(player.pid).children(recursive=True)
    except psutil.Error:
        return []


class Stoppable:
    """Its block, a story, is ended by the first of them with KeyboardInterrupt, and by no second one, since what it has
    begun must end as well. It is also where somebody on the way has swallowed that, as a C library's callbacks do.
    """

    def __init__(self) -> None:
        self.stopped = False

    def __enter__(self) -> Self:
        self._before = {one: signal.signal(one, self._stop) for one in STOPS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for one, handler in self._before.items():
            signal.signal(one, handler)
        if self.stopped and kind is not KeyboardInterrupt:
            raise KeyboardInterrupt from error

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if not self.stopped:
            self.stopped = True
            raise KeyboardInterrupt
