"""The club's secret as a file, where the computer has no keyring: `club.key`, 64 hex digits, for its owner alone.

Beside it `club.id`, which is no secret: the fingerprint of the secret that was kept last, and whether in the keyring or
in the file. It is how a computer whose keyring is out of reach, or was emptied, knows that it has a club and must not
begin another.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from dalej.club.keeping import expect_private, write_whole
from dalej.errors import Unreachable
from dalej.words import N_

KEYRING: Final = "keyring"
FILE: Final = "file"

_LONGEST: Final = 4_096


class KeyFile:
    """`folder`: the club's."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "club.key"
        self.mark = folder / "club.id"

    def exists(self) -> bool:
        """Whether anything is there, readable or not."""
        return os.path.lexists(self.path)

    def read(self) -> str | None:
        """What the file holds, without the end of the line; None if there is none.

        Refused if others than its owner may read it.
        """
        try:
            with self.path.open("rb") as file:
                expect_private(
                    file,
                    N_("{file} holds the club's secret and can be read by others on this computer: expected its "
                       "owner alone, chmod 600 {file}"),
                    file=str(self.path),
                )  # fmt: skip
                return file.read(_LONGEST).decode("ascii", "replace").strip()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unreadable(self.path, error) from error

    def write(self, text: str) -> None:
        """Whole or not at all."""
        write_whole(self.path, f"{text}\n")

    def remember(self, fingerprint: str, place: str) -> None:
        """That a secret of that fingerprint is kept in that place, KEYRING or FILE."""
        if self.remembered() != (fingerprint, place):
            write_whole(self.mark, f"{fingerprint} {place}\n")

    def remembered(self) -> tuple[str, str]:
        """The fingerprint of what was kept last, and where; two empty texts if nothing ever was."""
        try:
            with self.mark.open("rb") as file:
                fingerprint, _, place = file.read(_LONGEST).decode("ascii", "replace").strip().partition(" ")
        except FileNotFoundError:
            return "", ""
        except OSError as error:
            raise _unreadable(self.mark, error) from error
        return fingerprint, place


def _unreadable(file: Path, error: OSError) -> Unreachable:
    return Unreachable(N_("{file} cannot be read: {problem}"), file=str(file), problem=error.strerror or str(error))
