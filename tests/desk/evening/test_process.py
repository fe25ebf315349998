"""One `dalej run` after another, or beside another: the lease, the desk's number, requests and their numbers."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.clock import ManualClock
from dalej.desk.desk import LEASE_TTL_MS
from dalej.desk.evening.evening import desk_id, lease
from dalej.desk.requests import begin_anywhere
from dalej.errors import Refused, Unreachable
from dalej.event.ledger import APPLIED, NO_LINK, Ledger
from tests.desk.evening.evening import SOON_MS, Evening, Process


class Waiting:
    """Somebody who wants the lease: time passes while it waits, and `meanwhile` happens."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.clock = ManualClock(1_795_000_000_000)
        self.told: list[str] = []
        self.pauses = 0

    def pause(self, ms: int) -> None:
        self.pauses += 1
        self.clock.time_ms += ms

    def lease(self) -> None:
        lease(self.ledger, self.clock, "desk 2", ttl_ms=LEASE_TTL_MS, pause=self.pause, waits=self.told.append)


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Waiting]:
    with Ledger.create(tmp_path / "event.dalej") as ledger:
        yield Waiting(ledger)


def test_a_free_lease_is_taken_at_once(waiting: Waiting) -> None:
    waiting.lease()

    assert (waiting.pauses, waiting.told) == (0, [])


def test_the_lease_of_a_killed_desk_is_waited_for_and_that_is_said_once(waiting: Waiting) -> None:
    waiting.ledger.lease.acquire("desk 1", waiting.clock.wall_ms(), LEASE_TTL_MS)
    waiting.lease()

    assert waiting.told == ["desk 1"]
    assert waiting.clock.now_ms() <= LEASE_TTL_MS + 500


def test_a_desk_that_is_alive_keeps_its_lease_and_is_named(waiting: Waiting) -> None:
    held = waiting.ledger.lease.acquire("desk 1", waiting.clock.wall_ms(), LEASE_TTL_MS)

    def pause(ms: int) -> None:
        waiting.clock.time_ms += ms
        waiting.ledger.lease.renew(held, waiting.clock.wall_ms(), LEASE_TTL_MS)

    with pytest.raises(Refused, match="desk 1"):
        lease(waiting.ledger, waiting.clock, "desk 2", ttl_ms=LEASE_TTL_MS, pause=pause, waits=waiting.told.append)


