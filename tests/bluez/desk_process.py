"""A desk in a process of its own, to be killed: `python -m tests.bluez.desk_process EVENT BOXES`.

It sets up a table with every box, prints `serving`, and goes on.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.bluez.hall import FIRST, Place, box
from tests.bluez.livebox import seat_a_first
from tests.waiting import until

DESK_ID = 7
LEASE_MS = 600  # so long the event file remembers who held the links


async def serve(event: Path, count: int) -> None:
    boxes = [box(number) for number in range(1, count + 1)]
    place = Place(event, boxes, FIRST, {"desk_id": DESK_ID, "lease_ttl_ms": LEASE_MS})
    async with asyncio.TaskGroup() as group:
        group.create_task(place.run())
        await until(lambda: all(map(place.live, boxes)), "every box has its link")
        for one in boxes:
            place.ask(one, "configure", game=1, settings=seat_a_first())
        await until(lambda: not any(place.desk.is_asked(one.uid) for one in boxes), "every table is set up")
        print("serving", flush=True)  # noqa: T201 (the parent waits for it)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2])))
