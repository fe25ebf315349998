"""Why boxes are not heard or not linked over Bluetooth: the latest reason, for as long as it says anything."""

from __future__ import annotations

from typing import Final

from dalej.clock import Clock
from dalej.errors import Unreachable
from dalej.words import N_

TROUBLE_MS: Final = 90_000  # a box that is wanted is tried at least every minute
NOBODY: Final = N_("box {box} is not heard by an adapter that has a link to spare")
FOREIGN: Final = N_("what answers as box {box} does not speak this desk's protocol: install its firmware anew")
NARROW: Final = N_(
    "the link to box {box} carries {mtu} bytes at a time, {least} are needed: use another adapter or a newer system"
)
HOLDS: Final = N_(
    "the Bluetooth adapter holds fewer links than it was asked for, {held}: boxes take turns; --links {held} says so "
    "from the start"
)


class Troubles:
    """Of all adapters and boxes of a computer."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._deaf: dict[str, Unreachable] = {}  # adapter -> why it does not scan
        self._apart: dict[bytes, tuple[int, Unreachable]] = {}  # box -> when and why it could not be, the latest last

    @property
    def latest(self) -> Unreachable | None:
        """Why boxes are not heard, else why one could not be connected lately; None if all is well."""
        if self._deaf:
            return next(iter(self._deaf.values()))
        at_ms, why = next(reversed(self._apart.values()), (0, None))
        return why if self._clock.now_ms() - at_ms <= TROUBLE_MS else None

    def deaf(self, adapter: str, why: Unreachable) -> None:
        """The adapter does not scan."""
        self._deaf[adapter] = why

    def hears(self, adapter: str) -> None:
        """The adapter scans."""
        self._deaf.pop(adapter, None)

    def is_deaf(self, adapter: str) -> bool:
        """Whether it is known not to scan."""
        return adapter in self._deaf

    def apart(self, uid: bytes, why: Unreachable) -> None:
        """The box could not be linked."""
        self._apart.pop(uid, None)
        self._apart[uid] = (self._clock.now_ms(), why)

    def unheard(self, uid: bytes) -> None:
        """No adapter can try to link the box; what was said of it before stands."""
        _, why = self._apart.get(uid, (0, Unreachable(NOBODY, box=uid.hex())))
        self.apart(uid, why)

    def together(self, uid: bytes) -> None:
        """The box is linked."""
        self._apart.pop(uid, None)
