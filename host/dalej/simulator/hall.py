"""A hall of simulated tables on one desk: who sits where, lossy links, cuts, a power cut now and then, one ledger."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from dalej.clock import ManualClock
from dalej.desk.desk import Desk
from dalej.domain.game import commands
from dalej.domain.game.facts import SEATS
from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import Unreachable
from dalej.event.ledger import ASSIGN, Baseline, Draft, Ledger, body_of
from dalej.event.people import SEATED
from dalej.event.tableplans import TablePlan, configuration
from dalej.link.pool import TURN_MS
from dalej.simulator.air import SimAdapter
from dalej.simulator.box import Faults, SimBox, SimRadio
from dalej.simulator.outages import CUT_EVERY_MS, POWER_CUT_EVERY_MS, Outage
from dalej.simulator.players import Begins, Habits, Players, always
from dalej.simulator.world import World

ANIMALS: Final = (
    "Lis", "Sowa", "Borsuk", "Wydra", "Żuraw", "Jeż", "Wilk", "Sarna", "Dzik", "Kuna", "Ryś", "Bocian", "Łoś", "Gęś",
    "Zając", "Żubr", "Bóbr", "Czapla", "Kruk", "Sójka", "Dzięcioł", "Wiewiórka", "Łasica", "Jaskółka", "Puchacz",
    "Sikorka", "Świstak", "Niedźwiedź",
)  # fmt: skip


def names_at(table: int) -> dict[str, str]:
    """The players of a table by seat; when the animals are used up they come again with a number: Lis 2."""
    first = (table - 1) * len(SEATS)
    return {seat: _name(first + place) for place, seat in enumerate(SEATS)}


def all_assigned(table: int, box: str, epoch: int) -> Draft:
    """That the box stands on the table from now on; all of its journal's facts count."""
    return Draft(ASSIGN, body_of(Baseline(table=table, box=box, epoch=epoch, seq=0)))


def seated(table: int, names: Mapping[str, str]) -> Draft:
    """Who sits at the table."""
    return Draft(SEATED, {"table": table, "names": names}, f"seated:{table}")


def _name(place: int) -> str:
    again, animal = divmod(place, len(ANIMALS))
    return f"{ANIMALS[animal]} {again + 1}" if again else ANIMALS[animal]


COMMIT_DELAY_MS: Final = 20
DAY_MS: Final = 86_400_000
LOSSY: Final = Faults(loss=0.02, duplicate=0.01, reorder=0.02, delay_ms=(5, 60))
DRAIN_MS: Final = 600_000
WHO: Final = "demo"
CABLE_COMMAND: Final = 1  # id of the one command that boxes were given before the evening
# A hall that takes more is stuck: usual are some sixty steps a move.
STEPS: Final = 100_000
STEPS_A_TABLE: Final = 10_000
STEPS_A_MOVE: Final = 1_000
MOVES_A_GAME: Final = 400


@dataclass(frozen=True, slots=True)
class Played:
    """What a hall did, as far as the ledger does not tell it."""

    tables: int
    moves: int
    simulated_ms: int
    resends: int
    cuts: int
    power_cuts: int
    lost_frames: int


@dataclass(frozen=True, slots=True)
class SimTable:
    """A table with its box and the people at it; `names` by seat. `reach`, `power`: when chance takes them away."""

    number: int
    box: SimBox
    players: Players
    names: Mapping[str, str]
    reach: Outage
    power: Outage

    @property
    def uid(self) -> bytes:
        return self.box.uid

    def set_reach(self, on: bool) -> None:
        """Carry the box out of the radio's reach, or back, until somebody says otherwise."""
        self.reach.order(on)

    def set_power(self, on: bool) -> None:
        """Take the box its power, or give it back, until somebody says otherwise."""
        self.power.order(on)

    def end_outages(self) -> None:
        """Whoever takes the table over finds it in reach and with power, unless somebody ordered otherwise."""
        self.reach.end()
        self.power.end()


