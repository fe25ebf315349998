"""What scanning may be believed: genuine bytes of now, and nothing that was recorded or made by somebody else."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.heard import Told
from dalej.link.roster import Roster, Sighting
from dalej.link.uptime import UptimeMap
from moveclock import advert, secure
from moveclock import facts as k
from moveclock.clock import CALLED, DISPUTED, QUIET, TIME_OUT_WAITS

UID: Final = bytes.fromhex("a0b1c2d3e4f5")
TWIN: Final = bytes(3) + UID[3:]  # another box with the same end of its uid
SECRET: Final = bytes(range(32))
EPOCH: Final = 0x12345678
BOOT: Final = 300
NOW: Final = 50_000
AGAIN: Final = Sighting(UID, None, sure=True)


def said(
    head: int,
    *,
    uid: bytes = UID,
    secret: bytes = SECRET,
    epoch: int = EPOCH,
    boot: int = BOOT,
    state: int = k.RUNNING,
    alarm: int = QUIET,
    deadline: int = 0,
    backlog: int = 0,
) -> bytes:
    """What a box advertises."""
    key = secure.advert_key(secret, uid)
    return advert.pack(key, uid, epoch, boot, head, backlog, (state, k.SEAT_B, alarm, deadline, 41))


def roster(*, met: bool = True, uptimes: UptimeMap | None = None) -> Roster:
    """One box; a session has shown it at fact 10 of boot 300, in quiet."""
    made = Roster()
    made.know(UID, SECRET, uptimes or UptimeMap())
    if met:
        made.met(UID, EPOCH, BOOT, 10, QUIET)
    return made


def news(sighting: Sighting | None) -> Told:
    assert sighting is not None
    assert sighting.sure
    assert sighting.told is not None
    return sighting.told


def test_a_later_head_is_news_with_everything_that_the_bytes_carry() -> None:
    told = news(roster().hear(said(12, state=k.STOPPED, alarm=DISPUTED, deadline=31_000, backlog=2), NOW))

    assert told == Told(
        at_ms=NOW, epoch=EPOCH, boot=BOOT, head=12, state=k.STOPPED, seat=k.SEAT_B, alarm=DISPUTED, left_ms=31_000,
        uptime_ms=None, game=None, move=None, bank=None, backlog=2,
    )  # fmt: skip


def test_the_same_bytes_again_only_say_that_the_box_is_there() -> None:
    heard = roster()
    heard.hear(said(12), NOW)

    assert heard.hear(said(12), NOW + 200) == AGAIN
    assert heard.refused == 0


def test_what_the_session_has_told_already_is_no_news() -> None:
    assert roster().hear(said(10), NOW) == AGAIN


# --- the time left -----


def measured() -> UptimeMap:
    uptimes = UptimeMap()
    uptimes.measured((EPOCH, BOOT), NOW - 10, NOW + 10, 9000)
    return uptimes


def test_a_running_moves_deadline_becomes_the_time_left() -> None:
    told = news(roster(uptimes=measured()).hear(said(12, deadline=9000 + 41_000), NOW))

    assert (told.left_ms, told.uptime_ms) == (41_000, 9000)


def test_in_expired_it_is_the_time_that_is_over() -> None:
    told = news(roster(uptimes=measured()).hear(said(12, state=k.EXPIRED, deadline=9000 - 2500), NOW))

    assert told.left_ms == 2500


def test_a_deadline_just_passed_leaves_nothing_until_the_box_says_that_time_ran_out() -> None:
    told = news(roster(uptimes=measured()).hear(said(12, deadline=9000 - 300), NOW))

    assert told.left_ms == 0


def test_across_the_wrap_of_the_uptime_the_time_left_is_right() -> None:
    uptimes = UptimeMap()
    uptimes.measured((EPOCH, BOOT), NOW - 10, NOW + 10, (1 << 32) - 1000)

    assert news(roster(uptimes=uptimes).hear(said(12, deadline=(1 << 32) + 4000), NOW)).left_ms == 5000


@pytest.mark.parametrize("state", [k.RUNNING, k.EXPIRED])
def test_the_time_left_in_a_boot_that_was_never_met_is_not_invented(state: int) -> None:
    told = news(roster(uptimes=measured()).hear(said(12, boot=BOOT + 1, state=state, deadline=9000), NOW))

    assert told.left_ms is None
    assert told.boot == BOOT + 1


# --- replays -----


def test_an_older_head_is_a_replay() -> None:
    heard = roster()
    recorded = said(11)
    assert news(heard.hear(recorded, NOW)).head == 11
    heard.hear(said(12), NOW)

    assert heard.hear(recorded, NOW + 1000) is None
    assert heard.hear(said(9), NOW + 1000) is None
    assert heard.refused == 2


def test_facts_that_came_over_a_link_make_a_recording_older_at_once() -> None:
    heard = roster()
    recorded = said(11)
    heard.hear(recorded, NOW)

    heard.met(UID, EPOCH, BOOT, 12)

    assert heard.hear(recorded, NOW + 1000) is None


def test_time_raises_an_alarm_at_the_same_head_and_nothing_takes_it_back() -> None:
    heard = roster()
    quiet = said(12, state=k.EXPIRED)
    heard.hear(quiet, NOW)

    assert news(heard.hear(said(12, state=k.EXPIRED, alarm=TIME_OUT_WAITS), NOW + 20_000)).alarm == TIME_OUT_WAITS
    assert heard.hear(quiet, NOW + 21_000) is None
    assert heard.hear(said(12, state=k.EXPIRED, alarm=CALLED), NOW + 21_000) is None


def test_an_alarm_that_a_session_told_outdates_the_quiet_before_it() -> None:
    heard = roster()
    quiet = said(12, state=k.EXPIRED)
    heard.hear(quiet, NOW)

    heard.met(UID, EPOCH, BOOT, 12, TIME_OUT_WAITS)

    assert heard.hear(quiet, NOW + 21_000) is None


def test_a_boot_that_is_over_is_a_replay_whatever_its_head() -> None:
    heard = roster()

    assert heard.hear(said(12, boot=BOOT - 1), NOW) is None
    assert heard.hear(said(10, boot=BOOT + 1), NOW) is None  # each boot writes a fact
    assert heard.refused == 2


def test_the_low_byte_of_a_boot_wraps() -> None:
    heard = Roster()
    heard.know(UID, SECRET, UptimeMap())
    heard.met(UID, EPOCH, 511, 10)

    assert news(heard.hear(said(12, boot=512), NOW)).boot == 512


# --- epochs -----


def test_a_box_never_met_is_heard_but_tells_nothing_until_a_session() -> None:
    heard = roster(met=False)

    assert heard.hear(said(12), NOW) == Sighting(UID, None, sure=False)
    assert (heard.held, heard.refused) == (1, 0)
    assert heard.doubts(UID)
    heard.met(UID, EPOCH, BOOT, 12, QUIET)
    assert not heard.doubts(UID)
    assert heard.hear(said(12), NOW) == AGAIN


def test_the_ledgers_epoch_is_enough_to_show_a_table_after_a_restart() -> None:
    heard = roster(met=False)
    heard.met(UID, EPOCH, None, 10)

    told = news(heard.hear(said(12), NOW))
    assert (told.epoch, told.boot, told.left_ms) == (EPOCH, BOOT & 0xFF, None)
    assert heard.hear(said(9), NOW) is None


def test_an_unknown_epoch_waits_for_a_session_which_settles_it() -> None:
    heard = roster()
    foreign = said(500, epoch=EPOCH + 1)

    assert heard.hear(foreign, NOW) == Sighting(UID, None, sure=False)
    heard.met(UID, EPOCH, BOOT, 13)
    assert heard.hear(foreign, NOW + 5000) is None
    assert heard.refused == 1


def test_after_a_new_journal_the_old_ones_advertisements_are_replays() -> None:
    heard = roster()
    recorded = said(4000)
    new = said(2, epoch=EPOCH + 1, boot=1)
    assert heard.hear(new, NOW) == Sighting(UID, None, sure=False)

    heard.met(UID, EPOCH + 1, 1, 1)

    assert news(heard.hear(new, NOW)).head == 2
    assert heard.hear(recorded, NOW) is None


# --- foreign and altered -----


def test_a_box_of_another_club_is_refused() -> None:
    heard = roster()

    assert heard.hear(said(12, secret=bytes(32)), NOW) is None
    assert heard.hear(said(12, uid=bytes(6)), NOW) is None
    assert heard.refused == 2


def test_two_boxes_with_the_same_end_of_the_uid_are_told_apart_by_their_keys() -> None:
    heard = roster()
    heard.know(TWIN, bytes(32), UptimeMap())
    heard.met(TWIN, EPOCH, 1, 0)

    for uid, secret, boot in ((UID, SECRET, BOOT), (TWIN, bytes(32), 1)):
        sighting = heard.hear(said(20, uid=uid, secret=secret, boot=boot), NOW)
        assert sighting is not None
        assert sighting.uid == uid


@given(st.binary(max_size=40) | st.tuples(st.integers(0, 223), st.just(said(12))).map(lambda pair: flipped(*pair)))
def test_no_other_bytes_are_believed(data: bytes) -> None:
    heard = roster()

    assert heard.hear(data, NOW) is None
    assert heard.refused == 1


def flipped(bit: int, data: bytes) -> bytes:
    altered = bytearray(data)
    altered[bit >> 3] ^= 1 << (bit & 7)
    return bytes(altered)


@given(st.data())
def test_however_recordings_are_played_back_what_is_told_only_grows(data: Any) -> None:
    """A box reboots, makes facts and raises alarms; a stranger plays back whatever it has sent, in any order."""
    heard = roster()
    head, boot, alarm = 10, BOOT, QUIET
    told = (boot, head, alarm)
    recorded: list[bytes] = []
    for _ in range(data.draw(st.integers(1, 25))):
        step = data.draw(st.sampled_from(["fact", "boot", "alarm", "replay"]))
        if step == "replay" and recorded:
            heard.hear(data.draw(st.sampled_from(recorded)), NOW)
            continue
        if step == "alarm":
            alarm = TIME_OUT_WAITS
        else:
            head, boot, alarm = head + data.draw(st.integers(1, 3)), boot + (step == "boot"), QUIET
        recorded.append(said(head, boot=boot, alarm=alarm))
        if data.draw(st.booleans()):  # else nobody was near
            continue
        sighting = heard.hear(recorded[-1], NOW)
        assert sighting is not None
        if sighting.told is not None:
            now = (sighting.told.boot, sighting.told.head, sighting.told.alarm)
            assert now > told
            told = now
    assert heard.held == 0
