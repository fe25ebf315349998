"""A virtual machine with a kernel of its own, that sees this computer's files and has no radio.

QEMU computes every instruction (no KVM), so nothing of the computer is needed but time; `DALEJ_ACCEL=kvm` uses the
processor's own help where it works.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Final

from tests.qemu import initrd, packages

_KERNEL: Final = "boot/vmlinuz-*"
_BLUETOOTHD: Final = ("usr/libexec/bluetooth/bluetoothd", "usr/lib/bluetooth/bluetoothd")


class Machine:
    """`cache`: where packages are kept; `out`: a folder that the machine writes to as /run/out."""

    def __init__(self, cache: Path, out: Path) -> None:
        self._root = packages.unpacked(cache)
        self._out = out
        self.console = out / "console.log"

    def run(self, command: str, within_s: int) -> str:
        """Boot, run the command as root, halt; what was written to the console. TimeoutExpired if that takes longer."""
        kernel = max(self._root.glob(_KERNEL), default=None)
        if kernel is None:
            raise packages.Missing("the kernel package holds no kernel")
        version = kernel.name.partition("-")[2]
        places = (self._root / "lib/modules" / version, self._root / "usr/lib/modules" / version)
        modules = next(place for place in places if place.exists())
        busybox = packages.program(self._root, "bin/busybox", "usr/bin/busybox")
        first = self._out / "initrd.gz"
        initrd.write(first, busybox, modules, command)
        with self.console.open("wb") as console:
            subprocess.run(
                self._qemu(kernel, first), stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT,
                env=packages.environment(self._root), timeout=within_s, check=True,
            )  # fmt: skip
        first.unlink()
        return self.console.read_text(errors="replace")

    def guest_environment(self) -> str:
        """For a shell in the machine: where the unpacked bluetoothd and its libraries are."""
        names = {
            "LD_LIBRARY_PATH": packages.environment(self._root)["LD_LIBRARY_PATH"],
            "PATH": f"/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:{self._root / 'usr/bin'}",
            "BLUETOOTHD": str(packages.program(self._root, *_BLUETOOTHD)),
            "HOME": "/root",
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        return " ".join(f"{name}={shlex.quote(value)}" for name, value in names.items())

    def _qemu(self, kernel: Path, first: Path) -> list[str]:
        accel = os.environ.get("DALEJ_ACCEL", "tcg")
        shares = "local,security_model=none,multidevs=remap"
        return [
            "nice", str(packages.program(self._root, "usr/bin/qemu-system-x86_64")),
            "-L", str(packages.program(self._root, "usr/share/qemu")),
            "-L", str(packages.program(self._root, "usr/share/seabios")),
            "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio",
            "-machine", f"q35,accel={accel}", "-cpu", "host" if accel == "kvm" else "Nehalem", "-m", "3G", "-smp", "2",
            "-kernel", str(kernel), "-initrd", str(first),
            "-append", "console=ttyS0 panic=-1 oops=panic quiet rdinit=/init",
            "-virtfs", f"{shares},path=/,mount_tag=hostroot,readonly=on",
            "-virtfs", f"{shares},path={self._out},mount_tag=out",
        ]  # fmt: skip
