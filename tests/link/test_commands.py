"""Commands of a desk: carried out once, at their instant, or refused; the fact is the answer."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.link.session import Session
from dalej.simulator.box import Faults
from moveclock import facts as k
from moveclock.desk_commands import WAITING_MOST
from moveclock.settings import Settings
from moveclock.wire import unpack_record
from tests.link.hand import Hand
from tests.link.rig import Rig

REFEREE = struct.pack("<I", k.REFEREE)


def seconds(count: int) -> bytes:
    return struct.pack("<I", 1000 * count)


def running() -> Hand:
    """Seat A's move 1 of game 1 runs; a desk is to come."""
    hand = Hand().configured()
    hand.tap(2 * k.SEAT_A)
    return hand


def answers(hand: Hand) -> list[tuple[str, int, int]]:
    """What the journal says of commands: applied or refused, id, why."""
    words = {k.COMMAND_APPLIED: "applied", k.COMMAND_REFUSED: "refused"}
    return [(words[fact[0]], fact[6], fact[8]) for fact in facts(hand) if fact[0] in words][1:]  # the first: configure


def facts(hand: Hand) -> list[tuple[int, ...]]:
    journal = hand.box.journal
    records = [journal.record(seq) for seq in range(journal.oldest, journal.head + 1)]
    return [unpack_record(record)[2] for record in records if record is not None]


def order(hand: Hand, session: Session, number: int, what: int, arguments: bytes = b"", **guard: int) -> None:
    session.command(number, what, arguments, hand.now, **guard)
    hand.talk(session)
    hand.wait(1)


# --- once -----


def test_the_fact_is_the_answer() -> None:
    hand = running()
    session = hand.session()

    order(hand, session, 7, k.C_STOP, REFEREE)
    hand.wait(100)
    hand.talk(session)

    names = [fact.name for event in session.events for fact in getattr(event, "facts", ())]
    assert names[-2:] == ["clock_stopped", "command_applied"]
    assert answers(hand) == [("applied", 7, 0)]


def test_a_frame_that_comes_again_is_carried_out_once() -> None:
    hand = running()
    session = hand.session()
    order(hand, session, 7, k.C_STOP, REFEREE)

    for _ in range(3):
        order(hand, session, 8, k.C_GIVE_TIME, seconds(30))

    assert answers(hand) == [("applied", 7, 0), ("applied", 8, 0)]
    assert hand.box.clock.watch.remaining(hand.now) > 60_000
    assert hand.box.clock.watch.remaining(hand.now) <= 90_000


def test_a_command_is_known_again_after_a_restart() -> None:
    hand = running()
    session = hand.session()
    order(hand, session, 7, k.C_STOP, REFEREE)
    order(hand, session, 8, k.C_GIVE_TIME, seconds(30))
    left = hand.box.clock.watch.remaining(hand.now)

    hand.restart()
    session = hand.session()
    order(hand, session, 8, k.C_GIVE_TIME, seconds(30))

    assert answers(hand) == [("applied", 7, 0), ("applied", 8, 0)]
    assert hand.box.clock.watch.remaining(hand.now) == left


def test_what_was_refused_is_not_carried_out_later() -> None:
    hand = running()
    session = hand.session()
    order(hand, session, 7, k.C_RESUME)
    order(hand, session, 8, k.C_STOP, REFEREE)

    order(hand, session, 7, k.C_RESUME)

    assert answers(hand) == [("refused", 7, k.R_STATE), ("applied", 8, 0)]
    assert hand.box.clock.state == k.STOPPED


def test_what_was_refused_before_a_restart_is_not_carried_out_after_it() -> None:
    hand = running()
    session = hand.session()
    order(hand, session, 7, k.C_RESUME)
    order(hand, session, 8, k.C_STOP, REFEREE)

    hand.restart()
    order(hand, hand.session(), 7, k.C_RESUME)

    assert hand.box.clock.state == k.STOPPED
    assert answers(hand)[-1] == ("applied", 8, 0)


