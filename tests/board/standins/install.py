# mypy: ignore-errors
# ruff: noqa: PLC0206, I001
"""Puts the stand-ins in the places of what this virtual machine has, or lacks; then the flash becomes `/`."""

import gc
import json
import micropython
import os
import sys
import vfs

import bluetooth
import clock
import console
import esp32
import files
import machine
import machine_parts
import neopixel
import outside
import program


_NAMES = {
    "esp32": "Generic ESP32 module with ESP32",
    "esp32s3": "Generic ESP32S3 module with ESP32S3",
}


class _Module:
    """A module of the interpreter with some names replaced or added."""

    def __init__(self, real: object, **names: object) -> None:
        self._real = real
        for name in names:
            setattr(self, name, names[name])

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def _schedule(function: object, argument: object) -> None:
    if not outside.schedule(function, argument):
        raise RuntimeError("schedule queue full")


def _collect() -> int:
    outside.ask("collect")  # this virtual machine's own waits until no program runs
    return 0


def _threshold(*size: int) -> int:
    if size:
        outside.say("threshold", size[0])
    return gc.threshold(*size)


def _urandom(count: int) -> bytes:
    import random

    return bytes([random.getrandbits(8) for _ in range(count)])


def install(job: str) -> None:
    """`job`: JSON of what the outside says about the machine."""
    given = json.loads(job)
    clock.begin(given.pop("ticks", 0))
    machine_parts.part.update(given)
    modules = sys.modules
    modules["time"] = clock
    modules["os"] = _Module(os, urandom=_urandom, sync=lambda: None)
    modules["select"] = console
    modules["micropython"] = _Module(
        micropython, kbd_intr=console.kbd_intr, schedule=_schedule, alloc_emergency_exception_buf=lambda size: None
    )
    modules["gc"] = _Module(gc, collect=_collect, mem_free=esp32.mem_free, threshold=_threshold)
    modules["vfs"] = _Module(vfs, VfsLfs2=files.Flash)
    modules["flashbdev"] = _Module(None, bdev=None)
    modules["sys"] = console.View(_NAMES[machine_parts.part["chip"]])
    vfs.umount("/")
    vfs.mount(files.Flash(), "/")
    os.chdir("/")
    sys.path[:] = ["", "/lib"]
    gc.collect()


_ = (bluetooth, esp32, machine, neopixel, program)
