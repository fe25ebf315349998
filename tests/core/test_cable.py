"""The cable: packets come through whole or not at all, whatever else the wire carries."""

import binascii

from moveclock import cable, wire
from vectors import in_hex, of_hex
from wrong_bytes import complaint, refused

INFO = bytes([1]) + b"\x24\x6f\x28\x01\x02\x03" + bytes([1, 1, 100])
ROM = b"ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"


def lengths() -> list[int]:
    """Payload sizes around every edge of COBS, where the checksum makes a block five bytes longer."""
    return list(range(20)) + list(range(243, 262)) + [300, 312]


def noise(seed: int, size: int) -> bytes:
    """The same bytes on every interpreter: a linear congruence, its high byte."""
    out = bytearray()
    for _ in range(size):
        seed = (seed * 1103515245 + 12345) & 0x3FFFFFFF
        out.append(seed >> 16 & 255)
    return bytes(out)


def test_a_packet_of_any_size_and_content_arrives() -> None:
    for size in lengths():
        for payload in (bytes(size), b"\xff" * size, noise(size, size), bytes(range(256)) * 2):
            packets = cable.Packets()
            assert packets.feed(cable.pack(7, payload[:size])) == [(7, payload[:size])]
            assert packets.refused == 0


def test_packets_are_the_pinned_bytes() -> None:
    for kind, payload, checksum, packed in (
        (cable.ASK, b"", "1bdf05a5", "0006011bdf05a500"),
        (cable.FRAME, b"\x11\x00", "02fa98ac", "000102110502fa98ac00"),
    ):
        body = bytes([kind]) + payload
        assert in_hex(little(binascii.crc32(body) & 0xFFFFFFFF)) == checksum
        assert in_hex(cable.pack(kind, payload)) == packed
        assert cable.Packets().feed(of_hex(packed)) == [(kind, payload)]
    assert in_hex(cable.fingerprint(bytes(32))) == "c7326fe3"


def little(value: int) -> bytes:
    return bytes([value >> shift & 255 for shift in (0, 8, 16, 24)])


def test_what_the_rom_prints_between_packets_is_counted_and_forgotten() -> None:
    packets = cable.Packets()

    heard = packets.feed(ROM + cable.pack(1) + b">>> \r\n" + cable.pack(2, b"ab") + ROM * 9 + cable.pack(3))

    assert heard == [(1, b""), (2, b"ab"), (3, b"")]
    assert packets.refused == 3


def test_bytes_cut_anywhere_make_the_same_packets() -> None:
    data = ROM[:30] + cable.pack(1, bytes(9)) + cable.pack(2, noise(3, 247)) + b"\x00\x00"
    whole = cable.Packets().feed(data)
    for cut in range(len(data) + 1):
        packets = cable.Packets()
        assert packets.feed(data[:cut]) + packets.feed(data[cut:]) == whole
    packets = cable.Packets()
    one_by_one: list[tuple[int, bytes]] = []
    for place in range(len(data)):
        one_by_one.extend(packets.feed(data[place : place + 1]))
    assert one_by_one == whole


def test_a_packet_with_any_bit_flipped_is_not_heard() -> None:
    data = cable.pack(1, b"\x00secret\x00\xff")
    for bit in range(8 * len(data)):
        altered = bytearray(data)
        altered[bit >> 3] ^= 1 << (bit & 7)
        packets = cable.Packets()
        heard = packets.feed(bytes(altered))
        packets.feed(b"\x00")
        if bit >> 3 in (0, len(data) - 1):  # a zero is the border of a packet and no part of it
            continue
        assert heard == [], bit
        assert packets.refused, bit
        assert packets.feed(data) == [(1, b"\x00secret\x00\xff")], bit


def test_garbage_is_never_an_error_and_leaves_the_next_packet_whole() -> None:
    packets = cable.Packets()
    for seed in range(300):
        packets.feed(noise(seed, seed))
        assert packets.feed(cable.pack(5, b"here"))[-1:] == [(5, b"here")]
    assert packets.refused > 250


def test_a_run_that_is_too_long_is_one_refusal_and_takes_no_room() -> None:
    packets = cable.Packets()
    for _ in range(50):
        assert packets.feed(b"x" * 100) == []
    assert packets.refused == 0
    assert packets.feed(b"\x00") == []
    assert packets.refused == 1
    assert packets.feed(cable.pack(1)) == [(1, b"")]


def test_what_is_too_long_for_a_packet_is_not_packed() -> None:
    assert refused(cable.pack, 1, bytes(400))
    assert not refused(cable.pack, cable.FRAME, bytes(wire.FRAME_MOST))


