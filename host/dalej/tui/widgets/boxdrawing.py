"""A box from above, as lines of styled text: where everything lies, and how it looks with a given face, its figures
of seven segments exactly as a display is told to show them. Where it is simulated, a mouse button on one of its
contacts is a finger on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.events import MouseDown, MouseUp, Resize
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from dalej.desk.feed.messages import Face
from dalej.domain.game.facts import SEATS
from dalej.words import N_, _
from moveclock import facts as k
from moveclock import view as v

# Segments a to g are bits 0 to 6: top, upper right, lower right, bottom, lower left, upper left, middle.
SEGMENTS: Final[Mapping[str, int]] = {
    " ": 0, "-": 0x40, "E": 0x79, "d": 0x5E, "n": 0x54,
    "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66, "5": 0x6D, "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F,
}  # fmt: skip
POINTS: Final = (":", ".")
_UNKNOWN: Final = 0x49  # three bars: a character that seven segments do not know

# Where lines meet; the index has bit 0 for a line upwards, then clockwise.
_JOINTS: Final = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
# Rows of joints from the top: (segment, direction) of the left joint, the segment between, those of the right joint.
_ROWS: Final = (
    (((0, _RIGHT), (5, _DOWN)), 0, ((0, _LEFT), (1, _DOWN))),
    (((5, _UP), (6, _RIGHT), (4, _DOWN)), 6, ((1, _UP), (6, _LEFT), (2, _DOWN))),
    (((4, _UP), (3, _RIGHT)), 3, ((2, _UP), (3, _LEFT))),
)
_BETWEEN: Final = ((5, 1), (4, 2))  # the uprights left and right between two rows of joints


def split(text: str) -> tuple[str, str]:
    """The four characters of a display and its point: ":", "." or ""."""
    if text[2:3] in POINTS:
        return text[:2] + text[3:], text[2]
    return text, ""


def width(size: int) -> int:
    """Columns of a display; `size` is how long a segment is, 1 or more."""
    return 4 * (size + 2) + 2 + _gap(size)


def height(size: int) -> int:
    """Rows of a display."""
    return 3 + 2 * (size // 2)


def figures(text: str, size: int) -> list[str]:
    """A display's text in `height(size)` lines of `width(size)` characters."""
    characters, point = split(text)
    drawn = [_figure(SEGMENTS.get(character, _UNKNOWN), size) for character in characters]
    lines = []
    for line in range(height(size)):
        left, right = (" ".join(figure[line] for figure in pair) for pair in (drawn[:2], drawn[2:]))
        lines.append(f"{left}{_point(point, line, size)}{right}")
    return lines


