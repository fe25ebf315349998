"""Pictures of the carrier: from above with its parts, from below with its wires, numbered as in the list of wires.

Below the view from above stands a key of encircled numbers, whose words are the guide's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hardware.circuit.canvas import Canvas
from hardware.circuit.carrier import COLUMNS, LENGTH, PITCH, RAILS, ROWS, WIDTH, Hole, Spot, spots, wires
from hardware.circuit.devkits import DEVKITS
from hardware.circuit.netlist import Netlist, Part
from hardware.circuit.wire_picture import STYLES, Drawn, Point, draw

_STEP: Final = 30.0  # pixels from hole to hole
_EDGE: Final = 16.0  # pixels around the board
_WIDTH: Final = 2 * _EDGE + _STEP * WIDTH / PITCH
_HEIGHT: Final = 2 * _EDGE + _STEP * LENGTH / PITCH
_LEFT: Final = (_WIDTH - _STEP * (len(COLUMNS) - 1)) / 2
_TOP: Final = (_HEIGHT - _STEP * (ROWS - 1)) / 2
_KEY: Final = 96.0  # pixels below the board
_ROUND: Final = ("buzzer", "capacitor-470u", "capacitor-1000u")
_SHORT: Final = {
    "resistor-330": "330", "resistor-1k": "1k", "resistor-4k7": "4k7", "resistor-10k": "10k",
    "resistor-100k": "100k", "capacitor-100n": "100n",
}  # fmt: skip


def top(box: Netlist) -> str:
    """The side of the parts, what lies under the devkit seen through it."""
    placed = spots(box)
    canvas = _board(mirrored=False, extra=_KEY)
    for spot in placed.values():
        if spot.ref != "U1":
            _part(canvas, box.by_ref[spot.ref], spot)
    _devkit(canvas, box.by_ref["U1"], placed["U1"])
    _key(canvas)
    return canvas.svg()


def bottom(box: Netlist, *, rails: bool) -> str:
    """The side of the solder, mirrored: the wires of the rails, or those of all other nets."""
    return below(box, rails=rails)[0].svg()


def below(box: Netlist, *, rails: bool) -> tuple[Canvas, list[Point], list[Drawn]]:
    """That picture, the holes that hold a leg, and the wires as they are drawn."""
    placed = spots(box)
    canvas = _board(mirrored=True)
    numbered = [
        Drawn(number, wire, _at(wire.start.hole, mirrored=True), _at(wire.end.hole, mirrored=True), 0.0)
        for number, wire in enumerate(wires(box, placed), 1)
        if (wire.net in RAILS) == rails
    ]
    used_holes = []
    for spot in placed.values():
        for number, hole in spot.holes.items():
            used = bool(box.by_ref[spot.ref].net(number))
            used_holes += [_at(hole, mirrored=True)] if used else []
            canvas.circle(_at(hole, mirrored=True), 6 if used else 4, "" if used else "stroke:#999")
    _names(canvas, box, placed)
    _wide(canvas, placed["U1"], box.by_ref["U1"], mirrored=True)
    drawn = draw(canvas, numbered, used_holes, canvas.frames)
    if rails:
        for place, (net, style) in enumerate(STYLES.items()):
            x, y = _LEFT + 190 * place, _HEIGHT - _EDGE - 28
            canvas.line((x, y), (x + 60, y), style)
            canvas.words((x + 68, y), net, 14, "start", bold=True)
    return canvas, used_holes, drawn


def _at(hole: Hole, *, mirrored: bool) -> tuple[float, float]:
    return _place(hole.column, hole.row, mirrored=mirrored)


def _place(column: float, row: float, *, mirrored: bool = False) -> tuple[float, float]:
    across = len(COLUMNS) - column if mirrored else column - 1
    return _LEFT + _STEP * across, _TOP + _STEP * (row - 1)


def _board(*, mirrored: bool, extra: float = 0.0) -> Canvas:
    """Holes, letters and numbers. The board's edge is dashed: some have more holes than are needed.

    The corner of hole A1 is black.
    """
    canvas = Canvas(_WIDTH, _HEIGHT + extra)
    canvas.box((_EDGE, _EDGE), (_WIDTH - 2 * _EDGE, _HEIGHT - 2 * _EDGE), "stroke-dasharray:8 6;stroke:#666", 8)
    side = -1 if mirrored else 1
    corner = (_WIDTH - _EDGE if mirrored else _EDGE, _EDGE)
    for step in range(11):
        reach = 36 - 3.0 * step
        canvas.line(
            (corner[0], corner[1] + 3 * step), (corner[0] + side * reach, corner[1] + 3 * step), "stroke-width:4"
        )
    for column, letter in enumerate(COLUMNS, 1):
        x, _ = _place(column, 1, mirrored=mirrored)
        canvas.words((x, _TOP - 40), letter, 13)
    for row in range(1, ROWS + 1):
        _, y = _place(1, row)
        canvas.words((_LEFT - 44, y), str(row), 13)
    holes = (_place(column, row) for row in range(1, ROWS + 1) for column in range(1, len(COLUMNS) + 1))
    canvas.dots(holes, 4, "#bbb")
    return canvas


def _part(canvas: Canvas, part: Part, spot: Spot) -> None:
    body = spot.body
    left, upper = _place(body.left, body.top)
    right, lower = _place(body.right, body.bottom)
    size = (right - left, lower - upper)
    middle = ((left + right) / 2, (upper + lower) / 2)
    if part.kind in _ROUND:
        canvas.circle(middle, size[0] / 2)
        for pin in part.pins:
            x, y = _at(spot.holes[pin.number], mirrored=False)
            aside = 14 if spot.ref == "C3" and pin.name == "-" else -14
            canvas.words((x + aside, y), pin.name.replace("-", "−"), 16, bold=True)
    elif part.kind.startswith(("resistor", "flyback", "schottky")):
        _lying(canvas, spot)
    elif part.kind.startswith("capacitor"):
        first, second = (_at(spot.holes[number], mirrored=False) for number in "12")
        canvas.line(first, second)
        canvas.box((left + 14, upper + 4), (size[0] - 28, size[1] - 8), "", 8) if size[0] > size[1] else canvas.box(
            (left + 4, upper + 14), (size[0] - 8, size[1] - 28), "", 8
        )
    else:
        canvas.box((left, upper), size)
    _pads(canvas, part, spot)
    if part.kind.startswith("connector"):
        x, _ = _at(spot.holes["1"], mirrored=False)
        middle = (x - 17 if spot.body.left < len(COLUMNS) / 2 else x + 17, middle[1])
    if part.kind == "transistor":
        middle = (right + 16, middle[1])
        canvas.line((left, lower), (right, lower), "stroke-width:5")  # its flat side
    if part.kind.startswith("connector"):
        _slots(canvas, left if spot.body.left < len(COLUMNS) / 2 else right, upper, lower)
    if part.kind == "buffer":
        canvas.circle((left, (upper + lower) / 2), 9)  # its notch
    size_of_words = 12 if part.kind in _SHORT or part.kind.startswith(("connector", "transistor")) else 15
    turn = 90 if size[1] > 1.2 * size[0] else 0
    if part.kind == "capacitor-470u":
        middle = (middle[0] - 14, lower - 20)
    canvas.words(middle, _label(part), size_of_words, turn=turn, bold=True, halo=True)


def _lying(canvas: Canvas, spot: Spot) -> None:
    """A body between two leads; a band at the cathode of a diode, whose first pin it is."""
    (x1, y1), (x2, y2) = (_at(spot.holes[number], mirrored=False) for number in "12")
    canvas.line((x1, y1), (x2, y2))
    x, y, reach = (x1 + x2) / 2, (y1 + y2) / 2, 38.0
    flat = y1 == y2
    canvas.box(
        (x - reach, y - 10) if flat else (x - 10, y - reach), (2 * reach, 20) if flat else (20, 2 * reach), "", 5
    )
    if spot.ref.startswith("D"):
        away = (reach - 9) * (1 if (x1, y1) > (x2, y2) else -1)
        ends = ((x + away, y - 10), (x + away, y + 10)) if flat else ((x - 10, y + away), (x + 10, y + away))
        canvas.line(*ends, "stroke-width:5")


def _pads(canvas: Canvas, part: Part, spot: Spot) -> None:
    for pin in part.pins:
        x, y = _at(spot.holes[pin.number], mirrored=False)
        if pin.number == "1" and len(part.pins) > 2:
            canvas.box((x - 5.5, y - 5.5), (11, 11), "fill:black")
        else:
            canvas.circle((x, y), 5, "fill:black" if pin.net else "stroke:#999")
        if part.kind.startswith("connector"):
            right = spot.body.left < len(COLUMNS) / 2
            size = 10 if len(pin.name) < 7 else 8
            canvas.words((x + 9 if right else x - 9, y), pin.name, size, "start" if right else "end")
        elif part.kind == "level-shifter":
            canvas.words((x, y + 13 if pin.name.startswith("L") or pin.number == "4" else y - 13), pin.name, 9)
        elif part.kind == "transistor":
            canvas.words((x, y + 20), pin.name, 10)


def _label(part: Part) -> str:
    if part.kind in _SHORT:
        return part.ref if part.kind.startswith("capacitor") else f"{part.ref} {_SHORT[part.kind]}"
    if part.kind.startswith("connector"):
        return f"{part.ref} {part.fields['lead']}"
    return {"level-shifter": "U3 BSS138", "buffer": "U2 74AHCT125"}.get(part.kind, part.ref)


def _devkit(canvas: Canvas, part: Part, spot: Spot) -> None:
    """Its outline, dashed, and its two rows with their names inside; USB is below."""
    left, upper = _place(spot.body.left, spot.body.top)
    right, lower = _place(spot.body.right, spot.body.bottom)
    canvas.box((left, upper), (right - left, lower - upper), "fill:none;stroke-dasharray:10 5;stroke-width:2")
    middle = (left + right) / 2
    canvas.words((middle, upper + 20), f"U1 {part.value}", 12, bold=True, halo=True)
    canvas.box((middle - 45, lower - 16), (90, 22))
    canvas.words((middle, lower - 5), "USB", 13, bold=True)
    _wide(canvas, spot, part, mirrored=False)
    for pin in part.pins:
        x, y = _at(spot.holes[pin.number], mirrored=False)
        canvas.box((x - 7, y - 7), (14, 14), "fill:black" if pin.net else "")
        inwards = pin.number.startswith("L")
        canvas.words((x - 11 if inwards else x + 11, y), pin.name.removeprefix("GPIO"), 11,
                     "end" if inwards else "start", bold=bool(pin.net), halo=True)  # fmt: skip


def _wide(canvas: Canvas, spot: Spot, part: Part, *, mirrored: bool) -> None:
    """Where the right header goes if the board's rows are further apart, with the name of either column."""
    devkit = DEVKITS[part.fields["chip"]]
    if devkit.wide == devkit.pitches:
        return
    reach = _STEP * (len(devkit.right) - 1)
    first = spot.holes["R1"]
    for pitches in (devkit.pitches, devkit.wide):
        hole = first._replace(column=first.column + pitches - devkit.pitches)
        x, y = _at(hole, mirrored=mirrored)
        name = f"{COLUMNS[hole.column - 1]} {PITCH * pitches:.2f} mm"
        canvas.words((x, y + reach + 18), name, 12, "end", turn=-90, bold=True)
        canvas.box((x - 11, y - 12), (22, reach + 24), "fill:none;stroke-dasharray:4 4", 4)


