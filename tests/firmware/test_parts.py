"""Parts of the edge by themselves, on MicroPython: rings of stamps and events, glyphs, sounds, a radio that fails."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.vm import machine
from tools.firmware import FIRMWARE

IDLE: Final = Path(__file__).parent / "idle"
FIRST: Final = f"import sys\nsys.path[:0] = {[machine.inside(IDLE), machine.inside(FIRMWARE)]!r}\n"

PARTS: Final = {
    "every text that a box can show has its glyphs": """
from devices.display import draw
from devices.glyphs import GLYPHS, UNKNOWN, glyph
from moveclock import facts as k
from moveclock.settings import Settings
from moveclock.setup import Setup
from moveclock.view import time_text
texts = ["End ", " -- ", "----", "    ", "-  7", "E 91", time_text(0), time_text(9900), time_text(83000)]
menu = Setup(Settings())
while not menu.over:
    for _ in range(12):
        texts.append(menu.text())
        menu.press(0)
    menu.press(1)
texts.append(menu.text())
for text in texts:
    for character in text:
        assert character in ":." or character in GLYPHS, text
assert glyph("?") == UNKNOWN
ram = bytearray(10)
draw("12:34", ram)
assert bytes(ram) == b"\\x06\\0\\x5b\\0\\x02\\0\\x4f\\0\\x66\\0", ram
draw(" 9.5 ", ram)
assert bytes(ram) == b"\\0\\0\\xef\\0\\0\\0\\x6d\\0\\0\\0", ram
""",
    "a full ring of edges loses the newest and counts them": """
from devices.buttons import Ring
ring = Ring()
for stamp in range(200):
    ring.put(3 | (128 if stamp & 1 else 0), (1 << 30) - 200 + stamp)
assert ring.lost == 200 - 120, "eight places are for interrupts that come between a look and its storing"
assert ring.take() == (3, False, (1 << 30) - 200)
assert ring.take() == (3, True, (1 << 30) - 199)
count = 0
while ring.waits():
    ring.take()
    count += 1
assert count == 118
""",
    "an edge that comes between the look for room and the storing of another is kept": """
from devices.buttons import Ring
class Interrupted(Ring):
    def __init__(self):
        super().__init__()
        self.come = []
        self._at = 0
    def _get(self):
        if self.come:
            self.put(self.come.pop(), 2)
        return self._at
    def _set(self, at):
        self._at = at
    _tail = property(_get, _set)  # the look for room is a branch: interrupts come at branches
ring = Interrupted()
ring.come = [5]
ring.put(3, 1)
ring.come = []
assert [ring.take()[0], ring.take()[0]] == [5, 3]
assert not ring.waits() and ring.lost == 0
""",
    "an interrupt allocates nothing": """
import gc
from devices.buttons import Contact, Ring
from machine import Pin
ring = Ring()
pin = Pin(4)
contact = Contact(2, pin, 0, ring)
contact.changed(pin)
pin.level = 0
used = gc.mem_alloc()
contact.changed(pin)
used = gc.mem_alloc() - used
assert used == 0, used
""",
    "two edges that one interrupt saw keep one stamp, and a missed one is found by looking": """
from devices.buttons import Contact, Ring
from devices.counter import ticks_ms
from machine import Pin
ring = Ring()
pin = Pin(4)
contact = Contact(2, pin, 0, ring)
contact.changed(pin)
first, second = ring.take(), ring.take()
assert first[:2] == (2, True) and second[:2] == (2, False) and first[2] == second[2]
pin.level = 0
contact.look(ticks_ms())
assert ring.take()[:2] == (2, True)
contact.look(ticks_ms())
assert not ring.waits()
""",
    "an edge that the chip lost is found by looking, dated to the look before and never too late": """
from devices import buttons
from devices.buttons import Buttons
clock = [1000]
buttons.ticks_ms = lambda: clock[0]
buttons.since = lambda start: clock[0] - start
buttons.ago = lambda ms: clock[0] - ms
buttons.sleep_ms = lambda ms: None
held = Buttons([(0, 32), (1, 33)], ())
contact = held._contacts[0]
pin = contact._pin
def look(at):
    clock[0] = at
    held.look()
    return held.ring.take() if held.ring.waits() else None
assert look(1012) is None
pin.level = 0  # some time before 1024: its interrupt was lost as another contact's was cleared
assert look(1024) == (0, True, 1012), "one turn too early, at most"
assert look(1036) is None
clock[0] = 1090
pin.level = 1
contact.changed(pin)
assert held.ring.take() == (0, False, 1090)
clock[0] = 1100
pin.level = 0
contact.changed(pin)  # this one came
assert held.ring.take() == (0, True, 1100)
pin.level = 1
assert look(1290) == (0, False, 1110), "its release did not; a finger needs ten milliseconds, and it is no hold"
""",
    "an interrupt that comes while pins are looked at is not taken for a lost one": """
