"""What people can do about the words in which a computer's Bluetooth complains; every system has its own.

The codes are BlueZ's (its `src/error.h`, in the spellings of several versions) and D-Bus's. What is not known is passed
on, shortened, with the box that it is about.
"""

from __future__ import annotations

import re
from typing import Final

from dalej.errors import Unreachable
from dalej.words import N_

OFF: Final = N_("Bluetooth is switched off: switch it on")
NONE: Final = N_("this computer has no Bluetooth adapter, or its driver does not run")
OLD: Final = N_("the Bluetooth adapter is too old for Low Energy: use a newer one")
DENIED: Final = N_(
    "the system does not let this program use Bluetooth: allow it in the privacy settings (on Linux: join the group "
    "“bluetooth”)"
)
SERVICE: Final = N_("the Bluetooth service of this computer does not run (on Linux: bluetoothd)")
ABSENT: Final = N_("the Bluetooth adapter {adapter} is not there: plug it in, or name another one")
BUSY: Final = N_("another program keeps the Bluetooth adapter busy: end it if this goes on")

GONE: Final = N_("box {box} is out of reach or switched off")
SILENT: Final = N_("box {box} did not answer within {seconds} s")
FULL: Final = N_("the Bluetooth adapter has no link left for box {box}: end other Bluetooth connections")
SHUT: Final = N_("box {box} did not let itself be linked: it is tried again")
BUSY_FOR: Final = N_("the Bluetooth adapter was busy when box {box} was to be linked: it is tried again")
FELL: Final = N_("the link to box {box} fell while it was being made: it is tried again")
LISTENS_NOT: Final = N_("box {box} refused what it was asked for: it is tried again")
UNKNOWN: Final = N_("Bluetooth failed: {text}")
UNKNOWN_FOR: Final = N_("box {box}: Bluetooth said: {text}")

TEXT_MOST: Final = 80
LIMIT: Final = "concurrent-connection-limit"
_OF_ALL: Final = (  # a part of what is said -> what it means
    ("NotReady", OFF),
    ("not-powered", OFF),
    ("AccessDenied", DENIED),
    ("ServiceUnknown", SERVICE),
    ("NameHasNoOwner", SERVICE),
)
_OF_ADAPTER: Final = (*_OF_ALL, ("InProgress", BUSY), ("not found", ABSENT), ("UnknownObject", ABSENT))
_OF_BOX: Final = (
    *_OF_ALL,
    (LIMIT, FULL),
    ("refused", SHUT),
    ("busy", BUSY_FOR),
    ("InProgress", BUSY_FOR),
    ("abort", FELL),
    ("canceled", FELL),
    ("timeout", GONE),
    ("not found", GONE),
    ("UnknownObject", GONE),
)
_FRAME: Final = re.compile(r"^\s*\[[\w.]+\]\s*|^\(<[\w.]+: \d+>,\s*")  # what bleak puts before


def in_words(text: str, *, box: str = "", adapter: str = "") -> Unreachable:
    """One sentence for what was said, about a box (its uid) if one is named, else about an adapter."""
    for part, template in _OF_BOX if box else _OF_ADAPTER:
        if part in text and (template is not ABSENT or adapter):
            return Unreachable(template, box=box, adapter=adapter)
    short = _FRAME.sub("", text.partition("\n")[0])
    if len(short) > TEXT_MOST:
        short = short[: TEXT_MOST - 1] + "…"
    return Unreachable(UNKNOWN_FOR if box else UNKNOWN, box=box, text=short)
