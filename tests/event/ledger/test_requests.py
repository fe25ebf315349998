"""Commands: asked for by anyone, carried out by the one process that holds the links."""

from __future__ import annotations

import threading

import pytest

from dalej.errors import Refused, WrongInput
from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, SENT, AskedAlready, Ledger, Outcome, Request
from moveclock import facts as k
from tests.event.ledger.making import BOX, NOON, report


@pytest.fixture
def token(ledger: Ledger) -> int:
    return ledger.lease.acquire("desk", NOON, 10_000).token


def test_a_request_says_what_of_whom_and_under_which_guard(ledger: Ledger, second: Ledger) -> None:
    asked = second.request(
        3, "set_remaining", {"ms": 40_000}, who="Anna", at_ms=NOON, why="lamp failed", box=BOX, guard=(1, 12)
    )
    assert asked == Request(1, 1, 3, BOX, "set_remaining", {"ms": 40_000}, "Anna", NOON, "lamp failed", 1, 12)
    assert ledger.open_requests() == ledger.since(0) == [asked]


def test_ids_are_used_once_whoever_asks(ledger: Ledger, second: Ledger) -> None:
    ids = [one.request(1, "stop", who="Anna", at_ms=NOON).id for one in (ledger, second, second, ledger)]
    assert ids == [1, 2, 3, 4]


def test_a_request_is_open_until_it_is_answered(ledger: Ledger, token: int) -> None:
    stop, start = (ledger.request(1, command, who="Anna", at_ms=NOON) for command in ("stop", "start"))
    ledger.outcome(stop.id, SENT, at_ms=NOON + 1, token=token)
    assert ledger.open_requests() == [stop, start]
    ledger.outcome(stop.id, APPLIED, at_ms=NOON + 2, token=token)
    assert ledger.open_requests() == [start]
    refused = ledger.outcome(start.id, REFUSED, at_ms=NOON + 3, token=token, reason="state")
    assert refused == Outcome(5, start.id, REFUSED, "state", NOON + 3)
    assert ledger.open_requests() == []
    assert [one.result for one in ledger.outcomes(stop.id)] == [SENT, APPLIED]


def test_no_link_ends_the_waiting_and_a_late_answer_still_counts(ledger: Ledger, token: int) -> None:
    stop = ledger.request(1, "stop", who="Anna", at_ms=NOON)
    for result in (SENT, NO_LINK, APPLIED):
        assert ledger.open_requests() == ([stop] if result in (SENT, NO_LINK) else [])
        ledger.outcome(stop.id, result, at_ms=NOON, token=token)
    assert [one.result for one in ledger.outcomes(stop.id)] == [SENT, NO_LINK, APPLIED]


def test_the_word_of_the_box_is_final(ledger: Ledger, token: int) -> None:
    stop = ledger.request(1, "stop", who="Anna", at_ms=NOON)
    said = ledger.outcome(stop.id, REFUSED, at_ms=NOON, token=token, reason="guard")
    assert ledger.outcome(stop.id, REFUSED, at_ms=NOON + 9, token=token, reason="guard") == said
    with pytest.raises(Refused, match="request 1 is already refused: guard"):
        ledger.outcome(stop.id, APPLIED, at_ms=NOON, token=token)


def test_an_answer_to_nothing_or_in_other_words_is_refused(ledger: Ledger, token: int) -> None:
    with pytest.raises(WrongInput, match="there is no request 8"):
        ledger.outcome(8, SENT, at_ms=NOON, token=token)
    ledger.request(1, "stop", who="Anna", at_ms=NOON)
    with pytest.raises(WrongInput, match="expected one of sent, applied, refused, no_link"):
        ledger.outcome(1, "done", at_ms=NOON, token=token)
    with pytest.raises(WrongInput, match="without a name or a command"):
        ledger.request(1, "stop", who=" ", at_ms=NOON)


def test_an_event_restored_from_an_old_backup_does_not_use_ids_again_that_its_boxes_know(ledger: Ledger) -> None:
    ledger.request(1, "stop", who="Anna", at_ms=NOON)
    ledger.record([report(1, kind=k.COMMAND_APPLIED, a=57), report(2, kind=k.COMMAND_REFUSED, a=12)])
    assert ledger.request(1, "stop", who="Anna", at_ms=NOON).id == 58
    ledger.pass_over_requests(90)
    assert ledger.request(1, "stop", who="Anna", at_ms=NOON).id == 91


def test_one_odd_id_does_not_use_up_all_numbers(ledger: Ledger) -> None:
    ledger.record([report(1, kind=k.COMMAND_APPLIED, a=0xFFFF_FFFF)])
    assert ledger.request(1, "stop", who="Anna", at_ms=NOON).id == 1


def test_an_event_out_of_numbers_says_so(ledger: Ledger) -> None:
    with ledger._store.writing() as db:
        db.execute("UPDATE counters SET request = 4294967294")
    assert ledger.request(1, "stop", who="Anna", at_ms=NOON).id == 0xFFFF_FFFF
    with pytest.raises(Refused, match="used up its command numbers"):
        ledger.request(1, "stop", who="Anna", at_ms=NOON)
    assert ledger.head() == 1


def test_what_was_asked_lately_and_waits_is_not_asked_again_unless_it_is_something_else(
    ledger: Ledger, second: Ledger, token: int
) -> None:
    def ask(by: Ledger, table: int = 3, command: str = "give_time", at_ms: int = NOON + 1_000) -> Request:
        return by.request(table, command, {"ms": 1}, who="Sowa", at_ms=at_ms, box=BOX, unless_open_ms=30_000)

    first = ask(ledger)
    with pytest.raises(AskedAlready, match="Sowa has asked for give_time already") as already:
        ask(second)
    assert already.value.request == first
    assert [ask(second, table=4).id, ask(second, command="stop").id] == [2, 3]
    ledger.outcome(first.id, SENT, at_ms=NOON, token=token)
    with pytest.raises(AskedAlready):
        ask(second)

    assert ask(second, at_ms=NOON + 31_000).id == 4
    ledger.outcome(4, APPLIED, at_ms=NOON, token=token)
    ledger.outcome(first.id, NO_LINK, at_ms=NOON, token=token)
    assert ask(second).id == 5


def test_of_many_who_ask_for_the_same_at_one_instant_one_is_heard(ledger: Ledger) -> None:
    told: list[object] = []
    begin = threading.Barrier(6)

    def ask(who: str) -> None:
        with Ledger.open(ledger.path) as own:
            begin.wait(10)
            try:
                told.append(own.request(3, "give_time", {"ms": 1}, who=who, at_ms=NOON, unless_open_ms=30_000))
            except AskedAlready as already:
                told.append(already.request)

    threads = [threading.Thread(target=ask, args=(f"referee {number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    (asked,) = ledger.open_requests()
    assert told == [asked] * 6
