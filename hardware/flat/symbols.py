"""The symbols of the flat box's schematic: what each kind of part looks like, and where its pins are.

Lengths are in steps of 1.27 mm, x to the right and y downwards, from the symbol's middle. A pin lies on whole steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from hardware.flat import parts as kinds
from hardware.flat.expression import Expression, Text
from hardware.flat.parts import PASSIVE, SUPPLIED, SUPPLY, Kind

STEP: Final = 1.27  # mm
LIBRARY: Final = "Dalej"
VERSION: Final = 20241209  # of KiCad 9's libraries
NAME: Final = 1.4  # mm, letters of a pin's name
NUMBER: Final = 1.1  # mm, of its number, which has no more room than the pin is long
LINE: Final = 0.254  # mm

Point = tuple[float, float]
OUTWARDS: Final[Mapping[str, Point]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_ANGLE: Final = {"left": 0, "right": 180, "up": 270, "down": 90}
"""KiCad's angle of a pin is that from its end to the body."""


@dataclass(frozen=True, slots=True)
class Pin:
    """`x`, `y`: its outer end; `side`: of the body, where it is; `length` in steps."""

    number: str
    name: str
    does: str
    x: int
    y: int
    side: str
    length: float


@dataclass(frozen=True, slots=True)
class Shape:
    """A line through points; `filled`: inside with the line's own colour, or `paper` as a body is."""

    points: tuple[Point, ...]
    filled: str = "none"
    round: float = 0  # a circle's radius about its one point


@dataclass(frozen=True, slots=True)
class Symbol:
    """`body`: left, top, right, bottom. `names`, `numbers`: whether its pins' are shown. `power`: names its net.

    `texts`: where its reference and value are: `corner`, `above`, `below`; else beside it, or around it if it lies.
    """

    name: str
    letters: str
    pins: tuple[Pin, ...]
    shapes: tuple[Shape, ...]
    body: tuple[float, float, float, float]
    names: bool = False
    numbers: bool = False
    power: bool = False
    texts: str = ""

    def pin(self, name: str) -> Pin:
        """By number, else the first of that name; KeyError if there is none."""
        for pin in (*(pin for pin in self.pins if pin.number == name), *self.pins):
            if name in (pin.number, pin.name):
                return pin
        raise KeyError(f"{self.name} has no pin {name}")


def line(*points: Point, filled: str = "none") -> Shape:
    """A line through these."""
    return Shape(points, filled)


def _pins(kind: Kind, places: Mapping[str, tuple[int, int, str, float]]) -> tuple[Pin, ...]:
    return tuple(Pin(number, name, does, *places[number]) for number, name, does in kind.pins)


def _upright(kind: Kind, length: float) -> tuple[Pin, ...]:
    """Pin 1 above."""
    return _pins(kind, {"1": (0, -3, "up", length), "2": (0, 3, "down", length)})


def _lying(kind: Kind, first: int, reach: int, length: float) -> tuple[Pin, ...]:
    """Pin 1 on the left if `first` is -1, on the right if it is 1."""
    sides = {-1: "left", 1: "right"}
    return _pins(
        kind,
        {"1": (first * reach, 0, sides[first], length), "2": (-first * reach, 0, sides[-first], length)},
    )


def _rectangle(left: float, top: float, right: float, bottom: float, filled: str = "none") -> Shape:
    return line((left, top), (right, top), (right, bottom), (left, bottom), (left, top), filled=filled)


def _arrow(tip: Point, tail: Point, size: float = 0.7) -> tuple[Shape, ...]:
    """From tail to tip, with a filled head."""
    (x, y), (from_x, from_y) = tip, tail
    length = ((x - from_x) ** 2 + (y - from_y) ** 2) ** 0.5
    along = ((x - from_x) / length, (y - from_y) / length)
    base = (x - size * along[0], y - size * along[1])
    across = (-along[1] * size / 2, along[0] * size / 2)
    left, right = (base[0] + across[0], base[1] + across[1]), (base[0] - across[0], base[1] - across[1])
    return line(tail, tip), line(tip, left, right, tip, filled="outline")


