"""What the hall's and the table's screen share: acts on tables offered, asked about and done."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from textual.screen import ModalScreen

from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import DalejError
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.rulings import AboutMove
from dalej.office.acts.wishes import Wish
from dalej.office.rulings import rulings_of
from dalej.tui.ask.menu import ActMenu
from dalej.tui.errands import GROUP, new_errand
from dalej.tui.screens.work import Args, WorkScreen
from dalej.tui.takingback import REVERSE, DoneLine
from dalej.tui.typedahead import begin
from dalej.views.deeds import HALL, TABLE, Place
from dalej.views.offers import Offer, arguments, asks, at_table, filled, for_alert, late_moves, why_not
from dalej.views.rows import Alert, Row
from dalej.words import _

FETCHES: Final = "fetches"  # the group of workers that ask for what a box has to tell
_AT_TABLE: Final = frozenset({"table", "game", "player", "decision"})  # what is done at one is about these


class ActingScreen(WorkScreen[None]):
    """A screen that shows tables."""

    @property
    def is_seen(self) -> bool:
        """In front, or under nothing but questions, which do not hide that time goes on."""
        stack = self.app.screen_stack
        return self in stack and all(isinstance(above, ModalScreen) for above in stack[stack.index(self) + 1 :])

    @property
    def holds_keys(self) -> bool:
        """Something is being taken back: whether the next key takes back more depends on what comes of it."""
        return any(one.node is self and one.name == REVERSE and one.is_running for one in self.workers)

    @property
    def names_it(self) -> bool:
        """As long as it is news."""
        return self.query_one(DoneLine).display

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        """Taken back is what there is to take back."""
        if action == "take_back":
            return self.history.to_take_back is not None
        if action == "do_again":
            return self.history.to_do_again is not None
        return True

    def named_acts(self) -> Sequence[type[Act]]:
        """What is offered by name; where there are no boxes, nothing that takes one. Papers have names of their own."""
        acts = [act for act in self.acts() if act.name != "print"]
        if not self.room.on_paper:
            return acts
        free = [act for act in acts if act.about != "hall" and (act.about != "table" or issubclass(act, AboutMove))]
        return sorted(free, key=lambda act: act.about == "table")

    def action_act(self, name: str) -> None:
        """Do it at once if there is nothing to ask, else ask."""
        table = self.chosen_table()
        act = ACTS[name]
        if not self.may(name):
            return
        row = self._row_of(table)
        if row is None:
            self.open_act(act, {})
        elif problem := why_not(act, row, self.late(row), self.page):
            where = _("Table {table}").format(table=row.table)
            self.hint(f"{where} · " + _("{act}: {problem}").format(act=_(act.title), problem=problem))
        else:
            self.open_act(act, arguments(act, row, self.late(row)))

    def action_menu(self) -> None:
        """Everything that can be done at the chosen table."""
        hands, row = self.hands, self._row_of(self.chosen_table())
        if hands is not None and row is not None and self.acts():
            title = _("Table {table}").format(table=row.table) + " · " + _("what is to be done?")
            page = self.page
            ruled = bool(rulings_of(page.decisions))
            offers = at_table(hands.actor.role, row, self.late(row), ruled=ruled, page=page)
            if not self.room.feed.hall.has_boxes:  # nobody needs to read of each that it takes a box
                offers = [one for one in offers if not one.why_not]
                offers.sort(key=lambda one: one.act.about == "table")  # a ruling on a move is rare without one
            self.app.push_screen(ActMenu(title, offers, self._ruleset()), self._act_chosen)

    def answer(self, alert: Alert) -> None:
        """What an alert asks for: its one act, or the few that it may be."""
        hands, row = self.hands, self._row_of(alert.table)
        if hands is None or row is None:
            return
        self.fetch(row)
        offers = for_alert(hands.actor.role, row, alert, self.late(row), self.page)
        if len(offers) == 1:
            self._act_chosen(offers[0])
        elif offers:
            title = _("Table {table}").format(table=row.table) + " · " + _("what is to be done?")
            self.app.push_screen(
                ActMenu(title, offers, self._ruleset(), asks=asks(alert, row, self.page)), self._act_chosen
            )
        else:
            self.action_menu()

    def fetch(self, row: Row) -> None:
        """A person looks at what waits there: what its box has to tell about that is fetched before anything else."""
        if self.may("fetch") and row.box and row.ahead is not None:
            begin(self, partial(self._fetch, row.table), group=FETCHES)

    async def _fetch(self, table: int) -> None:
        hands = self.hands
        if hands is not None:
            with suppress(DalejError):  # then it comes in its turn
                await hands.do(Wish("fetch", {"table": table}))

    def open_act(self, act: type[Act], args: Args) -> None:
        """Ask what is still to be asked; nothing: do it."""
        table = args.get("table")
        row = self._row_of(table if isinstance(table, int) else None)
        if row is not None and issubclass(act, AboutMove):
            self.fetch(row)
        if filled(act, args):
            self.do_wish(self.new_wish(act.name, args))
        else:
            self.ask_act(act, args)

    def do_wish(self, wish: Wish) -> None:
        """Do it, and say what came of it."""
        begin(self, partial(self._do_wish, wish), group=GROUP)

    def write_paper(self, args: Args) -> None:
        """What came of it is said on the line below."""
        if self.may("print"):
            self.do_wish(self.new_wish("print", args))

    async def _do_wish(self, wish: Wish) -> None:
        hands = self.hands
        if hands is None:
            return
        with suppress(DalejError):  # the line below says it, as the history does
            await self.carried(new_errand(wish, hands, self.history, self.place_of(wish)))
        self.refresh_acting()

    async def show_history(self) -> None:
        """On the line below."""
        self.refresh_acting()

    def hint(self, words: str) -> None:
        """On the line below."""
        self.history.came_to_nothing(words, self.room.feed.own_ms())
        self.refresh_acting()

    async def action_show(self, name: str) -> None:
        """Another screen."""
        await self.action_of_app(f"show({name!r})")

    async def action_of_app(self, action: str) -> None:
        """What the app does, for buttons, which know only their screen."""
        await self.app.run_action(f"app.{action}")

    def late(self, row: Row) -> Sequence[int]:
        """The moves of the game under way there that ran out of time."""
        return late_moves(self.room.feed.hall.turns_of(row.table, row.game))

    # --- what a screen says of itself -----

    def chosen_table(self) -> int | None:
        """The table that acts are about."""
        raise NotImplementedError

    def refresh_acting(self) -> None:
        """Show what was done."""
        raise NotImplementedError

    def _act_chosen(self, offer: Offer | None) -> None:
        if offer is not None:
            self.open_act(offer.act, offer.args)

    def place_of(self, wish: Wish) -> Place:
        """Its table, wherever it is wished; else the hall."""
        table = wish.args.get("table", self.chosen_table())
        return Place(TABLE, table) if ACTS[wish.act].about in _AT_TABLE and isinstance(table, int) else Place(HALL)

    def _ruleset(self) -> Ruleset:
        return self.room.feed.hall.ruleset

    def _row_of(self, table: int | None) -> Row | None:
        hall = self.room.feed.hall
        if table is None or table not in hall.tables():
            return None
        return hall.row(table, self.room.feed.now_ms())
