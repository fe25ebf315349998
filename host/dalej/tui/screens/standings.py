"""Standings as they are now: who stands where, who has moved since the round before, who is level, sums; to be
printed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.widgets import Input, Static

from dalej.domain.scoring.points import gained, total
from dalej.domain.tournament.stages import round_name, stage_name
from dalej.domain.tournament.standings import Line as Standing
from dalej.domain.tournament.standings import standings
from dalej.domain.tournament.tournament import RoundKey, Tournament
from dalej.errors import DalejError
from dalej.office.acts.catalogue import ACTS
from dalej.office.advancing import level_at_the_cut
from dalej.office.finalists import has_finalists
from dalej.office.players import folded, goes_by
from dalej.tui.ask.dialog import CHOSEN, Question, chooser
from dalej.tui.ask.fields import WHY, OrderField, ReasonField
from dalej.tui.ask.reasons import ready
from dalej.tui.room import Room
from dalej.tui.screens.office import DeskWork
from dalej.tui.widgets.bars import Button
from dalej.tui.widgets.choices import Choice, Choices
from dalej.tui.widgets.grid import Cell, Line, PickList, Place
from dalej.views import papers
from dalej.views.resultwords import progress_words
from dalej.words import N_, _, ngettext, readable, said

UP, DOWN, SAME, NEW = "▲", "▼", "·", "+"
LEVEL: Final = "="
_NAME_LEAST: Final = 14


@dataclass(frozen=True, slots=True)
class Listed:
    """A line; `moved`: places won since the round before, None: was not in it; `open`: the head referee decides."""

    line: Standing
    name: str
    group: str
    moved: int | None
    open: bool
    gone: bool


def stages(state: Tournament) -> list[str | None]:
    """What there are standings of: the whole event if it has several stages, and every stage that was reached."""
    reached: list[str | None] = [one.id for one in state.plan if one.id in state.entrants]
    return [None, *reached] if len(state.plan) > 1 else reached


def groups(state: Tournament) -> list[str]:
    """Classes, clubs or towns, in their order."""
    return sorted({player.group for player in state.players.values() if player.group}, key=folded)


def listed(state: Tournament, stage: str | None) -> list[Listed]:
    """All lines, best first."""
    now = standings(state, stage)
    before = _places_before(state, stage)
    return [
        Listed(
            line, readable(state.players[line.player].name), readable(state.players[line.player].group),
            before[line.player] - line.place if line.player in before else None,
            line.level and not line.absent and state.players[line.player].gone is None and bool(line.games),
            state.players[line.player].gone is not None,
        )
        for line in now
    ]  # fmt: skip


def before_words(state: Tournament, stage: str | None) -> str:
    """Since when the places have changed; "" if there is nothing before."""
    key = _before(state, stage)
    return "" if key is None else round_name(*key)


def _before(state: Tournament, stage: str | None) -> RoundKey | None:
    """The round before the latest one with results."""
    last = [name for name in state.entrants if name in {one.id for one in state.plan}][-1]
    played = [key for key, one in state.rounds.items() if one.results and key.stage == (stage or last)]
    return RoundKey(played[-1].stage, played[-1].round - 1) if played and played[-1].round > 1 else None


def _places_before(state: Tournament, stage: str | None) -> Mapping[int, int]:
    key = _before(state, stage)
    if key is None:
        return {}
    return {line.player: line.place for line in standings(state, stage, through=key.round)}


def chosen(lines: Sequence[Listed], group: str, search: str) -> list[Listed]:
    """Those of a group ("": any) whose name has every word of what is searched for."""
    wanted = folded(search)
    return [one for one in lines if (not group or one.group == readable(group)) and goes_by(one.name, wanted)]


def level_with(lines: Sequence[Listed], player: int, asked: Collection[int] = ()) -> list[Listed]:
    """Everybody who shares the place of that player and has not left; one alone is level with nobody. `asked`: whom the
    cut waits for; on their place it is for them alone, whoever is level with them at another table.
    """
    place = next((one.line.place for one in lines if one.line.player == player), 0)
    waits = [one for one in lines if one.line.player in asked]
    if any(one.line.place == place for one in waits):
        return waits
    return [one for one in lines if one.line.place == place and one.open]


def moved_mark(one: Listed) -> str:
    """`▲2`, `▼1`, `·`, and `+` for who is new; "" where there is nothing before."""
    if one.moved is None:
        return NEW
    return f"{UP}{one.moved}" if one.moved > 0 else f"{DOWN}{-one.moved}" if one.moved else SAME


def moved_words(one: Listed) -> str:
    """The same in words."""
    if one.moved is None:
        return _("new in the list")
    if one.moved == 0:
        return _("same place")
    count = abs(one.moved)
    if one.moved > 0:
        return ngettext("{count} place up", "{count} places up", count).format(count=count)
    return ngettext("{count} place down", "{count} places down", count).format(count=count)


def note(one: Listed) -> str:
    """Why a place is not settled, or who has left."""
    if one.gone:
        return _("left the event")
    if one.open:
        return _("level: o orders them")
    return _("no game played") if one.line.absent else ""


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns there is room for, in order: `names` of them, and where they stand."""

    names: tuple[str, ...]
    places: tuple[Place, ...]


