"""A whole box minus its hardware: stamped edges, frames and ticks in; frames, a view and the next wake-up out.

The edge around it is a pump that must keep one order, so that latency never costs a player time: read the counter, hand over
every edge stamped so far, every frame, then `tick` with that reading, then `work` (the only call that may write flash), then
send what `send` gives. Inputs are merged into one line of time: a press counts at its down stamp, a limit at its instant, a
command at its arrival or its appointed uptime, and nothing is judged before everything stamped earlier is decided.

"""

from moveclock import advert, wire
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import Clock
from moveclock.debounce import HOLD, UNDECIDED, Contacts
from moveclock.desk_commands import Commands
from moveclock.journal import BATCH, Journal
from moveclock.links import Links
from moveclock.secure import NONCE, advert_key
from moveclock.segments import Flash
from moveclock.ticks import Uptime
from moveclock.view import CLICK, View, sound_of, view

FIRMWARE = 1
KEEP = 4096  # facts kept on flash after they are acknowledged
CHECKPOINT_MS = 5000
LONGEST_SLEEP_MS = 60000
FAULT_SHOWN_MS = 5000
LOW_BATTERY_MV = 3500
_FACTS_IN_RAM = 64
_RETRY_FLASH_MS = 2000
_TIDY_MS = 50


class Board:
    """What a box asks of its board besides flash: memory that a watchdog reset leaves intact, and randomness."""

    def load(self) -> bytes:
        """What `save` kept; anything, or nothing, after a power cut."""
        raise NotImplementedError

    def save(self, data: bytes) -> None:
        """Keep up to 100 bytes through a reset; takes microseconds."""
        raise NotImplementedError

    def random(self, count: int) -> bytes:
        """Unpredictable bytes; asked only after the radio is on."""
        raise NotImplementedError


