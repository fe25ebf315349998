"""The lines around a screen: which hall this is and whether there is a desk; what an organiser's screen is about and
what came of the last act; and keys that are buttons too, wrapped so that none is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from dalej.tui.widgets.grid import first_fit, fitted
from dalej.views.feed import Feed
from dalej.views.phrases import duration
from dalej.words import _, ngettext

_BLANKS: Final = 2  # around the words of a button
_GAP: Final = " "


class Button(NamedTuple):
    """`key` as it is written on the keyboard; `action`: of the screen."""

    key: str
    words: str
    action: str


class ActionBar(Static):
    """A line of buttons, or more where they do not fit."""

    DEFAULT_CSS = """
    ActionBar { height: auto; max-height: 4; background: $surface; color: $foreground; link-style: none;
        link-color: $foreground; link-background-hover: $primary; link-color-hover: $text; link-style-hover: bold; }
    ActionBar > .actionbar--key { text-style: bold; color: $text-accent; }
    """
    COMPONENT_CLASSES = {"actionbar--key"}  # noqa: RUF012 -- as Textual declares it

    def __init__(self) -> None:
        super().__init__(id="actions")
        self._buttons: tuple[Button, ...] = ()
        self._width = 0

    def show(self, buttons: Sequence[Button]) -> None:
        """These, in this order."""
        if tuple(buttons) != self._buttons:
            self._buttons = tuple(buttons)
            self._draw()

    def on_resize(self) -> None:
        """Other lines."""
        if self.size.width != self._width:
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self._width = self.size.width
        lines: list[list[Button]] = [[]]
        used = 0
        for button in self._buttons:
            needs = cell_len(button.key) + cell_len(button.words) + 1 + _BLANKS + len(_GAP)
            if lines[-1] and used + needs > max(self._width, 20):
                lines.append([])
                used = 0
            lines[-1].append(button)
            used += needs
        self.update(Content("\n").join(Content(_GAP).join(map(self._button, line)) for line in lines))

    def _button(self, button: Button) -> Content:
        key = self.get_visual_style("actionbar--key", partial=True)
        click = Style.from_meta({"@click": f"screen.{button.action}"})
        return Content.assemble(" ", (button.key, key), f" {button.words} ").stylize(click)


class Saying(Static):
    """Words that are said again and again: laid out anew only when they are others. `lines` 1: it is never higher than
    one line, so nothing else has to move. `hides`: while it says nothing.
    """

    def __init__(self, *, id: str | None = None, classes: str = "", lines: int = 0, hides: bool = False) -> None:  # noqa: A002 -- as Textual's
        super().__init__(id=id, classes=classes, markup=False)
        self._lines = lines
        self._hides = hides
        self._said = Content()

    def say(self, words: str | Content) -> None:
        """These."""
        words = Content(words) if isinstance(words, str) else words
        if not words.is_same(self._said):
            self._said = words
            if self._hides:
                self.display = bool(words)
            self.update(words, layout=self._lines != 1)


LIVE, DEAD = "●", "◌"
NOTICE_MS: Final = 12_000
NOTICES_MOST: Final = 2


class HallBar(Static):
    """One line, written anew only when it says something else."""

    def __init__(self) -> None:
        super().__init__(id="bar")
        self._said: tuple[tuple[str, ...], str, str, int] | None = None

    def show_feed(
        self, feed: Feed, tables: int, waiting: int, round_said: Sequence[str] = (), entered: str = ""
    ) -> None:
        """What the hall is called, and how it is; `round_said`: how much time its round has left, at length and
        shorter; `entered`: how many results are in, of a hall without boxes, where nobody waits at one. Who waits is
        said however little room there is.
        """
        counted = ngettext("{count} table", "{count} tables", tables).format(count=tables)
        wait = entered or (
            ngettext("{count} table waits", "{count} tables wait", waiting).format(count=waiting)
            if waiting
            else _("nobody waits")
        )
        left = tuple(
            line for said in round_said or (feed.ruleset,)
            for line in _shorter([feed.event_name, said, counted, wait], (2, 0) if round_said else (1, 2, 0))
        )  # fmt: skip
        clock = feed.wall_text()
        if feed.live and feed.speed != 1:
            clock = f"×{feed.speed:g}  {clock}"
        mark = desk_mark(feed)
        said = (left, clock, mark, self.size.width)
        if said == self._said or not self.size.width:
            return
        self._said = said
        right = f"{clock}  {mark}".strip()
        room = self.size.width - 2 - cell_len(right) - 2
        self.update(
            Content.assemble(" ", (fitted(first_fit(left, room), max(0, room)), "bold"), "  ", right, " "),
            layout=False,
        )


def _shorter(parts: list[str], spared: Sequence[int]) -> tuple[str, ...]:
    """All parts in a line, then without the first of the spared, without two of them, and so on."""
    gone = [set(spared[:count]) for count in range(len(spared) + 1)]
    return tuple(" · ".join(part for at, part in enumerate(parts) if at not in out) for out in gone)


class Banner(Saying):
    """Across the screen as long as what it shows cannot be trusted."""

    def __init__(self) -> None:
        super().__init__(id="banner", hides=True)

    def show_feed(self, feed: Feed) -> None:
        """Since when the desk that tables' boxes need does not answer, and why the event file cannot be read."""
        said = feed.trouble
        if feed.is_missed:
            since_ms, written = feed.silence_ms(), feed.written_text()
            if written:
                lost = _("NO LIVE DESK. This is what the event file says; its last entry: {time}.").format(time=written)
            elif since_ms is None:
                lost = _("NO LIVE DESK. This is what the event file says; times stand still.")
            else:
                lost = _("NO LIVE DESK since {age}. Times stand still at what was heard last.").format(
                    age=duration(since_ms)
                )
            remedy = _("Start it anew on the desk's computer.")
            if feed.starts and not feed.simulated:
                remedy = _("Start it anew on the desk's computer: {command}").format(command=feed.starts)
            if feed.clears and since_ms is None and not feed.simulated:  # none was heard since this screen was opened
                remedy += " · " + _("No boxes tonight? {command} takes them off the tables.").format(
                    command=feed.clears
                )
            said = f"{lost} {remedy} {feed.trouble}".strip()
        self.say(f"░░░ {said} ░░░" if said else "")


