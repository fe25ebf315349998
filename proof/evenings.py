"""Evenings in simulated time in which all that may go wrong does: is every turn in the ledger once?

A table's truth is kept by a witness beside each box, who copies each record when the box has written it, out of reach
of whatever happens to flash, link and desk afterwards. At the end the event file is compared with that, entry by entry.

- Frames are lost (30 %), doubled, swapped, late; links break; boxes are out of reach.
- A box loses its power in the middle of any write: nothing of it is on flash, all of it, or any number of its bytes.
- The desk is a process of its own and killed with SIGKILL at any instant; the same laptop starts again, or a spare one
  with the file as it is, or with a copy that is minutes old. In every other evening no copy is put back, and a box lets
  go of each fact as soon as the desk has said that it is on its disk.
- A box breaks for good, and a spare one goes on with that game as far as the file tells it, or with the next one; what
  the broken one held is fetched at the end.
- Two of three rooms are heard by gateways alone, which are killed or cut off; boxes are carried from room to room.
- A centre is told now and then, over a network that fails as well, and in the end has what the file has.
"""

from __future__ import annotations

import signal
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

from dalej.clock import ManualClock
from dalej.desk.evening.meeting import Unended, unended
from dalej.domain.game.facts import Fact
from dalej.event import eventlog
from dalej.event.ledger import Draft, Ledger
from dalej.event.reading import read
from dalej.event.tables import Tables
from dalej.simulator.box import Faults, SimBox
from dalej.simulator.hall import all_assigned
from dalej.simulator.players import Habits, Players
from dalej.simulator.world import World
from moveclock import facts as k
from moveclock import upkeep
from moveclock.settings import Settings
from proof.building import FATES, ROOMS, Building, Centre, Whereabouts
from proof.campaign import Outcome
from proof.witness import LinkWitness, expect_sound, expect_turns
from tests.faults.dying import DONE, TORN, UNDONE, DyingFlash, PowerCut
from tests.faults.kill import LEASE_MS, Remote
from tests.memory import MEMORY
from tests.postgres import own_database

NOON: Final = 1_760_000_000_000
TABLES: Final = 6
SPARES: Final = 1
MOVES: Final = 200  # at each table
KILLS: Final = 5
SOON: Final = 0.2  # of desks are killed soon after they have begun
CALLS: Final = {True: (1, 300), False: (300, 9_000)}  # before that
SOONEST_S: Final = 0.000_05  # no call is over sooner
UNDATED: Final = 0.3  # of all facts at most: those of a boot that was over before the desk had met the box
GATHERED_MS: Final = 20  # before a desk commits what has come, as `dalej run` has it
CHANGES: Final = 400  # of a box's flash between two power cuts, about
LINKS_S: Final = 240  # between two times that a box is out of reach, about
TAKEN_OVER: Final = 0.7  # of broken boxes' games, if one is under way
CARRIED: Final = 0.2  # of these times it comes back in another room
TOLD_MS: Final = 600_000  # between two times that a centre is told
DRAIN_MS: Final = 900_000
QUIET_MS: Final = 2_000
STEP_MS: Final = 500
LONGEST_MS: Final = 40 * 3_600_000
COUNTED: Final = (
    "turns", "facts", "facts whose time is not known", "acknowledgements", "commands that boxes answered", "evenings",
    "hours at a table", "frames lost", "times out of reach",
    "facts that one notification each would not have brought", "turns that would lack something then",
    "power cuts", "... in the middle of a write", "facts that boxes have deleted since the desk has them",
    "spare boxes", "... that took over the game", "desks killed", "... while they worked at something",
    "... while they stored facts",
    "spare laptops", "times that an old copy of the event file was put back", "times carried into another room",
    "gateways killed", "gateways cut off", "times that a hall told its centre", "requests to the centre",
    *(f"requests to the centre, {fate}" for fate in FATES if fate), "entries at the centre",
    "entries kept apart there, of files that an old copy replaced",
)  # fmt: skip
"""In the order of the page."""
ROUGH: Final = Faults(loss=0.3, duplicate=0.1, reorder=0.1, cut=0.002, full=0.05, delay_ms=(5, 400))
WILD: Final = Habits(
    pace=0.2, early_click=0.15, forgets_the_tile=0.1, overtime=0.1, announces=0.1, disputes=0.08, stray=0.2
)


