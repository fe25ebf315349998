"""The club on its way to another laptop: its secret and its boxes, sealed under a passphrase, as a small JSON file.

    dalej "club keys" | version | scrypt {n, r, p, salt} | nonce | sealed | check

The key is scrypt of the passphrase (NFKC, UTF-8); `sealed` is AES-256-GCM over the JSON of secret and boxes, with all
that stands before it as additional data. `check`, SHA-256 over everything before it, tells a damaged file from a wrong
passphrase without trying any. Bytes are hex.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from msgspec import Meta, Struct
from msgspec.structs import replace

from dalej.boxes.paired import OwnBox, expect_boxes
from dalej.boxes.secret import SECRET_BYTES
from dalej.errors import Damaged, Refused, Unreachable, WrongInput
from dalej.hints import typed
from dalej.typedjson import Reader
from dalej.words import N_

WHAT: Final = "club keys"
VERSION: Final = 1
SHORTEST: Final = 12  # characters of a passphrase
_FEWEST: Final = 6  # different ones

_N: Final = 1 << 17  # 128 MB and some tenths of a second for every guess
_R: Final = 8
_P: Final = 1
_N_LEAST, _N_MOST = 1 << 14, 1 << 18  # 256 MB: whoever made the file is not to choose how much of ours it takes
_SALT, _NONCE, _KEY = 16, 12, 32


class _Cost(Struct, frozen=True, forbid_unknown_fields=True):
    n: Annotated[int, Meta(ge=_N_LEAST, le=_N_MOST)]
    r: Literal[8]
    p: Literal[1]
    salt: Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * _SALT}}}\Z")]


class _File(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`sealed`, `check`: empty while they are not made yet."""

    dalej: str
    version: int
    scrypt: _Cost
    nonce: Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * _NONCE}}}\Z")]
    sealed: Annotated[str, Meta(pattern=r"^([0-9a-f]{2})+\Z")] = ""
    check: str = ""


class _Body(Struct, frozen=True):
    """What is sealed."""

    secret: Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * SECRET_BYTES}}}\Z")]
    boxes: tuple[OwnBox, ...]


class _Kind(Struct, frozen=True):
    """What such a file of any version says."""

    dalej: str = ""
    version: int = 0


_KIND: Final[Reader[_Kind]] = Reader(_Kind)
_FILE: Final[Reader[_File]] = Reader(_File)
_BODY: Final[Reader[_Body]] = Reader(_Body)


@dataclass(frozen=True, slots=True)
class Carried:
    """What such a file holds."""

    secret: bytes = field(repr=False)
    boxes: tuple[OwnBox, ...]


def pack(
    secret: bytes, boxes: Iterable[OwnBox], passphrase: str, random: Callable[[int], bytes], *, n: int = _N
) -> str:
    """The file's text. `random(n)`: unpredictable bytes; `n`: scrypt's cost. WrongInput: the passphrase is short."""
    expect_passphrase(passphrase)
    bound = _File(WHAT, VERSION, _Cost(n, _R, _P, random(_SALT).hex()), random(_NONCE).hex())
    body = msgspec.json.encode(_Body(secret.hex(), tuple(boxes)))
    sealed = replace(bound, sealed=_cipher(bound, passphrase).encrypt(_nonce(bound), body, _text(bound)).hex())
    return msgspec.json.format(msgspec.json.encode(replace(sealed, check=_check(sealed))), indent=1).decode() + "\n"


def unpack(text: str, passphrase: str) -> Carried:
    """What `pack` sealed. WrongInput: no such file; Damaged: not whole, or of another version; Refused: the passphrase
    is another one.
    """
    file = _file(text)
    bound = replace(file, sealed="", check="")
    try:
        body = _cipher(bound, passphrase).decrypt(_nonce(bound), bytes.fromhex(file.sealed), _text(bound))
    except InvalidTag:
        raise Refused(N_("the passphrase is not the one that the file was exported with")) from None
    try:
        carried = _BODY.read(body)
        expect_boxes(carried.boxes)
    except WrongInput:
        raise _damaged() from None
    return Carried(bytes.fromhex(carried.secret), carried.boxes)


def expect_whole(text: str) -> None:
    """The same errors as far as no passphrase is needed to find them."""
    _file(text)


def expect_passphrase(passphrase: str) -> None:
    """WrongInput if it is too short, or of too few characters, to keep a secret for long."""
    if len(passphrase) < SHORTEST:
        raise WrongInput(
            N_("the passphrase has {count} characters: expected {shortest} or more, such as four words"),
            count=len(passphrase), shortest=SHORTEST,
        )  # fmt: skip
    if len(set(passphrase)) < _FEWEST:
        raise WrongInput(
            N_("of the passphrase's characters {count} differ: expected {fewest} or more, such as four words"),
            count=len(set(passphrase)), fewest=_FEWEST,
        )  # fmt: skip


def _file(text: str) -> _File:
    """The file, whose `check` is right."""
    try:
        kind = _KIND.read(text)
    except WrongInput:
        kind = _Kind()
    if kind.dalej != WHAT:
        raise WrongInput(N_("this is no file with a club's keys, or only a part of one")).hinted(
            N_("{command} writes one"), command=typed("box", "keys", "export", "FILE")
        )
    if kind.version != VERSION:
        raise Damaged(
            N_("the file is of version {version} and this Dalej reads version {expected}: expected the same Dalej on "
               "both laptops"),
            version=kind.version, expected=VERSION,
        )  # fmt: skip
    try:
        file = _FILE.read(text)
    except WrongInput:
        raise _damaged() from None
    if file.check != _check(replace(file, check="")):
        raise _damaged()
    return file


def _cipher(bound: _File, passphrase: str) -> AESGCM:
    cost = bound.scrypt
    if cost.n & (cost.n - 1):
        raise _damaged()
    kdf = Scrypt(bytes.fromhex(cost.salt), _KEY, cost.n, cost.r, cost.p)
    try:
        return AESGCM(kdf.derive(_typed(passphrase)))
    except MemoryError:
        raise Unreachable(
            N_("this computer has not the {megabytes} MB of memory that a passphrase takes: close something and try "
               "again"),
            megabytes=cost.n * cost.r * 128 >> 20,
        ) from None  # fmt: skip


def _typed(passphrase: str) -> bytes:
    """The same bytes however a keyboard composes its letters and whatever encoding the terminal is set to: what Python
    cannot decode it hands on as surrogates, and Windows types some characters as two.
    """
    text = passphrase.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    try:
        said = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        said = text.encode("utf-8", "surrogatepass")
    text = unicodedata.normalize("NFKC", said.decode("utf-8", "surrogateescape"))
    return text.encode("utf-8", "surrogateescape")


def _nonce(bound: _File) -> bytes:
    return bytes.fromhex(bound.nonce)


def _check(sealed: _File) -> str:
    return hashlib.sha256(_text(sealed)).hexdigest()


def _text(head: _File) -> bytes:
    """What is hashed and bound, the same whatever the layout of the file."""
    return msgspec.json.encode(head, order="sorted")


def _damaged() -> Damaged:
    return Damaged(N_("the file is damaged: export it again on the laptop it comes from"))
