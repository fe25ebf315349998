"""A hall of simulated tables on one desk: lossy links, cuts, a power cut now and then, one ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from dalej.clock import ManualClock
from dalej.desk import Desk
from dalej.domain.rulesets import Ruleset
from dalej.domain.tablesettings import Choices, settings_for
from dalej.ledger import Ledger
from dalej.link.sim import Faults, SimBox, SimRadio
from dalej.link.world import World
from dalej.simulated.players import Habits, Players

COMMIT_DELAY_MS: Final = 20
DAY_MS: Final = 86_400_000
LOSSY: Final = Faults(loss=0.02, duplicate=0.01, reorder=0.02, delay_ms=(5, 60))
CUT_EVERY_MS: Final = 900_000  # of one table's link, on average
POWER_CUT_EVERY_MS: Final = 14_400_000
DRAIN_MS: Final = 600_000
WHO: Final = "demo"
# A hall that takes more is stuck: usual are some sixty steps a move.
STEPS: Final = 100_000
STEPS_A_TABLE: Final = 10_000
STEPS_A_MOVE: Final = 1_000


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


class Hall:
    """Tables 1..n. The same seed plays the same evening."""

    def __init__(
        self,
        ledger: Ledger,
        ruleset: Ruleset,
        clock: ManualClock,
        *,
        tables: int,
        moves: int,
        seed: int,
        faults: Faults = LOSSY,
        habits: Habits | None = None,
    ) -> None:
        self.world = World(clock, step_limit=STEPS + tables * STEPS_A_TABLE + moves * STEPS_A_MOVE)
        self._random = Random(seed)
        self.desk = Desk(
            ledger, clock=clock, random=self._random.randbytes, name=WHO, commit_delay_ms=COMMIT_DELAY_MS,
            lease_ttl_ms=DAY_MS,
        )  # fmt: skip
        self.radio = SimRadio(self.world, self.desk, self._random, faults)
        self.power_cuts = 0
        self._moves = moves
        self.players: list[Players] = []
        first = "A" if ruleset.first_starter == "seat_a" else None
        settings = settings_for(ruleset, Choices(first=first)).pack().hex()
        for table in range(1, tables + 1):
            quota = moves // tables + (1 if table <= moves % tables else 0)
            self._add_table(table, quota, settings, habits)

    def play(self, tell: Callable[[int, int], None] | None = None) -> Played:
        """Play until every table has made its moves and every fact has reached the ledger.

        `tell(moves, of)` is called every minute of play.
        """
        world = self.world
        while not all(players.gone_home for players in self.players):
            world.run_until(world.now_ms + 1000)
            if tell is not None and world.now_ms // 1000 % 60 == 0:
                tell(sum(players.moves for players in self.players), self._moves)
        end = world.now_ms + DRAIN_MS
        for uid, box in self.radio.boxes.items():
            self.radio.set_reach(uid, True)
            if box.box is None:
                box.power_on()
        while world.now_ms < end and any(not self._drained(box) for box in self.radio.boxes.values()):
            world.run_until(world.now_ms + 100)
        self.desk.close()
        return Played(
            tables=len(self.players),
            moves=sum(players.moves for players in self.players),
            simulated_ms=world.now_ms,
            resends=self.desk.resends,
            cuts=self.radio.cuts,
            power_cuts=self.power_cuts,
            lost_frames=self.radio.lost_frames,
        )

    def _drained(self, box: SimBox) -> bool:
        return box.box is not None and box.box.settled() and box.box.journal.backlog == 0

    def _add_table(self, table: int, quota: int, settings: str, habits: Habits | None) -> None:
        random, world = Random(self._random.randrange(1 << 30)), self.world
        box = SimBox(
            world, random.randbytes(6), random.randbytes(32), random, ppm=random.randint(-20, 20),
            raw_start=random.randrange(1 << 30),
        )  # fmt: skip
        self.desk.know(box.uid, box.secret, table)

        def ask(command: str, args: dict[str, int | str]) -> bool:
            sent = self.desk.ask(box.uid, command, args, who=WHO)
            self.radio.serve()
            return sent

        def configure() -> None:
            if not self.desk.is_live(box.uid) or not ask("configure", {"game": 1, "settings": settings}):
                world.after(200, configure)

        def cut() -> None:
            world.after(int(random.expovariate(1 / CUT_EVERY_MS)) + 1000, cut)
            self.radio.set_reach(box.uid, False)
            world.after(random.randint(1000, 90_000), lambda: self.radio.set_reach(box.uid, True))

        def power_cut() -> None:
            world.after(int(random.expovariate(1 / POWER_CUT_EVERY_MS)) + 1000, power_cut)
            if box.box is not None:
                self.power_cuts += 1
                box.power_off()
                world.after(random.randint(2000, 20_000), box.power_on)

        box.power_on()
        self.radio.add(box)
        world.after(100, configure)
        world.after(int(random.expovariate(1 / CUT_EVERY_MS)) + 1000, cut)
        world.after(int(random.expovariate(1 / POWER_CUT_EVERY_MS)) + 1000, power_cut)
        players = Players(world, box, random, ask, quota, habits)
        self.players.append(players)
        players.sit_down()
