"""Who this box is: its identity file, if that is of this very board, else nobody's. Forgotten when it is done.

A box without one plays as well as any other. It draws a secret that lasts until it is switched off and that nobody can
know, so no desk gets in, and it says so with a numbered fault.
"""

import machine

from devices.persona import Persona
from moveclock import facts as k
from moveclock import identity
from moveclock.segments import Flash
from moveclock.upkeep import Board
from moveclock.wire import WireError


def persona(flash: Flash, board: Board) -> Persona:
    """Who the identity file on `flash` says that this is."""
    found = Persona(machine.unique_id())
    found.code = _read(flash, found)
    found.paired = found.code == 0
    if not found.paired:
        found.secret = board.random(identity.SECRET)
    return found


def pair(flash: Flash, who: Persona, secret: bytes) -> None:
    """Have this secret from now on; OSError if it could not be written."""
    build = (identity.KOSTKA if who.kostka else 0) | (identity.SHARED if who.shared else 0)
    flash.write(identity.FILE, identity.Identity(build, who.uid, secret).pack())
    who.secret = secret
    who.paired = True
    who.code = 0


def _read(flash: Flash, who: Persona) -> int:
    """Take over what the file says; what is wrong with it."""
    try:
        data = flash.read(identity.FILE)
        if data is None:
            return k.E_NO_IDENTITY
        told = identity.unpack(data)
    except (OSError, WireError):
        return k.E_DAMAGED_IDENTITY
    who.kostka = bool(told.build & identity.KOSTKA)
    who.shared = bool(told.build & identity.SHARED)
    who.secret = told.secret
    if not told.uid:
        return k.E_NO_IDENTITY
    return 0 if told.uid == who.uid else k.E_FOREIGN_IDENTITY
