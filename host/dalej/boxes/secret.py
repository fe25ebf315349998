"""The club's secret: 32 random bytes that every box's secret is derived from. It is kept in the computer's keyring,
or as a file where there is none: `club.key`, 64 hex digits, for its owner alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dalej.boxes.folder import alone, expect_private, write_whole
from dalej.boxes.paired import OwnBoxes
from dalej.errors import Damaged, Refused, Sayable, Unreachable, WrongInput
from dalej.hints import typed
from dalej.words import N_, _, cause
from moveclock.secure import box_secret, derive

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

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
    return Unreachable(N_("{file} cannot be read: {problem}"), file=str(file), problem=cause(error))


SECRET_BYTES: Final = 32
SERVICE: Final = "dalej"
USER: Final = "club secret"
NO_KEYRING: Final = "PYTHON_KEYRING_BACKEND=keyring.backends.fail.Keyring"  # then the file is used

_TEXT: Final = re.compile(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}")


class ClubKeys:
    """`folder`: where the file is if the computer has no keyring; `random(n)`: unpredictable bytes."""

    def __init__(self, folder: Path, random: Callable[[int], bytes]) -> None:
        self._folder = folder
        self._random = random
        self._file = KeyFile(folder)
        self._known: bytes | None = None

    def exist(self) -> bool:
        """Whether there is a secret. Damaged if there is something else in its place."""
        return self._found(_keyring()) is not None

    def secret(self) -> bytes:
        """The club's secret; Refused, and what to do, if there is none yet."""
        found = self._found(_keyring())
        if found is None:
            raise Refused(N_("this computer has no club secret yet")).hinted(
                N_("{pair} makes one with the first box, {command} brings that of another laptop"),
                pair=typed("box", "pair", "PORT"), command=typed("box", "keys", "import", "FILE"),
            )  # fmt: skip
        return found

    def make(self) -> bytes:
        """The club's secret, made and kept now if there was none."""
        with alone(self._folder):
            found = self._found(_keyring())
            if found is None:
                found = self._random(SECRET_BYTES)
                self._keep(found)
            else:
                self._file.remember(fingerprint(found), FILE if self._file.exists() else KEYRING)
        return found

    def replace(self, secret: bytes) -> None:
        """Another club's secret, or a new one, takes the place of this one's, whatever state that is in."""
        if len(secret) != SECRET_BYTES:
            raise WrongInput(N_("a club secret has {expected} bytes, not {count}"), expected=SECRET_BYTES,
                             count=len(secret))  # fmt: skip
        with alone(self._folder):
            self._keep(secret)

    def where(self) -> str:
        """In words: the keyring's name, or the file."""
        ring = _keyring()
        if ring is not None and (ring.read() is not None or not self._file.exists()):
            return _("the keyring of this computer ({name})").format(name=ring.name)
        return str(self._file.path)

    def remembered(self) -> str:
        """The fingerprint of the secret that was kept last, whether or not it is found; "" if none ever was."""
        return self._file.remembered()[0]

    def of_box(self, uid: bytes) -> bytes:
        """The 32 bytes by which a box of the club and a desk know each other (`moveclock.secure.box_secret`), since the
        box's latest pairing. One that is not on the club's list has been paired with nobody: no box knows what is given
        for it.
        """
        if self._known is None:
            self._known = self.secret()  # a keyring takes its time, and a desk asks for every link
        return box_secret(self._known, uid, OwnBoxes(self._folder).number_of(uid))

    def _keep(self, secret: bytes) -> None:
        """Wherever it is kept already; for the first time in the keyring, or in the file if there is none."""
        ring, in_file = _keyring(), self._file.exists()
        if ring is not None and (not in_file or ring.read() is not None):
            ring.write(secret.hex())
        if ring is None or in_file:
            self._file.write(secret.hex())
        self._file.remember(fingerprint(secret), FILE if self._file.exists() else KEYRING)
        self._known = None

    def _found(self, ring: _Keyring | None) -> bytes | None:
        in_ring, in_file = None if ring is None else ring.read(), self._file.read()
        if in_ring is not None and in_file is not None and in_ring != in_file:
            raise Damaged(
                N_("the keyring of this computer and {file} hold different club secrets: expected one"),
                file=str(self._file.path),
            ).hinted(
                N_("{command}, with a file that was exported, says which"),
                command=typed("box", "keys", "import", "FILE", "--replace"),
            )  # fmt: skip
        if in_ring is not None:
            return _secret_of(in_ring, N_("the club's secret in the keyring of this computer cannot be read: expected "
                                          "{digits} hex digits"))  # fmt: skip
        if in_file is not None:
            return _secret_of(in_file, N_("{file} does not hold a club's secret: expected {digits} hex digits"),
                              file=str(self._file.path))  # fmt: skip
        self._expect_none_before(ring)
        return None

    def _expect_none_before(self, ring: _Keyring | None) -> None:
        """Whoever had a secret and does not find it must not get another one unasked."""
        remembered, place = self._file.remembered()
        if not remembered:
            return
        if ring is None and place != FILE:
            raise Unreachable(
                N_("the club's secret (fingerprint {fingerprint}) is in the keyring of this computer, which cannot be "
                   "reached from here: log in on its own screen, or bring the secret once more"),
                fingerprint=remembered,
            ).hinted(
                N_("{command} brings it"), command=typed("box", "keys", "import", "FILE", "--replace")
            )  # fmt: skip
        raise Damaged(
            N_("the club's secret (fingerprint {fingerprint}) is not found any more, neither in {file} nor in a "
               "keyring: bring it once more, or begin with a new one and pair every box anew"),
            fingerprint=remembered, file=str(self._file.path),
        ).hinted(
            N_("{command} brings it, {renew} begins anew"),
            command=typed("box", "keys", "import", "FILE", "--replace"), renew=typed("box", "keys", "renew"),
        )  # fmt: skip


