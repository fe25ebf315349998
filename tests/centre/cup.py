"""A tournament in one hall or in several, played by the same lot: what a game ends like depends on round, table and
game alone, so that both ways of playing it can be compared.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from dalej.centre.copying import join_hall
from dalej.centre.decided import Listening
from dalej.centre.forward import Forwarder
from dalej.centre.mirror import Mirror
from dalej.centre.talk import HallKey
from dalej.centre.whole import Whole
from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.standings import Line, standings
from dalej.domain.tournament.tournament import GameAt, Round
from dalej.errors import DalejError
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.ledger.moving import move_in
from dalej.office.acts.act import Act
from dalej.office.acts.halls import GiveRound, SetHall, TakeRound
from dalej.office.acts.players import SignUpOne
from dalej.office.acts.results import ConfirmResult, CorrectResult, EnterResult
from dalej.office.acts.rounds import CloseRound
from dalej.office.acts.seating import DrawSeating
from dalej.office.acts.wishes import Done
from dalej.office.opening import Opening, open_event
from tests.centre.hall import listening, running
from tests.waiting import until

NOON: Final = 1_795_000_000_000
HALLS: Final = {"North": range(1, 4), "South": range(4, 7), "West": range(7, 9)}
PLAYERS: Final = 32


class Ticking:
    """A clock by which no two things happen at once."""

    def __init__(self, start_ms: int = NOON) -> None:
        self._now_ms = start_ms

    def __call__(self) -> int:
        self._now_ms += 10
        return self._now_ms

    def jump(self, by_ms: int) -> None:
        """Somebody sets the computer's clock."""
        self._now_ms += by_ms


@contextmanager
def opened(file: Path, who: str, clock: Callable[[], int]) -> Iterator[Event]:
    with Ledger.open(file) as ledger:
        yield Event(ledger, who=who, wall_ms=clock)


def does(event: Event, act: Act, why: str = "") -> Done:
    return act.do(event, act.wish(why))


def begin(file: Path, clock: Callable[[], int], players: int = PLAYERS) -> None:
    """An event in which everybody is signed up."""
    open_event(str(file), Opening(ruleset="school-league", name="Puchar"), who="Bóbr", wall_ms=clock)
    with opened(file, "Bóbr", clock) as event:
        for number in range(1, players + 1):
            does(event, SignUpOne(f"Player {number}"))


def racks_of(at: GameAt, one: Round, seed: int) -> dict[str, str]:
    """By the lot of that game: one has gone out, the others are left with tiles."""
    lot = Random(f"{seed}/{one.key.text}/{at.table}/{at.game}")
    assert one.seating is not None
    seated = one.seating.at(at.table)
    assert seated is not None
    seats = [SEATS[place] for place, player in enumerate(seated.players) if player]
    out = lot.choice(seats)
    return {seat: "0" if seat == out else str(lot.randrange(3, 90)) for seat in seats}


def play(event: Event, at: GameAt, seed: int) -> None:
    """Enter that game's result; some are mistyped first."""
    one = event.state().current
    assert one is not None
    right = racks_of(at, one, seed)
    if Random(f"{seed}/{at.table}/{at.game}/typo").random() < 0.2:
        wrong = {seat: "0" if points == "0" else "91" for seat, points in right.items()}
        does(event, EnterResult(table=at.table, game=at.game, racks=wrong, ended="went_out"))
        does(event, CorrectResult(table=at.table, game=at.game, racks=right, ended="went_out"), "mistyped")
    else:
        does(event, EnterResult(table=at.table, game=at.game, racks=right, ended="went_out"))


def confirm(event: Event, table: int) -> None:
    does(event.by("Druga"), ConfirmResult(table=table))


def table_of(event: Event) -> list[Line]:
    return standings(event.state())


def in_one_hall(file: Path, rounds: int, seed: int) -> list[Line]:
    clock = Ticking()
    begin(file, clock)
    with opened(file, "Bóbr", clock) as event:
        for number in range(1, rounds + 1):
            does(event, DrawSeating(seed=number))
            one = event.state().current
            assert one is not None
            for at in one.missing():
                play(event, at, seed)
            does(event, CloseRound())
        return table_of(event)


