"""How fast passwords may be guessed: after a few wrong ones from an address it waits, each time twice as long; and how
fast an address may come in where no password is asked for.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from dalej.clock import Clock
from dalej.office.acts.roles import Role

FREE: Final = 3  # wrong ones of an address that cost nothing
FIRST_MS: Final = 2_000
LONGEST_MS: Final = 300_000
FORGOTTEN_MS: Final = 900_000  # after its last wrong one an address begins anew
ADDRESSES_MOST: Final = 1_024
ALL_FREE: Final = 30  # wrong ones of all addresses together
ALL_EVERY_MS: Final = 5_000  # after those, one in so long
OPEN_FREE: Final = 256  # log-ins of an address that need no password, then one in so long: a hall behind one router
OPEN_EVERY_MS: Final = 250
IN_LINE_MOST: Final = 32  # of an address, that wait while another of its attempts is looked at


@dataclass(slots=True)
class _Guesses:
    wrong: int = 0
    last_ms: int = 0
    next_ms: int = 0
    known: bool = False


@dataclass(slots=True)
class _Line:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class Attempts:
    """Counts what is tried; `begin` before the password is looked at, `right` if it was right.

    An attempt counts as wrong from its beginning, so that many at once are not free. Those of one address that come
    together go one after the other (`turn`), so that right ones are not taken for wrong ones that are not over yet.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._of: OrderedDict[str, _Guesses] = OrderedDict()
        self._lines: dict[str, _Line] = {}
        self._all = float(ALL_FREE)  # what is left of those that are free
        self._filled_ms = clock.now_ms()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[bool]:
        """Waits until no other attempt of the address is under way; False: too many wait for that already."""
        home = home_of(address)
        line = self._lines.setdefault(home, _Line())
        if line.waiting >= IN_LINE_MOST:
            yield False
            return
        line.waiting += 1
        try:
            async with line.lock:
                yield True
        finally:
            line.waiting -= 1
            if not line.waiting:
                del self._lines[home]

    def begin(self, address: str) -> int:
        """0: go on; else for how many ms the address must wait, and nothing is counted."""
        now_ms = self._clock.now_ms()
        guesses = self._guesses(home_of(address), now_ms)
        if now_ms < guesses.next_ms:
            return guesses.next_ms - now_ms
        if not guesses.known:
            self._all = min(float(ALL_FREE), self._all + (now_ms - self._filled_ms) / ALL_EVERY_MS)
            self._filled_ms = now_ms
            if self._all < 1:
                return int((1 - self._all) * ALL_EVERY_MS) + 1
            self._all -= 1
        guesses.wrong += 1
        guesses.last_ms = now_ms
        if guesses.wrong >= FREE:
            guesses.next_ms = now_ms + min(FIRST_MS << min(guesses.wrong - FREE, 16), LONGEST_MS)
        return 0

    def right(self, address: str, role: Role) -> None:
        """It was right, of that role: the address begins anew, and is known unless everybody has the password."""
        guesses = self._guesses(home_of(address), self._clock.now_ms())
        if not guesses.known:
            self._all = min(float(ALL_FREE), self._all + 1)
        guesses.wrong, guesses.next_ms, guesses.known = 0, 0, guesses.known or role != "public"

    def _guesses(self, home: str, now_ms: int) -> _Guesses:
        found = self._of.get(home)
        if found is None:
            if len(self._of) >= ADDRESSES_MOST:
                # Whoever logged in goes last: a flood of addresses must not make strangers of referees.
                del self._of[next((one for one, kept in self._of.items() if not kept.known), next(iter(self._of)))]
            found = self._of[home] = _Guesses()
        elif now_ms - found.last_ms > FORGOTTEN_MS:
            found.wrong, found.next_ms = 0, 0
        self._of.move_to_end(home)
        return found


class Arrivals:
    """How often an address may come in where no password is asked for: a page that is loaded often costs nothing, a
    program that comes in for ever would fill the audit and the table of sessions.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._full_ms: OrderedDict[str, int] = OrderedDict()  # when an address will have all its free ones again

    def begin(self, address: str) -> int:
        """0: come in, and it is counted; else for how many ms to wait."""
        home, now_ms = home_of(address), self._clock.now_ms()
        full_ms = max(self._full_ms.get(home, 0), now_ms)
        wait_ms = full_ms - now_ms - (OPEN_FREE - 1) * OPEN_EVERY_MS
        if wait_ms > 0:
            return wait_ms
        self._full_ms[home] = full_ms + OPEN_EVERY_MS
        self._full_ms.move_to_end(home)
        if len(self._full_ms) > ADDRESSES_MOST:
            self._full_ms.popitem(last=False)
        return 0


def home_of(address: str) -> str:
    """Of IPv6 the network: one computer has as many addresses there as it likes."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "?"
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else found)
