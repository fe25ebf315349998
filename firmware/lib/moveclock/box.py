"""A whole box minus its hardware: stamped edges, frames and ticks in; frames, a view and the next wake-up out.

The edge around it is a pump that must keep one order, so that latency never costs a player time: read the counter,
hand over every edge stamped so far, every frame, then `tick` with that reading, then `work` (the only call that may
write flash), then send what `send` gives. Inputs are merged into one line of time:
a press counts at its down stamp, a limit at its instant, a command at its arrival or its appointed uptime, and
nothing is judged before everything stamped earlier is decided.

While flash, the radio, a bus or a collection keeps the interpreter, no interrupt's handler runs: what happened in such
a call is stamped at its end. The pump tells `stalled` of each, when it is over: a press from in there is known to lie
between the call's two ends, and `Clock.dated` says which instant counts.
"""

from moveclock import advert, wire
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import HELD_LONG, Clock
from moveclock.debounce import HOLD, UNDECIDED, Contacts
from moveclock.desk_commands import Commands
from moveclock.journal import Journal
from moveclock.links import Links
from moveclock.secure import NONCE, advert_key
from moveclock.segments import Flash
from moveclock.ticks import Uptime
from moveclock.upkeep import RETRY_MS, Board, Faults, Upkeep, new_epoch
from moveclock.view import CLICK, View, sound_of, view

FIRMWARE = 1
LONGEST_SLEEP_MS = 60000
LOW_BATTERY_MV = 3800  # of 5 V: below it a flat box's chip has less than its 3.3 V (hardware/README.md, "Power")
_SOUNDS_MOST = 8
_STALL_MS = 2
_LATE_MS = 2  # in which the handlers that waited have run
_STALLS_MOST = 64  # in one turn of the pump


