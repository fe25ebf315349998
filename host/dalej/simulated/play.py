"""Plays a written game through debounce, clock, journal, link, session and ledger, on simulated time."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from dalej.clock import ManualClock
from dalej.desk import Desk
from dalej.domain.rulesets import Ruleset
from dalej.domain.tablesettings import Choices, settings_for
from dalej.ledger import Ledger
from dalej.link.sim import SimBox, SimRadio
from dalej.link.world import World
from dalej.simulated.script import Edge, Line, Order, Power, Reach

REST_MS: Final = 10_000  # how long after the last line the table may take to come to rest
LONG_REST_MS: Final = 600_000
BACK_BEFORE_MS: Final = 5_000
PLAY_PING_MS: Final = 11_000
DAY_MS: Final = 86_400_000
WHO: Final = "script"


@dataclass(frozen=True, slots=True)
class Unsent:
    """A desk line that found no link."""

    line: int
    command: str


class Played:
    """One table that is played by a script. `box` tells the script time of every fact."""

    def __init__(
        self,
        ledger: Ledger,
        ruleset: Ruleset,
        choices: Choices,
        clock: ManualClock,
        *,
        kostka: bool = True,
        shared: bool = False,
        seed: int = 1,
    ) -> None:
        random = Random(seed)
        self.world = World(clock)
        self.desk = Desk(
            ledger, clock=clock, random=random.randbytes, name=WHO, ping_ms=PLAY_PING_MS, lease_ttl_ms=DAY_MS
        )
        self.unsent: list[Unsent] = []
        self.radio = SimRadio(self.world, self.desk, random)
        self.box = SimBox(
            self.world, random.randbytes(6), random.randbytes(32), random, kostka=kostka, shared=shared,
            raw_start=random.randrange(1 << 30),
        )  # fmt: skip
        self.desk.know(self.box.uid, self.box.secret, table=1)
        self.box.power_on()
        self.radio.add(self.box)
        self.world.run_until(0)
        settings = settings_for(ruleset, choices)
        self.desk.ask(self.box.uid, "configure", {"game": 1, "settings": settings.pack().hex()}, who=WHO)
        self.radio.serve()
        self.world.run_until(0)

    def play(self, lines: list[Line]) -> None:
        """Play all lines, then let the table come to rest."""
        for line in lines:
            self._pass_until(line.at_ms)
            self._do(line)
        end = self.world.now_ms + REST_MS
        while not self._at_rest() and (due := self.world.next_ms()) is not None and due <= end:
            self.world.step()

    def _pass_until(self, at_ms: int) -> None:
        """Long rests pass without a link, whose pings are all that would happen; it is back before the next line."""
        if at_ms - self.world.now_ms > LONG_REST_MS and self.radio.in_reach(self.box.uid):
            self.world.run_until(self.world.now_ms + LONG_REST_MS // 5)
            box = self.box.box
            if box is not None and self._at_rest() and box.clock.deadline() is None:
                self.radio.set_reach(self.box.uid, False)
                self.world.run_until(at_ms - BACK_BEFORE_MS)
                self.radio.set_reach(self.box.uid, True)
        self.world.run_until(at_ms)

    def _do(self, line: Line) -> None:
        match line:
            case Edge():
                self.box.edge(line.contact, line.down)
            case Order():
                if not self.desk.ask(self.box.uid, line.command, line.args, who=WHO):
                    self.unsent.append(Unsent(line.line, line.command))
                self.radio.serve()
                self.world.run_until(self.world.now_ms)
            case Reach():
                self.radio.set_reach(self.box.uid, line.on)
            case Power(on=True):
                self.box.power_on()
            case Power(on=False):
                self.box.power_off()

    def _at_rest(self) -> bool:
        """Nothing is undecided, counting down or under way. A move may run: only a script's line ends it."""
        if self.box.box is None:
            return True
        if not self.box.box.settled():
            return False
        return not self.radio.in_reach(self.box.uid) or self.box.box.journal.backlog == 0