class Hall:
    """Tables 1..n of invented people, or those that were planned. The same seed plays the same evening, and at an
    event another one each time; `moves`: how many in all, None: as many as there are.

    `links`: how many the desk's adapter holds, so that its boxes take turns and are heard by their advertisements; then
    they were set up over the cable. None: room for all. What was decided before the first move is in the ledger: which
    box stands on which table and, for invented people, who sits there. `begins`: whether a new game may begin in this
    hall now, whatever the plan of its table says; `poll_ms`: see `Desk`; `seen`: Outrun if anybody has decided
    something since.
    """

    def __init__(
        self,
        ledger: Ledger,
        ruleset: Ruleset,
        clock: ManualClock,
        *,
        tables: int | Sequence[TablePlan],
        moves: int | None,
        seed: int,
        faults: Faults = LOSSY,
        habits: Habits | None = None,
        links: int | None = None,
        poll_ms: int | None = None,
        lease_ttl_ms: int = DAY_MS,
        begins: Callable[[], bool] | None = None,
        seen: int | None = None,
    ) -> None:
        invents = isinstance(tables, int)
        plans = _invented(tables) if isinstance(tables, int) else tables
        self.world = World(clock, step_limit=_limit(plans, moves))
        self._random = Random(seed)
        self.desk = Desk(
            ledger, clock=clock, random=self._random.randbytes, name=WHO, commit_delay_ms=COMMIT_DELAY_MS,
            poll_ms=poll_ms, lease_ttl_ms=lease_ttl_ms, links=links,
        )  # fmt: skip
        self.radio: SimRadio
        if links is None:
            self.radio = SimRadio(self.world, self.desk, self._random, faults)
        else:
            self.radio = SimAdapter(self.world, self.desk, self._random, faults, links=links)
            ledger.pass_over_requests(CABLE_COMMAND)
        self._turns = links is not None
        self._ledger = ledger
        self._ruleset = ruleset
        self._begins = begins
        self.power_cuts = 0
        self._moves = sys.maxsize if moves is None else moves
        self.tables: dict[int, SimTable] = {}
        chance = [self._random.randrange(1 << 30) for _ in range(max(plan.number for plan in plans))]
        for place, plan in enumerate(plans):
            quota = self._moves // len(plans) + (1 if place < self._moves % len(plans) else 0)
            self.tables[plan.number] = self._add_table(plan, Random(chance[plan.number - 1]), quota, habits)
        drafts = [draft for table in self.tables.values() for draft in _drafts(table, invents=invents)]
        try:
            ledger.decide_together(drafts, who=WHO, when_ms=clock.wall_ms(), why="a simulated hall", seen=seen)
        except BaseException:
            self.desk.close()
            raise
        for table in self.tables.values():
            self.desk.know(table.uid, table.box.secret, table.number)
            self.radio.add(table.box)

    def play(self, tell: Callable[[int, int], None] | None = None) -> Played:
        """Play until every table has made its moves, or has lost all players but one, every fact has reached the ledger
        and every command is answered.

        `tell(moves, of)` is called every minute of play; `of` is 0 where nobody knows how many there will be.
        """
        world, of = self.world, 0 if self._moves == sys.maxsize else self._moves
        while not all(table.players.gone_home or table.players.resting for table in self.tables.values()):
            world.run_until(world.now_ms + 1000)
            if tell is not None and world.now_ms // 1000 % 60 == 0:
                tell(sum(table.players.moves for table in self.tables.values()), of)
        end = world.now_ms + DRAIN_MS + (len(self.tables) * TURN_MS if self._turns else 0)
        for table in self.tables.values():
            table.set_reach(True)
            table.set_power(True)
        while world.now_ms < end and any(not self._drained(box) for box in self.radio.boxes.values()):
            world.run_until(world.now_ms + 100)
        self.desk.close()
        return Played(
            tables=len(self.tables),
            moves=sum(table.players.moves for table in self.tables.values()),
            simulated_ms=world.now_ms,
            resends=self.desk.resends,
            cuts=self.radio.cuts,
            power_cuts=self.power_cuts,
            lost_frames=self.radio.lost_frames,
        )

    def journals(self) -> set[tuple[str, int]]:
        """Box (hex uid) and epoch of every journal that this hall writes."""
        boxes = self.radio.boxes.values()
        return {(box.uid.hex(), box.box.journal.epoch) for box in boxes if box.box is not None}

    def _drained(self, box: SimBox) -> bool:
        return box.has_told_all() and not self.desk.is_asked(box.uid)

    def _add_table(self, plan: TablePlan, random: Random, quota: int, habits: Habits | None) -> SimTable:
        world, settings = self.world, configuration(plan, self._ruleset)
        uid, secret = random.randbytes(6), random.randbytes(32)
        evening = len(self._ledger.boxes(uid.hex()))
        if evening:  # the box has told this event of other evenings: its journal is a new one, and so is the game
            random = Random(f"{random.random()} {evening}")
        box = SimBox(
            world, uid, secret, random, ppm=random.randint(-20, 20), raw_start=random.randrange(1 << 30)
        )  # fmt: skip

        def ask(command: str, args: dict[str, int | str]) -> bool:
            if not self.desk.is_live(box.uid) and self.desk.is_asked(box.uid):
                return True  # the referee waits for the box's turn
            try:
                sent = self.desk.ask(box.uid, command, args, who=WHO)
            except Unreachable:  # another process writes into the event for long
                return False
            self.radio.serve()
            return sent

        def configure() -> None:
            if not self.desk.is_live(box.uid) or not ask("configure", settings):
                world.after(200, configure)

        def cut() -> None:
            world.after(int(random.expovariate(1 / CUT_EVERY_MS)) + 1000, cut)
            if not players.hands_off:
                reach.chance(random.randint(1000, 90_000))

        def power_cut() -> None:
            world.after(int(random.expovariate(1 / POWER_CUT_EVERY_MS)) + 1000, power_cut)
            if box.box is not None and not players.hands_off:
                self.power_cuts += 1
                power.chance(random.randint(2000, 20_000))

        reach = Outage(world, lambda: self.radio.in_reach(box.uid), lambda on: self.radio.set_reach(box.uid, on))
        power = Outage(world, lambda: box.box is not None, lambda on: box.power_on() if on else box.power_off())
        box.power_on()
        if self._turns:
            _configure_by_cable(box, settings)
        else:
            world.after(100, configure)
        world.after(int(random.expovariate(1 / CUT_EVERY_MS)) + 1000, cut)
        world.after(int(random.expovariate(1 / POWER_CUT_EVERY_MS)) + 1000, power_cut)
        players = Players(world, box, random, ask, quota, habits, self._games_of(plan))
        players.sit_down()
        return SimTable(plan.number, box, players, plan.names, reach, power)

    def _games_of(self, plan: TablePlan) -> Begins:
        hall_begins, last = self._begins, sys.maxsize if plan.games is None else plan.first_game + plan.games - 1
        if hall_begins is None and plan.games is None:
            return always
        return lambda game: game <= last and (hall_begins is None or hall_begins())


def _configure_by_cable(box: SimBox, settings: Mapping[str, int | str]) -> None:
    command, arguments = commands.encode("configure", settings)
    if box.box is not None:
        box.box.commands.take((CABLE_COMMAND, command, 0, 0, 0, 0, arguments), 0)
        box.pump()


def _drafts(table: SimTable, *, invents: bool) -> list[Draft]:
    """What is decided about a table before its first move: its box, and who sits there if nobody has said so."""
    powered = table.box.box
    if powered is None:
        return []
    assigned = all_assigned(table.number, table.uid.hex(), powered.journal.epoch)
    return [assigned, seated(table.number, table.names)] if invents else [assigned]


def _invented(tables: int) -> list[TablePlan]:
    return [TablePlan(number, names_at(number)) for number in range(1, tables + 1)]


def _limit(plans: Sequence[TablePlan], moves: int | None) -> int | None:
    """Steps after which the hall is stuck; None if it has no end."""
    if moves is None:
        games = [plan.games for plan in plans]
        if None in games:
            return None
        moves = MOVES_A_GAME * sum(game for game in games if game is not None)
    return STEPS + len(plans) * STEPS_A_TABLE + moves * STEPS_A_MOVE
