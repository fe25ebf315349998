"""Who came and went: a line for each in EVENT.audit.jsonl, where `dalej.acts.audit` keeps what they did.

{"when_ms": …, "log": "in", "name": "Sowa", "role": "referee", "address": "192.168.4.12"}; `log` is in, refused, out.
No password comes near it. A disk that does not take a line keeps nobody out; that is said once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from dalej.acts.audit import AuditFile


def trail_of(event: Path) -> Path:
    """The file beside the event."""
    return event.with_name(f"{event.name}.audit.jsonl")


class Trail:
    """`file`: the one of the acts too; `wall_ms` tells Unix time."""

    def __init__(self, file: AuditFile, wall_ms: Callable[[], int]) -> None:
        self._file = file
        self._wall_ms = wall_ms

    def note(self, what: Mapping[str, object]) -> None:
        """Add the line."""
        self._file.add({"when_ms": self._wall_ms(), **what})
