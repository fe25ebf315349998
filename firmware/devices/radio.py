"""The box on the air: one GATT service and an advertisement that never stops.

MicroPython's own `bluetooth.BLE` and not aioble: the pump is a plain loop without asyncio, aioble keeps ten writes and
drops the oldest of more, it acts on dead connections before it is told (micropython-lib#950), and it does not advertise
while it is connected. What is used here is a dozen calls.

On an ESP32 the handler of events runs at once on the radio's own task, while pin interrupts wait: it copies into a ring
and returns. An exception that escapes from it would end all events for good. Nobody is told that a central has
subscribed; a box speaks when it is spoken to. A characteristic with an ENCRYPTED flag would bring pairing dialogs, and
pairing does not work on every build: frames carry their own proof.

NimBLE waits 2 s for its controller at each of its commands: off and on was measured to take 8 s if there is no answer
(tests/nimble), which is all that the watchdog allows. So it is fed before each call that waits for the controller, and
such a radio is not asked again before ten times as long has passed: the game has the rest.
"""

import binascii
from array import array

import bluetooth

from devices import rtc
from devices.chip import Watchdog
from devices.counter import since, ticks_ms
from devices.stalls import Stalls
from moveclock import wire

CONNECTED = 1  # kinds of events, as MicroPython numbers them
DISCONNECTED = 2
WRITTEN = 3
MTU_AGREED = 21

CONNECTIONS_MOST = 4  # of a stock build
FIRST_MTU = 23  # until another is agreed on

_INTERVAL_US = 200000
_BUFFER = 256  # more than any frame: one that is too long must be seen to be
_PREFERRED_MTU = 247
_SLOTS = 32  # events in the ring; a power of two
_MASK = _SLOTS - 1
_WRITES_MOST = 16  # so that connections and their ends always find room
_AGAIN_MS = 30000  # advertising is known to die unnoticed
_RETRY_MS = 1000
_RESTS = 10  # times what the last attempt took, if it failed
_FAILURES_MOST = 3  # then the radio is switched off and on
_STALL_MS = 300  # so shortly before a limit nothing begins
_CYCLE_MS = 5000  # ... and this early not what takes up to 2.5 s: off and on
_ENOTCONN = (107, 128)  # MicroPython's number and that of the chip's C library
_EALREADY = (114, 120)  # the same

_FLAGS = b"\x02\x01\x06"  # general discoverable, no classic Bluetooth
_NAME = b"\x09"
_UUID = b"\x07"


class Events:
    """What the handler leaves for the pump, in order: `(kind, link, number, data)`. Slots are made once."""

    def __init__(self) -> None:
        self.lost = 0
        self._kinds = bytearray(_SLOTS)
        self._links = array("H", bytes(2 * _SLOTS))
        self._numbers = array("H", bytes(2 * _SLOTS))
        self._data: list[bytes | None] = [None] * _SLOTS
        self._head = 0
        self._tail = 0

    def put(self, kind: int, link: int, number: int, data: bytes | None) -> None:
        head = self._head
        if head - self._tail & _MASK >= (_WRITES_MOST if kind == WRITTEN else _MASK):
            self.lost += 1
            return
        self._kinds[head] = kind
        self._links[head] = link
        self._numbers[head] = number
        self._data[head] = data
        self._head = head + 1 & _MASK

    def waits(self) -> bool:
        return self._head != self._tail

    def take(self) -> tuple:
        """The oldest event; one must be there."""
        tail = self._tail
        event = (self._kinds[tail], self._links[tail], self._numbers[tail], self._data[tail])
        self._data[tail] = None
        self._tail = tail + 1 & _MASK
        return event


