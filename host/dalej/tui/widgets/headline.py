"""The line at the top of an organiser's screen, and the line that says what came of the last act."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from dalej.tui.feed import Feed
from dalej.tui.widgets.bar import DEAD, LIVE
from dalej.tui.widgets.grid import first_fit, fitted
from dalej.words import _


class Headline(Static):
    """Event and screen on the left; the desk's clock, and whether there is a desk, on the right."""

    DEFAULT_CSS = """
    Headline { dock: top; height: 1; background: $primary; color: $text; }
    """

    def __init__(self) -> None:
        super().__init__(id="headline")
        self._said: tuple[str, str, int] | None = None
        self._shows: tuple[Feed, str] | None = None

    def on_resize(self) -> None:
        """Another width."""
        if self._shows is not None:
            self.show(*self._shows)

    def show(self, feed: Feed, words: str) -> None:
        """Written anew only when it says something else."""
        self._shows = (feed, words)
        mark = f"{LIVE} " + _("live") if feed.live else f"{DEAD} " + _("NO LIVE DESK")
        right = f"{feed.wall_text()}  {mark}".strip()
        width = self.size.width
        said = (f"{words} · {feed.event_name}", right, width)
        if said == self._said or not width:
            return
        self._said = said
        room = max(0, width - 4 - cell_len(right))
        left = first_fit((said[0], words), room)
        lines = 1 if cell_len(left) <= room else 2
        if self.styles.height is None or self.styles.height.value != lines:
            self.styles.height = lines
        shown, between = fitted(left, room if lines == 1 else width - 2), "  " if lines == 1 else "\n "
        self.update(Content.assemble(" ", (shown, "bold"), between, right, " "), layout=False)


class Outcome(Static):
    """What was done, or why not; it stays until something else is to be said. What was only told of how things stand
    passes once they stand otherwise.
    """

    DEFAULT_CSS = """
    Outcome { height: auto; max-height: 4; padding: 0 1; background: $boost; color: $foreground;
        link-style: none; link-color: $foreground; link-style-hover: reverse; }
    Outcome.-refused { background: $error; color: $text; text-style: bold; }
    Outcome.-warns { background: $warning; color: $text; }
    """

    def __init__(self) -> None:
        super().__init__("", id="outcome")
        self.words = ""
        self.names_back = False  # what would be taken back
        self._passes = False
        self.display = False

    def done(self, words: str, keys: Content | None = None, *, mark: str = "✓") -> None:
        """It was done; `keys`: that take it back, to be clicked too."""
        line = Content(f"{mark} {words}")
        if keys:
            line = Content.assemble(line, "  ", keys)
        self._say(words, line, "")
        self.names_back = bool(keys)

    def refuse(self, words: str) -> None:
        """It was not done, and why."""
        self._say(words, Content(f"✗ {words}"), "-refused")

    def warn(self, words: str, *, stays: bool = False) -> None:
        """Something to be read. `stays`: it is not about how things stand here."""
        self._say(words, Content(f"! {words}"), "-warns")
        self._passes = not stays

    def tell(self, words: str) -> None:
        """What would be, or how something is done."""
        self._say(words, Content(words), "")
        self._passes = True

    def pass_by(self) -> None:
        """Things stand otherwise than when that was said."""
        if self._passes:
            self.clear()

    def clear(self) -> None:
        """Nothing more to say."""
        self._say("", Content(""), "")

    def _say(self, words: str, line: Content, look: str) -> None:
        self.words, self._passes, self.names_back = words, False, False
        self.set_class(look == "-refused", "-refused")
        self.set_class(look == "-warns", "-warns")
        self.display = bool(words)
        self.update(line)
