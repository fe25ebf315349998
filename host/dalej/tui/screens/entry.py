"""The entry sheet of one game, as on paper: four seats, a field each, what is wrong under the field while it is typed,
points as they come to be. After the last field the sheet is shown once more, kept, and the table's next game follows.

A game that somebody has entered already is shown as it was entered; it can be corrected with a reason, taken back, or
confirmed. If somebody else enters it while it is typed here, both are shown and nothing is overwritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import work
from textual.widgets import Input

from dalej.acts.catalogue import ACTS
from dalej.acts.wishes import Wish
from dalej.domain.tournament import NOT_PLAYED, GameAt, RoundKey
from dalej.errors import DalejError
from dalej.office import results
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ending import Work, begin
from dalej.tui.keys import drop
from dalej.tui.room import Room
from dalej.tui.screens.confirming import ConfirmScreen
from dalej.tui.screens.entrysheet import EntrySheet
from dalej.tui.takingback import help_words
from dalej.tui.widgets.actionbar import Button
from dalej.tui.widgets.checking import ENDS, texts_of
from dalej.tui.widgets.choices import Choices
from dalej.tui.widgets.question import Reading, why_question
from dalej.tui.widgets.sheet import Field
from dalej.tui.widgets.sheetwords import how_to_write
from dalej.words import N_, _, said

REASONS: Final = (N_("mistyped"), N_("counted again"), N_("read from the wrong line"), N_("the referee's ruling"))
KEEPS: Final = "keep"  # the group of workers that keep a sheet, or take one back
UNPLAYED: Final = (
    N_("the round's time was over"), N_("too few players were left"), N_("by agreement, with the head referee's leave"),
)  # fmt: skip
STANDS: Final = (N_("the table agrees on it"), N_("tiles were miscounted, nobody can tell any more"))


class EntryScreen(EntrySheet):
    """Game `game` of table `table`, in the round to work on or in round `key`. `mode`: what the fields are for now."""

    NAME = N_("How to write a rack")
    CSS = """
    EntryScreen #sheet { height: 1fr; }
    EntryScreen #box, EntryScreen #sum, EntryScreen #hint { padding: 0 1; height: auto; }
    EntryScreen #box { max-height: 2; }
    EntryScreen #hint { color: $text-muted; }
    EntryScreen #sum.-wrong { color: $text-error; text-style: bold; }
    """

    def __init__(self, room: Room, table: int, game: int = 1, chosen: RoundKey | None = None) -> None:
        super().__init__(room, table, game, chosen)
        for key, action, words in (
            ("f1", "explain", _("how to write")), ("f2", "let_stand", _("let it stand")),
            ("f3", "not_played", _("not played")), ("f8", "keep", _("keep")), ("f4", "step_game(1)", _("next game")),
            ("f6", "correct", _("correct")), ("f7", "reopen", _("take back")), ("f9", "confirm", _("confirm")),
        ):  # fmt: skip
            self._bindings.bind(key, action, words)

    def buttons(self) -> Sequence[Button]:
        """Only what means something now."""
        shown = []
        if self._can_type:
            if self.checked.right:
                shown.append(Button("F8", _("keep"), "keep"))
            if self.checked.may_stand:
                shown.append(Button("F2", _("let it stand"), "let_stand"))
            shown.append(Button("F3", _("not played"), "not_played"))
        elif self.mode in ("reading", "outrun") and self.may("correct_result"):
            shown.append(Button("F6", _("correct"), "correct"))
            if not self.is_closed:
                shown.append(Button("F7", _("take back"), "reopen"))
        if self.mode == "reading" and self.may("confirm_result"):
            shown.append(Button("F9", _("confirm"), "confirm"))
        common = [one for one in self.common_buttons() if one.action != "explain"]
        return [
            *shown,
            Button("F4", _("next game"), "step_game(1)"),
            Button("F1", _("how to write"), "explain"),
            *common,
        ]

    # --- typing -----

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Enter: on to the next field that says nothing yet; after the last one the sheet is kept."""
        submitted.stop()
        fields = [row.field for row in self.rows()]
        here = next((place for place, field in enumerate(fields) if field is submitted.input), 0)
        if isinstance(submitted.input, Field) and submitted.input.seat in self.checked.wrong:
            drop(self.app)
            return
        after = fields[here + 1 :]
        if after:
            after[0].focus()
        else:
            self.keep()

    def on_choices_chosen(self, chosen: Choices.Chosen) -> None:
        """Another game of the table, or how this one ended."""
        if chosen.choices.id == "game":
            self._go_to(chosen.index + 1)
        elif self.mode in ("entering", "correcting"):
            end = ENDS[chosen.index]
            self._ended = None if self._ended == end else end
            self._show_check()

    def key_enter(self) -> None:
        """Enter anywhere but in a field."""
        if isinstance(self.focused, Choices) and self.focused.id == "ended":
            self.keep()

    def action_keep(self) -> None:
        """The sheet is complete."""
        self.keep()

    def action_not_played(self) -> None:
        """The game was not played."""
        if not self._can_type:
            return
        self._ended = None if self._ended == NOT_PLAYED else NOT_PLAYED
        self._show_check()
        self.query_one("#ended", Choices).focus()

    @work
    async def action_let_stand(self) -> None:
        """A referee's reason why it stands although it cannot be right."""
        if not (self._can_type and self.checked.may_stand):
            return
        wrong = [said(one) for one in self.checked.wrong.values()]
        question = why_question(_("It stands all the same"), wrong, [_(one) for one in STANDS])
        answers = await self.asks(question)
        if answers is not None:
            self._ruling = answers["why"]
            self._show_check()

    # --- keeping -----

    def keep(self) -> None:
        """Show it once more, and keep it if it is right; a second click waits for what comes of the first."""
        self._alone(self._keep)

    def _alone(self, keeps: Work) -> None:
        """Unless something is being kept, or asked about, already: what is under way is never called off."""
        keeping = any(one.node is self and one.group == KEEPS and not one.is_finished for one in self.workers)
        if not self.busy and not keeping:
            begin(self, keeps, group=KEEPS)

    async def _keep(self) -> None:
        words = self._words()
        if words is None or not self._can_type or not self._is_right():
            return
        act = "correct_result" if self.mode == "correcting" or self.is_closed else "enter_result"
        title, why = said(DalejError(ACTS[act].title)), ""
        if not await self.asks(Confirm(title, words.summary(), yes=_("keep it"), enter=True)):
            return
        typed = self.typed()
        ready = UNPLAYED if typed.ended == NOT_PLAYED else REASONS
        if (act == "correct_result" or typed.ended == NOT_PLAYED) and not (why := await self._reason(title, ready)):
            return
        racks = {} if typed.ended == NOT_PLAYED else {
            seat: text.strip() for seat, text in typed.racks.items() if text.strip()
        }  # fmt: skip
        args: dict[str, object] = {"table": self.at.table, "game": self.at.game, "racks": racks}
        if self.checked.ended is not None:
            args["ended"] = self.checked.ended
        if typed.ruling:
            args["ruling"] = typed.ruling
        kept = self.at
        if await self.do(self.new_wish(act, self.of_round(args), why)) is not None:
            self._after(kept)

    def was_done(self, wish: Wish) -> None:
        """What was typed is in the event now."""
        if wish.act in ("enter_result", "correct_result"):
            self._filled = {row.seat: row.field.value for row in self.rows()}

    def _is_right(self) -> bool:
        checked = self.checked
        if checked.right:
            return True
        drop(self.app)
        rows = {row.seat: row for row in self.rows()}
        first = next((seat for seat in rows if seat in checked.wrong or seat in checked.missing), None)
        if first is not None:
            rows[first].field.focus()
        elif checked.ended is None:
            self.query_one("#ended", Choices).focus()
        return False

    def _after(self, kept: GameAt) -> None:
        """The next game of the table that is missing, else back to the list."""
        missing = [] if self.one is None else results.missing_at(self.one, kept.table)
        if missing:
            self._go_to(next((game for game in missing if game > kept.game), missing[0]))
        elif self.is_current:
            self.dismiss(self.left())

    async def _reason(self, title: str, ready: Sequence[str]) -> str:
        """Why, "" if it is left after all."""
        answers = await self.asks(why_question(title, [], [_(one) for one in ready]))
        return "" if answers is None else answers["why"]

    # --- what is there already -----

    def action_correct(self) -> None:
        """Fields open again: with what was entered, or with what was typed here when somebody else was first."""
        if self.mode not in ("reading", "outrun") or not self.may("correct_result"):
            return
        if self.mode == "reading" and self.result is not None:
            self._put(texts_of(self.result))
        self.mode = "correcting"
        self._lock()
        self._show_check()

    def action_reopen(self) -> None:
        """The result counts no more."""
        self._alone(self._reopen)

    async def _reopen(self) -> None:
        act, at = ACTS["reopen_result"], self.at
        if self.mode not in ("reading", "outrun") or not self.may(act.name):
            return
        if self.is_closed:
            drop(self.app)
            self.outcome.warn(_("In a closed round nothing is taken back: F6 corrects it, with a reason."))
            return
        title = said(DalejError(act.title))
        sure = Confirm(title, [said(DalejError(act.confirm, table=at.table, game=at.game))], yes=title)
        if await self.asks(sure) and (why := await self._reason(title, REASONS)):
            await self.do(self.new_wish("reopen_result", self.of_round({"table": at.table, "game": at.game}), why))

    def action_confirm(self) -> None:
        """A second person looks at all games of the table."""
        if self.mode == "reading":
            self.app.push_screen(ConfirmScreen(self.room, self.at.table, key=self.chosen), self.done_there)

    def action_step_game(self, step: int) -> None:
        """To the next game of the table."""
        if self.shown is not None:
            self._go_to((self.at.game - 1 + step) % self.shown.stage.games + 1)

    @work(exclusive=True, group="go")
    async def _go_to(self, game: int) -> None:
        if game == self.at.game or not await self._may_leave():
            return
        self.at = GameAt(self.at.table, game)
        self.refresh_page()

    @work(exclusive=True, group="go")
    async def action_leave(self) -> None:  # type: ignore[override]  # a worker, as it asks
        """Back, unless something was typed that would be lost."""
        if await self._may_leave():
            self.dismiss(self.left())

    async def _may_leave(self) -> bool:
        if self.mode == "reading" or self.mode == "outrun" or not self._typed_something():
            return True
        lost = Confirm(
            _("Nothing is kept yet"), [_("What was typed here is lost when you leave.")], yes=_("leave, it is lost")
        )  # fmt: skip
        leaves: bool | None = await self.asks(lost)
        return leaves is True

    def action_explain(self) -> None:
        """How a rack is written."""
        self.app.push_screen(Reading(_(self.NAME), how_to_write() + "\n\n" + help_words(typing=True)))
