"""A whole box: what it survives, when it wants to be called, and what it shows."""

from box_run import UID, BoxRun, RamBoard, TimedFlash, started
from clock_run import dalej, juz
from journal_run import HEAD
from memory_flash import DONE, UNDONE
from moveclock import advert, secure
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.box import Box
from moveclock.clock import Clock
from moveclock.journal import CHUNK
from moveclock.upkeep import Faults
from moveclock.view import CLICK

A, B, C, D = range(4)


def raises(*_: object) -> None:
    raise ValueError("on purpose")


def _number(segment: str) -> int:
    return int(segment.rpartition("/")[2])


def faults(run: BoxRun) -> list[int]:
    return [fact[5] for fact in run.facts(k.FAULT)]


def left(run: BoxRun) -> int:
    return run.box.clock.watch.remaining(run.now)


def test_a_head_that_is_worn_is_rewritten_until_shortly_after_the_guard_time() -> None:
    run = started()
    over = run.box.clock.began_at + run.box.clock.guard_ms()
    run.run(over - 1)
    run.box.journal.worn = lambda *_: True  # type: ignore[method-assign]  # the next write of it erases
    for later, written in ((199, True), (200, False)):
        run.flash.written_at.clear()
        run.pump(over + later)
        assert bool(run.flash.written_at) == written


# --- an exception in a handler ---


def test_an_exception_while_settling_is_a_numbered_fault_and_the_box_goes_on() -> None:
    run = started()
    clock = run.box.clock
    clock.laid = raises  # type: ignore[method-assign, assignment]  # an action that fails
    run.touch(juz(A), 5000)
    run.run(6000)
    assert faults(run) == [k.E_TICK_HANDLER]
    run.touch(dalej(A), 7000)
    run.run(8000)
    assert [fact[4] for fact in run.facts(k.MOVE_ENDED)] == [A]


def test_a_fact_that_cannot_be_written_down_is_given_up_and_the_others_are_written() -> None:
    run = started()
    clock = run.box.clock
    for kind, c in ((k.STRAY_TAP, None), (k.REFEREE_CALLED, 0), (k.STRAY_TAP, None)):
        clock.emit(kind, run.box.uptime.now, 0, c=c)  # type: ignore[arg-type]  # whatever a defect might do
    run.run(30_000)
    assert not clock.facts
    assert faults(run)[-1] == k.E_FLASH_WRITE
    assert [len(run.facts(kind)) for kind in (k.STRAY_TAP, k.REFEREE_CALLED)] == [0, 1]


def test_facts_that_flash_no_longer_has_are_missed_from_the_first_instant_on() -> None:
    run = started()
    while run.box.journal.head <= CHUNK:
        run.box.clock.emit(k.STRAY_TAP, run.box.uptime.now)
        run.run(run.now + 1_000)
    segments = sorted((path for path in run.flash.files if path.startswith("journal") and path != HEAD), key=_number)
    for path in segments[:-1]:
        run.flash.remove(path)
    run.power()
    (lost,) = run.facts(k.RECORDS_LOST)
    assert lost[:2] == (k.RECORDS_LOST, 0)


def test_an_exception_at_an_edge_is_a_numbered_fault_and_the_box_goes_on() -> None:
    run = started()
    run.touch(99, 5000)
    run.run(6000)
    assert faults(run) == [k.E_EDGE_HANDLER]
    run.touch(juz(A), 7000)
    run.run(8000)
    assert [fact[1] for fact in run.facts(k.MOVE_ENDED)] == [7000]


def test_an_exception_at_a_frame_is_a_numbered_fault_and_the_box_goes_on() -> None:
    run = started()
    run.box.links.receive = raises  # type: ignore[method-assign, assignment]  # a handler that fails
    run.box.receive(1, b"\x01", run.raw(1100))
    run.run(2000)
    assert faults(run) == [k.E_RECEIVE_HANDLER]
    assert run.box.clock.state == k.RUNNING


def test_the_same_fault_is_one_fact_in_ten_seconds_and_is_shown_for_five() -> None:
    run = started()
    for at in (5000, 5200, 9000, 14800, 15200):
        run.touch(99, at)
    run.run(5300)
    assert run.box.view(5300).displays[A] == "E 40"
    assert run.box.view(10100).displays[A] == " 0:51"
    run.run(20000)
    assert faults(run) == [k.E_EDGE_HANDLER] * 2


