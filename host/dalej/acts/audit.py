"""Keeps a line of JSON for every act, in a file that only its owner can read.

{"when_ms": 1795262400000, "name": "Sowa", "role": "referee", "act": "stop", "args": {"table": 3, "reason": "dispute"},
"why": "", "decisions": [], "requests": [17], "refused": null}
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from dalej.acts.performing import Line

_FLAGS: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


class AuditFile:
    """Lines of JSON, each whole though others write to the file too. `complain(problem)`: told once when one cannot be
    kept, until one can be again; nothing fails because of it.
    """

    def __init__(self, file: Path, complain: Callable[[str], None]) -> None:
        self._file = file
        self._complain = complain
        self._fails = False

    def add(self, what: Mapping[str, object]) -> None:
        """Append it in one write."""
        line = json.dumps(what, separators=(",", ":"), default=str).encode() + b"\n"
        try:
            number = os.open(self._file, _FLAGS, 0o600)
            try:
                if os.write(number, line) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                os.close(number)
        except OSError as error:
            if not self._fails:
                self._complain(error.strerror or str(error))
            self._fails = True
        else:
            self._fails = False


class FileAudit:
    """An `Audit`: what was done, or refused, in `file`."""

    def __init__(self, file: AuditFile) -> None:
        self._file = file

    def __call__(self, line: Line) -> None:
        """Append it; the act stays whether it can be kept or not."""
        self._file.add(fields(line))


def fields(line: Line) -> dict[str, object]:
    """The line under its JSON names."""
    done, wish = line.done, line.wish
    return {
        "when_ms": line.when_ms, "name": line.actor.name, "role": line.actor.role, "act": wish.act, "args": wish.args,
        "why": wish.why, "decisions": [] if done is None else list(done.decisions),
        "requests": [] if done is None else list(done.requests),
        "refused": None if line.refusal is None else str(line.refusal),
    }  # fmt: skip
