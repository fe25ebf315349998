"""A table's results for a second pair of eyes: all its games as they were entered, nothing to type, `y` confirms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from dalej.domain.game.sentences import local, word
from dalej.domain.scoring.points import SeatScore, gained
from dalej.domain.scoring.sheets import Rack
from dalej.domain.tournament.tournament import Result, RoundKey
from dalej.errors import WrongInput
from dalej.office import results
from dalej.office.acts.wishes import Hands
from dalej.office.notation import written
from dalej.tui.ask.actdialog import of_act
from dalej.tui.ask.confirm import YES, yes_key
from dalej.tui.ask.dialog import Answers, Question
from dalej.tui.room import Room
from dalej.tui.screens.office import OfRound
from dalej.tui.widgets.bars import Button
from dalej.words import N_, _, readable, who_said


@runtime_checkable
class Deputing(Protocol):
    """Hands on this machine, where somebody else may step up; over the web the session's name counts."""

    def under(self, name: str) -> Hands: ...


class CheckScreen(OfRound):
    """Of table `table`. `name`: who has confirmed the table before, "" for whoever sits here."""

    NAME = N_("Confirm")
    CSS = """
    CheckScreen #games { height: 1fr; padding: 0 1; }
    CheckScreen #who { padding: 0 1; height: auto; }
    """

    NAMES_NEXT = False
    OF = "results"

    def __init__(self, room: Room, table: int, name: str = "", key: RoundKey | None = None) -> None:
        super().__init__(room, key)
        self.table = table
        self.name_given = name
        self._shown: list[int] = []
        bind = self._bindings.bind
        for yes in dict.fromkeys((yes_key(), YES)):
            bind(yes, "confirm", _("confirm"), show=yes == yes_key())
        bind("w", "other_name", _("another name"))

    def compose_work(self) -> ComposeResult:
        """Games, who confirms."""
        yield VerticalScroll(Static(id="sheets"), id="games")
        yield Static(id="who", markup=False)

    def headline(self) -> str:
        """Whose results."""
        return " · ".join([
            _(self.NAME), _("Table {table}").format(table=self.table), self.shown_words(),
        ])  # fmt: skip

    def buttons(self) -> Sequence[Button]:
        """Confirm, under this or another name."""
        shown = [Button(yes_key(), _("confirm"), "confirm")] if self.may("confirm_result") else []
        if self._may_name():
            shown.append(Button("w", _("another name"), "other_name"))
        return [*shown, *self.common_buttons()]

    def on_mount(self) -> None:
        """Whoever sits here, unless they entered it."""
        super().on_mount()
        self.query_one("#games").focus()
        if self._entered_it(self.who) and self._may_name():
            self.action_other_name()

    @property
    def who(self) -> str:
        """Who confirms."""
        hands = self.room.hands
        return self.name_given or ("" if hands is None else hands.actor.who)

    def found(self) -> list[Result]:
        """What was entered for the table."""
        return [] if self.shown is None else results.of_table(self.shown, self.table)

    def show_page(self) -> None:
        """All games; who entered them."""
        found = self.found()
        cursors = [one.mark.cursor for one in found]
        if self._shown and cursors != self._shown:
            self.outcome.refuse(_("Table {table} has changed in the meantime: look at it again.").format(
                table=self.table))  # fmt: skip
        self._shown = cursors
        parts: list[Content | str | tuple[str, str]] = []
        for result in found:
            parts += self._game(result)
        if not found:
            parts.append(_("No results yet."))
        self.query_one("#sheets", Static).update(Content.assemble(*parts))
        self.query_one("#who", Static).update(self._who_words(found))

    def _game(self, result: Result) -> list[Content | str | tuple[str, str]]:
        state = self.page.state
        how = word("not_played") if result.sheet is None else word(result.sheet.ended)
        by = _("entered by {who}, {time}").format(
            who=who_said(result.mark.who), time=f"{local(result.mark.when_ms):%H:%M}"
        )
        parts: list[Content | str | tuple[str, str]] = [
            (_("Game {game}: {how}").format(game=result.at.game, how=how), "bold"), f"   {by}\n",
        ]  # fmt: skip
        if result.sheet is None or state is None:
            return [*parts, "\n"]
        names = {seat: readable(state.players[player].name) for seat, player in result.players.items()}
        width = max(map(len, names.values()), default=0)
        for rack, score in sorted(zip(result.sheet.racks, result.scores, strict=True), key=_seat):
            big = "" if score.big is None else f"  {score.big:>2}"
            parts.append(
                f"  {rack.seat} {names[rack.seat]:<{width}}  {written(rack):<14} {gained(score.small):>6}{big}\n"
            )
        if result.sheet.ruling:
            parts.append("  " + _("It stands, because: {why}").format(why=readable(result.sheet.ruling)) + "\n")
        return [*parts, "\n"]

    def _who_words(self, found: list[Result]) -> str:
        done = next((one.confirmed for one in found if one.confirmed is not None), None)
        if found and all(one.confirmed is not None for one in found) and done is not None:
            return _("✔ confirmed by {who}").format(who=who_said(done.who))
        if self._entered_it(self.who):
            if self._may_name():
                return _("{who} has entered this: somebody else must confirm it. w: give the name.").format(
                    who=who_said(self.who))  # fmt: skip
            return _("{who} has entered this: somebody else must log in and confirm it.").format(
                who=who_said(self.who))  # fmt: skip
        return _("Is that what the score sheet says? {key}: {who} confirms it.").format(
            key=yes_key(), who=who_said(self.who)
        )

    def action_other_name(self) -> None:
        """Whoever has stepped up."""
        if not self._may_name():
            self.outcome.tell(_("Over the web the name you logged in with counts."))
            return

        def check(answers: Answers) -> str:
            name = str(answers.get("name", ""))
            if self._entered_it(name):
                raise WrongInput(N_("{who} has entered this: somebody else must confirm it"), who=name)
            return ""

        def named(answers: Answers) -> None:
            self.name_given = str(answers["name"])
            self.show_page()

        words = _("The name of the person who has looked at the score sheet.")
        field = of_act("sign_up", "name", self.page)
        self.ask(Question(_("Who confirms?"), [field], lines=[words], yes=_("take it"), check=check), named)

    @work(group="confirm")
    async def action_confirm(self) -> None:
        """Confirm what was seen; a second click waits for what comes of the first."""
        if self.busy:
            return
        if self._entered_it(self.who) and self._may_name():
            self.action_other_name()
            return
        hands = self.room.hands
        if self.name_given and isinstance(hands, Deputing):
            hands = hands.under(self.name_given)
        done = await self.do(self.new_wish("confirm_result", self.of_round({"table": self.table})), hands)
        if done is not None and self.is_current:
            self.dismiss(self.left())

    def help_text(self) -> str:
        """What a second person does."""
        return "\n".join([
            _("A second person holds the score sheet against what was entered. {key} confirms every game of the table "
              "that is in. Whoever entered it cannot confirm it.").format(key=yes_key()),
            _("On this computer somebody else may give a name (w); over the web everybody confirms under the name they "
              "logged in with."),
            _("If something is wrong: Esc, and F6 on the sheet corrects it."),
        ])  # fmt: skip

    def _may_name(self) -> bool:
        hands = self.room.hands
        return isinstance(hands, Deputing) and not hands.actor.served

    def _entered_it(self, who: str) -> bool:
        fresh = [one for one in self.found() if one.confirmed is None]
        return any(results.same_person(one.mark.who, who) for one in fresh)


def _seat(one: tuple[Rack, SeatScore]) -> str:
    return one[0].seat