def test_garbage_on_any_link_is_no_fault() -> None:
    run = started()
    run.box.opened(1, 247, run.raw(1000))
    for frame in (b"", b"\x00", b"\x03" * 17, bytes(300), b"\xff\xff"):
        for link in (1, 2):
            run.box.receive(link, frame, run.raw(1000))
    run.run(2000)
    assert faults(run) == [] and run.box.clock.state == k.RUNNING


# --- contacts ---


def test_a_stuck_contact_is_its_fault_and_the_rest_of_the_box_goes_on() -> None:
    run = started()
    run.stamp(k.KOSTKA, True, 3000)
    run.run(9000)
    assert [fact[1:2] + fact[5:7] for fact in run.facts(k.FAULT)] == [(8000, k.E_STUCK + k.KOSTKA, k.KOSTKA)]
    run.touch(juz(A), 10000)
    run.run(30000)
    assert [fact[1] for fact in run.facts(k.MOVE_ENDED)] == [10000]
    assert [at for at in run.flash.written_at if at > 14000] != []  # checkpoints too


def test_contacts_held_at_power_on_are_ignored_until_they_are_released() -> None:
    run = started()
    run.power((juz(A), k.SEDZIA))
    run.order(k.C_RESUME)
    run.stamp(juz(A), False, 4000)
    run.run(5000)
    run.touch(juz(A), 6000)
    run.run(7000)
    assert [fact[1] for fact in run.facts(k.MOVE_ENDED)] == [6000]
    assert faults(run) == [] and run.facts(k.STRAY_TAP) == []


def test_lamps_and_sound_answer_at_the_down_edge() -> None:
    run = started()
    run.run(5000)
    run.box.sounds.clear()
    run.stamp(juz(A), True, 5500)
    run.pump(5500)
    assert run.box.sounds == [CLICK]
    assert run.facts(k.MOVE_ENDED) == []


def test_three_two_one_is_shown_from_the_down_edge_on_and_gone_if_the_hold_was_too_short() -> None:
    for length, last, state in ((2500, "  1 ", k.RUNNING), (1900, " 0:57", k.STOPPED)):
        run = started()
        run.run(4000)
        run.order(k.C_STOP, k.REFEREE)
        run.touch(k.SEDZIA, 6000, length)
        shown = []
        for at in (5999, 6000, 6999, 7000, 7899):
            run.run(at)
            shown.append(run.box.view(at).displays[A])
        assert shown == [" 0:57", "  3 ", "  3 ", "  2 ", "  2 "]
        run.run(8999)
        assert run.box.view(8999).displays[A] == last
        run.run(9000)
        assert run.box.clock.state == state


# --- flash that fails ---


def test_while_flash_fails_the_game_goes_on_and_the_box_says_so() -> None:
    for how in (UNDONE, DONE):
        run = started()
        head = run.box.journal.head
        run.flash.fail(1, how, dies=True)
        run.touch(juz(A), 5000)
        run.touch(juz(B), 15000)
        run.run(20000)
        assert (run.box.clock.seat, run.box.clock.move) == (C, 3)
        assert run.box.journal.head == head  # nothing is said to be kept that is not
        assert k.E_FLASH_WRITE in faults(run)
        assert run.box.view(20000).displays[A] == f"E{k.E_FLASH_WRITE:3d}"


def test_when_flash_is_back_every_fact_is_kept_in_order_and_once() -> None:
    run = started()
    run.flash.fail(1, UNDONE, dies=True)
    for move in range(10):
        run.touch(juz(move & 3), 3000 + 2000 * move)
    run.run(24000)
    run.flash.revive()
    run.run(30000)
    assert run.box.clock.facts == []
    assert [fact[4] for fact in run.facts(k.MOVE_ENDED)] == [A, B, C, D, A, B, C, D, A, B]
    assert [fact[3] for fact in run.facts(k.MOVE_STARTED)] == list(range(1, 12))


