"""What travels and what lies on flash: the pinned bytes, and every way of damaging them."""

import binascii

from moveclock import wire
from vectors import in_hex, load, of_hex
from wrong_bytes import complaint, refused

RECORD = (6, 7654321, 2, 17, 2, 1, 38912, 1, 23)
NONCE = bytes(range(16))
UID = b"\x24\x6f\x28\x01\x02\x03"


def test_records_are_the_pinned_bytes() -> None:
    for pinned in load("wire.json")["records"]:
        data = of_hex(pinned["hex"])
        fact = tuple(pinned["fact"])
        assert len(data) == wire.RECORD_SIZE, pinned["name"]
        assert in_hex(wire.pack_record(pinned["seq"], pinned["boot"], fact)) == pinned["hex"], pinned["name"]
        assert wire.unpack_record(data) == (pinned["seq"], pinned["boot"], fact), pinned["name"]


def test_a_record_with_any_bit_flipped_is_refused() -> None:
    data = wire.pack_record(1042, 3, RECORD)
    for bit in range(8 * len(data)):
        altered = bytearray(data)
        altered[bit >> 3] ^= 1 << (bit & 7)
        assert refused(wire.unpack_record, bytes(altered)), bit


def test_a_truncated_or_oversized_record_is_refused() -> None:
    data = wire.pack_record(1042, 3, RECORD)
    for size in range(len(data)):
        assert refused(wire.unpack_record, data[:size])
    assert refused(wire.unpack_record, data + b"\x00") and refused(wire.unpack_record, data + data)


def test_erased_and_zeroed_flash_is_no_record() -> None:
    assert refused(wire.unpack_record, bytes(32)) and refused(wire.unpack_record, b"\xff" * 32)


def test_a_whole_record_of_another_version_is_refused() -> None:
    body = b"\x02" + wire.pack_record(1, 1, RECORD)[1:28]
    crc = binascii.crc32(body)
    assert refused(wire.unpack_record, body + bytes([crc >> shift & 255 for shift in (0, 8, 16, 24)]))


def test_uptime_and_payload_go_on_air_modulo_two_to_the_32() -> None:
    fact = (4, (1 << 32) + 5, 1, 1, 0, 0, (1 << 32) + 7, -1, 106)
    assert wire.unpack_record(wire.pack_record(1, 0x10003, fact)) == (1, 3, (4, 5, 1, 1, 0, 0, 7, 0xFFFFFFFF, 106))


def test_frames_are_the_pinned_bytes() -> None:
    frames = load("wire.json")["frames"]
    assert in_hex(wire.pack_hello(NONCE, 0x0DE5C001, 0xC0FFEE11, 1042, "Stół sędziego")) == frames["hello"]
    assert wire.unpack_hello(of_hex(frames["hello"])) == (1, NONCE, 0x0DE5C001, 0xC0FFEE11, 1042, "Stół sędziego")
    welcome = (UID, 0xC0FFEE11, 3, 7, 1043, 7661020, bytes(range(16, 32)))
    assert in_hex(wire.pack_welcome(*welcome)) == frames["welcome"]
    assert wire.unpack_welcome(of_hex(frames["welcome"])) == (1,) + welcome
    command = (77, 6, 2, 18, 3, 7700000, b"\x30\x75\x00\x00")
    assert in_hex(wire.pack_command(*command)) == frames["command"]
    assert wire.unpack_command(of_hex(frames["command"])) == command
    assert wire.unpack_command(wire.pack_command(1, 4, 0, 0, 1, 0, b"")) == (1, 4, 0, 0, 1, 0, b"")
    state = (4, 3, 2, 18, 23, 7661020, 21405, 4, 255, 1, 0, 41, 0, 0xC0FFEE11, 1043)
    assert len(state) == len(wire.STATE_FIELDS)
    assert in_hex(wire.pack_state(state)) == frames["state"]
    assert wire.unpack_state(of_hex(frames["state"])) == state


