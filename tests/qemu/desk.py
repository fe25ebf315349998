"""The desk in the virtual machine, in a process of its own.

It begins at the first line of what it is asked, and ends in good order when that ends. A line such as
`3 configure {...}` asks something of the third box. It tells once a second how it stands, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import traceback
from pathlib import Path
from typing import Final, TextIO

from tests.bluez.hall import FIRST, Place, box

DESK_ID: Final = 7
LEASE_MS: Final = 5_000
EVERY_S: Final = 1.0


def run(event: Path, count: int, links: int, asked: int, told: int) -> int:
    """Serve so many boxes with so many links; `asked` and `told` are open files."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    try:
        asyncio.run(_serve(event, count, links, os.fdopen(asked), os.fdopen(told, "w")))
    except Exception:  # noqa: BLE001 (a copy of a process must not go on with its parent's work)
        traceback.print_exc()
        return 1
    return 0


async def _serve(event: Path, count: int, links: int, asked: TextIO, told: TextIO) -> None:
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), asked)
    await lines.readline()
    boxes = [box(number) for number in range(1, count + 1)]
    place = Place(event, boxes, FIRST, {"links": links, "desk_id": DESK_ID, "lease_ttl_ms": LEASE_MS})
    running = asyncio.create_task(place.run())
    telling = asyncio.create_task(_tell(place, told))
    while line := (await lines.readline()).decode():
        number, command, args = line.split(maxsplit=2)
        if not place.ask(boxes[int(number) - 1], command, **json.loads(args)):
            print(json.dumps({"trouble": f"not sent: {line}"}), file=told, flush=True)
    place.desk.close()
    for task in (telling, running):
        task.cancel()
    await asyncio.gather(telling, running, return_exceptions=True)
    place.ledger.close()


async def _tell(place: Place, told: TextIO) -> None:
    while True:
        print(json.dumps({
            "heard": sum(len(adapter.sightings) for adapter in place.air.adapters),
            "live": sum(place.desk.is_live(uid) for uid in place.desk.lines),
            "taken_over": place.air.taken_over,
            "trouble": place.trouble,
            "notices": [notice.kind for notice in place.desk.notices][-5:],
        }), file=told, flush=True)  # fmt: skip
        await asyncio.sleep(EVERY_S)