def _slots(canvas: Canvas, x: float, upper: float, lower: float) -> None:
    """The side of a header with its two slots: a thick bar with two gaps."""
    for begin, end in ((0.0, 0.16), (0.26, 0.74), (0.84, 1.0)):
        ends = [(x, upper + share * (lower - upper)) for share in (begin, end)]
        canvas.line(ends[0], ends[1], "stroke-width:7")


def _key(canvas: Canvas) -> None:
    """What to look for at a part that can be put in the wrong way round."""
    middle = _HEIGHT + _KEY / 2 - 6
    for place in range(6):
        x = _EDGE + 18 + 139.0 * place
        canvas.circle((x, middle), 15)
        canvas.words((x, middle), str(place + 1), 18, bold=True)
        _sample(canvas, place, x + (62 if place == 3 else 50), middle)


def _sample(canvas: Canvas, place: int, x: float, y: float) -> None:
    """The mark of that place in the key: slots, flat side, first pin, cathode, notch, plus and minus."""
    if place == 0:
        canvas.box((x - 16, y - 34), (40, 68))
        _slots(canvas, x - 16, y - 34, y + 34)
    elif place == 1:
        canvas.box((x - 24, y - 18), (48, 32))
        canvas.line((x - 24, y + 14), (x + 24, y + 14), "stroke-width:5")
    elif place == 2:
        canvas.box((x - 5.5, y - 5.5), (11, 11), "fill:black")
    elif place == 3:
        canvas.line((x - 40, y), (x + 40, y))
        canvas.box((x - 26, y - 10), (52, 20), "", 5)
        canvas.line((x + 17, y - 10), (x + 17, y + 10), "stroke-width:5")
    elif place == 4:
        canvas.box((x - 24, y - 24), (60, 48))
        canvas.circle((x - 24, y), 9)
    else:
        canvas.circle((x + 6, y), 34)
        for sign, level in (("+", -14.0), ("−", 14.0)):
            canvas.circle((x + 12, y + level), 5, "fill:black")
            canvas.words((x - 4, y + level), sign, 16, bold=True)


def _names(canvas: Canvas, box: Netlist, placed: Mapping[str, Spot]) -> None:
    """References near the parts' first pins, to find one's way on the solder side."""
    for spot in placed.values():
        part = box.by_ref[spot.ref]
        if part.kind.startswith(("connector", "devkit", "buffer", "level-shifter")):
            x, y = _at(spot.holes["L1" if spot.ref == "U1" else "1"], mirrored=True)
            canvas.words((x, y - 15), spot.ref, 13, bold=True, halo=True)
