"""Whose turn it is when links are few: the urgent first, and everybody in bounded time."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from dalej.link.pool import (
    BACK_OFF_MOST_MS,
    LINGER_MS,
    PASSED_OVER_MOST,
    REACH_MS,
    SYNC_EVERY_MS,
    TURN_MS,
    YIELD_AFTER_MS,
    Connect,
    Leave,
    Need,
    Pool,
)
from tests.link.pooling import linked, pool, uid

CONNECT_MS: Final = 2_000
NO_ANSWER_MS: Final = 5_000
DRAIN_MS: Final = 400


def test_while_there_is_room_every_box_gets_a_link_and_keeps_it() -> None:
    made = pool(3)
    for number in range(3):
        assert made.decide(2000 * number) == Connect(uid(number))
        assert made.decide(2000 * number) is None  # one at a time
        made.connected(uid(number), 2000 * number + 2000)

    for now_ms in range(6000, 1_000_000, 4_000):
        made.heard(uid(0), now_ms)
        assert made.decide(now_ms) is None


def test_a_link_that_is_lost_is_sought_again_at_once_while_there_is_room() -> None:
    made = pool(1)
    made.decide(0)
    made.connected(uid(0), 0)

    made.heard(uid(0), 100_000)
    made.disconnected(uid(0), 100_000, served=True)

    assert made.decide(100_000) == Connect(uid(0))


def test_beyond_that_a_box_without_a_need_is_left_alone() -> None:
    made = pool(4)

    assert made.decide(0) is None
    made.needs(uid(2), Need.FACTS, 10)
    assert made.decide(10) == Connect(uid(2))


def test_where_all_boxes_are_on_cables_nobody_else_is_linked_and_the_next_look_is_ahead() -> None:
    made = Pool(0)
    made.know(uid(1), 0)
    made.heard(uid(1), 0)
    for now_ms, need in ((10, Need.NOTHING), (20, Need.FACTS), (30, Need.ALARM)):
        made.needs(uid(1), need, now_ms)
        assert made.decide(now_ms) is None
        assert (made.next_timer() or 0) > now_ms


def test_while_the_only_link_is_still_being_made_nobody_has_one_to_give_up() -> None:
    made = Pool(1, connects=2)
    for number in range(2):
        made.know(uid(number), 0)
        made.heard(uid(number), 0)
        made.needs(uid(number), Need.FACTS, 0)

    assert isinstance(made.decide(0), Connect)
    assert made.decide(0) is None


def test_alarms_come_first_then_commands_then_the_longest_waiting() -> None:
    made = pool(9)
    for number, need in ((4, Need.FACTS), (1, Need.FACTS), (7, Need.COMMAND), (5, Need.ALARM)):
        made.needs(uid(number), need, 10 * number)
    order = []
    for now_ms in (100, 200, 300, 400):
        step = made.decide(now_ms)
        assert isinstance(step, Connect)
        order.append(step.uid)
        made.connected(step.uid, now_ms)
        made.needs(step.uid, Need.NOTHING, now_ms)
        made.disconnected(step.uid, now_ms, served=True)

    assert order == [uid(5), uid(7), uid(1), uid(4)]


def test_a_drained_link_is_given_up_when_somebody_waits_and_not_before() -> None:
    made = linked(9, 0, 1, 2)
    made.needs(uid(1), Need.NOTHING, 1000)
    assert made.decide(5000) is None

    made.heard(uid(8), 5000)
    made.needs(uid(8), Need.FACTS, 5000)

    assert made.decide(5000) == Leave(uid(1))
    assert made.decide(5000) is None
    made.disconnected(uid(1), 5010, served=True)
    assert made.decide(5010) == Connect(uid(8))


def test_of_drained_links_that_of_a_table_which_waits_for_the_referee_is_given_up_last() -> None:
    made = linked(9, 0, 1, 2)
    made.needs(uid(0), Need.NOTHING, 1000, calls=True)
    made.needs(uid(2), Need.NOTHING, 2000)
    made.heard(uid(8), 5000)
    made.needs(uid(8), Need.ALARM, 5000)

    assert made.decide(5000) == Leave(uid(2))
    made.disconnected(uid(2), 5000, served=True)
    assert made.decide(5000) == Connect(uid(8))
    made.connected(uid(8), 5000)
    made.heard(uid(7), 8000)
    made.needs(uid(7), Need.ALARM, 8000)
    assert made.decide(8000) == Leave(uid(0))  # and not the one that still has something to tell


def test_the_last_acknowledgement_may_still_arrive() -> None:
    made = linked(9, 0, 1, 2)
    made.needs(uid(8), Need.FACTS, 0)
    made.needs(uid(1), Need.NOTHING, 1000)

    assert made.decide(1000) is None
    assert made.next_timer() == 1000 + LINGER_MS
    assert made.decide(1000 + LINGER_MS) == Leave(uid(1))


def test_a_link_with_more_to_come_is_kept_but_not_for_ever() -> None:
    made = linked(9, 0, 1, 2)
    made.needs(uid(8), Need.FACTS, 100)

    assert made.decide(TURN_MS - 1) is None
    made.heard(uid(8), TURN_MS)
    assert made.decide(TURN_MS) == Leave(uid(0))


def test_an_alarm_takes_the_link_of_a_table_that_has_none() -> None:
    made = linked(9, 0, 1, 2)
    made.needs(uid(0), Need.ALARM, 100)
    made.needs(uid(8), Need.ALARM, 100)

    assert made.decide(1_000) is None
    assert made.decide(2_000) == Leave(uid(1))


def test_a_box_that_does_not_answer_waits_by_itself_longer_each_time() -> None:
    made = pool(9)
    made.needs(uid(3), Need.ALARM, 0)
    made.needs(uid(4), Need.FACTS, 0)
    assert made.decide(0) == Connect(uid(3))

    made.failed(uid(3), 5000)

    assert made.decide(5000) == Connect(uid(4))
    made.connected(uid(4), 7000)
    tries, now_ms, gaps = 0, 7000, []
    while tries < 8:
        made.heard(uid(3), now_ms)
        if made.decide(now_ms) == Connect(uid(3)):
            gaps.append(now_ms)
            made.failed(uid(3), now_ms)
            tries += 1
        now_ms += 1000
    waits = [later - earlier for earlier, later in pairwise(gaps)]
    assert waits == sorted(waits)
    assert waits[-1] == BACK_OFF_MOST_MS


def test_a_box_that_turns_this_desk_away_backs_off_too() -> None:
    made = pool(1)
    made.decide(0)
    made.connected(uid(0), 0)

    made.disconnected(uid(0), 10, served=False)

    assert made.decide(10) is None
    assert made.decide(made.next_timer() or 0) == Connect(uid(0))


def test_a_box_out_of_reach_is_not_tried_until_it_is_heard_again() -> None:
    made = pool(9)
    made.needs(uid(3), Need.ALARM, REACH_MS + 1)

    assert made.decide(REACH_MS + 1) is None
    made.heard(uid(3), 40_000)
    assert made.decide(40_000) == Connect(uid(3))


def test_every_box_has_a_turn_now_and_then_because_clocks_drift() -> None:
    made = pool(9)
    made.heard(uid(5), SYNC_EVERY_MS)

    assert made.decide(SYNC_EVERY_MS) == Connect(uid(5))


@dataclass
class _Table:
    """When it wanted its turn, and the longest that it ever waited."""

    since: int | None = None
    longest: int = 0
    turns: int = 0


@dataclass
class _Hall:
    """An adapter and boxes that always have something new half a second after they have told everything."""

    boxes: int
    links: int
    callers: set[int]
    deaf: set[int]
    pool: Pool = field(init=False)
    tables: list[_Table] = field(init=False)

    def __post_init__(self) -> None:
        self.pool = pool(self.boxes, self.links)
        self.tables = [_Table() for _ in range(self.boxes)]
        self._due: list[tuple[int, int, str]] = []
        self._linked: set[int] = set()
        self._connecting: tuple[int, int] | None = None  # which box, and when that ends
        self.given_up = 0
        for number in range(self.boxes):
            self._later(1, number, "wants")

    def play(self, until_ms: int) -> None:
        now_ms = 0
        self._later(1000, 0, "adverts")
        while self._due and self._due[0][0] <= until_ms:
            now_ms, number, what = heapq.heappop(self._due)
            getattr(self, f"_{what}")(number, now_ms)
            self._serve(now_ms)
        for table in self.tables:
            if table.since is not None:
                table.longest = max(table.longest, now_ms - table.since)

    def _later(self, at_ms: int, number: int, what: str) -> None:
        heapq.heappush(self._due, (at_ms, number, what))

    def _serve(self, now_ms: int) -> None:
        step = self.pool.decide(now_ms)
        if isinstance(step, Connect):
            number = int.from_bytes(step.uid, "big")
            if self._connecting is not None:
                assert number in self.callers
                self.given_up += 1
                self.pool.failed(uid(self._connecting[0]), now_ms)
            assert number not in self._linked
            assert len(self._linked) < self.links
            deaf = number in self.deaf
            self._connecting = (number, now_ms + (NO_ANSWER_MS if deaf else CONNECT_MS))
            self._later(self._connecting[1], number, "fails" if deaf else "opens")
        elif isinstance(step, Leave):
            self._later(now_ms, int.from_bytes(step.uid, "big"), "closes")
        timer = self.pool.next_timer()
        if timer is not None and (not self._due or timer < self._due[0][0]):
            self._later(max(timer, now_ms + 1), 0, "looks")

    def _adverts(self, _: int, now_ms: int) -> None:
        for number in range(self.boxes):
            self.pool.heard(uid(number), now_ms)
        self._later(now_ms + 4_000, 0, "adverts")

    def _looks(self, _: int, now_ms: int) -> None:
        pass

    def _wants(self, number: int, now_ms: int) -> None:
        table = self.tables[number]
        if table.since is None:
            table.since = now_ms
        self.pool.needs(uid(number), Need.ALARM if number in self.callers else Need.FACTS, now_ms)
        if number in self._linked:
            self._later(now_ms + DRAIN_MS, number, "drained")

    def _opens(self, number: int, now_ms: int) -> None:
        if self._connecting != (number, now_ms):
            return
        self._connecting = None
        self._linked.add(number)
        self.pool.connected(uid(number), now_ms)
        self._later(now_ms + DRAIN_MS, number, "drained")

    def _fails(self, number: int, now_ms: int) -> None:
        if self._connecting == (number, now_ms):
            self._connecting = None
            self.pool.failed(uid(number), now_ms)

    def _drained(self, number: int, now_ms: int) -> None:
        table = self.tables[number]
        if table.since is not None and number in self._linked:
            table.longest = max(table.longest, now_ms - table.since)
            table.turns += 1
            table.since = None
            self.pool.needs(uid(number), Need.NOTHING, now_ms)
            self._later(now_ms + 500, number, "wants")

    def _closes(self, number: int, now_ms: int) -> None:
        self._linked.discard(number)
        self.pool.disconnected(uid(number), now_ms, served=True)


@settings(max_examples=8)
@given(st.sampled_from([30, 90, 200]), st.integers(1, 6), st.integers(0, 5), st.integers(0, 4))
def test_nobody_starves_in_a_hall_of_hundreds_where_a_few_never_stop_calling(
    boxes: int, links: int, callers: int, deaf: int
) -> None:
    hall = _Hall(boxes, links, set(range(callers)), set(range(10, 10 + deaf)))
    a_turn = CONNECT_MS + DRAIN_MS + LINGER_MS + 200
    failures = deaf * NO_ANSWER_MS * 8
    a_round = boxes * a_turn * (PASSED_OVER_MOST + 1 if callers else 1) + failures
    hall.play(2 * a_round)

    patient = [table for number, table in enumerate(hall.tables) if number not in hall.deaf]
    assert max(table.longest for table in patient) <= a_round + TURN_MS
    assert min(table.turns for table in patient) >= 1


def test_a_few_callers_among_hundreds_are_heard_again_and_again() -> None:
    hall = _Hall(200, 3, {0}, set())

    hall.play(600_000)

    # at worst a connect under way, and one that had been passed over too often
    assert hall.tables[0].longest <= 3 * (CONNECT_MS + DRAIN_MS + LINGER_MS)
    assert hall.tables[0].turns >= 60


def test_a_connect_that_drags_on_is_given_up_for_an_alarm_and_for_nothing_less() -> None:
    made = pool(4)
    made.needs(uid(0), Need.FACTS, 0)
    assert made.decide(0) == Connect(uid(0))
    made.needs(uid(1), Need.COMMAND, 100)
    assert made.decide(YIELD_AFTER_MS) is None

    made.needs(uid(2), Need.ALARM, YIELD_AFTER_MS)
    assert made.decide(YIELD_AFTER_MS) == Connect(uid(2))
    made.failed(uid(0), YIELD_AFTER_MS)
    made.needs(uid(3), Need.ALARM, 2 * YIELD_AFTER_MS)
    assert made.decide(2 * YIELD_AFTER_MS) is None, "two alarms wait for each other"


def test_a_connect_that_may_still_come_to_something_is_not_given_up() -> None:
    made = pool(4)
    made.needs(uid(0), Need.FACTS, 0)
    assert made.decide(0) == Connect(uid(0))

    made.needs(uid(2), Need.ALARM, 100)

    assert made.decide(100) is None
    assert made.next_timer() == YIELD_AFTER_MS
    assert made.decide(YIELD_AFTER_MS) == Connect(uid(2))
