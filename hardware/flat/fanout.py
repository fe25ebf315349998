"""Vias beside the pads that are fed from an inner layer, each with a short track: found by trying, nearest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, sin
from typing import Final

from hardware.flat.copper import CLEARANCE, EDGE, VIA, Pad, Track

STUB: Final = 0.4  # mm: width of the track from pad to via
REACH: Final = (0.0, 0.15, 0.3, 0.5, 0.8, 1.2, 1.7, 2.3)  # mm beyond the nearest place
TURNS: Final = 24


@dataclass(frozen=True, slots=True)
class Stub:
    """A track from a pad to a via at (x, y)."""

    pad: Pad
    x: float
    y: float


class NoRoom(ValueError):
    """There is no place for a pad's via; the message names the pad."""


def fan_out(
    pads: Sequence[Pad],
    nets: Iterable[str],
    contour: Sequence[tuple[float, float]],
    closed: Sequence[Sequence[tuple[float, float]]] = (),
    tracks: Sequence[Track] = (),
) -> list[Stub]:
    """A stub for each pad on one side alone that is on one of these nets.

    `contour`: corners of the piece; `closed`: areas that no via may be in; `tracks`: what is laid already.
    NoRoom if a pad has no place for one.
    """
    fed = set(nets)
    found: list[Stub] = []
    laid = [_as_pad(track) for track in tracks]
    for pad in pads:
        if pad.net in fed and not pad.drill:
            found.append(_placed(pad, [*pads, *laid], contour, closed, found))
    return found


def _as_pad(track: Track) -> Pad:
    """A track as a pad of its size, which is all that a via has to keep away from."""
    length = hypot(track.x2 - track.x1, track.y2 - track.y1) + track.width
    turn = degrees(atan2(-(track.y2 - track.y1), track.x2 - track.x1))
    middle = (track.x1 + track.x2) / 2, (track.y1 + track.y2) / 2
    return Pad("", "", *middle, length, track.width, turn, track.layer, track.net, 0.0)


def _placed(
    pad: Pad,
    pads: Sequence[Pad],
    contour: Sequence[tuple[float, float]],
    closed: Sequence[Sequence[tuple[float, float]]],
    others: Sequence[Stub],
) -> Stub:
    near = [each for each in pads if hypot(each.x - pad.x, each.y - pad.y) < 12 + each.width / 2]
    beside = [stub for stub in others if hypot(stub.x - pad.x, stub.y - pad.y) < 12]
    for x, y in _candidates(pad):
        if _free(x, y, pad, near, beside) and _inside(x, y, contour, closed):
            return Stub(pad, x, y)
    raise NoRoom(f"Pad {pad.number} of {pad.ref} has no room for a via.")


def _candidates(pad: Pad) -> Iterator[tuple[float, float]]:
    least = VIA[0] / 2 + 0.1
    for reach in REACH:
        for turn in range(TURNS):
            angle = 2 * 3.141592653589793 * turn / TURNS
            ux, uy = cos(angle), sin(angle)
            out = 0.0
            while pad.distance(pad.x + out * ux, pad.y + out * uy) < least + reach:
                out += 0.05
            yield round(pad.x + out * ux, 3), round(pad.y + out * uy, 3)


def _free(x: float, y: float, pad: Pad, near: Sequence[Pad], beside: Sequence[Stub]) -> bool:
    for each in near:
        if each is pad:
            continue
        same = each.net == pad.net
        room = 0.1 if same and not each.drill else CLEARANCE
        if each.drill and not same:
            room += 0.05
        if each.distance(x, y) < VIA[0] / 2 + room:
            return False
        if not same and set(each.layers) & set(pad.layers):
            for step in (0.25, 0.5, 0.75):
                if each.distance(pad.x + step * (x - pad.x), pad.y + step * (y - pad.y)) < STUB / 2 + CLEARANCE:
                    return False
    for stub in beside:
        same = stub.pad.net == pad.net
        if hypot(stub.x - x, stub.y - y) < VIA[0] + (0.1 if same else CLEARANCE):
            return False
        if not same and _apart(stub, x, y) < VIA[0] / 2 + STUB / 2 + CLEARANCE:
            return False
        if not same and _apart(Stub(pad, x, y), stub.x, stub.y) < VIA[0] / 2 + STUB / 2 + CLEARANCE:
            return False
    return True


def _apart(stub: Stub, x: float, y: float) -> float:
    """From a point to a stub's middle line."""
    dx, dy = stub.x - stub.pad.x, stub.y - stub.pad.y
    length = dx * dx + dy * dy
    along = 0.0 if not length else max(0.0, min(1.0, ((x - stub.pad.x) * dx + (y - stub.pad.y) * dy) / length))
    return hypot(x - stub.pad.x - along * dx, y - stub.pad.y - along * dy)


def _inside(
    x: float, y: float, contour: Sequence[tuple[float, float]], closed: Sequence[Sequence[tuple[float, float]]]
) -> bool:
    margin = EDGE + VIA[0] / 2
    for (x1, y1), (x2, y2) in zip(contour, [*contour[1:], contour[0]], strict=True):  # clockwise on the screen
        if ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / hypot(x2 - x1, y2 - y1) < margin:
            return False
    return not any(_within(x, y, corners) for corners in closed)


def _within(x: float, y: float, corners: Sequence[tuple[float, float]]) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside
