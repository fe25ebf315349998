"""What becomes of a command when links break and desks die: carried out once, or said in words."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from dalej.desk.notices import Notices
from dalej.desk.requests import LINK_BACK_WITHIN_MS
from dalej.domain.game.sentences import seconds_said
from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, SENT, Ledger
from dalej.simulator.box import Faults
from moveclock import facts as k
from tests.desk.setting import SECOND, THIRD, Place, Setting, expect_clean

COMMIT_DELAY_MS = 400


def results(ledger: Ledger, request: int) -> list[str]:
    return [outcome.result for outcome in ledger.outcomes(request)]


def last_request(place: Place) -> int:
    return max(request.id for request in place.ledger.since(0) if type(request).__name__ == "Request")  # type: ignore[union-attr]  # by its name


def obeyed_and_died(setting: Setting, place: Place) -> int:
    """The box has stopped its clock, and the desk that asked for it died before it heard so; the request."""
    setting.ask(place, "stop", {"reason": "referee"})
    assert setting.box.box is not None
    while setting.box.box.clock.state == k.RUNNING:
        setting.world.step()
    place.radio.abandon()
    setting.clock.wall_start_ms += 60_000
    return last_request(place)


def obeyed_and_given_up(setting: Setting, place: Place) -> tuple[int, Place]:
    """The next desk says that there is no link, since the box is out of its reach; the request, and that desk."""
    request = obeyed_and_died(setting, place)
    again = setting.desk(SECOND, wait_ms=-1)
    again.radio.set_reach(setting.box.uid, False)
    again.desk.carry_out()
    setting.run(LINK_BACK_WITHIN_MS + 1_000)
    assert results(again.ledger, request) == [SENT, NO_LINK]
    return request, again


@pytest.fixture
def place(setting: Setting) -> Place:
    place = setting.desk()
    setting.configure(place)
    setting.tap(2 * k.SEAT_A)
    return place


def test_without_a_link_the_answer_is_no_and_in_words(setting: Setting, place: Place) -> None:
    place.radio.set_reach(setting.box.uid, False)

    assert not setting.ask(place, "stop", {"reason": "referee"})

    assert place.said("no_link") == [f"table 1: no link to box {setting.box.uid.hex()}, “stop the clock” was not sent"]
    assert results(place.ledger, last_request(place)) == [NO_LINK]
    place.radio.set_reach(setting.box.uid, True)
    setting.run(20_000)
    assert "clock_stopped" not in place.names()


def test_a_link_that_breaks_and_is_back_at_once_loses_no_command(setting: Setting, place: Place) -> None:
    place.radio.faults = Faults(loss=1.0)
    assert setting.ask(place, "stop", {"reason": "referee"})
    setting.run(500)
    place.radio.cut(setting.box.uid)
    place.radio.faults = Faults()

    setting.run(3000)

    assert place.names()[-2:] == ["clock_stopped", "command_applied"]
    assert results(place.ledger, last_request(place))[-1] == APPLIED
    assert not place.said("no_link")


def test_a_command_whose_link_stays_away_is_given_up_in_words_and_not_carried_out_later(
    setting: Setting, place: Place
) -> None:
    place.radio.faults = Faults(loss=1.0)
    assert setting.ask(place, "stop", {"reason": "referee"})
    setting.run(500)
    place.radio.set_reach(setting.box.uid, False)
    place.radio.faults = Faults()

    setting.run(15_000)

    assert results(place.ledger, last_request(place)) == [SENT, NO_LINK]
    (said,) = place.said("no_link")
    assert said == f"table 1: the link to box {setting.box.uid.hex()} was lost before it answered “stop the clock”"
    place.radio.set_reach(setting.box.uid, True)
    setting.run(20_000)
    assert "clock_stopped" not in place.names()


def test_a_command_that_the_box_did_get_is_answered_when_its_link_is_back(setting: Setting, place: Place) -> None:
    assert setting.ask(place, "stop", {"reason": "referee"})
    assert setting.box.box is not None
    while setting.box.box.clock.state == k.RUNNING:
        setting.world.step()
    place.radio.set_reach(setting.box.uid, False)
    assert "clock_stopped" not in place.names()

    setting.run(16_000)
    place.radio.set_reach(setting.box.uid, True)
    setting.run(5000)

    assert results(place.ledger, last_request(place)) == [SENT, NO_LINK, APPLIED]
    assert place.names().count("clock_stopped") == 1


def test_a_command_is_repeated_only_when_the_ledger_has_caught_up(setting: Setting, place: Place) -> None:
    """The box has carried it out, and made more facts since than it remembers ids from after a power cut."""
    setting.ask(place, "stop", {"reason": "referee"})
    setting.run(1000)
    place.radio.faults = Faults(loss=1.0)
    setting.ask(place, "give_time", {"ms": 30_000})
    box = setting.box.box
    assert box is not None
    box.commands.take((last_request(place), k.C_GIVE_TIME, 0, 0, 0, 0, (30_000).to_bytes(4, "little")), box.uptime.now)
    for _ in range(140):
        setting.tap(2 * k.SEAT_B, 40)
        if not place.radio.connected(setting.box.uid):
            place.radio.set_reach(setting.box.uid, False)
    assert box.journal.backlog > 135

    setting.box.power_off()
    setting.box.power_on()
    place.desk.lines[setting.box.uid].away_ms = setting.world.now_ms
    place.radio.faults = Faults()
    place.radio.set_reach(setting.box.uid, True)
    setting.settle(place)
    setting.run(20_000)

    assert place.names().count("extra_time_given") == 1


def test_a_desk_that_died_between_a_fact_and_its_outcome_says_the_outcome_when_it_is_back(
    setting: Setting, place: Place
) -> None:
    setting.ask(place, "stop", {"reason": "referee"})
    request = last_request(place)
    place.desk._orders._open.clear()  # it dies with the answer on the way to the ledger
    setting.run(1000)
    assert results(place.ledger, request) == [SENT]
    place.radio.abandon()
    setting.clock.wall_start_ms += 60_000

    again = setting.desk(SECOND)

    assert results(again.ledger, request) == [SENT, APPLIED]


def test_a_desk_that_died_before_it_had_the_answer_asks_the_box_no_second_time(setting: Setting, place: Place) -> None:
    """Given a desk that nobody has told yet what was asked before: the answer comes first."""
    request = obeyed_and_died(setting, place)

    again = setting.desk(SECOND)
    setting.settle(again)
    setting.run(5_000)

    assert results(again.ledger, request) == [SENT, APPLIED]
    assert again.names()[-2:] == ["clock_stopped", "command_applied"]


def test_what_a_desk_asked_before_it_died_is_answered_though_the_next_one_has_given_it_up(
    setting: Setting, place: Place
) -> None:
    """Given a box that has obeyed, and comes back in reach after the next desk has said that there is no link."""
    request, again = obeyed_and_given_up(setting, place)

    again.radio.set_reach(setting.box.uid, True)
    setting.settle(again)

    assert results(again.ledger, request) == [SENT, NO_LINK, APPLIED]


def test_what_a_desk_gave_up_before_it_died_too_is_answered_when_the_box_tells_of_it(
    setting: Setting, place: Place
) -> None:
    """Given a box that has obeyed one desk, was out of reach of the second, and is heard by the third."""
    request, again = obeyed_and_given_up(setting, place)
    again.radio.abandon()
    setting.clock.wall_start_ms += 60_000

    third = setting.desk(THIRD)
    setting.settle(third)
    setting.run(5_000)

    assert results(third.ledger, request) == [SENT, NO_LINK, APPLIED]


def test_an_answer_of_another_evening_is_not_taken_for_todays(tmp_path: Path, kept_open: ExitStack) -> None:
    """The box remembers yesterday's commands, which had the same small numbers."""
    setting = kept_open.enter_context(Setting(tmp_path))
    yesterday = setting.desk(file="yesterday.dalej")
    setting.configure(yesterday)
    setting.tap(2 * k.SEAT_A)
    setting.ask(yesterday, "stop", {"reason": "referee"})
    setting.run(1000)
    yesterday.desk.close()
    yesterday.radio.abandon()
    setting.run(13_000)

    today = setting.desk(SECOND, file="today.dalej")
    setting.run(2000)
    assert setting.ask(today, "resume")
    setting.run(5000)

    assert setting.box.box is not None
    assert setting.box.box.clock.state == k.RUNNING
    assert results(today.ledger, last_request(today)) == [SENT, APPLIED]
    expect_clean(today.ledger)


def test_a_number_that_the_box_knows_from_another_evening_is_said_and_the_next_one_works(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    """Asked at once, before the box could tell today's desk which numbers it knows."""
    setting = kept_open.enter_context(Setting(tmp_path))
    yesterday = setting.desk(file="yesterday.dalej")
    setting.configure(yesterday)
    setting.tap(2 * k.SEAT_A)
    yesterday.desk.close()
    yesterday.radio.abandon()
    setting.run(13_000)
    today = setting.desk(SECOND, file="today.dalej", wait_ms=-1)
    while not today.desk.is_live(setting.box.uid):
        setting.world.step()

    assert setting.ask(today, "stop", {"reason": "referee"})
    setting.run(5000)

    assert setting.box.box is not None
    assert setting.box.box.clock.state == k.RUNNING
    assert results(today.ledger, 1) == [SENT, NO_LINK]
    (said,) = today.said("no_link")
    assert "took “stop the clock” for a command of another event, ask again" in said
    assert setting.ask(today, "stop", {"reason": "referee"})
    setting.run(1000)
    assert results(today.ledger, last_request(today)) == [SENT, APPLIED]


@pytest.mark.parametrize("backlog", range(70, 77))
def test_a_command_asked_while_the_ledger_catches_up_is_sent_once(setting: Setting, place: Place, backlog: int) -> None:
    """Whether its answer comes in one frame with the last of the old facts or after them."""
    setting.settle(place)
    place.radio.set_reach(setting.box.uid, False)
    while setting.backlog() < backlog:
        setting.tap(2 * k.SEAT_C, 40)
    place.radio.set_reach(setting.box.uid, True)
    place.radio.faults = Faults(delay_ms=(30, 40))
    while not place.desk.is_live(setting.box.uid):
        setting.world.step()
    assert place.desk.lines[setting.box.uid].catch_up is not None

    setting.ask(place, "blink")
    setting.settle(place)
    setting.run(5000)

    assert results(place.ledger, last_request(place)) == [SENT, APPLIED]


@pytest.fixture
def asked_afar(setting: Setting) -> Place:
    """The box played on out of reach; back, but without a link yet, it is asked to stop."""
    place = setting.desk(links=1, commit_delay_ms=COMMIT_DELAY_MS, wait_ms=6000)
    setting.configure(place, limit_ms=600_000)
    setting.run(3000)
    place.radio.set_reach(setting.box.uid, False)
    setting.moves(4)
    place.radio.set_reach(setting.box.uid, True)
    setting.run(600)
    assert not place.desk.is_live(setting.box.uid)
    assert setting.ask(place, "stop", {"reason": "referee"})
    assert place.kinds()[-1] == "waits"
    return place


def test_a_command_that_waits_is_not_sent_on_a_link_that_is_lost_before_the_ledger_has_caught_up(
    setting: Setting, asked_afar: Place
) -> None:
    """All the box had has arrived and waits to be recorded together."""
    line = asked_afar.desk.lines[setting.box.uid]
    while len(asked_afar.desk._arrivals._reports) < max(1, line.backlog):
        setting.world.step()
    asked_afar.radio.set_reach(setting.box.uid, False)

    setting.run(LINK_BACK_WITHIN_MS + COMMIT_DELAY_MS)

    assert results(asked_afar.ledger, last_request(asked_afar)) == [NO_LINK]
    (said,) = asked_afar.said("no_link")
    assert said == f"table 1: box {setting.box.uid.hex()} could not be linked in time, “stop the clock” was not sent"


def test_a_command_that_waits_goes_out_on_the_next_link_if_the_first_is_lost_too_soon(
    setting: Setting, asked_afar: Place
) -> None:
    line = asked_afar.desk.lines[setting.box.uid]
    while len(asked_afar.desk._arrivals._reports) < max(1, line.backlog):
        setting.world.step()
    asked_afar.radio.cut(setting.box.uid)

    setting.run(8000)

    assert results(asked_afar.ledger, last_request(asked_afar)) == [SENT, APPLIED]
    assert asked_afar.names().count("clock_stopped") == 1


def test_a_command_that_waited_and_was_sent_is_given_up_as_sent_and_a_late_answer_counts(
    setting: Setting, asked_afar: Place
) -> None:
    assert setting.box.box is not None
    while setting.box.box.clock.state == k.RUNNING:
        setting.world.step()
    asked_afar.radio.set_reach(setting.box.uid, False)
    assert "clock_stopped" not in asked_afar.names()

    setting.run(LINK_BACK_WITHIN_MS + COMMIT_DELAY_MS)

    assert results(asked_afar.ledger, last_request(asked_afar)) == [SENT, NO_LINK]
    (said,) = asked_afar.said("no_link")
    assert said == f"table 1: the link to box {setting.box.uid.hex()} was lost before it answered “stop the clock”"
    asked_afar.radio.set_reach(setting.box.uid, True)
    setting.run(10_000)
    assert results(asked_afar.ledger, last_request(asked_afar)) == [SENT, NO_LINK, APPLIED]
    assert asked_afar.names().count("clock_stopped") == 1


def test_a_request_that_makes_no_sense_and_waited_for_a_link_keeps_none_busy(setting: Setting) -> None:
    place = setting.desk(links=1, poll_ms=200, wait_ms=6000)
    uid = setting.box.uid
    place.radio.set_reach(uid, False)
    setting.tap(k.SEDZIA)
    place.radio.set_reach(uid, True)
    setting.run(600)
    assert not place.desk.is_live(uid)
    request = place.ledger.request(1, "stop", {"reason": "boredom"}, who="screen", at_ms=0)
    setting.run(300)
    assert place.desk.is_asked(uid)

    setting.run(8000)

    assert results(place.ledger, request.id) == [REFUSED]
    assert not place.desk.is_asked(uid)


def test_the_desk_offers_what_it_heard_after_the_last_checkpoint(setting: Setting, place: Place) -> None:
    setting.run(4500)  # a ping told the desk of the running move after 4 s, the next checkpoint is due after 5
    setting.box.power_off()
    setting.box.power_on()
    setting.settle(place)

    (said,) = place.said("offer")
    assert "lost its power and goes on with" in said
    (stopped,) = [fact for fact in place.facts() if fact.name == "clock_stopped"]
    (notice,) = [notice for notice in place.desk.notices if notice.kind == "offer"]
    assert str(notice.data["shown"]) == str(seconds_said(stopped.a))
    assert float(str(notice.data["heard"])) < stopped.a / 1000


def test_what_people_are_told_does_not_grow_without_end() -> None:
    notices = Notices()

    for number in range(10_000):
        notices.tell("test", None, "{number}", number=number)

    assert 400 <= len(notices.latest) <= 1000
    assert notices.latest[-1].data["number"] == 9999


def test_a_box_that_turns_the_desk_away_again_and_again_is_told_of_once(tmp_path: Path, kept_open: ExitStack) -> None:
    setting = kept_open.enter_context(Setting(tmp_path))
    setting.boxes[0].secret, genuine = bytes(32), setting.box.secret
    stranger = setting.desk("stranger")
    setting.boxes[0].secret = genuine

    setting.run(60_000)

    assert stranger.kinds() == ["turned_away"]
    assert stranger.radio.left + stranger.radio.cuts > 10
    stranger.desk.lines[setting.box.uid].secret = genuine  # the keys are imported
    setting.run(3000)
    assert stranger.desk.is_live(setting.box.uid)
