"""A round of an event with boxes: what they report fills the results in, and what the office asks for reaches them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final

import pytest

from dalej.cli.rounds import Countdown
from dalej.clock import ManualClock
from dalej.desk.feed.client import connect
from dalej.domain.game.facts import Fact
from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.tournament import GameAt, RoundKey
from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.ledger import APPLIED, NO_LINK, Ledger, Outrun, Request
from dalej.event.people import SEATED
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office import attendance, rounds
from dalej.simulator.hall import Hall
from dalej.simulator.players import Habits
from dalej.simulator.roundplayed import hall_of_round, round_of
from moveclock import facts as k
from tests import world
from tests.cli.conftest import Program, dalej  # noqa: F401 — a fixture
from tests.processes import demo

FIRST: Final = RoundKey("league", 1)
MINUTE_MS: Final = 60_000
GAME_MS: Final = 120 * MINUTE_MS  # longer than any game
STEP_MS: Final = 1_000
WITHIN_S: Final = 30
QUARRELSOME: Final = Habits(disputes=0.5)
EAGER: Final = Habits(early_click=0.9, claims=1.0)


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[Event]:
    """Seven players of a league at a table of four and one of three, two games each."""
    with world.an_event(tmp_path, 7, games="2", limit="30 s") as event:
        yield event


@contextmanager
def hall_at(event: Event, *, seed: int = 1, habits: Habits | None = None, busy_ms: int = 1_000) -> Iterator[Hall]:
    """The hall of the round as it is seated, in a ledger of its own, as another process has it."""
    with Ledger.open(event.ledger.path, busy_ms=busy_ms) as ledger:
        played = round_of(ledger)
        hall = hall_of_round(ledger, played, played.clock(0), seed=seed, habits=habits, poll_ms=200)
        yield hall
        hall.desk.close()


def until(hall: Hall, happened: Callable[[], bool], within_ms: int = GAME_MS) -> None:
    """Let the hall live until it has happened."""
    end = hall.world.now_ms + within_ms
    while not happened():
        assert hall.world.now_ms < end, "it never happened"
        hall.world.run_until(hall.world.now_ms + STEP_MS)


def told(event: Event, kind: int) -> list[Fact]:
    return [reported.fact for reported in read(event.ledger).facts() if reported.fact.kind == kind]


def known(event: Event, key: RoundKey = FIRST) -> dict[GameAt, BoxGame]:
    return games_of_round(read(event.ledger), event.state(), key)


def outcomes(event: Event, command: str) -> list[str | None]:
    """What became of every request of that command, None: nobody has taken it up."""
    asked = [entry for entry in event.ledger.since(0, 100_000) if isinstance(entry, Request)]
    became = [event.ledger.outcomes(one.id) for one in asked if one.command == command]
    return [each[-1].result if each else None for each in became]


def time_is_over(event: Event) -> list[str]:
    """`dalej round clock` at the end of the round's time: what it says."""
    one = rounds.seated(event.state())
    assert one.clock is not None
    said: list[str] = []
    ends_ms = one.clock.starts_ms + one.clock.length_ms
    Countdown(event, ManualClock(ends_ms), lambda line, **_: said.append(line), rewrites=False).step()
    return said


def test_the_round_plays_at_the_tables_that_were_seated_and_by_the_events_rules(seated: Event) -> None:
    with hall_at(seated) as hall:
        hall.play()
        tables = {number: dict(table.names) for number, table in hall.tables.items()}

    one = rounds.seated(seated.state())
    state = seated.state()
    assert tables == {
        at.table: {seat: state.players[player].name for seat, player in zip("ABCD", at.players, strict=True) if player}
        for at in rounds.seating_of(one).tables
    }
    assert sorted(len(names) for names in tables.values()) == [3, 4]
    assert {fact.a for fact in told(seated, k.GAME_STARTED)} == {30_000}
    assert {game.seats for at, game in known(seated).items() if at.table == 2} == {"ABC"}
    assert not read(seated.ledger).decisions(SEATED)
    assert list(eventlog.problems(read(seated.ledger))) == []