def shape(room: int, lines: Sequence[Listed], *, changes: bool, stage_column: bool) -> Shape:
    """Places, then names as wide as there is room; group and notes where there is any."""
    noted = max((cell_len(note(one)) for one in lines), default=0)
    wanted = [("place", _("place"), 6, True)]
    wanted += [("moved", _("chg"), 4, False)] if changes else []
    wanted += [("big", _("big"), 5, True)] if any(one.line.big is not None for one in lines) else []
    wanted += [("small", _("small"), 6, True), ("games", _("games"), 6, True)]
    wanted += [("note", _("note"), max(20, noted), False)] if noted else []
    wanted += [("stage", _("stage"), 14, False)] if stage_column else []
    columns = [(name, title, max(width, cell_len(title)), right) for name, title, width, right in wanted]
    gap = 2 if _rest(room, columns, 2) >= _NAME_LEAST else 1
    rest = _rest(room, columns, gap)
    named = [("name", _("player"), rest, False)]
    if any(one.group for one in lines) and rest >= _NAME_LEAST + 10:
        width = min(18, rest - _NAME_LEAST - gap)
        named = [("name", _("player"), rest - width - gap, False), ("group", _("group"), width, False)]
    longest = max([_NAME_LEAST, cell_len(_("player")), *(cell_len(one.name) for one in lines)]) + 2
    named[0] = ("name", _("player"), max(4, min(longest, named[0][2])), False)
    before = 2 if changes else 1  # the place, and how it has changed
    at, places, order = 1, [], [*columns[:before], *named, *columns[before:]]
    for _name, title, width, right in order:
        places.append(Place(title, at, width, right))
        at += width + gap
    return Shape(tuple(name for name, *_rest_of in order), tuple(places))


def _rest(room: int, columns: Sequence[tuple[str, str, int, bool]], gap: int) -> int:
    """What these columns leave for the name."""
    return room - 1 - sum(width + gap for _name, _title, width, _right in columns) - gap


def as_line(one: Listed, shape: Shape) -> Line:
    """The player's line."""
    return Line(one.line.player, tuple(_cell(one, name) for name in shape.names))


def _cell(one: Listed, name: str) -> Cell:
    line = one.line
    match name:
        case "place":
            return Cell(f"{LEVEL if one.open else ''}{line.place}.", "table")
        case "moved":
            look = "quiet" if not one.moved else "runs" if one.moved > 0 else "patient"
            return Cell(moved_mark(one), look)
        case "name":
            return Cell(one.name, "quiet" if one.gone else "player")
        case "group":
            return Cell(one.group)
        case "big":
            return Cell("" if line.big is None else str(line.big), "table")
        case "small":
            return Cell(total(line.small))
        case "games":
            return Cell(str(line.games), "quiet")
        case "stage":
            return Cell(line.stage, "quiet")
        case _:
            return Cell(note(one), "urgent" if one.open else "quiet")


def player_words(state: Tournament, one: Listed, since: str) -> str:
    """The chosen player in words: change and rounds."""
    parts = [one.name]
    if since:
        parts.append(_("{change} since {round}").format(change=moved_words(one), round=since))
    rounds = [f"{round_name(*key)}: {said}" for key, said in _rounds(state, one.line.player)]
    return " · ".join([*parts, *rounds[-4:]])


def _rounds(state: Tournament, player: int) -> Iterator[tuple[RoundKey, str]]:
    for key, one in state.rounds.items():
        scores = [
            score
            for result in one.results.values() for score in result.scores
            if result.players.get(score.seat) == player
        ]  # fmt: skip
        if not scores:
            continue
        small = gained(sum(score.small for score in scores))
        big = [score.big for score in scores if score.big is not None]
        yield key, f"{sum(big)} / {small}" if big else small