def test_what_a_box_tells_of_itself_comes_back() -> None:
    for secret in (b"", b"\x07" * 32):
        for setup in (False, True):
            for backlog, free in ((None, None), (0, None), (70000, 21000), (None, 0)):
                said = cable.Told(INFO, bool(secret), setup, cable.fingerprint(secret), backlog, free)
                told = cable.unpack_told(cable.pack_told(said))
                assert (told.info, told.paired, told.setup) == (INFO, bool(secret), setup)
                assert (told.backlog, told.free, told.chip) == (backlog, free, None)
                assert told.fingerprint == cable.fingerprint(secret)


def test_memory_of_the_heap_and_of_the_chip_are_told_apart() -> None:
    for free in (None, 17000):
        said = cable.Told(INFO, True, False, b"abcd", 7, free, (65000, 40000))
        told = cable.unpack_told(cable.pack_told(said))
        assert (told.backlog, told.free, told.chip) == (7, free, (65000, 40000))


def test_half_of_what_a_box_tells_is_refused() -> None:
    for backlog, free in ((None, None), (7, None), (7, 9), (None, 9)):
        whole = cable.pack_told(cable.Told(INFO, True, False, b"\x01\x02\x03\x04", backlog, free))
        for size in range(len(whole)):
            assert refused(cable.unpack_told, whole[:size]), size
        assert refused(cable.unpack_told, whole + b"\x00")
        assert refused(cable.unpack_told, bytes([32]) + whole[1:])
    whole = cable.pack_told(cable.Told(INFO, True, False, b"\x01\x02\x03\x04", 7, 9, (3, 2)))
    for size in range(len(whole)):
        assert refused(cable.unpack_told, whole[:size]), size


def test_a_fingerprint_tells_secrets_apart_and_none_has_none() -> None:
    one, other = cable.fingerprint(b"\x01" * 32), cable.fingerprint(b"\x02" * 32)
    assert len(one) == len(other) == 4 and one != other
    assert cable.fingerprint(b"") == b""


def test_a_zero_anywhere_about_the_end_of_a_block_arrives() -> None:
    for filled in range(248, 258):
        for tail in (b"", b"\x00", b"\x00\x00", b"\x00abc", b"abc"):
            payload = b"\x07" * filled + tail
            packets = cable.Packets()
            assert packets.feed(cable.pack(7, payload)) == [(7, payload)], (filled, tail)
            assert packets.refused == 0


def test_a_packet_whose_checksum_ends_with_a_zero_arrives() -> None:
    ending = 0
    for number in range(2000):
        payload = bytes([number & 255, number >> 8])
        ending += binascii.crc32(bytes([7]) + payload) >> 24 & 255 == 0
        assert cable.Packets().feed(cable.pack(7, payload)) == [(7, payload)], number
    assert ending > 0


def test_the_longest_packet_is_packed_and_heard_and_one_byte_more_is_not() -> None:
    longest = b"x" * 313
    packets = cable.Packets()
    packed = cable.pack(7, longest)
    assert len(packed) == cable.PACKET_MOST + 2
    assert packets.feed(packed) == [(7, longest)]
    assert complaint(cable.pack, 7, longest + b"x") == "a packet of 314 bytes is too long for the cable"
    assert packets.feed(packed[:-1] + b"x\x00") == []
    assert packets.refused == 1


def test_a_run_that_is_too_long_is_not_taken_for_the_packet_before_it() -> None:
    packets = cable.Packets()
    assert packets.feed(cable.pack(1) + b"x" * 400 + b"\x00") == [(1, b"")]
    assert packets.refused == 1


def test_counts_go_up_to_two_to_the_32_and_a_box_may_say_next_to_nothing_of_itself() -> None:
    most = 0xFFFFFFFF
    told = cable.unpack_told(cable.pack_told(cable.Told(INFO, False, False, b"", most, most, (most, most))))
    assert (told.backlog, told.free, told.chip) == (most, most, (most, most))

    bare = cable.unpack_told(cable.pack_told(cable.Told(b"", False, False, b"")))
    assert (bare.info, bare.paired, bare.setup, bare.fingerprint) == (b"", False, False, b"")
    assert (bare.backlog, bare.free, bare.chip) == (None, None, None)


def test_a_flag_that_this_firmware_does_not_know_is_refused_with_what_was_said() -> None:
    for flags in (32, 64, 128):
        said = "what a box tells of itself in 2 bytes with flags " + str(flags)
        assert complaint(cable.unpack_told, bytes([flags, 0])) == said
    assert complaint(cable.unpack_told, b"\x00") == "what a box tells of itself in 1 bytes"


def test_a_packet_whose_checksum_does_not_match_is_counted_once() -> None:
    packets = cable.Packets()
    packed = cable.pack(1, b"ab")
    assert packets.feed(packed[:-2] + bytes([packed[-2] ^ 1]) + b"\x00") == []
    assert packets.refused == 1
