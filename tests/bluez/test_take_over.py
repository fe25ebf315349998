"""A desk that was killed leaves its links standing in BlueZ; the next one ends them, and has everything."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.bluez.desk_process import DESK_ID, LEASE_MS
from tests.bluez.hall import FIRST, SECOND, Hall, hall
from tests.told import facts_of
from tests.waiting import until

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def killed_desk(there: Hall) -> AsyncIterator[None]:
    """A desk in a process of its own holds all boxes' links in the block, and is killed at its end."""
    command = [
        sys.executable,
        "-m",
        "tests.bluez.desk_process",
        str(there.folder / "event.dalej"),
        str(len(there.boxes)),
    ]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(20):
            assert (await process.stdout.readline()).strip() == b"serving"
        yield
    finally:
        process.kill()
        async with asyncio.timeout(20):
            await process.wait()
            await process.communicate()
        await asyncio.sleep(LEASE_MS / 1000)


def test_stale_links_of_a_killed_desk_are_ended_and_its_event_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 2) as there:
            box = there.boxes[0]
            async with killed_desk(there):
                await box.moves(2)
            for on_air in there.on_air:
                on_air.mute = True  # as boxes are that were seen linked after their desk had died
            assert there.bluez.links() == 2
            assert not there.bluez.adapters["hci0"].scanning
            await box.moves(1)
            async with there.desk(FIRST, desk_id=DESK_ID) as place:
                await until(lambda: place.air.taken_over == 2, "the stale links are ended")
                for on_air in there.on_air:
                    on_air.mute = False
                await until(lambda: all(map(place.has_all_of, there.boxes)), "everything is recorded")
                names = [one.fact.name for one in facts_of(place.ledger, box.uid.hex())]
                assert names.count("move_ended") == 3

    asyncio.run(scenario())


def test_a_desk_that_is_started_again_is_let_in_before_the_box_gives_the_old_one_up(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there:
            async with killed_desk(there):
                pass
            began = asyncio.get_running_loop().time()
            async with there.desk(FIRST, desk_id=DESK_ID) as place:
                await place.let_in(there.boxes[0])
                assert asyncio.get_running_loop().time() - began < 8  # the box itself takes 12 s

    asyncio.run(scenario())


def test_a_desk_that_follows_a_killed_one_hears_the_hall_while_it_ends_the_links_left_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 4, [("hci0", 4)]) as there:
            late = there.boxes.pop()  # the killed desk has no link to it
            async with killed_desk(there):
                pass
            there.boxes.append(late)
            for remote in map(there.remote, range(3)):
                remote.stuck = True
            began = asyncio.get_running_loop().time()
            async with there.desk(FIRST, desk_id=DESK_ID, links=4) as place:
                await until(lambda: len(place.air.adapters[0].ending) == 3, "the links left behind are being ended")
                await until(lambda: place.live(late), "another box has its link meanwhile")
                assert asyncio.get_running_loop().time() - began < 3
                assert len(place.air.adapters[0].ending) == 3
                for remote in map(there.remote, range(3)):
                    remote.stuck = False
                await until(lambda: all(map(place.live, there.boxes)), "every box has its link", 30)

    asyncio.run(scenario())


def test_whoever_only_looks_on_leaves_the_links_of_a_desk_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 2) as there:
            async with killed_desk(there):
                pass
            async with there.desk(FIRST, desk_id=DESK_ID, take_over=False) as place:
                await until(lambda: place.air.adapters[0].heard_ms, "the desk listens")
                assert (place.air.taken_over, there.bluez.links()) == (0, 2)
                assert not place.air.adapters[0].ending

    asyncio.run(scenario())


def test_a_second_desk_is_refused_in_words_with_the_first_ones_name(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 1, [("hci0", 3), ("hci1", 3)]) as there, there.desk(adapters=["hci0"]) as first:
            await until(lambda: first.live(there.boxes[0]), "the first desk is let in")
            async with there.desk(SECOND, "other.dalej", adapters=["hci1"]) as second:
                await until(lambda: second.said("turned_away"), "the second desk is told")
                assert FIRST in second.said("turned_away")[0]
                assert first.live(there.boxes[0])

    asyncio.run(scenario())