class TornFlash(DyingFlash):
    """Whose power goes again and again once it is `at_risk`, and within an append at any byte. `cuts`: how often."""

    def __init__(self, lot: Random) -> None:
        super().__init__()
        self.cuts = self.tears = 0
        self._lot = lot

    def at_risk(self, risk: bool) -> None:
        """From now on, or no longer."""
        self.dies_at = self.changes + 1 + int(self._lot.expovariate(1 / CHANGES)) if risk else 0
        self.how = self._lot.choice((UNDONE, DONE, TORN))

    def torn(self, size: int) -> int:
        self.tears += 1
        return self._lot.randrange(size + 1)

    def dies(self) -> None:
        self.cuts += 1
        self.at_risk(True)
        super().dies()


class Evening:
    """Six tables in three rooms, one box more, and one desk at a time; `centre`: who is told, if anybody is."""

    def __init__(self, folder: Path, seed: int, database: str = "") -> None:
        self.lot = Random(seed)
        self.clock = ManualClock(NOON)
        self.world = World(self.clock)
        self.file = folder / "evening.dalej"
        self.copy = folder / "copy.dalej"
        self.counts = Counter(dict.fromkeys(COUNTED, 0))
        self.boxes = [self._box() for _ in range(TABLES + SPARES)]
        self.whereabouts = Whereabouts({box.uid: number % ROOMS for number, box in enumerate(self.boxes)})
        self.centre = Centre(database, Random(seed), self.counts) if database else None
        self._bare = Random(seed)
        self.witnesses = {box.uid: self._witness(box) for box in self.boxes}
        self.players: dict[SimBox, Players] = {}
        self.killed = 0
        self.desk_id = 1
        self.put_back = 0
        self.lets_go = seed % 2 == 1
        self.done = False
        self.broken: SimBox | None = None
        self.stands = {box.uid: table for table, box in enumerate(self.boxes[:TABLES], start=1)}
        self._prepare()
        self.remote, self.radio = self._desk()
        for box in self.boxes[:TABLES]:
            self._play_on(box, 1, MOVES)
        self.world.at(self.lot.randint(600_000, 1_500_000), self._box_breaks)

    def _box(self) -> SimBox:
        lot = Random(self.lot.random())
        return SimBox(
            self.world, lot.randbytes(6), lot.randbytes(32), lot, ppm=lot.randint(-20, 20),
            raw_start=lot.randrange(1 << 30), flash=TornFlash(lot),
        )  # fmt: skip

    def _witness(self, box: SimBox) -> LinkWitness:
        return LinkWitness(box, partial(self._bare_arrives, box), partial(self._linked, box), self._on_disk)

    def _prepare(self) -> None:
        """The file says by which rules, and which box stands where."""
        with Ledger.create(self.file) as ledger:
            eventlog.choose_ruleset(ledger, "school-league", who="proof", when_ms=NOON)
            for box in self.boxes:
                box.power_on()
                self._flash(box).at_risk(True)
            drafts = [self._assigned(box) for box in self.boxes[:TABLES]]
            ledger.decide_together(drafts, who="proof", when_ms=NOON, why="the evening begins")

    def _assigned(self, box: SimBox) -> Draft:
        epoch, _ = next(iter(self.witnesses[box.uid].records))  # the box may have no power now
        return all_assigned(self.stands[box.uid], box.uid.hex(), epoch)

    @staticmethod
    def _flash(box: SimBox) -> TornFlash:
        assert isinstance(box.flash, TornFlash)
        return box.flash

    # --- the desk -----

    def _desk(self) -> tuple[Remote, Building]:
        boxes = [(box.uid, box.secret, self.stands.get(box.uid, TABLES + 1)) for box in self.boxes]
        seed = self.lot.randrange(1 << 30)
        remote = Remote(self.file, self.clock, boxes, self._laptop, self.desk_id, seed, GATHERED_MS)
        radio = Building(self.world, remote, Random(seed), ROUGH, self.whereabouts, self.counts)
        if self.killed < KILLS:
            soon = self.lot.random() < SOON
            at_call, storing = remote.calls + self.lot.randint(*CALLS[soon]), not soon and self.lot.random() < 0.5
            remote.before_answer = lambda: self._perhaps_kill(remote, at_call, storing)
        for box in self.boxes:
            self._guarded(partial(radio.add, box))
        return remote, radio

    @property
    def _laptop(self) -> str:
        return f"laptop {self.desk_id}"

    def _tell_the_centre(self) -> None:
        if self.centre is not None:
            self.centre.hears(self.file, self._laptop)

    def _bare_arrives(self, box: SimBox) -> bool:
        """Whether one notification of that box would reach a desk now, over the same radio."""
        if not self.world.now_ms:  # before the evening
            return True
        return self._linked(box) and self._bare.random() >= ROUGH.loss

    def _linked(self, box: SimBox) -> bool:
        return bool(self.world.now_ms) and not self.remote.dead and self.radio.connected(box.uid)

    def _on_disk(self, box: str, epoch: int) -> int:
        with Ledger.open(self.file, read_only=True) as ledger:
            return ledger.contiguous(box, epoch)

    def _perhaps_kill(self, remote: Remote, at_call: int, storing: bool) -> None:
        """In that call, or in the first one after it in which the desk stores what has come."""
        if remote.calls < at_call or self.done or (storing and not remote.stores):
            return
        self.killed += 1
        self.counts["desks killed"] += 1
        at_s = perf_counter() + self.lot.expovariate(1 / max(remote.takes_s[remote.stores], SOONEST_S))
        while perf_counter() < at_s:  # too short a while to sleep
            pass
        at_work = not remote.has_answered()
        self.counts["... while they worked at something"] += at_work
        self.counts["... while they stored facts"] += at_work and remote.stores
        remote.kill()

    def _desk_is_gone(self) -> None:
        """Another one begins where, and with what file, as it comes."""
        ended = self.remote.process.returncode
        assert ended == -signal.SIGKILL, f"the desk has ended by itself, with {ended}"
        self.radio.abandon()
        self.counts["frames lost"] += self.radio.lost_frames
        if self.lot.random() < 0.5:
            self._tell_the_centre()
        over = self.world.now_ms + LEASE_MS + 100
        while self.world.now_ms < over:  # whatever loses its power meanwhile
            self._guarded(lambda: self.world.run_until(over))
        how = self.lot.choice(("same", "same", "spare", "spare" if self.lets_go else "copy"))
        if how != "same":
            self.desk_id += 1
            self.counts["spare laptops"] += 1
        if how == "copy" and self.copy.exists():
            for path in self.file.parent.glob(f"{self.file.name}*"):
                path.unlink()
            Ledger.restore(self.copy, self.file)
            self.put_back += 1
            if self.broken is not None:
                self._decide_on_the_spare_box()
        elif self.lot.random() < 0.5 and self.file.exists() and self.file.stat().st_size:
            self.copy.unlink(missing_ok=True)
            with Ledger.open(self.file) as ledger:
                ledger.backup(self.copy)
        self.remote, self.radio = self._desk()

    def _ask(self, box: SimBox, command: str, args: dict[str, int | str]) -> bool:
        if self.remote.dead or not self.radio.believes_in(box.uid):
            return False
        self.witnesses[box.uid].asked.append((command, args))
        self.remote.ask(box.uid, command, args)
        self.radio.serve()
        return True

    # --- boxes and people -----

    def _play_on(self, box: SimBox, game: int, moves: int, at: Unended | None = None) -> None:
        """`at`: where that game stands, which another box began."""
        lot = Random(self.lot.random())
        settings = Settings()
        settings.limit_ms = lot.choice((40_000, 60_000))
        players = self.players[box] = Players(
            self.world, box, lot, lambda command, args: self._ask(box, command, args), moves, WILD
        )

        def set_up() -> None:
            state = k.IDLE if box.box is None else box.box.clock.state
            if state == k.IDLE:
                self._ask(box, "configure", {"game": game, "settings": settings.pack().hex()})
            elif at is None or state != k.READY:
                players.sit_down()
                return
            else:
                self._ask(box, "take_over", at.arguments())
            self.world.after(1_000, set_up)

        def carry_away() -> None:
            if self.done or box is self.broken:
                return
            self.counts["times out of reach"] += self.radio.connected(box.uid)
            self.radio.set_reach(box.uid, False)
            self.world.after(lot.randint(1_000, 120_000), bring_back)

        def bring_back() -> None:
            if lot.random() < CARRIED:
                self.radio.carry(box.uid)
            else:
                self.radio.set_reach(box.uid, True)
            self.world.after(int(lot.expovariate(1 / (LINKS_S * 1_000))), carry_away)

        self._switch_on(box)
        self.world.after(100, set_up)
        self.world.after(int(lot.expovariate(1 / (LINKS_S * 1_000))), carry_away)

    def _switch_on(self, box: SimBox) -> None:
        if box.box is None:
            self._guarded(box.power_on)

    def _box_breaks(self) -> None:
        """Its players go on with the spare one: with that game, if the file knows of one under way, or the next."""
        broken, spare = self.lot.choice(self.boxes[:TABLES]), self.boxes[TABLES]
        players = self.players.pop(broken)
        players.lift_hands()
        players.gone_home = True
        broken.power_off()
        self.broken = broken
        self.stands[spare.uid] = self.stands[broken.uid]
        self.remote.know(spare.uid, spare.secret, self.stands[spare.uid])
        self._decide_on_the_spare_box()
        told = self._on_file(broken)
        at = unended(told, None) if self.lot.random() < TAKEN_OVER else None
        self.counts["spare boxes"] += 1
        self.counts["... that took over the game"] += at is not None
        game = 1 + max((fact.game for fact in told), default=0) if at is None else at.game
        self._play_on(spare, game, max(20, MOVES - players.moves), at)

    def _decide_on_the_spare_box(self) -> None:
        """It stands where the broken one stood."""
        spare = self._assigned(self.boxes[TABLES])
        with Ledger.open(self.file) as ledger:
            ledger.decide_together([spare], who="proof", when_ms=self.clock.wall_ms(), why="a box is broken")

    def _on_file(self, box: SimBox) -> Sequence[Fact]:
        """What the file has of it by now."""
        with Ledger.open(self.file, read_only=True) as ledger:
            journal = read(ledger).fold(Tables).latest(box.uid.hex())
            return [] if journal is None else [one.fact for one in journal.facts]

    # --- time -----

    def _guarded(self, action: Any) -> None:
        try:
            action()
        except PowerCut as cut:
            (box,) = (box for box in self.boxes if box.flash is cut.flash)
            box.power_off()
            self.world.after(self.lot.randint(300, 20_000), lambda: self._back(box))

    def _back(self, box: SimBox) -> None:
        if box.box is None and (box in self.players or self.done):
            box.power_on()

    def _run(self, ms: int) -> None:
        end = self.world.now_ms + ms
        while self.world.now_ms < end:
            self._guarded(lambda: self.world.run_until(end))
            if self.remote.dead and not self.done:
                return

    def play(self) -> None:
        """Until everybody has gone home and the desk knows everything."""
        told_ms = 0
        while self.broken is None or not all(each.gone_home or each.resting for each in self.players.values()):
            assert self.world.now_ms < LONGEST_MS, f"a table is stuck: {self._at_work()}"
            self._run(1_000)
            if self.remote.dead:
                self._desk_is_gone()
            elif self.world.now_ms >= told_ms + TOLD_MS:
                told_ms = self.world.now_ms
                self._tell_the_centre()
        self.done = True
        for box in self.boxes:
            self._flash(box).at_risk(False)
        if self.remote.dead:
            self._desk_is_gone()
        self.radio.calm()
        for box in self.boxes:
            self.radio.set_reach(box.uid, True)
            self._switch_on(box)
        end = self.world.now_ms + DRAIN_MS
        quiet_ms = 0
        untold: list[SimBox] = []
        while quiet_ms < QUIET_MS:  # a box has something to tell now and then though nobody plays
            assert self.world.now_ms < end, f"{len(untold)} boxes, such as {untold[0].uid.hex()}, have more to tell"
            self._run(STEP_MS)
            untold = [box for box in self.boxes if not self._is_told_all(box)]
            quiet_ms = 0 if untold else quiet_ms + STEP_MS
        self.remote.end()
        self._tell_the_centre()

    def _is_told_all(self, box: SimBox) -> bool:
        """Also where the file is a copy that has not what the box has long told."""
        if box.box is None or not box.has_told_all():
            return False
        journal = box.box.journal
        return self._on_disk(box.uid.hex(), journal.epoch) >= journal.head

    def _at_work(self) -> str:
        """Whoever still plays, and how their box is."""
        at_work = [box for box, each in self.players.items() if not each.gone_home and not each.resting]
        states = ("no power" if box.box is None else f"state {box.box.clock.state}" for box in at_work)
        return ", ".join(f"box {box.uid.hex()}, {state}" for box, state in zip(at_work, states, strict=True))

    def judge(self) -> Outcome:
        """Entry by entry."""
        counts, witnesses = self.counts, self.witnesses.values()
        off_ms = Counter[int]()
        with Ledger.open(self.file) as ledger:
            ledger.expect_whole()
            reading = read(ledger)
            expect_sound(reading)
            assert (gaps := reading.gaps()) == [], f"the file says that facts are lost: {gaps[0]}"
            tables = reading.fold(Tables)
            unwritten = 0
            for box in self.boxes:
                witness = self.witnesses[box.uid]
                reported = [one for journal in tables.journals(witness.name) for one in journal.facts]
                counts["facts"] += witness.expect_facts(reported)
                off_ms.update(witness.expect_times(reported, NOON))
                asked = reading.asked(witness.name)
                unwritten += witness.unwritten(asked)
                counts["commands that boxes answered"] += witness.expect_answers(
                    reported, asked, whole=not self.put_back
                )
                counts["acknowledgements"] += witness.acknowledged
                counts["power cuts"] += self._flash(box).cuts
                counts["... in the middle of a write"] += self._flash(box).tears
                assert box.box is not None
                counts["facts that boxes have deleted since the desk has them"] += box.box.journal.oldest - 1
            assert self.put_back or unwritten <= self.killed, f"{unwritten} orders are no requests of the file"
            undated = len(reading.facts()) - off_ms.total()
            most = UNDATED * len(reading.facts())
            assert self.put_back or undated <= most, (
                f"of {undated} facts the file does not say when they were, expected {most:.0f} at most"
            )
            truth = [(witness, fact) for witness in witnesses for fact in witness.facts()]
            assert len(reading.facts()) == len(truth), (
                f"the file has {len(reading.facts())} facts, and boxes that there are have written {len(truth)}"
            )
            begun = (move for uid, table in self.stands.items() for move in self.witnesses[uid].moves(table))
            turns = eventlog.turns(reading)
            counts["turns"] += expect_turns(turns, begun)
            counts["facts that one notification each would not have brought"] += sum(
                len(witness.unheard) for witness in witnesses
            )
            unheard = {
                (fact.box, fact.game, fact.move)
                for witness, fact in truth
                if (fact.epoch, fact.seq) in witness.unheard and fact.move
            }
            played = {(seen.turn.box, seen.turn.game, seen.turn.move) for seen in turns}
            counts["turns that would lack something then"] += len(unheard & played)
        if self.centre is not None:
            self.centre.expect(self.file, self.put_back)
        counts["times that an old copy of the event file was put back"] += self.put_back
        counts["evenings"] += 1
        counts["hours at a table"] += TABLES * self.world.now_ms // 3_600_000
        counts["frames lost"] += self.radio.lost_frames
        counts["facts whose time is not known"] += undated
        assert counts.keys() == {*COUNTED}, f"no row for {counts.keys() - {*COUNTED}}"
        return Outcome(counts, {"ms by which the file is wrong about when a fact was": max(off_ms)})


def play(seed: int) -> Outcome:
    """One evening. Where there is no PostgreSQL there is no centre."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="proof-", dir=MEMORY))
        database = stack.enter_context(own_database("centre"))
        evening = Evening(Path(folder), seed, database)
        if evening.lets_go:
            stack.enter_context(patch.object(upkeep, "KEEP", 0))
        if evening.centre is not None:
            stack.enter_context(closing(evening.centre))
        try:
            evening.play()
        except BaseException:
            with suppress(OSError):
                evening.remote.kill()
            raise
        return evening.judge()
