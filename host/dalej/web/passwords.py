"""A password for each role, as its Argon2id hash in the club's folder: `serve.passwords`, for its owner alone.

{"version": 2, "roles": {"referee": "$argon2id$v=19$m=19456,t=2,p=1$…$…"}}
The parameters lie with each hash (PHC), so that later ones may be harder and these still count. There is no password
that nobody set.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from msgspec import Meta, Struct

from dalej.boxes.folder import alone, expect_private, write_whole
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.hints import typed
from dalej.office.acts.roles import ROLES, Role
from dalej.typedjson import Reader, line_of
from dalej.words import N_, ROLE_WORDS, cause

SHORTEST: Final = 10  # characters: more than a referee types by accident, few enough to type on a phone
LONGEST: Final = 200
FILE: Final = "serve.passwords"

_VERSION: Final = 2
_OLDER: Final = 1  # scrypt, in a format of its own
_SALT_BYTES: Final = 16
_HASH_BYTES: Final = 32
_LONGEST_FILE: Final = 16_384
# Never more than 98 MiB and nine passes, whatever lies in the file.
_Phc = Annotated[
    str, Meta(pattern=r"^\$argon2id\$v=19\$m=[1-9][0-9]{0,4},t=[1-9],p=[1-9]\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}\Z")
]


class _AnyVersion(Struct, frozen=True):
    version: int
    roles: dict[str, Any]


class _Kept(Struct, frozen=True):
    version: int
    roles: dict[str, _Phc]


_ANY_VERSION: Final[Reader[_AnyVersion]] = Reader(_AnyVersion)
_KEPT: Final[Reader[_Kept]] = Reader(_Kept)


@dataclass(frozen=True, slots=True)
class Cost:
    """How hard a new hash is. The least that OWASP asks of Argon2id: of what it holds equal, the least memory."""

    memory_kib: int = 19 * 1024
    iterations: int = 2
    lanes: int = 1


class Passwords:
    """`folder`: the club's; `random(n)`: that many unpredictable bytes."""

    def __init__(self, folder: Path, random: Callable[[int], bytes], cost: Cost | None = None) -> None:
        self.path = folder / FILE
        self._random = random
        self._cost = Cost() if cost is None else cost

    def set(self, role: Role, password: str) -> list[Role]:
        """Keep it instead of what there is; WrongInput says why it cannot be one, Refused that another role has it.

        The roles that have none any more by that: their hashes were an older Dalej's.
        """
        expect_password(password)
        with alone(self.path.parent):
            version, found = self._found()
            kept = found if version == _VERSION else {}
            for other, phc in kept.items():
                if other != role and self._is_of(phc, password):
                    raise Refused(
                        N_("that is the password of the role {other}: whoever knows it would be both"),
                        other=DalejError(ROLE_WORDS[other]),
                    )
            kept[role] = Argon2id(
                salt=self._random(_SALT_BYTES), length=_HASH_BYTES, memory_cost=self._cost.memory_kib,
                iterations=self._cost.iterations, lanes=self._cost.lanes,
            ).derive_phc_encoded(_spelt(password))  # fmt: skip
            self._write(kept)
        return [other for other in found if other not in kept]

    def drop(self, role: Role) -> None:
        """From now on nobody logs in with that role; Refused if it has no password."""
        with alone(self.path.parent):
            kept = self._read()
            if role not in kept:
                raise Refused(N_("the role {role} has no password"), role=DalejError(ROLE_WORDS[role]))
            del kept[role]
            self._write(kept)

    def roles(self) -> Mapping[Role, str]:
        """The roles that have a password, and what changes with it."""
        return self._read()

    def check(self, role: Role, password: str) -> bool:
        """Whether it is the role's; a role without a password has none that fits. Takes a tenth of a second and the
        memory that the hash asks for: whoever checks many counts them.
        """
        phc = self._read().get(role)
        return phc is not None and len(password) <= LONGEST and self._is_of(phc, password)

    def _is_of(self, phc: str, password: str) -> bool:
        """Takes the same time for any."""
        try:
            Argon2id.verify_phc_encoded(_spelt(password), phc)
        except InvalidKey:
            return False
        except ValueError:  # parameters that do not go together
            raise self._damaged(DalejError(N_("a hash whose costs do not go together"))) from None
        return True

    def _write(self, kept: Mapping[Role, str]) -> None:
        write_whole(self.path, line_of(_Kept(_VERSION, dict(kept.items()))).decode())

    def _read(self) -> dict[Role, str]:
        """Refused if they are an older Dalej's, and what to type is said."""
        version, found = self._found()
        if version == _OLDER and found:
            raise Refused(
                N_("{file} is of an older Dalej, whose hashes count no more: set the password of each role anew "
                   "({roles})"),
                file=str(self.path), roles=", ".join(found),
            ).hinted(
                N_("{steps} does that"), steps=tuple(typed("serve", "--set-password", role) for role in found)
            )  # fmt: skip
        return found

    def _found(self) -> tuple[int, dict[Role, str]]:
        """The version of the file, and what it says of each role."""
        try:
            with self.path.open("rb") as file:
                expect_private(
                    file,
                    N_("{file} holds the passwords' hashes and can be read by others on this computer: expected "
                       "its owner alone, chmod 600 {file}"),
                    file=str(self.path),
                )  # fmt: skip
                text = file.read(_LONGEST_FILE)
        except FileNotFoundError:
            return _VERSION, {}
        except OSError as error:
            raise Unreachable(
                N_("{file} cannot be read: {problem}"), file=str(self.path), problem=cause(error)
            ) from error
        try:
            said: _AnyVersion | _Kept = _ANY_VERSION.read(text)
            if said.version == _VERSION:
                said = _KEPT.read(text)
            elif said.version != _OLDER:
                raise WrongInput(N_("it is of another version of Dalej"))
        except WrongInput as wrong:
            raise self._damaged(wrong) from None
        return said.version, {role: said.roles[role] for role in ROLES if role in said.roles}

    def _damaged(self, problem: DalejError) -> Damaged:
        return Damaged(
            N_("{file} cannot be understood ({problem}): remove it and set the passwords anew"),
            file=str(self.path), problem=problem,
        )  # fmt: skip


def expect_password(password: str) -> None:
    """WrongInput says what is missing; never what it was."""
    if len(password) < SHORTEST:
        raise WrongInput(
            N_("a password has {shortest} characters or more, such as three words; this one has {count}"),
            shortest=SHORTEST, count=len(password),
        )  # fmt: skip
    if len(password) > LONGEST:
        raise WrongInput(
            N_("a password has at most {longest} characters; this one has {count}"),
            longest=LONGEST, count=len(password),
        )  # fmt: skip
    if len(set(password)) < SHORTEST // 2:
        raise WrongInput(N_("a password of so few different characters is guessed at once"))


def _spelt(password: str) -> bytes:
    """A phone and a laptop may spell ż differently: NFC makes them one."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "replace")