def test_the_successor_of_a_killed_desk_takes_over_its_links_at_once(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    first = evening.begins("1")
    evening.play("1", 2)
    first.ledger.lease.release(first.desk._care.held)  # else its lease would still run, and its link be silent by then
    first.kill()

    second = evening.start()
    before = evening.world.now_ms
    while not second.desk.is_live(evening.boxes["1"].uid) and evening.world.now_ms - before < 20_000:
        evening.run(100)

    assert evening.world.now_ms - before < 8_000  # a box gives up a silent desk after 12 s
    assert not second.said("turned_away")


def test_another_desk_waits_until_the_box_has_given_up_the_first(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    first = evening.begins("1")
    first.ledger.lease.release(first.desk._care.held)
    first.kill()

    second = evening.start(desk_id=815, name="desk 2")
    evening.run(2 * SOON_MS)

    assert second.desk.is_live(evening.boxes["1"].uid)


def test_a_desk_keeps_its_number_for_its_event_on_its_computer(tmp_path: Path) -> None:
    home, event, random = tmp_path / "home", tmp_path / "event.dalej", Random(1).randbytes
    first = desk_id(home, event, random)

    assert desk_id(home, event, random) == first
    assert desk_id(home, tmp_path / "other.dalej", random) != first
    assert desk_id(tmp_path / "other home", event, random) != first


def test_a_desk_has_a_number_even_if_nothing_can_be_kept(tmp_path: Path) -> None:
    no_folder = tmp_path / "a file"
    no_folder.write_text("")

    assert desk_id(no_folder, tmp_path / "event.dalej", Random(1).randbytes)


def test_numbers_of_requests_begin_anywhere_in_an_events_life_and_then_go_on(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    first_ids = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        evening = kept_open.enter_context(Evening(folder, seed=number))
        desk = evening.begins("1")
        first_ids.append(desk.requests("configure")[0].id)
        desk.close()
    assert min(first_ids) > 32
    assert abs(first_ids[0] - first_ids[1]) > 1_000

    again = evening.start()
    again.desk.ask(evening.boxes["1"].uid, "blink", {}, who="Gęś")
    assert first_ids[1] < again.requests("blink")[0].id <= first_ids[1] + 1_000_000


@given(st.binary(min_size=8, max_size=8), st.booleans())
def test_numbers_only_go_on_and_never_far(drawn: bytes, new: bool) -> None:
    class Numbers:
        """How a ledger skips numbers."""

        at = 0

        def skip_requests(self, count: int) -> None:
            self.at += count

    numbers = Numbers()
    begin_anywhere(numbers, lambda _: drawn, new=new)

    assert 0 <= numbers.at < (64_000_000 if new else 1_000_000)


def test_a_box_obeys_the_desk_of_an_event_that_was_restored_from_an_older_copy(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    desk = evening.begins("1")
    desk.close()
    copy = desk.ledger.path.read_bytes()
    later = evening.start()
    for _ in range(3):
        later.desk.ask(evening.boxes["1"].uid, "blink", {}, who="Gęś")
        evening.run()
    lost = {one.id for one in later.requests("blink")}
    later.close()
    later.ledger.path.write_bytes(copy)

    restored = evening.begins()
    restored.desk.ask(evening.boxes["1"].uid, "blink", {}, who="Gęś")
    evening.run()

    (request,) = restored.requests("blink")
    assert request.id not in lost
    assert restored.ledger.outcomes(request.id)[-1].result == APPLIED


def test_a_copy_of_a_running_desk_that_is_put_back_after_a_disaster_goes_on_with_every_move(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    desk = evening.begins("1")
    event, copy = desk.ledger.path, tmp_path / "copy.dalej"
    evening.play("1", 2)
    desk.ledger.backup(copy)
    evening.play("1", 2)
    played = desk.facts(evening.boxes["1"])
    with pytest.raises(Refused, match="is in use"):
        Ledger.restore(copy, event)
    desk.kill()
    desk.ledger.close()
    broken = b"spilt tea" + event.read_bytes()[9:]
    event.write_bytes(broken)

    kept = Ledger.restore(copy, event)
    again = evening.start()
    evening.run()
    evening.play("1", 1)

    assert kept is not None
    assert kept.read_bytes() == broken
    facts = again.facts(evening.boxes["1"])
    assert facts[: len(played)] == played
    assert len(facts) > len(played)
    again.ledger.expect_whole()


def test_what_was_asked_hours_ago_is_not_carried_out_and_what_was_asked_just_now_is(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    first = evening.begins("1")
    first.close()
    ledger, now_ms = evening.event.ledger, evening.clock.wall_ms()
    old = ledger.request(1, "blink", who="Gęś", at_ms=now_ms - 7_200_000)
    new = ledger.request(1, "blink", who="Gęś", at_ms=now_ms - 2_000)

    evening.start()
    evening.run(5_000)

    assert [one.result for one in ledger.outcomes(old.id)] == [NO_LINK]
    assert ledger.outcomes(new.id)[-1].result == "applied"


def test_a_box_whose_secret_nobody_has_is_said_and_the_others_are_served(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, boxes=2, players=8))
    evening.put("1", 1)
    evening.put("2", 2)
    lost = evening.boxes["1"].uid

    def refuse(uid: bytes) -> bytes:
        if uid == lost:
            raise Refused("it was paired by another club")
        return evening.boxes["2"].secret

    desk = evening.start(secret_of=refuse)
    evening.run()

    assert desk.said("no_secret") == ["table 1: box 1 cannot be served: it was paired by another club"]
    assert desk.desk.is_live(evening.boxes["2"].uid)


def test_a_keyring_that_is_locked_is_asked_now_and_then_and_not_at_every_look(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    evening.put("1", 1)
    asked: list[bytes] = []
    locked = True

    def refuse(uid: bytes) -> bytes:
        asked.append(uid)
        if locked:
            raise Refused("the keyring is locked")
        return evening.boxes["1"].secret

    desk = evening.start(secret_of=refuse)
    evening.run(60_000)
    assert 2 <= len(asked) <= 7
    locked = False
    evening.run(30_000)

    assert len(desk.said("no_secret")) == 1
    assert desk.desk.is_live(evening.boxes["1"].uid)


def test_a_box_is_set_up_once_though_the_event_file_takes_what_is_asked_and_not_what_became_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    desk = evening.start()

    def full(*_given: object, **_more: object) -> None:
        raise Unreachable("the disk is full")

    monkeypatch.setattr(desk.ledger, "outcome", full)
    evening.put("1", 1)
    evening.run(10_000)
    monkeypatch.undo()
    evening.run()

    assert desk.results("configure") == ["applied"]
    assert [fact.name for fact in desk.facts(evening.boxes["1"])].count("configured") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows gives a user's folders to that user alone")
def test_the_folder_in_which_the_clubs_secret_may_come_to_lie_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        desk_id(tmp_path / "club", tmp_path / "event.dalej", Random(1).randbytes)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "club").stat().st_mode) == 0o700


Served = tuple[Evening, Process, dict[bytes, bytes]]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Box 1 on its link, and the secrets as the club's list has them: they may change."""
    with Evening(tmp_path) as evening:
        evening.put("1", 1)
        secrets = {evening.boxes["1"].uid: evening.boxes["1"].secret}
        process = evening.start(secret_of=secrets.__getitem__)
        evening.run()
        yield evening, process, secrets


def test_a_box_that_is_paired_anew_beside_the_desk_is_served_with_its_new_secret(served: Served) -> None:
    """Whoever opened it knows the old one: from then on that opens nothing at the desk either."""
    evening, process, secrets = served
    box = evening.boxes["1"]
    assert process.desk.is_live(box.uid)

    box.power_off()
    box.secret = secrets[box.uid] = bytes(range(32, 64))
    evening.run(1_000)
    box.power_on()
    evening.run(30_000)

    assert process.desk.is_live(box.uid)
    assert process.desk.lines[box.uid].secret == box.secret


def test_what_holds_a_link_with_the_secret_before_does_not_keep_it(served: Served) -> None:
    """It is no box of the club any more: the list says that its box was paired anew, and this one knows the old one."""
    evening, process, secrets = served
    box = evening.boxes["1"]
    before = len(process.facts(box))
    assert process.desk.is_live(box.uid)

    secrets[box.uid] = bytes(range(32, 64))
    evening.run(30_000)

    assert not process.desk.is_live(box.uid)
    assert process.desk.lines[box.uid].secret == secrets[box.uid]
    assert len(process.facts(box)) == before

    box.power_off()
    box.secret = secrets[box.uid]
    evening.run(1_000)
    box.power_on()
    evening.run(30_000)
    assert process.desk.is_live(box.uid)
