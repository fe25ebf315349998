"""Every table of the round: what is in, what is missing, who entered it, who confirmed it, what its box says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from textual import events, work
from textual.app import ComposeResult
from textual.widgets import Static

from dalej.domain.tournament.tournament import Round, RoundKey
from dalej.office import results
from dalej.office.acts.results import EnterResults, FiledGame
from dalej.office.rounds import to_be_confirmed, unconfirmed
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import CHOSEN, chooser
from dalej.tui.room import Room
from dalej.tui.screens import listfile
from dalej.tui.screens.checking import CheckScreen
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.office import OfRound, called
from dalej.tui.typedahead import drop
from dalej.tui.widgets import resultlines as lines
from dalej.tui.widgets.bars import Button
from dalej.tui.widgets.choices import Choices
from dalej.tui.widgets.grid import PickList
from dalej.views import papers
from dalej.views.listwords import planned_results
from dalej.views.resultwords import (
    CONFIRMED,
    ENTERED,
    MISSING,
    READY,
    UNPLAYED,
    is_in,
    progress_words,
    standing,
    table_words,
    tables_of,
    wants_check,
)
from dalej.words import N_, _, ngettext

ALL, OPEN = range(2)


class ResultsScreen(OfRound):
    """`only`: whether tables where nothing is to be done are left out. r shows another round, for corrections."""

    NAME = N_("Results")
    WAY = "results"
    N_IS_TAKEN = True
    AUTO_FOCUS = "#results"
    CSS = """
    ResultsScreen #results { height: 1fr; min-height: 3; }
    ResultsScreen #about { height: auto; max-height: 3; padding: 0 1; background: $surface; }
    ResultsScreen #legend { height: auto; max-height: 2; padding: 0 1; color: $text-muted; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.bind_keys(
            ("n,j", "next_missing", _("next missing")), ("l", "read_list", _("read a list")),
            ("m", "only_missing", _("missing only")),
            ("v", "confirm", _("confirm")), ("p", "print_sheets", _("write a PDF")), ("t", "standings", _("standings")),
            ("r", "other_round", _("another round")),
        )  # fmt: skip
        self.only = False
        self._typed = ""
        self._shown: list[int] = []
        self._second = ""  # who has confirmed the table before: that person goes through all of them

    @property
    def chosen(self) -> RoundKey | None:
        """As of `OfRound`; where no round is left to be worked on, the last that was played."""
        if self._key is None and self.round is None:
            return next((one.key for one in self._seated()), None)
        return self._key

    @chosen.setter
    def chosen(self, key: RoundKey | None) -> None:
        self._key = key

    def compose_work(self) -> ComposeResult:
        """Which tables, and they."""
        yield Choices(_("Show (m):"), id="which", digits=False)
        yield PickList(id="results")
        yield Static(id="about", markup=False)
        marks = (
            (CONFIRMED, _("confirmed")), (ENTERED, _("entered")), (READY, _("over at the box")),
            (MISSING, _("missing")), (UNPLAYED, _("not played")),
        )  # fmt: skip
        yield Static("  ".join(f"{mark} {words}" for mark, words in marks), id="legend", markup=False)

    def headline(self) -> str:
        """The round and how far it is."""
        progress = progress_words(self.shown_page.state, self.shown)
        return " · ".join(filter(None, (_(self.NAME), self.shown_words(), progress)))

    def buttons(self) -> Sequence[Button]:
        """What can be done with the chosen table, and where to go on."""
        shown: list[Button] = []
        if tables_of(self.shown):
            shown += [Button(_("Enter"), _("sheet"), "open"), Button("n", _("next missing"), "next_missing")]
            if self.may("confirm_result"):
                shown.append(Button("v", _("confirm"), "confirm"))
            if self._reads_lists:
                shown.append(Button("l", _("read a list"), "read_list"))
            if self.may("print"):
                shown.append(Button("p", _("write a PDF"), "print_sheets"))
        if any(one is not self.shown for one in self._seated()):
            shown.append(Button("r", _("another round"), "other_round"))
        return [*shown, Button("t", _("standings"), "standings"), *self.common_buttons()]

    def show_page(self) -> None:
        """The tables that are asked for."""
        one, page = self.shown, self.shown_page
        checked = wants_check(page.state)
        everything = tables_of(one)
        for part in ("#which", "#about", "#legend"):
            self.query_one(part).display = bool(everything)
        undone = [] if one is None else [
            table for table in everything if not is_in(standing(page, one, table), checked=checked)
        ]  # fmt: skip
        self.query_one("#which", Choices).show(
            [
                ngettext("all: {count} table", "all: {count} tables", len(everything)).format(count=len(everything)),
                _("something to do: {count}").format(count=len(undone)),
            ],
            OPEN if self.only else ALL,
        )
        self._shown = undone if self.only else everything
        grid = self.query_one(PickList)
        if one is None or not grid.room:
            grid.show_lines((), [])
            return
        shape = lines.shape(grid.room, one.stage.games, boxes=bool(page.boxes))
        grid.show_lines(
            shape.places, [lines.line(page, one, table, shape, checked=checked) for table in self._shown]
        )  # fmt: skip

    def on_pick_list_moved(self, _moved: PickList.Moved) -> None:
        """What a column had no room for stands whole below."""
        table = self.query_one(PickList).number
        words = "" if self.shown is None or table is None else table_words(self.shown_page, self.shown, table)
        self.query_one("#about", Static).update(words)

    def on_choices_chosen(self, chosen: Choices.Chosen) -> None:
        """A click on which tables to show."""
        self.only = chosen.index == OPEN
        self.show_page()

    def on_pick_list_taken(self, taken: PickList.Taken) -> None:
        """Open the table."""
        taken.stop()
        self._sheet(taken.number)

    def action_open(self) -> None:
        """The sheet of the chosen table."""
        self.query_one(PickList).action_open()

    def on_key(self, key: events.Key) -> None:
        """Digits go to the table of that number, and open it once it can be no other."""
        if key.character is None or not key.character.isascii() or not key.character.isdigit():
            self._typed = ""
            return
        key.stop()
        self._typed = (self._typed + key.character).lstrip("0")
        known = [str(table) for table in self._shown]
        if not any(table.startswith(self._typed) for table in known):
            drop(self.app)
            self.outcome.warn(_("There is no table {table} here.").format(table=self._typed))
            self._typed = ""
            return
        if self._typed in known:
            self.query_one(PickList).choose_number(int(self._typed))
            if sum(table.startswith(self._typed) for table in known) == 1:
                table, self._typed = int(self._typed), ""
                self._sheet(table)

    def action_only_missing(self) -> None:
        """All tables, or those with something to do."""
        self.only = not self.only
        self.show_page()

    def action_next_missing(self) -> None:
        """To the next table with something to do, after this one; first those whose game is over."""
        one = self.shown
        if one is None or one.seating is None:
            self.outcome.tell(_("Nobody is seated yet: there are no results to enter."))
            return
        checked, grid = wants_check(self.page.state), self.query_one(PickList)
        here = grid.number or 0
        stands = [standing(self.shown_page, one, table) for table in tables_of(one)]
        todo = [each.table for each in stands if not is_in(each, checked=checked)]
        if not todo:
            self.outcome.tell(" ".join(filter(None, (_("Everything is in."), self.next_words()))))
            return
        todo = [each.table for each in stands if each.waits] or todo
        grid.choose_number(next((table for table in todo if table > here), todo[0]))

    def action_confirm(self) -> None:
        """The table with the cursor, by a second person."""
        table = self.query_one(PickList).number
        if table is not None:
            self._confirm(table)

    @work
    async def action_other_round(self) -> None:
        """An earlier one, to look at or to correct; or back to the one that is worked on."""
        rounds = self._seated()
        if not any(one is not self.shown for one in rounds):
            self.outcome.tell(_("There is no other round yet."))
            return
        words = _(
            "In a round that is closed an organiser corrects a result with a reason; the round stays closed. What "
            "changes is said before, and what was decided from the old numbers stands."
        )
        names = [called(one) for one in rounds]
        answers = await self.asks(chooser(_("Which round?"), words, names, _("show it")))
        if answers is not None:
            one = rounds[int(str(answers[CHOSEN]))]
            self.chosen = None if one is self.round else one.key
            self.refresh_page()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Lists lie on the computer that has the event."""
        return self._reads_lists if action == "read_list" else super().check_action(action, parameters)

    @property
    def _reads_lists(self) -> bool:
        return self.room.folder is not None and self.may("enter_results") and not self.is_closed

    @work(exclusive=True, group="list")
    async def action_read_list(self) -> None:
        """The results of the round from a list that lies in the event's folder."""
        folder, one, title = self.room.folder, self.shown, _("enter the results of a file")
        if folder is None or one is None or one.seating is None:
            self.outcome.tell(_("Nobody is seated yet: there are no results to enter."))
            return
        blank = papers.BLANK_RESULTS._replace(args=self.of_round(papers.BLANK_RESULTS.args))
        file = await listfile.pick(self, title, folder, blank if one.missing() else None)
        if not isinstance(file, Path):
            return
        planned = await listfile.read(self, file, partial(planned_results, self.shown_page, self.shown))
        if planned is None:
            return
        found, words = planned
        if await self.asks(Confirm(title, words, yes=_("enter them"), enter=not found.doubts)):
            games = tuple(FiledGame(at.table, at.game, entry) for at, entry in found.entries.items())
            self.act("enter_results", EnterResults(games, one.key.text).wish().args)

    def _seated(self) -> list[Round]:
        """Rounds that have results to look at, the latest first."""
        known = [] if self.state is None else self.state.rounds.values()
        return [one for one in known if one.seating is not None][::-1]

    def action_standings(self) -> None:
        """The other list."""
        self.open("standings")

    def open(self, screen: str, table: int = 0) -> None:
        """What the next step names is done from here."""
        if screen in ("entry", "confirm"):
            self.came_for(screen, table)
        else:
            super().open(screen, table)

    def came_for(self, screen: str, table: int) -> None:
        """A table's sheet, or what a second person looks at, of the round to work on; before that, of a closed one what
        was corrected in it and must be confirmed.
        """
        waits = [] if self.state is None or screen != "confirm" else to_be_confirmed(self.state)
        self.chosen = next((key for key, corrected in waits if corrected == table), None)
        self.refresh_page()
        if screen == "confirm":
            self._confirm(table)
        else:
            self._sheet(table)

    @work
    async def action_print_sheets(self) -> None:
        """Score sheets, to be filled in or filled."""
        if not self.allows("print"):
            return
        table = self.query_one(PickList).number
        sheets: dict[str, object] = {"what": "sheets", "form": "pdf"}
        offered = [(_(one.words), dict(one.args)) for one in papers.of(self.WAY)]
        if table is not None:
            offered += [
                (_("an empty sheet for table {table}").format(table=table), sheets | {"table": table}),
                (_("table {table} with its results").format(table=table), sheets | {"table": table, "filled": True}),
            ]
        choices = [words for words, _args in offered]
        answers = await self.asks(chooser(_("Score sheets"), _("A PDF beside the event."), choices, _("write it")))
        if answers is not None:
            self.act("print", self.of_round(offered[int(str(answers[CHOSEN]))][1]))

    def help_text(self) -> str:
        """What is here."""
        return "\n".join([
            _("Every line is a table of the round. Behind each game's number stands how far it is:"),
            f"{MISSING} " + _("nothing has been entered;"),
            f"{READY} " + _("the box says that the game is over: its racks can be entered;"),
            f"{ENTERED} " + _("entered, nobody has confirmed it;"),
            f"{CONFIRMED} " + _("a second person has confirmed it;   – the game was not played."),
            "",
            _("Enter, a click or the table's number opens its sheet. n goes to the next table where something is to be "
              "done, m leaves out the others."),
            _("v: a second person looks at the table's results and confirms them."),
            _("r shows another round. In one that is closed an organiser corrects a result, or enters one that was "
              "lost, with a reason; what changes is said before, and what was decided from the old numbers stands."),
            _("p writes score sheets as a PDF beside the event."),
            *([_("l reads results from a list that lies in the folder of the event (.xlsx, .ods, .csv): what is "
                 "wrong in it is said line by line, else how many games would be entered. It also writes such a list, "
                 "to be filled in.")]
              if self._reads_lists else []),
        ])  # fmt: skip

    def _sheet(self, table: int) -> None:
        one = self.shown
        if one is None or table not in tables_of(one):
            return
        missing = results.missing_at(one, table)
        self.query_one(PickList).choose_number(table)
        self.app.push_screen(EntryScreen(self.room, table, missing[0] if missing else 1, self.chosen), self._back)

    def _confirm(self, table: int) -> None:
        one = self.shown
        if one is not None and table in tables_of(one):
            self._confirm_table(one, table)

    def _confirm_table(self, one: Round, table: int) -> None:
        if not results.of_table(one, table):
            self.outcome.refuse(_("Table {table} has no result yet.").format(table=table))
            return
        confirming = CheckScreen(self.room, table, self._second, self.chosen)

        def back(left: str | None) -> None:
            self._second = confirming.name_given
            self.done_there(left)
            if left is not None:
                self._next_unconfirmed()

        self.app.push_screen(confirming, back)

    def _next_unconfirmed(self) -> None:
        """The cursor goes on to the next table that the second person may look at: v and y go on from there."""
        open_ones = [] if self.shown is None else unconfirmed(self.shown)
        if open_ones:
            grid = self.query_one(PickList)
            here = grid.number or 0
            grid.choose_number(next((table for table in open_ones if table > here), open_ones[0]))

    def _back(self, left: str | None) -> None:
        """What was done there; the cursor goes on to what is next."""
        self.done_there(left)
        if left is not None and not self.is_closed:  # there what stands all the same is named, and stays to be read
            self.action_next_missing()
