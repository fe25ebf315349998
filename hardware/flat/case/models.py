"""What the pictures are made of: pieces and boards as models in their colours, built once; what is lit on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import atan2
from typing import Final, TypeAlias

from build123d import Axis, Compound, Edge, GeomType, Location, Solid, Vector

from hardware.enclosure.letters import lettering
from hardware.enclosure.scene import Colour, Shown, model
from hardware.enclosure.shapes import QUARTERS, box, common, less, prism, rod
from hardware.flat import layout
from hardware.flat.case import bought, face, tray
from hardware.flat.case.deck import POKE, SOUND, lamp_windows, letters, openings, sound_holes
from hardware.flat.case.pieces import Piece, home, pieces
from hardware.flat.case.sizes import SIZES, Sizes, on_main
from hardware.flat.case.small import RING_MARK, WORDS, cap, mark, paper
from hardware.flat.circuit import MAIN, SIDES
from moveclock.view import RING

LOOK: Final[dict[str, Colour]] = {
    "base": (112, 118, 130), "deck": (92, 97, 108), "skin": (244, 244, 240), "mask": (70, 74, 84),
    "cap-juz": (90, 200, 110), "cap-dalej": (255, 195, 70), "cap-sedzia": (228, 70, 60),
    "tray-stand": (112, 118, 130), "tray-chute": (92, 97, 108), "tray-clamp": (150, 155, 165),
    "board": (46, 110, 82), "display": (46, 110, 82), "display-socket": (60, 60, 66), "display-pins": (60, 60, 66),
    "key-switch": (168, 118, 78), "screw": (190, 190, 196), "foot": (70, 70, 74), "usb-socket": (190, 190, 196),
    "kostka-plug": (240, 238, 225), "buzzer": (60, 60, 66), "cable": (90, 92, 98), "kostka-lead": (200, 60, 50),
    "kostka-switch": (70, 70, 75), "tie": (245, 245, 245), "tile": (250, 240, 210), "part": (120, 124, 128),
    "lamp": (245, 245, 245), "led": (250, 235, 225), "paper": (240, 240, 234), "red": (255, 70, 52),
    "dark": (206, 206, 200), "green": (70, 205, 100), "amber": (255, 190, 60), "glow": (255, 226, 110),
    "blue": (60, 105, 200), "black": (40, 40, 44), "wood": (168, 120, 80), "grey": (205, 208, 214),
    "screen": (30, 40, 52), "table": (226, 210, 180),
}  # fmt: skip


def shown(solid: Solid | Compound, look: str) -> Shown:
    """It in that colour."""
    return Shown(model(solid), LOOK[look])


@dataclass(frozen=True)
class Mark:
    """What is printed, sunk or lit on a face: a convex outline in its colour, seen from where the face is."""

    outline: tuple[Vector, ...]
    out: Vector
    colour: Colour

    def moved(self, place: Location) -> Mark:
        """The same elsewhere."""
        there = tuple((place * Location(point)).position for point in self.outline)
        tip = (place * Location(self.outline[0] + self.out)).position
        return Mark(there, tip - there[0], self.colour)


Thing: TypeAlias = Shown | Mark


def printed(solids: Iterable[Solid], look: str) -> list[Mark]:
    """Their upper faces."""
    made = []
    for solid in solids:
        top = solid.faces().sort_by(Axis.Z)[-1]
        middle = top.center()
        points = [
            edge.position_at(part / steps)
            for edge in top.outer_wire().edges()
            for steps in [_steps(edge)]
            for part in range(steps)
        ]
        around = sorted(points, key=lambda at: atan2(at.Y - middle.Y, at.X - middle.X))
        made.append(Mark(tuple(around), Vector(0, 0, 1), LOOK[look]))
    return made


def _steps(edge: Edge) -> int:
    return 1 if edge.geom_type == GeomType.LINE else 16


def at_side(things: Iterable[Thing], side: int) -> list[Thing]:
    """Side A's things at another: 1 is B."""
    return [one.moved(Location((0, 0, 0), (0, 0, QUARTERS[side]))) for one in things]


def lifted(things: Iterable[Thing], up: float, across: float = 0.0, along: float = 0.0) -> list[Thing]:
    """The same, moved."""
    return [one.moved(Location((across, along, up))) for one in things]


