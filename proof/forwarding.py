"""Every case of a small scope: a hall tells its centre what it has, is given a round, enters two results and corrects
one; the centre enters one of its own, takes the round back and closes it. Of as many requests and answers, from the
first one on, as that takes when nothing fails, any two are lost, doubled or overtaken, and after any of them, or of as
many commits, one of the two ends crashes; what is asked after these arrives.

At every commit the centre has a beginning of the hall's log and of what the hall has decided, and the hall one of what
the centre has decided, each once and in its order. Soon after the last fault each has all of the other's, and the
standings are those of one file in which the same was entered.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

import psycopg
from aiohttp import ServerDisconnectedError

from dalej.centre import forward, whole
from dalej.centre.stream import BEGINNING, line_of
from dalej.domain.tournament.standings import Line, standings
from dalej.domain.tournament.tournament import COMPLETE, GIVEN, HOME, RESULT, GameAt
from dalej.event.event import Event
from dalej.event.homes import CENTRE
from dalej.event.ledger import Decision, Ledger
from dalej.office.acts.act import Act
from dalej.office.acts.halls import GiveRound, SetHall, TakeRound
from dalej.office.acts.results import CorrectResult, EnterResult
from dalej.office.acts.rounds import CloseRound
from dalej.office.acts.seating import DrawSeating
from proof.campaign import Outcome, fates, share
from tests.centre.cup import Ticking, begin, current, does, opened, racks_of
from tests.centre.unwired import (
    KEY,
    NOON,
    NORTH,
    Answer,
    Centre,
    Crash,
    Hall,
    Instant,
    Request,
    Settled,
    WatchedMirror,
    brought,
    has,
    own,
    put,
)
from tests.event.ledger.making import report
from tests.postgres import Postgres, postgres, programs

FATES: Final = ("lost", "whose answer was lost", "once more later", "overtaken")
"""Of a request and its answer: once more later – it comes a second time, after the next one; overtaken – it comes after
the next one only.
"""
MORE_FATES: Final = (*FATES, "twice", "whose answer was late")
"""twice – it comes a second time at once; whose answer was late – it is heard in the place of the next one, which HTTP
rules out. These two are no part of the biggest product.
"""
PLACES: Final = ("hall after", "centre before", "centre after")
"""Where an end crashes: the hall has asked and does not hear the answer; the centre does not see the request, or has
just answered it. Between two of these and the commits nothing changes that outlives a crash.
"""
OF_HALL: Final = ("first", "a move", "second", "corrected")
OF_CENTRE: Final = ("give", "the centre's", "take back", "close")
USUAL: Final = (0, 1, 1, 0, 0, 1, 3, 0)
"""How many chances each of these waits. The hall has one while a request is under way and one after it, the centre one
before each request and one between what it commits of a batch.
"""
EXCHANGES: Final = 10
COMMITTED: Final = {"hall commit": 3, "centre commit": 15}
"""So many there are of them when nothing goes wrong."""
MOST: Final = 30  # exchanges by which all is settled, whatever went wrong
RESULTS: Final = (GameAt(1, 1), GameAt(1, 2), GameAt(2, 1))
BATCH: Final = 6  # entries that a hall tells at once
STEP: Final = 4  # entries that a centre brings at once
PLAYERS: Final = 6
AFTER_S: Final = 0.1  # less than a hall pauses between two requests
OUTDATED: Final = "the centre was told of another copy of this event just now"
"""So the centre answers, and says, where an earlier request comes after a later one: nobody hears the answer."""
A_STORY: Final = 200  # cases

# What never changes elsewhere is gone here.
_ANEW: Final = f"""SET session_replication_role = replica; DELETE FROM entries; DELETE FROM epochs;
    SET session_replication_role = origin; UPDATE halls SET epoch = 0, through = 0, digest = '\\x{BEGINNING.hex()}',
    heard_ms = NULL, desk = NULL, desk_until_ms = 0"""

Fates = tuple[tuple[int, str], ...]


class Case(NamedTuple):
    """`crash`: where, and at which exchange, from 0, or at which commit of that end, from 1; `fates`: of which
    exchange; `waits` as in `USUAL`.
    """

    crash: tuple[str, int] | None = None
    fates: Fates = ()
    waits: tuple[int, ...] = USUAL


class Scene:
    """What every case begins with: the event of all at the centre, in which a round is seated, and the file of a hall
    that has joined and told nothing yet. `acts`: what is decided from then on, as the acts make it, by the names of
    `OF_HALL` and `OF_CENTRE`; `expected`: the standings that come of it in one file.
    """

    def __init__(self, database: str, folder: Path) -> None:
        self.acts: dict[str, Decision] = {}
        self.mirror = WatchedMirror(database)
        self.mirror.init()
        self.mirror.add_hall(NORTH, KEY, 1)
        self._db = psycopg.connect(database, autocommit=True)
        self._files = folder / "cup.dalej", folder / "north.dalej"
        self._alike: set[tuple[str, ...]] = set()
        self._make(*self._files)
        self.expected = self._in_one_file(folder / "alone.dalej")

    def close(self) -> None:
        self.mirror.close()
        self._db.close()

    def files(self) -> tuple[Path, Path]:
        """The centre's and the hall's, of which the centre's database knows nothing."""
        self._db.execute(_ANEW)
        made = [file.with_name(f"played-{file.name}") for file in self._files]
        for file, copy in zip(self._files, made, strict=True):
            copy.write_bytes(file.read_bytes())
        return made[0], made[1]

    def told(self) -> list[tuple[int, int, str]]:
        """What the centre's database holds: epoch, number, line."""
        return self._db.execute("SELECT epoch, cursor, line FROM entries ORDER BY epoch, cursor").fetchall()

    def expect_standings(self, ledger: Ledger) -> None:
        """AssertionError unless they are as `expected`. What was decided alike before comes to the same."""
        decided = tuple(line_of(one) for one in ledger.decisions_between(0, ledger.head()))
        if decided not in self._alike:
            state = Event(ledger, who="", wall_ms=Ticking()).state()
            (one,) = (one for one in state.rounds.values() if one.closed is not None)
            assert sorted(one.results) == [*RESULTS], f"{sorted(one.results)} count"
            assert standings(state) == self.expected, "the standings are not those of one file"
            self._alike.add(decided)

    def _make(self, cup: Path, north: Path) -> None:
        tick = Ticking(NOON)
        begin(cup, tick, PLAYERS)
        with Ledger.create(north) as ledger:
            ledger.decide(HOME, {"hall": NORTH}, who="Bóbr", when_ms=tick(), why="one of several halls", subject=HOME)
        with ExitStack() as stack:
            loop = stack.enter_context(closing(Instant()))
            centre = stack.enter_context(closing(Centre(self.mirror, cup, loop)))
            hall = stack.enter_context(closing(Hall(north, loop)))
            event = Event(centre.organiser, who="Bóbr", wall_ms=tick)
            does(event, SetHall(hall=NORTH, tables="1"))
            does(event, DrawSeating(seed=1, anyway="few"))
            loop.run_until_complete(hall.forwarder(centre.answer).listen())
            hall.referee.record([report(1)])
        later = cup.with_name("later.dalej")
        later.write_bytes(cup.read_bytes())
        with opened(later, "Bóbr", tick) as event:
            self._does(event, "give", GiveRound())
            self._does(event, "take back", TakeRound())

    def _in_one_file(self, file: Path) -> list[Line]:
        tick = Ticking(NOON)
        begin(file, tick, PLAYERS)
        with opened(file, "Bóbr", tick) as event:
            does(event, DrawSeating(seed=1, anyway="few"))
            for name, at in zip(("first", "second", "the centre's"), RESULTS, strict=True):
                racks = racks_of(at, current(event), 1)
                self._does(event, name, EnterResult(table=at.table, game=at.game, racks=racks, ended="went_out"))
            racks = racks_of(RESULTS[0], current(event), 2)
            self._does(event, "corrected", CorrectResult(table=1, game=1, racks=racks, ended="went_out"))
            self._does(event, "close", CloseRound("late"))
            return standings(event.state())

    def _does(self, event: Event, name: str, act: Act) -> None:
        cursor = does(event, act, "because").decisions[0]
        (self.acts[name],) = event.ledger.decisions_between(cursor - 1, cursor)


