"""The development board on the carrier, and the USB plug that stays in its socket."""

from __future__ import annotations

from typing import Final

from build123d import Solid

from hardware.enclosure.layout import Layout
from hardware.enclosure.shapes import Span, box, join
from hardware.enclosure.sizes import DEVKITS, USB_PLUGS, Sizes, UsbPlug

FROM_EDGE: Final = {"esp32": 5.0, "esp32s3": -0.8}  # how far it ends before the carrier's edge
ASIDE: Final = {"esp32": (0.0,), "esp32s3": (-7.0, 7.0)}  # its sockets beside its middle; an S3 board's: estimate
_BOARD: Final = 1.6
_SOCKET: Final = 3.2  # height of a USB socket on the board
_OUT: Final = 0.8  # how far it looks over the board's end


def devkit(sizes: Sizes, layout: Layout, chip: str) -> Solid:
    """On its headers, its pins' insulators between."""
    kit, (x, last), low = DEVKITS[chip], _end(layout, chip), _under(layout)
    half, first, over = kit.width / 2, last - kit.length, low + _BOARD
    headers = [
        box((x + at - 1.3, x + at + 1.3), (first + 3, last - 3), (low - _standing(sizes), low + 0.1))
        for at in (-kit.rows_apart / 2, kit.rows_apart / 2)
    ]
    sockets = [
        box((x + at - 4.5, x + at + 4.5), (last - 7.0, last + _OUT), (over - 0.1, over + _SOCKET)) for at in ASIDE[chip]
    ]
    return join(
        box((x - half, x + half), (first, last), (low, over)),
        *headers,
        box((x - 9.0, x + 9.0), (first + 1.0, first + 26.0), (over - 0.1, over + _SOCKET)),
        *sockets,
    )


def usb_plugs(layout: Layout, chip: str, plug: UsbPlug | None = None) -> list[Solid]:
    """The longest straight plug in each of its sockets, or another one."""
    plug, (middle, _) = plug or USB_PLUGS[chip], _end(layout, chip)
    z, begin = _under(layout) + _BOARD + _SOCKET / 2, _end(layout, chip)[1] + _OUT
    wide, high, round_ = plug.width / 2, plug.height / 2, plug.cable / 2
    end = begin + plug.length
    made = []
    for x in (middle + at for at in ASIDE[chip]):
        body = box((x - wide, x + wide), (begin, end), (z - high, z + high))
        cable = box((x - round_, x + round_), (end - 0.1, end + plug.bend), (z - round_, z + round_))
        made.append(join(body, cable))
    return made


def _end(layout: Layout, chip: str) -> Span:
    """The middle of its edge with the USB sockets, which looks to side C: x and y."""
    x, y = layout.carrier
    return x - 3.8, y + layout.sizes.carrier.length / 2 - FROM_EDGE[chip]


def _standing(sizes: Sizes) -> float:
    return sizes.carrier.socket + sizes.carrier.insulator


def _under(layout: Layout) -> float:
    """Its lower face."""
    return layout.carrier_under + layout.sizes.carrier.board + _standing(layout.sizes)
