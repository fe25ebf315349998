"""What a hall says to its centre and hears from it, and the file that makes a laptop a hall: address, key, and whom it
trusts. Pure but for that file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from dalej import drafts
from dalej.errors import Unreachable, WrongInput
from dalej.typedjson import Reader
from dalej.words import N_, cause

ENTRIES_MOST: Final = 1_000  # in one batch
BODY_MOST: Final = 8 << 20
TOLD_MOST: Final = 32 << 20
_HEX: Final = r"^[0-9a-f]{64}$"
_LOOPBACK: Final = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1")

Digest = Annotated[str, Meta(pattern=_HEX)]


class Batch(Struct, frozen=True, forbid_unknown_fields=True):
    """Entries after number `after`, up to which the running digest is `digest`. `desk`: which desk it is.
    `anew`: this is another file than the one of epoch `anew`, and it is told from its beginning; None: it is not.
    """

    desk: Annotated[str, Meta(min_length=1, max_length=80)]
    after: Annotated[int, Meta(ge=0)]
    digest: Digest
    lines: Annotated[list[str], Meta(max_length=ENTRIES_MOST)]
    anew: int | None = None


class Reached(Struct, frozen=True):
    """How far a hall has come at its centre: in its `epoch`, entries up to `through`, with that running digest."""

    epoch: int
    through: int
    digest: str


class Asking(Struct, frozen=True, forbid_unknown_fields=True):
    """A hall asks for what was decided for it after number `after`, 0: from the beginning on; the last that it has of
    that is number `last`, with that `mark`. `epoch`, `through`, `digest`: what it has told, to the end.
    """

    after: Annotated[int, Meta(ge=0)]
    last: Annotated[int, Meta(ge=0)] = 0
    mark: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    epoch: int = 0
    through: int = 0
    digest: str = ""


class Told(Struct, frozen=True):
    """Decisions for a hall, in their order; and which of its own do not count, by the numbers of its file."""

    lines: Annotated[list[str], Meta(max_length=2 * ENTRIES_MOST)]
    not_taken: list[int] = []


class HallKey(Struct, frozen=True, forbid_unknown_fields=True):
    """What a hall's laptop is given. `trusts`: the authority of the centre's certificate, PEM; "": the system's."""

    hall: str
    url: str
    key: str
    trusts: str = ""


BATCHES: Final[Reader[Batch]] = Reader(Batch, BODY_MOST)
ASKING: Final[Reader[Asking]] = Reader(Asking, 4_096)
TOLD: Final[Reader[Told]] = Reader(Told, TOLD_MOST)
REACHED: Final[Reader[Reached]] = Reader(Reached, 4_096)
_HALLS: Final[Reader[HallKey]] = Reader(HallKey, 65_536)


def read_hall(file: Path) -> HallKey:
    """What the file says; WrongInput if it is no such file, or its address is in clear and not of this computer."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise Unreachable(N_("{file} cannot be read: {reason}"), file=str(file), reason=cause(error)) from error
    try:
        hall = _HALLS.read(text)
    except WrongInput as error:
        raise WrongInput(N_("{file} is no file of a hall: {problem}"), file=str(file), problem=error) from None
    expect_sealed(hall.url)
    return hall


def write_hall(file: Path, hall: HallKey) -> None:
    """For its owner's eyes; WrongInput if the name is taken."""
    try:
        drafts.write(file, msgspec.json.format(msgspec.json.encode(hall)) + b"\n", replace=False)
    except FileExistsError:
        raise WrongInput(N_("{file} already exists: expected a name that is free"), file=str(file)) from None
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(file), reason=cause(error)) from error


def expect_sealed(url: str) -> None:
    """WrongInput unless it is an address that nobody on the way can listen to."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        parts, host = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not host or parts.path not in ("", "/") or parts.query:
        raise WrongInput(
            N_("“{url}” is no address of a centre, expected one such as https://centre.example:8645"), url=url
        )
    if parts.scheme == "http" and _LOOPBACK.fullmatch(host) is None:
        raise WrongInput(N_("{url} is in clear, and others could read the key on its way: expected https://"), url=url)
