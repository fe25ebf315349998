"""Keyrings for tests, of keyring's own kind: one that keeps what it is given in a folder, and one that misbehaves.

They are only there while `DALEJ_TEST_RING` names their folder, so that no other test finds them.
"""

from __future__ import annotations

import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.compat import properties
from keyring.errors import InitError, KeyringLocked, PasswordSetError

VARIABLE = "DALEJ_TEST_RING"
FOLDER = f"{__name__}.FolderRing"
LOCKED = f"{__name__}.LockedRing"
SICK = f"{__name__}.SickRing"
FORGETFUL = f"{__name__}.ForgetfulRing"
NONE = "keyring.backends.fail.Keyring"


def _priority() -> float:
    if VARIABLE not in os.environ:
        raise RuntimeError("no test wants it")
    return 5


class FolderRing(KeyringBackend):
    """Every entry is a file."""

    @properties.classproperty  # type: ignore[misc,arg-type,unused-ignore]
    def priority(cls) -> float:  # noqa: N805 -- of the class
        return _priority()

    def get_password(self, service: str, username: str) -> str | None:
        file = self._file(service, username)
        return file.read_text(encoding="utf-8") if file.exists() else None

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file(service, username).write_text(password, encoding="utf-8")

    def _file(self, service: str, username: str) -> Path:
        return Path(os.environ[VARIABLE]) / f"{service}.{username}"


class LockedRing(FolderRing):
    """Nobody has typed its password."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("locked")


class SickRing(FolderRing):
    """It reads, and its writing fails with an error that repeats what it was given."""

    def get_password(self, service: str, username: str) -> str | None:
        if os.environ.get("DALEJ_TEST_RING_DEAD"):
            raise InitError("no answer")
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        raise PasswordSetError(f"cannot keep {password}")


class ForgetfulRing(FolderRing):
    """It says yes and keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        return
