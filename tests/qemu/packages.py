"""Debian or Ubuntu packages in a folder of their own: fetched with apt-get, unpacked with dpkg, nothing is installed.

Neither step needs root. What the computer has installed already is used from where it lies.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

_WANTED: Final = ("qemu-system-x86", "busybox-static", "bluez")
_KERNELS: Final = ("linux-image-amd64", "linux-image-generic")  # Debian's, Ubuntu's
_LEFT_OUT: Final = ("systemd", "libsystemd", "libudev", "libpam", "libnss", "udev", "kmod", "dbus", "cpio", "initramfs")


class Missing(Exception):
    """What this computer lacks, in words."""


def missing() -> str | None:
    """What is needed and cannot be fetched from here."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return "needs Linux on x86_64"
    lacks = [tool for tool in ("apt-get", "apt-cache", "dpkg", "dbus-daemon") if shutil.which(tool) is None]
    if lacks:
        return f"needs Debian or Ubuntu; this computer has no {', '.join(lacks)}"
    return None


def unpacked(folder: Path) -> Path:
    """The folder in which the packages lie as on a system's root, fetched now if that was not done before."""
    root = folder / "root"
    done = folder / "complete"
    if done.exists():
        return root
    debs = folder / "debs"
    debs.mkdir(parents=True, exist_ok=True)
    unknown = [name for name in _WANTED if not _knows(name)]
    if unknown:
        raise Missing(f"apt knows no {', '.join(unknown)}; run apt-get update first")
    names = [*_installed_by(*_WANTED), *_kernel()]
    _run("apt-get", "download", "-qq", *dict.fromkeys(names), cwd=debs)
    for deb in sorted(debs.glob("*.deb")):
        _run("dpkg", "-x", str(deb), str(root))
        deb.unlink()
    done.touch()
    return root


def program(root: Path, *places: str) -> Path:
    """The first of these that is there, unpacked or installed. Missing if none is."""
    for place in places:
        for start in (root, Path("/")):
            if (start / place).exists():
                return start / place
    raise Missing(f"the packages hold no {places[0]}")


def environment(root: Path) -> dict[str, str]:
    """For programs that were unpacked: their libraries lie beside them."""
    folders = [str(root / place) for place in ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu")]
    return os.environ | {"LD_LIBRARY_PATH": os.pathsep.join(folders)}


def _installed_by(*names: str) -> list[str]:
    """What apt-get would install so that these are there, without what a running system has anyway."""
    said = _run("apt-get", "-s", "-o", "Debug::NoLocking=1", "--no-install-recommends", "install", *names)
    found = [line.split()[1] for line in said.splitlines() if line.startswith("Inst ")]
    return [name for name in found if not name.startswith(_LEFT_OUT)]


def _kernel() -> list[str]:
    """The newest kernel with its modules: the package that the distribution's own kernel package stands for."""
    for name in _KERNELS:
        if _knows(name):
            return _behind(name)
    raise Missing("apt knows no kernel package; run apt-get update first")


def _behind(name: str) -> list[str]:
    said = _run("apt-cache", "depends", "--important", name)
    needs = [line.split()[-1] for line in said.splitlines() if "Depends:" in line]
    versioned = [need for need in needs if need.startswith(("linux-image-", "linux-modules-"))]
    return [*versioned, *(one for need in versioned if need.startswith("linux-image-") for one in _behind(need))]


def _knows(name: str) -> bool:
    return bool(subprocess.run(["apt-cache", "show", name], capture_output=True, check=False, timeout=60).stdout)


def _run(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"LC_ALL": "C"},
        timeout=900,
    )
    if done.returncode:
        raise Missing(f"{command[0]} failed ({done.stderr.strip()[-300:]}); apt-get update, as root, may help")
    return done.stdout
