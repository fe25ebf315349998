"""A written game: one line an event, in the order of time; and playing it through debounce, clock, journal, link,
session and ledger, on simulated time.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from dalej.clock import ManualClock
from dalej.desk.desk import Desk
from dalej.domain.game import commands
from dalej.domain.game.facts import contact_name
from dalej.domain.game.tablesettings import Choices, settings_for
from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import Sayable, WrongInput
from dalej.event.ledger import Ledger
from dalej.simulator.box import SimBox, SimRadio
from dalej.simulator.world import World
from dalej.words import N_
from moveclock import facts as k

LATEST_MS: Final = 0xFFFFFFFF
_CONTACTS: Final = {contact_name(contact): contact for contact in range(k.CONTACTS)}
_FULL: Final = tuple(range(k.SHARED_JUZ))
_SHARED: Final = (k.KOSTKA, k.SEDZIA, k.SHARED_JUZ, k.SHARED_DALEJ)


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact goes down or up."""

    at_ms: int
    contact: int
    down: bool


@dataclass(frozen=True, slots=True)
class Order:
    """The desk asks for a command."""

    at_ms: int
    line: int
    command: str
    args: dict[str, int | str]


@dataclass(frozen=True, slots=True)
class Reach:
    """The link is cut or comes back."""

    at_ms: int
    on: bool


@dataclass(frozen=True, slots=True)
class Power:
    """The box loses its power or gets it back."""

    at_ms: int
    on: bool


Line = Edge | Order | Reach | Power


def parse(text: str, file: str, *, kostka: bool = True, shared: bool = False) -> list[Line]:
    """The lines of a script for a box built so; WrongInput names file, line and what was expected."""
    known = [c for c in (_SHARED if shared else _FULL) if kostka or c != k.KOSTKA]
    reader = _Reader(file, {contact_name(contact): contact for contact in known})
    return [line for number, raw in enumerate(text.splitlines(), 1) if (line := reader.read(number, raw)) is not None]


class _Reader:
    """Reads line by line and remembers what may follow: time, contacts that are down, link and power."""

    def __init__(self, file: str, contacts: dict[str, int]) -> None:
        self._file = file
        self._contacts = contacts
        self._at_ms = 0
        self._on: dict[str, bool] = {"link": True, "power": True}

    def read(self, number: int, raw: str) -> Line | None:
        words = raw.split("#", 1)[0].split()
        if not words:
            return None
        at_ms = self._time(number, words[0])
        if len(words) < 3:
            raise self._wrong(number, N_("expected a line such as 1000 A.juz down, found {found}"), found=raw.strip())
        what, rest = words[1], words[2:]
        if what == "desk":
            try:
                return Order(at_ms, number, rest[0], commands.read_commands(rest[0], rest[1:]))
            except WrongInput as error:
                raise WrongInput(
                    N_("{file}, line {line}: {problem}"), file=self._file, line=number, problem=error
                ) from error
        if len(rest) != 1:
            raise self._wrong(number, N_("expected three words, found {found}"), found=raw.strip())
        if what in self._contacts:
            return Edge(at_ms, self._contacts[what], self._turned(number, what, rest[0], ("up", "down"), False))
        if what in self._on:
            on = self._turned(number, what, rest[0], ("off", "on"), True)
            return Reach(at_ms, on) if what == "link" else Power(at_ms, on)
        allowed = ", ".join((*self._contacts, "desk", "link", "power"))
        if what in _CONTACTS:
            raise self._wrong(
                number, N_("this box has no contact {found}, expected one of {allowed}"), found=what, allowed=allowed
            )
        raise self._wrong(number, N_("{found} is not known, expected one of {allowed}"), found=what, allowed=allowed)

    def _time(self, number: int, word: str) -> int:
        if not word.isascii() or not word.isdigit() or int(word) > LATEST_MS:
            raise self._wrong(number, N_("expected a time in whole milliseconds, found {found}"), found=word)
        if int(word) < self._at_ms:
            raise self._wrong(
                number, N_("{found} ms is before the line above, expected lines in time order"), found=word
            )
        self._at_ms = int(word)
        return self._at_ms

    def _turned(self, number: int, what: str, word: str, words: tuple[str, str], at_first: bool) -> bool:
        if word not in words:
            raise self._wrong(number, N_("expected {allowed}, found {found}"), found=word, allowed=" | ".join(words))
        on = word == words[1]
        if self._on.get(what, at_first) == on:
            raise self._wrong(number, N_("{what} is {word} already"), what=what, word=word)
        self._on[what] = on
        return on

    def _wrong(self, number: int, problem: str, /, **data: Sayable) -> WrongInput:
        return WrongInput(
            N_("{file}, line {line}: {problem}"), file=self._file, line=number, problem=WrongInput(problem, **data)
        )


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
