"""Vias beside the pads that are fed from an inner layer, each with a short track: found by trying, nearest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, sin, tau
from typing import Final

from hardware.flat import layout
from hardware.flat.copper import CLEARANCE, EDGE, VIA, Pad, Routes, Track, Via

STUB: Final = 0.4  # mm: width of the track from pad to via
REACH: Final = (0.0, 0.15, 0.3, 0.5, 0.8, 1.2, 1.7, 2.3)  # mm beyond the nearest place
TURNS: Final = 24
NEAR: Final = 12.0  # mm within which anything can be in the way
WEB: Final = 0.1  # mm of solder mask between a via and a pad that is soldered
AROUND_A_HOLE: Final = 0.05  # mm more than beside copper


class NoRoom(ValueError):
    """There is no place for a pad's via; the message names the pad."""


def fan_out(
    pads: Sequence[Pad],
    nets: Iterable[str],
    contour: Sequence[tuple[float, float]],
    closed: Sequence[Sequence[tuple[float, float]]] = (),
    given: Routes | None = None,
) -> Routes:
    """A via, and a track to it, for each pad on one side alone that is on one of these nets.

    `contour`: corners of the piece; `closed`: areas that no via may be in; `given`: what is laid already, which the
    answer begins with. NoRoom if a pad has no place for a via.
    """
    fed = set(nets)
    found = Routes() if given is None else Routes([*given.tracks], [*given.vias])
    for pad in pads:
        if pad.net in fed and not pad.drill:
            track, via = _placed(pad, pads, contour, closed, found)
            found.tracks.append(track)
            found.vias.append(via)
    return found


def _placed(
    pad: Pad,
    pads: Sequence[Pad],
    contour: Sequence[tuple[float, float]],
    closed: Sequence[Sequence[tuple[float, float]]],
    laid: Routes,
) -> tuple[Track, Via]:
    near = [each for each in pads if each is not pad and each.distance(pad.x, pad.y) < NEAR]
    beside = Routes(
        [track for track in laid.tracks if track.distance(pad.x, pad.y) < NEAR],
        [via for via in laid.vias if hypot(via.x - pad.x, via.y - pad.y) < NEAR],
    )
    for x, y in _candidates(pad):
        track, via = Track(pad.net, pad.layers, STUB, pad.x, pad.y, x, y), Via(pad.net, x, y)
        clear = _clear_of_pads(track, via, near) and _clear_of(track, via, beside)
        if clear and _inside(x, y, contour, closed):
            return track, via
    raise NoRoom(f"Pad {pad.number} of {pad.ref} has no room for a via.")


def _candidates(pad: Pad) -> Iterator[tuple[float, float]]:
    least = VIA[0] / 2 + WEB
    for reach in REACH:
        for turn in range(TURNS):
            angle = tau * turn / TURNS
            ux, uy = cos(angle), sin(angle)
            out = 0.0
            while pad.distance(pad.x + out * ux, pad.y + out * uy) < least + reach:
                out += 0.05
            yield round(pad.x + out * ux, 3), round(pad.y + out * uy, 3)


def _clear_of_pads(track: Track, via: Via, near: Sequence[Pad]) -> bool:
    """A via goes through all layers; between a via and a pad of its own net there is a web of mask."""
    for each in near:
        same = each.net == track.net
        room = WEB if same and not each.drill else CLEARANCE
        if each.drill and not same:
            room += AROUND_A_HOLE
        if each.distance(via.x, via.y) < VIA[0] / 2 + room:
            return False
        if not same and set(each.layers) & set(track.layer):
            for step in (0.25, 0.5, 0.75):
                x, y = track.x1 + step * (track.x2 - track.x1), track.y1 + step * (track.y2 - track.y1)
                if each.distance(x, y) < STUB / 2 + CLEARANCE:
                    return False
    return True


def _clear_of(track: Track, via: Via, beside: Routes) -> bool:
    """What is laid of other nets is far enough away; of its own, holes are."""
    for other in beside.vias:
        same = other.net == via.net
        if hypot(other.x - via.x, other.y - via.y) < VIA[0] + (WEB if same else CLEARANCE):
            return False
        if not same and track.distance(other.x, other.y) < (VIA[0] + STUB) / 2 + CLEARANCE:
            return False
    return all(
        other.net == via.net or other.distance(via.x, via.y) >= (VIA[0] + other.width) / 2 + CLEARANCE
        for other in beside.tracks
    )


def _inside(
    x: float, y: float, contour: Sequence[tuple[float, float]], closed: Sequence[Sequence[tuple[float, float]]]
) -> bool:
    margin = EDGE + VIA[0] / 2
    for (x1, y1), (x2, y2) in zip(contour, [*contour[1:], contour[0]], strict=True):  # clockwise on the screen
        if ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / hypot(x2 - x1, y2 - y1) < margin:
            return False
    return not any(layout.encloses(corners, x, y) for corners in closed)
