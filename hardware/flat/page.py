"""A page of the schematic: symbols, wires, labels and notes on a grid of 1.27 mm, and what is joined by them.

Lengths are in steps of 1.27 mm from the page's top left corner, y downwards; sizes of letters in mm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar, Final

from hardware.flat.circuit import Part
from hardware.flat.expression import Expression, Text, identity
from hardware.flat.parts import SUPPLIED, TEST_POINT
from hardware.flat.symbols import LIBRARY, STEP, Symbol, definition, effects, supplied, supply, symbol_of

VERSION: Final = 20250114  # of KiCad 9's schematics
PROJECT: Final = "dalej-flat"
PAPER: Final = "A3"
WIDE, HIGH = 330, 233  # whole steps of A3, landscape
FIELD: Final = 1.75  # mm, letters of references, values and labels
_LETTER: Final = 0.98  # width of a letter of KiCad's font over its size, on the careful side

Spot = tuple[int, int]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
_TURNS: Final = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}
_FLAG: Final = {"right": 0, "up": 90, "left": 180, "down": 270}


def text_box(text: str, x: float, y: float, size: float, justify: str) -> Box:
    """Of a text whose middle, or left or right end, is there; lines stand below each other if it begins at its top."""
    lines = text.split("\n")
    wide = max(map(len, lines)) * size * _LETTER / STEP
    high = size / STEP * (1 + 1.62 * (len(lines) - 1))
    left = x if "left" in justify else x - wide if "right" in justify else x - wide / 2
    top = y if "top" in justify else y - high / 2
    return left, top, left + wide, top + high


@dataclass(frozen=True, slots=True)
class Written:
    """A field of a symbol that is seen: its text and the middle, left or right end of it."""

    name: str
    text: str
    x: float
    y: float
    justify: str = ""

    @property
    def box(self) -> Box:
        return text_box(self.text, self.x, self.y, FIELD, self.justify)


@dataclass(frozen=True)
class Placed:
    """A symbol on a page. `turn`: degrees against the clock. `part`: None for one that names or feeds a rail."""

    ref: str
    symbol: Symbol
    x: int
    y: int
    turn: int
    part: Part | None
    fields: tuple[Written, ...]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place of the symbol, on the page."""
        right, down, across, along = _TURNS[self.turn]
        return self.x + right * x + down * y, self.y + across * x + along * y

    def pin(self, name: str) -> Spot:
        """Where a pin's end is, by number or name."""
        pin = self.symbol.pin(name)
        x, y = self.at(pin.x, pin.y)
        return int(x), int(y)

    @property
    def body(self) -> Box:
        left, top, right, bottom = self.symbol.body
        (x, y), (to_x, to_y) = self.at(left, top), self.at(right, bottom)
        return min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)


@dataclass(frozen=True, slots=True)
class Flag:
    """A global label: the net's name at a wire's end, `towards` the side to which it is written."""

    net: str
    x: int
    y: int
    towards: str
    size: float

    @property
    def box(self) -> Box:
        long, half = (len(self.net) * _LETTER + 1.4) * self.size / STEP, 0.9 * self.size / STEP
        if self.towards in ("left", "right"):
            left = self.x if self.towards == "right" else self.x - long
            return left, self.y - half, left + long, self.y + half
        top = self.y if self.towards == "down" else self.y - long
        return self.x - half, top, self.x + half, top + long


@dataclass(frozen=True, slots=True)
class Note:
    """A text that begins at its top left corner."""

    text: str
    x: float
    y: float
    size: float
    bold: bool

    @property
    def box(self) -> Box:
        return text_box(self.text, self.x, self.y, self.size, "left top")


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of a picture that is no wire."""

    points: tuple[tuple[float, float], ...]
    wide: float  # mm


@dataclass(frozen=True, slots=True)
class Door:
    """A page's rectangle on the first one."""

    page: Page
    x: int
    y: int

    size: ClassVar = (38, 12)

    @property
    def box(self) -> Box:
        return self.x, self.y - 2.5, self.x + self.size[0], self.y + self.size[1] + 2.5


@dataclass(frozen=True)
class _Joined:
    """Wires cut where something is joined to them, and the places where more than two ends meet."""

    wires: tuple[tuple[Spot, Spot], ...]
    junctions: tuple[Spot, ...]


