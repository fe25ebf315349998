"""Where the live desk of an event listens: a small file beside the event, `league.dalej.live`, for its owner alone.

Whoever can read it can show its token; who cannot is a stranger on this computer. A desk that was killed leaves its
file behind, the next one replaces it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from dalej import drafts
from dalej.errors import Unreachable
from dalej.live.messages import PROTOCOL
from dalej.words import N_

LOOPBACK: Final = "127.0.0.1"
TOKEN_BYTES: Final = 32
_LONGEST: Final = 4_096


@dataclass(frozen=True, slots=True)
class Address:
    """`token`: 32 random bytes in hex, drawn anew by every desk."""

    host: str
    port: int
    token: str
    protocol: int = PROTOCOL


def file_of(event: Path) -> Path:
    """The file beside the event."""
    return event.with_name(f"{event.name}.live")


def publish(event: Path, address: Address) -> None:
    """Write the file, whole or not at all; Unreachable if the folder does not take it."""
    file = file_of(event)
    try:
        drafts.write(file, json.dumps(asdict(address)).encode())
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {problem}"), file=str(file), problem=error.strerror) from error


def find(event: Path) -> Address:
    """Where the event's live desk said that it listens; Unreachable if none did."""
    try:
        with file_of(event).open("rb") as file:
            said = json.loads(file.read(_LONGEST))
        host, port, token, protocol = (said[name] for name in ("host", "port", "token", "protocol"))
    except FileNotFoundError:
        raise Unreachable(N_("no desk is live on {event}"), event=str(event)) from None
    except OSError as error:
        raise Unreachable(
            N_("{file} cannot be read: {problem}"), file=str(file_of(event)), problem=error.strerror
        ) from error
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Unreachable(N_("{file} is not a desk's address"), file=str(file_of(event))) from None
    if host != LOOPBACK or type(port) is not int or not 0 < port < 65536 or not isinstance(token, str):
        raise Unreachable(N_("{file} is not a desk's address"), file=str(file_of(event)))
    if protocol != PROTOCOL:
        raise Unreachable(
            N_("the live desk of {event} speaks another version of this protocol: update it or this screen"),
            event=str(event),
        )
    return Address(host, port, token, protocol)


def withdraw(event: Path, address: Address) -> None:
    """Remove the file if it is still this desk's."""
    with suppress(Unreachable, OSError):
        if find(event) == address:
            file_of(event).unlink()
