"""Whoever has no secret changes nothing: a table plays on, and what a stranger holds is free again after seconds."""

from __future__ import annotations

from pathlib import Path
from random import Random

from moveclock import wire
from tests.air.air import NOTIFICATION
from tests.air.boxonair import FLAGS, BoxOnAir
from tests.air.hall import Hall
from tests.air.hall import play as played
from tests.air.onair import OnAir
from tests.air.scenarios import game, plays_on
from tests.waiting import until

SILENCE_MS = 12_000


def _refused(box: OnAir) -> int:
    assert isinstance(box, BoxOnAir)
    return box.live.links.refused


def test_frames_that_are_reflected_or_garbage_or_too_long_are_counted_and_do_nothing(tmp_path: Path, seed: int) -> None:
    """Garbage that begins as a hello does is told that its version is unknown; nothing else is answered."""

    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        hall.air.recording = []
        place = await hall.desk()
        await place.configure(box)
        await place.settled(box)
        said = hall.air.recorded(NOTIFICATION)
        hall.air.recording = None
        random = Random(seed)
        rubbish = [random.randbytes(random.randint(1, 60)) for _ in range(20)]
        long = [
            bytes([kind]) + random.randbytes(size) for kind in (wire.HELLO, wire.SEALED) for size in (250, 300, 500)
        ]
        head, refused = box.face.head, _refused(box)
        stranger = await hall.stranger(box)
        sent = said + rubbish + long
        for frame in sent:
            await stranger.write(frame)
        hellos = [frame for frame in rubbish if frame[0] == wire.HELLO]
        assert _refused(box) == refused + len(sent) - len(hellos)
        assert [frame[0] for frame in stranger.heard] == [wire.REFUSED] * len(hellos)
        assert box.face.head == head
        await plays_on(hall, place, box)

    played(tmp_path, scenario)


def test_the_firmware_takes_garbage_without_harm(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await game(hall, "micropython")
        random = Random(1)
        stranger = await hall.stranger(box)
        for size in (1, 2, 33, 60, 244, 250, 300, 500):
            await stranger.write(random.randbytes(size))
        await plays_on(hall, place, box)

    played(tmp_path, scenario)


def test_an_advertisement_that_is_repeated_later_takes_nothing_back(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await game(hall)
        old = FLAGS + box.live.advertisement() if isinstance(box, BoxOnAir) else b""
        await hall.moves(box, 2)
        await place.settled(box)
        head = box.face.head
        hearing = place.desk.hearing
        await until(lambda: place.told(box).head == head, "the desk to hear of it")
        refused = hearing.roster.refused
        await hall.repeat(old)
        await until(lambda: hearing.roster.refused > refused + 2, "the replay to be heard")
        assert place.told(box).head == head
        await plays_on(hall, place, box)

    played(tmp_path, scenario)


def test_a_box_is_found_though_somebody_louder_repeats_what_it_says(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        assert isinstance(box, BoxOnAir)
        place = await hall.desk(connect_ms=1_500)
        clone = await hall.repeat(FLAGS + box.live.advertisement())
        hall.air.hears(clone, place.adapter, -30)
        await until(lambda: len(place.air.adapters[0].sightings[box.uid]) == 2, "both to be heard")
        place.air.adapters[0].proven.clear()  # as a laptop that has met neither
        hall.air.cut(box, place.adapter)
        await until(lambda: place.air.trouble, "the desk to try the louder one")
        await place.live(box)
        assert box.links == 1

    played(tmp_path, scenario)


def test_another_desk_is_served_once_the_first_has_been_silent_for_12_s(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        first = await hall.desk()
        await first.configure(box)
        await hall.moves(box, 2)
        await first.kill()
        assert box.links == 1, "the system keeps the link of a program that was killed"
        hall.skip(SILENCE_MS)
        await until(lambda: box.links == 0, "the box to drop it")
        second = await hall.desk(file="second.dalej", name="second laptop")
        await second.settled(box)
        second.expect_once(box)

    played(tmp_path, scenario)
