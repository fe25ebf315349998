"""Faults on the way between box and desk: frames, links, clocks, strangers, a second desk."""

from __future__ import annotations

import struct
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from dalej.desk.hearing import BELIEVED_MS
from dalej.event.reading import read
from dalej.simulator.box import Faults, MemoryFlash
from moveclock import facts as k
from moveclock.ticks import PERIOD
from tests.desk.setting import FIRST, SECOND, Place, Setting, expect_clean
from tests.faults.conftest import journal
from tests.link.hand import Hand, hello, is_live
from tests.link.rig import Rig

# --- notification lost, duplicated, reordered: replay; ignored; same log -----


@pytest.mark.parametrize(
    "faults",
    [
        Faults(loss=0.3, delay_ms=(5, 40)),
        Faults(duplicate=0.6, delay_ms=(5, 40)),
        Faults(reorder=0.6, delay_ms=(5, 40)),
    ],
    ids=["lost", "duplicated", "reordered"],
)
def test_notification_lost_duplicated_reordered(setting: Setting, place: Place, faults: Faults) -> None:
    place.radio.faults = faults
    setting.moves(6)
    setting.settle(place)

    assert place.facts() == journal(setting)
    expect_clean(place.ledger)


# --- link lost, box out of range for 20 minutes: the game goes on; all facts arrive later, marked old -----


def test_link_lost_box_out_of_range_for_20_minutes(setting: Setting, place: Place) -> None:
    setting.moves(2)
    setting.settle(place)
    before = place.ledger.head()

    place.radio.set_reach(setting.box.uid, False)
    setting.moves(20, every_ms=50_000)
    setting.run(200_000)
    away = len(journal(setting))
    place.radio.set_reach(setting.box.uid, True)
    setting.settle(place)
    setting.tap(k.SEDZIA)
    setting.settle(place)

    late = [one for one in read(place.ledger).facts() if one.cursor > before and one.fact.seq <= away]
    assert place.facts() == journal(setting)
    assert len([reported for reported in late if reported.fact.kind == k.MOVE_ENDED]) >= 17
    assert all(reported.old for reported in late)
    assert not [reported for reported in read(place.ledger).facts() if reported.fact.seq > away and reported.old]
    for reported in late:
        assert reported.wall_ms is not None
        assert abs(reported.wall_ms - setting.clock.wall_start_ms - reported.fact.uptime_ms) <= 20


def test_what_comes_long_after_its_link_began_is_no_news_though_no_round_trip_has_told_when_it_was(
    setting: Setting, place: Place
) -> None:
    """Given a box that has just begun anew, and a radio on which nothing comes through right after its proof."""
    setting.moves(1)
    setting.settle(place)
    setting.box.power_off()
    setting.run(15_000)
    setting.box.power_on()
    for _ in range(20_000):
        if place.desk.is_live(setting.box.uid):
            break
        setting.run(1)
    place.radio.faults = Faults(loss=1.0)
    made = len(journal(setting))
    setting.tap(k.SEDZIA)
    setting.run(8_000)
    late = len(journal(setting))
    setting.settle(place)

    told = [one for one in read(place.ledger).facts() if made < one.fact.seq <= late]
    assert told
    assert [(one.old, one.wall_ms) for one in told] == [(True, None)] * len(told)


# --- two desks: the second is refused, in words, with the first one's name -----


def test_two_desks(setting: Setting, place: Place) -> None:
    setting.moves(1)

    second = setting.desk(SECOND, file="another.dalej")
    setting.run(10_000)
    setting.moves(3)
    setting.settle(place)

    assert second.said("turned_away") == [f"box {setting.box.uid.hex()} is served by another desk: {FIRST}"]
    assert second.facts() == []
    assert place.desk.is_live(setting.box.uid)
    assert place.facts() == journal(setting)


# --- host clock jumps by an hour, box drifts by 100 ppm: durations unchanged -----


@pytest.mark.parametrize("hours", [1, -1])
def test_host_clock_jumps_by_an_hour(setting: Setting, place: Place, hours: int) -> None:
    setting.tap(2 * k.SEAT_A)
    setting.run(10_000)
    setting.clock.wall_start_ms += hours * 3_600_000
    setting.run(10_000)
    setting.tap(2 * k.SEAT_A)
    setting.settle(place)

    ended = next(one for one in read(place.ledger).facts() if one.fact.kind == k.MOVE_ENDED)
    assert ended.fact.a == 20_200
    assert ended.wall_ms is not None
    assert abs(ended.wall_ms - (setting.clock.wall_start_ms + ended.fact.uptime_ms)) <= 5
    setting.run(60_000)
    assert place.desk.is_live(setting.box.uid)
    assert place.desk.resigned is None
    expect_clean(place.ledger)


@pytest.mark.parametrize("ppm", [100, -100])
def test_box_drifts_by_100_ppm(ppm: int) -> None:
    rig = Rig(ppm=ppm).configured()
    rig.run(7_200_000)
    assert rig.sim.box is not None
    rig.tap(2 * k.SEAT_A)
    rig.run(29_800)
    at = rig.world.now_ms
    rig.tap(2 * k.SEAT_A)
    rig.settle()

    ended = next(fact for fact in rig.shelf.log() if fact.kind == k.MOVE_ENDED)
    assert abs(ended.a - 30_000) <= 4  # by the box's own crystal: 3 ms in 30 s
    dated = rig.shelf.uptimes.desk_ms((ended.epoch, ended.boot), ended.uptime_ms)
    assert dated is not None
    assert abs(dated - at) <= 5
    assert abs(ended.uptime_ms - at) > 600  # that far had it run away


