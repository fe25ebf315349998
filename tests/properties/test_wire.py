"""The wire against its own documentation: every pinned byte recomputed by hand, every value there and back."""

from __future__ import annotations

import contextlib
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moveclock import advert, secure, wire

PINNED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "wire.json").read_text(encoding="utf-8"))

U8 = st.integers(0, 0xFF)
U16 = st.integers(0, 0xFFFF)
U32 = st.integers(0, 0xFFFFFFFF)


def fields(*parts: tuple[int, int]) -> bytes:
    """Little-endian values, each `(size in bytes, value)`."""
    return b"".join(value.to_bytes(size, "little") for size, value in parts)


@pytest.mark.parametrize("record", PINNED["records"], ids=lambda record: record["name"])
def test_a_pinned_record_is_laid_out_as_documented(record: dict[str, Any]) -> None:
    kind, at, game, move, seat, code, a, b, c = record["fact"]
    body = fields(
        (1, 1), (1, kind), (2, record["boot"]), (4, record["seq"]), (4, at), (2, game), (2, move), (1, seat),
        (1, code), (2, c), (4, a), (4, b),
    )  # fmt: skip
    assert bytes.fromhex(record["hex"]) == body + zlib.crc32(body).to_bytes(4, "little")


@pytest.mark.parametrize("one", PINNED["adverts"], ids=lambda one: one["name"])
def test_a_pinned_advertisement_is_laid_out_as_documented(one: dict[str, Any]) -> None:
    state, seat, alarm, deadline, battery = one["face"]
    body = b"".join((
        fields((1, 27), (1, 0xFF), (2, 0xFFFF), (1, 0x10 | state), (1, (seat & 15) << 4 | alarm)),
        bytes.fromhex(PINNED["uid"])[3:],
        fields((2, PINNED["epoch"] & 0xFFFF), (1, one["boot"]), (4, PINNED["head"]), (1, one["backlog"])),
        fields((4, deadline), (1, battery)),
    ))  # fmt: skip
    assert bytes.fromhex(one["hex"]) == body + secure.advert_tag(bytes.fromhex(PINNED["key"]), body)


@given(U32, U16, st.tuples(U8, U32, U16, U16, U8, U8, U32, U32, U16))
def test_any_fact_comes_back(seq: int, boot: int, fact: tuple[int, ...]) -> None:
    assert wire.unpack_record(wire.pack_record(seq, boot, fact)) == (seq, boot, fact)


@given(st.binary(max_size=300))
def test_garbage_is_a_refusal_and_nothing_else(data: bytes) -> None:
    for read in (wire.unpack_record, wire.unpack_hello, wire.unpack_welcome, wire.unpack_command, wire.unpack_state):
        with contextlib.suppress(wire.WireError):
            read(data)
    with pytest.raises(wire.WireError):
        advert.unpack(bytes(32), data)


@given(st.binary(min_size=16, max_size=16), U32, U32, U32, st.text())
def test_any_desk_can_introduce_itself(nonce: bytes, desk: int, epoch: int, last: int, name: str) -> None:
    sayable = name.encode(errors="replace").decode()
    said = wire.unpack_hello(wire.pack_hello(nonce, desk, epoch, last, sayable))
    assert said[:5] == (wire.PROTOCOL, nonce, desk, epoch, last)
    assert sayable.startswith(said[5])
    assert said[5] == sayable or wire.NAME_MOST - 4 < len(said[5].encode()) <= wire.NAME_MOST


@given(U32, U8, U16, U16, U16, U32, st.binary(max_size=60))
def test_any_command_comes_back(
    number: int, command: int, game: int, move: int, boot: int, at: int, arguments: bytes
) -> None:
    whole = (number, command, game, move, boot, at, arguments)
    assert wire.unpack_command(wire.pack_command(*whole)) == whole
