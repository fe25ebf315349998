"""How many connections there can be, so that one device cannot keep the others out by holding them open.

A connection that asks for nothing, or never ends what it asks, is hung up on after `QUIET_S` by aiohttp's keep-alive.
"""

from __future__ import annotations

from asyncio import Transport
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from dalej.web.attempts import home_of

QUIET_S: Final = 20.0
MOST: Final = 384  # of these a screen's socket is one; a page has six more for a moment
HANDSHAKE_S: Final = 5.0  # within which a sealed connection must be sealed: until then aiohttp knows nothing of it
OF_ONE: Final = 96  # of one device: all the screens that there can be, as behind a router that hides who is who


def thin(
    connections: Sequence[Transport], most: int = MOST, of_one: int = OF_ONE, trusted: Collection[str] = ()
) -> int:
    """Hang up on the newest that are too many, of one device or altogether; how many. `connections`: oldest first.

    `trusted`: addresses whose connections are the last to go.
    """
    first = {home_of(address) for address in trusted}
    homes: Counter[str] = Counter()
    kept = hung_up = 0
    for home, connection in sorted(((_home(one), one) for one in connections), key=lambda one: one[0] not in first):
        if kept < most and homes[home] < of_one:
            homes[home] += 1
            kept += 1
        else:
            connection.abort()
            hung_up += 1
    return hung_up


def _home(connection: Transport) -> str:
    peer = connection.get_extra_info("peername")
    return home_of(str(peer[0]) if peer else "")