class Models:
    """One box."""

    def __init__(self, sizes: Sizes = SIZES) -> None:
        self.sizes = sizes

    @cached_property
    def pieces(self) -> dict[str, Piece]:
        return {piece.name: piece for piece in pieces(self.sizes)}

    @cached_property
    def outside(self) -> list[Thing]:
        """The deck as one sees it from above: white face, black walls, letters and holes as marks on it."""
        part, sizes = self.sizes.shell, self.sizes
        line, half = part.deck - 1.6, sizes.sleeve  # thicker than it is, or its lower edges would be seen through it
        middles = sizes.key_places().values()
        holes = [box((x - half, x + half), (y - half, y + half), (20.0, 50.0)) for x, y, _ in middles]
        walls = less(prism(sizes.outline(), (sizes.floor, line)), *holes, *openings(sizes))
        face_ = less(prism(sizes.outline(), (line, part.deck)), *holes)
        z = (part.deck, part.deck + 0.12)
        marks = [rod(at, SOUND, z) for at in sound_holes()] + [rod(on_main()[ref], POKE, z) for ref in ("S11", "S12")]
        marks += letters(sizes, z)
        return [shown(walls, "deck"), shown(face_, "skin"), *printed(marks, "black")]

    @cached_property
    def _plain(self) -> dict[str, list[Thing]]:
        return {}

    def piece(self, name: str) -> list[Thing]:
        """All copies of a piece, where they go."""
        if name not in self._plain:
            piece = self.pieces[name]
            one = shown(piece.solid, name)
            self._plain[name] = [one.moved(place) for place in piece.places]
        return self._plain[name]

    def cap(self, name: str, *, sits: bool = False) -> list[Thing]:
        """The key of that name, side and all: "juz-A". `sits`: only what of it is above the deck."""
        kind = name.partition("-")[0]
        known = f"{kind} {sits}"
        if known not in self._plain:
            top = self.sizes.cap.top
            z = (top, top + 0.1)
            word = printed(mark(self.sizes, kind, z), "black")
            if kind not in WORDS:  # a ring is no convex outline: a disc on a disc
                word += printed([rod((0.0, 0.0), RING_MARK - self.sizes.cap.pen, z)], f"cap-{kind}")
            body = cap(self.sizes, kind, plain=True)
            if sits:
                far = (-50.0, 50.0)
                body = common(body, box(far, far, (self.sizes.shell.deck, 50.0)))
            self._plain[known] = [shown(body, f"cap-{kind}"), *word]
        x, y, turn = self.sizes.key_places()[name]
        return [one.moved(Location((x, y, 0), (0, 0, turn))) for one in self._plain[known]]

    def caps(self, *, sit: bool = False) -> list[Thing]:
        """All nine."""
        return [one for name in self.sizes.key_places() for one in self.cap(name, sits=sit)]

    @cached_property
    def _bought(self) -> list[tuple[bought.Bought, Shown]]:
        return [(part, shown(part.solid, part.kind)) for part in bought.bought(self.sizes)]

    def bought(self, *kinds: str, place: str | None = None) -> list[Thing]:
        """Bought parts of these kinds, everywhere or at one place."""
        return [one for part, one in self._bought if part.kind in kinds and place in (None, part.place)]

    @cached_property
    def plugs(self) -> dict[str, Shown]:
        return {part.kind: shown(part.solid, part.kind) for part in bought.plugs(self.sizes)}

    @cached_property
    def main(self) -> list[Thing]:
        """The main board with all that is soldered onto its front."""
        parts = bought.parts_on(self.sizes, MAIN).solids()
        large = [part for part in parts if part.volume > 20.0 and not self._is_lamp(part)]
        found = self.bought("board", "display-pins", "usb-socket", "kostka-plug", "buzzer")
        return [*found, shown(Compound(children=large), "part"), *self._chain({})]

    def main_lit(self, looks: dict[str, str]) -> list[Thing]:
        """The same with some lamps lit, by their references."""
        return [*self.main[:-1], *self._chain(looks)]

    def _chain(self, looks: dict[str, str]) -> list[Thing]:
        top = self.sizes.boards.top
        by_look: dict[str, list[Solid]] = {}
        for ref, (x, y) in self._lamps().items():
            body = box((x - 2.5, x + 2.5), (y - 2.5, y + 2.5), (top, top + 1.6))
            by_look.setdefault(looks.get(ref, "lamp"), []).append(body)
        return [shown(Compound(children=bodies), look) for look, bodies in by_look.items()]

    def _lamps(self) -> dict[str, tuple[float, float]]:
        return {ref: at for ref, at in on_main().items() if ref.startswith("LP")}

    def _is_lamp(self, part: Solid) -> bool:
        at = part.center()
        return any(abs(at.X - x) < 0.5 and abs(at.Y - y) < 0.5 for x, y in self._lamps().values())

    def display(self, side: int = 0, *, lit: bool = False) -> list[Thing]:
        """A display with its LEDs."""
        dark, glowing, *others = self._display
        return at_side([*others, glowing if lit else dark], side)

    @cached_property
    def _display(self) -> list[Thing]:
        parts = bought.parts_on(self.sizes, "A").solids()
        leds = [part for part in parts if -self.sizes.boards.display_front > part.center().Y]
        found = self.bought("display", "display-socket", place="A")
        back = [part for part in parts if part.volume > 50.0]
        glowing = [shown(Compound(children=leds), look) for look in ("led", "red")]
        return [*glowing, *found, shown(Compound(children=back), "part")]

    @cached_property
    def _paper(self) -> Shown:
        return shown(paper(self.sizes), "paper")

    def letters(self, *which: int) -> list[Thing]:
        """Of these sides, where they are printed on the main board, but larger."""
        z = self.sizes.boards.top
        made: list[Thing] = []
        for place in which:
            bars = [bar.moved(Location((-8.5, -70.6, z))) for bar in lettering(SIDES[place], 6.0, 1.2, 0.1)]
            made += at_side(printed(bars, "skin"), place)
        return made

    def letter(self, side: int) -> list[Thing]:
        """On its strip as side A's stands, in the upper corner at its player's right, but larger."""
        boards, (wide, high) = self.sizes.boards, layout.DISPLAY
        up = boards.display_middle + high / 2 - 5.6
        place = face.UPRIGHT * Location((wide / 2 - 3.0, up, boards.display_front))
        return [bar.moved(place) for bar in printed(lettering(SIDES[side], 4.6, 0.9, 0.1), "skin")]

    def papers(self) -> list[Thing]:
        """All four."""
        return [self._paper.moved(home(self.sizes, quarter)) for quarter in QUARTERS]

    def says(self, *words: str) -> list[Thing]:
        """What the displays of A, B, C and D show, on the walls: what is lit, the other segments pale."""
        begin = self.sizes.shell.side
        made = []
        for side, lit in enumerate(words):
            for look, text, out in (("dark", None, 0.1), ("red", lit or "    ", 0.2)):
                if bars := face.prisms(self.sizes, (begin, begin + out), self.sizes.mask.shy, text):
                    made += at_side([one.moved(face.UPRIGHT) for one in printed(bars, look)], side)
        return made

    def lamps(self, ring: int, others: dict[int, str], colour: str = "green") -> list[Thing]:
        """Windows of the deck: so many of the ring lit, and others by their number in the chain after the ring."""
        top = self.sizes.shell.deck
        by_look: dict[str, list[Solid]] = {}
        for place, (_, outline) in enumerate(lamp_windows(self.sizes)):
            look = (colour if place < ring else "dark") if place < RING else others.get(place - RING, "dark")
            by_look.setdefault(look, []).append(prism(outline, (top, top + 0.15)))
        return [one for look, solids in by_look.items() for one in printed(solids, look)]

    def closed(self, words: tuple[str, ...], ring: int, others: dict[int, str], colour: str = "green") -> list[Thing]:
        """The box as it stands on the table, and what it shows; its caps, which hide some of that, are apart."""
        floor = shown(prism(self.sizes.outline(), (self.sizes.shell.foot, self.sizes.floor)), "base")
        return [floor, *self.outside, *self.says(*words), *self.lamps(ring, others, colour)]

    @cached_property
    def tray_apart(self) -> dict[str, list[Thing]]:
        """What the tray is made of, in its place there: its pieces, its switch, screws of clamps and of the chute."""
        made = {name: self.piece(name) for name in ("tray-stand", "tray-chute", "tray-clamp")}
        switch = [part for part in bought.tray_parts(self.sizes) if part.kind == "kostka-switch"]
        sizes = self.sizes
        under = tray.switch_body(sizes)[2][0] - tray.CLAMP[1]
        heads = {
            "screw": (tray.clamp_screws(sizes), under),
            "chute-screw": (tray.chute_screws(sizes), tray.height(sizes) - tray.TOP),
        }
        for name, (spots, z) in heads.items():
            at = Location((0, 0, z - sizes.screw.seat))
            made[name] = [shown(bought.screw(sizes, spot).moved(at), "screw") for spot in spots]
        return made | {"kostka-switch": [shown(part.solid, part.kind) for part in switch]}

    @cached_property
    def tray(self) -> list[Thing]:
        """With its stack, the lowest tile half drawn."""
        made = [one for name in ("tray-stand", "tray-chute") for one in self.piece(name)]
        parts = bought.tray_parts(self.sizes)
        tiles = [shown(part.solid, part.kind) for part in parts if part.kind == "tile"]
        return made + lifted(tiles[:1], 0.0, 0.0, -22.0) + tiles[1:]
