"""Contacts: interrupts that stamp and store, nothing else; and a look at every pin each turn, as a net below them.

An ESP32 has soft interrupts only: the handler runs when the interpreter comes round, and of more than eight that wait
the rest is dropped without a word (micropython#3894, ports/esp32/machine_pin.c). What is missed so is found by `look`.
An interrupt that finds its contact as it was before had two edges: both get its stamp.
"""

from array import array

from machine import Pin

from devices.counter import ago, since, sleep_ms, ticks_ms
from devices.stalls import let_handlers_run
from moveclock.debounce import FINGER_MS

_SIZE = 128  # edges; a power of two
_MASK = _SIZE - 1
_ROOM = 8  # slots that `put` leaves to interrupts which come between its look and its storing
_DOWN = 128
_CHARGED_MS = 50  # in which a pull-up of 45 kOhm has long charged the 100 nF at a contact; before that it looks down


class Ring:
    """Stamped edges between interrupts and the pump, made once. `lost` counts those that found it full."""

    def __init__(self) -> None:
        self.lost = 0
        self._stamps = array("i", bytes(4 * _SIZE))
        self._edges = bytearray(_SIZE)
        self._head = 0  # moved by `put` alone
        self._tail = 0  # moved by `take` alone

    def put(self, edge: int, stamp: int) -> None:
        """Store a contact, plus 128 if it is down. Allocates nothing: a stamp is a small int.

        An interrupt may come at a branch, and store an edge of its own; none comes between the last four lines.
        """
        if self._head - self._tail & _MASK >= _SIZE - _ROOM:
            self.lost += 1
            return
        head = self._head
        self._stamps[head] = stamp
        self._edges[head] = edge
        self._head = head + 1 & _MASK

    def waits(self) -> bool:
        """Whether an edge is in it."""
        return self._head != self._tail

    def take(self) -> tuple[int, bool, int]:
        """The oldest `(contact, down, stamp)`; one must be there."""
        tail = self._tail
        edge = self._edges[tail]
        found = edge & _DOWN - 1, edge >= _DOWN, self._stamps[tail]
        self._tail = tail + 1 & _MASK
        return found


class Contact:
    """One contact on its pin; `down` is how it was last seen."""

    def __init__(self, number: int, pin: Pin, level: int, ring: Ring) -> None:
        self.number = number
        self.down = pin.value() == level
        self._pin = pin
        self._level = level
        self._ring = ring
        self._stamp = ticks_ms()  # of its last edge
        pin.irq(self.changed, Pin.IRQ_FALLING | Pin.IRQ_RISING)

    def changed(self, pin: Pin) -> None:
        """The interrupt."""
        stamp = ticks_ms()
        down = pin.value() == self._level
        if down == self.down:
            self._put(not down, stamp)
        self.down = down
        self._stamp = stamp
        self._put(down, stamp)

    def look(self, before: int) -> None:
        """An edge whose interrupt was lost is stamped `before`, when the pin was last looked at, so never too late.

        If its last edge was later than that, it is stamped as that one was, a release as long after as a finger needs.
        """
        if (self._pin.value() == self._level) == self.down:
            return
        let_handlers_run()  # it may have come just now
        down = self._pin.value() == self._level
        if down != self.down:
            stamp = ago(min(since(before), since(self._stamp) - (0 if down else FINGER_MS)))
            self.down = down
            self._stamp = stamp
            self._put(down, stamp)

    def _put(self, down: bool, stamp: int) -> None:
        self._ring.put(self.number | _DOWN if down else self.number, stamp)


class Buttons:
    """All contacts of a box. `wired`: `(contact, pin)`; `bare`: pins without a pull-up; `levels`: those closed at 1;
    `more`: `(contact, what is like a pin)`.
    """

    def __init__(self, wired: list, bare: tuple, levels: tuple = (), more: tuple | list = ()) -> None:
        self.ring = Ring()
        made = [(number, _input(pin, pin in bare)) for number, pin in wired]
        made.extend(more)
        sleep_ms(_CHARGED_MS)
        self._looked = ticks_ms()
        self._contacts = [Contact(number, pin, 1 if number in levels else 0, self.ring) for number, pin in made]

    def look(self) -> None:
        """The net: every pin is read, once a turn of the pump.

        An ESP32 (not an S3) loses an edge that comes in the very clock in which a status bit of its group is cleared:
        in the interrupt of another contact. It is erratum GPIO-3.14, and no revision of the chip mends it. Już A,
        Dalej A and Kostka are in the group of GPIO 32 to 39, the other seven in that of 0 to 31. Espressif's way round
        it, interrupts by level that the handler turns over, needs a handler in C. So such an edge is found here, and
        dated to the look before: a turn too early (12 ms, and what the turn did), never too late. A hold of which an
        end was lost is as much shorter. A press of which both edges were lost leaves no trace: that takes two such
        clocks, or a queue that others' bounce has filled, within one call that keeps the interpreter.
        """
        now = ticks_ms()
        for contact in self._contacts:
            contact.look(self._looked)
        self._looked = now

    def held(self) -> tuple:
        """Contacts that are down."""
        return tuple([contact.number for contact in self._contacts if contact.down])


def _input(pin: int, bare: bool) -> Pin:
    return Pin(pin, Pin.IN) if bare else Pin(pin, Pin.IN, Pin.PULL_UP)
