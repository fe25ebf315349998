"""Contacts: interrupts that stamp and store, nothing else; and a look at every pin each turn, as a net below them.

An ESP32 has soft interrupts only: the handler runs when the interpreter comes round, and of more than eight that wait
the rest is dropped without a word (micropython#3894, ports/esp32/machine_pin.c). What is missed so is found by `look`,
late by a turn of the pump. An interrupt that finds its contact as it was before had two edges: both get its stamp.
"""

from array import array

from machine import Pin

from devices.counter import sleep_ms, ticks_ms

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
        pin.irq(self.changed, Pin.IRQ_FALLING | Pin.IRQ_RISING)

    def changed(self, pin: Pin) -> None:
        """The interrupt."""
        stamp = ticks_ms()
        down = pin.value() == self._level
        if down == self.down:
            self._put(not down, stamp)
        self.down = down
        self._put(down, stamp)

    def look(self) -> None:
        """What no interrupt has said is stamped now."""
        down = self._pin.value() == self._level
        if down != self.down:
            stamp = ticks_ms()
            self.down = down
            self._put(down, stamp)

    def _put(self, down: bool, stamp: int) -> None:
        self._ring.put(self.number | _DOWN if down else self.number, stamp)


class Buttons:
    """All contacts of a box. `wired`: `(contact, pin)`; `bare`: pins without a pull-up; `levels`: those closed at 1."""

    def __init__(self, wired: list, bare: tuple, levels: tuple = ()) -> None:
        self.ring = Ring()
        made = [(number, _input(pin, pin in bare)) for number, pin in wired]
        sleep_ms(_CHARGED_MS)
        self._contacts = [Contact(number, pin, 1 if number in levels else 0, self.ring) for number, pin in made]

    def look(self) -> None:
        """The net: every pin is read."""
        for contact in self._contacts:
            contact.look()

    def held(self) -> tuple:
        """Contacts that are down."""
        return tuple([contact.number for contact in self._contacts if contact.down])


def _input(pin: int, bare: bool) -> Pin:
    return Pin(pin, Pin.IN) if bare else Pin(pin, Pin.IN, Pin.PULL_UP)
