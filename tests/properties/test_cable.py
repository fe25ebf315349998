"""The cable under hypothesis: any noise between packets, cut anywhere; what was packed arrives, and nothing else."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from moveclock import cable, wire

PACKET = st.tuples(st.integers(0, 255), st.binary(max_size=wire.FRAME_MOST + 1))
NOISE = st.one_of(st.binary(max_size=400), st.text(max_size=80).map(str.encode), st.just(b"\0" * 3))
CUTS = st.lists(st.integers(0, 4000), max_size=12)


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """The same bytes, cut at these places."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:stop] for start, stop in pairwise(places)]


@given(st.lists(st.tuples(NOISE, PACKET)), NOISE, CUTS)
def test_packets_arrive_in_order_whatever_lies_between_and_wherever_it_is_cut(
    parts: list[tuple[bytes, tuple[int, bytes]]], after: bytes, cuts: list[int]
) -> None:
    data = b"".join(noise + cable.pack(*packet) for noise, packet in parts) + after
    packets = cable.Packets()

    heard = [packet for piece in in_pieces(data, cuts) for packet in packets.feed(piece)]

    assert heard == [packet for _, packet in parts]


@given(PACKET)
def test_between_its_borders_a_packet_has_no_zero_and_fits(packet: tuple[int, bytes]) -> None:
    data = cable.pack(*packet)

    assert data[0] == data[-1] == 0
    assert 0 not in data[1:-1]
    assert len(data) - 2 <= cable.PACKET_MOST


@given(PACKET, st.integers(1), st.integers(1, 255))
def test_a_damaged_packet_is_not_heard_as_another(packet: tuple[int, bytes], place: int, flip: int) -> None:
    data = bytearray(cable.pack(*packet))
    place = 1 + place % (len(data) - 2)
    data[place] ^= flip
    packets = cable.Packets()

    assert packets.feed(bytes(data)) == []
    assert packets.refused >= 1


@given(st.binary(max_size=64))
def test_what_a_box_tells_is_read_or_refused(payload: bytes) -> None:
    with suppress(wire.WireError):
        told = cable.unpack_told(payload)
        assert cable.pack_told(told) == payload


@given(st.lists(st.binary(max_size=700)))
def test_nothing_that_is_fed_is_an_error_or_grows(pieces: list[bytes]) -> None:
    packets = cable.Packets()
    for piece in pieces:
        packets.feed(piece)

    assert packets.feed(b"\0" + cable.pack(cable.ASK))[-1] == (cable.ASK, b"")
