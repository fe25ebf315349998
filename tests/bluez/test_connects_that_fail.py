"""What BlueZ answers when a connect does not succeed: said in words, tried again, and nobody else suffers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.bluez import peripheral as p
from tests.bluez.hall import hall
from tests.waiting import until

SHORT_MS = 1_000  # so long a connect may take


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (p.ABORTED, ""),  # bleak tries again by itself
        (p.REFUSED, "did not let itself be linked"),
        (p.BUSY, "the Bluetooth adapter was busy when box"),
        (p.VANISHED, "is out of reach or switched off"),
        (p.UNANSWERED, "did not answer within"),
        (p.UNRESOLVED, "did not answer within"),
        (p.NOTIFY_REFUSED, "refused what it was asked for"),
    ],
    ids=lambda value: str(value).replace(" ", "-"),
)
def test_a_connect_that_fails_is_said_and_tried_again(tmp_path: Path, fault: str, words: str) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 2) as there:
            there.on_air[0].faults.append(fault)
            there.on_air[1].mute = True
            options: dict[str, Any] = {"connect_ms": SHORT_MS} if fault in (p.UNANSWERED, p.UNRESOLVED) else {}
            async with there.desk(**options) as place:
                failing, other = there.boxes
                await until(lambda: place.trouble or place.live(failing), "the connect ends")
                assert words in place.trouble
                assert bool(words) == bool(place.trouble)
                there.on_air[1].mute = False
                await until(lambda: place.live(other), "another box has its link meanwhile")
                await until(lambda: place.live(failing), "the box has its link after all")
                assert place.trouble == ""
                assert there.bluez.adapters["hci0"].collisions == 0

    asyncio.run(scenario())