def _figure(lit: int, size: int) -> list[str]:
    lines = []
    for place, (left, bar, right) in enumerate(_ROWS):
        between = "━" if lit >> bar & 1 else " "
        lines.append(f"{_joint(lit, left)}{between * size}{_joint(lit, right)}")
        if place < len(_BETWEEN):
            uprights = ["┃" if lit >> segment & 1 else " " for segment in _BETWEEN[place]]
            lines += [(" " * size).join(uprights)] * (size // 2)
    return lines


def _joint(lit: int, ends: tuple[tuple[int, int], ...]) -> str:
    return _JOINTS[sum(direction for segment, direction in ends if lit >> segment & 1)]


def _gap(size: int) -> int:
    return 1 if size == 1 else 3


def _point(point: str, line: int, size: int) -> str:
    last = height(size) - 1
    lit = point == "." and line == last
    if point == ":":
        lit = line == 1 if size == 1 else line in (1, last - 1)
    dot = " " if not lit else point if size == 1 else "●"
    return dot.center(_gap(size))


_BACK: Final = "#14181c"
_BLANK: Final = Style(bgcolor=_BACK)  # of its own, so that no text begins or ends with blanks
_CASE: Final = Style(color="#7d8590", bgcolor=_BACK)
_OURS: Final = Style(color="#58c4dd", bgcolor=_BACK, bold=True)
_PLAIN: Final = Style(color="#c9d1d9", bgcolor=_BACK)
_TURN: Final = Style(color="#ffffff", bgcolor=_BACK, bold=True)
_FIGURES: Final = Style(color="#ff6b5e", bgcolor=_BACK, bold=True)
_TROUBLE: Final = Style(color="#000000", bgcolor="#ffd75f", bold=True)
_UNLIT: Final = "#59626d"
# Colours of the ring, by the numbers of `moveclock.view`.
_COLOURS: Final = (_UNLIT, "#3fdc6f", "#ffb84d", "#ff5f56", "#6aa8ff", "#f4f4f4")
_LAMPS: Final[Mapping[int, str]] = {0: "#3fdc6f", 1: "#ffb84d"}  # Już, Dalej

SOUNDS: Final[Mapping[int, str]] = {
    v.CLICK: N_("click"), v.TURN: N_("next move"), v.REFUSE: N_("no!"), v.TIME_OVER: N_("time over"),
    v.CALL: N_("a call"), v.END: N_("game over"), v.ALERT: N_("attention"),
}  # fmt: skip


class Place(NamedTuple):
    """A rectangle of the drawing, in columns and rows from its upper left corner."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the parts of a box lie. `size` is how long the segments of its figures are."""

    size: int
    width: int
    height: int
    displays: tuple[Place, Place, Place, Place]
    contacts: Mapping[int, Place]
    names: tuple[Place, Place, Place, Place]
    ring: tuple[Place, ...]
    words: Place


def plan_for(width: int, height: int) -> Plan:
    """The largest drawing that fits; the smallest one if nothing does."""
    return next((plan for plan in PLANS if plan.width <= width and plan.height <= height), PLANS[-1])


def _plan(size: int, across: int, step: tuple[int, int]) -> Plan:
    """`across`: columns of a display with room for its two buttons; `step`: columns and rows from pixel to pixel."""
    tall, wide = height(size), width(size)
    ring = Place(2 + across, 1 + tall, 6 * step[0] + size, 6 * step[1] + 1)
    columns, rows = 2 * ring.x + ring.width, 2 * tall + ring.height + 2
    middle, left, right = (columns - wide) // 2, 1, columns - 1 - across
    side = ring.y + (ring.height - tall - 4) // 2
    displays = (
        Place(middle, 1, wide, tall), Place(right + (across - wide) // 2, side + 1, wide, tall),
        Place(middle, rows - 1 - tall, wide, tall), Place(left + (across - wide) // 2, side + 1, wide, tall),
    )  # fmt: skip
    names = (
        Place(2, 0, columns - 4, 1), Place(right, side, across, 1),
        Place(2, rows - 1, columns - 4, 1), Place(left, side, across, 1),
    )  # fmt: skip
    contacts = {}
    for seat in (k.SEAT_A, k.SEAT_C):
        y, room = displays[seat].y + (tall - 3) // 2, displays[seat].x - 2
        contacts[2 * seat] = Place(2 + (room - 12) // 2, y, 12, 3)
        contacts[2 * seat + 1] = Place(columns - 14 - (room - 12) // 2, y, 12, 3)
    for seat, x in ((k.SEAT_B, right), (k.SEAT_D, left)):
        juz, y = (across - 2) // 2, displays[seat].y + tall
        contacts[2 * seat] = Place(x, y, juz, 3)
        contacts[2 * seat + 1] = Place(x + across - juz - 2, y, juz + 2, 3)
    inside = Place(ring.x + 1 + size // 2, ring.y + step[1], ring.width - 2, ring.height - 2 * step[1])
    y, button = inside.y + (inside.height - 5) // 2, 11
    x = ring.x + (ring.width - button) // 2
    contacts[k.SEDZIA] = Place(x, y, button, 3)
    contacts[k.KOSTKA] = Place(x, y + 3, button, 1)
    return Plan(
        size, columns, rows, displays, contacts, names, tuple(_pixels(ring, step, size)), Place(x, y + 4, button, 1)
    )  # fmt: skip


def _pixels(ring: Place, step: tuple[int, int], size: int) -> list[Place]:
    """Clockwise from the middle of side A: a square of seven pixels each way."""
    along = [*((column, 0) for column in range(3, 6)), *((6, row) for row in range(6))]
    along += [*((column, 6) for column in range(6, 0, -1)), *((0, row) for row in range(6, 0, -1))]
    along += [(column, 0) for column in range(3)]
    return [Place(ring.x + column * step[0], ring.y + row * step[1], size, 1) for column, row in along]


PLANS: Final = (_plan(3, 27, (4, 2)), _plan(1, 16, (2, 1)))


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn. `names` by seat; `blink`: blinking lamps are bright now; `chosen`: a seat's keys."""

    face: Face
    names: tuple[str, str, str, str]
    blink: bool
    chosen: int | None


def draw(plan: Plan, scene: Scene) -> list[list[Segment]]:
    """The box in `plan.height` lines of `plan.width` characters."""
    sheet = _Sheet(plan.width, plan.height)
    face = scene.face
    _case(sheet, plan, face)
    for seat in range(len(SEATS)):
        _name(sheet, plan, scene, seat)
        text = face.displays[seat] if face.powered else ""
        for line, row in enumerate(figures(text.ljust(4), plan.size)):
            sheet.put(plan.displays[seat].x, plan.displays[seat].y + line, row, _FIGURES)
    _ring(sheet, plan, face)
    for contact, place in plan.contacts.items():
        _contact(sheet, place, contact, scene)
    if not face.powered:
        sheet.put(plan.words.x, plan.words.y, _("NO POWER").center(plan.words.width), _TROUBLE)
    elif face.sound:
        sound = _(SOUNDS.get(face.sound, N_("a sound")))
        sheet.put(plan.words.x, plan.words.y, f"♪ {sound}".center(plan.words.width)[: plan.words.width], _PLAIN)
    return sheet.lines()


def _case(sheet: _Sheet, plan: Plan, face: Face) -> None:
    style, shape = (_OURS, "┏━┓┃┗┛") if face.mine else (_CASE, "╭─╮│╰╯")
    if not face.powered:
        shape = "┌╌┐╎└┘"
    _frame(sheet, Place(0, 0, plan.width, plan.height), shape, style)
    if not face.in_reach:
        said = _(" OUT OF REACH ")
        sheet.put(plan.width - len(said) - 1, plan.height - 1, said, _TROUBLE)


def _frame(sheet: _Sheet, place: Place, shape: str, style: Style) -> None:
    """`shape`: upper left, across, upper right, upright, lower left, lower right."""
    inner, right = place.width - 2, place.x + place.width - 1
    sheet.put(place.x, place.y, shape[0] + shape[1] * inner + shape[2], style)
    for y in range(place.y + 1, place.y + place.height - 1):
        sheet.put(place.x, y, shape[3], style)
        sheet.put(right, y, shape[3], style)
    sheet.put(place.x, place.y + place.height - 1, shape[4] + shape[1] * inner + shape[5], style)


def _name(sheet: _Sheet, plan: Plan, scene: Scene, seat: int) -> None:
    place, turn = plan.names[seat], scene.face.powered and scene.face.ring[1] > 0 and scene.face.ring[2] == seat
    said = f"{SEATS[seat]} {scene.names[seat]}".rstrip()
    if turn:
        said = f"▶ {said} ◀"
    if scene.chosen == seat:
        said = f"[{said}]"
    said = f" {said[: place.width - 2]} "
    sheet.put(place.x + (place.width - len(said)) // 2, place.y, said, _TURN if turn else _PLAIN)


def _ring(sheet: _Sheet, plan: Plan, face: Face) -> None:
    colour, lit, seat = face.ring
    first = 0 if seat == k.NOBODY else 6 * seat
    for place, pixel in enumerate(plan.ring):
        shines = face.powered and (place - first) % v.RING < lit
        shape = ("█" if plan.size > 1 else "●") if shines else "·"
        sheet.put(pixel.x, pixel.y, shape * pixel.width, _on(_COLOURS[colour] if shines else _UNLIT))


def _contact(sheet: _Sheet, place: Place, contact: int, scene: Scene) -> None:
    face = scene.face
    pressed, mark, colour, shape = face.down >> contact & 1, "○", _UNLIT, "╭─╮│╰╯"
    if contact == k.KOSTKA:
        said = "▼ Kostka ▼" if pressed else "▏ Kostka ▕"
        style = Style(color=_BACK, bgcolor="#f4f4f4", bold=True) if pressed else Style(color="#f4f4f4", bgcolor=_UNLIT)
        sheet.put(place.x, place.y, said.center(place.width), style)
        return
    bright = _COLOURS[v.RED] if contact == k.SEDZIA else _LAMPS[contact & 1]
    if face.powered and face.blinking >> contact & 1:
        mark, colour, shape = ("◆", bright, "╔═╗║╚╝") if scene.blink else ("◇", _UNLIT, "╔═╗║╚╝")
    elif face.powered and face.lit >> contact & 1:
        mark, colour, shape = "●", bright, "┏━┓┃┗┛"
    elif contact == k.SEDZIA and face.powered:
        colour = bright
    said = "Sędzia" if contact == k.SEDZIA else " Dalej" if contact & 1 else " Już"
    style = _on(colour)
    if pressed:
        mark, style = "▼", Style(color=_BACK, bgcolor=bright, bold=True)
    _frame(sheet, place, shape, style)
    sheet.put(place.x + 1, place.y + 1, f"{mark}{said}".center(place.width - 2), style)


def _on(colour: str) -> Style:
    return Style(color=colour, bgcolor=_BACK, bold=colour != _UNLIT)


class _Sheet:
    """Characters in rows, each with a style; what is put later covers what was there."""

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._rows = [[(" ", _BLANK)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        row, bare = self._rows[y], style.bgcolor == _BLANK.bgcolor
        first, end = len(text) - len(text.lstrip()), len(text.rstrip())
        for place, character in enumerate(text):
            if x + place < self._width:
                row[x + place] = (character, _BLANK if bare and not first <= place < end else style)

    def lines(self) -> list[list[Segment]]:
        return [_joined(row) for row in self._rows]


def _joined(row: Sequence[tuple[str, Style]]) -> list[Segment]:
    joined: list[Segment] = []
    text, style = "", row[0][1]
    for character, of in row:
        if of is not style:
            joined.append(Segment(text, style))
            text, style = "", of
        text += character
    return [*joined, Segment(text, style)]


class BoxDrawing(Widget):
    """The largest drawing there is room for, in the middle. Fingers are told as `Touched`."""

    DEFAULT_CSS = """
    BoxDrawing { width: 1fr; height: 1fr; }
    """
    ALLOW_SELECT = False

    class Touched(Message):
        """A finger went down on a contact, or left it."""

        def __init__(self, contact: int, down: bool) -> None:
            super().__init__()
            self.contact = contact
            self.down = down

    def __init__(self) -> None:
        super().__init__()
        self._scene: Scene | None = None
        self._lines: list[list[Segment]] = []
        self._finger: int | None = None

    @property
    def plan(self) -> Plan:
        return plan_for(self.size.width, self.size.height)

    @property
    def corner(self) -> Offset:
        """Where the drawing's upper left corner is."""
        plan = self.plan
        return Offset(max(0, (self.size.width - plan.width) // 2), max(0, (self.size.height - plan.height) // 2))

    def show(self, face: Face, names: tuple[str, str, str, str], *, blink: bool, chosen: int | None) -> None:
        """Draw what has changed since it was shown last."""
        lamps = blink or not face.blinking  # a box where nothing blinks need not be drawn anew when others do
        scene = Scene(replace(face, table=0, taken=face.mine), names, lamps, chosen)
        if scene != self._scene:
            self._scene = scene
            self._draw()

    def render_line(self, y: int) -> Strip:
        corner, width = self.corner, self.size.width
        if not corner.y <= y < corner.y + len(self._lines):
            return Strip.blank(width, self.rich_style)
        line = Strip(self._lines[y - corner.y])
        if line.cell_length == width:
            return line
        left = Strip.blank(corner.x, self.rich_style)
        return Strip.join([left, line]).adjust_cell_length(width, self.rich_style)

    def on_resize(self, event: Resize) -> None:
        event.stop()
        self._draw()

    def on_mouse_down(self, event: MouseDown) -> None:
        contact = self.contact_at(event.offset)
        if event.button != 1 or contact is None or self._finger is not None:
            return
        event.stop()
        self._finger = contact
        self.capture_mouse()
        self.post_message(self.Touched(contact, True))

    def on_mouse_up(self, event: MouseUp) -> None:
        event.stop()
        self.lift()

    def lift(self) -> None:
        """Take the finger off, wherever the mouse is now."""
        if self._finger is not None:
            contact, self._finger = self._finger, None
            self.release_mouse()
            self.post_message(self.Touched(contact, False))

    def contact_at(self, offset: Offset) -> int | None:
        """The contact drawn at this place of the widget."""
        x, y = offset - self.corner
        return next((contact for contact, place in self.plan.contacts.items() if place.holds(x, y)), None)

    def _draw(self) -> None:
        if self._scene is None:
            return
        before, self._lines = self._lines, draw(self.plan, self._scene)
        if len(before) != len(self._lines):
            self.refresh()
            return
        top = self.corner.y
        changed = [line for line, (old, new) in enumerate(zip(before, self._lines, strict=True)) if old != new]
        if changed:
            self.refresh(*(Region(0, top + line, self.size.width, 1) for line in changed))