def test_every_game_of_the_round_is_played_once_and_started_clockwise_from_the_first_seat(seated: Event) -> None:
    with hall_at(seated) as hall:
        hall.play()
        boxes = {table.uid.hex(): number for number, table in hall.tables.items()}

    assert {(at.table, at.game): game.game for at, game in known(seated).items()} == {
        (1, 1): 1, (1, 2): 2, (2, 1): 1, (2, 2): 2
    }  # fmt: skip
    assert all(game.ended is not None for game in known(seated).values())
    first = {(boxes[fact.box], fact.game): fact.seat for fact in told(seated, k.MOVE_STARTED) if fact.move == 1}
    assert first == {(1, 1): 0, (1, 2): 1, (2, 1): 0, (2, 2): 1}


def test_the_final_lap_at_the_end_of_the_round_time_reaches_the_boxes_and_fills_the_result(
    seated: Event,
    dalej: Program,  # noqa: F811
) -> None:
    event = seated.ledger.path.name
    assert dalej("round", "start", event, "--minutes", "20").code == 0
    with hall_at(seated) as hall:
        until(hall, lambda: len(told(seated, k.GAME_STARTED)) == 2)

        assert "Final lap, asked of the boxes at tables 1, 2" in time_is_over(seated)
        assert outcomes(seated, "final_lap") == [None, None]
        until(hall, lambda: len(told(seated, k.GAME_ENDED)) == 2)
        begun = len(told(seated, k.GAME_STARTED))
        until(hall, lambda: all(table.players.resting for table in hall.tables.values()))
        hall.world.run_until(hall.world.now_ms + 10 * MINUTE_MS)

    assert outcomes(seated, "final_lap") == [APPLIED, APPLIED]
    assert len(told(seated, k.FINAL_LAP_BEGUN)) == 2
    assert {game.ended for game in known(seated).values()} == {"round_time"}
    assert len(told(seated, k.GAME_STARTED)) == begun, "no game begins after the round's time"

    assert "played, not entered (round time" in dalej("results", "list", event).out
    entered = dalej("results", "enter", event, "1", "1", "A=23", "B=5", "C=45", "D=17")
    assert (entered.code, entered.out.splitlines()[0]) == (0, "Table 1, game 1: round time")
    assert dalej("results", "enter", event, "2", "1", "A=23", "B=5", "C=45").code == 0
    for table in "12":
        assert dalej("results", "enter", event, table, "2", "--ended", "not-played", "--why", "late").code == 0
    assert dalej("round", "close", event).code == 0
    assert dalej("log", "verify", event).code == 0


def test_a_claim_denied_at_the_office_is_denied_at_the_box(
    seated: Event,
    dalej: Program,  # noqa: F811
) -> None:
    event = seated.ledger.path.name
    with hall_at(seated, habits=EAGER) as hall:
        until(hall, lambda: bool(told(seated, k.RESTART_CLAIMED)))
        claim = told(seated, k.RESTART_CLAIMED)[0]
        table = next(table for table in hall.tables.values() if table.uid.hex() == claim.box)
        table.players.lift_hands()

        denied = dalej("ruling", "claim", event, str(table.number), "1", str(claim.move), "denied", "--why", "seen")
        assert (denied.code, "the move goes on with the clock" in denied.out) == (0, True)
        until(hall, lambda: bool(told(seated, k.CLAIM_DENIED)), MINUTE_MS)

    assert outcomes(seated, "deny_claim") == [APPLIED]
    assert (told(seated, k.CLAIM_DENIED)[0].box, told(seated, k.CLAIM_DENIED)[0].move) == (claim.box, claim.move)


def test_games_are_counted_from_one_in_every_round_on_the_same_boxes(seated: Event) -> None:
    played = []
    for number in (1, 2):
        with hall_at(seated) as hall:
            hall.play()
            played.append({table.uid for table in hall.tables.values()})
        games = known(seated, RoundKey("league", number))
        assert sorted(games) == [(1, 1), (1, 2), (2, 1), (2, 2)]
        assert all(game.ended is not None for game in games.values())
        world.play(seated, Random(number))
        world.close(seated)
        if number == 1:
            world.draw(seated)

    assert played[0] == played[1], "the same seed brings the same boxes"
    first, second = (
        {(game.box, game.epoch) for game in known(seated, RoundKey("league", number)).values()} for number in (1, 2)
    )
    assert not first & second
    assert list(eventlog.problems(read(seated.ledger))) == []


