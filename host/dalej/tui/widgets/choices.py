"""Choosing: one of a few lines, with what each is called and why it may not be, or of a row of words. By keys alone
and by mouse alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

MARKED, OPEN = "●", "○"
CURSOR, SHUT = "▸", "–"
DIGITS: Final = "123456789"
KEYS: Final = DIGITS + "abcdefghijklmnopqrstuvwxyz"
_STEPS: Final = {"up": -1, "down": 1, "left": -1, "right": 1}


class Choice(NamedTuple):
    """What is picked, and how it is called. `key`: picks it, "": that of its place; `why_not`: "" if it may be."""

    value: object
    words: str
    key: str = ""
    why_not: str = ""


class Pick(Widget, can_focus=True):
    """Lines to pick from. `picked`: index, None as long as nothing is. `at`: where the cursor is, None: nowhere yet.

    `keyed`: keys pick; without them the cursor is shown whoever has the keys, for a field that sends it its arrows.
    `marked`: what is picked is shown. `across`: so many beside each other.
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

    class Moved(Picked):
        """The cursor is on another line, or on one that may not be picked."""

    def __init__(
        self, choices: Sequence[Choice], picked: int | None = None, *, keyed: bool = True, marked: bool = True,
        across: int = 1, at: int | None = 0,
    ) -> None:  # fmt: skip
        super().__init__()
        self.choices = choices
        self.moved = False
        self.picked = picked
        self.at = at if picked is None else picked
        self.across = across
        self._keyed = keyed
        self._marked = marked

    def key(self, place: int) -> str:
        """What picks that line; "" for none."""
        return self.choices[place].key or (KEYS[place] if place < len(KEYS) else "")

    def mark(self, place: int) -> str:
        """Whether it is picked."""
        return MARKED if place == self.picked else OPEN

    def render(self) -> Content:
        """Each with its key; `▸` is where Enter picks, `●` what is picked, `–` stands for a key that picks nothing."""
        width = self._width(self.content_size.width)
        shows_cursor = self.has_focus or not self._keyed
        lines = []
        for first in range(0, len(self.choices), self.across):
            beside = [
                self._lines(place, width, cursor=shows_cursor and place == self.at)
                for place in range(first, min(first + self.across, len(self.choices)))
            ]
            for parts in zip_longest(*beside, fillvalue=Content(" " * width)):
                *before, last = parts
                lines.append(Content.assemble(*(part.pad_right(width + 1 - part.cell_length) for part in before), last))
        return Content("\n").join(lines)

    def get_content_height(self, _container: object, _viewport: object, width: int) -> int:
        """One line each, or more where the words are too long for one."""
        heights = [len(self._rows(place, self._width(width))) for place in range(len(self.choices))]
        return sum(max(heights[at : at + self.across]) for at in range(0, len(heights), self.across))

    def _width(self, width: int) -> int:
        """Of one of those that stand beside each other."""
        return max(0, (width + 1) // self.across - 1)

    def _before(self, place: int, *, cursor: bool) -> str:
        mark = f"{self.mark(place)} " if self._marked and self._keyed else ""
        key = SHUT if self.choices[place].why_not else self.key(place) or " "
        return (CURSOR if cursor else " ") + mark + (f"{key} " if self._keyed else " ")

    def _lines(self, place: int, width: int, *, cursor: bool) -> list[Content]:
        before = self._before(place, cursor=cursor)
        style = "dim" if self.choices[place].why_not else "bold" if cursor else ""
        return [
            Content.styled(f"{' ' * len(before) if row else before}{words}", style)
            for row, words in enumerate(self._rows(place, width))
        ]

    def _rows(self, place: int, width: int) -> list[str]:
        """The words on as many lines as they take beside what stands before them."""
        words, room = self.choices[place].words, width - len(self._before(place, cursor=False))
        return [line.plain.rstrip() for line in Content(words).wrap(room)] if room > 0 else [words]

    def offer(self, choices: Sequence[Choice]) -> None:
        """Others to pick from."""
        if choices != self.choices:
            self.choices, self.picked, self.at, self.moved = choices, None, 0, False
            self.refresh(layout=True)

    def go(self, steps: int) -> None:
        """The cursor, so many lines on; from nowhere to the first that may be picked."""
        if not self.choices:
            return
        first = next((place for place, one in enumerate(self.choices) if not one.why_not), 0)
        self.at = first if self.at is None else max(0, min(len(self.choices) - 1, self.at + steps))
        self.moved = True
        self.refresh()
        self.post_message(self.Moved(self))

    def pick(self, place: int) -> None:
        """Pick a line, if there is one that may be."""
        if not 0 <= place < len(self.choices):
            return
        self.at = place
        self.refresh()
        if self.choices[place].why_not:
            self.post_message(self.Moved(self))
        else:
            self.picked = place
            self.post_message(self.Picked(self))

    def on_key(self, event: events.Key) -> None:
        """A line's key picks it, arrows go, Enter picks where they went."""
        keys = [self.key(place) for place in range(len(self.choices))]
        step = _STEPS.get(event.key)
        if event.character is not None and event.character in keys and event.character.isprintable():
            self.pick(keys.index(event.character))
        elif step is not None and (self.across > 1 or event.key in ("up", "down")):
            self.go(step * self.across if event.key in ("up", "down") else step)
        elif event.key in ("enter", "space") and self.at is not None:
            self.pick(self.at)
        else:
            return
        event.stop()
        event.prevent_default()

    def on_click(self, click: events.Click) -> None:
        """The line under the pointer."""
        width = self._width(self.content_size.width)
        beside, top = min(self.across - 1, click.x // (width + 1)), 0
        for first in range(0, len(self.choices), self.across):
            here = range(first, min(first + self.across, len(self.choices)))
            top += max(len(self._rows(place, width)) for place in here)
            if click.y < top:
                self.pick(first + beside)
                return

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()


class Choices(Static, can_focus=True):
    """`chosen`: index of what is marked, None: nothing; `digits`: whether they choose. It stays on as few lines as the
    words need.
    """

    DEFAULT_CSS = """
    Choices { height: auto; padding: 0 1; link-style: none; link-style-hover: reverse; }
    Choices:focus { background: $surface-lighten-2; text-style: bold; }
    """

    class Chosen(Message):
        """Somebody has chosen."""

        def __init__(self, choices: Choices, index: int) -> None:
            super().__init__()
            self.choices = choices
            self.index = index

        @property
        def control(self) -> Widget:
            return self.choices

    def __init__(self, title: str, words: Sequence[str] = (), *, id: str, digits: bool = True) -> None:  # noqa: A002 -- as Textual's
        super().__init__(id=id)
        self.chosen: int | None = None
        self.words: Sequence[str] = ()
        self._title = title
        self.digits = digits
        self._width = 0
        self.show(words)

    def show(self, words: Sequence[str], chosen: int | None = None) -> None:
        """These words, this one marked."""
        if (tuple(words), chosen) == (tuple(self.words), self.chosen) and self.words:
            return
        self.words, self.chosen = words, chosen
        self._draw()

    def on_resize(self) -> None:
        """Other lines."""
        if self.content_size.width != self._width:
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        """Line by line: Textual would part a digit from its word, whatever blank stands between them."""
        self._width = self.content_size.width
        title = f"{self._title} " if self._title else ""
        lines, used = [Content(title)], cell_len(title)
        for index, word in enumerate(self.words):
            number = f"{DIGITS[index]} " if self.digits and index < len(DIGITS) else ""
            said = f" {MARKED if index == self.chosen else OPEN} {number}{word} "
            if used and self._width and used + cell_len(said.rstrip()) > self._width:
                lines.append(Content())
                used = 0
            look = Content(said).stylize("bold reverse" if index == self.chosen else "")
            lines[-1] = Content.assemble(lines[-1], look.stylize(f"@click=choose({index})"), " ")
            used += cell_len(said) + 1
        self.update(Content("\n").join(lines))

    def action_choose(self, index: int) -> None:
        """A click on one of them."""
        if not self.disabled and 0 <= index < len(self.words):
            self.post_message(self.Chosen(self, index))

    def on_key(self, key: events.Key) -> None:
        """Digits and arrows, while it has the focus."""
        if self.digits and key.character is not None and key.character in DIGITS:
            self.action_choose(DIGITS.index(key.character))
            key.stop()
        elif key.key in ("left", "right") and self.words:
            step = 1 if key.key == "right" else -1
            at = -1 if self.chosen is None and step > 0 else (self.chosen or 0)
            self.action_choose((at + step) % len(self.words))
            key.stop()
