"""The list of settings: every value as it is now, how it stands to the regulation, and which boxes have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.widgets import Static

from dalej.domain import options as values
from dalej.domain.rulesets import Rule
from dalej.domain.tournament import RULESET, Tournament
from dalej.errors import DalejError
from dalej.hall.boxsent import Sent
from dalej.office.boxsettings import Given
from dalej.office.differing import MARKS, Stand, original_text, stand
from dalej.office.options import OF_THE_EVENT
from dalej.office.settingnames import label
from dalej.quoting import quoted
from dalej.tui.ending import begin
from dalej.tui.messages import FactsRecorded
from dalej.tui.room import Room
from dalej.tui.screens.deskwork import DeskWork
from dalej.tui.widgets.givenline import GIVEN, GivenLine, has_words
from dalej.tui.widgets.grid import Cell, Line
from dalej.tui.widgets.picklist import HEADING, PickList, placed
from dalej.tui.widgets.settingchange import permits
from dalej.tui.widgets.settingwords import (
    GROUPS,
    LANGUAGE,
    full_key,
    value_words,
)
from dalej.words import N_, _, language, readable, said

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


def _rule(state: Tournament, key: str) -> Rule | None:
    """The ruleset's value behind a setting, None for one of the event or the screen."""
    if key in (*OF_THE_EVENT, RULESET, LANGUAGE):
        return None
    return state.ruleset.rule("stages" if key in (values.ROUNDS, values.GAMES) else full_key(key))


def typed(state: Tournament, key: str) -> str:
    """A value as it is typed."""
    if key == LANGUAGE:
        return language()
    if key in (values.ROUNDS, values.GAMES):
        return str(getattr(state.ruleset.stages[0], key))
    rule = _rule(state, key)
    if rule is not None:
        return values.format_value(rule)
    own = {"name": state.name, "town": state.town, "date": state.date, "closed": "yes" if state.closed else "no"}
    return {**own, RULESET: state.ruleset.id}[key]


def _whole_value(cells: tuple[Cell, ...], room: int) -> tuple[Cell, ...]:
    """A value that is too long takes the place of what the mark before the line says too, unless that is a warning."""
    mark, name, value, said_so = cells
    over = cell_len(value.text) > room and said_so.look != LOOKS["against"]
    return (mark, name, value, Cell("") if over else said_so)


class SettingList(DeskWork):
    """`sent`: tells which boxes have them; None: that is not known here."""

    NAME = N_("Settings")
    WAY = "settings"
    AUTO_FOCUS = "#settings"

    def __init__(self, room: Room, sent: Sent | None = None) -> None:
        super().__init__(room)
        self._sent = room.sent if sent is None else sent
        self._given: Sequence[Given] = ()
        self._asks_boxes = self._boxes_changed = False
        self._only_differing = False
        for key, action, words in (
            ("f", "filter", _("only what differs")), ("b", "boxes", _("boxes")), ("s", "send", _("send to the boxes")),
        ):  # fmt: skip
            self._bindings.bind(key, action, words)

    def show_page(self) -> None:
        """Every value as it is now."""
        state = self.state
        if state is not None:
            self._lay_out(state)
        self._ask_boxes()

    def headline(self) -> str:
        """How many values are not the ruleset's."""
        state = self.state
        if state is None:
            return _(self.NAME)
        count = sum(stand(rule) == "against" for rule in state.ruleset.rules)
        differs = _("not as the regulation says: {count}").format(count=count)
        return " · ".join([_(self.NAME), state.ruleset.id, *([differs] if count else [])])

    def on_resize(self, _event: events.Resize) -> None:
        """Other columns."""
        self.call_after_refresh(self.refresh_page)

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

    def on_facts_recorded(self, recorded: FactsRecorded) -> None:
        """Boxes may have answered."""
        super().on_facts_recorded(recorded)
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
        rule = _rule(state, key)
        if self._only_differing and (rule is None or not rule.organiser):
            return None
        value = Cell(self._shown(state, key) or "–", "player" if rule is not None and rule.organiser else "")
        if rule is None:
            return KEYS.index(key), (Cell(""), Cell(label(key)), value, Cell(""))
        where = stand(rule)
        shape, _words = MARKS[where]
        said_so = _("open: yours") if where == "open" and rule.organiser else _(BRIEF[where])
        return KEYS.index(key), (Cell(shape, LOOKS[where]), Cell(label(key)), value, Cell(said_so, LOOKS[where]))

    def _shown(self, state: Tournament, key: str) -> str:
        return readable(value_words(key, typed(state, key)))

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
        rule = _rule(state, key) if key else None
        if rule is None:
            return [f"{label(key)}: {self._shown(state, key) or '–'}"] if key else []
        where = stand(rule)
        shape, words = MARKS[where]
        lines = [f"{label(key)}: {self._shown(state, key)} · {shape} {_(words)}"]
        clause, quote = rule.citation
        quote = quoted(quote, state.ruleset.language)
        lines.append(
            _("The regulation, {clause}: {quote}").format(clause=readable(clause), quote=readable(quote)) if quote
            else _("The regulation, {clause}").format(clause=readable(clause))
        )  # fmt: skip
        if rule.organiser and key not in ("rounds", "games"):
            lines.append(_("Without your choice: {value}").format(value=value_words(key, original_text(rule))))
        if rule.ours:
            lines.append(_("Ours, because: {why}").format(why=_(rule.why)))
        if rule.modifiable:
            lines.append(_("The regulation permits any other value."))
        elif rule.allows and not rule.granted:
            lines.append(permits(rule, key, state.ruleset.language))
        return lines