class Radio:
    """`faults` counts exceptions in the handler, `cycles` how often the radio was switched off and on in a row.

    OSError if it does not start: devices.poweron has tried it before, while the heap was small.
    """

    def __init__(self, watchdog: Watchdog, stalls: Stalls) -> None:
        self._stalls = stalls
        self._during = stalls.during
        self.events = Events()
        self.faults = 0
        self.cycles = 0
        self.links: list[int] = []
        self._name = b"Dalej"
        self._info = b""
        self._data = b""  # manufacturer data that is to be advertised
        self._failures = 0
        self._rest = 0  # ms from `_since` on, after a failure
        self._on_air = False
        self._since = ticks_ms()
        self._watchdog = watchdog
        self._events_handle = 0
        self._commands_handle = 0
        self._ble = bluetooth.BLE()
        if not self._ble.active():  # type: ignore[call-arg, func-returns-value]  # stubs know one of its two forms
            self._ble.active(True)
        self._start()

    def introduce(self, info: bytes, uid: bytes) -> None:
        """What anybody may read, and whose name is on the air."""
        self._info = info
        self._name = b"Dalej " + binascii.hexlify(uid[-2:])
        self._ble.gatts_write(self._info_handle, info)

    def take(self) -> tuple:
        """The oldest of `events`; links are followed."""
        event = self.events.take()
        kind, link = event[0], event[1]
        if kind == CONNECTED:
            self._on_air = False  # a connection ends advertising
            if link not in self.links:
                self.links.append(link)
        elif kind == DISCONNECTED:
            self._forget(link)
        return event

    def notify(self, link: int, frame: bytes) -> bool:
        """Send a frame; False if there is no room for it now. A link that is gone says so in an event."""
        begun = ticks_ms()
        try:
            self._ble.gatts_notify(link, self._events_handle, frame)
        except OSError as error:
            return error.errno in _ENOTCONN
        finally:
            self._stalls.over(begun)
        return True

    def disconnect(self, link: int) -> bool:
        """Close a link; False if there is none, or none that can be closed. Then it is forgotten here, too."""
        self._watchdog.feed()
        try:
            closing = bool(self._during(self._ble.gap_disconnect, link))
        except OSError as error:
            closing = error.errno in _EALREADY
        if not closing:
            self._forget(link)
        return closing

    def advertise(self, data: bytes, spare: int) -> None:
        """Have this element of manufacturer data on the air, from now on and whatever happens.

        `spare`: ms in which no limit falls.
        """
        if not data or spare < (_CYCLE_MS if self._failures >= _FAILURES_MOST else _STALL_MS):
            return
        waited = since(self._since)
        if waited < self._rest or (self._on_air and data == self._data and waited < _AGAIN_MS):
            return
        self._data = data
        self._since = ticks_ms()
        self._rest = 0
        try:
            if self._failures >= _FAILURES_MOST:
                self._cycle()
            self._watchdog.feed()
            self._ble.irq(self._handle)
            self._during(self._begin, data)
            self._on_air = True
            self._failures = self.cycles = 0
        except OSError:
            self._on_air = False
            self._failures += 1
            self._rest = max(_RETRY_MS, _RESTS * since(self._since))
            self._since = ticks_ms()

    def _begin(self, data: bytes) -> None:
        self._ble.gap_advertise(
            _INTERVAL_US,
            adv_data=_FLAGS + data,
            resp_data=_element(_UUID, _little_endian(wire.SERVICE_UUID)) + _element(_NAME, self._name),
            connectable=len(self.links) < CONNECTIONS_MOST,
        )

    def _forget(self, link: int) -> None:
        """There is room for another one, and that is to be advertised."""
        self._on_air = False
        if link in self.links:
            self.links.remove(link)

    def _cycle(self) -> None:
        """Off and on again; every link ends."""
        self.cycles += 1
        self._failures = 0
        for link in self.links:
            self.events.put(DISCONNECTED, link, 0, None)
        rtc.put(rtc.TURNS)
        self._watchdog.feed()
        try:
            self._during(self._ble.active, False)
            self._watchdog.feed()
            self._during(self._ble.active, True)
        finally:
            rtc.put(rtc.AT_REST)
        self._during(self._start)
        self._ble.gatts_write(self._info_handle, self._info)

    def _start(self) -> None:
        ble = self._ble
        ble.config(mtu=_PREFERRED_MTU)
        ble.irq(self._handle)
        read, notify, write = bluetooth.FLAG_READ, bluetooth.FLAG_NOTIFY, bluetooth.FLAG_WRITE
        service = (
            bluetooth.UUID(wire.SERVICE_UUID),
            (
                (bluetooth.UUID(wire.INFO_UUID), read),
                (bluetooth.UUID(wire.EVENTS_UUID), notify),
                (bluetooth.UUID(wire.COMMANDS_UUID), write),
            ),
        )
        handles = ble.gatts_register_services((service,))[0]
        self._info_handle, self._events_handle, self._commands_handle = handles
        ble.gatts_set_buffer(self._commands_handle, _BUFFER)
        ble.gatts_set_buffer(self._info_handle, _BUFFER)

    def _handle(self, event: int, data: tuple) -> None:
        """The handler of events. Nothing may escape from it, and it must not take long."""
        try:
            if event == WRITTEN:
                if data[1] == self._commands_handle:
                    self.events.put(WRITTEN, data[0], 0, self._ble.gatts_read(self._commands_handle))
            elif event == CONNECTED or event == DISCONNECTED:
                self.events.put(event, data[0], 0, None)
            elif event == MTU_AGREED:
                self.events.put(event, data[0], data[1], None)
        except Exception:
            self.faults += 1


def _element(kind: bytes, data: bytes) -> bytes:
    """One element of an advertisement: length, kind, data."""
    return bytes([len(data) + 1]) + kind + data


def _little_endian(uuid: str) -> bytes:
    digits = uuid.replace("-", "")
    return bytes([int(digits[place : place + 2], 16) for place in range(len(digits) - 2, -1, -2)])
