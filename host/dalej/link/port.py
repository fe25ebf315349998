"""What a link needs of the desk: somebody who takes frames of a box and has frames for it.

An adapter that holds few links also needs to be told whom to connect to, by somebody who hears advertisements.
"""

from __future__ import annotations

from typing import Protocol


class LinkPort(Protocol):
    """Boxes are known by their uid (6 bytes). Times are ms of the desk's monotonic clock."""

    def connected(self, uid: bytes, now_ms: int) -> None:
        """A link to the box is up and notifications are on."""

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        """The link is gone."""

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        """A notification came."""

    def waiting(self) -> list[bytes]:
        """Uids of boxes to which there is something to say, or whose link should be closed."""

    def frames(self, uid: bytes) -> list[bytes]:
        """What to write to the box now."""

    def wants_to_leave(self, uid: bytes) -> bool:
        """Whether the link should be closed from this side."""

    def next_timer(self) -> int | None:
        """When `handle_timer` is due."""

    def handle_timer(self, now_ms: int) -> None:
        """Do what is due."""


class ScanningPort(LinkPort, Protocol):
    """A desk whose boxes take turns on the links of one adapter."""

    def advertised(self, data: bytes, now_ms: int) -> bytes | None:
        """The scanner heard manufacturer data, from whomever; repetitions too, at least every few seconds. The uid of
        the box if it is one of this desk's and speaks now.
        """

    def to_connect(self, now_ms: int) -> list[bytes]:
        """Boxes to connect to now, one after the other; each ends in `connected` or `failed`."""

    def failed(self, uid: bytes, now_ms: int) -> None:
        """The box could not be connected."""

    def proved(self, uid: bytes) -> bool:
        """Whether whoever is on the box's latest link has shown that it is the box: it knows the secret."""

    def plugged(self, uid: bytes, now_ms: int) -> None:
        """The box is on a cable from now on: its link, which `connected` tells of, takes none of the adapters'."""

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        """The box is on no cable any more."""