def _resistor() -> Symbol:
    return Symbol("resistor", "R", _upright(kinds.RESISTOR_1K, 1), (_rectangle(-0.8, -2, 0.8, 2),), (-0.8, -2, 0.8, 2))


def _capacitor() -> Symbol:
    plates = (line((-1.5, -0.5), (1.5, -0.5)), line((-1.5, 0.5), (1.5, 0.5)))
    return Symbol("capacitor", "C", _upright(kinds.CAPACITOR_100N, 2.5), plates, (-1.5, -0.6, 1.5, 0.6))


def _polarised() -> Symbol:
    shapes = (
        _rectangle(-1.5, -0.9, 1.5, -0.4),
        _rectangle(-1.5, 0.4, 1.5, 0.9, filled="outline"),
        line((-1.6, -1.9), (-0.6, -1.9)),
        line((-1.1, -2.4), (-1.1, -1.4)),
    )
    return Symbol("capacitor-polarised", "C", _upright(kinds.CAPACITOR_470U, 2.1), shapes, (-1.6, -2.4, 1.5, 0.9))


def _diode(kind: Kind, letters: str = "D", rays: bool = False) -> Symbol:
    """From the left, its anode, to the right, its cathode."""
    shapes: tuple[Shape, ...] = (
        line((-1, -1), (1, 0), (-1, 1), (-1, -1), filled="outline" if not rays else "none"),
        line((1, -1), (1, 1)),
        line((-1, 0), (1, 0)),
    )
    if rays:
        shapes = (*shapes, *_arrow((0.8, -2.4), (-0.3, -1.3), 0.6), *_arrow((2, -2.4), (0.9, -1.3), 0.6))
    top = -2.4 if rays else -1
    return Symbol(kind.name, letters, _lying(kind, 1, 3, 2), shapes, (-1, top, 2 if rays else 1, 1))


def _fuse() -> Symbol:
    shapes = (_rectangle(-2, -0.8, 2, 0.8), line((-2, 0), (2, 0)))
    return Symbol("fuse", "F", _lying(kinds.FUSE, -1, 3, 1), shapes, (-2, -0.8, 2, 0.8))


def _field_effect(kind: Kind, gate: int) -> Symbol:
    """Source on the left, drain on the right, gate below (1) or above (-1), its own diode opposite."""
    p_channel = kind is kinds.MOSFET_P
    near, far = 1.0 * gate, 1.6 * gate
    diode = -1.5 * gate
    shapes = [
        line((-2.2, far), (2.2, far)),
        line((-2.3, near), (-1.1, near)),
        line((-0.6, near), (0.6, near)),
        line((1.1, near), (2.3, near)),
        line((-1.7, near), (-1.7, diode), (1.7, diode), (1.7, near)),
        line((0, 0), (-1.7, 0)),
        *(_arrow((0, 0), (0, near)) if p_channel else _arrow((0, near), (0, 0))),
    ]
    to = -1 if p_channel else 1  # the end where its diode's cathode is
    shapes += [
        line((-0.5 * to, diode - 0.5), (0.5 * to, diode), (-0.5 * to, diode + 0.5), (-0.5 * to, diode - 0.5)),
        line((0.5 * to, diode - 0.5), (0.5 * to, diode + 0.5)),
    ]
    places = {
        "1": (0, 4 * gate, "down" if gate > 0 else "up", 2.4),
        "2": (-4, 0, "left", 2.3),
        "3": (4, 0, "right", 2.3),
    }
    top, bottom = sorted((diode - 0.5 * gate, far))
    body = (-2.3, top, 2.3, bottom)
    return Symbol(kind.name, "Q", _pins(kind, places), tuple(shapes), body, texts="above" if gate > 0 else "below")


