"""Vias and tracks are laid by the numbers of a board house: joined, apart, within the edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot

import pytest

from hardware.flat.copper import CLEARANCE, EDGE, VIA, Pad, Routes, Track
from hardware.flat.fanout import NoRoom, fan_out
from hardware.flat.router import Router, Unrouted

BOARD = [(0.0, 0.0), (30.0, 0.0), (30.0, 20.0), (0.0, 20.0)]


def pad(ref: str, net: str, x: float, y: float, *, layers: str = "F", drill: float = 0.0, size: float = 1.0) -> Pad:
    return Pad(ref, "1", x, y, size, size, 0.0, layers, net, drill)


def routed(pads: Sequence[Pad], *nets: str, closed: Sequence[Sequence[tuple[float, float]]] = ()) -> Routes:
    return Router(pads, BOARD, closed).route(nets)


def reached(routes: Routes, net: str, pads: Sequence[Pad]) -> set[str]:
    """The pads of a net that hang together with its first one, by points that tracks, vias and pads share."""
    points: list[tuple[float, float, str]] = []
    links: list[tuple[int, int]] = []

    def add(x: float, y: float, layer: str) -> int:
        points.append((x, y, layer))
        return len(points) - 1

    for track in routes.tracks:
        if track.net == net:
            steps = max(1, round(hypot(track.x2 - track.x1, track.y2 - track.y1) / 0.125))
            dx, dy = (track.x2 - track.x1) / steps, (track.y2 - track.y1) / steps
            laid = [add(track.x1 + dx * n, track.y1 + dy * n, track.layer) for n in range(steps + 1)]
            links += pairwise(laid)
    for via in routes.vias:
        if via.net == net:
            links.append((add(via.x, via.y, "F"), add(via.x, via.y, "B")))
    of = {each.ref: [add(each.x, each.y, layer) for layer in each.layers] for each in pads if each.net == net}
    for each in pads:
        if each.net == net:
            for place, (x, y, layer) in enumerate(points):
                if layer in each.layers and each.distance(x, y) == 0:
                    links.append((of[each.ref][each.layers.index(layer)], place))
            links += pairwise(of[each.ref])
    for one, (x, y, layer) in enumerate(points):
        links += [
            (one, other)
            for other, (x2, y2, layer2) in enumerate(points[:one])
            if layer == layer2 and hypot(x - x2, y - y2) < 0.07
        ]
    group = list(range(len(points)))

    def root(place: int) -> int:
        while group[place] != place:
            place = group[place]
        return place

    for one, other in links:
        group[root(one)] = root(other)
    first = root(next(iter(of.values()))[0])
    return {ref for ref, places in of.items() if root(places[0]) == first}


def apart(one: Track, other: Track) -> float:
    """Between the edges of two tracks, by points along them."""

    def along(track: Track) -> list[tuple[float, float]]:
        return [
            (track.x1 + (track.x2 - track.x1) * n / 40, track.y1 + (track.y2 - track.y1) * n / 40) for n in range(41)
        ]

    least = min(hypot(x1 - x2, y1 - y2) for x1, y1 in along(one) for x2, y2 in along(other))
    return least - (one.width + other.width) / 2


def test_all_pads_of_a_net_are_joined() -> None:
    pads = [pad("R1", "A", 3, 3), pad("R2", "A", 27, 17), pad("R3", "A", 27, 3), pad("R4", "A", 4, 16, layers="B")]
    assert reached(routed(pads, "A"), "A", pads) == {"R1", "R2", "R3", "R4"}


def test_tracks_of_two_nets_that_cross_keep_their_distance() -> None:
    pads = [pad("R1", "A", 3, 10), pad("R2", "A", 27, 10), pad("R3", "B", 15, 3), pad("R4", "B", 15, 17)]
    routes = routed(pads, "A", "B")
    assert reached(routes, "A", pads) == {"R1", "R2"}
    assert reached(routes, "B", pads) == {"R3", "R4"}
    for one in routes.tracks:
        for other in routes.tracks:
            if one.net != other.net and one.layer == other.layer:
                assert apart(one, other) > CLEARANCE - 0.04  # between two points of the grid a diagonal comes nearer


def test_who_is_in_the_way_gives_way() -> None:
    """The short net's own way is the only one that the long one has."""
    gap = (7, 8)
    wall = [
        pad(f"W{n}", f"W{n}", 15, 0.6 + 1.25 * n, layers="F12B", drill=0.8, size=1.2) for n in range(16) if n not in gap
    ]
    pads = [
        *wall,
        pad("R1", "short", 13, 10), pad("R2", "short", 13, 6),
        pad("R3", "long", 11, 8.8), pad("R4", "long", 25, 10),
    ]  # fmt: skip
    routes = routed(pads, "short", "long")
    assert reached(routes, "short", pads) == {"R1", "R2"}
    assert reached(routes, "long", pads) == {"R3", "R4"}


