"""A littlefs image, read back by littlefs at the geometry that MicroPython mounts with."""

from __future__ import annotations

from littlefs import LittleFS, UserContext


def mounted(data: bytes) -> LittleFS:
    """As extmod/vfs_lfsx.c mounts it; the number of blocks must be that of the partition."""
    return LittleFS(
        UserContext(buffer=bytearray(data)), block_size=4096, block_count=len(data) // 4096, read_size=32,
        prog_size=32, cache_size=128, lookahead_size=32, block_cycles=100,
    )  # fmt: skip


def contents(data: bytes) -> dict[str, bytes]:
    """Every file by its path."""
    disk = mounted(data)
    found = {}
    for top, _, names in disk.walk("/"):
        for name in names:
            path = f"{top.rstrip('/')}/{name}"
            with disk.open(path, "rb") as opened:
                found[path.lstrip("/")] = opened.read()
    return found
