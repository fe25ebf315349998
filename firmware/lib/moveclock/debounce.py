"""Edges of contacts -> presses, taps and holds, from their stamps alone.

A press begins at its first down edge and that stamp is its stamp for good. Edges that follow within the window are
bounce. It is over when the contact has been up for the window, and decided then (a tap) or when it was down for its
hold time (a hold). Presses are decided strictly in the order of their down edges. A contact down for over 5 s is stuck:
reported once, ignored until released. A single pulse shorter than 2 ms with nothing after it is electrical noise, not a
finger.

An edge may be known only to lie between two instants, because the box could not look meanwhile: it came after one and
was `seen` at the other. So a press was down for some time between a least and a most. A hold is what was held for the
least of it: nobody ends a game by a tap. Noise is what can have been no finger, at most; but a pulse that began and
ended while the box could not look, right after the contact's last release, is that release's bounce; and what was up
again sooner than any finger, and down once more while the box could not look, is one press that bounces.
"""

WINDOW_MS = 30
NOISE_MS = 2
FINGER_MS = 10  # nobody presses and lets go in less
TAP_AT_MOST_MS = 1000  # a contact without a hold meaning is decided as a tap after this long
STUCK_MS = 5000

UNDECIDED = 0
TAP = 1
HOLD = 2


class Press:
    """One press of a contact, in ms: down since `down` at the earliest and `seen` at the latest; `up`: None while held.

    It was seen released at `up`, and may have been since `up_since`. `before`: the press whose bounce it may be.
    `steady`: since when at the latest it is down without having been up unseen.
    """

    def __init__(self, contact: int, down: int, seen: int, before: "Press | None" = None) -> None:
        self.contact = contact
        self.down = down
        self.seen = seen
        self.steady = seen
        self.before = before
        self.up: int | None = None
        self.up_since = 0

    def noise(self) -> bool:
        """Whether this was no finger; it is over."""
        if self.up is None or self.up_since - self.seen >= NOISE_MS:
            return False
        return self.is_short()

    def is_short(self) -> bool:
        """Whether no finger can have been there and gone, though one may be still."""
        return self.up is not None and self.up - self.down < FINGER_MS


class Contacts:
    """All contacts of one box. `queue`: the presses not yet decided, oldest first; `held`: who was down at power-on."""

    def __init__(self, count: int, held: tuple = ()) -> None:
        self.queue: list[Press] = []
        self._open: list[Press | None] = [None] * count  # a contact's last press, decided or not; None once it is stuck
        self._ignored = [contact in held for contact in range(count)]  # until released

    def edge(self, contact: int, down: bool, at: int, seen: int | None = None) -> bool:
        """Take an edge stamped `at`, or between `at` and `seen`; True if it begins a press: lamps and sound answer."""
        seen = at if seen is None else seen
        press = self._open[contact]
        if self._ignored[contact]:
            if not down:
                self._ignored[contact] = False
                press = Press(contact, at, seen)  # in no queue; the release's bounce belongs to it
                press.up = seen
                press.up_since = at
                self._open[contact] = press
            return False
        before = None
        if press is not None and press.up is not None and seen - press.up >= WINDOW_MS:
            if seen > at and at - press.up < WINDOW_MS and press.up - press.up_since < WINDOW_MS:
                before = press
            if down and before is not None and press.is_short() and press in self.queue:
                press.steady = seen
            else:
                press = None
        if press is None:
            if down:
                press = Press(contact, at, seen, before)
                self._open[contact] = press
                self._line_up(press)
            return down
        if press.before is not None and not down and at <= press.down:
            self.queue.remove(press)
            press = self._open[contact] = press.before
            press.up = seen
            return False
        press.before = None
        press.up = None if down else seen
        press.up_since = at
        return False

    def _line_up(self, press: Press) -> None:
        """Into the queue by its stamp: an edge whose interrupt was lost is found after later ones."""
        place = len(self.queue)
        while place and self.queue[place - 1].down > press.down:
            place -= 1
        self.queue.insert(place, press)

    def decide(self, now: int, hold_ms: int) -> int:
        """What the oldest press is by `now` if its contact's hold time is `hold_ms` (0: it has none)."""
        press = self.queue[0]
        if press.up is not None:
            if hold_ms and press.up_since - press.steady >= hold_ms:
                return HOLD
            return TAP if now - press.up >= WINDOW_MS else UNDECIDED
        if now - press.steady < (hold_ms or TAP_AT_MOST_MS):
            return UNDECIDED
        return HOLD if hold_ms else TAP

    def decided_at(self, hold_ms: int) -> int:
        """The ms at which the oldest press will be decided unless an edge comes first."""
        press = self.queue[0]
        if press.up is not None:
            return press.up + WINDOW_MS
        return press.steady + (hold_ms or TAP_AT_MOST_MS)

    def take(self) -> Press | None:
        """Remove the oldest press from the queue; None if it was noise."""
        press = self.queue.pop(0)
        return None if press.noise() else press

    def stuck(self, now: int) -> int | None:
        """A contact that has just been down for 5 s, or None. It is ignored from now on until it is released."""
        for contact in range(len(self._open)):
            press = self._open[contact]
            if press is not None and press.up is None and not self._ignored[contact] and now - press.seen >= STUCK_MS:
                self._ignored[contact] = True
                self._open[contact] = None
                return contact
        return None

    def stuck_at(self) -> int | None:
        """The ms at which the next contact will count as stuck if it stays down."""
        first = None
        for press in self._open:
            if press is not None and press.up is None and (first is None or press.seen < first):
                first = press.seen
        return None if first is None else first + STUCK_MS

    def any_down(self) -> bool:
        """Whether any contact is down, except a stuck one, or still bouncing in an undecided press."""
        return bool(self.queue) or self.stuck_at() is not None
