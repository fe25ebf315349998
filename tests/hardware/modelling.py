"""What the tests of printed pieces need of the modeller and of the enclosure, in one import."""

import numpy as np
import trimesh
from build123d import GeomType, Location, Solid, Vector

from hardware.enclosure.balance import Balance, standing
from hardware.enclosure.base import bay_walls, charger_holders, charger_seat, tie_slots
from hardware.enclosure.bought import Bought, bay, bought, button, on_carrier, receptacles, tray_parts
from hardware.enclosure.devkit import usb_plugs
from hardware.enclosure.files import write_stl
from hardware.enclosure.gallery import Gallery
from hardware.enclosure.holders import clamp, placed
from hardware.enclosure.pictures import drawings
from hardware.enclosure.pieces import Piece, pieces
from hardware.enclosure.printing import hanging, mesh, thin_spots
from hardware.enclosure.shapes import box, join, wedge
from hardware.enclosure.tray import (
    chute,
    height,
    hinge_dot,
    inside,
    mouth,
    stand,
    stand_outline,
    switch_body,
    tray_tie_slots,
)

__all__ = [
    "Balance",
    "Bought",
    "Gallery",
    "GeomType",
    "Location",
    "Piece",
    "Solid",
    "Vector",
    "bay",
    "bay_walls",
    "bought",
    "box",
    "button",
    "charger_holders",
    "charger_seat",
    "chute",
    "clamp",
    "drawings",
    "hanging",
    "height",
    "hinge_dot",
    "inside",
    "join",
    "mesh",
    "mouth",
    "np",
    "on_carrier",
    "pieces",
    "placed",
    "receptacles",
    "stand",
    "stand_outline",
    "standing",
    "switch_body",
    "thin_spots",
    "tie_slots",
    "tray_parts",
    "tray_tie_slots",
    "trimesh",
    "usb_plugs",
    "wedge",
    "write_stl",
]  # fmt: skip