def test_an_evening_that_was_broken_off_goes_on_with_the_game_it_was_in(seated: Event) -> None:
    with hall_at(seated) as hall:
        until(hall, lambda: len(told(seated, k.GAME_STARTED)) == 3)
        hall.world.run_until(hall.world.now_ms + 5_000)
    broken = {(at.table, at.game) for at, game in known(seated).items() if game.ended is None}
    assert broken

    with hall_at(seated, seed=2) as hall:
        hall.play()

    games = known(seated)
    assert sorted(games) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert all(game.ended is not None for game in games.values())
    assert all(at.game == game.game for at, game in games.items())


def test_who_has_left_for_good_is_not_dealt_to(seated: Event) -> None:
    gone = rounds.seating_of(rounds.seated(seated.state())).tables[0].players[0]
    seated.change(lambda state: attendance.withdraw(state.players[gone]))

    with hall_at(seated) as hall:
        assert sorted(hall.tables[1].names) == ["B", "C", "D"]


def test_what_was_asked_while_there_was_no_hall_is_not_carried_out_later(seated: Event) -> None:
    with hall_at(seated):
        pass
    seated.ledger.request(1, "final_lap", {"reason": "round_time"}, who="Sowa", at_ms=0)

    with hall_at(seated) as hall:
        hall.play()

    assert outcomes(seated, "final_lap") == [NO_LINK]
    assert not told(seated, k.FINAL_LAP_BEGUN)


def test_a_hall_that_was_planned_before_somebody_was_seated_elsewhere_is_refused(seated: Event) -> None:
    with Ledger.open(seated.ledger.path) as ledger:
        played = round_of(ledger)
        seated.change(lambda state: attendance.warn(state.players[1], "loud"))
        with pytest.raises(Outrun, match="in the meantime"):
            hall_of_round(ledger, played, played.clock(0), seed=1)
        assert ledger.lease.holder(played.since_ms) is None, "the links are free again"


def test_an_office_that_keeps_the_file_locked_for_minutes_holds_up_the_desk_and_nobody_else(seated: Event) -> None:
    with hall_at(seated, habits=QUARRELSOME, busy_ms=1) as hall:
        until(hall, lambda: len(told(seated, k.GAME_STARTED)) == 2)
        before = [table.players.moves for table in hall.tables.values()]
        office = sqlite3.connect(seated.ledger.path, isolation_level=None)
        office.execute("BEGIN IMMEDIATE")
        hall.world.run_until(hall.world.now_ms + 5 * MINUTE_MS)
        office.close()
        assert all(table.players.moves > moves for table, moves in zip(hall.tables.values(), before, strict=True))
        hall.play()

    assert len(known(seated)) == 4
    assert list(eventlog.problems(read(seated.ledger))) == []


def wait(event: Event, happened: Callable[[], bool]) -> None:
    """Listen to the live hall until it has happened."""

    async def listen() -> None:
        live = await connect(event.ledger.path)
        try:
            async with asyncio.timeout(WITHIN_S):
                async for _message in live.messages():
                    if happened():
                        return
        finally:
            await live.close()

    asyncio.run(listen())


def test_a_live_hall_carries_out_what_another_process_asks(
    seated: Event,
    dalej: Program,  # noqa: F811
) -> None:
    path = seated.ledger.path
    assert dalej("round", "start", path.name, "--minutes", "20").code == 0
    with demo(path, "--yes", "--speed", "100") as process:
        wait(seated, lambda: len(told(seated, k.GAME_STARTED)) == 2)
        assert "is live on" in dalej("demo", "--no-screen", "--yes", "--event", path.name).err
        time_is_over(seated)
        wait(seated, lambda: outcomes(seated, "final_lap") == [APPLIED, APPLIED])
        wait(seated, lambda: len(told(seated, k.GAME_ENDED)) == 2)
        assert process.poll() is None, "the hall goes on"

    assert all(game.ended in ("round_time", "went_out") for game in known(seated).values())
