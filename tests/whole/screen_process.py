"""The hall screen as a process that a test may kill: `python -m tests.whole.screen_process EVENT`.

For each line of its input it prints the picture it shows then, as a JSON list of lines.
"""

from __future__ import annotations

import asyncio
import json
import sys

from dalej.clock import SystemClock
from dalej.desk.feed.client import connect
from dalej.event.eventlog import ruleset_of
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.tui.app import make_app

SIZE = (120, 30)
LOOK_S = 0.05


async def show(event: str) -> None:
    """Everything but the terminal is as `dalej screen` has it."""
    with Ledger.open(event) as ledger:
        app = make_app(
            ledger, ruleset_of(read(ledger)), lambda: connect(ledger.path), SystemClock(), event_name=ledger.path.stem
        )
        async with app.run_test(size=SIZE) as pilot:
            while await asyncio.to_thread(sys.stdin.readline):
                await pilot.pause(LOOK_S)
                strips = app.screen._compositor.render_strips()
                picture = json.dumps([strip.text.rstrip() for strip in strips])
                print(picture, file=sys.__stdout__, flush=True)  # Textual flushes nothing of its own stdout


if __name__ == "__main__":
    asyncio.run(show(sys.argv[1]))
