"""Where another value of one setting is typed or picked, with what it would do below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input, Static

from dalej.office.settingnames import label
from dalej.tui.widgets.readyinput import ReadyInput
from dalej.tui.widgets.settingchange import meant
from dalej.tui.widgets.settingwords import CHOICES_MOST, LANGUAGE, value_words
from dalej.words import _

CHOICES_DOWN, CHOICES_ACROSS = 3, 58  # so few stand one below the other if they are longer than that together
KEPT: Final = ("name", "town", "date", "stages")  # one rather changes what is there than types it all


class SettingEditor(Vertical):
    """`key`: the setting whose value is being typed, "" while none is. A choice that is clicked is the screen's
    `action_choose`; what is typed bubbles as the messages of its field.
    """

    class Taken(Message):
        """A value was picked that needs no second thought."""

    DEFAULT_CSS = """
    SettingEditor { display: none; height: auto; max-height: 10; border-top: heavy $accent; padding: 0 1; }
    SettingEditor.-open { display: block; }
    SettingEditor Static { height: auto; link-style: none; link-color: $foreground; link-style-hover: bold; }
    SettingEditor #choices { background: $surface; }
    SettingEditor #check { max-height: 5; }
    SettingEditor #check.-wrong { color: $text-error; text-style: bold; }
    SettingEditor #value { height: 1; border: none; padding: 0; background: $boost; }
    """

    def __init__(self) -> None:
        super().__init__(id="edit")
        self.key = ""
        self._ready: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        """What it is now, the field, values to pick, what it would do."""
        yield Static("", id="asks", markup=False)
        yield ReadyInput(take=self._take, id="value")
        yield Static("", id="choices")
        yield Static("", id="check", markup=False)

    @property
    def text(self) -> str:
        """What was typed, as it is meant; "" for nothing."""
        text = self.query_one("#value", Input).value.strip()
        return meant(self.key, text, self._ready) if text else ""

    def open(self, key: str, now: str, ready: Sequence[str]) -> None:
        """Ask for a value of that setting. `now`: as it is typed; `ready`: those that can be picked."""
        self.key, self._ready = key, ready
        self.add_class("-open")
        shown = value_words(key, now) or "–"
        self.query_one("#asks", Static).update(_("{setting}: now {value}").format(setting=label(key), value=shown))
        choices = self.query_one("#choices", Static)
        choices.update(self._choices())
        choices.display = bool(ready)
        field = self.query_one("#value", ReadyInput)
        field.value = now if key in KEPT else ""
        field.placeholder = self._placeholder()
        self.screen.set_focus(field)
        field.select_all()
        self.say("")

    def shut(self) -> None:
        """Nothing is typed any more."""
        self.key = ""
        self.remove_class("-open")

    def choose(self, index: int) -> bool:
        """Put that value in; whether there is such a one."""
        if index >= len(self._ready[:CHOICES_MOST]):
            return False
        self.query_one("#value", ReadyInput).put(value_words(self.key, self._ready[index]))
        if self.key == LANGUAGE:
            self.post_message(self.Taken())
        return True

    def say(self, words: str, *, wrong: bool = False) -> None:
        """What the typed value would do, or what is wrong with it."""
        check = self.query_one("#check", Static)
        check.set_class(wrong, "-wrong")
        check.update(f"✗ {words}" if wrong else words)

    def _take(self, digit: int) -> bool:
        """A digit stands for a value of the list; where one has to type a number, digits are digits."""
        return not self._numbers and self.choose(digit - 1)

    @property
    def _numbers(self) -> bool:
        return any(one[0].isdigit() for one in self._ready)

    def _placeholder(self) -> str:
        if not self._ready:
            return _("type a value")
        return _("type a value, or click one") if self._numbers else _("a digit of the list, or click one")

    def _choices(self) -> Content:
        lines = [
            Content(f" {value_words(self.key, one)} " if self._numbers else f" {at + 1} {value_words(self.key, one)} ")
            .stylize(Style.from_meta({"@click": f"screen.choose({at})"}))
            for at, one in enumerate(self._ready[:CHOICES_MOST])
        ]  # fmt: skip
        down = len(lines) <= CHOICES_DOWN and sum(len(one) for one in lines) > CHOICES_ACROSS
        return Content("\n" if down else " ").join(lines)
