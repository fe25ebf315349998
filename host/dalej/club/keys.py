"""The club's secret: 32 random bytes that every box's secret is derived from.

It lies in the operating system's keyring, or, where there is none, in a file that only its owner can read
(`club.key`, mode 0600, in `club_folder`). It is made once and never printed; `dalej.club.export` carries it to another
laptop under a passphrase.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

SECRET_BYTES: Final = 32


class ClubKeys:
    """`folder`: where the file is if the computer has no keyring; `random(n)`: unpredictable bytes."""

    def __init__(self, folder: Path, random: Callable[[int], bytes]) -> None:
        self._folder = folder
        self._random = random

    def exist(self) -> bool:
        """Whether there is a secret. Damaged if there is something else in its place."""
        raise NotImplementedError

    def secret(self) -> bytes:
        """The club's secret; Refused, and what to do, if there is none yet."""
        raise NotImplementedError

    def make(self) -> bytes:
        """The club's secret, made and kept now if there was none."""
        raise NotImplementedError

    def replace(self, secret: bytes) -> None:
        """Another club's secret takes the place of this one's."""
        raise NotImplementedError

    def where(self) -> str:
        """In words: the keyring's name, or the file."""
        raise NotImplementedError

    def of_box(self, uid: bytes) -> bytes:
        """The 32 bytes by which a box of the club and a desk know each other (`moveclock.secure.box_secret`)."""
        raise NotImplementedError
