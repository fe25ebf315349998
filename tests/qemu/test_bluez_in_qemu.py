"""Everything real but the radio: kernel, bluetoothd, bleak and the product's desk, in a virtual machine; in minutes.

`make test-bluez`. Packages are fetched once into .venv/qemu; what a run that failed has said stays in run/test-bluez-*.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.qemu import packages
from tests.qemu.machine import Machine

ROOT: Final = Path(__file__).parents[2]
CACHE: Final = ROOT / ".venv/qemu"
WITHIN_S: Final = 900
LINKS: Final = 5
_PARTS: Final = "import tests.qemu.desk, tests.qemu.guest"


@pytest.fixture(scope="module")
def compiled() -> Path:
    """Where Python keeps what it compiled: the machine is slow at that."""
    folder = CACHE / "pycache"
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", _PARTS]
    subprocess.run(command, cwd=ROOT, env=clean | {"PYTHONPYCACHEPREFIX": str(folder)}, check=True, timeout=900)
    return folder


@pytest.mark.e2e
@pytest.mark.parametrize("boxes", [8, 25])
def test_a_hall_is_heard_drained_played_and_taken_over(boxes: int, compiled: Path) -> None:
    lacks = packages.missing()
    if lacks is not None:
        pytest.skip(lacks)
    if ROOT.is_relative_to("/tmp"):
        pytest.skip("the virtual machine has a /tmp of its own: this needs a copy of Dalej that lies elsewhere")
    out = ROOT / f"run/test-bluez-{boxes}"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    try:
        machine = Machine(CACHE, out)
    except packages.Missing as missing:
        pytest.skip(str(missing))
    guest = f"PYTHONPYCACHEPREFIX={compiled} {shlex.quote(sys.executable)} -m tests.qemu.guest {boxes} {LINKS}"
    console = machine.run(f"cd {shlex.quote(str(ROOT))} && {machine.guest_environment()} {guest}", WITHIN_S)
    report = json.loads((out / "report.json").read_text()) if (out / "report.json").exists() else {}
    assert report.get("whole"), f"{console[-3000:]}\nall that was said lies in {out}"
    assert "ENDED 0" in console
    assert report["taken_over"]
    print(json.dumps(report))  # noqa: T201 (how long each step took: -rP shows it)
    shutil.rmtree(out)
