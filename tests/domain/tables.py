"""Tables for the tests of the domain: facts written by hand, and facts as the firmware's own clock reports them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from dalej.domain.game.facts import Fact
from dalej.domain.game.games import BoxGame
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import Clock

A, B, C, D = range(4)
BOX = "a0b1c2d3e4f5"
EPOCH = 7


@dataclass
class Journal:
    """Facts one after the other, with numbers as a box gives them."""

    box: str = BOX
    epoch: int = EPOCH
    boot: int = 1
    game: int = 1
    facts: list[Fact] = field(default_factory=list)

    def write(
        self, kind: int, at: int, move: int, seat: int = k.NOBODY, code: int = 0, a: int = 0, b: int = 0, c: int = 0
    ) -> Fact:
        """The next fact, of the game that is on."""
        seq = len(self.facts) + 1
        fact = Fact(self.box, self.epoch, seq, self.boot, at, kind, self.game, move, seat, code, a, b, c)
        self.facts.append(fact)
        return fact

    def play(self, seat: int, move: int, start: int, elapsed: int, how: int, drawn: int = 0, bank: int = 50) -> Fact:
        """One ordinary move; returns the fact that it ended."""
        self.write(k.MOVE_STARTED, start, move, seat, a=40_000, c=bank)
        return self.write(k.MOVE_ENDED, start + elapsed, move, seat, how, elapsed, drawn, bank - drawn)

    def time_out(self, seat: int, move: int, start: int, drawn: int = 0, bank: int = 50) -> Fact:
        """A move that ran out of time; returns the fact that says so."""
        self.write(k.MOVE_STARTED, start, move, seat, a=40_000, c=bank)
        late = self.write(k.TIME_RAN_OUT, start + 40_000, move, seat, a=40_000, b=drawn, c=bank)
        self.write(k.MOVE_ENDED, start + 40_000, move, seat, k.BY_TIMEOUT, 40_000, drawn, bank)
        return late


class PlayedTable:
    """A table on the firmware's clock: press, order, cut the power; `facts` is what its journal then holds."""

    def __init__(self, settings: rules.Settings, *, kostka: bool = True, shared: bool = False, box: str = BOX) -> None:
        self.clock = Clock(settings, kostka, shared)
        self.facts: list[Fact] = []
        self.box = box
        self.boot = 1
        self.now = 0
        self.clock.emit(k.BOOTED, 0, k.POWER_ON, 1)
        self.clock.prepare(0, 1, settings.first, k.DESK)
        self._write()

    def wait(self, ms: int) -> None:
        """Time passes; what falls due happens at its instant."""
        self.now += ms
        while (due := self.clock.deadline()) is not None and due <= self.now:
            self.clock.expire(due)
        self._write()

    def press(self, contact: int, held: bool = False) -> None:
        """A decided press, as the debouncing hands it over: a hold only where it means something."""
        self.clock.press(contact, held and self.clock.hold_ms(contact) > 0, self.now)
        self._write()

    def order(self, command: int, *arguments: int | rules.Settings) -> int:
        """A command of the desk; 0 or why it is refused."""
        why = self.clock.order(command, self.now, arguments)
        kind = k.COMMAND_REFUSED if why else k.COMMAND_APPLIED
        self.clock.emit(kind, self.now, command, len(self.facts), 0, why)
        self._write()
        return why

    def cut_power(self, since_checkpoint: int = 0) -> None:
        """The box restarts with what it had saved at its last fact or checkpoint."""
        at = max(self.now - since_checkpoint, self.facts[-1].uptime_ms)
        saved = self.clock.snapshot(at)
        self.clock = Clock(self.clock.settings, self.clock.kostka, self.clock.shared)
        assert self.clock.restore(saved, 0)
        self.boot += 1
        self.now = 0
        self.clock.emit(k.BOOTED, 0, k.POWER_ON, 1, 0, self.clock.bank)
        self.clock.lose_power(0)
        self._write()

    def _write(self) -> None:
        for kind, at, *rest in self.clock.facts:
            seq = len(self.facts) + 1
            self.facts.append(Fact(self.box, EPOCH, seq, self.boot, at & 0xFFFFFFFF, kind, *rest))
        self.clock.facts.clear()


def a_game(**changes: Any) -> BoxGame:
    """A box's first game, which goes on, unless told otherwise."""
    given: dict[str, Any] = {
        "box": BOX, "epoch": EPOCH, "game": 1, "dealt": 1, "begun": 2, "last": 90, "seats": "ABCD",
        "ended": None, "winner": None, "announced": {}, "in_time": frozenset(), "withdrawn": (), "bank": None,
        "reopened": 0, "takes_over": False, "moved": frozenset(),
    }  # fmt: skip
    return BoxGame(**(given | changes))


