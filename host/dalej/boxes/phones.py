"""Phones and tablets that are boxes: the code by which one device, and no second one, becomes a box of the club; and
where a desk is that such a box reaches, as long as one runs.

A code is the box's uid and secret. It stands behind the `#` of an address, which no browser sends: whoever shows it
gives the secret away once, on a screen or on paper. The device that claims it proves that it has the secret, and names
itself; any other is turned away, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from dalej.boxes.folder import write_whole
from dalej.boxes.paired import NUMBER_BYTES, OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.domain.game.facts import PHONE, is_phone
from dalej.errors import DalejError, Refused, Unreachable
from dalej.hints import EVENT, typed
from dalej.words import N_
from moveclock.identity import KOSTKA, SHARED
from moveclock.secure import derive, same

CLAIM_MS: Final = 60_000  # so long a code on a screen may be claimed
POSTER_MS: Final = 24 * 3_600_000  # and one on paper
PROOF_BYTES: Final = 16
_LABEL: Final = b"phone"

TAKEN: Final = N_("box {box}: another phone has claimed it already, and a second one tries to: if nobody of yours "
                  "does, take it off the list and draw a new code")  # fmt: skip
LATE: Final = N_("box {box}: its code was claimed too late: draw a new one")
UNKNOWN: Final = N_("a phone comes with a code that was taken back, or never drawn here: draw a new one")


def proof(secret: bytes, nonce: bytes, device: bytes) -> bytes:
    """That whoever is at the other end of a socket has the box's secret, and on which device. As `page.glass` says."""
    return derive(secret, _LABEL, nonce, device)[:PROOF_BYTES]


@dataclass(frozen=True, slots=True)
class Code:
    """What a device is given. The secret is in it: it is shown, and kept nowhere."""

    box: OwnBox
    secret: bytes

    @property
    def fragment(self) -> str:
        """Behind the address of a desk."""
        return f"#{self.box.uid}.{self.secret.hex()}"


class Phones:
    """`folder`: the club's; `random(n)`: unpredictable bytes."""

    def __init__(self, folder: Path, keys: ClubKeys, random: Callable[[int], bytes]) -> None:
        self._folder = folder
        self._boxes = OwnBoxes(folder)
        self._keys = keys
        self._random = random
        self._address = folder / "phones.address"

    def draw(self, table: int, now_ms: int, lasts_ms: int = CLAIM_MS) -> Code:
        """A new box for that table, on the club's list from now on; it may be claimed for so long (Unix time, ms)."""
        self._keys.make()
        uid = bytes.fromhex(PHONE) + self._random(5)
        with self._boxes.pairing(
            uid.hex(), self._free_name(table), KOSTKA | SHARED, now_ms, self._random(NUMBER_BYTES)
        ) as box:
            pass
        box = replace(box, claim_ms=now_ms + lasts_ms)
        self._boxes.keep(box)
        return Code(box, self._keys.of_box(uid))

    def claim(self, uid: bytes, device: bytes, nonce: bytes, proved: bytes, now_ms: int) -> OwnBox:
        """The box, which that device has from now on. Refused if it proves nothing, comes too late or second."""
        known = next((one for one in self._boxes if one.uid_bytes == uid), None)
        if known is None or not is_phone(known.uid):
            raise Refused(UNKNOWN)
        if not same(proof(self._keys.of_box(uid), nonce, device), proved):
            raise Refused(UNKNOWN)
        return self._boxes.claim(known.uid, device.hex(), now_ms, LATE, TAKEN)

    def is_claimed(self, uid: str) -> bool:
        """Whether a device has it."""
        return any(one.uid == uid and one.device for one in self._boxes)

    def _free_name(self, table: int) -> str:
        taken = {box.name for box in self._boxes}
        names = (f"P{table}" if number == 1 else f"P{table}-{number}" for number in count(1))
        return next(name for name in names if name not in taken)

    # --- where their desk is -----

    @contextmanager
    def reached_at(self, url: str) -> Iterator[None]:
        """A desk answers phones at that address for as long as the block lasts."""
        write_whole(self._address, f"{url}\n")
        try:
            yield
        finally:
            with suppress(OSError):
                if self._address.read_text(encoding="utf-8").strip() == url:
                    self._address.unlink()

    def address(self) -> str:
        """Where the desk of this computer answers phones; Refused if none does."""
        with suppress(OSError):
            if found := self._address.read_text(encoding="utf-8").strip():
                return found
        raise Refused(N_("no desk on this computer answers phones")).hinted(
            N_("{command} begins one"), command=typed("run", EVENT, "--phones", "0.0.0.0")
        )


def why(error: DalejError) -> int:
    """The number by which a socket says why it was closed, for the page's own words."""
    known = {TAKEN: 4_001, UNKNOWN: 4_002, LATE: 4_003}
    return known.get(error.template, 4_005 if isinstance(error, Unreachable) else 4_002)
