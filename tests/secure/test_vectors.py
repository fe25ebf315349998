"""`moveclock.secure` against the standard library's HMAC: RFC 4231's inputs, any inputs, and the pinned vectors."""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moveclock import secure

VECTORS = Path(__file__).parents[1] / "vectors" / "secure.json"

LONG = (
    b"This is a test using a larger than block-size key and a larger than block-size data. "
    b"The key needs to be hashed before being used by the HMAC algorithm."
)
RFC_4231 = [
    (b"\x0b" * 20, b"Hi There"),
    (b"Jefe", b"what do ya want for nothing?"),
    (b"\xaa" * 20, b"\xdd" * 50),
    (bytes(range(1, 26)), b"\xcd" * 50),
    (b"\x0c" * 20, b"Test With Truncation"),
    (b"\xaa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First"),
    (b"\xaa" * 131, LONG),
]


def reference(key: bytes, *parts: bytes) -> bytes:
    """What `derive` promises, said with the standard library alone."""
    return hmac.digest(key, b"".join(struct.pack("<H", len(part)) + part for part in parts), "sha256")


@pytest.mark.parametrize(("key", "data"), RFC_4231)
def test_hmac_of_every_case_of_rfc_4231(key: bytes, data: bytes) -> None:
    assert secure.Mac(key).digest(data) == hmac.digest(key, data, hashlib.sha256)


@given(st.binary(max_size=200), st.binary(max_size=300), st.binary(max_size=100))
def test_hmac_of_any_key_and_data(key: bytes, data: bytes, more: bytes) -> None:
    assert secure.Mac(key).digest(data, more) == hmac.digest(key, data + more, "sha256")


@given(st.binary(max_size=64), st.binary(max_size=20), st.lists(st.binary(max_size=40), max_size=4))
def test_a_derived_key_is_the_hmac_of_its_label_and_parts_behind_their_lengths(
    secret: bytes, label: bytes, parts: list[bytes]
) -> None:
    assert secure.derive(secret, label, *parts) == reference(secret, label, *parts)


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_same_is_equality(a: bytes, b: bytes) -> None:
    assert secure.same(a, b) == (a == b)
    assert secure.same(a, bytes(a))


@given(st.binary(min_size=1, max_size=32), st.lists(st.binary(max_size=60), max_size=8), st.data())
def test_whatever_a_link_loses_or_repeats_what_opens_is_a_growing_part_of_what_was_sealed(
    key: bytes, bodies: list[bytes], data: st.DataObject
) -> None:
    sender, receiver = secure.Seal(key), secure.Seal(key)
    frames = [sender.seal(body) for body in bodies]
    arriving = data.draw(st.lists(st.sampled_from(range(len(frames))), max_size=12)) if frames else []
    opened = []
    for number in arriving:
        try:
            assert receiver.open(frames[number]) == bodies[number]
            opened.append(number)
        except secure.SecureError:
            assert opened
            assert number <= opened[-1]
    assert opened == sorted(set(opened))


def test_the_pinned_vectors_are_what_an_independent_hmac_says() -> None:
    pinned = json.loads(VECTORS.read_text(encoding="utf-8"))
    given = {name: bytes.fromhex(value) for name, value in pinned.items() if isinstance(value, str) and name != "_"}
    uid = given["uid"]
    secret = reference(given["club_secret"], b"box secret", uid, given["pairing_number"])
    stream = uid, struct.pack("<I", pinned["epoch"]), given["desk_nonce"], given["box_nonce"]
    assert given["box_secret"] == secret
    assert given["desk_key"] == reference(secret, b"desk", *stream)
    assert given["box_key"] == reference(secret, b"box", *stream)
    assert given["desk_handshake_tag"] == reference(secret, b"handshake", b"desk", given["transcript"])[:16]
    assert given["box_handshake_tag"] == reference(secret, b"handshake", b"box", given["transcript"])[:16]
    refusal = given["transcript"], bytes([pinned["refusal_why"]]), given["refusal_text"]
    assert given["refusal_tag"] == reference(secret, b"refusal", *refusal)[:16]
    assert given["advert_key"] == reference(secret, b"advert", uid)
    assert given["advert_tag"] == hmac.digest(given["advert_key"], given["advert"], "sha256")[:6]
    for number, (body, frame) in enumerate(zip(pinned["bodies"], pinned["sealed_by_desk"], strict=True), start=1):
        text = struct.pack("<I", number) + bytes.fromhex(body)
        assert bytes.fromhex(frame) == text + hmac.digest(given["desk_key"], text, "sha256")[:8]
