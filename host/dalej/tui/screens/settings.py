"""Every setting that an organiser may change: its value, what the regulation says, what a change would touch; and which
boxes go by the settings as they are now.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import Input, Static

from dalej import rulebook
from dalej.domain.tournament import RULESET
from dalej.errors import DalejError
from dalej.hall.boxsent import Sent
from dalej.office.differing import MARKS, Touched, touched
from dalej.office.options import DEFAULT, OF_THE_EVENT
from dalej.tui.room import Room
from dalej.tui.screens.settinglist import TABLES, SettingList, typed
from dalej.tui.widgets.actionbar import Button
from dalej.tui.widgets.givenline import GivenLine
from dalej.tui.widgets.picklist import PickList
from dalej.tui.widgets.settingchange import back_words, done_words, problem_words, sure, would_lines
from dalej.tui.widgets.settingeditor import SettingEditor
from dalej.tui.widgets.settingwords import LANGUAGE, choices, value_words
from dalej.words import LANGUAGES, _, speak


class SettingsScreen(SettingList):
    """`sent`: tells which boxes have them; None: that is not known here."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (130, "-wide")]  # noqa: RUF012 -- as Textual declares it
    CSS = """
    SettingsScreen #work { height: 1fr; layout: vertical; }
    SettingsScreen #settings { height: 1fr; min-height: 4; }
    SettingsScreen #detail { height: 6; border-top: solid $primary; padding: 0 1; }
    SettingsScreen #detail Static { height: auto; }
    SettingsScreen.-edits.-narrow #detail { display: none; }
    SettingsScreen.-wide #work { layout: horizontal; }
    SettingsScreen.-wide #settings { width: 1fr; height: 100%; }
    SettingsScreen.-wide #beside { width: 64; height: 100%; border-left: solid $primary; }
    SettingsScreen.-wide #detail { height: 1fr; border-top: none; }
    SettingsScreen.-narrow #beside { height: auto; }
    """

    def __init__(self, room: Room, sent: Sent | None = None) -> None:
        super().__init__(room, sent)
        for key, action, words in (
            ("delete", "as_written", _("as the regulation says")), ("f", "filter", _("only what differs")),
            ("b", "boxes", _("boxes")), ("S", "send", _("send to the boxes")),
        ):  # fmt: skip
            self._bindings.bind(key, action, words)

    def compose_work(self) -> ComposeResult:
        """The list; beside or below it what there is to say, and where one types."""
        with Container(id="work"):
            yield PickList(id="settings")
            with Vertical(id="beside"):
                with VerticalScroll(id="detail", can_focus=False):
                    yield Static("", id="about", markup=False)
                yield SettingEditor()
        yield GivenLine()

    @property
    def editor(self) -> SettingEditor:
        """Where one types."""
        return self.query_one(SettingEditor)

    def show_page(self) -> None:
        """Every value as it is now, and what the one that is typed would touch."""
        super().show_page()
        if self.editor.key:
            self._check()

    def buttons(self) -> Sequence[Button]:
        """What can be done now."""
        if self.editor.key:
            return [
                Button(_("Enter"), _("set it"), "submit"), Button("Del", _("as the regulation says"), "as_written"),
                Button("Esc", _("leave it as it is"), "leave"),
            ]  # fmt: skip
        shown = []
        if self.may("set_option"):
            shown.append(Button(_("Enter"), _("change"), "change"))
            shown.append(Button("Del", _("as the regulation says"), "as_written"))
        shown.append(Button("f", _("show all") if self._only_differing else _("only what differs"), "filter"))
        if self._given:
            shown.append(Button("b", _("boxes"), "boxes"))
        if self.may("send_settings") and any(one.lacks for one in self._given):
            shown.append(Button("S", _("send to the boxes"), "send"))
        return [*shown, *self.common_buttons()]

    def help_text(self) -> str:
        """The page of this screen."""
        marks = [f"{shape}  {_(words)}" for shape, words in MARKS.values()]
        return "\n".join([
            _("SETTINGS"),
            _("↑ ↓ choose, Enter or a click changes: pick a value by its digit or a click, or type one, such as 45, "
              "90 min, yes. What is wrong with it, or what it would touch, stands below while you type."),
            _("Del puts back what the regulation says."),
            "",
            _("THE MARKS"),
            *marks,
            _("The clause and the regulation's own words stand below the list, or beside it."),
            "",
            _("BOXES"),
            _("A box goes by the settings that it was sent last, and takes others only between games. The line below "
              "the list counts the boxes that have them; b goes to the lines of the boxes, S (with Shift) "
              "sends them to every box that rests."),
        ])  # fmt: skip

    def on_pick_list_moved(self, _moved: PickList.Moved) -> None:
        """Another setting is chosen."""
        if self.editor.key and self._key != self.editor.key:
            self._stop_editing()
        self._show_about()

    def on_pick_list_taken(self, taken: PickList.Taken) -> None:
        """A line was clicked, or entered by key."""
        taken.stop()
        if taken.number >= TABLES:
            self.action_send()
        else:
            self.action_change()

    # --- changing -----

    def action_change(self) -> None:
        """Ask for another value of the chosen setting."""
        key, state = self._key, self.state
        if not key or state is None:
            return
        if key != LANGUAGE and not self.may("set_option"):
            self.outcome.warn(_("You only look here: the organiser changes settings."))
            return
        self.outcome.clear()
        self.add_class("-edits")
        self.editor.open(key, typed(state, key), choices(key, state.ruleset, tuple(rulebook.available())))
        self._check()
        self.show_buttons()

    def action_choose(self, index: int) -> None:
        """That value of the list."""
        self.editor.choose(index)

    def on_setting_editor_taken(self) -> None:
        """It is taken at once."""
        self.action_submit()

    def on_ready_input_deleted(self) -> None:
        """Del in the empty field."""
        self.action_as_written()

    def on_input_changed(self, changed: Input.Changed) -> None:
        """Check while typing."""
        changed.stop()
        if self.editor.key:
            self._check()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Enter sets it."""
        submitted.stop()
        self.action_submit()

    def action_submit(self) -> None:
        """Set what was typed: asked about first where results or the regulation are touched."""
        key, text = self.editor.key, self.editor.text
        if key == LANGUAGE:
            self._speak(text)
        elif key and (text or key in OF_THE_EVENT):
            self._set(key, text or DEFAULT)

    def action_as_written(self) -> None:
        """What the regulation says, again."""
        key = self._key
        if not self.may("set_option"):
            self.outcome.warn(_("You only look here: the organiser changes settings."))
        elif key and key not in (LANGUAGE, RULESET):
            self._set(key, DEFAULT)

    def action_leave(self) -> None:
        """Stop typing, or leave the screen."""
        if self.editor.key:
            self._stop_editing()
        else:
            super().action_leave()

    # --- within -----

    def _check(self) -> None:
        """Say what is wrong with what is typed, or what it would touch."""
        key, text, seen = self.editor.key, self.editor.text, self.seen
        if not text or seen is None or key == LANGUAGE:
            self.editor.say("")
            return
        try:
            self.editor.say("\n".join(would_lines(touched(seen, key, text), key, seated=self._seated)))
        except DalejError as problem:
            self.editor.say(problem_words(problem), wrong=True)

    def _set(self, key: str, text: str) -> None:
        """What is wrong with it stands once: below the field while one types, else on the line of outcomes."""
        seen = self.seen
        if seen is None:
            return
        try:
            would = touched(seen, key, text)
        except DalejError as problem:
            if self.editor.key:
                self.editor.say(problem_words(problem), wrong=True)
            else:
                self.outcome.refuse(problem_words(problem))
            return
        if not would.setting.change.drafts:
            self._stop_editing()
            self.outcome.tell(_("It is so already."))
        elif would.boxes and self.room.feed.simulated and not self._seated:
            self.outcome.refuse(
                _("No box would go by it: this hall is simulated and plays no round of the event. At an event whose "
                  "round is seated, dalej demo plays that round with its settings.")
            )  # fmt: skip
        elif would.grave:
            self.confirm(sure(would, key, seen.state.ruleset), lambda: self._do_set(would, key, text))
        else:
            self._do_set(would, key, text)

    @property
    def _seated(self) -> bool:
        """Whether there is a round whose tables are sent settings."""
        return self.round is not None and self.round.seating is not None

    def _do_set(self, would: Touched, key: str, text: str) -> None:
        self._stop_editing()
        self.act(
            "set_option", {"key": key, "value": text, **({"knowingly": True} if would.against else {})},
            then=lambda _done: self._was_set(would, key),
        )  # fmt: skip

    def _was_set(self, would: Touched, key: str) -> None:
        """In the reader's words."""
        self.history.reword(done_words(would, key), back_words(would, key))
        self.say_last()

    def _speak(self, code: str) -> None:
        """Speak another language from now on; what lies beneath follows when it is made anew."""
        if code not in LANGUAGES:
            self.editor.say(_("expected one of pl, en, it"), wrong=True)
            return
        self._stop_editing()
        speak(code)
        self.outcome.tell(_("The screen speaks {language} now.").format(language=value_words(LANGUAGE, code)))
        self.refresh_page()

    def _stop_editing(self) -> None:
        self.editor.shut()
        self.remove_class("-edits")
        self.set_focus(self.query_one(PickList))
        self.show_buttons()
