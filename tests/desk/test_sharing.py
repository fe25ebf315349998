"""Several processes on one event: one talks to the boxes, all of them may ask; who holds the links is said in words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dalej.errors import Refused
from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, SENT, Ledger
from moveclock import facts as k
from tests.desk.setting import FIRST, NOON, SECOND, Place, Setting, expect_clean
from tests.event.ledger.making import raw

POLL_MS = 200
ROOT = Path(__file__).parents[2]
ASK = """
import sys
from dalej.event.ledger import Ledger
with Ledger.open(sys.argv[1]) as ledger:
    print(ledger.request(1, "stop", {"reason": "round_break"}, who="head referee", at_ms=5).id)
"""


def results(ledger: Ledger, request: int) -> list[tuple[str, str]]:
    return [(outcome.result, outcome.reason) for outcome in ledger.outcomes(request)]


@pytest.fixture
def place(setting: Setting) -> Place:
    """The desk that holds the links; its table's game runs."""
    place = setting.desk(poll_ms=POLL_MS)
    setting.configure(place)
    setting.tap(2 * k.SEAT_A)
    return place


def test_a_second_desk_is_refused_in_words_with_the_firsts_name(setting: Setting, place: Place) -> None:
    with pytest.raises(Refused, match=f"held by {FIRST}"):
        setting.desk(SECOND)


def test_a_second_desk_takes_over_when_the_first_has_closed(setting: Setting, place: Place) -> None:
    place.desk.close()

    second = setting.desk(SECOND)
    setting.run(1000)

    assert second.desk.is_live(setting.box.uid)
    assert not place.desk.is_live(setting.box.uid)


def test_another_process_asks_and_the_lease_holder_carries_it_out(setting: Setting, place: Place) -> None:
    command = [sys.executable, "-c", ASK, str(place.ledger.path)]

    asked = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60)
    setting.run(POLL_MS + 100)

    assert setting.box.box is not None
    assert setting.box.box.clock.state == k.STOPPED
    assert setting.box.box.clock.reason == k.ROUND_BREAK
    assert results(place.ledger, int(asked.stdout)) == [(SENT, ""), (APPLIED, "")]


def test_a_request_is_taken_up_within_the_poll_and_not_twice(setting: Setting, place: Place) -> None:
    with Ledger.open(place.ledger.path) as other:
        request = other.request(1, "stop", {"reason": "referee"}, who="screen", at_ms=NOON)
        setting.run(POLL_MS)
        setting.run(10_000)

        assert results(other, request.id) == [(SENT, ""), (APPLIED, "")]
    assert place.names().count("clock_stopped") == 1


def test_what_a_box_refuses_is_recorded_with_its_reason(setting: Setting, place: Place) -> None:
    with Ledger.open(place.ledger.path) as other:
        request = other.request(1, "resume", {}, who="screen", at_ms=NOON)
        guarded = other.request(1, "stop", {"reason": "referee"}, who="screen", at_ms=NOON, guard=(1, 9))
        setting.run(2000)

        assert results(other, request.id) == [(SENT, ""), (REFUSED, "state")]
        assert results(other, guarded.id) == [(SENT, ""), (REFUSED, "guard")]


def test_a_request_for_a_box_without_a_link_ends_at_once_and_in_words(setting: Setting, place: Place) -> None:
    place.radio.set_reach(setting.box.uid, False)

    with Ledger.open(place.ledger.path) as other:
        request = other.request(1, "stop", {"reason": "referee"}, who="screen", at_ms=NOON)
        setting.run(POLL_MS)

        assert results(other, request.id) == [(NO_LINK, "")]
    (said,) = place.said("no_link")
    assert said == f"table 1: no link to box {setting.box.uid.hex()}, “stop the clock” was not sent"
    place.radio.set_reach(setting.box.uid, True)
    setting.run(5000)
    assert "clock_stopped" not in place.names()


