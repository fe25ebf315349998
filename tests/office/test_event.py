"""One event, several desks: each sees what others decided before it, or is refused; nothing is lost or half done."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest

from dalej.domain.tournament.fold import tournament
from dalej.domain.tournament.tournament import GameAt, Tournament
from dalej.errors import Refused, WrongInput
from dalej.event import eventlog
from dalej.event.event import ATTEMPTS, Change, Event
from dalej.event.ledger import Draft, Ledger, Outrun
from dalej.event.reading import read
from dalej.office import rounds
from dalej.office.opening import ruleset_draft
from dalej.rulesets import rulebook
from tests import world
from tests.domain.deciding import NOON
from tests.office.conftest import Desk
from tests.office.deciding import close, decide, enter, seat

FIRST, SECOND = (1, 2, 3, 4), (5, 6, 7, 8)


def test_an_event_that_names_no_ruleset_says_so(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "e.dalej") as ledger, pytest.raises(WrongInput, match="by which ruleset"):
        Event(ledger, who="Sowa", wall_ms=lambda: NOON).state()


def test_two_desks_that_sign_somebody_up_at_once_give_two_numbers(desk: Desk) -> None:
    sowa, wilk = desk("Sowa"), desk("Wilk")
    asked = 0

    def late(state: Tournament) -> Change:
        nonlocal asked
        asked += 1
        if asked == 1:
            wilk.change(_sign_up("Ryś"))
        return _sign_up("Kret")(state)

    sowa.change(late)

    assert asked == 2
    assert {player.name: number for number, player in sowa.state().players.items() if number > 8} == {
        "Ryś": 9, "Kret": 10,
    }  # fmt: skip


def _sign_up(name: str) -> Callable[[Tournament], Change]:
    def plan(state: Tournament) -> Change:
        number = max(state.players) + 1
        return Change([Draft("player", {"player": number, "name": name}, f"player:{number}")], "signs up")

    return plan


def test_the_second_desk_is_refused_what_the_first_has_made_impossible(desk: Desk) -> None:
    sowa, wilk = desk("Sowa"), desk("Wilk")
    seat(sowa, 1, FIRST, SECOND)

    def close_once(state: Tournament) -> Change:
        if state.current is None or state.current.key.round != 1:
            raise Refused("round 1 is closed already")
        if not racing:
            racing.append(True)
            close(wilk, 1)
        return Change([Draft("closed", {"stage": "league", "round": 1}, "closed:league:1")], "all is in")

    racing: list[bool] = []
    before = len(read(sowa.ledger).decisions())
    with pytest.raises(Refused, match="closed already"):
        sowa.change(close_once)
    assert len(read(sowa.ledger).decisions()) == before + 1


def test_whoever_is_outrun_again_and_again_is_told_by_whom_and_has_changed_nothing(desk: Desk) -> None:
    sowa, wilk = desk("Sowa"), desk("Wilk")

    def outrun(state: Tournament) -> Change:
        wilk.change(_sign_up("Ryś"))
        return _sign_up("Kret")(state)

    with pytest.raises(Outrun, match="Wilk has decided something in the meantime"):
        sowa.change(outrun)
    names = [player.name for player in sowa.state().players.values()]
    assert (names.count("Ryś"), names.count("Kret")) == (ATTEMPTS, 0)


def test_whoever_is_outrun_waits_a_little_between_attempts_and_never_after_the_last(desk: Desk) -> None:
    wilk, waited = desk("Wilk"), list[int]()
    sowa = Event(desk("Sowa").ledger, who="Sowa", wall_ms=lambda: NOON, pause=waited.append)

    def outrun(state: Tournament) -> Change:
        wilk.change(_sign_up("Ryś"))
        return _sign_up("Kret")(state)

    with pytest.raises(Outrun):
        sowa.change(outrun)
    assert waited == list(range(1, ATTEMPTS))


def test_a_change_that_would_lose_a_seated_round_or_an_entered_stage_is_refused(tmp_path: Path) -> None:
    fewer = [{"id": "final", "rounds": 1, "games": 2, "first": "rank", "later": "rank"}]
    with world.an_event(tmp_path, 16, ruleset="pl-eliminations") as event:
        before = read(event.ledger).decisions()
        for key, text in (("ruleset", "school-league"), ("stages", fewer)):
            draft = Draft("option", {"key": key, "value": text}, f"option:{key}")  # type: ignore[dict-item]
            if key == "ruleset":
                draft = ruleset_draft("school-league", rulebook.source("school-league")[0])
            with pytest.raises(Refused, match="Preliminaries, round 1 would be no part of the event"):
                decide(event, draft)
        assert read(event.ledger).decisions() == before


def test_what_nobody_could_read_afterwards_is_refused_and_nothing_is_written(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    before = read(event.ledger).decisions()

    with pytest.raises(Refused, match=r"^the event does not allow this: "):
        enter(event, 1, 1, 1, FIRST, (0, 0, 10, 20))
    with pytest.raises(Refused, match=r"the event does not allow this: decision \d+ \(player\) says nothing: player"):
        decide(event, Draft("option", {"key": "limit_ms", "value": 45_000}), Draft("player", {"name": "Kret"}))
    assert read(event.ledger).decisions() == before


def test_a_draft_on_a_subject_that_was_taken_back_follows_the_revocation(desk: Desk) -> None:
    event = desk("Sowa")
    first = seat(event, 1, FIRST, SECOND)
    event.ledger.revoke(first, who="Sowa", when_ms=NOON, why="too early")
    seat(event, 1, SECOND, FIRST)

    seating = event.state().rounds[next(iter(event.state().rounds))].seating
    assert seating is not None
    assert seating.tables[0].players == SECOND


def test_a_plan_without_drafts_changes_nothing(desk: Desk) -> None:
    event = desk("Sowa")

    assert event.change(lambda _: Change([], "nothing to do")) == []


def test_desks_in_threads_enter_every_table_and_nothing_is_lost(desk: Desk) -> None:
    desks = [desk(who) for who in ("Sowa", "Wilk", "Ryś")]
    seat(desks[0], 1, FIRST, SECOND)
    at_once = threading.Barrier(len(desks))

    def work(number: int) -> None:
        at_once.wait()
        for table, players in enumerate((FIRST, SECOND), start=1):
            enter(desks[number], 1, table, number + 1, players, (0, 10, 20, 30 + number))

    with ThreadPoolExecutor(len(desks)) as pool:
        list(pool.map(work, range(len(desks))))

    state = desks[0].state()
    assert len(next(iter(state.rounds.values())).results) == 6
    assert state == tournament(desks[1].read().decisions())


def test_thirty_desks_that_enter_their_tables_at_one_instant_all_succeed(tmp_path: Path) -> None:
    path, desks = world.event_file(tmp_path, 90, seats_max="3", games="1"), 30
    at_once = threading.Barrier(desks)

    def work(number: int) -> None:
        lot = random.Random(number)
        with Ledger.open(path, busy_ms=60_000) as ledger:
            held = Event(ledger, who=f"Lis {number}", wall_ms=lambda: NOON, pause=partial(_wait, lot))
            at_once.wait()
            world.play(held, lot, [GameAt(number + 1, 1)])

    with ThreadPoolExecutor(desks) as pool:
        list(pool.map(work, range(desks)))
    with Ledger.open(path) as ledger:
        assert len(rounds.seated(Event(ledger, who="Lis", wall_ms=lambda: NOON).state()).results) == desks


def _wait(lot: random.Random, attempt: int) -> None:
    time.sleep(lot.randrange(min(10 << attempt, 500)) / 1_000)


def test_desks_in_processes_number_their_players_without_a_gap(league: Path) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(_sign_up_some, [league] * 2, ("Sowa", "Wilk")))

    with Ledger.open(league) as ledger:
        assert eventlog.ruleset_of(read(ledger)).id == "school-league"
        players = tournament(read(ledger).decisions()).players
    assert list(players) == list(range(1, 17))
    assert {player.name for number, player in players.items() if number > 8} == {
        f"{who} {number}" for who in ("Sowa", "Wilk") for number in range(4)
    }


def _sign_up_some(path: Path, who: str) -> None:
    with Ledger.open(path) as ledger:
        event = Event(ledger, who=who, wall_ms=lambda: NOON)
        for number in range(4):
            event.change(_sign_up(f"{who} {number}"))
