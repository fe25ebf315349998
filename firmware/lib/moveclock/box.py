"""A whole box minus its hardware: stamped edges, frames and ticks in; frames, a view and the next wake-up out.

The edge around it is a pump that must keep one order, so that latency never costs a player time: read the counter,
hand over every edge stamped so far, every frame, then `tick` with that reading, then `work` (the only call that may
write flash), then send what `send` gives. Inputs are merged into one line of time: a press counts at its down stamp, a
limit at its instant, a command at its arrival or its appointed uptime, and nothing is judged before everything stamped
earlier is decided.
"""

from moveclock import advert, wire
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import HELD_LONG, Clock
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
_KEEP_STATE_MS = 100
_SOUNDS_MOST = 8


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
    """One box. `held`: contacts down at power-on; `reset`: why it starts; `kostka`, `shared`: what it is built with."""

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
        self._done = 0  # the stamp of the last input that took effect: nothing may be dated before it
        self._stall = (0, 0)
        self._fault = (0, 0)
        self._faults: dict = {}
        self._saved_at = 0
        self._kept_at = 0
        self._flash_at = 0  # not before this, after a failed write
        self._failing = False
        self._given_up = 0  # facts that no longer fitted into memory while flash failed
        self._batch = BATCH
        self._unsaved: bytes | None = None  # settings that are not on flash yet
        self._battery_low = False
        self._tidying = False
        self._tidied = -1
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
        self.work(self.uptime.until(0))

    # --- what the pump hands over -----

    def edge(self, contact: int, down: bool, raw: int) -> None:
        """A contact changed at the counter value `raw`, as its interrupt stamped it."""
        try:
            at = self.uptime.date(raw)
            if self._stall[0] < at <= self._stall[1] + 2:
                pressed = self._contacts.pressed_at(contact)
                if down or pressed is None or pressed < self._stall[0]:  # a finger that came and went is no noise
                    at = self._stall[0]
            if self._contacts.edge(contact, down, max(at, self._done)):
                self._sound(CLICK)
        except Exception:
            self._report(k.E_EDGE_HANDLER, contact)

    def stalled(self, start: int, end: int) -> None:
        """Interrupts were late between these two counter values: a stamp from in there belongs to the start."""
        if self.uptime.date(end) - self.uptime.date(start) >= 2:
            self._stall = (self.uptime.date(start), self.uptime.date(end))

    def opened(self, link: int, mtu: int, raw: int) -> None:
        """A central connected; `mtu` as it is so far."""
        try:
            self.links.opened(link, mtu, self.uptime.advance(raw))
        except Exception:
            self._report(k.E_LINK_HANDLER, link)

    def negotiated(self, link: int, mtu: int) -> None:
        """The MTU of a link was agreed on."""
        peer = self.links.peer(link)
        if peer is not None:
            peer.resize(mtu)

    def closed(self, link: int) -> None:
        """The link is gone."""
        self.links.closed(link)

    def receive(self, link: int, frame: bytes, raw: int) -> None:
        """Bytes that were written to the command characteristic. Whatever they are, the box goes on."""
        now = self.uptime.advance(raw)
        links = self.links
        try:
            nonce = self._board.random(NONCE) if frame and frame[0] == wire.HELLO else b""
            links.receive(link, frame, nonce, now)
            if links.face_wanted or (links.pinged and self.clock.state in (k.RUNNING, k.EXPIRED)):
                self._tell(now)
            links.pinged = False
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
                self._sound(sound)
        if now - self._kept_at >= _KEEP_STATE_MS and self.clock.state in (k.RUNNING, k.EXPIRED) and not facts:
            self._keep_state(now)

    def work(self, raw: int) -> None:
        """Make facts durable and keep house, unless a limit is so near that a stall could cost a player time."""
        now = self.uptime.advance(raw)
        if not self.clock.may_stall(now) or now < self._flash_at:
            return
        try:
            self._work(now)
        except OSError:
            self._flash_failed(now)
        except Exception:
            self._spoilt(now)

    def send(self, link: int, raw: int) -> bytes | None:
        """The next frame for a link, None if nothing is due; call again until None."""
        now = self.uptime.advance(raw)
        peer = self.links.peer(link)
        if peer is None:
            return None
        try:
            return peer.frame(self.journal, now)
        except Exception:
            peer.hold(now + _RETRY_FLASH_MS)
            self._report(k.E_LINK_HANDLER, link)
            return None

    def not_sent(self, link: int, raw: int) -> None:
        """The radio did not take the frame it was given."""
        peer = self.links.peer(link)
        if peer is not None:
            peer.back_off(self.uptime.advance(raw))

    def to_close(self, raw: int) -> list:
        """Links that the radio should close now; one that is still open is named again a second later."""
        return self.links.to_close(self.uptime.advance(raw))

    def battery(self, millivolts: int) -> None:
        """A reading of the battery; falling below the threshold is a fact, once."""
        self.battery_mv = millivolts
        low = millivolts < (LOW_BATTERY_MV + 100 if self._battery_low else LOW_BATTERY_MV)
        if low and not self._battery_low:
            self.clock.emit(k.BATTERY_LOW, self.uptime.now, 0, millivolts)
        self._battery_low = low

    # --- what the pump asks for -----

    def wake_at(self) -> int:
        """Uptime in ms at which `tick` and `work` are next needed if nothing comes in."""
        now = self.uptime.now
        head = self.journal.head
        at = now + LONGEST_SLEEP_MS
        if self._tidying and self.clock.state not in (k.RUNNING, k.EXPIRED):
            at = max(now + _TIDY_MS, self._flash_at)
        for candidate in (self._due_at(), self._contacts.stuck_at(), self._checkpoint_at(), self.clock.alert_at()):
            if candidate is not None and now < candidate < at:
                at = candidate
        if self._has_work():
            at = min(at, self._flash_at if self._flash_at > now else self._after_limit())
        for peer in self.links.peers:
            due = peer.due_at(head)
            at = min(at, peer.drop_at if due is None else due, peer.drop_at)
        return max(at, now)

    def settled(self) -> bool:
        """Whether no press is undecided, no command due, no countdown runs and everything is on flash."""
        ordered = self.commands.due()
        waits = ordered is not None and ordered <= self.uptime.now
        return not (self._contacts.queue or waits or self.clock.resume_at is not None or self._has_work())

    def view(self, now: int) -> View:
        """What displays, ring and lamps show at uptime `now`."""
        code, until = self._fault
        queue, clock = self._contacts.queue, self.clock
        resume_at = None
        if queue and queue[0].contact == k.SEDZIA and queue[0].up is None and clock.hold_ms(k.SEDZIA) == HELD_LONG:
            resume_at = queue[0].down + clock.settings.countdown_ms  # 3 and 2 are shown while it is held
        return view(clock, now, code if now < until else 0, now < self.commands.blink_until, resume_at)

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

    # --- one line of time -----

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
                    self._done = press.down
                    clock.press(press.contact, decision == HOLD, press.down, self.links.desk(now) is not None)
            elif due is not None and due <= now and (ordered is None or due <= ordered):
                self._done = due
                clock.expire(due)
            elif ordered is not None and ordered <= now:
                self._done = ordered
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
            self._unsaved = settings

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

    # --- flash -----

    def _has_work(self) -> bool:
        """Whether something waits to be written to flash."""
        return bool(self.clock.facts) or self._unsaved is not None or self.links.newcomer is not None

    def _work(self, now: int) -> None:
        clock, journal, links = self.clock, self.journal, self.links
        checkpoint_at = self._checkpoint_at()
        if self._unsaved is not None:
            self._flash.write("settings", self._unsaved)
            self._unsaved = None
        if links.newcomer is not None:
            if links.overtaken(now):
                journal.new_epoch(self._new_epoch())
                self._report(k.E_NEW_EPOCH, 0)
            links.renewed(now)
        if clock.facts:
            self._commit(now)
        elif checkpoint_at is not None and now >= checkpoint_at:
            journal.checkpoint(clock.snapshot(now))
            self._saved_at = now
            self._keep_state(now)
        elif clock.state not in (k.RUNNING, k.EXPIRED) and (
            self._tidying or self._tidied != journal.head + journal.acked
        ):
            self._tidied = journal.head + journal.acked
            self._tidying = journal.compact(KEEP)
        self._failing = False
        if links.face_wanted:
            self._tell(now)

    def _commit(self, now: int) -> None:
        clock, journal = self.clock, self.journal
        if journal.full:
            lost = journal.make_room()
            if lost is not None:
                self._lost(lost, now)
                self._report(k.E_JOURNAL_FULL, 0)
        snapshot = clock.snapshot(now)
        batch = clock.facts[: self._batch]
        journal.commit(batch, snapshot)
        del clock.facts[: len(batch)]
        self._batch = BATCH
        self._saved_at = now
        if self._given_up:
            clock.emit(k.FAULT, now, k.E_FLASH_WRITE, self._given_up)
            self._given_up = 0
        self._keep_state(now)
        self._tell(now)

    def _keep_state(self, now: int) -> None:
        """The state that goes with the journal's head, for a reset that leaves memory intact."""
        if not self.clock.facts:
            self._board.save(self.journal.rtc_pack(self.clock.snapshot(now)))
            self._kept_at = now

    def _flash_failed(self, now: int) -> None:
        """The game goes on without flash; what memory cannot hold is given up, and said so when flash is back."""
        facts = self.clock.facts
        self._flash_at = now + _RETRY_FLASH_MS
        if not self._failing:
            self._failing = True
            self._report(k.E_FLASH_WRITE, 0)
        self._fault = (k.E_FLASH_WRITE, now + FAULT_SHOWN_MS)
        extra = len(facts) - _FACTS_IN_RAM
        if extra > 0:
            del facts[_FACTS_IN_RAM // 2 : _FACTS_IN_RAM // 2 + extra]
            self._given_up += extra

    def _spoilt(self, now: int) -> None:
        """A fact that cannot be written down must not hold up the others: they are tried one by one, it is given up."""
        facts = self.clock.facts
        self._flash_at = now + _RETRY_FLASH_MS
        if self._batch == 1 and facts:
            facts.pop(0)
            self._given_up += 1
        self._batch = 1
        self._report(k.E_TICK_HANDLER, self.clock.state)

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
        """When waiting facts may be written: now, or at the limit, or once the press is decided that holds it up."""
        now = self.uptime.now
        due = self.clock.deadline()
        if due is None or self.clock.may_stall(now):
            return now
        return due if due > now else self._due_at() or now

    # --- what a desk sees -----

    def _tell(self, now: int) -> None:
        self.links.face_wanted = False
        desk = self.links.desk(now)
        if desk is not None:
            desk.tell(self._face(now))

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

    def _sound(self, sound: int) -> None:
        if len(self.sounds) < _SOUNDS_MOST:
            self.sounds.append(sound)

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
