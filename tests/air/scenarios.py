"""Scenarios that do not mind what is behind a box's radio: games over the air, and strangers who disturb them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from moveclock import facts as k
from moveclock import wire
from tests.air.air import NOTIFICATION, WRITE
from tests.air.hall import CPYTHON, Hall, Place
from tests.air.onair import OnAir
from tests.waiting import until

HELLO_WITHIN_MS = 8_000
Scenario = Callable[[Hall, str], Coroutine[Any, Any, None]]


async def game(hall: Hall, behind: str = CPYTHON) -> tuple[OnAir, Place]:
    """A table that is set up."""
    box = await hall.box(behind)
    place = await hall.desk()
    await place.configure(box)
    return box, place


async def plays_on(hall: Hall, place: Place, box: OnAir) -> None:
    """The table is as it was, and the next moves are recorded as ever."""
    await hall.moves(box, 1)
    await place.settled(box)
    place.expect_once(box)
    assert place.is_live(box)


async def a_game_is_played_and_every_press_is_in_the_ledger_once(hall: Hall, behind: str) -> None:
    box, place = await game(hall, behind)
    await hall.moves(box, 4)
    await place.settled(box)
    place.expect_once(box)
    assert place.names(box).count("move_ended") == 4
    assert place.names(box).count("tile_drawn") == 4
    assert place.air.trouble is None


async def what_happens_out_of_range_arrives_later_and_is_old(hall: Hall, behind: str) -> None:
    box, place = await game(hall, behind)
    hall.air.part(box, place.adapter)
    await until(lambda: not place.is_live(box), "the link to break")
    before = len(place.facts(box))
    await hall.moves(box, 3)
    assert len(place.facts(box)) == before
    if box.skips:
        hall.skip(20 * 60_000)
    hall.air.rejoin(box, place.adapter)
    await place.settled(box)
    place.expect_once(box)
    late = place.reported(box)[before:]
    assert late
    assert all(one.old for one in late), "a reconnect must never look like a new press"


async def a_link_that_breaks_is_made_again_and_nothing_is_lost(hall: Hall, behind: str) -> None:
    box, place = await game(hall, behind)
    for _ in range(3):
        await hall.moves(box, 1)
        assert hall.air.cut(box, place.adapter)
        await until(lambda: not place.is_live(box), "the desk to see that the link is gone")
        await place.live(box)
    await hall.moves(box, 1)
    await place.settled(box)
    place.expect_once(box)
    assert place.names(box).count("move_ended") == 4


async def a_box_that_lost_its_power_comes_back_stopped_with_all_its_facts(hall: Hall, behind: str) -> None:
    box, place = await game(hall, behind)
    await hall.moves(box, 2)
    await place.settled(box)
    before = place.facts(box)
    await box.power_off()
    await until(lambda: not place.is_live(box), "the desk to see that the box is gone")
    await box.power_on()
    await place.live(box)
    await place.settled(box)
    place.expect_once(box)
    after = place.facts(box)
    assert after[: len(before)] == before
    assert [fact.boot for fact in after[len(before) :]] == [2] * (len(after) - len(before))
    assert box.face.state == k.STOPPED


async def whoever_reads_sees_what_anybody_may(hall: Hall, behind: str) -> None:
    box = await hall.box(behind)
    stranger = await hall.stranger(box)
    info = await stranger.read_info()
    assert info[1:7] == box.uid
    assert box.secret not in info
    assert not stranger.heard


async def a_link_on_which_nobody_proves_himself_is_free_after_8_s(hall: Hall, behind: str) -> None:
    box, place = await game(hall, behind)
    stranger = await hall.stranger(box)
    assert box.links == 2
    await hall.pass_by(HELLO_WITHIN_MS)
    await until(lambda: stranger.over, "the stranger to be shown the door")
    await until(lambda: box.links == 1, "its place to be free")
    await plays_on(hall, place, box)


async def a_recorded_session_opens_nothing(hall: Hall, behind: str) -> None:
    box = await hall.box(behind)
    hall.air.recording = []
    place = await hall.desk()
    await place.configure(box)
    await hall.moves(box, 1)
    await place.settled(box)
    written = [value for value in hall.air.recorded(WRITE) if len(value) > 2]  # two bytes subscribe
    said = hall.air.recorded(NOTIFICATION)
    hall.air.recording = None
    assert {frame[0] for frame in written} == {wire.HELLO, wire.AUTH, wire.SEALED}
    head, before = box.face.head, place.facts(box)
    stranger = await hall.stranger(box)
    for frame in written:
        await stranger.write(frame)
    await until(lambda: stranger.over, "the stranger to be shown the door")
    answers = {frame[0] for frame in stranger.heard}
    assert wire.REFUSED in answers
    assert answers <= {wire.WELCOME, wire.REFUSED}
    assert not set(stranger.heard) & set(said), "every session has a nonce of its own"
    assert (box.face.head, place.facts(box)) == (head, before)
    await plays_on(hall, place, box)


async def a_second_desk_is_refused_with_the_first_ones_name(hall: Hall, behind: str) -> None:
    box = await hall.box(behind)
    first = await hall.desk(name="first laptop")
    await first.configure(box)
    second = await hall.desk(file="second.dalej", name="second laptop", wait=False)
    await until(lambda: second.said("turned_away"), "the second desk to be told")
    assert "first laptop" in second.said("turned_away")[0]
    assert not second.is_live(box)
    assert not second.facts(box)
    await plays_on(hall, first, box)


SCENARIOS: Final[tuple[Scenario, ...]] = (
    a_game_is_played_and_every_press_is_in_the_ledger_once,
    what_happens_out_of_range_arrives_later_and_is_old,
    a_link_that_breaks_is_made_again_and_nothing_is_lost,
    a_box_that_lost_its_power_comes_back_stopped_with_all_its_facts,
    whoever_reads_sees_what_anybody_may,
    a_link_on_which_nobody_proves_himself_is_free_after_8_s,
    a_recorded_session_opens_nothing,
    a_second_desk_is_refused_with_the_first_ones_name,
)
