"""Who a box is, as a file on its flash: the pinned bytes, and that nothing else is taken for an identity."""

import binascii

from moveclock import identity
from moveclock.identity import Identity
from vectors import in_hex, of_hex
from wrong_bytes import complaint, refused

UID = b"\x24\x6f\x28\x01\x02\x03"
SECRET = bytes(range(1, 33))
PAIRED = "01246f28010203070102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f200000b4af663e"
UNPAIRED = "0100000000000013" + "00" * 34 + "47d67f81"


def sealed(body: bytes) -> bytes:
    """A body of 42 bytes under a checksum that matches."""
    crc = binascii.crc32(body) & 0xFFFFFFFF
    return body + bytes([crc >> shift & 255 for shift in (0, 8, 16, 24)])


def test_identities_are_the_pinned_bytes() -> None:
    for build, uid, secret, pinned in (
        (identity.KOSTKA | identity.SHARED | identity.SCREEN, UID, SECRET, PAIRED),
        (identity.KOSTKA | identity.SHARED | identity.INVERTED, b"", b"", UNPAIRED),
    ):
        assert in_hex(Identity(build, uid, secret).pack()) == pinned
        known = identity.unpack(of_hex(pinned))
        assert (known.build, known.uid, known.secret) == (build, uid, secret)


def test_a_box_that_was_installed_and_not_paired_is_nobody() -> None:
    known = identity.unpack(Identity(identity.KOSTKA).pack())
    assert (known.build, known.uid, known.secret) == (identity.KOSTKA, b"", b"")


def test_an_identity_with_any_bit_flipped_or_half_written_is_refused() -> None:
    whole = of_hex(PAIRED)
    for bit in range(8 * len(whole)):
        altered = bytearray(whole)
        altered[bit >> 3] ^= 1 << (bit & 7)
        assert refused(identity.unpack, bytes(altered)), bit
    for size in range(len(whole)):
        assert refused(identity.unpack, whole[:size]), size


def test_bytes_that_are_no_identity_are_refused_in_a_sentence_that_says_why() -> None:
    body = of_hex(PAIRED)[:42]
    for data, sentence in (
        (b"", "an identity has 46 bytes, not 0"),
        (of_hex(PAIRED) + b"\x00", "an identity has 46 bytes, not 47"),
        (bytes(46), "an identity's checksum does not match"),
        (sealed(b"\x02" + body[1:]), "an identity of version 2, expected 1"),
        (sealed(body[:1] + bytes(6) + body[7:]), "an identity with a uid or a secret, and not both"),
        (sealed(body[:8] + bytes(32) + body[40:]), "an identity with a uid or a secret, and not both"),
    ):
        assert complaint(identity.unpack, data) == sentence