def _transistor() -> Symbol:
    shapes = (
        line((-1, -1.6), (-1, 1.6)),
        line((-1, -0.7), (1, -2)),
        *_arrow((1, 2), (-1, 0.7)),
        Shape(((0, 0),), round=2.3),
    )
    places = {"1": (-4, 0, "left", 3.0), "2": (1, 4, "down", 2.0), "3": (1, -4, "up", 2.0)}
    return Symbol("transistor", "Q", _pins(kinds.TRANSISTOR, places), shapes, (-2.3, -2.3, 2.3, 2.3))


def _buzzer() -> Symbol:
    shapes = (
        line((-1, -2), (1, -2), (1, 2), (-1, 2), (-1, -2)),
        line((-1, -1), (-2.4, -2.2), (-2.4, 2.2), (-1, 1)),
        line((1.4, -2.6), (2.2, -2.6)),
        line((1.8, -3), (1.8, -2.2)),
    )
    return Symbol("buzzer", "LS", _upright(kinds.BUZZER, 1), shapes, (-2.4, -3, 2.2, 2.2))


def _key(kind: Kind) -> Symbol:
    shapes = (
        Shape(((-1.6, 0),), round=0.4),
        Shape(((1.6, 0),), round=0.4),
        line((-2, -1.1), (2, -1.1)),
        line((0, -1.1), (0, -2.1)),
        line((-0.8, -2.1), (0.8, -2.1)),
    )
    return Symbol(kind.name, "S", _lying(kind, -1, 4, 2), shapes, (-2, -2.1, 2, 0.4))


def _test_point() -> Symbol:
    pin = Pin("1", "1", PASSIVE, 0, 0, "down", 1)
    return Symbol("test-point", "TP", (pin,), (Shape(((0, -1.7),), round=0.7),), (-0.7, -2.4, 0.7, -1))


Side = Iterable[tuple[int, str]]
"""Place along a side in steps, and a pin's number."""


def _box(
    kind: Kind,
    letters: str,
    half: tuple[int, int],
    *,
    left: Side = (),
    right: Side = (),
    up: Side = (),
    down: Side = (),
    more: tuple[Shape, ...] = (),
    names: bool = True,
) -> Symbol:
    """A chip: `half` its width and height; its pins are two steps long."""
    wide, high = half
    places: dict[str, tuple[int, int, str, float]] = {}
    places |= {number: (-wide - 2, at, "left", 2) for at, number in left}
    places |= {number: (wide + 2, at, "right", 2) for at, number in right}
    places |= {number: (at, -high - 2, "up", 2) for at, number in up}
    places |= {number: (at, high + 2, "down", 2) for at, number in down}
    body = (-wide, -high, wide, high)
    return Symbol(
        kind.name,
        letters,
        _pins(kind, places),
        (_rectangle(*body, filled="paper"), *more),
        body,
        names,
        True,
        texts="corner",
    )


