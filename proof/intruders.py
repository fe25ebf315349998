"""A stranger with everything but the secret, on the air: nothing that he says (`proof.intruderlore`) has any effect.

- As the desk, before a table that plays: beside it plays its twin, which no stranger has found, with the same people.
  After each attempt both boxes hold and show the same, and so do their desks.
- As a box, before a desk that knows the real one.
- Between the two while they are linked: frames are altered, put in, said again. Links may die of it and come again; in
  the end each fact is there once, as a witness beside the box has seen it written.

`proof.intruderdoors` goes on at servers, `proof.intruderpages` at pages.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

from dalej.link.session import REPEAT_COMMAND_MOST_MS, FactsArrived, Phase, StateHeard, Trusted
from dalej.simulator.box import Faults, SimRadio
from moveclock import facts as k
from moveclock import wire
from moveclock.peer import TRUSTED
from proof import intruderdoors
from proof.campaign import Outcome
from proof.intruderlore import BOXES, DESKS, Lore, Saying, conversation, flipped, forged, orders, tales
from proof.witness import Witness
from tests.link.rig import UID, Rig, Shelf

TABLES: Final = 20  # of each kind in a story
AT_A_BOX: Final = 75  # attempts at each of them
AT_A_DESK: Final = 250
MEDDLED: Final = 0.3  # of the frames between a box and its desk
CUT: Final = 0.01
RADIOS: Final = 6  # of one stranger: twice as many as a box has links
AS_THE_DESK: Final = "... on the air, as the desk"
AS_A_BOX: Final = "... on the air, as a box"
BETWEEN: Final = "... between a box and its desk"


# --- before a box -----


class Radio:
    """A stranger's link to a box."""

    def __init__(self, rig: Rig) -> None:
        self.heard: list[bytes] = []
        self._out: list[bytes] = []
        self._sim = rig.sim
        self._radio = SimRadio(rig.world, self, Random(1))
        self._radio.add(rig.sim)

    def say(self, frame: bytes) -> None:
        self._out.append(frame)
        self._radio.serve()

    def leave(self) -> None:
        self._radio.set_reach(UID, False)
        self._sim.radios.remove(self._radio)

    # What a radio asks of it

    def connected(self, uid: bytes, now_ms: int) -> None:
        """It says what it likes, when it likes."""

    disconnected = connected

    def receive(self, _uid: bytes, frame: bytes, _now_ms: int) -> None:
        self.heard.append(frame)

    def waiting(self) -> list[bytes]:
        return [UID]

    def frames(self, _uid: bytes) -> list[bytes]:
        said, self._out = self._out, []
        return said

    def wants_to_leave(self, _uid: bytes) -> bool:
        return False

    def next_timer(self) -> int | None:
        return None

    def handle_timer(self, now_ms: int) -> None:
        """There is none."""


class Twins:
    """A table and its twin. `desk_here`: both are linked to their desks meanwhile."""

    def __init__(self, lot: Random) -> None:
        seed = lot.randrange(1 << 30)
        self._lot = lot
        self._rig, self._lore = conversation(seed)
        self._twin, _ = conversation(seed)
        self._both = self._rig, self._twin
        if lot.random() < 0.5:
            for rig in self._both:
                rig.radio.set_reach(UID, False)

    def play(self, attempts: int) -> None:
        """Then the desk is there again, and hears of all that the table did."""
        lot = self._lot
        flood: list[Radio] = []
        for attempt in range(attempts):
            manner = lot.choice(DESKS)
            if lot.random() < 0.3:
                contact = lot.randrange(k.CONTACTS)
                for rig in self._both:
                    rig.tap(contact)
            radio = Radio(self._rig)
            self._say(manner(lot, self._lore), radio)
            self._expect_nothing(f"attempt {attempt} as the desk ({manner.__name__})")
            if lot.random() < 0.1 and len(flood) < RADIOS:
                flood.append(radio)
            else:
                radio.leave()
        self._rig.radio.set_reach(UID, True)
        self._rig.settle()  # with all of the flood's radios about
        assert self._rig.shelf.log() == self._rig.journal(), "the desk's log is not the box's journal"

    def _say(self, saying: Saying, radio: Radio) -> None:
        pause = self._lot.choice((0, 1, 5, 30))
        try:
            frame = next(saying)
            while True:
                radio.heard.clear()
                radio.say(frame)
                for rig in self._both:
                    rig.run(pause)
                told = {heard[0] for heard in radio.heard} - {wire.WELCOME, wire.REFUSED}
                assert not told, f"the box says {sorted(told)} to a stranger, after {frame.hex()}"
                frame = saying.send([*radio.heard])
        except StopIteration:
            return

    def _expect_nothing(self, what: str) -> None:
        for rig in self._both:
            rig.sim.pump()
        here, there = map(standing, self._both)
        changed = [name for name in here if here[name] != there[name]]
        assert not changed, f"{what} has changed {', '.join(changed)}: {here[changed[0]]}, not {there[changed[0]]}"


