"""A password for each role, as its scrypt hash in the club's folder: `serve.passwords`, for its owner alone.

{"version": 1, "roles": {"referee": {"n": 32768, "r": 8, "p": 3, "salt": "…", "hash": "…"}}}
The parameters lie with each hash, so that later ones may be harder and these still count. There is no password that
nobody set.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from dalej.acts.roles import ROLES, WORDS, Role
from dalej.club.keeping import alone, expect_private, write_whole
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.words import N_

SHORTEST: Final = 10  # characters: more than a referee types by accident, few enough to type on a phone
LONGEST: Final = 200
FILE: Final = "serve.passwords"

_VERSION: Final = 1
_SALT_BYTES: Final = 16
_HASH_BYTES: Final = 32
_LONGEST_FILE: Final = 16_384
_MEMORY_MOST: Final = 256 * 1024 * 1024  # bytes that a hash from the file may ask for


@dataclass(frozen=True, slots=True)
class Hashed:
    """`n`, `r`, `p`: scrypt's; `salt`, `hash` in hex."""

    n: int
    r: int
    p: int
    salt: str
    hash: str

    def is_of(self, password: str) -> bool:
        """Whether it is that password's; takes the same time for any."""
        found = _scrypt(password, bytes.fromhex(self.salt), self.n, self.r, self.p)
        return hmac.compare_digest(found, bytes.fromhex(self.hash))


@dataclass(frozen=True, slots=True)
class Cost:
    """How hard a new hash is. What OWASP asks of scrypt with 32 MiB: a third of a second on a laptop of the hall."""

    n: int = 1 << 15
    r: int = 8
    p: int = 3


class Passwords:
    """`folder`: the club's; `random(n)`: that many unpredictable bytes."""

    def __init__(self, folder: Path, random: Callable[[int], bytes], cost: Cost | None = None) -> None:
        self.path = folder / FILE
        self._random = random
        self._cost = Cost() if cost is None else cost

    def set(self, role: Role, password: str) -> None:
        """Keep it instead of what there is; WrongInput says why it cannot be one, Refused that another role has it."""
        expect_password(password)
        with alone(self.path.parent):
            kept = self._read()
            for other, hashed in kept.items():
                if other != role and hashed.is_of(password):
                    raise Refused(
                        N_("that is the password of the role {other}: whoever knows it would be both"),
                        other=DalejError(WORDS[other]),
                    )
            salt, cost = self._random(_SALT_BYTES), self._cost
            kept[role] = Hashed(
                cost.n, cost.r, cost.p, salt.hex(), _scrypt(password, salt, cost.n, cost.r, cost.p).hex()
            )
            self._write(kept)

    def drop(self, role: Role) -> None:
        """From now on nobody logs in with that role; Refused if it has no password."""
        with alone(self.path.parent):
            kept = self._read()
            if role not in kept:
                raise Refused(N_("the role {role} has no password"), role=DalejError(WORDS[role]))
            del kept[role]
            self._write(kept)

    def roles(self) -> Mapping[Role, str]:
        """The roles that have a password, and what changes with it."""
        return {role: hashed.hash for role, hashed in self._read().items()}

    def check(self, role: Role, password: str) -> bool:
        """Whether it is the role's; a role without a password has none that fits. Takes a third of a second."""
        hashed = self._read().get(role)
        return hashed is not None and len(password) <= LONGEST and hashed.is_of(password)

    def _write(self, kept: Mapping[Role, Hashed]) -> None:
        roles = {name: asdict(hashed) for name, hashed in kept.items()}
        write_whole(self.path, json.dumps({"version": _VERSION, "roles": roles}) + "\n")

    def _read(self) -> dict[Role, Hashed]:
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
            return {}
        except OSError as error:
            raise Unreachable(
                N_("{file} cannot be read: {problem}"), file=str(self.path), problem=error.strerror or str(error)
            ) from error
        try:
            said = json.loads(text)
            if said["version"] != _VERSION:
                raise ValueError(said["version"])
            return {role: _hashed(said["roles"][role]) for role in ROLES if role in said["roles"]}
        except (ValueError, TypeError, KeyError, RecursionError):
            raise Damaged(
                N_("{file} cannot be understood: remove it and set the passwords anew"), file=str(self.path)
            ) from None


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


def _hashed(said: Mapping[str, object]) -> Hashed:
    """ValueError or TypeError unless it can be computed here."""
    n, r, p, salt, hashed = (said[name] for name in ("n", "r", "p", "salt", "hash"))
    if not (isinstance(n, int) and isinstance(r, int) and isinstance(p, int)):
        raise TypeError(n)
    if not (isinstance(salt, str) and isinstance(hashed, str)):
        raise TypeError(salt)
    if n < 2 or n & (n - 1) or r < 1 or not 1 <= p <= 16 or 128 * n * r > _MEMORY_MOST:
        raise ValueError(n)
    if len(bytes.fromhex(hashed)) != _HASH_BYTES or not bytes.fromhex(salt):
        raise ValueError(hashed)
    return Hashed(n, r, p, salt, hashed)


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    """A phone and a laptop may spell ż differently: NFC makes them one."""
    return hashlib.scrypt(
        unicodedata.normalize("NFC", password).encode("utf-8", "replace"), salt=salt, n=n, r=r, p=p,
        maxmem=128 * n * r + 128 * r * p + (1 << 20), dklen=_HASH_BYTES,
    )  # fmt: skip