from devices import buttons
from devices.buttons import Contact, Ring
from machine import Pin
ring = Ring()
pin = Pin(4)
contact = Contact(2, pin, 0, ring)
buttons.let_handlers_run = lambda: contact.changed(pin)
pin.level = 0
contact.look(0)
stamp = ring.take()
assert stamp[:2] == (2, True) and stamp[2] > 0 and not ring.waits()
""",
    "a call that keeps the interpreter is told of by its span, also if it fails, after those that waited": """
from devices import stalls
clock = [5]
told = []
order = []
stalls.ticks_ms = lambda: clock[0]
stalls.let_handlers_run = lambda: order.append(clock[0])
calls = stalls.Stalls()
def slow(ms, error=None):
    clock[0] += ms
    if error:
        raise error
    return "done"
assert calls.during(slow, 3) == "done"
calls.tell = lambda start, end: told.append((start, end))
assert calls.during(slow, 40) == "done"
try:
    calls.during(slow, 1200, OSError(116))
except OSError:
    told.append("raised")
assert told == [(8, 48), (48, 1248), "raised"], told
assert order == [8, 48, 1248]
""",
    "a contact that is closed at 1 is down at 1": """
from devices.buttons import Contact, Ring
from machine import Pin
assert Contact(8, Pin(34), 1, Ring()).down
assert not Contact(8, Pin(34), 0, Ring()).down
""",
    "a flood of writes leaves room for connections and their ends": """
from devices.radio import CONNECTED, DISCONNECTED, WRITTEN, Events
events = Events()
for _ in range(100):
    events.put(WRITTEN, 1, 0, b"x")
events.put(DISCONNECTED, 1, 0, None)
events.put(CONNECTED, 2, 0, None)
assert events.lost == 84
kinds = []
while events.waits():
    kinds.append(events.take()[0])
assert kinds == [WRITTEN] * 16 + [DISCONNECTED, CONNECTED], kinds
""",
    "an exception in the radio's handler is counted and does not come out": """
from devices.chip import Watchdog
from devices.radio import Radio
from devices.stalls import Stalls
radio = Radio(Watchdog(), Stalls())
radio._handle(3, ())
radio._handle(1, None)
radio._handle(99, ())
assert radio.faults == 2
assert not radio.events.waits()
""",
    "a radio that refuses to advertise is switched off and on, and then given up": """
from devices import radio as air
from devices.chip import Watchdog
from devices.radio import DISCONNECTED, Radio
from devices.stalls import Stalls
clock = [0]
air.ticks_ms = lambda: clock[0]
air.since = lambda start: clock[0] - start
radio = Radio(Watchdog(), Stalls())
radio.introduce(b"info", b"abcdef")
refused = [True]
begun = []
def gap_advertise(interval, **what):
    if refused[0]:
        raise OSError(5)
radio._ble.gap_advertise = gap_advertise
radio._ble.active = begun.append
radio.links.append(3)
while radio.cycles < 3:
    radio.advertise(b"data", 60000)
    clock[0] += 1000
    assert clock[0] < 60000
assert begun == [False, True] * 3
assert radio.events.take()[:2] == (DISCONNECTED, 3)
refused[0] = False
radio.advertise(b"data", 60000)
assert radio.cycles == 0
""",
    "a radio that takes its time is fed for before each call, and left alone ten times as long": """
from devices import radio as air
from devices.radio import Radio
from devices.stalls import Stalls
clock = [0]
air.ticks_ms = lambda: clock[0]
air.since = lambda start: clock[0] - start
done = []
class Watchdog:
    def feed(self):
        done.append(clock[0])
radio = Radio(Watchdog(), Stalls())
assert not done, "at power-on it has not begun"
def slow(ms, error):
    clock[0] += ms
    if error:
        raise OSError(error)
radio._ble.gap_advertise = lambda interval, **what: slow(2000, -19)
radio._ble.active = lambda on: slow(4000, 0)
radio.advertise(b"data", 60000)
radio.advertise(b"others", 60000)
clock[0] += 19999
radio.advertise(b"data", 60000)
assert done == [0]
for _ in range(3):
    clock[0] += 20000
    radio.advertise(b"data", 60000)
