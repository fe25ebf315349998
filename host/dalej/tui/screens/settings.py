"""Every setting that an organiser may change: its value as it is now, what the regulation says, what a change would
touch; and which boxes have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import Input, Static

from dalej.domain.tournament.tournament import RULESET, Tournament
from dalej.errors import DalejError
from dalej.event.tableplans import Given
from dalej.office.settingnames import label
from dalej.office.settings import DEFAULT, MARKS, OF_THE_EVENT, Stand, Touched, stand, touched
from dalej.rulesets import rulebook
from dalej.tui.feed import FactsRecorded
from dalej.tui.room import Room
from dalej.tui.screens.office import DeskWork
from dalej.tui.typedahead import begin
from dalej.tui.widgets.bars import Button
from dalej.tui.widgets.grid import HEADING, Cell, Line, PickList, placed
from dalej.tui.widgets.settingeditor import (
    GIVEN,
    GivenLine,
    SettingEditor,
    back_words,
    done_words,
    has_words,
    sure,
)
from dalej.views.book import Sent
from dalej.views.settingwords import (
    GROUPS,
    LANGUAGE,
    about,
    choices,
    problem_words,
    rule_of,
    stands,
    value_now,
    value_words,
    would_lines,
)
from dalej.words import LANGUAGES, N_, _, readable, said, speak

TABLES: Final = 10_000  # the line of table 3 has the number 10 003

KEYS: Final = tuple(key for group in GROUPS for key in group.keys)

# The same in the list, under the title "the regulation".
BRIEF: Final[dict[Stand, str]] = {
    "says": N_("says so"), "open": N_("open: ours"), "allows": N_("allows it"),
    "against": N_("SAYS OTHERWISE"),
}  # fmt: skip

VALUE: Final = 2  # which cell of a line
VALUE_LEAST: Final = 18
GAP: Final = 2
LABEL_MOST: Final = 40  # where the room is scarce
VALUE_MOST: Final = 64  # of a value and what the regulation says beside it: a longer one stands whole below
LOOKS: Final[dict[Stand, str]] = {"says": "quiet", "open": "quiet", "allows": "patient", "against": "urgent"}


def _whole_value(cells: tuple[Cell, ...], room: int) -> tuple[Cell, ...]:
    """A value that is too long takes the place of what the mark before the line says too, unless that is a warning."""
    mark, name, value, said_so = cells
    over = cell_len(value.text) > room and said_so.look != LOOKS["against"]
    return (mark, name, value, Cell("") if over else said_so)


class SettingsScreen(DeskWork):
    """`sent`: tells which boxes have them; None: that is not known here."""

    NAME = N_("Settings")
    WAY = "settings"
    AUTO_FOCUS = "#settings"
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
        super().__init__(room)
        self._sent = room.sent if sent is None else sent
        self._given: Sequence[Given] = ()
        self._asks_boxes = self._boxes_changed = False
        self._only_differing = False
        self.bind_keys(
            ("f", "filter", _("only what differs")), ("b", "boxes", _("boxes")), ("S", "send", _("send to the boxes")),
            ("delete", "as_written", _("as the regulation says")),
        )  # fmt: skip

    def show_page(self) -> None:
        """Every value as it is now, and what the one that is typed would touch."""
        state = self.state
        if state is not None:
            self._lay_out(state)
        self._ask_boxes()
        if self.editor.key:
            self._check()

    def headline(self) -> str:
        """How many values are not the ruleset's."""
        state = self.state
        if state is None:
            return _(self.NAME)
        count = sum(stand(rule) == "against" for rule in state.ruleset.rules)
        differs = _("not as the regulation says: {count}").format(count=count)
        return " · ".join([_(self.NAME), readable(state.ruleset.title), *([differs] if count else [])])

    def action_filter(self) -> None:
        """Only what is not as the ruleset has it, or everything."""
        self._only_differing = not self._only_differing
        self.refresh_page()

    def action_boxes(self) -> None:
        """To the lines of the boxes."""
        if self._given:
            picks = self.query_one(PickList)
            picks.choose_number(TABLES + self._given[-1].table)  # so that all of them come into sight
            picks.choose_number(TABLES + self._given[0].table)

    def action_send(self) -> None:
        """To every box that rests and lacks them."""
        if not any(one.lacks for one in self._given):
            self.outcome.warn(_("No box lacks them."))
            return
        self.act("send_settings", {})

    def on_facts_recorded(self, _recorded: FactsRecorded) -> None:
        """Boxes may have answered; the page is turned, too."""
        self._ask_boxes()

    def _ask_boxes(self) -> None:
        """One look at a time, however many facts come in."""
        self._boxes_changed = True
        if self._sent is not None and not self._asks_boxes:
            self._asks_boxes = True
            begin(self, partial(self._look_at_boxes, self._sent), group="boxes")

    async def _look_at_boxes(self, sent: Sent) -> None:
        try:
            while self._boxes_changed:
                self._boxes_changed = False
                given = await sent.look(self.page)
                if given != self._given and self.state is not None:
                    self._given = given
                    self._lay_out(self.state)
                    self._show_about()
                    self.show_buttons()
        except DalejError as problem:
            self.outcome.refuse(said(problem))
        finally:
            self._asks_boxes = False

    @property
    def _key(self) -> str:
        """The chosen setting, "" on a line of a box."""
        number = self.query_one(PickList).number
        return KEYS[number] if number is not None and 0 <= number < len(KEYS) else ""

    def _lay_out(self, state: Tournament) -> None:
        picks = self.query_one(PickList)
        most = max(LABEL_MOST, picks.room - VALUE_MOST)
        labels = min(most, max(cell_len(label(key)) for key in KEYS))
        told = max(cell_len(words) for words in (_("the regulation"), _("open: yours"), *map(_, BRIEF.values())))
        lines = list(self._lines(state))
        left = max(VALUE_LEAST, picks.room - labels - told - 6)
        values_wide = max(cell_len(cells[VALUE].text) for _number, cells in lines)
        wide = min(left, max(VALUE_LEAST, values_wide) + GAP)
        alone = picks.room - labels - told - 6 < VALUE_LEAST  # only the mark says then what the regulation does
        places = placed(picks.room, (
            ("", 1, 0), (_("setting"), labels, 0), (_("value"), wide, int(alone)), (_("the regulation"), told, 0)
        ))  # fmt: skip
        width = len(places)
        room = places[VALUE].width if width > VALUE else 0
        picks.show_lines(places, [Line(number, _whole_value(cells, room)[:width]) for number, cells in lines])
        self.query_one(GivenLine).show(self._given)

    def _lines(self, state: Tournament) -> Iterator[tuple[int, tuple[Cell, ...]]]:
        for group in GROUPS:
            rows = [row for key in group.keys if (row := self._line(state, key)) is not None]
            if rows:
                yield HEADING, (Cell(""), Cell(_(group.title), "table"), Cell(""), Cell(""))
                yield from rows
        if self._given:
            yield HEADING, (Cell(""), Cell(_("BOXES"), "table"), Cell(has_words(self._given)), Cell(""))
        for one in self._given:
            shape, words, look = GIVEN[one.how]
            plays = _("in a game") if one.plays and one.lacks else one.reason
            told = _("table {table}: {words}").format(table=one.table, words=_(words))
            yield TABLES + one.table, (Cell(shape, look), Cell(told, look), Cell(plays), Cell(""))

    def _line(self, state: Tournament, key: str) -> tuple[int, tuple[Cell, ...]] | None:
        rule = rule_of(state, key)
        if self._only_differing and (rule is None or not rule.organiser):
            return None
        value = Cell(self._shown(state, key) or "–", "player" if rule is not None and rule.organiser else "")
        if rule is None:
            return KEYS.index(key), (Cell(""), Cell(label(key)), value, Cell(""))
        where = stands(state, key) or stand(rule)
        shape, _words = MARKS[where]
        said_so = _("open: yours") if where == "open" and rule.organiser else _(BRIEF[where])
        return KEYS.index(key), (Cell(shape, LOOKS[where]), Cell(label(key)), value, Cell(said_so, LOOKS[where]))

    def _shown(self, state: Tournament, key: str) -> str:
        return readable(value_words(key, value_now(state, key)))

    def _show_about(self) -> None:
        """What there is to say about the chosen line."""
        state, key = self.state, self._key
        if state is None:
            return
        self.query_one("#about", Static).update("\n".join(self._about(state, key)))

    def _about(self, state: Tournament, key: str) -> list[str]:
        number = self.query_one(PickList).number or 0
        if number > TABLES:
            one = next((one for one in self._given if one.table == number - TABLES), None)
            if one is None:
                return []
            words = _("table {table}: {words}").format(table=one.table, words=_(GIVEN[one.how][1]))
            more = [_("It plays: a box takes other settings only between games.")] if one.plays and one.lacks else []
            return [words, *more, _("S (with Shift) sends them to every box that rests and lacks them.")]
        return about(state, key) if key else []

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
        self.editor.open(key, value_now(state, key), choices(key, state.ruleset, tuple(rulebook.available())))
        self._check()
        self.show_buttons()

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
                  "round is seated, a simulated hall plays that round with its settings.")
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