def test_a_request_for_a_table_that_nobody_knows_ends_in_words(setting: Setting, place: Place) -> None:
    with Ledger.open(place.ledger.path) as other:
        unknown = other.request(9, "stop", {"reason": "referee"}, who="screen", at_ms=NOON)
        elsewhere = other.request(1, "stop", {"reason": "referee"}, who="screen", at_ms=NOON, box="00")
        setting.run(POLL_MS)

        assert results(other, unknown.id) == [(NO_LINK, "")]
        assert results(other, elsewhere.id) == [(NO_LINK, "")]
    assert place.said("no_link")[0] == "table 9: no box is known there, “stop the clock” was not sent"


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("dance", {}),
        ("stop", {"reason": "boredom"}),
        ("stop", {"why": "referee"}),
        ("give_time", {"ms": "long"}),
        ("give_time", {"ms": -1}),
        ("configure", {"game": 1, "settings": "zz"}),
        ("take_over", {"game": 1}),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_and_the_desk_goes_on(
    setting: Setting, place: Place, command: str, args: dict[str, int | str]
) -> None:
    with Ledger.open(place.ledger.path) as other:
        request = other.request(1, command, args, who="screen", at_ms=NOON)
        sound = other.request(1, "stop", {"reason": "referee"}, who="screen", at_ms=NOON)
        setting.run(1000)

        assert results(other, request.id) == [(REFUSED, "argument")]
        assert results(other, sound.id) == [(SENT, ""), (APPLIED, "")]


def test_looking_for_requests_costs_next_to_nothing_while_nothing_happens(setting: Setting, place: Place) -> None:
    place.desk.carry_out()
    asked: list[str] = []
    db = raw(place.ledger)
    db.set_trace_callback(asked.append)

    setting.run(2000)

    db.set_trace_callback(None)
    looks = [statement for statement in asked if "SELECT" in statement]
    assert len(looks) <= 2000 // POLL_MS + 2
    assert all("counters" in statement for statement in looks[2:])  # the first look found the game's own facts


# --- the lease -----


def test_a_desk_whose_lease_was_taken_stops_recording_and_leaves_in_words(setting: Setting, place: Place) -> None:
    acked = setting.box.box.journal.acked if setting.box.box is not None else 0
    place.ledger.lease.acquire("head office", NOON + 3_600_000, 10_000)  # this process slept for an hour

    setting.tap(k.KOSTKA)
    setting.run(5000)

    assert place.desk.resigned is not None
    assert place.said("lease_lost") == ["the links of this event are held by head office"]
    assert not place.desk.is_live(setting.box.uid)
    assert setting.box.box is not None
    assert setting.box.box.journal.acked == acked
    assert setting.box.box.journal.backlog > 0
    with pytest.raises(Refused, match="held by head office"):
        setting.ask(place, "stop", {"reason": "referee"})


def test_a_desk_whose_lease_was_taken_notices_without_any_fact(setting: Setting, place: Place) -> None:
    place.ledger.lease.acquire("head office", NOON + 3_600_000, 3_600_000)

    setting.run(4000)

    assert place.said("lease_lost") == ["the links of this event are held by head office"]
    assert place.desk.next_timer() is None


def test_the_desk_that_took_over_gets_what_the_first_one_left(setting: Setting, place: Place) -> None:
    setting.moves(2)
    setting.clock.wall_start_ms += 3_600_000  # the first process slept through its own lease
    second = setting.desk(SECOND)
    setting.moves(4)

    setting.settle(second)

    assert place.desk.resigned is not None
    assert second.desk.is_live(setting.box.uid)
    expect_clean(second.ledger)
    assert second.facts()[-1].name == "move_started"


def test_closing_a_desk_that_has_lost_its_lease_leaves_the_others_lease_alone(setting: Setting, place: Place) -> None:
    held = place.ledger.lease.acquire("head office", NOON + 3_600_000, 10_000)

    setting.run(4000)
    place.desk.close()

    assert place.ledger.lease.holder(NOON + 3_600_001) == held


def test_the_lease_is_kept_for_as_long_as_the_desk_runs(setting: Setting, place: Place) -> None:
    setting.run(600_000)

    holder = place.ledger.lease.holder(setting.clock.wall_ms())
    assert holder is not None
    assert holder.holder == FIRST
