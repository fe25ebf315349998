"""Whatever happens to halls, network, centre, database, files and clocks, in whatever order: at the end each hall and
the centre know the same results of every round, and the standings are those of one hall in which the same was entered.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, ExitStack, closing, suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest

from dalej.centre.mirror import Mirror
from dalej.domain.tournament.tournament import GameAt, Round
from dalej.errors import DalejError, Refused
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office import undo
from dalej.office.acts.halls import GiveRound, TakeRound
from dalej.office.acts.players import SignUpOne
from dalej.office.acts.results import CorrectClosed, CorrectResult
from dalej.office.acts.rounds import CloseRound, ReopenRound
from dalej.office.acts.seating import DrawSeating
from tests.centre.cup import Cup, Hall, confirm, does, play, racks_of, table_of
from tests.centre.hall import listening, runs
from tests.postgres import Postgres
from tests.proxy import Wire, wire
from tests.waiting import until

STEPS: Final = 60
DEADLINE_S: Final = 200.0
WHAT: Final = (
    "play", "play", "play", "play", "play", "correct", "undo", "confirm", "give", "take", "close", "mend", "reopen",
    "sign up", "cut", "half", "postmaster", "centre", "hall", "copy", "put back", "clock",
)  # fmt: skip


pytestmark = pytest.mark.usefixtures("at_once")


class History:
    """The whole cup, of which any part may fail."""

    def __init__(self, cup: Cup, mirror: Mirror, server: Postgres, seed: int) -> None:
        self.cup, self.mirror, self.server, self.lot, self.seed = cup, mirror, server, Random(seed), seed
        self.copies: dict[str, list[Path]] = {}
        self.on: dict[str, AsyncExitStack] = {}
        self.entered = 0
        self.done: list[str] = []
        self.said: list[str] = []  # by the centre

    async def plays(self) -> None:
        cup, lot = self.cup, self.lot
        async with AsyncExitStack() as stack:
            self.centre = AsyncExitStack()
            stack.push_async_callback(self.centre.aclose)
            running = await self.centre.enter_async_context(listening(self.mirror, wholes=[cup.whole], said=self.hear))
            self.port = running.port
            await cup.join(self.port)
            net = await stack.enter_async_context(wire(self.port))
            for hall in cup.halls.values():
                await self.switch_on(hall, net.port)
            stack.push_async_callback(self.all_off)
            does(cup.event, DrawSeating(seed=1))
            does(cup.event, GiveRound())
            await cup.until_heard(cup.halls.values())
            for hall in cup.halls.values():
                with hall.event() as event:
                    self.at_table(event, "play")
            for _ in range(STEPS):
                await asyncio.sleep(lot.uniform(0, 0.08))
                what = lot.choice(WHAT)
                try:
                    await self.step(what, net)
                    self.done.append(what)
                except Refused as refused:
                    self.done.append(f"{what}: {refused}")
            for hall in cup.halls.values():
                if hall.name not in self.on:
                    await self.switch_on(hall, net.port)
            with suppress(Refused):  # it is not with the halls
                does(cup.event, TakeRound())
            with suppress(AssertionError):
                await until(self.quiet, "everybody to know everything", 90)  # more than a hall waits for an answer
            self.expect_the_same()  # says what is not

    def hear(self, problem: DalejError) -> None:
        self.said.append(str(problem))

    async def step(self, what: str, net: Wire) -> None:
        cup, lot = self.cup, self.lot
        hall = lot.choice(list(cup.halls.values()))
        match what:
            case "play" | "correct" | "undo" | "confirm":
                with hall.event() as event:
                    self.at_table(event, what)
            case "give":
                self.seated()
                does(cup.event, GiveRound())
            case "take":
                does(cup.event, TakeRound())
            case "close":
                does(cup.event, CloseRound("it is late"), "it is late")
                if lot.random() < 0.7:
                    self.seated()
            case "mend" if closed := [one for one in cup.event.state().rounds.values() if one.closed and one.results]:
                one, self.entered = lot.choice(closed), self.entered + 1
                at = lot.choice(sorted(one.results))
                racks = racks_of(at, one, self.entered)
                does(cup.event, CorrectClosed(table=at.table, game=at.game, round=one.key.text, racks=racks,
                                              ended="went_out"), "read wrongly")  # fmt: skip
            case "reopen":
                does(cup.event, ReopenRound(), "a sheet was found")
            case "sign up":
                does(cup.event, SignUpOne(f"Late {len(cup.event.state().players)}"))
            case "cut":
                net.cut()
            case "half":
                net.half_close()
            case "postmaster":
                await asyncio.to_thread(self.server.stop)
                await asyncio.to_thread(self.server.start)
            case "centre":
                await self.centre.aclose()
                await asyncio.sleep(lot.uniform(0, 0.1))
                await self.centre.enter_async_context(listening(self.mirror, self.port, [cup.whole], self.hear))
            case "hall":
                await self.switch(hall, net.port)
            case "copy":
                copy = hall.file.with_name(f"{hall.name}-{len(self.done)}.copy.dalej")
                with Ledger.open(hall.file) as ledger:
                    ledger.backup(copy)
                self.copies.setdefault(hall.name, []).append(copy)
            case "put back" if self.copies.get(hall.name):
                was_on = hall.name in self.on
                if was_on:
                    await self.switch(hall, 0)
                Ledger.restore(lot.choice(self.copies[hall.name]), hall.file)
                if was_on:
                    await self.switch(hall, net.port)
            case "clock":
                cup.clock.jump(lot.choice((-3_600_000, 60_000, 3_600_000)))

    def seated(self) -> None:
        one = self.cup.event.state().current
        if one is not None and one.seating is None:
            does(self.cup.event, DrawSeating(seed=one.key.round, anyway="z"))

    def at_table(self, event: Event, what: str) -> None:
        one = event.state().current
        if one is None:
            return
        entered = sorted(at for at in one.results if at.table in one.tables())
        self.entered += 1
        if what == "play" and (missing := one.missing()):
            play(event, self.lot.choice(missing), self.seed)
        elif what == "correct" and entered:
            at = self.lot.choice(entered)
            racks = racks_of(at, one, self.entered)
            does(event, CorrectResult(table=at.table, game=at.game, racks=racks, ended="went_out"), "read wrongly")
        elif what == "undo":
            undo.undo(event, None, "by mistake")
        elif what == "confirm" and entered:
            confirm(event, entered[0].table)

    async def switch(self, hall: Hall, port: int) -> None:
        if (going := self.on.pop(hall.name, None)) is not None:
            await going.aclose()
        else:
            await self.switch_on(hall, port)

    async def switch_on(self, hall: Hall, port: int) -> None:
        stack = self.on[hall.name] = AsyncExitStack()
        await stack.enter_async_context(hall.on(port))

    async def all_off(self) -> None:
        for stack in self.on.values():
            await stack.aclose()

    def quiet(self) -> bool:
        """Whether each has heard everything of the others."""
        try:
            self.expect_the_same()
        except AssertionError:
            return False
        return True

    def expect_the_same(self) -> None:
        whole = self.cup.event.state()
        with ExitStack() as stack:
            for hall in self.cup.halls.values():
                event = stack.enter_context(hall.event())
                state = event.state()
                assert set(state.players) == set(whole.players), hall.name
                assert set(state.rounds) == set(whole.rounds), hall.name
                for key, one in whole.rounds.items():
                    assert results(state.rounds[key]) == results(one), (hall.name, key)
                    here, there = state.rounds[key].seating, one.seating
                    assert (here and here.tables) == (there and there.tables)
                assert table_of(event) == table_of(self.cup.event)


def results(one: Round) -> dict[GameAt, object]:
    return {at: (result.sheet and result.scores, result.players) for at, result in one.results.items()}


def test_whatever_happens_centre_and_halls_end_with_the_same(
    tmp_path: Path, mirror: Mirror, database: str, server: Postgres, seed: int
) -> None:
    """By every other seed the tournament is kept on the centre's PostgreSQL."""
    with closing(Cup(tmp_path, mirror, database=database if seed % 2 else "")) as cup:
        history = History(cup, mirror, server, seed)
        try:
            runs(history.plays(), DEADLINE_S)
        except BaseException as error:
            error.add_note("; ".join(history.done))
            error.add_note(f"The centre said: {history.said[-5:]}")
            for one in history.mirror.halls():
                error.add_note(f"{one} {cup.event.ledger.heard(one.name)}")
            for hall in cup.halls.values():
                error.add_note(f"{hall.name} was told: {hall.said[-5:]}")
            raise