def test_a_power_cut_before_the_answer_is_durable_undoes_the_command_and_it_may_come_again() -> None:
    hand = running()
    session = hand.session()
    order(hand, session, 7, k.C_STOP, REFEREE)
    flash = dict(hand.flash.files), set(hand.flash.folders)  # type: ignore[attr-defined]  # the one in memory
    left = hand.box.clock.watch.remaining(hand.now)

    order(hand, session, 8, k.C_GIVE_TIME, seconds(30))
    hand.flash.files, hand.flash.folders = flash  # type: ignore[attr-defined]  # as if its flush had not returned
    hand.restart()
    order(hand, hand.session(), 8, k.C_GIVE_TIME, seconds(30))

    assert answers(hand) == [("applied", 7, 0), ("applied", 8, 0)]
    assert hand.box.clock.watch.remaining(hand.now) == left + 30_000


@given(st.lists(st.sampled_from(["arrives", "lost", "twice", "late", "cut"]), max_size=80), st.integers(0, 3))
def test_however_frames_fare_every_command_is_carried_out_exactly_once(fates: list[str], seed: int) -> None:
    rig = Rig(seed=seed).configured()
    rig.tap(2 * k.SEAT_A)
    fate = {"arrives": (0,), "lost": (), "twice": (0, 90), "late": (700,), "cut": None}

    rig.radio.script = [fate[name] for name in fates]
    rig.order(10, k.C_STOP, REFEREE)
    rig.run(3000)
    for number in range(11, 16):
        rig.order(number, k.C_GIVE_TIME, seconds(10))
        rig.run(700)
    rig.settle()
    rig.run(40_000)
    rig.settle()

    log = rig.shelf.log()
    done = [fact.a for fact in log if fact.kind in (k.COMMAND_APPLIED, k.COMMAND_REFUSED)]
    assert sorted(done) == [1, *range(10, 16)]
    given_time = [fact for fact in log if fact.kind == k.EXTRA_TIME_GIVEN]
    applied = [fact for fact in log if fact.kind == k.COMMAND_APPLIED and fact.code == k.C_GIVE_TIME]
    assert len(given_time) == len(applied)


# --- the move that is meant -----


@pytest.mark.parametrize(("game", "move", "why"), [(1, 1, 0), (0, 0, 0), (1, 2, k.R_GUARD), (2, 1, k.R_GUARD)])
def test_a_command_for_another_game_or_move_is_refused(game: int, move: int, why: int) -> None:
    hand = running()
    session = hand.session()

    order(hand, session, 7, k.C_STOP, REFEREE, game=game, move=move)

    assert answers(hand) == [("refused" if why else "applied", 7, why)]
    assert (hand.box.clock.state == k.RUNNING) == bool(why)


def test_a_command_that_this_firmware_does_not_know_is_refused() -> None:
    hand = running()
    session = hand.session()

    order(hand, session, 7, 200, seconds(1))

    assert answers(hand) == [("refused", 7, k.R_UNKNOWN)]


@pytest.mark.parametrize("arguments", [b"", b"\x01", b"\x01\x02\x03", bytes(200), bytes([255] * 4)])
def test_a_command_with_odd_arguments_is_refused_or_harmless(arguments: bytes) -> None:
    hand = running()
    session = hand.session()

    for number in range(1, 21):
        order(hand, session, 100 + number, number, arguments)
        hand.wait(100)

    done = [number for _, number, _ in answers(hand)]
    assert done == list(range(101, 121))
    assert not [fact for fact in facts(hand) if fact[0] == k.FAULT]


def test_settings_that_make_no_table_are_refused() -> None:
    hand = Hand().configured()
    session = hand.session()
    settings = Settings()
    settings.seats = 1

    order(hand, session, 7, k.C_CONFIGURE, bytes([2, 0]) + settings.pack())
    order(hand, session, 8, k.C_CONFIGURE, b"\x02\x00")
    order(hand, session, 9, k.C_CONFIGURE, bytes(2) + Settings().pack())

    assert answers(hand) == [("refused", number, k.R_ARGUMENT) for number in (7, 8, 9)]
    assert hand.box.clock.settings.seats == 15


# --- instants -----


def test_a_command_that_was_sent_ahead_takes_effect_at_its_instant_without_a_link() -> None:
    hand = Hand().configured()
    session = hand.session()
    at = hand.now + 60_000
    session.command(7, k.C_START, b"", hand.now, boot=hand.box.journal.boot, at_uptime_ms=at)
    hand.talk(session)
    hand.box.closed(1)

    hand.wait(59_999)
    assert hand.box.clock.state == k.READY
    hand.wait(1)
    assert hand.box.clock.state == k.RUNNING
    hand.wait(100)

    started = [fact for fact in facts(hand) if fact[0] == k.GAME_STARTED]
    assert [fact[1] for fact in started] == [at]
    assert answers(hand) == [("applied", 7, 0)]


