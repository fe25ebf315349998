"""Small pictures, made here."""

from __future__ import annotations

import struct
import zlib


def png(side: int = 4) -> bytes:
    """A green square of so many pixels."""
    rows = (b"\0" + b"\x1e\x8c\x50" * side) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4" fill="green"/></svg>'
