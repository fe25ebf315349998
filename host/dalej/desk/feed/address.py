"""Where the live desk of an event listens: a small file beside the event, `league.dalej.live`, for its owner alone."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from dalej import drafts
from dalej.desk.feed.messages import PROTOCOL
from dalej.errors import Unreachable, WrongInput
from dalej.typedjson import Reader, line_of
from dalej.words import N_, cause

_LONGEST: Final = 4_096


class Address(Struct, frozen=True):
    """`token`: 32 random bytes in hex, drawn anew by every desk."""

    host: Literal["127.0.0.1"]
    port: Annotated[int, Meta(gt=0, lt=65_536)]
    token: str
    protocol: int = PROTOCOL


class _Version(Struct, frozen=True):
    """What the address of any version says."""

    protocol: int


_VERSION: Final[Reader[_Version]] = Reader(_Version, _LONGEST)
_ADDRESS: Final[Reader[Address]] = Reader(Address, _LONGEST)


def file_of(event: Path) -> Path:
    """The file beside the event."""
    return event.with_name(f"{event.name}.live")


def publish(event: Path, address: Address) -> None:
    """Write the file, whole or not at all; Unreachable if the folder does not take it."""
    file = file_of(event)
    try:
        drafts.write(file, line_of(address))
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {problem}"), file=str(file), problem=cause(error)) from error


def find(event: Path) -> Address:
    """Where the event's live desk said that it listens; Unreachable if none did."""
    file = file_of(event)
    try:
        with file.open("rb") as reading:
            text = reading.read(_LONGEST)
        if _VERSION.read(text).protocol == PROTOCOL:
            return _ADDRESS.read(text)
    except FileNotFoundError:
        raise Unreachable(N_("no desk is live on {event}"), event=str(event)) from None
    except OSError as error:
        raise Unreachable(N_("{file} cannot be read: {problem}"), file=str(file), problem=cause(error)) from error
    except WrongInput as wrong:
        raise Unreachable(N_("{file} is not a desk's address: {problem}"), file=str(file), problem=wrong) from None
    raise Unreachable(
        N_("the live desk of {event} speaks another version of this protocol: update it or this screen"),
        event=str(event),
    )


def withdraw(event: Path, address: Address) -> None:
    """Remove the file if it is still this desk's."""
    with suppress(Unreachable, OSError):
        if find(event) == address:
            file_of(event).unlink()
