"""Lines to pick one from, by a digit, an arrow or a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class Choice(NamedTuple):
    """What is picked, and how it is called."""

    value: object
    words: str


class Pick(Widget, can_focus=True):
    """Lines to pick from. `picked`: index, None as long as nothing is. `numbered`: digits pick; without them the
    cursor is shown whoever has the keys, for a field that sends it its arrows.
    """

    DEFAULT_CSS = """
    Pick { height: auto; width: 1fr; }
    Pick:focus { background: $boost; }
    """

    class Picked(Message):
        """A line was picked."""

        def __init__(self, pick: Pick) -> None:
            super().__init__()
            self.pick = pick

        @property
        def control(self) -> Pick:
            """Whose line."""
            return self.pick

    def __init__(self, choices: Sequence[Choice], picked: int | None = None, *, numbered: bool = True) -> None:
        super().__init__()
        self.choices = choices
        self.moved = False
        self._numbered = numbered
        self.picked = picked
        self._at = picked or 0

    def render(self) -> Content:
        """Each with its digit; `▸` is where Enter picks, `●` what is picked."""
        lines = []
        for place, choice in enumerate(self.choices):
            mark = "●" if place == self.picked else "○"
            cursor = "▸" if (self.has_focus or not self._numbered) and place == self._at else " "
            before = f"{cursor}{mark} {place + 1} " if self._numbered else f"{cursor} "
            for row, words in enumerate(self._rows(choice, self.content_size.width)):
                line = f"{' ' * len(before) if row else before}{words}"
                lines.append(Content.styled(line, "bold" if cursor == "▸" else ""))
        return Content("\n").join(lines)

    def get_content_height(self, _container: object, _viewport: object, width: int) -> int:
        """One line each, or more where the words are too long for one."""
        return sum(len(self._rows(choice, width)) for choice in self.choices)

    def _rows(self, choice: Choice, width: int) -> list[str]:
        """The words on as many lines as they take beside what stands before them."""
        room = width - (len("▸○ 9 ") if self._numbered else len("▸ "))
        return [line.plain.rstrip() for line in Content(choice.words).wrap(room)] if room > 0 else [choice.words]

    @property
    def at(self) -> int:
        """Where the cursor is."""
        return self._at

    def offer(self, choices: Sequence[Choice]) -> None:
        """Others to pick from."""
        if choices != self.choices:
            self.choices, self.picked, self._at, self.moved = choices, None, 0, False
            self.refresh(layout=True)

    def go(self, steps: int) -> None:
        """The cursor, up or down."""
        self._at = max(0, min(len(self.choices) - 1, self._at + steps))
        self.moved = True
        self.refresh()

    def pick(self, place: int) -> None:
        """Pick a line, if there is one."""
        if 0 <= place < len(self.choices):
            self._at = self.picked = place
            self.refresh()
            self.post_message(self.Picked(self))

    def on_key(self, event: events.Key) -> None:
        """Digits pick, arrows go, Enter picks where they went."""
        if event.key.isdigit():
            self.pick(int(event.key) - 1)
        elif event.key in ("up", "down"):
            self.go(1 if event.key == "down" else -1)
        elif event.key in ("enter", "space"):
            self.pick(self._at)
        else:
            return
        event.stop()
        event.prevent_default()

    def on_click(self, click: events.Click) -> None:
        """The line under the pointer."""
        width = self.content_size.width
        at = [place for place, choice in enumerate(self.choices) for _row in self._rows(choice, width)]
        if 0 <= click.y < len(at):
            self.pick(at[click.y])

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()
