"""A box from above, as lines of styled text: where everything lies, and how it looks with a given face.

Seats go clockwise from A at the top, so pixel 6 s of the ring is the middle of seat s's side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.segment import Segment
from rich.style import Style

from dalej.domain.facts import SEATS
from dalej.live.messages import Face
from dalej.tui.widgets import figures
from dalej.words import N_, _
from moveclock import facts as k
from moveclock import view as v

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
    tall, wide = figures.height(size), figures.width(size)
    ring = Place(2 + across, 1 + tall, 6 * step[0] + size, 6 * step[1] + 1)
    width, height = 2 * ring.x + ring.width, 2 * tall + ring.height + 2
    middle, left, right = (width - wide) // 2, 1, width - 1 - across
    side = ring.y + (ring.height - tall - 4) // 2
    displays = (
        Place(middle, 1, wide, tall), Place(right + (across - wide) // 2, side + 1, wide, tall),
        Place(middle, height - 1 - tall, wide, tall), Place(left + (across - wide) // 2, side + 1, wide, tall),
    )  # fmt: skip
    names = (
        Place(2, 0, width - 4, 1), Place(right, side, across, 1),
        Place(2, height - 1, width - 4, 1), Place(left, side, across, 1),
    )  # fmt: skip
    contacts = {}
    for seat in (k.SEAT_A, k.SEAT_C):
        y, room = displays[seat].y + (tall - 3) // 2, displays[seat].x - 2
        contacts[2 * seat] = Place(2 + (room - 12) // 2, y, 12, 3)
        contacts[2 * seat + 1] = Place(width - 14 - (room - 12) // 2, y, 12, 3)
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
        size, width, height, displays, contacts, names, tuple(_pixels(ring, step, size)), Place(x, y + 4, button, 1)
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
        for line, row in enumerate(figures.figures(text.ljust(4), plan.size)):
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
