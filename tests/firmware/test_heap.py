"""What the whole firmware, compiled as for a board, takes of a heap that counts like a board's.

Hardware that does nothing (`idle`) stands in; the machine's objects have 32 bits. A board's heap is at first 64 KB and
grows out of what the radio leaves.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from tests.vm import machine
from tools.firmware import FIRMWARE, compile_firmware

IDLE: Final = Path(__file__).parent / "idle"
MOST: Final = 96 * 1024
IDLE_TURN_MOST: Final = 64  # bytes
WORST_TURN_MOST: Final = 6 * 1024  # with a view, displays and an advertisement

STARTED: Final = """
import bluetooth, machine, neopixel, select
import gc
before = gc.mem_alloc()
"""
MADE: Final = """
import os
os.mkdir('/board')
os.chdir('/board')
from moveclock.identity import Identity
import devices.flash

class Emscripten:  # the errors of this machine's own files have other numbers
    ENOENT = 44
    EEXIST = 20
    EISDIR = 31

devices.flash.errno = Emscripten
devices.flash.DiskFlash().write('identity', Identity(1, b'\\x02bench', bytes(range(32))).pack())
"""
BEGUN: Final = """
from devices import selftest
from devices.chip import reset_cause
from devices.counter import ticks_ms
from devices.edge import Edge
from devices.pump import Pump
from moveclock.box import Box
import devices.chip

class Chip(devices.chip.Chip):
    def random(self, count):
        return bytes(range(1, count + 1))

import devices.edge
devices.edge.Chip = Chip
edge = Edge('ESP32')
persona = edge.persona
box = Box(persona.uid, persona.secret, edge.flash, edge.chip, ticks_ms(), reset=reset_cause(), anew=True)
pump = Pump(edge, box, [])
assert not selftest.findings(edge), selftest.findings(edge)
"""
PLAYED: Final = """
import time
def tap(contact):
    edge.buttons.ring.put(contact | 128, ticks_ms())
    for turn in range(30):
        pump.turn()
        time.sleep_ms(5)
    edge.buttons.ring.put(contact, ticks_ms())
    for turn in range(20):
        pump.turn()
        time.sleep_ms(5)
tap(0)
tap(0)
"""
MEASURED: Final = """
assert box.clock.state == 2, box.clock.state
heap = gc.mem_alloc() - before
idle = []
whole = []
turns = 0
pump._collected_at = box.uptime.now + 100000
while turns < 100:
    shown = pump._shown_at
    wake = pump._wake
    used = gc.mem_alloc()
    pump.turn()
    used = gc.mem_alloc() - used
    (whole if pump._shown_at != shown or pump._wake != wake else idle).append(used)
    turns += 1
    time.sleep_ms(5)
print(heap, max(idle), max(whole), box.faults._last)
"""


def test_the_whole_firmware_fits_a_board_with_its_radio_on_and_leaves_little_garbage() -> None:
    (machine.ROOT / "run").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="heap-", dir=machine.ROOT / "run") as folder:
        compile_firmware(FIRMWARE, Path(folder))
        inside = [machine.inside(Path(folder) / name) for name in ("", "lib")]
        first = f"import sys\nsys.path[:] = {[machine.inside(IDLE), *inside]!r}"
        steps = [first, STARTED, MADE, BEGUN, PLAYED, MEASURED]
        heap, idle, whole, faults = machine.run(steps, [Path(folder), IDLE], heap=1 << 19).split(maxsplit=3)

    assert faults.strip() == "{}"
    assert int(heap) <= MOST
    assert int(idle) <= IDLE_TURN_MOST
    assert int(whole) <= WORST_TURN_MOST