def test_nothing_comes_near_the_edge_or_into_a_closed_area() -> None:
    pads = [pad("R1", "A", 2, 10), pad("R2", "A", 28, 10)]
    closed = [(10.0, 0.0), (20.0, 0.0), (20.0, 17.0), (10.0, 17.0)]
    routes = routed(pads, "A", closed=[closed])
    for track in routes.tracks:
        for x, y in ((track.x1, track.y1), (track.x2, track.y2)):
            assert EDGE <= x <= 30 - EDGE
            assert EDGE + track.width / 2 <= y <= 20 - EDGE - track.width / 2
            assert not (10 < x < 20 and y < 17)


def test_a_net_without_a_way_is_named() -> None:
    cage = [pad(f"W{n}", "cage", 10 + n % 2 * 5, 6 + n // 2, layers="F12B", drill=0.8, size=1.2) for n in range(12)]
    cage += [pad(f"V{n}", "cage", 10 + n, y, layers="F12B", drill=0.8, size=1.2) for n in range(6) for y in (5.5, 11.5)]
    pads = [*cage, pad("R1", "A", 12.5, 8.5), pad("R2", "A", 25, 8.5)]
    with pytest.raises(Unrouted, match="No way was found for A"):
        routed(pads, "A")


def test_the_same_board_has_the_same_tracks() -> None:
    pads = [pad("R1", "A", 3, 10), pad("R2", "A", 27, 10), pad("R3", "B", 15, 3), pad("R4", "B", 15, 17)]
    assert routed(pads, "A", "B") == routed(pads, "B", "A")


def test_no_via_is_in_a_pad_that_is_soldered_flat_not_even_of_its_own_net() -> None:
    pads = [pad("R1", "A", 5, 10), pad("R2", "A", 25, 10, layers="B")]
    routes = routed(pads, "A")
    assert routes.vias
    for via in routes.vias:  # a via in a pad drinks its solder
        assert all(each.distance(via.x, via.y) >= VIA[1] / 2 + 0.15 - 1e-3 for each in pads)


def test_a_pad_that_is_fed_from_within_has_a_via_beside_it() -> None:
    pads = [pad("C1", "GND", 10, 10), pad("C2", "+5V", 11.6, 10), pad("J1", "GND", 3, 3, layers="F12B", drill=1.0)]
    routes = fan_out(pads, ("GND", "+5V"), BOARD)
    assert [via.net for via in routes.vias] == [track.net for track in routes.tracks] == ["GND", "+5V"]
    for via in routes.vias:  # a via in a pad drinks its solder
        assert all(each.distance(via.x, via.y) >= VIA[0] / 2 + 0.1 - 1e-3 for each in pads)


def test_a_pad_without_room_for_a_via_is_named() -> None:
    around = [pad(f"R{n}", "A", 10 + 1.3 * (n % 7 - 3), 10 + 1.3 * (n // 7 - 3)) for n in range(49) if n != 24]
    with pytest.raises(NoRoom, match="Pad 1 of C1"):
        fan_out([pad("C1", "GND", 10, 10), *around], ("GND",), BOARD)


def test_a_turned_pad_is_as_far_away_as_it_looks() -> None:
    lying = Pad("R1", "1", 0.0, 0.0, 4.0, 1.0, 0.0, "F", "A", 0.0)
    assert lying.distance(3.0, 0.0) == pytest.approx(1.0)
    standing = replace(lying, angle=90.0)
    assert standing.distance(3.0, 0.0) == pytest.approx(2.5)
    slanted = replace(lying, angle=45.0)  # counter-clockwise, y downwards: its right end is up
    assert slanted.distance(1.2, -1.2) == 0.0
    assert slanted.distance(1.2, 1.2) > 1.0
