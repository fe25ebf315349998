"""What a whole box takes of a board's heap: the firmware as it is installed, started by its own main.py, in a game.

`gc.mem_alloc` in MicroPython's virtual machine, whose objects have 32 bits as an ESP32's, right after a collection,
less what was there before main.py. That machine collects only between two steps of a program: whoever asks it in the
middle of one counts the garbage of all imports, some 20 KB. Modules that are C on a board are imported before; the
stand-ins for its hardware (tests/firmware/idle) are too, and allocate what the real ones do.

It is too much rather than too little: names of the hardware's calls count, which a board has in its own memory, and
with them the table of names doubles once more (4 KB) than it does there. `esp32.idf_heap_info` knows what a board has.

The fullest that a box is: a game runs, three links are there, two of them strangers who said hello, the third a desk
that proved itself and has eight frames in flight. Set-up mode was left a moment ago, and its modules with it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from dalej.boxes.firmware.compiling import compile_firmware, modules
from dalej.boxes.firmware.constants import inlined
from tests.vm import machine
from tools.firmware import FIRMWARE

IDLE: Final = machine.ROOT / "tests" / "firmware" / "idle"
DRIVER: Final = Path(__file__).parent / "vm_box.py"
FOLDER: Final = machine.ROOT / "run"  # the machine sees files of the repository
MOVES: Final = 30
TURNS: Final = 100

HARDWARE: Final = """
import array, binascii, errno, gc, hashlib, micropython, os, select, struct, sys, time
import bluetooth, machine, neopixel
os.mkdir('/board')
os.chdir('/board')
os.mkdir('/board/journal')
"""
AROUND: Final = """
class Time:
    now = 1000
    def ticks_ms(self):
        return self.now
    def sleep_ms(self, ms):
        self.now += ms

class Emscripten:
    ENOENT = 44
    EEXIST = 20
    EISDIR = 31

clock = Time()
"""
# The clock is the driver's; the machine's own files have other numbers for their errors, and it has no os.urandom.
MENDED: Final = """
import devices.counter
devices.counter.ticks_ms = clock.ticks_ms
devices.counter.sleep_ms = clock.sleep_ms
import devices.flash
devices.flash.errno = Emscripten
import devices.chip
devices.chip.Chip.random = lambda self, count: bytes(range(1, count + 1))
from moveclock.identity import Identity
with open('identity', 'wb') as file:
    file.write(Identity(1, machine.unique_id(), bytes(range(32))).pack())
del Identity, file
"""
BEGUN: Final = """
import devices.poweron, devices.setting
devices.poweron.asks_for_setup = lambda board: True
devices.setting.stay = lambda edge: True
pump = begun()
over = 'board devices.identifying devices.poweron devices.selftest devices.setting devices.starting moveclock.setup'
if [name for name in sys.modules if name in over.split()]:
    raise ValueError('what is over is still there')
air = vm_box.Air(bluetooth.BLE.made, pump, clock)
"""
TURNED: Final = """
turns = []
for turn in range(%d):
    used = gc.mem_alloc()
    pump.turn()
    turns.append(gc.mem_alloc() - used)
    clock.now += 10
turns.sort()
print(turns[len(turns) // 2], turns[-1])
"""


class Whole(NamedTuple):
    """Bytes: all of it, the modules alone, what most turns of the pump allocate at most and what the worst one does.

    `flight`, `links`, `state`: frames of the desk that are in flight, links, the clock's state; `fault`: shown code.
    """

    heap: int
    modules: int
    turn: int
    worst: int
    flight: int
    links: int
    state: int
    fault: int


def measure(board: int = 0) -> Whole:
    """Start a box as an installed one starts, and count. `board`: bits of `compiling.OF_A_BOARD`."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="whole-", dir=FOLDER) as name:
        folder = Path(name)
        compile_firmware(FIRMWARE, folder, board)
        sources = {**modules(FIRMWARE, board), DRIVER.stem: DRIVER.read_text(encoding="utf-8")}
        (folder / DRIVER.name).write_text(inlined(sources)[DRIVER.stem], encoding="utf-8")
        path = [machine.inside(place) for place in (IDLE, folder, folder / "lib")]
        main = (folder / "main.py").read_text(encoding="utf-8").rpartition("main()")[0]
        steps = [
            f"import sys\nsys.path[:] = {path!r}",
            HARDWARE,
            AROUND,
            "marks = [gc.mem_alloc(), 0, 0, 0]",
            MENDED,
            main.replace("sys.implementation._machine", "'ESP32'"),
            "import devices.edge, devices.pump",
            "marks[1] = gc.mem_alloc()",
            "import vm_box",
            "marks[2] = gc.mem_alloc()",
            BEGUN,
            f"air.play({MOVES})",
            "air.crowd()",
            "marks[3] = gc.mem_alloc()",
            "print()\nprint(*marks)\nprint(*air.full())",  # what the box said on its cable is before it
            TURNED % TURNS,
        ]
        lines = machine.run(steps, [folder, IDLE], heap=1 << 19).splitlines()[-3:]
    before, made, ours, full = (int(word) for word in lines[0].split())
    flight, links, state, fault = (int(word) for word in lines[1].split())
    turn, worst = (int(word) for word in lines[2].split())
    return Whole(full - ours + made - before, made - before, turn, worst, flight, links, state, fault)