@dataclass(eq=False)
class Page:
    """`number`: 1 is the page of which all others are sheets; `file` without its ending."""

    number: int
    name: str
    file: str
    parts: Mapping[str, Part]
    placed: list[Placed] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    doors: list[Door] = field(default_factory=list)
    ends: list[Spot] = field(default_factory=list)  # pins that stay open
    wires: list[tuple[Spot, Spot]] = field(default_factory=list)
    _rails: int = 0

    def put(self, ref: str, x: int, y: int, turn: int = 0, *, value: bool = True, shown: str = "") -> Placed:
        """A part of the circuit, its open pins closed with a cross. `shown`: the field to be seen as its value is."""
        part = self.parts[ref]
        symbol = symbol_of(part.kind)
        bare = Placed(ref, symbol, x, y, turn, part, ())
        texts = [("Reference", ref)]
        if shown:
            texts.append((shown.capitalize(), part.field(shown)))
        elif value and part.kind.value:
            texts.append(("Value", part.kind.value))
        placed = Placed(ref, symbol, x, y, turn, part, tuple(_fields(bare, texts)))
        self.placed.append(placed)
        for (number, _, _), net in zip(part.kind.pins, part.nets, strict=True):
            if not net:
                self.ends.append(placed.pin(number))
        return placed

    def rail(self, net: str, spot: Spot) -> None:
        """The symbol that names a supply: above its wire, a ground below."""
        x, y = spot
        self._lone(supply(net), spot, 0, Written("Value", net, x, y + (3 if net.endswith("GND") else -2.1)))

    def fed(self, spot: Spot, *, below: bool = False) -> None:
        """KiCad's flag on a rail that is fed through passive parts alone."""
        x, y = spot
        seen = Written("Value", "PWR_FLAG", x + 1.2, y + (1.4 if below else -1.4), "left")
        self._lone(supplied(), spot, 180 if below else 0, seen)

    def _lone(self, symbol: Symbol, spot: Spot, turn: int, seen: Written) -> None:
        self._rails += 1
        ref = f"{symbol.letters}{100 * self.number + self._rails:04d}"
        self.placed.append(Placed(ref, symbol, *spot, turn, None, (seen,)))

    def wire(self, *spots: Spot) -> None:
        """From place to place, each step across or along; ValueError for one that is neither."""
        for (x, y), (to_x, to_y) in pairwise(spots):
            if (x, y) == (to_x, to_y):
                continue
            if x != to_x and y != to_y:
                raise ValueError(f"a wire runs askew on {self.name}: {x}, {y} to {to_x}, {to_y}")
            self.wires.append(((x, y), (to_x, to_y)))

    def flag(self, net: str, spot: Spot, towards: str, size: float = FIELD) -> None:
        """A net's name."""
        self.flags.append(Flag(net, *spot, towards, size))

    def tag(self, net: str, spot: Spot, rise: int, towards: str = "right", size: float = FIELD) -> None:
        """A net's name beside a wire, on a piece of wire that rises so much, or falls if it is less than 0."""
        x, y = spot
        self.wire(spot, (x, y - rise))
        self.flag(net, (x, y - rise), towards, size)

    def note(self, text: str, x: float, y: float, size: float = 2.0, *, bold: bool = False) -> None:
        """A text from its top left corner."""
        self.notes.append(Note(text, x, y, size, bold))

    def stroke(self, *points: tuple[float, float], wide: float = 0.3) -> None:
        """A line of a picture."""
        self.strokes.append(Stroke(points, wide))

    def pins(self) -> Iterator[tuple[Spot, Placed, str]]:
        """Every pin's place, its symbol and its number."""
        for placed in self.placed:
            for pin in placed.symbol.pins:
                yield placed.pin(pin.number), placed, pin.number

    def find(self, ref: str, number: str) -> Spot:
        """Where a part's pin is; StopIteration if it is not on this page."""
        return next(placed for placed in self.placed if placed.ref == ref).pin(number)

    def joined(self) -> _Joined:
        """What the wires become in the file: KiCad joins at ends alone."""
        meeting = {spot for spot, _, _ in self.pins()} | {(flag.x, flag.y) for flag in self.flags}
        meeting |= {end for wire in self.wires for end in wire}
        pieces = {piece for wire in self.wires for piece in _cut(wire, meeting)}
        met: defaultdict[Spot, int] = defaultdict(int)
        for spot in (*(end for piece in pieces for end in piece), *(spot for spot, _, _ in self.pins())):
            met[spot] += 1
        return _Joined(tuple(sorted(pieces)), tuple(sorted(spot for spot, count in met.items() if count > 2)))

    def nets(self) -> Iterator[tuple[frozenset[str], frozenset[tuple[str, str]]]]:
        """Of each group of joined places: the names that stand on it, and the parts' references and pins' numbers."""
        root: dict[Spot, Spot] = {}

        def find(spot: Spot) -> Spot:
            while root.setdefault(spot, spot) != spot:
                spot = root[spot]
            return spot

        for one, other in self.joined().wires:
            root[find(one)] = find(other)
        names: defaultdict[Spot, set[str]] = defaultdict(set)
        pins: defaultdict[Spot, set[tuple[str, str]]] = defaultdict(set)
        for flag in self.flags:
            names[find((flag.x, flag.y))].add(flag.net)
        for spot, placed, number in self.pins():
            if placed.part is not None:
                pins[find(spot)].add((placed.ref, number))
            elif placed.symbol.pins[0].does == SUPPLIED:
                names[find(spot)].add(placed.symbol.name)
        for spot in names.keys() | pins.keys():
            yield frozenset(names[spot]), frozenset(pins[spot])

    def expression(self, way: str, fields: Mapping[str, Mapping[str, str]], title: str) -> Expression:
        """The file. `way`: KiCad's path of the sheet, of UUIDs; `fields`: more of them by reference or kind."""
        symbols = {placed.symbol.name: placed.symbol for placed in self.placed}
        joined = self.joined()
        stroke: Expression = ("stroke", ("width", 0.0), ("type", "default"))
        body: list[Expression] = [
            ("version", VERSION), ("generator", Text("dalej")), ("generator_version", Text("9.0")),
            ("uuid", Text(self.identity)), ("paper", Text(PAPER)),
            (
                "title_block", ("title", Text(title)),
                ("comment", 1, Text("Nobody has built this circuit yet.")),
                ("comment", 2, Text("Made by hardware/flat/schematic.py: change it there.")),
            ),
            ("lib_symbols", *(definition(symbols[name], LIBRARY) for name in sorted(symbols))),
        ]  # fmt: skip
        body += [
            ("text", Text(note.text), ("exclude_from_sim", "no"), ("at", note.x * STEP, note.y * STEP, 0),
             effects(note.size, justify="left top", bold=note.bold), self._named("note", note.text, note.x, note.y))
            for note in self.notes
        ]  # fmt: skip
        body += [
            ("polyline", ("pts", *(("xy", x * STEP, y * STEP) for x, y in line.points)),
             ("stroke", ("width", line.wide), ("type", "solid")), self._named("stroke", *line.points))
            for line in self.strokes
        ]  # fmt: skip
        body += [
            ("junction", _at(x, y), ("diameter", 0), ("color", 0, 0, 0, 0), self._named("junction", x, y))
            for x, y in joined.junctions
        ]
        body += [("no_connect", _at(x, y), self._named("open", x, y)) for x, y in self.ends]
        body += [
            ("wire", ("pts", *(("xy", x * STEP, y * STEP) for x, y in ends)), stroke, self._named("wire", *ends))
            for ends in joined.wires
        ]
        body += [self._label(flag) for flag in self.flags]
        body += [self._symbol(placed, way, fields) for placed in self.placed]
        body += [self._sheet(door, way, stroke) for door in self.doors]
        if self.number == 1:
            body.append(("sheet_instances", ("path", Text("/"), ("page", Text("1")))))
        return ("kicad_sch", *body, ("embedded_fonts", "no"))

    @property
    def identity(self) -> str:
        return identity("page", self.name)

    def _named(self, *names: object) -> Expression:
        return ("uuid", Text(identity(self.name, *map(str, names))))

    def _label(self, flag: Flag) -> Expression:
        justify = "left" if flag.towards in ("right", "up") else "right"
        return (
            "global_label", Text(flag.net), ("shape", "passive"),
            ("at", flag.x * STEP, flag.y * STEP, _FLAG[flag.towards]),
            effects(flag.size, justify=justify), self._named("label", flag.net, flag.x, flag.y),
            ("property", Text("Intersheetrefs"), Text("${INTERSHEET_REFS}"), ("at", 0, 0, 0), effects(hidden=True)),
        )  # fmt: skip

    def _symbol(self, placed: Placed, way: str, more: Mapping[str, Mapping[str, str]]) -> Expression:
        part = placed.part
        texts = {
            "Reference": placed.ref,
            "Value": placed.symbol.name,
            "Footprint": "",
            "Datasheet": "",
            "Description": "",
        }
        if part is not None:
            texts |= {"Value": part.kind.value, "Footprint": part.kind.footprint}
            texts |= {name.capitalize(): text for name, text in part.fields}
            texts |= {**more.get(part.kind.name, {}), **more.get(part.ref, {})}
        seen = {each.name: each for each in placed.fields}
        fitted = part is None or part.fitted
        bought = part is None or part.kind is not TEST_POINT  # as its footprint has it
        return (
            "symbol", ("lib_id", Text(f"{LIBRARY}:{placed.symbol.name}")),
            ("at", placed.x * STEP, placed.y * STEP, placed.turn), ("unit", 1), ("exclude_from_sim", "no"),
            ("in_bom", "yes" if bought else "no"), ("on_board", "yes"), ("dnp", "no" if fitted else "yes"),
            ("uuid", Text(symbol_identity(placed.ref))),
            *(_property(name, text, seen.get(name), placed) for name, text in texts.items()),
            *(
                ("pin", Text(pin.number), ("uuid", Text(identity(placed.ref, "pin", pin.number))))
                for pin in placed.symbol.pins
            ),
            (
                "instances",
                ("project", Text(PROJECT), ("path", Text(way), ("reference", Text(placed.ref)), ("unit", 1))),
            ),
        )  # fmt: skip

    def _sheet(self, door: Door, way: str, stroke: Expression) -> Expression:
        page, (wide, high) = door.page, door.size
        return (
            "sheet", _at(door.x, door.y), ("size", wide * STEP, high * STEP), ("exclude_from_sim", "no"),
            ("in_bom", "yes"), ("on_board", "yes"), ("dnp", "no"), stroke, ("fill", ("color", 0, 0, 0, 0.0)),
            ("uuid", Text(sheet_identity(page))),
            ("property", Text("Sheetname"), Text(page.name), ("at", door.x * STEP, (door.y - 0.6) * STEP, 0),
             effects(2.2, justify="left bottom")),
            ("property", Text("Sheetfile"), Text(f"{page.file}.kicad_sch"),
             ("at", door.x * STEP, (door.y + high + 0.6) * STEP, 0), effects(FIELD, justify="left top")),
            ("instances", ("project", Text(PROJECT), ("path", Text(way), ("page", Text(str(page.number)))))),
        )  # fmt: skip