def _connector(kind: Kind, poles: Iterable[str], *, right: bool = False) -> Symbol:
    """These poles from top to bottom on one side, three steps apart."""
    places = _row(-3 * (len(kind.pins) // 2), 3, poles)
    half = (5, 3 * (len(kind.pins) // 2) + 2)
    return _box(kind, "J", half, right=places) if right else _box(kind, "J", half, left=places)


def _row(first: int, pitch: int, numbers: Iterable[str]) -> list[tuple[int, str]]:
    return [(first + pitch * place, number) for place, number in enumerate(numbers)]


ROWS: Final = tuple((-58 + 15 * row, str(25 - row)) for row in range(8))
COLUMNS: Final = tuple((58 + 4 * com, str(2 + com)) for com in range(5))
"""Places of a display driver's rows and columns, as far apart as the matrix beside them is drawn."""
_MODULE_OPEN: Final = tuple(str(pin) for pin in (15, 16, 19, 20, 24, 25, 26, *range(28, 39)))


def _chips() -> Iterable[Symbol]:
    yield _box(
        kinds.USB_SOCKET, "J", (8, 24),
        right=(
            *_row(-21, 2, ("A4", "A9", "B4", "B9")), (-9, "A5"), (-2, "B5"), *_row(6, 2, ("A6", "B6")),
            *_row(14, 2, ("A7", "B7")), *_row(19, 2, ("A8", "B8")),
        ),
        down=_row(-7, 2, ("A1", "A12", "B1", "B12", "S1")),
    )  # fmt: skip
    yield _box(
        kinds.USB_GUARD, "U", (7, 6),
        left=((-4, "3"), (4, "1")), right=((-4, "4"), (4, "6")), up=((0, "5"),), down=((0, "2"),),
    )  # fmt: skip
    yield _box(kinds.REGULATOR, "U", (8, 5), left=((-2, "3"),), right=((-2, "2"),), down=((0, "1"),))
    triangle = line((-3, -2.6), (3, 0), (-3, 2.6), (-3, -2.6))
    yield _box(
        kinds.BUFFER, "U", (7, 6),
        left=((0, "2"), (4, "1")), right=((0, "4"),), up=((0, "5"),), down=((0, "3"),), more=(triangle,),
    )  # fmt: skip
    yield _box(kinds.LAMP, "LP", (5, 5), left=((0, "4"),), right=((0, "2"),), up=((0, "1"),), down=((0, "3"),))
    yield _box(
        kinds.DISPLAY_DRIVER, "U", (10, 78),
        left=((-55, "26"), (-52, "27"), *_row(-20, 3, ("7", "8", "9", *(str(pin) for pin in range(17, 9, -1))))),
        right=(*ROWS, *COLUMNS), up=((0, "28"),), down=((0, "1"),),
    )  # fmt: skip
    yield _box(
        kinds.MODULE, "U", (14, 42),
        left=(
            *_row(-39, 3, ("3", "27")), *_row(-27, 3, ("4", "5", "6", "7", "8", "9", "10", "11")),
            *_row(3, 3, ("23", "18", "39")),
        ),
        right=(*_row(-39, 3, ("12", "17", "22", "21", "14", "13")), *_row(-12, 3, _MODULE_OPEN)),
        up=((0, "2"),), down=_row(-3, 3, ("1", "40", "41")),
    )  # fmt: skip
    yield _connector(kinds.KOSTKA_PLUG, ("1", "2"))
    supply_above = ("4", "2", "3", "1")
    yield _connector(kinds.DISPLAY_PINS, supply_above)
    yield _connector(kinds.DISPLAY_SOCKET, supply_above, right=True)


@cache
def _drawn() -> Mapping[str, Symbol]:
    """By its kind's name; those of a family share one."""
    symbols = [
        _resistor(), _capacitor(), _polarised(), _diode(kinds.DIODE), _diode(kinds.LED, rays=True), _fuse(), _buzzer(),
        _field_effect(kinds.MOSFET_P, 1), _field_effect(kinds.MOSFET_N, -1), _transistor(), _key(kinds.KEY),
        _key(kinds.BOARD_BUTTON), _test_point(), *_chips(),
    ]  # fmt: skip
    return {symbol.name: symbol for symbol in symbols}


def symbol_of(kind: Kind) -> Symbol:
    """How this kind is drawn; KeyError if nobody has drawn it."""
    if kind is kinds.CAPACITOR_470U:
        return _drawn()["capacitor-polarised"]
    family = kind.name.partition("-")[0]
    return _drawn()[family if family in ("resistor", "capacitor") else kind.name]


@cache
def supply(net: str) -> Symbol:
    """What names a rail: ground below its wire, all others above."""
    if net.endswith("GND"):
        ground = (
            line((-1, 1), (1, 1)),
            line((-0.6, 1.4), (0.6, 1.4)),
            line((-0.2, 1.8), (0.2, 1.8)),
            line((0, 0), (0, 1)),
        )
        pin = Pin("1", net, SUPPLIED, 0, 0, "up", 0)
        return Symbol(net, "#PWR", (pin,), ground, (-1, 0, 1, 1.8), power=True)
    shapes = (line((0, 0), (0, -1)), line((-1, -1), (1, -1)))
    return Symbol(net, "#PWR", (Pin("1", net, SUPPLIED, 0, 0, "down", 0),), shapes, (-1, -1, 1, 0), power=True)


@cache
def supplied() -> Symbol:
    """KiCad's word to its rules that a rail is fed, although only through passive pins."""
    flag = line((0, 0), (0, -1), (-0.8, -1.6), (0, -2.2), (0.8, -1.6), (0, -1))
    return Symbol(
        "PWR_FLAG", "#FLG", (Pin("1", "pwr", SUPPLY, 0, 0, "down", 0),), (flag,), (-0.8, -2.2, 0.8, 0), power=True
    )


def effects(size: float = NAME, *, justify: str = "", hidden: bool = False, bold: bool = False) -> Expression:
    """KiCad's words for how letters look; `size` in mm."""
    font: Expression = ("font", ("size", size, size))
    if bold:
        font = (*font, ("bold", "yes"))
    made: Expression = ("effects", font)
    if justify:
        made = (*made, ("justify", *justify.split()))
    return (*made, ("hide", "yes")) if hidden else made


def _shape(shape: Shape) -> Expression:
    fill = {"paper": "background"}.get(shape.filled, shape.filled)
    style: tuple[Expression, ...] = (("stroke", ("width", LINE), ("type", "default")), ("fill", ("type", fill)))
    points = [(x * STEP, -y * STEP) for x, y in shape.points]
    if shape.round:
        ((x, y),) = points
        return ("circle", ("center", x, y), ("radius", shape.round * STEP), *style)
    return ("polyline", ("pts", *(("xy", x, y) for x, y in points)), *style)


def _pin(pin: Pin) -> Expression:
    return (
        "pin", pin.does, "line", ("at", pin.x * STEP, -pin.y * STEP, _ANGLE[pin.side]), ("length", pin.length * STEP),
        ("name", Text(pin.name), effects(NAME)), ("number", Text(pin.number), effects(NUMBER)),
    )  # fmt: skip


def definition(symbol: Symbol, library: str = "") -> Expression:
    """As it stands in a library, or, with its library's name, in a schematic."""
    name = f"{library}:{symbol.name}" if library else symbol.name
    head: list[Expression] = [("power",)] if symbol.power else []
    if not symbol.numbers:
        head.append(("pin_numbers", ("hide", "yes")))
    head.append(("pin_names", ("offset", 0.508)) if symbol.names else ("pin_names", ("offset", 0.0), ("hide", "yes")))
    fields = [
        ("Reference", symbol.letters),
        ("Value", symbol.name),
        ("Footprint", ""),
        ("Datasheet", ""),
        ("Description", ""),
    ]
    return (
        "symbol", Text(name), *head, ("exclude_from_sim", "no"), ("in_bom", "yes"), ("on_board", "yes"),
        *(
            ("property", Text(field), Text(value), ("at", 0, 0, 0), effects(hidden=place > 1 or symbol.power))
            for place, (field, value) in enumerate(fields)
        ),
        ("symbol", Text(f"{symbol.name}_0_1"), *(_shape(shape) for shape in symbol.shapes)),
        ("symbol", Text(f"{symbol.name}_1_1"), *(_pin(pin) for pin in symbol.pins)),
        ("embedded_fonts", "no"),
    )  # fmt: skip


def library(symbols: Iterable[Symbol]) -> Expression:
    """A library of its own, for who goes on in KiCad."""
    return (
        "kicad_symbol_lib", ("version", VERSION), ("generator", Text("dalej")), ("generator_version", Text("9.0")),
        *(definition(symbol) for symbol in symbols),
    )  # fmt: skip
