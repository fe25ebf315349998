"""Which events are served from this computer: `dalej run` leaves a note in the club's folder while it lives.

So a command that is given no more than a box's name finds the desk that has the box. A note proves nothing: a desk that
was killed leaves it behind. Whether a desk lives its own socket tells (`dalej.desk.feed.client.connect`), on every
system.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from dalej.boxes.folder import write_whole
from dalej.errors import Unreachable, WrongInput
from dalej.typedjson import Reader

FOLDER: Final = "live"
_LONGEST: Final = 64 * 1024  # bytes of a note that are read


class _Note(Struct, frozen=True):
    event: str


_NOTE: Final[Reader[_Note]] = Reader(_Note, halves=True)


@contextmanager
def noted(folder: Path, event: Path) -> Iterator[None]:
    """While the block runs, `events` tells of it. A folder that cannot be written keeps no desk from its work."""
    event = Path(os.path.abspath(event))  # noqa: PTH100 -- a link to the file stays one: the desk's address is beside it
    note = folder / FOLDER / f"{hashlib.sha256(os.fsencode(event)).hexdigest()[:16]}.json"
    text = json.dumps({"event": str(event), "process": os.getpid()})
    with suppress(OSError, Unreachable):
        note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(note.parent)
        write_whole(note, text)
    try:
        yield
    finally:
        with suppress(OSError):
            if note.read_text(encoding="utf-8") == text:  # else a later desk's
                note.unlink()


def events(folder: Path) -> Sequence[Path]:
    """The events of all notes, by name; of some of them no desk may be live any more."""
    return sorted(found for found in map(_event, _notes(folder / FOLDER)) if found is not None)


def _notes(folder: Path) -> Sequence[Path]:
    with suppress(OSError):
        return list(folder.glob("*.json"))
    return []


def _event(note: Path) -> Path | None:
    """The event that a note tells of, None if it is none or the event is gone."""
    try:
        with note.open("rb") as reading:
            event = Path(_NOTE.read(reading.read(_LONGEST)).event)
        return event if event.is_absolute() and event.is_file() else None
    except (OSError, ValueError, WrongInput):  # ValueError: a path with a NUL in it
        return None


def _sweep(folder: Path) -> None:
    """Away with notes of events that are no more."""
    for note in _notes(folder):
        if _event(note) is None:
            with suppress(OSError):
                note.unlink()