class Box:
    """One box. `held`: contacts down at power-on; `reset`: why it starts; `kostka`, `shared`: what it is built with.

    `anew`: its table was just set up in set-up mode, which begins a game and ends one that was under way.
    """

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
        anew: bool = False,
    ) -> None:
        self.uid = uid
        self.battery_mv = 0
        self.sounds: list = []
        self.uptime = Uptime(raw)
        self._board = board
        self._advert_key = advert_key(secret, uid)
        self._advert: tuple = ()
        self._contacts = Contacts(k.CONTACTS, held)
        self._done = 0  # the stamp of the last input that took effect: nothing may be dated before it
        self._stalls: list = []  # (start, end) of calls since the last tick
        self._battery_low = False
        self.journal = Journal(flash, uid, new_epoch(board))
        self._flash = flash
        self._reset = reset
        self._anew = anew
        mounted = self._mounted()
        self.clock = Clock(self._settings() if mounted else rules.Settings(), kostka, shared)
        self.commands = Commands(self.clock, self.journal)
        self.links = Links(uid, secret, self.journal, self.commands)
        self.faults = Faults(self.clock)
        self._upkeep = Upkeep(flash, board, self.journal, self.clock, self._contacts, self.links, self.faults)
        self._booted = mounted
        if mounted:
            self._boot()
        else:
            self._upkeep.mounted = False
            self._report(k.E_FLASH_MOUNT, 0)

    def _boot(self) -> None:
        """Take up what the journal holds; it is mounted."""
        journal, clock = self.journal, self.clock
        snapshot = journal.rtc_unpack(self._board.load()) or journal.snapshot
        damaged = bool(snapshot) and not clock.restore(snapshot, 0)
        clock.emit(k.BOOTED, 0, self._reset, FIRMWARE, 0, clock.bank)
        if journal.fresh and journal.boot > 1:
            self._report(k.E_NEW_EPOCH, 0)
        if journal.torn:
            self._report(k.E_TORN_RECORD, journal.torn)
        if damaged:
            self._report(k.E_CLOCK_RESTORED, 0)
        self._upkeep.lost(journal.lost, 0)
        clock.lose_power(0)
        if self._anew:
            self._begin_anew()
        self.work(self.uptime.until(0))

    def _begin_anew(self) -> None:
        clock = self.clock
        if clock.state == k.STOPPED:
            clock.order(k.C_END_GAME, 0, ())
        game = clock.game + 1 if clock.state == k.OVER else max(1, clock.game)
        clock.order(k.C_CONFIGURE, 0, (game, clock.settings, k.TABLE))

    def _late_boot(self) -> None:
        """The journal could not be read at power-on, and now it can: what the table has done meanwhile counts."""
        self._booted = True
        if self.clock.state == k.IDLE:
            self.clock.settings = self._settings()
            self._boot()
        else:
            self.clock.emit(k.BOOTED, self.uptime.now, self._reset, FIRMWARE, 0, self.clock.bank)
        self.commands.recall()

    def _mounted(self) -> bool:
        try:
            self.journal.mount()
        except OSError:
            return False
        return True

    def _settings(self) -> rules.Settings:
        try:
            stored = self._flash.read("settings")
            return rules.Settings() if stored is None else rules.unpack(stored)
        except (OSError, wire.WireError):
            return rules.Settings()

    # --- what the pump hands over -----

    def edge(self, contact: int, down: bool, raw: int) -> None:
        """A contact changed at the counter value `raw`, as its interrupt stamped it."""
        try:
            seen = since = self.uptime.date(raw)
            for start, end in self._stalls:
                if start < seen <= end + _LATE_MS:
                    since = start
            if self._contacts.edge(contact, down, max(since, self._done), max(seen, self._done)):
                self._sound(CLICK)
        except Exception:
            self._report(k.E_EDGE_HANDLER, contact)

    def stalled(self, start: int, end: int) -> None:
        """One call kept every interrupt waiting between these two counter values. Those that waited have run."""
        begun, over = self.uptime.date(start), self.uptime.date(end)
        if over - begun >= _STALL_MS:
            if len(self._stalls) < _STALLS_MOST:
                self._stalls.append((begun, over))
            self.journal.stalled(over - begun)

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
        if not self._booted:
            links.refused += 1  # there is no stream to speak of
            return
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
        self._stalls.clear()  # every edge from in there was handed over
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
        self._upkeep.keep_state(now)

    def work(self, raw: int) -> None:
        """Make facts durable and keep house, unless a limit is so near that a stall could cost a player time."""
        now = self.uptime.advance(raw)
        self._upkeep.work(now)
        if self._upkeep.mounted and not self._booted:
            self._late_boot()
        if self.links.face_wanted:
            self._tell(now)

    def send(self, link: int, raw: int) -> bytes | None:
        """The next frame for a link, None if nothing is due; call again until None."""
        now = self.uptime.advance(raw)
        peer = self.links.peer(link)
        if peer is None:
            return None
        try:
            return peer.frame(self.journal, now)
        except Exception:
            peer.hold(now + RETRY_MS)
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

    def fault(self, code: int, detail: int) -> None:
        """Something that the edge found: a numbered fault, recorded and shown."""
        self._report(code, detail)

    # --- what the pump asks for -----

    def wake_at(self) -> int:
        """Uptime in ms at which `tick` and `work` are next needed if nothing comes in."""
        now = self.uptime.now
        head = self.journal.head
        at = now + LONGEST_SLEEP_MS
        decided_at = self._due_at()
        for candidate in (decided_at, self._contacts.stuck_at(), self.clock.alert_at()):
            if candidate is not None and now < candidate < at:
                at = candidate
        candidate = self._upkeep.due_at(now, decided_at)
        if candidate is not None:
            at = min(at, candidate)
        for peer in self.links.peers:
            due = peer.due_at(head)
            at = min(at, peer.drop_at if due is None else due, peer.drop_at)
        return max(at, now)

    def settled(self) -> bool:
        """Whether no press is undecided, no command due, no countdown runs and everything is on flash."""
        ordered = self.commands.due()
        waits = ordered is not None and ordered <= self.uptime.now
        return not (self._contacts.queue or waits or self.clock.resume_at is not None or self._upkeep.waits())

    def view(self, now: int) -> View:
        """What displays, ring and lamps show at uptime `now`."""
        queue, clock = self._contacts.queue, self.clock
        resume_at = None
        if queue and queue[0].contact == k.SEDZIA and queue[0].up is None and clock.hold_ms(k.SEDZIA) == HELD_LONG:
            resume_at = queue[0].down + clock.settings.countdown_ms  # 3 and 2 are shown while it is held
        return view(clock, now, self.faults.shown(now), now < self.commands.blink_until, resume_at)

    def advertisement(self) -> bytes:
        """The manufacturer data to advertise now; it changes only with head and alarm. Empty: there is no stream."""
        clock, journal = self.clock, self.journal
        if not self._booted:
            return b""
        alarm = clock.alarm(self.uptime.now)
        if self._advert[:2] != (journal.head, alarm):
            due = clock.expired_at if clock.state == k.EXPIRED else clock.watch.deadline
            left = clock.watch.remaining(self.uptime.now) if due is None else due
            face = (clock.state, clock.seat, alarm, left, self._battery())
            data = advert.pack(
                self._advert_key, self.uid, journal.epoch, journal.boot, journal.head, journal.backlog, face
            )
            self._advert = (journal.head, alarm, data)
        return bytes(self._advert[2])

    def info(self) -> bytes:
        """What anybody may read of this box; see `introduction`."""
        return introduction(self.uid, self.clock.kostka, self.clock.shared)

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
                    at = clock.dated(press.contact, press.down, press.seen)
                    self._done = at if due is None else min(at, due - 1)
                    clock.press(press.contact, decision == HOLD, self._done, self.links.in_contact(now))
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
            self._upkeep.settings = settings

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
        self.faults.report(code, detail, self.uptime.now)


def introduction(uid: bytes, kostka: bool, shared: bool) -> bytes:
    """Protocol, uid, firmware, features (1 Kostka, 2 shared buttons), the MTU it needs."""
    return bytes([wire.PROTOCOL]) + uid + bytes([FIRMWARE, int(kostka) | int(shared) << 1, wire.MTU_AT_LEAST])
