"""Who this box is: its identity file, if that is of this very board, else nobody's.

A box without one plays as well as any other. It draws a secret that lasts until it is switched off and that nobody can
know, so no desk gets in, and it says so with a numbered fault.
"""

import machine

from moveclock import facts as k
from moveclock import identity
from moveclock.segments import Flash
from moveclock.upkeep import Board
from moveclock.wire import WireError


class Persona:
    """`paired`: the secret is one that a desk may know. `code`: what is wrong with the identity, 0 for nothing."""

    def __init__(self, flash: Flash, board: Board) -> None:
        self.uid = machine.unique_id()
        self.code = 0
        self.kostka = True
        self.shared = False
        self._flash = flash
        self.secret = self._read()
        self.paired = self.code == 0
        if not self.paired:
            self.secret = board.random(identity.SECRET)

    def known_secret(self) -> bytes:
        """The secret that a desk may know, empty if there is none."""
        return self.secret if self.paired else b""

    def pair(self, uid: bytes, secret: bytes) -> None:
        """Be this box from now on; OSError if it could not be written."""
        self._flash.write(identity.FILE, identity.Identity(self._build(), uid, secret).pack())
        self.secret = secret
        self.paired = True
        self.code = 0

    def _read(self) -> bytes:
        try:
            data = self._flash.read(identity.FILE)
            if data is None:
                self.code = k.E_NO_IDENTITY
                return b""
            found = identity.unpack(data)
        except (OSError, WireError):
            self.code = k.E_DAMAGED_IDENTITY
            return b""
        self.kostka = bool(found.build & identity.KOSTKA)
        self.shared = bool(found.build & identity.SHARED)
        if not found.uid:
            self.code = k.E_NO_IDENTITY
        elif found.uid != self.uid:
            self.code = k.E_FOREIGN_IDENTITY
        return found.secret

    def _build(self) -> int:
        return (identity.KOSTKA if self.kostka else 0) | (identity.SHARED if self.shared else 0)
