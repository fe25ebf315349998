"""By which number boxes know a desk: a process that takes a killed one's place must have the same one, because a box
gives the link of a silent desk at once to that desk alone.

It is made of a number drawn once for this computer and of the event's file. Of this computer, and not kept in the
event: a copy of the event on a second laptop is another desk, which a box has to refuse. Of the file: two events that
run at once on one laptop are two desks.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from dalej import drafts

FILE: Final = "desk"
SIZE: Final = 16


def desk_id(folder: Path, event: Path, random: Callable[[int], bytes]) -> int:
    """The number (u32, never 0) of the desk that this computer is for that event; drawn anew if the club's folder
    cannot keep what it is made of.
    """
    digest = hashlib.sha256(_of_computer(folder / FILE, random) + os.fsencode(event.resolve())).digest()
    return int.from_bytes(digest[:4], "little") or 1


def _of_computer(file: Path, random: Callable[[int], bytes]) -> bytes:
    with suppress(OSError):
        kept = file.read_bytes()
        if len(kept) == SIZE:
            return kept
    drawn = random(SIZE)
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the club's secret may come to lie here
        drafts.write(file, drawn)
    return drawn
