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


def drawings() -> Iterator[Drawing]:
    """Every sheet that differs between the boxes, and views and lists of each carrier."""
    for ending, (build, chip) in VARIANTS.items():
        for sheet in _DIFFERENT[ending]:
            yield Drawing(f"schematic-{sheet}{ending}", partial(_sheet, build, chip, sheet))
        yield Drawing(f"carrier-top{ending}", partial(_top, build, chip))
        yield Drawing(f"carrier-parts{ending}", partial(_list, build, chip, list_picture.parts_page))
        yield Drawing(f"carrier-wires{ending}", partial(_list, build, chip, list_picture.wires_page))
        yield Drawing(f"carrier-rails{ending}", partial(_bottom, build, chip, rails=True))
        yield Drawing(f"carrier-signals{ending}", partial(_bottom, build, chip, rails=False))


def _sheet(build: str, chip: str, sheet: str) -> str:
    return sheets.drawn(netlist(build, chip), sheet)[0]


def _top(build: str, chip: str) -> str:
    return carrier_picture.top(netlist(build, chip))


def _list(build: str, chip: str, page: Callable[[Netlist], str]) -> str:
    return page(netlist(build, chip))


def _bottom(build: str, chip: str, *, rails: bool) -> str:
    return carrier_picture.bottom(netlist(build, chip), rails=rails)
