"""Commands of the desk, from their arrival to the fact that answers them.

A command is known by its id: one that was carried out or refused before, or waits for its instant, is not taken again.
Ids of the past are read back from the journal, so a restart forgets none that a desk may still repeat.
"""

import struct

from moveclock import facts as k
from moveclock import settings as rules
from moveclock import wire
from moveclock.clock import Clock
from moveclock.journal import Journal

WAITING_MOST = 8
BLINK_MS = 5000
_REMEMBERED = 32
_LOOK_BACK = 128
_U32 = 0xFFFFFFFF


class Commands:
    """The queue of one box, in the order in which commands take effect."""

    def __init__(self, clock: Clock, journal: Journal) -> None:
        self._clock = clock
        self._journal = journal
        self.blink_until = 0
        self._boot = 0
        self._waiting: list = []
        self._ids: list = []
        self.recall()

    def recall(self) -> None:
        """Read back from the journal, once it is mounted, which commands were answered."""
        journal = self._journal
        self._boot = journal.boot
        for seq in range(max(journal.oldest, journal.head - _LOOK_BACK + 1), journal.head + 1):
            try:
                record = journal.record(seq)
            except OSError:
                continue  # flash fails now; the box must start all the same
            if record is not None:
                fact = wire.unpack_record(record)[2]
                if fact[0] in (k.COMMAND_APPLIED, k.COMMAND_REFUSED):
                    self._remember(fact[6])

    def take(self, command: tuple, now: int) -> None:
        """A command as `wire.unpack_command` gives it, received at `now`; its answer will be a fact."""
        number, what, game, move, boot, at, arguments = command
        if number in self._ids:
            return
        for waiting in self._waiting:
            if waiting[1] == number:
                return
        if at and boot != self._boot:
            self._refuse(now, number, what, k.R_GUARD)  # an instant of a boot that is over
            return
        if len(self._waiting) == WAITING_MOST:
            self._refuse(now, number, what, k.R_STATE)
            return
        ahead = at - now & _U32  # uptime travels modulo 2**32; an instant that is over means at once
        at = now + ahead if at and ahead < _U32 >> 1 else now
        place = 0
        while place < len(self._waiting) and self._waiting[place][0] <= at:
            place += 1
        self._waiting.insert(place, (at, number, what, game, move, arguments))

    def due(self) -> int | None:
        """The uptime at which the next command takes effect."""
        return self._waiting[0][0] if self._waiting else None

    def obey(self) -> bytes | None:
        """Carry out the next command at its instant; new settings to be stored, if it brought some.

        A command that fails half-way is refused, and raises what made it fail.
        """
        at, number, what, game, move, arguments = self._waiting.pop(0)
        clock = self._clock
        stored = None
        if (game and game != clock.game) or (move and move != clock.move):
            why = k.R_GUARD
        elif what == k.C_CONFIGURE:
            why, stored = self._configure(at, arguments)
        elif what == k.C_BLINK:
            self.blink_until = at + BLINK_MS
            why = 0
        elif len(arguments) % 4:
            why = k.R_ARGUMENT
        else:
            try:
                why = clock.order(what, at, struct.unpack("<" + "I" * (len(arguments) // 4), arguments))
            except Exception:
                self._refuse(at, number, what, k.R_UNKNOWN)
                raise
        if why:
            self._refuse(at, number, what, why)
        else:
            self._remember(number)
            clock.emit(k.COMMAND_APPLIED, at, what, number)
        return stored

    def _configure(self, at: int, arguments: bytes) -> tuple:
        given: tuple = ()
        try:
            settings = rules.unpack(arguments[2:])
            given = (arguments[0] | arguments[1] << 8, settings, k.DESK)
        except wire.WireError:
            pass  # the clock refuses it without them, if it may be set up now
        why = self._clock.order(k.C_CONFIGURE, at, given)
        return why, None if why else arguments[2:]

    def _refuse(self, at: int, number: int, what: int, why: int) -> None:
        self._remember(number)
        self._clock.emit(k.COMMAND_REFUSED, at, what, number, 0, why)

    def _remember(self, number: int) -> None:
        self._ids.append(number)
        if len(self._ids) > _REMEMBERED:
            self._ids.pop(0)
