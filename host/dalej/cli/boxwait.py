"""A word to whoever waits at a terminal: what is being done, and after two seconds what it is waiting for."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

MOMENT_S: Final = 2.0


def begin(sentence: str) -> None:
    """Say at once what is done; a file or another program is told nothing."""
    if _is_watched():
        click.echo(sentence, err=True)


@contextmanager
def after_a_moment(sentence: str, moment_s: float = MOMENT_S) -> Iterator[None]:
    """Say it if the block takes longer than a moment."""
    if not _is_watched():
        yield
        return
    timer = threading.Timer(moment_s, click.echo, [sentence], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
