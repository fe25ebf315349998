"""What a board house's machines read: its list of parts and the file of their places."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from typing import Final

from hardware.flat.circuit import Circuit
from hardware.flat.order import HOUSE, fitted, of_house, rows
from hardware.shopping import as_csv

BOM_HEAD: Final = ("Comment", "Designator", "Footprint", "LCSC")
PLACEMENT_HEAD: Final = ("Designator", "Val", "Package", "Mid X", "Mid Y", "Rotation", "Layer")
EXPORTED_HEAD: Final = ("Ref", "Val", "Package", "PosX", "PosY", "Rot", "Side")
"""The head of KiCad's own file of positions, column for column."""
TURNED: Final = (("CP_Elec_", 180), ("SOT-223", 180), ("SOT-23-6", 270), ("SOT-23", 180), ("SOIC-", 270))
"""Degrees from KiCad's drawing of a part to JLCPCB's, by how its footprint's name begins; the first that fits counts.
They are as two public tools have them (JLCKicadTools, Fabrication-Toolkit), but SOT-23-6 as the drawing of that very
number (C7519) is. What has no line is looked at in the house's preview, and so is all else.
"""


def bom(of: Circuit | None = None) -> str:
    """The board house's list of parts, a line for each kind. KeyError for a kind that is not in order.csv."""
    refs: dict[str, list[str]] = {}
    kinds = {}
    places = {row.kind: row.place for row in rows()}
    for part in fitted(of):
        if places[part.kind.name] == HOUSE:
            refs.setdefault(part.kind.name, []).append(part.ref)
            kinds[part.kind.name] = part.kind
    known = of_house()
    lines = []
    for name, named in refs.items():
        row, kind = known[name], kinds[name]
        comment = kind.value if row.number in kind.value else f"{kind.value}, {row.maker} {row.number}"
        lines.append((comment, ",".join(named), kind.footprint.partition(":")[2], row.lcsc.number))
    return as_csv(BOM_HEAD, lines)


def placement(exported: str, of: Circuit | None = None) -> str:
    """KiCad's file of positions with the head that board houses read, of what they place alone.

    ValueError if the file has another head, or a part that is placed is missing or twice in it.
    """
    known = of_house()
    wanted = {part.ref for part in fitted(of) if part.kind.name in known}
    head, *lines = csv.reader(io.StringIO(exported))
    if tuple(head) != EXPORTED_HEAD:
        raise ValueError(f"This is no file of positions from KiCad: it begins with {', '.join(head)}")
    kept = [line for line in lines if line and line[0] in wanted]
    found = Counter(line[0] for line in kept)
    if wrong := sorted((wanted - found.keys()) | {ref for ref, many in found.items() if many > 1}):
        raise ValueError(f"These parts are not once in the file of positions: {', '.join(wrong)}")
    return as_csv(PLACEMENT_HEAD, kept)


def for_jlcpcb(placed: str, centres: Mapping[str, tuple[float, float]]) -> str:
    """The same for JLCPCB, whose machines know other angles and other middles than KiCad: what lies on the back is
    mirrored first, then turned as its library has that kind (`TURNED`); `centres`: of what is soldered, as KiCad has y.
    """
    rows = []
    for line in csv.DictReader(io.StringIO(placed)):
        angle, own = float(line["Rotation"]), next((by for start, by in TURNED if line["Package"].startswith(start)), 0)
        x, y = centres[line["Designator"]]
        turned = ((180 - angle if line["Layer"] == "bottom" else angle) + own) % 360
        rows.append((*list(line.values())[:3], f"{x:.4f}", f"{y:.4f}", f"{turned:.1f}", line["Layer"]))
    return as_csv(PLACEMENT_HEAD, rows)