class Box:
    """One box. `held`: contacts that are down at power-on; `reset`: why it started; `kostka`, `shared`: what it is built with."""

    def __init__(
        self,
        uid: bytes,
        secret: bytes,
        flash: Flash,
        board: Board,
        raw: int,
        *,
        kostka: bool = True,
        shared: bool = False,
        held: tuple = (),
        reset: int = k.POWER_ON,
    ) -> None:
        self.uid = uid
        self.battery_mv = 0
        self.sounds: list = []
        self.uptime = Uptime(raw)
        self._flash = flash
        self._board = board
        self._advert_key = advert_key(secret, uid)
        self._advert: tuple = ()
        self._contacts = Contacts(k.CONTACTS, held)
        self._done = 0  # everything up to this uptime is settled
        self._stall = (0, 0)
        self._fault = (0, 0)
        self._faults: dict = {}
        self._saved_at = 0
        self._flash_at = 0  # not before this, after a failed write
        self._battery_low = False
        self._tidying = False
        self.journal = Journal(flash, uid, self._new_epoch())
        self.journal.mount()
        stored = flash.read("settings")
        self.clock = Clock(_settings(stored), kostka, shared)
        self.commands = Commands(self.clock, self.journal)
        self.links = Links(uid, secret, self.journal, self.commands)
        self._boot(reset)

    def _boot(self, reset: int) -> None:
        journal, clock = self.journal, self.clock
        snapshot = journal.rtc_unpack(self._board.load()) or journal.snapshot
        damaged = bool(snapshot) and not clock.restore(snapshot, 0)
        clock.emit(k.BOOTED, 0, reset, FIRMWARE, 0, clock.bank)
        if journal.fresh and journal.boot > 1:
            self._report(k.E_NEW_EPOCH, 0)
        if journal.torn:
            self._report(k.E_TORN_RECORD, journal.torn)
        if damaged:
            self._report(k.E_CLOCK_RESTORED, 0)
        self._lost(journal.lost, 0)
        clock.lose_power(0)
        try:
            self._commit(0)
        except OSError:
            self._flash_failed(0)

    # --- what the pump hands over ----------------------------------------------------------------------------------

    def edge(self, contact: int, down: bool, raw: int) -> None:
        """A contact changed at the counter value `raw`, as its interrupt stamped it."""
        try:
            at = self.uptime.date(raw)
            if self._stall[0] < at <= self._stall[1] + 2:
                at = self._stall[0]
            if self._contacts.edge(contact, down, max(at, self._done)):
                self.sounds.append(CLICK)
        except Exception:
            self._report(k.E_EDGE_HANDLER, contact)

    def stalled(self, start: int, end: int) -> None:
        """Interrupts were late between these two counter values: a stamp from in there belongs to the start."""
        if self.uptime.date(end) - self.uptime.date(start) >= 2:
            self._stall = (self.uptime.date(start), self.uptime.date(end))

    def opened(self, link: int, mtu: int, raw: int) -> None:
        """A central connected; `mtu` as it was negotiated."""
        self.links.opened(link, mtu, self.uptime.advance(raw))

    def closed(self, link: int) -> None:
        """The link is gone."""
        self.links.closed(link)

    def receive(self, link: int, frame: bytes, raw: int) -> None:
        """Bytes that were written to the command characteristic. Whatever they are, the box goes on."""
        now = self.uptime.advance(raw)
        links = self.links
        try:
            links.receive(link, frame, self._board.random(NONCE), now)
            if links.newcomer is not None:
                self._renumber(now)
                links.serve(links.newcomer, now)
            if links.face_wanted:
                links.tell(self._face(now), now)
        except Exception:
            self._report(k.E_RECEIVE_HANDLER, frame[0] if frame else 0)

    def tick(self, raw: int) -> None:
        """Settle everything that is due at the counter value `raw`."""
        now = self.uptime.advance(raw)
        facts = self.clock.facts
        before = len(facts)
        try:
            self._settle(now)
        except Exception:
            self._report(k.E_TICK_HANDLER, self.clock.state)
        for place in range(before, len(facts)):
            sound = sound_of(facts[place][0])
            if sound:
                self.sounds.append(sound)
        self._done = now

    def work(self, raw: int) -> None:
        """Make facts durable and keep house, unless a limit is so near that a stall could cost a player time."""
        now = self.uptime.advance(raw)
        clock = self.clock
        if not clock.may_stall(now) or now < self._flash_at:
            return
        checkpoint_at = self._checkpoint_at()
        try:
            if clock.facts:
                self._commit(now)
            elif checkpoint_at is not None and now >= checkpoint_at:
                self.journal.checkpoint(clock.snapshot(now))
                self._saved_at = now
            elif clock.state not in (k.RUNNING, k.EXPIRED):
                self._tidying = self.journal.compact(KEEP)
        except OSError:
            self._flash_failed(now)

    def send(self, link: int, raw: int) -> bytes | None:
        """The next frame for a link, None if nothing is due; call again until None."""
        peer = self.links.peer(link)
        return None if peer is None else peer.frame(self.journal, self.uptime.advance(raw))

    def not_sent(self, link: int, raw: int) -> None:
        """The radio did not take the frame it was given."""
        peer = self.links.peer(link)
        if peer is not None:
            peer.back_off(self.uptime.advance(raw))

    def to_close(self, raw: int) -> list:
        """Links that the radio should close now."""
        now = self.uptime.advance(raw)
        return [peer.link for peer in self.links.peers if peer.is_over(now)]

    def battery(self, millivolts: int) -> None:
        """A reading of the battery; falling below the threshold is a fact, once."""
        self.battery_mv = millivolts
        low = millivolts < (LOW_BATTERY_MV + 100 if self._battery_low else LOW_BATTERY_MV)
        if low and not self._battery_low:
            self.clock.emit(k.BATTERY_LOW, self._done, 0, millivolts)
        self._battery_low = low

    # --- what the pump asks for --------------------------------------------------------------------------------------

    def wake_at(self) -> int:
        """Uptime in ms at which `tick` and `work` are next needed if nothing comes in."""
        head = self.journal.head
        at = self.uptime.now + (_TIDY_MS if self._tidying else LONGEST_SLEEP_MS)
        for candidate in (self._due_at(), self._contacts.stuck_at(), self._checkpoint_at(), self.clock.alert_at()):
            if candidate is not None and self.uptime.now < candidate < at:
                at = candidate
        if self.clock.facts:
            at = min(at, self._flash_at if self._flash_at > self.uptime.now else self._after_limit())
        for peer in self.links.peers:
            for candidate in (peer.due_at(head), peer.drop_at()):
                if candidate is not None:
                    at = min(at, candidate)
        return max(at, self.uptime.now)

    def settled(self) -> bool:
        """Whether no press is undecided, no command due, no countdown runs and every fact is on flash."""
        ordered = self.commands.due()
        waits = ordered is not None and ordered <= self.uptime.now
        return not (self._contacts.queue or waits or self.clock.resume_at is not None or self.clock.facts)

    def view(self, now: int) -> View:
        """What displays, ring and lamps show at uptime `now`."""
        code, until = self._fault
        return view(self.clock, now, code if now < until else 0, now < self.commands.blink_until)

    def advertisement(self) -> bytes:
        """The manufacturer data to advertise now; it changes only with head and alarm."""
        clock, journal = self.clock, self.journal
        alarm = clock.alarm(self.uptime.now)
        if self._advert[:2] != (journal.head, alarm):
            due = clock.watch.deadline
            left = clock.watch.remaining(self.uptime.now) if due is None else due
            face = (clock.state, clock.seat, alarm, left, self._battery())
            data = advert.pack(
                self._advert_key, self.uid, journal.epoch, journal.boot, journal.head, journal.backlog, face
            )
            self._advert = (journal.head, alarm, data)
        return bytes(self._advert[2])

    def info(self) -> bytes:
        """What anybody may read: protocol, uid, firmware, features (1 Kostka, 2 shared buttons), the MTU it needs."""
        features = int(self.clock.kostka) | int(self.clock.shared) << 1
        return bytes([wire.PROTOCOL]) + self.uid + bytes([FIRMWARE, features, wire.MTU_AT_LEAST])

    # --- one line of time --------------------------------------------------------------------------------------------

    def _settle(self, now: int) -> None:
        contacts, clock, commands = self._contacts, self.clock, self.commands
        while True:
            press = contacts.queue[0] if contacts.queue else None
            due = clock.deadline()
            ordered = commands.due()
            if press and (due is None or press.down < due) and (ordered is None or press.down <= ordered):
                decision = contacts.decide(now, clock.hold_ms(press.contact))
                if decision == UNDECIDED:
                    break
                if contacts.take() is not None:
                    clock.press(press.contact, decision == HOLD, press.down, self.links.desk(now) is not None)
            elif due is not None and due <= now and (ordered is None or due <= ordered):
                clock.expire(due)
            elif ordered is not None and ordered <= now:
                self._obey()
            else:
                break
        while True:
            contact = contacts.stuck(now)
            if contact is None:
                break
            self._report(k.E_STUCK + contact, contact)

    def _obey(self) -> None:
        settings = self.commands.obey()
        if settings is not None:
            try:
                self._flash.write("settings", settings)
            except OSError:
                self._flash_failed(self.uptime.now)

    def _due_at(self) -> int | None:
        """When `_settle` next has something to do."""
        contacts, clock = self._contacts, self.clock
        at = clock.deadline()
        ordered = self.commands.due()
        if ordered is not None and (at is None or ordered < at):
            at = ordered
        if contacts.queue:
            press = contacts.queue[0]
            if at is None or press.down < at:
                return contacts.decided_at(clock.hold_ms(press.contact))
        return at

    # --- flash -------------------------------------------------------------------------------------------------------

    def _commit(self, now: int) -> None:
        clock, journal = self.clock, self.journal
        if journal.full:
            self._lost(journal.make_room(), now)
            self._report(k.E_JOURNAL_FULL, 0)
        batch = clock.facts[:BATCH]
        journal.commit(batch, clock.snapshot(now))
        del clock.facts[: len(batch)]
        self._saved_at = now
        self._board.save(journal.rtc_pack(clock.snapshot(now)))
        self.links.tell(self._face(now), now)

    def _flash_failed(self, now: int) -> None:
        """The game goes on without flash; what no longer fits into memory is given up, and said so."""
        facts = self.clock.facts
        self._flash_at = now + _RETRY_FLASH_MS
        given_up = max(0, len(facts) - _FACTS_IN_RAM)
        del facts[_FACTS_IN_RAM // 2 : _FACTS_IN_RAM // 2 + given_up]
        self._report(k.E_FLASH_WRITE, given_up)

    def _renumber(self, now: int) -> None:
        """The desk knows a later seq than this journal: its numbers are taken, so a new stream begins."""
        self.journal.new_epoch(self._new_epoch())
        self._report(k.E_NEW_EPOCH, 0)
        self._commit(now)

    def _lost(self, span: tuple | None, now: int) -> None:
        if span is not None:
            self.clock.emit(k.RECORDS_LOST, now, 0, span[0], span[1])

    def _new_epoch(self) -> int:
        data = self._board.random(4)
        return data[0] | data[1] << 8 | data[2] << 16 | data[3] << 24

    def _checkpoint_at(self) -> int | None:
        """When the remaining time is next written down: while it runs, undisturbed, with over 1 s to go."""
        clock = self.clock
        if clock.state != k.RUNNING or self._contacts.any_down():
            return None
        at = max(self._saved_at + CHECKPOINT_MS, self._flash_at)
        due = clock.deadline()
        return None if due is None or due - at <= 1000 else at

    def _after_limit(self) -> int:
        due = self.clock.deadline()
        return self.uptime.now if due is None or self.clock.may_stall(self.uptime.now) else due

    # --- what a desk sees ----------------------------------------------------------------------------------------------

    def _face(self, now: int) -> bytes:
        clock, journal = self.clock, self.journal
        left = now - clock.expired_at if clock.state == k.EXPIRED else clock.watch.remaining(now)
        return wire.pack_state((
            clock.state, clock.seat, clock.game, clock.move, clock.bank, now & 0xFFFFFFFF, left, clock.alarm(now),
            clock.lap_reason, clock.reason, clock.out, self._battery(), self.commands.due() or 0, journal.epoch,
            journal.head,
        ))  # fmt: skip

    def _battery(self) -> int:
        """Battery in tenths of a volt, 0 if unknown."""
        return min(255, self.battery_mv // 100)

    def _report(self, code: int, detail: int) -> None:
        """A fault is a numbered fact, at most one of a kind in 10 s, and shows on the displays."""
        now = self.uptime.now
        if code in self._faults and now - self._faults[code] < 10000:
            return
        self._faults[code] = now
        self._fault = (code, now + FAULT_SHOWN_MS)
        self.clock.emit(k.FAULT, now, code, detail & 0xFFFFFFFF)


def _settings(stored: bytes | None) -> rules.Settings:
    if stored is None:
        return rules.Settings()
    try:
        return rules.unpack(stored)
    except wire.WireError:
        return rules.Settings()
