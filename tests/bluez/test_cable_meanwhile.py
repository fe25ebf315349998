"""A box that is plugged in while the desk is about to link it over the air keeps its cable's link."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.bluez import adapter
from tests.bluez.hall import Place, hall
from tests.bluez.livebox import LiveBox
from tests.waiting import until


class Cable:
    """Both ends of a cable: what a box's radio has of a link, and what a desk's `Serving` has."""

    def __init__(self, box: LiveBox, place: Place) -> None:
        self._box = box
        self._serving = place.serving
        place.desk.plugged(box.uid, 0)
        place.serving.linked(box.uid, self)
        self.number = box.linked(self, 247)

    def to_desk(self, frame: bytes) -> bool:
        self._serving.received(self._box.uid, self, frame)
        return True

    def cut(self) -> None:
        self._box.parted(self.number)
        self._serving.lost(self._box.uid, self)

    async def write(self, frame: bytes) -> None:
        await asyncio.sleep(0)
        self._box.receive(self.number, frame)

    async def close(self) -> None:
        self.cut()


def test_a_link_over_the_air_that_comes_too_late_leaves_the_cables_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        monkeypatch.setattr(adapter, "_CONNECT_S", 1.0)
        async with hall(tmp_path) as there, there.desk() as place:
            box = there.boxes[0]
            await until(lambda: there.remote().given_up, "a connect is under way")
            cable = Cable(box, place)
            await until(lambda: place.live(box), "the box is served over its cable")
            await until(there.bluez.links, "the link over the air is there all the same")
            await until(lambda: not there.bluez.links(), "it is given up")
            assert place.live(box)
            assert list(box.links) == [cable.number]
            assert there.bluez.adapters["hci0"].connects == 1

    asyncio.run(scenario())
