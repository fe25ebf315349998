"""Standings as they are now: who stands where, who has moved since the round before, who is level; to be printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import events, work
from textual.app import ComposeResult
from textual.widgets import Input, Static

from dalej.acts.catalogue import ACTS
from dalej.domain.stagewords import stage_name
from dalej.errors import DalejError
from dalej.office.advancing import level_at_the_cut
from dalej.tui.room import Room
from dalej.tui.screens.deskwork import DeskWork
from dalej.tui.widgets import asking
from dalej.tui.widgets import standinglines as lines
from dalej.tui.widgets.actionbar import Button
from dalej.tui.widgets.choices import Choices
from dalej.tui.widgets.picklist import PickList
from dalej.tui.widgets.question import why_question
from dalej.tui.widgets.resultlines import progress_words
from dalej.words import N_, _, ngettext, readable, said

FORMS: Final[tuple[tuple[str, str], ...]] = (
    ("pdf", N_("PDF, to be printed and hung up")), ("xlsx", N_("XLSX, for a spreadsheet")),
    ("csv", N_("CSV, for any program")), ("html", N_("one HTML page, for the web")),
)  # fmt: skip
TIES: Final = (N_("as the head referee decides"), N_("by lot"), N_("by a game played for it"))


class StandingsScreen(DeskWork):
    """`stage` None: of the whole event. `group`, `search`: who is shown."""

    NAME = N_("Standings")
    WAY = "standings"
    AUTO_FOCUS = "#standings"
    CSS = """
    StandingsScreen #standings { height: 1fr; min-height: 3; }
    StandingsScreen #search { display: none; margin: 0 1; }
    StandingsScreen #search.-open { display: block; }
    StandingsScreen #groups { display: none; }
    StandingsScreen #groups.-some { display: block; }
    StandingsScreen #player { height: auto; max-height: 3; padding: 0 1; background: $surface; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.stage: str | None = None
        self.group = ""
        self.search = ""
        self._all: list[lines.Listed] = []
        self._stages: list[str | None] = []
        self._bindings.bind("left_square_bracket", "step_stage(-1)", show=False)
        for key, action, words, shown in (
            ("right_square_bracket", "step_stage(1)", _("stage"), "[ ]"), ("g", "step_group", _("group"), None),
            ("slash", "search", _("search"), "/"), ("o", "order", _("order level"), None),
            ("p", "print_list", _("print"), None), ("r", "results", _("results"), None),
        ):  # fmt: skip
            self._bindings.bind(key, action, words, key_display=shown)

    def compose_work(self) -> ComposeResult:
        """Stages, groups, search, list, the chosen player."""
        yield Choices(_("Stage:"), id="stages", digits=False)
        yield Choices(_("Group:"), id="groups", digits=False)
        yield Input(id="search", compact=True, placeholder=_("part of a name; Enter goes to the list, Esc shows all"))
        yield PickList(id="standings")
        yield Static(id="player", markup=False)

    def headline(self) -> str:
        """What counts so far."""
        return " · ".join(filter(None, (_(self.NAME), self.round_words(), progress_words(self.page.round))))

    def buttons(self) -> Sequence[Button]:
        """What there is to do."""
        shown = [Button("/", _("search"), "search")]
        if len(self._stages) > 1:
            shown.append(Button("[ ]", _("stage"), "step_stage(1)"))
        if self.state is not None and lines.groups(self.state):
            shown.append(Button("g", _("group"), "step_group"))
        if self.may("tie"):
            shown.append(Button("o", _("order level"), "order"))
        if self.may("print"):
            shown.append(Button("p", _("print"), "print_list"))
        return [*shown, Button("r", _("results"), "results"), *self.common_buttons()]

    def show_page(self) -> None:
        """The lines that are asked for."""
        state, grid = self.state, self.query_one(PickList)
        if state is None or not grid.room:
            return
        self._stages = lines.stages(state)
        if self.stage not in self._stages:
            self.stage = self._stages[0]
        several = self.query_one("#stages", Choices)
        several.display = len(self._stages) > 1
        several.show([_("the whole event") if one is None else stage_name(one) for one in self._stages],
                     self._stages.index(self.stage))  # fmt: skip
        self._show_groups()
        self._all = lines.listed(state, self.stage)
        shown = lines.chosen(self._all, self.group, self.search)
        since = lines.before_words(state, self.stage)
        shape = lines.shape(grid.room, shown or self._all, changes=bool(since), stage_column=False)
        grid.show_lines(shape.places, [lines.as_line(one, shape) for one in shown])
        self._show_player()

    def _show_groups(self) -> None:
        state, row = self.state, self.query_one("#groups", Choices)
        found = [] if state is None else lines.groups(state)
        if self.group not in found:
            self.group = ""
        row.set_class(bool(found), "-some")
        row.show([_("all"), *map(readable, found)], found.index(self.group) + 1 if self.group else 0)

    def _show_player(self) -> None:
        state, key = self.state, self.query_one(PickList).number
        one = next((one for one in self._all if one.line.player == key), None)
        words = _("Nobody has that name.") if self.search and one is None else ""
        if state is not None and one is not None:
            words = lines.player_words(state, one, lines.before_words(state, self.stage))
        self.query_one("#player", Static).update(words)

    def on_resize(self, _event: events.Resize) -> None:
        """Other columns have room."""
        self.call_after_refresh(self.refresh_page)

    def on_pick_list_moved(self, _moved: PickList.Moved) -> None:
        """Another player is chosen."""
        self._show_player()

    def on_choices_chosen(self, chosen: Choices.Chosen) -> None:
        """A stage or a group."""
        if chosen.choices.id == "stages":
            self.stage = self._stages[chosen.index]
        elif self.state is not None:
            self.group = ["", *lines.groups(self.state)][chosen.index]
        self.show_page()

    def on_input_changed(self, changed: Input.Changed) -> None:
        """Found while it is typed."""
        self.search = changed.value
        self.show_page()

    def on_input_submitted(self, _submitted: Input.Submitted) -> None:
        """To the list."""
        self.query_one(PickList).focus()

    def action_step_stage(self, step: int) -> None:
        """The next stage's standings."""
        if len(self._stages) < 2:
            return
        self.stage = self._stages[(self._stages.index(self.stage) + step) % len(self._stages)]
        self.show_page()

    def action_step_group(self) -> None:
        """The next group."""
        if self.state is not None:
            each = ["", *lines.groups(self.state)]
            self.group = each[(each.index(self.group) + 1) % len(each)]
            self.show_page()

    def action_search(self) -> None:
        """Type a part of a name."""
        field = self.query_one("#search", Input)
        field.add_class("-open")
        field.focus()

    def action_leave(self) -> None:
        """Everybody again, else back."""
        field = self.query_one("#search", Input)
        if field.has_class("-open"):
            field.remove_class("-open")
            field.value = ""
            self.query_one(PickList).focus()
            return
        super().action_leave()

    def action_results(self) -> None:
        """The other list."""
        self.open("results")

    def step_here(self) -> None:
        """Publish them."""
        self.action_print_list()

    @work(exclusive=True, group="order")
    async def action_order(self) -> None:
        """The head referee puts those in order who are level with the chosen one."""
        if not self.may("tie"):
            self.outcome.warn(_("That is not for the role you sit here with."))
            return
        key = self.query_one(PickList).number
        asked = () if self.state is None else level_at_the_cut(self.state)
        level = [] if key is None else lines.level_with(self._all, key, asked)
        if len(level) < 2:
            waits = [one for one in self._all if one.open]
            first = next((one for one in waits if one.line.player in asked), waits[0] if waits else None)
            if first is None:
                self.outcome.tell(_("Nobody is level."))
                return
            self.query_one(PickList).choose_number(first.line.player)
            level = lines.level_with(self._all, first.line.player, asked)
        title = said(DalejError(ACTS["tie"].title))
        words = _("Level on place {place}: name the best first, by key or click.").format(place=level[0].line.place)
        order = await self.asks(asking.Order(title, words, [one.name for one in level]))
        if not order:
            return
        answers = await self.asks(why_question(title, [], [_(one) for one in TIES]))
        if answers is not None:
            args: dict[str, object] = {"players": [level[one].line.player for one in order]}
            if self.stage is not None:
                args["stage"] = self.stage
            self.act("tie", args, answers["why"])

    @work(exclusive=True, group="print")
    async def action_print_list(self) -> None:
        """As a file beside the event."""
        if not self.may("print"):
            self.outcome.warn(_("That is not for the role you sit here with."))
            return
        choices = [_(words) for _form, words in FORMS]
        chosen = await self.asks(asking.Choose(_("Standings"), _("A file beside the event, as:"), choices))
        if chosen is None:
            return
        args: dict[str, object] = {"what": "standings", "form": FORMS[chosen][0]}
        if self.stage is not None and len(self._stages) > 1:
            args["stage"] = self.stage
        state = self.state
        if state is not None and lines.groups(state) and FORMS[chosen][0] != "html":
            args["groups"] = True
        self.act("print", args)

    def help_text(self) -> str:
        """What is here."""
        state = self.state
        level = sum(one.open for one in self._all)
        return "\n".join([
            _("Every result that is in counts at once, also of the round that is played."),
            _("▲2: two places up since the round before; ▼1: one down; ·: the same; +: new in the list."),
            _("=3.: level on place 3. The head referee decides the order: o, then the best first."),
            ngettext("{count} player is level.", "{count} players are level.", level).format(count=level)
            if level else _("Nobody is level."),
            _("Below the list stands the chosen player: what changed, and big / small points of every round."),
            _("[ and ] change the stage, g the group, / searches by name, p writes a file: PDF, table, web page."),
            "" if state is None or state.ruleset.ranking == "small"
            else _("Big points count first, then small points."),
        ]).strip()  # fmt: skip