def test_frames_of_a_wrong_size_are_refused() -> None:
    frames = load("wire.json")["frames"]
    for name, read, whole in (
        ("hello", wire.unpack_hello, 30),
        ("welcome", wire.unpack_welcome, 42),
        ("command", wire.unpack_command, 16),
        ("state", wire.unpack_state, 34),
    ):
        frame = of_hex(frames[name])
        for size in range(whole):
            assert refused(read, frame[:size]), (name, size)
    assert refused(wire.unpack_hello, of_hex(frames["hello"])[:30] + b"x" * (wire.NAME_MOST + 1))
    assert refused(wire.unpack_welcome, of_hex(frames["welcome"]) + b"\x00")
    assert refused(wire.unpack_state, of_hex(frames["state"]) + b"\x00")


def test_no_frame_the_desk_sends_is_larger_than_a_link_carries() -> None:
    arguments = bytes(2 + 35)  # a game's number and its settings, the largest there are
    assert len(wire.pack_hello(NONCE, 1, 1, 1, "x" * 60)) <= wire.MTU_AT_LEAST - 3
    assert len(wire.pack_command(1, 1, 1, 1, 1, 1, arguments)) + wire.SEAL_OVERHEAD <= wire.MTU_AT_LEAST - 3


def test_a_name_too_long_loses_whole_letters() -> None:
    for name, kept in (
        ("Świetlica „Pod Żaglami” 2", "Świetlica „Pod Żagla"),
        ("x" * 23 + "ż", "x" * 23),
        ("x" * 22 + "ż", "x" * 22 + "ż"),
        ("", ""),
    ):
        assert wire.unpack_hello(wire.pack_hello(NONCE, 1, 1, 1, name))[5] == kept


def test_a_name_that_is_no_text_is_refused() -> None:
    hello = wire.pack_hello(NONCE, 1, 1, 1, "")
    for name in (b"\xff\xfe", b"abc\xc3", b"\x80"):
        assert refused(wire.unpack_hello, hello + name)


def test_numbers_are_counted() -> None:
    body = b"\x10\x01\x00\x00\x00\x02\x00\x00\x80"
    assert wire.numbers(body, 2) == (1, 0x80000002)
    for count in (0, 1, 3):
        assert refused(wire.numbers, body, count)
    assert refused(wire.numbers, b"", 0) and refused(wire.numbers, body[:-1], 2)


def test_a_refusal_without_a_reason_is_one_and_half_of_it_is_none() -> None:
    tag = bytes(range(16))
    for reason in (b"", "Stół".encode()):
        assert wire.unpack_refusal(wire.pack_refusal(wire.NO_BUSY, tag, reason)) == (wire.NO_BUSY, tag, reason)
    whole = wire.pack_refusal(wire.NO_BUSY, tag, b"")
    for size in range(len(whole)):
        assert refused(wire.unpack_refusal, whole[:size]), size


def test_what_is_refused_is_refused_in_a_sentence_that_says_why() -> None:
    body = b"\x02" + wire.pack_record(1, 1, RECORD)[1:28]
    crc = binascii.crc32(body)
    other_version = body + bytes([crc >> shift & 255 for shift in (0, 8, 16, 24)])
    for read, data, sentence in (
        (wire.unpack_record, bytes(31), "a record has 32 bytes, not 31"),
        (wire.unpack_record, bytes(32), "a record's checksum does not match"),
        (wire.unpack_record, other_version, "a record of version 2, expected 1"),
        (wire.unpack_hello, bytes(29), "a hello of 29 bytes"),
        (wire.unpack_hello, wire.pack_hello(NONCE, 1, 1, 1, "") + b"\xff", "a name that is not UTF-8"),
        (wire.unpack_welcome, bytes(41), "a welcome of 41 bytes"),
        (wire.unpack_refusal, bytes(17), "a refusal of 17 bytes"),
        (wire.unpack_command, bytes(15), "a command of 15 bytes"),
        (wire.unpack_state, bytes(33), "a state of 33 bytes"),
    ):
        assert complaint(read, data) == sentence
    assert complaint(wire.numbers, bytes(8), 2) == "2 numbers in 8 bytes"