def test_one_write_that_fails_and_is_tried_again_loses_and_doubles_nothing() -> None:
    for how in (UNDONE, DONE):
        for after in range(1, 9):
            run = started()
            run.flash.fail(after, how, dies=False)
            for move in range(6):
                run.touch(juz(move & 3), 3000 + 2000 * move)
            run.run(20000)
            assert [fact[3] for fact in run.facts(k.MOVE_ENDED)] == [1, 2, 3, 4, 5, 6], (how, after)
            assert run.box.clock.facts == []


def test_a_long_failure_gives_up_facts_and_says_how_many() -> None:
    run = started()
    run.flash.fail(1, UNDONE, dies=True)
    for move in range(60):
        run.touch(juz(move & 3), 3000 + 2000 * move)
    run.run(130000)
    assert len(run.box.clock.facts) < 80
    run.flash.revive()
    run.run(140000)
    kept = run.facts(k.MOVE_ENDED, k.MOVE_STARTED)
    given_up = sum([fact[6] for fact in run.facts(k.FAULT) if fact[5] == k.E_FLASH_WRITE])
    assert given_up > 0 and len(kept) + given_up >= 121
    assert (run.box.clock.move, len(run.facts(k.MOVE_ENDED)) < 60) == (61, True)


# --- power, resets ---


def test_power_lost_at_any_time_brings_the_box_back_stopped_with_at_most_five_seconds_lost() -> None:
    for at in (1001, 5999, 6000, 6001, 23456, 59900):
        run = started()
        run.run(at)
        before, head = left(run), run.box.journal.head
        run.power()
        assert run.box.clock.state == k.STOPPED and run.box.clock.reason == k.BOX_LOST_POWER
        assert before <= left(run) <= before + 5000
        assert run.box.journal.head > head
        run.run(600000)
        assert run.box.clock.state == k.STOPPED  # it never resumes by itself


def test_after_a_watchdog_or_soft_reset_the_state_comes_from_memory_that_stayed() -> None:
    for reset in (k.WATCHDOG, k.SOFT_RESET, k.HARD_RESET):
        run = started()
        run.run(23456)
        before = left(run)
        run.power(reset=reset)
        assert run.box.clock.state == k.STOPPED
        assert before <= left(run) <= before + 1000
        assert run.facts(k.BOOTED)[-1][5] == reset


def test_memory_that_was_damaged_by_the_reset_is_not_believed() -> None:
    run = started()
    run.run(23456)
    kept = run.board.kept
    for damaged in (b"", kept[:-1], bytes([kept[0] ^ 1]) + kept[1:], bytes(len(kept))):
        run = started()
        run.run(23456)
        run.board.kept = damaged
        before = left(run)
        run.power(reset=k.WATCHDOG)
        assert run.box.clock.state == k.STOPPED and before <= left(run) <= before + 5000


def test_a_press_whose_flush_never_returned_was_never_shown_to_the_desk() -> None:
    run = started()
    run.run(5000)
    head = run.box.journal.head
    run.flash.fail(1, UNDONE, dies=True)
    run.touch(juz(A), 6000)
    run.run(6300)
    assert run.box.clock.seat == B and run.box.journal.head == head
    seen = advert.unpack(secure.advert_key(bytes(range(32)), UID), run.box.advertisement())
    assert seen[3] == head
    run.power()
    assert run.box.clock.seat == A and left(run) >= 55000


def test_seq_is_never_reused_and_facts_of_all_boots_stay() -> None:
    run = started()
    for boot in range(2, 6):
        head = run.box.journal.head
        run.run(3000 * boot)
        run.power()
        assert run.box.journal.boot == boot and run.box.journal.head > head
    assert [fact[5] for fact in run.facts(k.BOOTED)] == [k.POWER_ON] * 5


def test_settings_outlive_a_power_cut() -> None:
    run = started(limit_ms=40000, draw=rules.DRAW_BLOCK, guard_ms=250)
    run.power()
    settings = run.box.clock.settings
    assert (settings.limit_ms, settings.draw, settings.guard_ms) == (40000, rules.DRAW_BLOCK, 250)


def test_settings_that_are_damaged_on_flash_are_those_of_a_new_box() -> None:
    for data in (b"", b"\x01\x02", bytes(35), b"\xff" * 35):
        flash = TimedFlash()
        flash.files["settings"] = data
        box = Box(UID, bytes(32), flash, RamBoard(), 0)
        assert box.clock.settings.limit_ms == rules.Settings().limit_ms


