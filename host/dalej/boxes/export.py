"""The club on its way to another laptop: its secret and its boxes, sealed under a passphrase, as a small JSON file.

    dalej "club keys" | version | scrypt {n, r, p, salt} | nonce | sealed | check

The key is scrypt of the passphrase (NFKC, UTF-8); `sealed` is AES-256-GCM over the JSON of secret and boxes, with all
that stands before it as additional data. `check`, SHA-256 over everything before it, tells a damaged file from a wrong
passphrase without trying any. Bytes are hex.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from dalej.boxes.paired import OwnBox, read_boxes
from dalej.boxes.secret import SECRET_BYTES
from dalej.errors import Damaged, Refused, Unreachable, WrongInput
from dalej.words import N_

WHAT: Final = "club keys"
VERSION: Final = 1
SHORTEST: Final = 12  # characters of a passphrase
_FEWEST: Final = 6  # different ones

_N, _R, _P = 1 << 17, 8, 1  # 128 MB and some tenths of a second for every guess
_N_LEAST, _N_MOST = 1 << 14, 1 << 18  # 256 MB: whoever made the file is not to choose how much of ours it takes
_SALT, _NONCE, _KEY = 16, 12, 32


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
    head: dict[str, object] = {
        "dalej": WHAT, "version": VERSION, "scrypt": {"n": n, "r": _R, "p": _P, "salt": random(_SALT).hex()},
        "nonce": random(_NONCE).hex(),
    }  # fmt: skip
    body = json.dumps({"secret": secret.hex(), "boxes": [asdict(box) for box in boxes]}).encode()
    head["sealed"] = _cipher(head, passphrase).encrypt(_bytes(head, "nonce", _NONCE), body, _text(head)).hex()
    head["check"] = hashlib.sha256(_text(head)).hexdigest()
    return json.dumps(head, indent=1) + "\n"


def unpack(text: str, passphrase: str) -> Carried:
    """What `pack` sealed. WrongInput: no such file; Damaged: not whole, or of another version; Refused: the passphrase
    is another one.
    """
    head = _head(text)
    sealed = _hex(head.pop("sealed"))
    try:
        body = _cipher(head, passphrase).decrypt(_bytes(head, "nonce", _NONCE), sealed, _text(head))
    except InvalidTag:
        raise Refused(N_("the passphrase is not the one that the file was exported with")) from None
    return _carried(body)


def expect_whole(text: str) -> None:
    """The same errors as far as no passphrase is needed to find them."""
    _head(text)


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


def _head(text: str) -> dict[str, object]:
    """The file without its `check`, which was right."""
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("dalej") != WHAT:
        raise WrongInput(N_("this is no file of dalej box keys export, or only a part of one"))
    if head.get("version") != VERSION:
        raise Damaged(
            N_("the file is of version {version} and this Dalej reads version {expected}: expected the same Dalej on "
               "both laptops"),
            version=head.get("version"), expected=VERSION,
        )  # fmt: skip
    check = head.pop("check", None)
    if check != hashlib.sha256(_text(head)).hexdigest() or not isinstance(head.get("sealed"), str):
        raise _damaged()
    return head


def _carried(body: bytes) -> Carried:
    try:
        said = json.loads(body)
        secret, boxes = bytes.fromhex(said["secret"]), read_boxes(said["boxes"])
    except (ValueError, TypeError, KeyError):
        raise _damaged() from None
    if len(secret) != SECRET_BYTES or boxes is None:
        raise _damaged()
    return Carried(secret, tuple(boxes))


def _cipher(head: Mapping[str, object], passphrase: str) -> AESGCM:
    cost = head.get("scrypt")
    if not isinstance(cost, Mapping):
        raise _damaged()
    n, r, p = (cost.get(name) for name in ("n", "r", "p"))
    power = isinstance(n, int) and _N_LEAST <= n <= _N_MOST and n & (n - 1) == 0
    if not power or not isinstance(n, int) or (r, p) != (_R, _P):
        raise _damaged()
    kdf = Scrypt(_bytes(cost, "salt", _SALT), _KEY, n, _R, _P)
    try:
        return AESGCM(kdf.derive(_typed(passphrase)))
    except MemoryError:
        raise Unreachable(
            N_("this computer has not the {megabytes} MB of memory that a passphrase takes: close something and try "
               "again"),
            megabytes=n * _R * 128 >> 20,
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


def _bytes(said: Mapping[str, object], name: str, size: int) -> bytes:
    found = _hex(said.get(name))
    if len(found) != size:
        raise _damaged()
    return found


def _hex(said: object) -> bytes:
    try:
        return bytes.fromhex(str(said))
    except ValueError:
        raise _damaged() from None


def _text(head: Mapping[str, object]) -> bytes:
    """What is hashed and bound, the same whatever the layout of the file."""
    return json.dumps(head, sort_keys=True, separators=(",", ":")).encode()


def _damaged() -> Damaged:
    return Damaged(N_("the file is damaged: export it again on the laptop it comes from"))