def symbol_identity(ref: str) -> str:
    """UUID of a part's symbol."""
    return identity("symbol", ref)


def sheet_identity(page: Page) -> str:
    """UUID of the rectangle that stands for a page."""
    return identity("sheet", page.name)


def _at(x: int, y: int) -> Expression:
    return ("at", x * STEP, y * STEP)


def _property(name: str, text: str, seen: Written | None, placed: Placed) -> Expression:
    if seen is None:
        return ("property", Text(name), Text(text), ("at", placed.x * STEP, placed.y * STEP, 0), effects(hidden=True))
    justify = seen.justify
    if placed.turn in (90, 180) and justify:  # KiCad turns it with its symbol
        justify = {"left": "right", "right": "left"}[justify]
    angle = 90 if placed.turn in (90, 270) else 0
    at: Expression = ("at", seen.x * STEP, seen.y * STEP, angle)
    return ("property", Text(name), Text(seen.text), at, effects(FIELD, justify=justify))


def _fields(placed: Placed, texts: list[tuple[str, str]]) -> Iterator[Written]:
    """The reference, then the value: where the symbol wants them."""
    left, top, right, bottom = placed.body
    middle, half = (left + right) / 2, (top + bottom) / 2
    where, symbol = placed.symbol.texts, placed.symbol
    lies = len(symbol.pins) == 2 and placed.pin(symbol.pins[0].number)[1] == placed.pin(symbol.pins[1].number)[1]
    lifted = any(pin.side == "up" for pin in symbol.pins)  # a pin in the middle of its upper side
    for place, (name, text) in enumerate(texts):
        if where == "corner" and place and symbol.letters == "LP":
            yield Written(name, text, middle - 1.9, top - 1.1, "right")
        elif where == "corner":
            begin = middle + 0.8 if lifted else left
            yield Written(name, text, begin + place * (1.4 * len(texts[0][1]) + 1.2), top - 1.1, "left")
        elif where == "above":
            yield Written(name, text, middle, top - 1.1 - 2.1 * (len(texts) - 1 - place))
        elif where == "below":
            yield Written(name, text, middle, bottom + 1.2 + 2.1 * place)
        elif lies:
            yield Written(name, text, middle, bottom + 1.3 if place else top - 1.1)
        else:
            yield Written(name, text, right + 0.6, half + 2.2 * place - 1.1 * (len(texts) - 1), "left")


def _cut(wire: tuple[Spot, Spot], spots: set[Spot]) -> Iterator[tuple[Spot, Spot]]:
    (x, y), (to_x, to_y) = sorted(wire)
    on = sorted(
        spot
        for spot in spots
        if (spot[0] == x == to_x and y <= spot[1] <= to_y) or (spot[1] == y == to_y and x <= spot[0] <= to_x)
    )
    yield from pairwise(on)
