"""An evening with a desk that keeps running: a real event file, simulated boxes in a club, one adapter, one clock."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final

from dalej.clock import ManualClock
from dalej.desk.evening.evening import RunningDesk
from dalej.desk.evening.linklog import LinkLog
from dalej.domain.game.facts import Fact
from dalej.event.ledger import ASSIGN, Baseline, Ledger, Request, baseline_of
from dalej.event.reading import read
from dalej.simulator.air import SimAdapter
from dalej.simulator.box import SimBox
from dalej.simulator.world import World
from dalej.words import said
from moveclock import facts as k
from moveclock import secure
from moveclock.settings import Settings
from tests import placing, world
from tests.desk.setting import sentence
from tests.told import facts_of

CLUB: Final = bytes(range(32))
NAME: Final = "desk 1"
ID: Final = 4711
CLUB_GAME: Final = 9  # a number that no game of a round has
SOON_MS: Final = 15_000  # time for a few boxes to be heard, linked and set up


def secret_of(uid: bytes) -> bytes:
    """As the club's keys derive it."""
    return secure.box_secret(CLUB, uid, b"")


class Process:
    """One run of `dalej run`: its event file, its desk, its adapter."""

    def __init__(self, evening: Evening, file: Path, options: dict[str, Any]) -> None:
        self.evening = evening
        self.ledger = evening.enter_context(Ledger.open(file, busy_ms=2))
        given = {"name": NAME, "desk_id": ID, "links": 4, "secret_of": secret_of, **options}
        self.running = RunningDesk(self.ledger, clock=evening.clock, random=evening.random.randbytes, **given)
        self.desk = self.running.desk
        self.noted: list[str] = []
        self.log = LinkLog(self.desk, self.noted.append, names=self.running.names)
        self.adapter = SimAdapter(evening.world, self.log, evening.random, links=given["links"])
        for box in evening.boxes.values():
            self.adapter.add(box)
        self.adapter.serve()

    def kill(self) -> None:
        """SIGKILL: nothing is said to anybody, links stay up as the system left them."""
        self.adapter.abandon()
        self.ledger.close()

    def close(self) -> None:
        """Ctrl-C."""
        self.desk.close()
        self.adapter.serve()
        self.adapter.abandon()
        self.ledger.close()

    def ask(self, box: str, command: str, for_ms: int = 2_000, /, **args: int | str) -> None:
        """What the desk itself asks of a box, and so long a time in which it is done."""
        assert self.desk.ask(self.evening.boxes[box].uid, command, args, who="Gęś")
        self.adapter.serve()
        self.evening.run(for_ms)

    def said(self, kind: str) -> list[str]:
        return [sentence(notice) for notice in self.desk.notices if notice.kind == kind]

    def hints(self, kind: str) -> list[str]:
        """What helps, with boxes by their uids; "" where nothing does."""
        notices = [notice for notice in self.desk.notices if notice.kind == kind]
        return ["" if notice.hint is None else said(notice.hint) for notice in notices]

    def baselines(self) -> list[Baseline]:
        return [baseline_of(one) for one in read(self.ledger).decisions(ASSIGN, standing=True)]

    def requests(self, command: str) -> list[Request]:
        return [one for one in self.ledger.since(0) if isinstance(one, Request) and one.command == command]

    def results(self, command: str) -> list[str]:
        """What became of the requests of that command, the last word on each."""
        return [self.ledger.outcomes(one.id)[-1].result for one in self.requests(command)]

    def facts(self, box: SimBox) -> list[Fact]:
        return [one.fact for one in facts_of(self.ledger, box.uid.hex())]


class Evening(ExitStack):
    """An event for so many `players`, seated if it `draws`, and boxes named "1", "2", … that are on.

    With it the event is closed, and the file of every process, however that ended.
    """

    def __init__(self, folder: Path, *, boxes: int = 1, players: int = 4, draws: bool = True, seed: int = 1) -> None:
        super().__init__()
        self.folder = folder
        self.clock = ManualClock(world.NOON + 3_600_000)
        self.world = World(self.clock, 5_000_000)
        self.random = Random(seed)
        self.event = world.new_event(folder, "school-league", players)
        self.enter_context(self.event.ledger)
        if draws:
            world.draw(self.event)
        self.file = self.event.ledger.path
        self.boxes: dict[str, SimBox] = {}
        for number in range(1, boxes + 1):
            draw = Random(100 + number)
            uid = draw.randbytes(6)
            box = SimBox(self.world, uid, secret_of(uid), draw)
            box.power_on()
            self.boxes[str(number)] = box

    def start(self, file: Path | None = None, **options: Any) -> Process:
        return Process(self, self.file if file is None else file, options)

    def begins(self, *boxes: str) -> Process:
        """Box 1 is put on table 1, 2 on 2, …; then a desk runs, and the tables are set up."""
        for box in boxes:
            self.put(box, int(box))
        desk = self.start()
        self.run()
        return desk

    def put(self, box: str, table: int, *, since: str = placing.NOW, goes_on: bool = True,
            ledger: Ledger | None = None) -> None:  # fmt: skip
        """An organiser gives a box to a table, in another process."""
        placing.place(
            ledger or self.event.ledger, table, self.boxes[box].uid.hex(), since=since, goes_on=goes_on, who="Gęś",
            when_ms=self.clock.wall_ms(), why="as we stand", name=box,
        )  # fmt: skip

    def take_away(self, box: str) -> None:
        uid = self.boxes[box].uid.hex()
        placing.take_away(self.event.ledger, uid, who="Gęś", when_ms=self.clock.wall_ms(), why="broken")

    def run(self, ms: int = SOON_MS) -> None:
        self.world.run_until(self.world.now_ms + ms)

    def clock_of(self, box: str) -> Any:
        powered = self.boxes[box].box
        assert powered is not None
        return powered.clock

    def tap(self, box: str, contact: int, for_ms: int = 80) -> None:
        self.boxes[box].edge(contact, True)
        self.run(for_ms)
        self.boxes[box].edge(contact, False)
        self.run(120)

    def play(self, box: str, moves: int, every_ms: int = 5_000) -> None:
        """The starter's tap if the game has not begun, then so many moves."""
        clock = self.clock_of(box)
        if clock.state == k.READY:
            self.tap(box, 2 * clock.starter)
        for _ in range(moves):
            self.run(every_ms - 400)
            self.tap(box, k.KOSTKA)
            self.tap(box, 2 * clock.seat + 1)

    def play_at_a_club(self, box: str, moves: int = 3) -> None:
        """A game on the box without any desk, and without an end."""
        powered = self.boxes[box].box
        assert powered is not None
        settings = Settings()
        settings.first = k.SEAT_A
        arguments = CLUB_GAME.to_bytes(2, "little") + settings.pack()
        powered.commands.take((3_000_000_000 + int(box), k.C_CONFIGURE, 0, 0, 0, 0, arguments), powered.uptime.now)
        self.boxes[box].pump()
        self.run(1_000)
        self.play(box, moves)
        assert self.clock_of(box).state == k.RUNNING