def fingerprint(secret: bytes) -> str:
    """Sixteen hex digits that tell one secret from another and nothing about it."""
    digits = derive(secret, b"club fingerprint")[:8].hex()
    return "-".join(digits[place : place + 4] for place in range(0, len(digits), 4))


class _Keyring:
    """The one entry of the operating system's keyring; Unreachable, in one sentence, whatever is wrong with it."""

    def __init__(self, backend: KeyringBackend) -> None:
        self._backend = backend
        self.name = backend.name

    def read(self) -> str | None:
        try:
            found = self._backend.get_password(SERVICE, USER)
        except Exception as error:  # noqa: BLE001 -- backends raise errors of their own systems
            raise self._problem(error) from None
        return None if found is None else found.strip()

    def write(self, text: str) -> None:
        try:
            self._backend.set_password(SERVICE, USER, text)
        except Exception as error:  # noqa: BLE001 -- and nobody knows what those say: nothing of them is passed on
            raise self._problem(error) from None
        if self.read() != text:
            raise Unreachable(
                N_("the keyring of this computer ({name}) does not keep what it is given; with {variable} the club's "
                   "secret is kept in a file instead"),
                name=self.name, variable=NO_KEYRING,
            )  # fmt: skip

    def _problem(self, error: Exception) -> Unreachable:
        from keyring.errors import KeyringLocked  # noqa: PLC0415 -- see `_keyring`

        if isinstance(error, KeyringLocked):
            return Unreachable(
                N_("the keyring of this computer ({name}) is locked: unlock it and try again"), name=self.name
            )
        return Unreachable(
            N_("the keyring of this computer ({name}) does not answer ({problem}): log in on its own screen and try "
               "again; with {variable} the club's secret is looked for in a file instead"),
            name=self.name, problem=type(error).__name__, variable=NO_KEYRING,
        )  # fmt: skip


def _keyring() -> _Keyring | None:
    """The one that `PYTHON_KEYRING_BACKEND` names, else the operating system's; None if there is none to rely on."""
    import keyring.core  # noqa: PLC0415 -- it looks for backends on the disk, and most commands need no secret

    try:
        backend = keyring.core.load_env() or keyring.core.get_keyring()
        usable = keyring.core.recommended(backend)
    except Exception as error:  # noqa: BLE001 -- a setting that names nothing, or a backend that does not run here
        raise Unreachable(
            N_("the keyring that this computer is set to use cannot be loaded ({problem}); with {variable} the club's "
               "secret is kept in a file instead"),
            problem=type(error).__name__, variable=NO_KEYRING,
        ) from None  # fmt: skip
    return _Keyring(backend) if usable else None


def _secret_of(text: str, template: str, **data: Sayable) -> bytes:
    if _TEXT.fullmatch(text) is None:
        raise Damaged(template, digits=2 * SECRET_BYTES, **data)
    return bytes.fromhex(text)