def standing(rig: Rig) -> Mapping[str, object]:
    """All that somebody without the secret must not change."""
    box = rig.sim.box
    assert box is not None
    journal = box.journal
    return {
        "epoch": journal.epoch, "acknowledged": journal.acked, "facts": rig.names(), "the journal": rig.journal(),
        "the clock": box.clock.snapshot(box.uptime.now), "settings": box.clock.settings.pack(),
        "stored settings": rig.sim.flash.read("settings"), "commands that wait": box.commands.due(),
        "links that are trusted": sum(peer.state == TRUSTED for peer in box.links.peers),
        "the desk's log": rig.shelf.log(),
    }  # fmt: skip


# --- before a desk -----


def before_a_desk(lot: Random, attempts: int) -> None:
    """It knows the box, with a gap or without one, and wants something of it. Afterwards the real one gets in."""
    rig, lore = conversation(lot.randrange(1 << 30))
    rig.radio.set_reach(UID, False)
    desk = Shelf(seed=lot.randrange(1 << 30))
    desk.contiguous = {lore.epoch: lot.randint(0, lore.head - 1)}
    desk.facts = {key: fact for key, fact in rig.shelf.facts.items() if key[1] != desk.contiguous[lore.epoch] + 1}
    desk.command(900, k.C_BLINK, now_ms=rig.world.now_ms)
    before = dict(desk.facts), dict(desk.contiguous)
    now = rig.world.now_ms
    for attempt in range(attempts):
        manner = lot.choice(BOXES)
        what = f"attempt {attempt} as a box ({manner.__name__})"
        desk.connected(UID, now)
        saying = manner(lot, lore.turned())
        try:
            frame = next(saying)
            while True:
                desk.receive(UID, frame, now)
                now += lot.choice((0, 1, 5, 500))
                desk.handle_timer(now)
                said = desk.frames(UID)
                assert {one[0] for one in said} <= {wire.HELLO, wire.AUTH}, f"{what}: the desk goes on with a stranger"
                frame = saying.send(said)
        except StopIteration:
            pass
        assert desk.session is None or desk.session.phase is not Phase.LIVE, f"{what}: the desk trusts it"
        desk.disconnected(UID, now)
        told = [one for one in desk.events if isinstance(one, Trusted | FactsArrived | StateHeard)]
        assert not told, f"{what}: the desk was told {told[0]}"
        assert (desk.facts, desk.contiguous) == before, f"{what} has changed what the desk holds"
    rig.run(max(0, now - rig.world.now_ms))
    SimRadio(rig.world, desk, Random(1)).add(rig.sim)
    rig.run(5_000)
    assert desk.log() == rig.journal(), "the desk's log is not the box's journal"
    assert rig.names().count("command_applied") == 2, "what the desk wanted has not been done, or twice"


# --- between both -----


