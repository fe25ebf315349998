"""The boxes that a club has paired: `boxes.json` in the club's folder, written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OwnBox:
    """`uid`: 12 hex digits; `name`: what is written on the box, such as "7"; `build`: a `moveclock.identity` mask."""

    uid: str
    name: str
    build: int
    paired_ms: int

    @property
    def uid_bytes(self) -> bytes:
        return bytes.fromhex(self.uid)


class OwnBoxes:
    """All of a club's boxes, as the file has them now."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "boxes.json"

    def __iter__(self) -> Iterator[OwnBox]:
        """In the order of their names, numbers as numbers. Damaged if the file cannot be read."""
        raise NotImplementedError

    def find(self, text: str) -> OwnBox:
        """By name, by uid or its unambiguous beginning or end; WrongInput says which are there."""
        raise NotImplementedError

    def keep(self, box: OwnBox) -> None:
        """Add it, or replace what is kept under its uid. Refused if another box has its name."""
        raise NotImplementedError

    def forget(self, uid: str) -> None:
        """Take it off the list; the box itself keeps its secret until it is paired anew."""
        raise NotImplementedError

    def free_name(self) -> str:
        """The smallest number that no box has as its name."""
        raise NotImplementedError