assert done == [0, 41999, 63999, 85999, 89999, 93999], done
radio._ble.gap_disconnect = lambda link: slow(2000, -19)
radio.disconnect(1)
assert done[-1] == 95999
""",
    "a display that fails is tried anew after pauses that double, and never shortly before a limit": """
from devices.display import Display
from devices.stalls import Stalls
class Bus:
    tried = 0
    def writeto(self, address, data):
        self.tried += 1
        raise OSError(19)
bus = Bus()
display = Display(bus, 0, Stalls())
assert bus.tried == 1 and not display.fell
for _ in range(1000):
    display.show("1234", False)
assert bus.tried == 1
for _ in range(10000):
    display.show("1234", True)
assert bus.tried in range(8, 12), bus.tried
""",
    "a display that falls off is named once": """
from devices.display import Displays
from devices.stalls import Stalls
class Bus:
    gone = False
    def writeto(self, address, data):
        if self.gone:
            raise OSError(19)
    def writeto_mem(self, address, register, data):
        if self.gone and address == 0x72:
            raise OSError(19)
bus = Bus()
displays = Displays(bus, Stalls())
assert displays.fallen() is None and displays.missing() == []
bus.gone = True
for text in ("1111", "2222", "3333"):
    displays.show((text,) * 4, True)
assert displays.fallen() == 2 and displays.fallen() is None
assert displays.missing() == [2]
""",
    "a display whose supply dipped says again what it said, though it answered all the while": """
from devices.display import Displays, draw
from devices.stalls import Stalls
class Bus:
    def __init__(self):
        self.chips = {}
    def writeto(self, address, data):
        self.chips.setdefault(address, [set(), b""])[0].add(bytes(data))
    def writeto_mem(self, address, register, data):
        self.chips[address][1] = bytes(data)
bus = Bus()
displays = Displays(bus, Stalls())
displays.show(("1:00", " -- ", "End ", "PLAY"), True)
lit = bus.chips
assert lit[0x70][1] != lit[0x72][1]
bus.chips = {address: [set(), b""] for address in lit}
displays.show(("1:00", " -- ", "End ", "PLAY"), True)
assert bus.chips[0x72] == [set(), b""]
for seat in range(4):
    displays.wake(seat)
    displays.show(("1:00", " -- ", "End ", "PLAY"), True)
assert bus.chips == lit
""",
    "the cable is written to no faster than a UART sends, and not at all while nobody reads": """
import sys
from devices import serial
from moveclock import cable
clock = [0]
serial.ticks_ms = lambda: clock[0]
serial.since = lambda start: clock[0] - start
class Out:
    slow = 0
    written = 0
    def write(self, data):
        assert len(data) <= 64
        self.written += len(data)
        clock[0] += self.slow
        return len(data)
class In:
    def readinto(self, byte):
        byte[0] = 0
        waiting.pop()
        return 1
waiting = []
port = serial.Port()
port._out, port._in = Out(), In()
port._poll.poll = lambda timeout: waiting
port.put(cable.FRAME, bytes(200))
while port.waits():
    port.flush()
    clock[0] += 1
    assert port._out.written <= 64 + 11 * clock[0], (port._out.written, clock[0])
port._out.slow = 500
port.put(cable.FRAME, bytes(200))
clock[0] += 10
port.flush()
assert not port.waits()
port.put(cable.FRAME, bytes(200))
assert not port.waits(), "there is nobody"
waiting.append(1)
port._out.slow = 0
assert port.take() == []
port.put(cable.TOLD, b"")
assert port.waits(), "somebody speaks"
""",
    "a radio begins nothing shortly before a limit": """
from devices.chip import Watchdog
from devices.radio import Radio
from devices.stalls import Stalls
radio = Radio(Watchdog(), Stalls())
radio.introduce(b"info", b"abcdef")
said = []
radio._ble.gap_advertise = lambda interval, **what: said.append(what)
radio.advertise(b"data", 299)
assert not said
radio.advertise(b"data", 300)
assert len(said) == 1
""",
    "a more important sound is heard, a lesser one is not, and silence is silent": """
from devices.buzzer import Buzzer
from moveclock.settings import LOUD, SILENT
from moveclock.view import CLICK, TIME_OVER
buzzer = Buzzer(4)
buzzer.play(CLICK, SILENT, 0)
assert not buzzer.sounds()
buzzer.play(TIME_OVER, LOUD, 0)
buzzer.play(CLICK, LOUD, 10)
buzzer.go_on(30)
assert buzzer.sounds()
for now in range(0, 1200, 10):
    buzzer.go_on(now)
assert not buzzer.sounds()
""",
}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_by_itself(part: str) -> None:
    machine.run(FIRST + PARTS[part], [FIRMWARE, IDLE])