class Middle:
    """Through whose hands all frames of one link go. `attempts`: how many were not as they had come."""

    def __init__(self, lot: Random) -> None:
        self.attempts = 0
        self._lot = lot
        _, self._lore = conversation(lot.randrange(1 << 30))
        self._rig = rig = Rig(seed=lot.randrange(1 << 30))
        self._witness = Witness(rig.sim)
        self._seen: dict[str, list[bytes]] = {"box": [], "desk": []}
        self._to_box, self._to_desk = rig.sim.receive, rig.shelf.receive
        rig.sim.receive = self._from_desk  # type: ignore[method-assign]  # whoever has the air has all of it
        rig.shelf.receive = self._from_box  # type: ignore[method-assign]  # likewise
        rig.radio.faults = Faults(cut=CUT)

    def play(self, moves: int) -> None:
        """Until nobody is there any more but the two: each fact is there once, and is the truth."""
        lot, rig = self._lot, self._rig
        rig.radio.cut(UID)
        rig.run(1_000)
        rig.configured()
        for number in range(2, 6):
            rig.moves(moves // 4, every_ms=lot.randint(1_000, 4_000))
            rig.order(number, k.C_BLINK)
        rig.sim.receive, rig.shelf.receive = self._to_box, self._to_desk  # type: ignore[method-assign]  # as it was
        rig.settle()
        rig.run(2 * REPEAT_COMMAND_MOST_MS)
        log = rig.shelf.log()
        assert log == rig.journal(), "the desk's log is not the box's journal"
        assert log == self._witness.facts(), "the desk's log is not what the box has written"
        assert not rig.shelf.conflicts, f"one number has two facts: {rig.shelf.conflicts[0]}"
        answered = Counter(fact.a for fact in log if fact.name in ("command_applied", "command_refused"))
        assert answered == Counter(range(1, 6)), f"commands were answered so often: {dict(answered)}"
        told = [state["uptime"] for state in rig.shelf.states()]
        assert told == sorted(told), "an old state was taken for a new one"

    def _from_desk(self, link: int, frame: bytes) -> None:
        self._pass("desk", self._lore.desk, frame, partial(self._to_box, link))

    def _from_box(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        self._pass("box", self._lore.box, frame, lambda one: self._to_desk(uid, one, now_ms))

    def _pass(self, end: str, lore: Sequence[bytes], frame: bytes, give: Callable[[bytes], None]) -> None:
        seen = self._seen[end]
        seen.append(frame)
        if self._lot.random() >= MEDDLED:
            give(frame)
            return
        for one in self._instead(end, lore, frame):
            self.attempts += one is not frame
            give(one)
            self._expect_all_kept(one)

    def _instead(self, end: str, lore: Sequence[bytes], frame: bytes) -> Iterator[bytes]:
        lot, seen = self._lot, self._seen
        counter = struct.unpack("<I", frame[1:5])[0] if frame[0] == wire.SEALED else 0
        bodies = orders(lot, self._now()) if end == "desk" else tales(lot, self._now())
        others = [
            flipped(lot, frame), forged(lot, lot.choice(bodies), counter + lot.randint(0, 3)), lot.choice(lore),
            lot.choice(seen[end]), lot.choice(seen["box" if end == "desk" else "desk"] or [frame]),
        ]  # fmt: skip
        beside = lot.sample(others, lot.randint(1, 3))
        if lot.random() < 0.8:
            beside.insert(lot.randint(0, len(beside)), frame)
        yield from beside

    def _now(self) -> Lore:
        """The journal as everybody can tell who has counted frames."""
        assert self._rig.sim.box is not None
        journal = self._rig.sim.box.journal
        return self._lore._replace(epoch=journal.epoch, head=journal.head)

    def _expect_all_kept(self, frame: bytes) -> None:
        box = self._rig.sim.box
        assert box is not None
        stored = self._rig.shelf.contiguous.get(box.journal.epoch, 0)
        assert box.journal.acked <= stored, (
            f"the box may forget {box.journal.acked} facts, and its desk holds {stored}, after {frame.hex()}"
        )


def on_the_air(seed: int) -> Counter[str]:
    """How many attempts of each kind; AssertionError if one of them had an effect."""
    lot = Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(TABLES):
        Twins(lot).play(AT_A_BOX)
        counts[AS_THE_DESK] += AT_A_BOX
        before_a_desk(lot, AT_A_DESK)
        counts[AS_A_BOX] += AT_A_DESK
        middle = Middle(lot)
        middle.play(40)
        counts[BETWEEN] += middle.attempts
    return counts


def with_all_but_the_secret(seed: int) -> Outcome:
    """On the air, and at servers."""
    counts = on_the_air(seed) + intruderdoors.at_servers(seed)
    return Outcome({"attempts": counts.total(), **counts})
