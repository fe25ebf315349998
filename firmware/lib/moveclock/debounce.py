"""Edges of contacts -> presses, taps and holds, from their stamps alone.

A press begins at its first down edge and that stamp is its stamp for good. Edges that follow within the window are
bounce. It is over when the contact has been up for the window, and decided then (a tap) or when it was down for its
hold time (a hold). Presses are decided strictly in the order of their down edges. A contact down for over 5 s is stuck:
reported once, ignored until released. A single pulse shorter than 2 ms with nothing after it is electrical noise, not a
finger.
"""

WINDOW_MS = 30
NOISE_MS = 2
TAP_AT_MOST_MS = 1000  # a contact without a hold meaning is decided as a tap after this long
STUCK_MS = 5000

UNDECIDED = 0
TAP = 1
HOLD = 2


class Press:
    """One press of a contact: `down` and `up` are stamps in ms, `up` is None while it is held."""

    def __init__(self, contact: int, down: int) -> None:
        self.contact = contact
        self.down = down
        self.up: int | None = None


class Contacts:
    """All contacts of one box. `queue`: the presses not yet decided, oldest first; `held`: who was down at power-on."""

    def __init__(self, count: int, held: tuple = ()) -> None:
        self.queue: list[Press] = []
        self._open: list[Press | None] = [None] * count  # a contact's last press, decided or not; None once it is stuck
        self._ignored = [contact in held for contact in range(count)]  # until released

    def edge(self, contact: int, down: bool, at: int) -> bool:
        """Take one edge stamped `at`; True if it begins a new press (lamps and sound answer at once)."""
        press = self._open[contact]
        if self._ignored[contact]:
            if not down:
                self._ignored[contact] = False
                press = self._open[contact] = Press(contact, at)  # in no queue; the release's bounce belongs to it
                press.up = at
            return False
        if press is not None and press.up is not None and at - press.up >= WINDOW_MS:
            press = None
        if press is None:
            if down:
                press = Press(contact, at)
                self._open[contact] = press
                self.queue.append(press)
            return down
        press.up = None if down else at
        return False

    def decide(self, now: int, hold_ms: int) -> int:
        """What the oldest press is by `now` if its contact's hold time is `hold_ms` (0: it has none)."""
        press = self.queue[0]
        if press.up is not None:
            if hold_ms and press.up - press.down >= hold_ms:
                return HOLD
            return TAP if now - press.up >= WINDOW_MS else UNDECIDED
        if now - press.down < (hold_ms or TAP_AT_MOST_MS):
            return UNDECIDED
        return HOLD if hold_ms else TAP

    def decided_at(self, hold_ms: int) -> int:
        """The ms at which the oldest press will be decided unless an edge comes first."""
        press = self.queue[0]
        if press.up is not None:
            return press.up + WINDOW_MS
        return press.down + (hold_ms or TAP_AT_MOST_MS)

    def take(self) -> Press | None:
        """Remove the oldest press from the queue; None if it was noise."""
        press = self.queue.pop(0)
        if press.up is not None and press.up - press.down < NOISE_MS:
            return None
        return press

    def stuck(self, now: int) -> int | None:
        """A contact that has just been down for 5 s, or None. It is ignored from now on until it is released."""
        for contact in range(len(self._open)):
            press = self._open[contact]
            if press is not None and press.up is None and not self._ignored[contact] and now - press.down >= STUCK_MS:
                self._ignored[contact] = True
                self._open[contact] = None
                return contact
        return None

    def stuck_at(self) -> int | None:
        """The ms at which the next contact will count as stuck if it stays down."""
        first = None
        for press in self._open:
            if press is not None and press.up is None and (first is None or press.down < first):
                first = press.down
        return None if first is None else first + STUCK_MS

    def pressed_at(self, contact: int) -> int | None:
        """The down stamp of a contact's last press, None if it is stuck or was never pressed."""
        press = self._open[contact]
        return None if press is None else press.down

    def any_down(self) -> bool:
        """Whether any contact is down, except a stuck one, or still bouncing in an undecided press."""
        return bool(self.queue) or self.stuck_at() is not None
