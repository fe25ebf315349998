"""What is on the air of a fake Bluetooth: a box with an address, and what may go wrong when somebody connects to it."""

from __future__ import annotations

from collections import deque
from typing import Final

from tests.bluez.livebox import BoxLink, LiveBox

HEADER: Final = 4  # bytes of length, type and company before what BlueZ calls manufacturer data

# How a connect may fail.
ABORTED: Final = "aborted"  # the link comes up and falls at once
REFUSED: Final = "refused"
BUSY: Final = "busy"
VANISHED: Final = "vanished"  # BlueZ forgets the device meanwhile
UNANSWERED: Final = "unanswered"  # until somebody gives up
UNRESOLVED: Final = "unresolved"  # the link is up, the services are never found
NOTIFY_REFUSED: Final = "notify refused"  # ATT 0x0e, as after a desk that was killed


class Peripheral:
    """A box on the air. `faults`: how the next connects fail. `mute`: it does not advertise, whatever its state."""

    def __init__(self, box: LiveBox, address: str, *, mtu: int = 247) -> None:
        self.box = box
        self.address = address
        self.mtu = mtu
        self.mute = False
        self.in_reach = True
        self.faults: deque[str] = deque()

    @property
    def on_air(self) -> bool:
        """Whether a scanner can hear it."""
        return self.box.box is not None and self.in_reach and not self.mute

    def manufacturer_data(self) -> tuple[int, bytes]:
        """Company, and what follows it."""
        data = self.box.powered.advertisement()
        return int.from_bytes(data[2:HEADER], "little"), data[HEADER:]

    def fault(self) -> str:
        """How this connect fails, empty if it does not."""
        return self.faults.popleft() if self.faults else ""

    def leave(self) -> None:
        """It is carried out of the room."""
        self.in_reach = False
        for link in list(self.box.links.values()):
            link.cut()

    def linked(self, link: BoxLink) -> int:
        return self.box.linked(link, self.mtu)
