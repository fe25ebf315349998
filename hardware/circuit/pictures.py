"""The circuit's pictures: the schematic's sheets, and the carrier from above and below, for each build and chip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from hardware.circuit import carrier_picture, list_picture, sheets
from hardware.circuit.netlist import Netlist, netlist
from hardware.drawing import Drawing

VARIANTS: Final = {"": ("full", "esp32"), "-s3": ("full", "esp32s3"), "-small": ("small", "esp32"),
                   "-s3-small": ("small", "esp32s3")}  # fmt: skip
_DIFFERENT: Final = {  # sheets that a variant does not share with a fuller one
    "": tuple(sheets.SHEETS),
    "-s3": ("brain",),
    "-small": ("brain", "sides", "top", "lamps"),
    "-s3-small": ("brain",),
}


def drawings(*, kostka: bool = True) -> Iterator[Drawing]:
    """Every sheet that differs between the boxes, and views and lists of each carrier."""
    for ending, (build, chip) in VARIANTS.items():
        box = partial(netlist, build, chip, kostka=kostka)
        for sheet in _DIFFERENT[ending]:
            yield Drawing(f"schematic-{sheet}{ending}", partial(_sheet, box, sheet))
        yield Drawing(f"carrier-top{ending}", partial(_top, box))
        yield Drawing(f"carrier-parts{ending}", partial(_list, box, list_picture.parts_page))
        yield Drawing(f"carrier-wires{ending}", partial(_list, box, list_picture.wires_page))
        yield Drawing(f"carrier-rails{ending}", partial(_bottom, box, rails=True))
        yield Drawing(f"carrier-signals{ending}", partial(_bottom, box, rails=False))


def _sheet(box: Callable[[], Netlist], sheet: str) -> str:
    return sheets.drawn(box(), sheet)[0]


def _top(box: Callable[[], Netlist]) -> str:
    return carrier_picture.top(box())


def _list(box: Callable[[], Netlist], page: Callable[[Netlist], str]) -> str:
    return page(box())


def _bottom(box: Callable[[], Netlist], *, rails: bool) -> str:
    return carrier_picture.bottom(box(), rails=rails)
