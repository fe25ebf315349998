"""A table seen without a connection: 28 bytes that only its own box can make, and nobody can replay."""

from moveclock import advert, secure
from moveclock import facts as k
from moveclock.wire import WireError
from vectors import in_hex, load, of_hex

KEY = bytes(range(32))
UID = b"\x24\x6f\x28\x01\x02\x03"
FACE = (k.RUNNING, k.SEAT_B, 4, 7700000, 41)


def refused(key: bytes, data: bytes) -> bool:
    try:
        advert.unpack(key, data)
    except WireError:
        return True
    return False


def head_of(data: bytes) -> int:
    return int(advert.unpack(KEY, data)[3])


def test_advertisements_are_the_pinned_bytes() -> None:
    pinned = load("wire.json")
    key, uid = of_hex(pinned["key"]), of_hex(pinned["uid"])
    for one in pinned["adverts"]:
        face = tuple(one["face"])
        data = advert.pack(key, uid, pinned["epoch"], one["boot"], pinned["head"], one["backlog"], face)
        assert in_hex(data) == one["hex"], one["name"]
        assert advert.unpack(key, data) == (
            uid[3:], pinned["epoch"] & 0xFFFF, one["boot"], pinned["head"], one["backlog"],
        ) + face, one["name"]  # fmt: skip


def test_with_the_flags_it_fills_an_advertisement_of_31_bytes() -> None:
    data = advert.pack(KEY, UID, 1, 1, 1, 0, FACE)
    assert len(data) == advert.SIZE == 31 - 3
    assert data[0] == len(data) - 1 and data[1:4] == b"\xff\xff\xff"  # manufacturer data of company 0xFFFF


def test_what_does_not_fit_is_cut_to_what_is_promised() -> None:
    data = advert.pack(KEY, UID, 0x12345678, 0x0203, 0xFFFFFFFF, 70000, (k.READY, k.NOBODY, 5, (1 << 32) + 9, 255))
    assert advert.unpack(KEY, data) == (
        b"\x01\x02\x03", 0x5678, 0x03, 0xFFFFFFFF, 255, k.READY, k.NOBODY, 5, 9, 255,
    )  # fmt: skip


def test_a_foreign_tag_is_refused() -> None:
    data = advert.pack(KEY, UID, 1, 1, 1042, 0, FACE)
    assert refused(bytes(32), data) and refused(KEY[1:], data)
    assert not refused(KEY, data)


def test_any_flipped_bit_and_any_other_size_is_refused() -> None:
    data = advert.pack(KEY, UID, 1, 1, 1042, 0, FACE)
    for bit in range(8 * len(data)):
        altered = bytearray(data)
        altered[bit >> 3] ^= 1 << (bit & 7)
        assert refused(KEY, bytes(altered)), bit
    for wrong in (b"", data[:-1], data + b"\x00"):
        assert refused(KEY, wrong)


def test_a_tagged_advertisement_of_another_kind_is_refused() -> None:
    body = advert.pack(KEY, UID, 1, 1, 1042, 0, FACE)[:22]
    for place, value in ((1, 0x16), (2, 0x4C), (4, 0x22)):
        other = body[:place] + bytes([value]) + body[place + 1 :]
        assert refused(KEY, other + secure.advert_tag(KEY, other))


def test_a_replay_is_known_by_its_older_head() -> None:
    recorded = advert.pack(KEY, UID, 1, 1, 1042, 0, FACE)
    now = advert.pack(KEY, UID, 1, 1, 1043, 1, FACE)
    assert head_of(recorded) < head_of(now)
    renumbered = now[:13] + recorded[13:17] + now[17:]  # a head cannot be changed without the key
    assert refused(KEY, renumbered) or head_of(renumbered) == head_of(now)
