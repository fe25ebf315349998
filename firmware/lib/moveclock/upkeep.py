"""Keeping a box's facts: when flash is written, what a checkpoint is, and what happens when flash fails.

Nothing is written in the last 300 ms before a deadline of the clock. In an erase a press is not seen for 170 ms and
more: if what is written in a move might come upon one, it is had in the guard time after the press that begins the
move, from when that button is down on: no other press counts then, so none is there to be dated wrong. Should that time
not do, a checkpoint that is known to be near an erase is left out rather than written where people press.
While flash fails the game goes on; facts wait in memory, and what memory cannot hold is given up and said so.
"""

from moveclock import facts as k
from moveclock.clock import Clock
from moveclock.debounce import Contacts
from moveclock.journal import BATCH, Journal
from moveclock.links import Links
from moveclock.segments import Flash

KEEP = 4096  # facts kept on flash after they are acknowledged
CHECKPOINT_MS = 5000
RETRY_MS = 2000
_TIDY_MS = 50
_BRIEF_MS = 500  # from then on in a move anybody may press, and facts are written in the shortest way
_CLICK_MS = 40  # of a press: its lamps and its click come first
_AT_ONCE = 4  # rewrites of the head in one turn
_DONE_MS = 200  # after the guard time, if the next one may erase: better now than where people do press
_MORE = 2  # writes of the head in a move besides its checkpoints: a tile is taken, a stray tap
_FORESEEN = 16  # half a block, or else there would be an erase every other move
_KEEP_STATE_MS = 100
_FACTS_IN_RAM = 64
_SHOWN_MS = 5000
_SAME_FAULT_MS = 10000


class Board:
    """What a box asks of its board besides flash: memory that a watchdog reset leaves intact, and randomness."""

    def load(self) -> bytes:
        """What `save` kept; anything, or nothing, after a power cut."""
        raise NotImplementedError  # to keep nothing is a board's own choice, and must be written down there

    def save(self, data: bytes) -> None:
        """Keep up to 100 bytes through a reset; takes microseconds."""
        raise NotImplementedError  # the same

    def random(self, count: int) -> bytes:
        """Unpredictable bytes; asked only after the radio is on."""
        raise NotImplementedError  # a nonce that can be guessed lets a recorded session be replayed