FORMS: Final[tuple[tuple[str, str], ...]] = (
    ("pdf", N_("PDF, to be printed and hung up")), ("xlsx", N_("XLSX, for a spreadsheet")),
    ("csv", N_("CSV, for any program")),
)  # fmt: skip


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
        self._all: list[Listed] = []
        self._stages: list[str | None] = []
        self._bindings.bind("left_square_bracket", "step_stage(-1)", show=False)
        for key, action, words, shown in (
            ("right_square_bracket", "step_stage(1)", _("stage"), "[ ]"), ("g", "step_group", _("group"), None),
            ("slash", "search", _("search"), "/"), ("o", "order", _("order level"), None),
            ("p", "print_list", _("write a file"), None), ("r", "results", _("results"), None),
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
        return " · ".join(
            filter(None, (_(self.NAME), self.round_words(), progress_words(self.page.state, self.page.round)))
        )

    def buttons(self) -> Sequence[Button]:
        """What there is to do."""
        shown = [Button("/", _("search"), "search")]
        if len(self._stages) > 1:
            shown.append(Button("[ ]", _("stage"), "step_stage(1)"))
        if self.state is not None and groups(self.state):
            shown.append(Button("g", _("group"), "step_group"))
        if self.may("tie"):
            shown.append(Button("o", _("order level"), "order"))
        if self.may("print"):
            shown.append(Button("p", _("write a file"), "print_list"))
        return [*shown, Button("r", _("results"), "results"), *self.common_buttons()]

    def show_page(self) -> None:
        """The lines that are asked for."""
        state, grid = self.state, self.query_one(PickList)
        if state is None or not grid.room:
            return
        self._stages = stages(state)
        if self.stage not in self._stages:
            self.stage = self._stages[0]
        several = self.query_one("#stages", Choices)
        several.display = len(self._stages) > 1
        several.show([_("the whole event") if one is None else stage_name(one) for one in self._stages],
                     self._stages.index(self.stage))  # fmt: skip
        self._show_groups()
        self._all = listed(state, self.stage)
        shown = chosen(self._all, self.group, self.search)
        since = before_words(state, self.stage)
        form = shape(grid.room, shown or self._all, changes=bool(since), stage_column=False)
        grid.show_lines(form.places, [as_line(one, form) for one in shown])
        self._show_player()

    def _show_groups(self) -> None:
        state, row = self.state, self.query_one("#groups", Choices)
        found = [] if state is None else groups(state)
        if self.group not in found:
            self.group = ""
        row.set_class(bool(found), "-some")
        row.show([_("all"), *map(readable, found)], found.index(self.group) + 1 if self.group else 0)

    def _show_player(self) -> None:
        state, key = self.state, self.query_one(PickList).number
        one = next((one for one in self._all if one.line.player == key), None)
        words = _("Nobody has that name.") if self.search and one is None else ""
        if state is not None and one is not None:
            words = player_words(state, one, before_words(state, self.stage))
        self.query_one("#player", Static).update(words)

    def on_pick_list_moved(self, _moved: PickList.Moved) -> None:
        """Another player is chosen."""
        self._show_player()

    def on_choices_chosen(self, chosen: Choices.Chosen) -> None:
        """A stage or a group."""
        if chosen.choices.id == "stages":
            self.stage = self._stages[chosen.index]
        elif self.state is not None:
            self.group = ["", *groups(self.state)][chosen.index]
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
            each = ["", *groups(self.state)]
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
        if not self.allows("tie"):
            return
        key = self.query_one(PickList).number
        asked = () if self.state is None else level_at_the_cut(self.state)
        level = [] if key is None else level_with(self._all, key, asked)
        if len(level) < 2:
            waits = [one for one in self._all if one.open]
            first = next((one for one in waits if one.line.player in asked), waits[0] if waits else None)
            if first is None:
                self.outcome.tell(_("Nobody is level."))
                return
            self.query_one(PickList).choose_number(first.line.player)
            level = level_with(self._all, first.line.player, asked)
        title = said(DalejError(ACTS["tie"].title))
        words = _("Level on place {place}: name the best first, by key or click.").format(place=level[0].line.place)
        order = OrderField("players", _("best first"), [Choice(one.line.player, one.name) for one in level])
        reason = ReasonField(ready(ACTS["tie"].reasons))
        answers = await self.asks(Question(title, [order, reason], lines=[words], yes=title))
        if answers is not None:
            args: dict[str, object] = {"players": answers["players"]}
            if self.stage is not None:
                args["stage"] = self.stage
            self.act("tie", args, str(answers[WHY]))

    @work(exclusive=True, group="print")
    async def action_print_list(self) -> None:
        """As a file beside the event."""
        if not self.allows("print"):
            return
        state = self.state
        known = state is not None and bool(groups(state))
        made: list[tuple[Mapping[str, object], str]] = [
            ({"what": "standings", "form": form}, _(words)) for form, words in FORMS
        ]
        finalists = state is not None and has_finalists(state)
        made += [
            (one.args, _(one.words)) for one in papers.of(self.WAY)
            if (known or not one.grouped) and (finalists or not one.final)
        ]  # fmt: skip
        choices = [words for _args, words in made]
        answers = await self.asks(chooser(_("Standings"), _("A file beside the event, as:"), choices, _("write it")))
        if answers is None:
            return
        args = dict(made[int(str(answers[CHOSEN]))][0])
        if args["what"] == "standings":
            if self.stage is not None and len(self._stages) > 1:
                args["stage"] = self.stage
            if known:
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
            _("[ and ] change the stage, g the group, / searches by name, p writes a file: PDF, table, final form."),
            "" if state is None or state.ruleset.ranking == "small"
            else _("Big points count first, then small points."),
        ]).strip()  # fmt: skip