Step = tuple[int, str, int]  # ms before it, what is done, a number that the doing takes

GAPS = st.one_of(
    st.sampled_from([0, 1, 299, 300, 1_000, 2_000, 4_999, 10_000, 19_999, 20_000, 30_000]), st.integers(0, 25_000)
)
DOINGS = st.sampled_from(
    ["juz"] * 6 + ["dalej"] * 8 + ["kostka"] * 5 + ["next_juz", "next_dalej"] * 3
    + ["announce", "empty_rack", "sedzia", "hold_sedzia", "sedzia", "other"]
    + ["stop", "resume", "resume", "resume", "restart", "set_remaining", "give_time", "set_seat", "set_bank"]
    + ["withdraw", "deny", "final_lap", "reopen", "reopen", "redeal", "next_game", "next_game", "end_game", "cut_power"]
)  # fmt: skip
STEPS = st.lists(st.tuples(GAPS, DOINGS, st.integers(0, 7)), max_size=80)


@st.composite
def settings(draw: st.DrawFn) -> rules.Settings:
    """Settings of a table whose bank may soon be empty."""
    new = rules.Settings()
    new.limit_ms = draw(st.sampled_from([5_000, 20_000, 40_000]))
    new.seats = draw(st.sampled_from([0b1111, 0b0111, 0b1011, 0b0101]))
    new.first = draw(st.sampled_from([A, k.NOBODY]))
    new.draw = draw(st.sampled_from([rules.DRAW_OFF, rules.DRAW_FLAG, rules.DRAW_BLOCK]))
    new.on_expiry = draw(st.sampled_from([rules.HOLD_TABLE, rules.HOLD_TABLE, rules.ADVANCE]))
    new.on_bank_empty = draw(st.sampled_from([rules.FINAL_LAP, rules.PLAY_ON, rules.END_WITH_MOVE]))
    new.tiles = draw(st.sampled_from([106, 14 * rules.count(new.seats) + draw(st.integers(0, 6))]))
    return new


@st.composite
def played(draw: st.DrawFn, box: str = BOX) -> list[Fact]:
    """The journal of a table after whatever people did to it."""
    shared = draw(st.booleans())
    table = PlayedTable(draw(settings()), kostka=draw(st.booleans()), shared=shared, box=box)
    first = next(seat for seat in range(4) if table.clock.in_play(seat))
    for _ in range(2):  # names the starter if there is none yet, then starts
        table.wait(1_000)
        if table.clock.state == k.READY:
            table.press(2 * first)
    for gap, doing, number in draw(STEPS):
        table.wait(gap)
        do(table, doing, number)
    return table.facts


def do(table: PlayedTable, doing: str, number: int) -> None:
    """One thing that somebody does at a table."""
    clock = table.clock
    juz, dalej = (k.SHARED_JUZ, k.SHARED_DALEJ) if clock.shared else (2 * (clock.seat & 3), 2 * (clock.seat & 3) + 1)
    after = clock.next_seat() & 3 if clock.seat != k.NOBODY else 0
    presses: dict[str, tuple[int, bool]] = {
        "juz": (juz, False),
        "dalej": (dalej, False),
        "next_juz": (juz if clock.shared else 2 * after, False),
        "next_dalej": (dalej if clock.shared else 2 * after + 1, False),
        "announce": (dalej, True),
        "empty_rack": (juz, True),
        "kostka": (k.KOSTKA, False),
        "sedzia": (k.SEDZIA, False),
        "hold_sedzia": (k.SEDZIA, True),
        "other": (number, False),
    }
    orders: dict[str, Sequence[int]] = {
        "stop": (k.C_STOP, number & 3),
        "resume": (k.C_RESUME,),
        "restart": (k.C_RESTART_MOVE,),
        "set_remaining": (k.C_SET_REMAINING, number * 2_000),
        "give_time": (k.C_GIVE_TIME, number * 1_000),
        "set_seat": (k.C_SET_SEAT, number & 3),
        "set_bank": (k.C_SET_BANK, number),
        "withdraw": (k.C_WITHDRAW, number & 3),
        "deny": (k.C_DENY_CLAIM,),
        "final_lap": (k.C_FINAL_LAP, 1 + (number & 1)),
        "reopen": (k.C_REOPEN, number & 1),
        "redeal": (k.C_REDEAL,),
        "next_game": (k.C_NEXT_GAME,),
        "end_game": (k.C_END_GAME,),
    }
    if doing in presses:
        table.press(*presses[doing])
    elif doing == "cut_power":
        table.cut_power(number * 700)
    else:
        command, *arguments = orders[doing]
        table.order(command, *arguments)