def desk_mark(feed: Feed) -> str:
    """That a desk is live, or that it is missed; "" where no table has a box."""
    if feed.live:
        return f"{LIVE} " + _("live")
    return f"{DEAD} " + _("NO LIVE DESK") if feed.is_missed else ""


def stale_words(feed: Feed) -> str:
    """The same in a few words, for the frame of what lies over the banner; "" while all can be trusted."""
    if feed.is_missed:
        since_ms = feed.silence_ms()
        return f"{DEAD} " + " ".join([_("NO LIVE DESK"), *([] if since_ms is None else [duration(since_ms)])])
    return "░ " + _("THE EVENT FILE CANNOT BE READ") if feed.trouble else ""


class NoticeBar(Saying):
    """Below the tables, where it hides no line that waits: the latest notices, each for a while after it was shown."""

    def __init__(self) -> None:
        super().__init__(id="notices", hides=True)
        self._told: list[tuple[int | None, str]] = []  # until when, None: not shown yet

    def tell(self, words: str) -> None:
        """Something a person has to act on; it is shown when the screen is looked at."""
        self._told = [told for told in self._told if told[1] != words][1 - NOTICES_MOST :]
        self._told.append((None, words))

    def show_at(self, now_ms: int) -> None:
        """What is to be read at this instant of the screen's own time."""
        if not self._told:
            return
        told = ((now_ms + NOTICE_MS if until is None else until, words) for until, words in self._told)
        self._told = [(until, words) for until, words in told if until > now_ms]
        self.say("\n".join(f"! {words}" for _until, words in self._told))


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
        right = f"{feed.wall_text()}  {desk_mark(feed)}".strip()
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