def current(event: Event) -> Round:
    """The round at work."""
    found = event.state().current
    assert found is not None
    return found


def _is_given(event: Event) -> bool:
    one = event.state().current
    return one is not None and one.given is not None


class Hall:
    """A laptop in a hall. `said`: what people are told there."""

    def __init__(self, name: str, file: Path, key: HallKey, clock: Callable[[], int]) -> None:
        self.name, self.file, self.key, self.clock = name, file, key, clock
        self.said: list[str] = []

    @asynccontextmanager
    async def on(self, port: int) -> AsyncIterator[Forwarder]:
        """Connected by that port, as long as the block lasts."""
        key = HallKey(self.name, f"http://127.0.0.1:{port}", self.key.key)
        with Ledger.open(self.file) as ledger:
            own = Event(ledger, who=self.name, wall_ms=self.clock)
            made = Forwarder(ledger, key, f"desk of {self.name}", self._hear, Listening(own, self.name))
            async with running(made):
                yield made

    @contextmanager
    def event(self) -> Iterator[Event]:
        with opened(self.file, f"Sędzia {self.name}", self.clock) as event:
            yield event

    def _hear(self, what: DalejError) -> None:
        self.said.append(str(what))


class Cup:
    """The whole tournament at the centre, with its halls. `database`: that of the PostgreSQL on which it is kept, "":
    in a file.
    """

    def __init__(
        self, folder: Path, mirror: Mirror, halls: dict[str, range] | None = None, *, database: str = ""
    ) -> None:
        self.clock = clock = Ticking()
        self.file = folder / "cup.dalej"
        self.folder = folder
        self.mirror = mirror
        begin(self.file, clock)
        if database:
            move_in(self.file, database, "cup", ())
        self.ledger = Ledger.open(self.file)
        self.whole = Whole(Event(self.ledger, who="the centre", wall_ms=self.clock))
        self.event = Event(Ledger.open(self.file), who="Bóbr", wall_ms=self.clock)
        self.halls: dict[str, Hall] = {}
        for name, tables in (HALLS if halls is None else halls).items():
            does(self.event, SetHall(hall=name, tables=f"{tables[0]}-{tables[-1]}"))

    def close(self) -> None:
        self.ledger.close()
        self.event.ledger.close()

    async def join(self, port: int) -> None:
        """Each hall makes its event file."""
        for name in self.event.state().halls:
            key = HallKey(name, f"http://127.0.0.1:{port}", f"key of {name}".ljust(43, "x"))
            self.mirror.add_hall(name, key.key, 1)
            hall = self.halls[name] = Hall(name, self.folder / f"{name}.dalej", key, self.clock)
            await asyncio.to_thread(join_hall, key, hall.file, "Bóbr", self.clock)

    async def opens(self, stack: AsyncExitStack, *halls: str, said: Callable[[DalejError], object] = str) -> int:
        """The centre listens, every hall has its file, and these are connected; the port."""
        centre = await stack.enter_async_context(listening(self.mirror, wholes=[self.whole], said=said))
        await self.join(centre.port)
        for hall in halls:
            await stack.enter_async_context(self.halls[hall].on(centre.port))
        return centre.port

    def seat(self, number: int) -> Round:
        does(self.event, DrawSeating(seed=number))
        does(self.event, GiveRound())
        one = self.event.state().current
        assert one is not None
        return one

    async def until_heard(self, halls: Iterable[Hall]) -> None:
        """Each of them knows that the round is theirs."""
        for hall in halls:
            with hall.event() as event:
                await until(partial(_is_given, event), f"{hall.name} to be given the round")

    async def until_back(self) -> None:
        """The round is taken back, and every hall complete."""
        does(self.event, TakeRound())

        def back() -> bool:
            one = self.event.state().current
            return one is not None and not one.returns

        await until(back, "every hall to be complete")