class Faults:
    """Numbered faults: each is a fact, at most one of a kind in 10 s, and shows on the displays for 5 s."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: dict = {}
        self._shown = (0, 0)

    def report(self, code: int, detail: int, now: int) -> None:
        if code in self._last and now - self._last[code] < _SAME_FAULT_MS:
            return
        self._last[code] = now
        self.show(code, now)
        self._clock.emit(k.FAULT, now, code, detail & 0xFFFFFFFF)

    def show(self, code: int, now: int) -> None:
        self._shown = (code, now + _SHOWN_MS)

    def shown(self, now: int) -> int:
        """The number that the displays show at `now`, 0 for none."""
        code, until = self._shown
        return code if now < until else 0


class Upkeep:
    """All writing to flash and to the memory that survives a reset. `settings`: a table's new settings, to be kept.

    While `mounted` is False the journal could not be read: nothing is written before it could, because what lies there
    would be overwritten.
    """

    def __init__(
        self,
        flash: Flash,
        board: Board,
        journal: Journal,
        clock: Clock,
        contacts: Contacts,
        links: Links,
        faults: Faults,
    ) -> None:
        self.settings: bytes | None = None
        self.mounted = True
        self._flash = flash
        self._board = board
        self._journal = journal
        self._clock = clock
        self._contacts = contacts
        self._links = links
        self._faults = faults
        self._saved_at = 0
        self._kept_at = 0
        self._not_before = 0  # after a failed write
        self._failing = False
        self._given_up = 0  # facts that no longer fitted into memory while flash failed
        self._batch = BATCH
        self._tidying = False
        self._tidied = -1

    def waits(self) -> bool:
        """Whether something is to be written."""
        waits = bool(self._clock.facts) or self.settings is not None or self._links.newcomer is not None
        return waits or not self.mounted

    def work(self, now: int) -> None:
        """Write what is due, unless a deadline is near."""
        if not self._clock.may_stall(now) or now < self._not_before:
            return
        try:
            self._work(now)
        except OSError:
            self._failed(now)
        except Exception:
            self._spoilt(now)

    def keep_state(self, now: int) -> None:
        """Keep a running clock through a reset, at most ten times a second."""
        if now - self._kept_at >= _KEEP_STATE_MS and self._clock.state in (k.RUNNING, k.EXPIRED):
            self._keep_state(now)

    def due_at(self, now: int, held_until: int | None) -> int | None:
        """When `work` is next needed. `held_until`: when the press is decided that holds up a limit."""
        clock = self._clock
        if self.waits():
            if self._not_before > now:
                return self._not_before
            limit = clock.deadline()
            if limit is None or clock.may_stall(now):
                return now
            return limit if limit > now else held_until or now
        if self._tidying and clock.state not in (k.RUNNING, k.EXPIRED):
            return max(now + _TIDY_MS, self._not_before)
        at = self._erases_at(now)
        if at is None:
            at = self._checkpoint_at()
            return at if at is None or at > now else None
        return at

    def _work(self, now: int) -> None:
        clock, journal, links = self._clock, self._journal, self._links
        if not self.mounted:
            journal.mount()
            self.mounted = True
            return
        checkpoint_at = self._checkpoint_at()
        if self.settings is not None:
            self._flash.write("settings", self.settings)
            self.settings = None
        if links.newcomer is not None:
            if links.overtaken(now):
                journal.new_epoch(new_epoch(self._board))
                self._faults.report(k.E_NEW_EPOCH, 0, now)
            links.renewed(now)
        if clock.facts:
            self._commit(now)
        elif checkpoint_at is not None and now >= checkpoint_at:
            journal.checkpoint(clock.snapshot(now))
            self._saved_at = now
            self._keep_state(now)
        elif self._erases_at(now) == now:
            for _ in range(_AT_ONCE):
                if self._erases_at(now) == now:
                    journal.checkpoint(journal.snapshot)
        elif clock.state not in (k.RUNNING, k.EXPIRED) and (
            self._tidying or self._tidied != journal.head + journal.acked
        ):
            self._tidied = journal.head + journal.acked
            self._tidying = journal.compact(KEEP) or journal.prepare()
        self._failing = False

    def _commit(self, now: int) -> None:
        clock, journal = self._clock, self._journal
        if journal.full:
            lost = journal.make_room()
            if lost is not None:
                self.lost(lost, now)
                self._faults.report(k.E_JOURNAL_FULL, 0, now)
        batch = clock.facts[: self._batch]
        journal.commit(batch, clock.snapshot(now), clock.state == k.RUNNING and now - clock.began_at >= _BRIEF_MS)
        del clock.facts[: len(batch)]
        self._batch = BATCH
        self._saved_at = now
        if self._given_up:
            clock.emit(k.FAULT, now, k.E_FLASH_WRITE, self._given_up)
            self._given_up = 0
        self._keep_state(now)
        self._links.face_wanted = True

    def lost(self, span: tuple | None, now: int) -> None:
        """Records from..to are gone before a desk had them: that is a fact, too."""
        if span is not None:
            self._clock.emit(k.RECORDS_LOST, now, 0, span[0], span[1])

    def _keep_state(self, now: int) -> None:
        """The state that goes with the journal's head, for a reset that leaves memory intact."""
        if not self._clock.facts:
            self._board.save(self._journal.rtc_pack(self._clock.snapshot(now)))
            self._kept_at = now

    def _failed(self, now: int) -> None:
        facts = self._clock.facts
        self._not_before = now + RETRY_MS
        code = k.E_FLASH_WRITE if self.mounted else k.E_FLASH_MOUNT
        if not self._failing:
            self._failing = True
            self._faults.report(code, 0, now)
        self._faults.show(code, now)
        extra = len(facts) - _FACTS_IN_RAM
        if extra > 0:
            del facts[_FACTS_IN_RAM // 2 : _FACTS_IN_RAM // 2 + extra]
            self._given_up += extra

    def _spoilt(self, now: int) -> None:
        """A fact that cannot be written down must not hold up the others: tried one by one, it is given up."""
        facts = self._clock.facts
        self._not_before = now + RETRY_MS
        if self._batch == 1 and facts:
            facts.pop(0)
            self._given_up += 1
        self._batch = 1
        self._faults.report(k.E_TICK_HANDLER, self._clock.state, now)

    def _checkpoint_at(self) -> int | None:
        """When the remaining time is next written down: while it runs, undisturbed, with over 1 s to go."""
        clock = self._clock
        if clock.state != k.RUNNING or self._contacts.any_down() or self._journal.worn(1, True):
            return None
        at = max(self._saved_at + CHECKPOINT_MS, self._not_before)
        due = clock.deadline()
        return None if due is None or due - at <= 1000 else at

    def _erases_at(self, now: int) -> int | None:
        """From when on to rewrite the head until it erases, if a checkpoint of this move or the next might."""
        clock, queue = self._clock, self._contacts.queue
        due = clock.deadline()
        if clock.state != k.RUNNING or due is None or due - now <= 1000:
            return None
        turned = clock.turned_at(queue[0].contact, queue[0].down) if queue else clock.began_at
        checkpoints = min(clock.settings.limit_ms // CHECKPOINT_MS + _MORE, _FORESEEN)
        over = turned + clock.guard_ms()
        if now >= over:
            checkpoints = 1
            over += _DONE_MS
        if now >= over or not self._journal.worn(checkpoints):
            return None
        return max(now, turned + _CLICK_MS, self._not_before)


def new_epoch(board: Board) -> int:
    """A random u32 for a new stream."""
    data = board.random(4)
    return data[0] | data[1] << 8 | data[2] << 16 | data[3] << 24