# --- when it wants to be called ---


def test_a_box_with_nothing_to_do_sleeps() -> None:
    run = BoxRun()
    run.run(65000)  # it has tidied up
    assert run.box.settled()
    turns = 0
    while run.now < 660000:
        run.pump(run.next_turn())
        turns += 1
    assert turns <= 11


def test_a_running_box_wakes_for_its_checkpoints_and_its_limit_only() -> None:
    run = started()
    run.run(2000)
    wakes = []
    while run.now < 90000:
        run.pump(run.next_turn())
        wakes.append(run.now)
    assert len(wakes) <= 20, len(wakes)
    assert 61000 in wakes and 81000 in wakes  # the limit, and the alert 20 s later


def test_a_wake_up_is_never_in_the_past_whatever_comes_in() -> None:
    run = started(limit_ms=5000, on_expiry=rules.ADVANCE, grace_ms=1000, taps_only=True)
    number = 1
    while run.now < 60000:
        number = (number * 48271) % 2147483647
        run.touch(number % k.CONTACTS, run.now + number % 900, 20 + number % 1300)
        at = run.next_turn()
        assert run.box.wake_at() >= run.box.uptime.now
        run.pump(at + number % 40)
    assert len(run.facts(k.MOVE_STARTED)) > 5


# --- what can be seen ---


def test_3_2_1_is_shown_from_the_moment_sedzia_is_held() -> None:
    run = started()
    run.order(k.C_STOP, k.REFEREE)
    run.stamp(k.SEDZIA, True, 10000)
    shown = []
    for at in (10000, 10999, 11500, 12500, 13200):
        run.run(at)
        shown.append(run.box.view(at).displays[0])
    assert shown == ["  3 ", "  3 ", "  2 ", "  1 ", " 1:00"]
    assert run.box.clock.state == k.RUNNING


def test_the_advertisement_changes_with_head_and_alarm_and_with_nothing_else() -> None:
    run = started()
    run.run(2000)
    before = run.box.advertisement()
    run.run(30000)
    assert run.box.advertisement() == before
    run.touch(juz(A), 31000)
    run.run(32000)
    after = run.box.advertisement()
    assert after != before
    run.run(91000)
    expired = run.box.advertisement()
    run.run(110999)
    assert run.box.advertisement() == expired
    run.run(111000)
    assert run.box.advertisement() != expired  # 20 s without a verdict is an alarm


def test_the_advertisement_says_when_the_running_time_is_over() -> None:
    run = started()
    run.run(2000)
    key = secure.advert_key(bytes(range(32)), UID)
    assert advert.unpack(key, run.box.advertisement())[5:9] == (k.RUNNING, A, 0, 61000)
    run.order(k.C_STOP, k.REFEREE)
    assert advert.unpack(key, run.box.advertisement())[5:9] == (k.STOPPED, A, 0, 59000)


def test_a_battery_that_falls_is_said_once() -> None:
    run = started()
    for millivolts in (4100, 3800, 3799, 3750, 3810, 3799):
        run.box.battery(millivolts)
        run.run(run.now + 10000)
    assert [fact[6] for fact in run.facts(k.BATTERY_LOW)] == [3799]
    run.box.battery(3900)
    run.box.battery(3700)
    assert [fact[6] for fact in run.facts(k.BATTERY_LOW)] == [3799, 3700]


def test_what_anybody_may_read() -> None:
    plain = bytes(BoxRun().box.info())
    assert plain[1:7] == UID and plain[0] == 1 and plain[-1] == 100
    assert [bytes(BoxRun(0, kostka, shared).box.info())[8] for kostka, shared in ((True, False), (False, True))] == [
        1,
        2,
    ]


def test_a_fault_of_one_kind_is_told_again_when_ten_seconds_are_over() -> None:
    clock = Clock(rules.Settings())
    faults = Faults(clock)
    for detail, at in ((1, 1_000), (2, 10_999), (3, 11_000), (4, 20_999)):
        faults.report(7, detail, at)
    faults.report(8, 5, 20_999)
    assert [fact[5:7] for fact in clock.facts] == [(7, 1), (7, 3), (8, 5)]