class Steps:
    """What one end decides by itself, by names, in their order. Each is done once it `may` be, and once it `waits` so
    many chances.
    """

    def __init__(
        self, names: Sequence[str], waits: Sequence[int], may: Callable[[str], bool], do: Callable[[str], None]
    ) -> None:
        self._left = [*zip(names, waits, strict=True)]
        self._may, self._do = may, do
        self._chances = 0

    def over(self) -> bool:
        return not self._left

    def chance(self, *, last: bool = False) -> None:
        """Nothing else happens at this instant; `last`: there is no other chance."""
        while self._left and self._may(self._left[0][0]):
            if self._chances < self._left[0][1] and not last:
                self._chances += 1
                return
            self._chances = 0
            self._do(self._left.pop(0)[0])


class Story:
    """One case. `exchanges`: requests that the hall made; `commits`: of each end; `met`: fates that came to pass;
    `crashed`: whether an end did.
    """

    def __init__(self, scene: Scene, case: Case) -> None:
        self.exchanges = self.met = 0
        self.commits = dict.fromkeys(COMMITTED, 0)
        self.crashed = False
        self._scene = scene
        self._crash = case.crash
        self._fates = dict(case.fates)
        self._under_way: list[Request] = []
        self._late: Answer | None = None
        self._at_hall = Steps(OF_HALL, case.waits[: len(OF_HALL)], self._hall_may, self._hall_does)
        self._at_centre = Steps(OF_CENTRE, case.waits[len(OF_HALL) :], self._centre_may, self._centre_does)

    def play(self) -> None:
        """AssertionError if an end has more, less or something else than the other, at any instant."""
        cup, north = self._scene.files()
        with ExitStack() as stack:
            self._loop = loop = stack.enter_context(closing(Instant()))
            self._centre = centre = stack.enter_context(closing(Centre(self._scene.mirror, cup, loop)))
            self._hall = hall = stack.enter_context(closing(Hall(north, loop)))
            self._scene.mirror.committed = self._takes
            centre.committed, hall.committed = self._brings, self._hears
            while True:
                try:
                    loop.run_until_complete(hall.forwarder(self._carried, self._last_chance).run())
                except Crash:
                    hall.crash()
                except Settled:
                    break
            self._expect_the_same()

    # --- what the ends decide -----

    def _hall_may(self, name: str) -> bool:
        return name != "first" or has(self._hall.referee, GIVEN)

    def _hall_does(self, name: str) -> None:
        if name == "a move":
            self._hall.referee.record([report(2)])
        else:
            put(self._hall.referee, self._scene.acts[name])

    def _last_chance(self) -> None:
        self._at_hall.chance(last=True)

    def _centre_may(self, name: str) -> bool:
        """The round is taken back from a hall that knows that it has it, and closed once that is complete."""
        if name == "close":
            complete = has(self._centre.organiser, COMPLETE)
            assert not complete or brought(self._centre.organiser, NORTH) == own(self._hall.referee), "not complete yet"
            return complete
        return name == "give" or has(self._hall.referee, GIVEN)

    def _centre_does(self, name: str) -> None:
        put(self._centre.organiser, self._scene.acts[name])

    # --- the network -----

    async def _carried(self, request: Request) -> Answer:
        assert not self._loop.faults, self._loop.faults
        self._at_centre.chance()
        if self._is_settled():
            raise Settled
        number, self.exchanges = self.exchanges, self.exchanges + 1
        assert number < MOST, "it does not settle"
        self._at_hall.chance()
        fate = self._fates.pop(number, "")
        self.met += bool(fate)
        answer = await self._at_the_centre(number, request, fate)
        self._loop.call_later(AFTER_S, self._at_hall.chance)
        self._dies("hall after", number)
        if answer is None:
            await asyncio.sleep(forward.WITHIN_S)
            raise TimeoutError
        return answer

    async def _at_the_centre(self, number: int, request: Request, fate: str) -> Answer | None:
        """What the hall hears; None: nothing."""
        centre, answer = self._centre, None
        earlier, self._under_way = self._under_way, [request] if fate in ("once more later", "overtaken") else []
        late, self._late = self._late, None
        try:
            self._dies("centre before", number)
            if fate not in ("lost", "overtaken"):
                answer = await centre.answer(request)
            if fate == "twice":
                await centre.answer(request)
            for one in earlier:
                await centre.answer(one)
        except Crash:
            centre.crash()
            raise ServerDisconnectedError from None
        try:
            self._dies("centre after", number)
        except Crash:
            centre.crash()
        if fate == "whose answer was late":
            self._late = answer
        return None if fate in ("whose answer was lost", "whose answer was late") else late or answer

    def _dies(self, where: str, number: int) -> None:
        if self._crash == (where, number):
            self._crash, self.crashed = None, True
            raise Crash

    # --- what is so at every instant -----

    def _takes(self) -> None:
        """The centre has committed a batch, and brought nothing of it yet."""
        told, log = self._scene.told(), self._hall.log()
        assert told == [(1, number, line) for number, line in enumerate(log[: len(told)], start=1)], (
            "the centre's copy is no beginning of the hall's log"
        )
        self._at_centre.chance()
        self._commits("centre commit")

    def _brings(self) -> None:
        """The centre has committed what follows from a batch."""
        self._expect_a_beginning(self._centre.ledger, NORTH, own(self._hall.referee))
        self._commits("centre commit")

    def _hears(self) -> None:
        """The hall has committed what the centre told it."""
        self._expect_a_beginning(self._hall.ledger, CENTRE, own(self._centre.organiser))
        self._commits("hall commit")

    def _expect_a_beginning(self, ledger: Ledger, name: str, decided: Sequence[int]) -> None:
        """What was `decided` there is here as far as it was listened to."""
        heard, found = ledger.heard(name), brought(ledger, name)
        expected = [] if heard is None else [one for one in decided if one <= heard.through]
        assert found == expected, f"of {name} there is {found}, expected {expected}"

    def _commits(self, where: str) -> None:
        self.commits[where] += 1
        self._dies(where, self.commits[where])

    # --- what is so at the end -----

    def _is_settled(self) -> bool:
        """Whether nothing is under way, and the last that each end has is at the other."""
        if self._under_way or self._late or not (self._at_hall.over() and self._at_centre.over()):
            return False
        heard = brought(self._hall.ledger, CENTRE)
        return len(self._scene.told()) == len(self._hall.log()) and heard[-1] == own(self._centre.organiser)[-1]

    def _expect_the_same(self) -> None:
        told, log, hall, centre = self._scene.told(), self._hall.log(), self._hall, self._centre
        assert [line for _, _, line in told] == log, "the centre's copy is not the hall's log"
        assert brought(centre.ledger, NORTH) == own(hall.referee), "the centre counts something else"
        assert brought(hall.ledger, CENTRE) == own(centre.organiser), "the hall has heard something else"
        decided = [one.kind for one in hall.referee.decisions_between(0, len(log)) if one.origin is None]
        assert decided == [HOME, RESULT, RESULT, RESULT, COMPLETE], f"the hall has decided {decided}"
        for ledger in (centre.organiser, hall.referee):
            self._scene.expect_standings(ledger)
        said = [str(one) for one in centre.said if one.template != OUTDATED]
        assert not said, f"the centre has said {said}"


