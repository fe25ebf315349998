"""A simulated box as it stands on the table; a mouse button on one of its contacts is a finger on it."""

from __future__ import annotations

from dataclasses import replace

from rich.segment import Segment
from textual.events import MouseDown, MouseUp, Resize
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from dalej.live.messages import Face
from dalej.tui.widgets.drawing import Plan, Scene, draw, plan_for


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