# --- ticks counter wraps mid-move: nothing to see -----


@pytest.mark.parametrize("before_ms", [1, 1500, 5000, 20_000])
def test_ticks_counter_wraps_mid_move(before_ms: int) -> None:
    straight = Rig().configured()
    wrapping = Rig(raw_start=PERIOD - 1100 - before_ms).configured()
    for rig in (straight, wrapping):
        rig.moves(4)
        rig.run(70_000)
        rig.settle()

    assert wrapping.shelf.log() == straight.shelf.log()
    assert wrapping.sim.raw() < straight.sim.raw()


# --- stranger connects, replays a recorded session or advertisement, reflects frames, sends garbage, truncated or
#     oversized frames: refused, counted, no effect, slot freed in 8 s (each kind of frame:
#     tests/link/test_bad_frames.py, of advertisement: tests/link/test_roster.py) -----


@pytest.mark.parametrize("kind", ["replays", "reflects", "garbage", "truncated", "oversized"])
def test_stranger(kind: str) -> None:
    hand = Hand().configured()
    desk = hand.session(1)
    hand.tap(2 * k.SEAT_A)
    desk.command(7, k.C_STOP, struct.pack("<I", k.ROUND_BREAK), hand.now)
    genuine = desk.frames()
    said = [frame for _, _, frame in hand.sent]
    before = hand.fingerprint()
    frames = {
        "replays": [hello(), *genuine],
        "reflects": said,
        "garbage": [Random(number).randbytes(1 + number * 7) for number in range(30)],
        "truncated": [genuine[0][:size] for size in range(len(genuine[0]))] + [hello()[:size] for size in range(30)],
        "oversized": [genuine[0] + bytes(300), bytes(4000)],
    }[kind]

    hand.open(2)
    since, refused = hand.now, hand.box.links.refused
    for frame in frames:
        hand.give(frame, 2)
    assert hand.box.links.refused - refused >= len(frames) - 1
    assert hand.fingerprint() == before
    while hand.is_open(2):
        assert hand.now - since <= 8100  # a look every 100 ms
        hand.wait(100)

    assert hand.is_open(1)
    assert is_live(desk)
    for frame in genuine:
        hand.give(frame)
    assert hand.box.clock.state == k.STOPPED


def test_stranger_repeats_the_latest_advertisement_of_a_box_that_is_dead(setting: Setting) -> None:
    place = setting.desk(links=3, wait_ms=5000)
    setting.configure(place)
    setting.moves(3)
    setting.settle(place)
    assert setting.box.box is not None
    latest = setting.box.box.advertisement()
    setting.box.power_off()
    setting.run(100)
    died_ms = setting.world.now_ms

    for _ in range(20 * 60):
        place.desk.advertised(latest, setting.world.now_ms)
        place.radio.serve()
        setting.run(1000)

    seen_ms = place.heard(setting.box).seen_ms
    assert seen_ms is not None
    assert seen_ms - died_ms <= BELIEVED_MS, "for twenty minutes nothing came that only the box could have said"
    assert setting.world.now_ms - seen_ms >= 20 * 60_000 - BELIEVED_MS


def test_box_that_says_nothing_new_for_an_hour_is_known_to_be_there(tmp_path: Path, kept_open: ExitStack) -> None:
    """Of 12 boxes on 3 links each has its turn before its last advertisement is too old to be believed."""
    hall = kept_open.enter_context(Setting(tmp_path, 12))
    place = hall.desk(links=3, wait_ms=60_000)
    oldest = 0

    for _ in range(360):
        hall.run(10_000)
        for box in hall.boxes:
            seen_ms = place.heard(box).seen_ms
            assert seen_ms is not None
            oldest = max(oldest, hall.world.now_ms - seen_ms)

    assert oldest <= 12_000, "as young as the radio lets it be"


@pytest.mark.parametrize("box_is", ["playing on", "without power", "reflashed"])
def test_stranger_replays_advertisements(setting: Setting, box_is: str) -> None:
    place = setting.desk(links=3, wait_ms=5000)
    setting.configure(place)
    recorded = set()
    for _ in range(6):
        setting.moves(1)
        assert setting.box.box is not None
        recorded.add(setting.box.box.advertisement())
    setting.moves(1)
    setting.settle(place)
    if box_is == "reflashed":
        setting.box.power_off()
        setting.box.flash = MemoryFlash()
        setting.box.power_on()
        setting.run(10_000)
    elif box_is == "without power":
        setting.box.power_off()
        setting.run(20_000)
    before, ledger = place.heard(setting.box), place.ledger.head()
    roster = place.desk.hearing.roster
    refused, connects = roster.refused, place.radio.carried

    for data in (*recorded, *(data[:20] + bytes(8) for data in recorded), *(data[::-1] for data in recorded)):
        place.desk.advertised(data, setting.world.now_ms)

    assert roster.refused - refused == 3 * len(recorded)
    assert place.heard(setting.box) == before
    place.radio.serve()
    setting.run(1000)
    if box_is == "without power":
        assert place.heard(setting.box).way == "none"
        assert place.radio.carried == connects
    assert place.ledger.head() == ledger
