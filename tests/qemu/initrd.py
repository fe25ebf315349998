"""The first root of the virtual machine: busybox, kernel modules, and a script that mounts this computer's root.

The computer's files are seen read-only, with an overlay in memory over them; one folder is shared for what is written.
"""

from __future__ import annotations

import gzip
import lzma
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.qemu.packages import Missing

# In the order they are wanted; what a kernel has built in is not among its modules.
_MODULES: Final = (
    "virtio_pci", "9pnet_virtio", "9p", "overlay", "crypto_user", "algif_hash", "algif_skcipher", "ecdh_generic",
    "cmac", "ecb", "aes_generic", "ecc", "crct10dif_generic", "crc32c_generic", "bluetooth", "hci_vhci", "uhid",
)  # fmt: skip
_NEEDED: Final = "hci_vhci"
_INIT: Final = """\
#!/bin/busybox sh
B=/bin/busybox
$B mount -t proc p /proc; $B mount -t sysfs s /sys; $B mount -t devtmpfs d /dev
for module in {modules}; do $B insmod /mod/$module.ko || echo "module $module failed"; done
P=trans=virtio,version=9p2000.L,msize=262144
$B mount -t 9p -o $P,cache=loose,ro hostroot /host || echo "the computer's root is not there"
$B mount -t tmpfs t /tmp; $B mkdir -p /tmp/upper /tmp/work /mnt
$B mount -t overlay o -o lowerdir=/host,upperdir=/tmp/upper,workdir=/tmp/work /mnt || echo "no overlay"
$B mount -t proc p /mnt/proc; $B mount -t sysfs s /mnt/sys; $B mount -t devtmpfs d /mnt/dev
$B mkdir -p /mnt/dev/pts /mnt/dev/shm; $B mount -t devpts dp /mnt/dev/pts; $B mount -t tmpfs m /mnt/dev/shm
$B mount -t tmpfs r /mnt/run; $B mount -t tmpfs t /mnt/tmp; $B mkdir /mnt/run/out
$B mount -t 9p -o $P out /mnt/run/out || echo "nowhere to write"
$B ip link set lo up
echo BOOTED
$B chroot /mnt /bin/sh -c {command}
echo "ENDED $?"
$B poweroff -f
"""
_TRAILER: Final = "TRAILER!!!"


def write(file: Path, busybox: Path, modules: Path, command: str) -> None:
    """Write it. `modules`: the kernel's folder in lib/modules; `command` is run as root of the machine."""
    found = {_name(path): path for path in modules.rglob("*.ko*")}
    order: list[str] = []
    content: dict[str, bytes] = {}
    for name in _MODULES:
        _load(name, found, order, content)
    if _NEEDED not in content:
        raise Missing(f"the kernel {modules.name} has no module {_NEEDED}")
    init = _INIT.format(modules=" ".join(order), command=shlex.quote(command))
    archive = bytearray()
    for place in ("bin", "mod", "proc", "sys", "dev", "host", "tmp", "mnt"):
        archive += _entry(place, 0o40755)
    archive += _entry("bin/busybox", 0o100755, busybox.read_bytes())
    archive += _entry("init", 0o100755, init.encode())
    for name in order:
        archive += _entry(f"mod/{name}.ko", 0o100644, content[name])
    archive += _entry("dev/console", 0o20600, device=(5, 1))
    archive += _entry(_TRAILER, 0)
    file.write_bytes(gzip.compress(bytes(archive), 1))


def _name(path: Path) -> str:
    return path.name.partition(".ko")[0].replace("-", "_")


def _load(name: str, found: dict[str, Path], order: list[str], content: dict[str, bytes]) -> None:
    """The module after all that it depends on."""
    if name in content or name not in found:
        return
    data = _read(found[name])
    content[name] = data
    for needed in _depends(data):
        _load(needed, found, order, content)
    order.append(name)


def _depends(module: bytes) -> Iterator[str]:
    said = re.search(rb"\0depends=([^\0]*)\0", module)
    if said is not None:
        yield from (name.replace("-", "_") for name in said[1].decode().split(",") if name)


def _read(path: Path) -> bytes:
    data = path.read_bytes()
    match path.suffix:
        case ".xz":
            return lzma.decompress(data)
        case ".gz":
            return gzip.decompress(data)
        case ".zst":
            return subprocess.run(["zstd", "-dcq"], input=data, capture_output=True, check=True, timeout=60).stdout
    return data


def _entry(name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> bytes:
    """A file of a "newc" cpio archive: 13 numbers of eight hex digits, the name and the data, each padded to four."""
    encoded = name.encode() + b"\0"
    numbers = (0, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(encoded), 0)
    head = b"070701" + b"".join(b"%08X" % number for number in numbers) + encoded
    return _padded(head) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
