"""One tournament in several halls, each with an event file of its own: one set of standings, whatever happens to
network, centre, database and files meanwhile; and nobody decides what is another's to decide.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random

import pytest

from dalej.centre.copying import copy_hall, join_hall
from dalej.centre.mirror import Mirror
from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import CLOCK, RESULT, GameAt, Round
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import Json, Ledger
from dalej.office import undo
from dalej.office.acts.halls import SetHall, TakeRound
from dalej.office.acts.players import SignUpOne, Warn
from dalej.office.acts.results import CorrectResult
from dalej.office.acts.rounds import CloseRound, StartRound
from dalej.office.acts.seating import MovePlayer
from tests.centre.cup import Cup, confirm, current, does, in_one_hall, play, racks_of, table_of
from tests.centre.hall import runs
from tests.centre.making import lines_of
from tests.postgres import Postgres
from tests.proxy import wire
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("at_once")


def scores(one: Round) -> dict[GameAt, object]:
    return {at: result.scores for at, result in one.results.items()}


def _shows(event: Event, expected: Sequence[Line]) -> bool:
    return table_of(event) == expected


def test_three_halls_a_centre_and_a_network_that_is_cut_in_round_two_end_with_the_standings_of_one_hall(
    tmp_path: Path, cup: Cup, mirror: Mirror, server: Postgres, seed: int
) -> None:
    lot = Random(seed)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            port = await cup.opens(stack)
            net = await stack.enter_async_context(wire(port))
            for hall in cup.halls.values():
                await stack.enter_async_context(hall.on(net.port))
            for number in (1, 2, 3):
                one = cup.seat(number)
                await cup.until_heard(cup.halls.values())
                games = one.missing()
                lot.shuffle(games)
                for count, at in enumerate(games):
                    if number == 2 and count % 8 == 3:
                        match lot.choice(("cut", "half", "postmaster", "silent")):
                            case "cut":
                                net.cut()
                            case "half":
                                net.half_close()
                            case "silent":
                                net.silent = not net.silent
                            case "postmaster":
                                await asyncio.to_thread(server.stop)
                                await asyncio.to_thread(server.start)
                    hall = cup.halls[cup.event.state().hall_of(at.table)]
                    with hall.event() as event:
                        play(event, at, seed)
                    await asyncio.sleep(0)
                net.silent = False
                for hall in cup.halls.values():
                    with hall.event() as event:
                        confirm(event, min(event.state().halls[hall.name]))
                await cup.until_back()
                does(cup.event, CloseRound())
            expected = in_one_hall(tmp_path / "alone.dalej", 3, seed)
            assert table_of(cup.event) == expected
            for hall in cup.halls.values():
                with hall.event() as event:
                    await until(partial(_shows, event, expected), f"{hall.name} to show the standings of all")
        for one in cup.event.state().rounds.values():
            if one.closed is not None:
                looked_at = {at.table for at, result in one.results.items() if result.confirmed is not None}
                assert looked_at == {1, 4, 7}, "what a second person confirmed in a hall is confirmed"

    runs(story())


def test_a_hall_decides_about_its_tables_and_nothing_else(cup: Cup, mirror: Mirror) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            await cup.opens(stack, "North")
            north = cup.halls["North"]
            one = cup.seat(1)
            does(cup.event, StartRound(90))
            await cup.until_heard([north])
            with north.event() as event:
                await until(lambda: current(event).clock is not None, "the round to begin")
                assert event.state().rounds[one.key].tables() == [1, 2, 3]
                play(event, GameAt(1, 1), 1)
                with pytest.raises(Refused, match="table 4 stands in another hall than North"):
                    play(event, GameAt(4, 1), 1)
                with pytest.raises(Refused, match="people, seats, rounds and rules are decided at the centre"):
                    does(event, SignUpOne("Późny"))
                with pytest.raises(Refused, match="decided at the centre"):
                    does(event, CloseRound("wcześniej"))
                with pytest.raises(Refused, match="the centre has decided this"):
                    undo.undo(event, next(one.cursor for one in event.read().decisions() if one.kind == CLOCK), "x")
                does(event, Warn(player=1), "talks")
            seated = next(at for at in one.seating.tables if at.table == 1).seated[0] if one.seating else 0
            with pytest.raises(Refused, match="table 1 stands in hall North, which decides about it"):
                play(cup.event, GameAt(1, 2), 1)
            with pytest.raises(Refused, match="is with the halls North, South, West: take it back first"):
                does(cup.event, MovePlayer(player=seated, table=8, seat="A"))
            with pytest.raises(Refused, match="take it back first"):
                does(cup.event, SetHall(hall="North", tables="1"))
            does(cup.event, SignUpOne("Późny"))  # people are the centre's, also while a round is played
            await until(lambda: bool(cup.event.state().players[1].warnings), "the warning to come")
            assert list(current(cup.event).results) == [GameAt(1, 1)]

    runs(story())


def test_a_round_is_closed_when_every_hall_is_complete_through_its_marker(cup: Cup, mirror: Mirror) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            port = await cup.opens(stack)
            north, south, west = cup.halls["North"], cup.halls["South"], cup.halls["West"]
            for hall in (north, south):
                await stack.enter_async_context(hall.on(port))
            async with west.on(port):
                one = cup.seat(1)
                await cup.until_heard([north, south, west])
            # given: West hears nothing any more, and has one result that nobody knows yet
            for hall in (north, south, west):
                with hall.event() as event:
                    for at in current(event).missing():
                        if at.table != 8 or at.game != 4:
                            play(event, at, 1)
            does(cup.event, TakeRound())
            await until(lambda: cup.event.state().rounds[one.key].returns == {"West"}, "North and South")
            with (
                north.event() as event,
                pytest.raises(Refused, match=r"has not given .* to the halls, or taken it back"),
            ):
                does(
                    event,
                    CorrectResult(table=1, game=1, racks=racks_of(GameAt(1, 1), one, 9), ended="went_out"),
                    "again",
                )
            with pytest.raises(Refused, match="is not complete yet from the halls West"):
                does(cup.event, CloseRound("nobody waits"))
            with west.event() as event:
                play(event, GameAt(8, 4), 1)  # it has not heard that the round was taken back
            async with west.on(port):
                await until(lambda: not cup.event.state().rounds[one.key].returns, "West")
            does(cup.event, CloseRound())
            assert len(cup.event.state().rounds[one.key].results) == 8 * 4

    runs(story())


def test_a_hall_whose_file_was_put_back_counts_as_its_file_says(cup: Cup, mirror: Mirror) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            port = await cup.opens(stack)
            north = cup.halls["North"]
            copy = north.file.with_name("copy.dalej")
            async with north.on(port):
                one = cup.seat(1)
                await cup.until_heard([north])
                with north.event() as event:
                    play(event, GameAt(1, 1), 1)
                    event.ledger.backup(copy)
                    play(event, GameAt(1, 2), 1)
                    play(event, GameAt(2, 1), 1)
                await until(lambda: len(cup.event.state().rounds[one.key].results) == 3, "three results")
            north.file.unlink()
            Ledger.restore(copy, north.file)
            with north.event() as event:
                play(event, GameAt(2, 1), 2)  # another result than the one that was lost
            async with north.on(port):
                await until(lambda: set(cup.event.state().rounds[one.key].results) == {GameAt(1, 1), GameAt(2, 1)},
                            "what the file does not know to be gone")  # fmt: skip
                with north.event() as event:
                    assert scores(event.state().rounds[one.key]) == scores(cup.event.state().rounds[one.key])
                    play(event, GameAt(1, 2), 1)
                await until(lambda: len(cup.event.state().rounds[one.key].results) == 3, "the third one again")
            assert mirror.hall("North").epoch == 2

    runs(story())


def test_what_a_file_that_was_put_back_decides_about_a_closed_round_counts_nowhere(cup: Cup, mirror: Mirror) -> None:
    """Given a hall whose file is put back to a copy in which round one is still played, when more is entered there
    after the centre has closed the round, then that is taken back in the hall, and what it had lost is there again.
    """

    async def story() -> None:
        async with AsyncExitStack() as opened:
            port = await cup.opens(opened)
            north = cup.halls["North"]
            copy = north.file.with_name("copy.dalej")
            one = cup.seat(1)
            async with AsyncExitStack() as stack:
                for hall in cup.halls.values():
                    await stack.enter_async_context(hall.on(port))
                await cup.until_heard([north])
                with north.event() as event:
                    event.ledger.backup(copy)
                    play(event, GameAt(1, 1), 1)
                await until(lambda: len(cup.event.state().rounds[one.key].results) == 1, "the result")
                await cup.until_back()
                does(cup.event, CloseRound("it is late"), "it is late")
            Ledger.restore(copy, north.file)
            with north.event() as event:
                play(event, GameAt(1, 1), 2)
                play(event, GameAt(2, 1), 2)
            async with north.on(port):
                with north.event() as event:
                    whole = cup.event.state().rounds[one.key]
                    assert set(whole.results) == {GameAt(1, 1)}
                    await until(lambda: scores(event.state().rounds[one.key]) == scores(whole), "it to be as closed")
                    assert event.state().rounds[one.key].closed is not None

    runs(story())


def test_a_laptop_that_takes_over_goes_on_where_the_hall_was(cup: Cup, mirror: Mirror) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            port = await cup.opens(stack)
            north = cup.halls["North"]
            async with north.on(port) as telling:
                one = cup.seat(1)
                await cup.until_heard([north])
                with north.event() as event:
                    play(event, GameAt(1, 1), 1)
                    await until(lambda: telling.through == event.ledger.head(), "all to be told")
                    before = lines_of(event.ledger)
            north.file.unlink()
            await asyncio.to_thread(copy_hall, mirror, "North", north.file, 1)
            with Ledger.open(north.file) as ledger:
                assert lines_of(ledger) == before
            async with north.on(port):
                with north.event() as event:
                    play(event, GameAt(1, 2), 1)
                await until(lambda: len(cup.event.state().rounds[one.key].results) == 2, "its next result")
            assert mirror.hall("North").epoch == 1

    runs(story())


def test_what_a_hall_has_nothing_to_decide_about_is_not_taken_from_it(cup: Cup, mirror: Mirror) -> None:
    said: list[str] = []

    async def story() -> None:
        async with AsyncExitStack() as stack:
            await cup.opens(stack, "North", said=lambda what: said.append(str(what)))
            north = cup.halls["North"]
            one = cup.seat(1)
            await cup.until_heard([north])
            with north.event() as event:  # somebody writes into the file what no program of ours would
                body: dict[str, Json] = {
                    "stage": one.key.stage,
                    "round": one.key.round,
                    "game": 1,
                    "ended": "not_played",
                }
                at = f"result:{one.key.stage}:{one.key.round}"
                for table in (5, 1):
                    event.ledger.decide(RESULT, {**body, "table": table}, who="Kuna", when_ms=1, why="x",
                                        subject=f"{at}:{table}:1")  # fmt: skip
                event.ledger.decide(RESULT, {**body, "table": 2, "ended": "stolen"}, who="Kuna", when_ms=2, why="x",
                                    subject=f"{at}:2:1")  # fmt: skip
                event.ledger.decide("player", {"player": 1, "name": "Kuna"}, who="Kuna", when_ms=3, why="x")
                event.ledger.decide(RESULT, {**body, "table": 3, "game": 2}, who="Kuna", when_ms=3, why="x",
                                    subject="player:99")  # fmt: skip
                event.ledger.decide("complete", {**body, "hall": "South", "of": 1}, who="Kuna", when_ms=3, why="x")
                event.ledger.revoke(next(one.cursor for one in event.read().decisions() if one.kind == "seating"),
                                    who="Kuna", when_ms=3, why="x")  # fmt: skip
                event.ledger.decide(RESULT, {**body, "table": 3}, who="Kuna", when_ms=4, why="x", subject=f"{at}:3:1")
            await until(lambda: set(cup.event.state().rounds[one.key].results) == {GameAt(1, 1), GameAt(3, 1)}, "two")
            assert cup.event.state().players[1].name == "Player 1"
        assert [one for one in said if "the table stands in another hall" in one]
        assert [one for one in said if "says nothing: ended is 'stolen'" in one]
        assert [one for one in said if "its subject is of another kind" in one]
        assert [one for one in said if "it speaks for another hall" in one]
        assert cup.event.state().rounds[one.key].seating is not None

    runs(story())


def test_an_event_file_of_a_hall_is_made_anew_by_a_copy_and_not_by_joining_again(cup: Cup, mirror: Mirror) -> None:
    async def story() -> None:
        async with AsyncExitStack() as opened:
            port = await cup.opens(opened)
            north = cup.halls["North"]
            async with north.on(port) as telling:
                with north.event() as event:
                    await until(lambda: telling.through == event.ledger.head(), "all to be told")
            with pytest.raises(Refused, match="North has told of an event file already"):
                await asyncio.to_thread(
                    join_hall, cup.halls["North"].key, north.file.with_name("n.dalej"), "X", cup.clock
                )
            assert not north.file.with_name("n.dalej").exists()

    runs(story())


def test_what_a_hall_takes_back_twice_stops_nothing(cup: Cup, mirror: Mirror) -> None:
    """Given a result of a hall that the centre has taken back, as the file was put back, when the hall takes it back,
    too, then what follows is brought all the same.
    """

    async def story() -> None:
        async with AsyncExitStack() as opened:
            port = await cup.opens(opened)
            north = cup.halls["North"]
            one = cup.seat(1)
            async with north.on(port):
                await cup.until_heard([north])
                with north.event() as event:
                    play(event, GameAt(1, 1), 3)
                    await until(lambda: GameAt(1, 1) in cup.event.state().rounds[one.key].results, "a result")
                    taken_back = cup.event.state().rounds[one.key].results[GameAt(1, 1)].mark.cursor
                    cup.ledger.decide("revoke", {}, who="North", when_ms=1, why="x", revokes=taken_back,
                                      subject=f"revoke:{taken_back}")  # fmt: skip
                    undo.undo(event, None, "wrong table")
                    play(event, GameAt(1, 2), 3)
                    here = scores(event.state().rounds[one.key])
                    assert GameAt(1, 2) in here
                await until(lambda: scores(cup.event.state().rounds[one.key]) == here, "the next one")

    runs(story())
