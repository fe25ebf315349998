# mypy: ignore-errors
"""One power-on of a board that is a MicroPython program of this computer, with a Bluetooth stack of its own.

    micropython start.py FOLDER_OF_STANDINS DESCRIPTOR

The first line of standard input is the job: `image`, the file that is the flash, and `machine`, see machine_parts.
`machine`, `neopixel`, the serial port and the counters are stood in for; `bluetooth`, `vfs.VfsLfs2`, `os` and `gc` are
the interpreter's own.
"""

import gc
import json
import os
import sys

HERE = sys.argv[0].rsplit("/", 1)[0]
sys.path[:] = [HERE, sys.argv[1]]

import bridge as bridge_module  # noqa: E402

bridge = bridge_module.bridge
bridge.out = open("/dev/fd/" + sys.argv[2], "w")  # noqa: PTH123, SIM115
job = json.loads(sys.stdin.readline())

import clock  # noqa: E402
import machine_parts  # noqa: E402

clock.begin(job["machine"].pop("ticks", 0))
machine_parts.part.update(job["machine"])

import console  # noqa: E402
import esp32  # noqa: E402
import machine  # noqa: E402
import micropython  # noqa: E402
import neopixel  # noqa: E402
import vfs  # noqa: E402
from blocks import Blocks  # noqa: E402

_NAMES = {
    "esp32": "Generic ESP32 module with ESP32",
    "esp32s3": "Generic ESP32S3 module with ESP32S3",
}


class _Module:
    """A module of the interpreter with some names replaced or added."""

    def __init__(self, real: object, **names: object) -> None:
        self._real = real
        for name, value in names.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def run(name: str) -> None:
    """Run a file of the flash's root, as a board does."""
    from io import StringIO

    kind = text = ""
    try:
        with open("/" + name) as file:  # noqa: PTH123
            code = compile(file.read(), name, "exec")
        exec(code, {"__name__": "__main__"})
    except SystemExit:
        bridge.answer("reset", "soft")
    except BaseException as error:  # noqa: BLE001
        written = StringIO()
        real.print_exception(error, written)
        kind, text = type(error).__name__, written.getvalue()
        real.stdout.write(text)
    bridge.say("ended", kind, text)


real = sys
device = bridge.device = Blocks(job["image"])
modules = sys.modules
modules["time"] = clock
modules["select"] = console
modules["machine"] = machine
modules["esp32"] = esp32
modules["neopixel"] = neopixel
modules["micropython"] = _Module(micropython, kbd_intr=console.kbd_intr)
modules["os"] = _Module(os, sync=lambda: None)
modules["flashbdev"] = _Module(None, bdev=device)
vfs.umount("/")
vfs.mount(vfs.VfsLfs2(device), "/")
os.chdir("/")
sys.path[:] = ["", "/lib"]
modules["sys"] = console.View(_NAMES[machine_parts.part["chip"]])
gc.collect()
bridge.say("on", gc.mem_alloc(), gc.mem_free())
run("main.py")
while True:
    bridge.wait(1 << 40)