def test_repeats_of_a_command_that_waits_change_nothing() -> None:
    hand = Hand().configured()
    session = hand.session()
    at = hand.now + 5000

    for _ in range(5):
        session.command(7, k.C_START, b"", hand.now, boot=hand.box.journal.boot, at_uptime_ms=at)
        hand.talk(session)
        hand.wait(500)
    hand.wait(5000)

    assert answers(hand) == [("applied", 7, 0)]


def test_an_instant_of_an_older_boot_is_refused() -> None:
    hand = Hand().configured()
    boot = hand.box.journal.boot
    hand.restart()
    session = hand.session()

    session.command(7, k.C_START, b"", hand.now, boot=boot, at_uptime_ms=60_000)
    hand.talk(session)
    hand.wait(70_000)

    assert answers(hand) == [("refused", 7, k.R_GUARD)]
    assert hand.box.clock.state == k.READY


def test_an_instant_that_is_over_means_at_once() -> None:
    hand = Hand().configured()
    hand.wait(10_000)
    session = hand.session()

    session.command(7, k.C_START, b"", hand.now, boot=hand.box.journal.boot, at_uptime_ms=500)
    hand.talk(session)
    hand.wait(1)

    assert answers(hand) == [("applied", 7, 0)]


def test_commands_take_effect_in_the_order_of_their_instants() -> None:
    hand = running()
    session = hand.session()
    boot, now = hand.box.journal.boot, hand.now

    session.command(7, k.C_RESUME, b"", now, boot=boot, at_uptime_ms=now + 3000)
    session.command(8, k.C_STOP, REFEREE, now, boot=boot, at_uptime_ms=now + 2000)
    session.command(9, k.C_FINAL_LAP, struct.pack("<I", k.ROUND_TIME), now)
    hand.talk(session)
    hand.wait(4000)

    assert answers(hand) == [("applied", 9, 0), ("applied", 8, 0), ("applied", 7, 0)]


def test_no_more_than_eight_commands_wait() -> None:
    hand = Hand().configured()
    session = hand.session()
    boot, at = hand.box.journal.boot, hand.now + 60_000

    for number in range(10, 10 + WAITING_MOST + 2):
        session.command(number, k.C_BLINK, b"", hand.now, boot=boot, at_uptime_ms=at)
    hand.talk(session)
    hand.wait(61_000)

    results = answers(hand)
    assert [number for result, number, _ in results if result == "refused"] == [18, 19]
    assert [number for result, number, _ in results if result == "applied"] == list(range(10, 18))


def test_a_restart_forgets_what_waited_and_takes_it_again_when_it_is_repeated_for_this_boot() -> None:
    hand = Hand().configured()
    session = hand.session()
    session.command(7, k.C_START, b"", hand.now, boot=hand.box.journal.boot, at_uptime_ms=hand.now + 5000)
    hand.talk(session)

    hand.restart()
    hand.wait(10_000)
    assert hand.box.clock.state == k.READY
    session = hand.session()
    session.command(7, k.C_START, b"", hand.now, boot=hand.box.journal.boot, at_uptime_ms=hand.now + 5000)
    hand.talk(session)
    hand.wait(5100)

    assert answers(hand) == [("applied", 7, 0)]


# --- how the desk repeats -----


def test_the_desk_repeats_a_command_more_and_more_seldom_until_it_is_answered() -> None:
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    session = rig.shelf.session
    assert session is not None
    rig.radio.faults = Faults(loss=1.0)

    rig.order(7, k.C_STOP, REFEREE)
    rig.run(1999)
    assert session.repeated == 0
    rig.run(1)
    assert session.repeated == 1
    rig.run(4000)
    assert session.repeated == 2

    rig.radio.faults = Faults()
    rig.run(9000)
    assert session.repeated == 3
    rig.run(60_000)
    assert session.repeated == 3
    assert [fact.a for fact in rig.shelf.log() if fact.kind == k.COMMAND_APPLIED] == [1, 7]