# --- all cases -----


@cache
def cases() -> tuple[Case, ...]:
    """All of them: each crash with each two faults; each two faults of `MORE_FATES`; and, with however little each end
    waits, each crash and each fault.
    """
    crashes = [*product(PLACES, range(EXCHANGES))]
    crashes += [(where, number) for where, most in COMMITTED.items() for number in range(1, most + 1)]
    exchanges = range(EXCHANGES)
    one, two = fates(exchanges, MORE_FATES, 1), fates(exchanges, FATES, 2)
    waits = [(*each, 0) for each in product((0, 1, 2), repeat=len(USUAL) - 1)]  # it is closed as soon as it can be
    little = [each for each in waits if max(each) < 2 and not each[1]]
    made = [Case(crash, met) for crash, met in product([None, *crashes], [(), *one, *two])]
    made += [Case(None, met) for met in fates(exchanges, MORE_FATES, 2) if not {fate for _, fate in met} <= {*FATES}]
    made += [Case(None, (), each) for each in waits]
    made += [Case(None, met, each) for met, each in product(one, little)]
    made += [Case(crash, (), each) for crash, each in product(crashes, little)]
    return tuple(made)


def of_a_round(seed: int) -> Outcome:
    """Two hundred cases, on a PostgreSQL of their own."""
    found = programs()
    assert found is not None, "there is no PostgreSQL here (Debian: apt-get install postgresql)"
    with (
        tempfile.TemporaryDirectory(prefix="dalej-pg-") as at,
        postgres(Path(at), found) as server,
        scene(server) as made,
    ):
        return played(made, share(cases(), seed, A_STORY))


def played(made: Scene, some: Sequence[Case]) -> Outcome:
    """What is counted of them. AssertionError, which names the case, at the first that is not as it should be."""
    counts = dict.fromkeys(("cases", "... with a crash", "... with two faults", "requests", "... that met a fault"), 0)
    for case in some:
        story = Story(made, case)
        try:
            story.play()
        except Exception as fault:  # whatever an end cannot do is a fault of it
            raise AssertionError(f"{case}: {type(fault).__name__}: {fault}") from fault
        counts["cases"] += 1
        counts["... with a crash"] += story.crashed
        counts["... with two faults"] += story.met == 2
        counts["requests"] += story.exchanges
        counts["... that met a fault"] += story.met
    return Outcome(counts)


@contextmanager
def scene(server: Postgres) -> Iterator[Scene]:
    """A few entries are several batches, as long as the block lasts."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        made = stack.enter_context(closing(Scene(server.new_database(f"scope_{folder.name.lower()}"), folder)))
        stack.enter_context(patch.object(forward, "ENTRIES_MOST", BATCH))
        stack.enter_context(patch.object(whole, "ENTRIES_MOST", STEP))
        yield made
