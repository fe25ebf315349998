"""An event that is kept on PostgreSQL: its file only says where. Whoever opens the file has the event all the same, and
several computers may have such a file of one event.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from dalej import drafts
from dalej.errors import Unreachable, WrongInput
from dalej.typedjson import Reader
from dalej.words import N_, cause

_LONGEST: Final = 4_096
_BEGINS: Final = b"{"  # an event in one file begins as SQLite's files do


class Elsewhere(Struct, frozen=True, forbid_unknown_fields=True):
    """Where it is kept: under which `id`, in which `database`, as libpq takes it, without a password."""

    dalej: Literal["an event on PostgreSQL"]
    id: Annotated[str, Meta(pattern="^[0-9a-f]{12}$")]
    database: str


_FILES: Final[Reader[Elsewhere]] = Reader(Elsewhere, _LONGEST)


def is_elsewhere(file: Path) -> bool:
    """Whether that file says where its event is kept, or means to. One that may hold an event itself, and is larger, is
    not opened for it: closing it again would drop the locks that SQLite holds on it for this process.
    """
    try:
        if not 0 < file.stat().st_size <= _LONGEST:
            return False
        with file.open("rb") as opened:
            return opened.read(len(_BEGINS)) == _BEGINS
    except OSError:
        return False


def read_elsewhere(file: Path) -> Elsewhere:
    """What it says; WrongInput if it is no such file."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise Unreachable(N_("{file} cannot be read: {reason}"), file=str(file), reason=cause(error)) from error
    try:
        return _FILES.read(text)
    except WrongInput as error:
        raise WrongInput(N_("{file} is no event file: {problem}"), file=str(file), problem=error) from None


def elsewhere_text(event_id: str, database: str) -> bytes:
    """What such a file says; WrongInput if it would be too long."""
    said = msgspec.json.format(msgspec.json.encode(Elsewhere("an event on PostgreSQL", event_id, database))) + b"\n"
    if len(said) > _LONGEST:
        raise WrongInput(
            N_("the address of the database is too long: expected at most {most} letters"), most=_LONGEST // 2
        )
    return said


def write_elsewhere(file: Path, event_id: str, database: str) -> None:
    """A new one; WrongInput if the name is taken."""
    try:
        drafts.write(file, elsewhere_text(event_id, database), replace=False)
    except FileExistsError:
        raise WrongInput(N_("{file} already exists: expected a name that is free"), file=str(file)) from None
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(file), reason=cause(error)) from error
