"""Where another value of one setting is typed or picked: what was typed as it is meant, what the change would do,
what is wrong with it; and the line that says which boxes go by the settings as they are now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from dalej.domain.rules.clauses import quoted
from dalej.domain.rules.rulesets import Ruleset
from dalej.event.tableplans import Given
from dalej.office.settingnames import label
from dalej.office.settings import Touched
from dalej.tui.ask.confirm import Confirm
from dalej.tui.widgets.choices import Choices
from dalej.tui.widgets.grid import first_fit
from dalej.views.settingwords import CHOICES_MOST, LANGUAGE, meant, permits, shown, value_words
from dalej.words import N_, _

BAR: Final = 10
OUT: Final = ("no_box", "over")  # nothing can be sent there

# What stands behind a table: shape, words, look.
GIVEN: Final[dict[str, tuple[str, str, str]]] = {
    "has": ("●", N_("has the settings"), "runs"),
    "older": ("◐", N_("goes by older settings"), "patient"),
    "waits": ("…", N_("sent, no answer yet"), "patient"),
    "unheard": ("○", N_("box not heard"), "urgent"),
    "refused": ("✗", N_("box refused them"), "urgent"),
    "never": ("○", N_("not set up yet"), "patient"),
    "no_box": ("–", N_("no box"), "quiet"),
    "over": ("–", N_("all is played"), "quiet"),
}


def counted(given: Sequence[Given]) -> tuple[int, int]:
    """How many boxes have the settings, and how many there are that can have them."""
    boxes = [one for one in given if one.how not in OUT]
    return sum(one.how == "has" for one in boxes), len(boxes)


def has_words(given: Sequence[Given]) -> str:
    """The same in words."""
    has, count = counted(given)
    return _("{has} of {count} have them").format(has=has, count=count)


class GivenLine(Static):
    """A bar, how many boxes have them, and behind which tables one does not."""

    DEFAULT_CSS = """
    GivenLine { display: none; height: 1; padding: 0 1; background: $surface; color: $foreground; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__("", id="given", markup=False)
        self._given: Sequence[Given] = ()

    def show(self, given: Sequence[Given]) -> None:
        """As it is now."""
        self._given = given
        has, count = counted(given)
        self.display = bool(count)
        if not count:
            return
        full = BAR * has // count
        head = _("Boxes") + " " + "━" * full + "·" * (BAR - full) + " " + has_words(given)
        lacking = [one for one in given if one.how not in (*OUT, "has")]
        width = self.size.width - 2 or 78
        self.update(Content(first_fit((*(f"{head} · {rest}" for rest in _rests(lacking)), head), width)))

    def on_resize(self) -> None:
        """Another width."""
        self.show(self._given)


def _rests(lacking: Sequence[Given]) -> list[str]:
    """What is behind those that lack them, from all words to few; [] if none does."""
    if not lacking:
        return []
    long, short = [], []
    for how, (shape, words, _look) in GIVEN.items():
        there = [str(one.table) for one in lacking if one.how == how]
        if there:
            long.append(f"{shape} {_(words)}: {', '.join(there)}")
            short.append(f"{shape} {', '.join(there)}")
    return [" · ".join(long), "  ".join(short)]


EFFECTS_MOST: Final = 8


def sure(would: Touched, key: str, ruleset: Ruleset) -> Confirm:
    """Asks whether all of that is meant."""
    one = would.setting
    lines = [
        _("{key} becomes {value}; it was {old}.").format(
            key=label(key), value=shown(key, one.new), old=shown(key, one.old)
        )
    ]
    if would.against and one.becomes is not None:
        rule = one.becomes
        quote = quoted(rule.quote, ruleset.language)
        lines.append(_("The regulation says otherwise, {clause}: {quote}").format(clause=rule.clause, quote=quote))
        if rule.allows:
            lines.append(permits(rule, key, ruleset.language))
    if would.scored:
        depend, alone = _("Results that are in depend on it:"), _("Results that are in depend on it.")
        lines.append(depend if would.effects else alone)
    lines += would.effects[:EFFECTS_MOST]
    if len(would.effects) > EFFECTS_MOST:
        lines.append(_("and {count} more").format(count=len(would.effects) - EFFECTS_MOST))
    return Confirm(_("Change it all the same?"), lines, yes=_("change it"))


def done_words(would: Touched, key: str) -> str:
    """What was changed."""
    return f"{label(key)}: {shown(key, would.setting.old)} → {shown(key, would.setting.new)}"


def back_words(would: Touched, key: str) -> str:
    """What is so again once the change is taken back."""
    words = f"{label(key)}: {shown(key, would.setting.new)} → {shown(key, would.setting.old)}"
    return _("Taken back:") + f" {words}"


KEPT: Final = ("name", "town", "date", "stages")  # one rather changes what is there than types it all


class ReadyInput(Input):
    """`take(digit)`: whether that digit stood for an answer, which it has then put in."""

    class Deleted(Message):
        """Del was pressed with nothing there to delete."""

    def __init__(self, value: str = "", *, take: Callable[[int], bool], id: str) -> None:  # noqa: A002 -- as Textual's
        super().__init__(value, id=id, compact=True)
        self._take = take

    def on_key(self, key: events.Key) -> None:
        """Before the field takes it as a letter."""
        if not self.value and len(key.key) == 1 and key.key in "123456789" and self._take(int(key.key)):
            key.stop()
            key.prevent_default()

    def action_delete_right(self) -> None:
        """As in any field, unless it is empty."""
        if self.value:
            super().action_delete_right()
        else:
            self.post_message(self.Deleted())

    def put(self, text: str) -> None:
        """That answer, with the cursor behind it."""
        self.value = text
        self.cursor_position = len(text)
        self.focus()


class SettingEditor(Vertical):
    """`key`: the setting whose value is being typed, "" while none is. What is typed bubbles as the messages of its
    field.
    """

    class Taken(Message):
        """A value was picked that needs no second thought."""

    DEFAULT_CSS = """
    SettingEditor { display: none; height: auto; max-height: 10; border-top: heavy $accent; padding: 0 1; }
    SettingEditor.-open { display: block; }
    SettingEditor Static { height: auto; link-style: none; link-color: $foreground; link-style-hover: bold; }
    SettingEditor #choices { background: $surface; padding: 0; }
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
        row = Choices("", id="choices")
        row.can_focus = False
        yield row
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
        row = self.query_one(Choices)
        row.digits = not self._numbers
        shown_now = next((at for at, one in enumerate(ready[:CHOICES_MOST]) if one == now), None)
        row.show([value_words(key, one) for one in ready[:CHOICES_MOST]], shown_now)
        row.display = bool(ready)
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

    def on_choices_chosen(self, chosen: Choices.Chosen) -> None:
        """By mouse."""
        chosen.stop()
        self.choose(chosen.index)

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
