"""The entry sheet of one game, as on paper: four seats, a field each, what is wrong under the field while it is
typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input

from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import word
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Result, Round, RoundKey
from dalej.errors import DalejError
from dalej.office import results
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import Wish
from dalej.office.corrections import bearing
from dalej.office.notation import ending, surprising
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import why_question
from dalej.tui.ask.fields import WHY
from dalej.tui.ask.pages import Reading
from dalej.tui.ask.reasons import STANDS
from dalej.tui.room import Room
from dalej.tui.screens.checking import CheckScreen
from dalej.tui.screens.office import OfRound
from dalej.tui.screens.work import Answer
from dalej.tui.takingback import help_words
from dalej.tui.typedahead import Work, begin, drop
from dalej.tui.widgets.bars import Button, Saying
from dalej.tui.widgets.choices import Choices
from dalej.tui.widgets.sheet import Mode, RackField, SeatRow, SheetWords, how_to_write
from dalej.views.corrected import bearing_lines
from dalej.views.deeds import Deed
from dalej.views.entrycheck import ENDS, Checked, Typed, check, filled_by_box, penalty_tiles, texts_of
from dalej.views.resultwords import names_at
from dalej.words import N_, _, said, who_said


def _cursor(result: Result | None) -> int:
    return 0 if result is None else result.mark.cursor


CHANGES: Final = 3  # sentences of what a correction changes; the rest is counted
KEEPS: Final = "keep"  # the group of workers that keep a sheet, or take one back


class EntryScreen(OfRound):
    """Game `game` of table `table`, in the round to work on or in round `key`. `mode`: what the fields are for now."""

    NAME = N_("How to write a rack")
    AUTO_FOCUS = ""
    NAMES_NEXT = False
    TYPES = True
    OF = "results"
    CSS = """
    EntryScreen #sheet { height: 1fr; }
    EntryScreen #box, EntryScreen #sum, EntryScreen #hint { padding: 0 1; height: auto; }
    EntryScreen #box { max-height: 2; }
    EntryScreen #hint { color: $text-muted; }
    EntryScreen #sum.-wrong { color: $text-error; text-style: bold; }
    """

    def __init__(self, room: Room, table: int, game: int = 1, key: RoundKey | None = None) -> None:
        super().__init__(room, key)
        self.at = GameAt(table, game)
        self.mode: Mode = "entering"
        self.checked = Checked()
        self._ended: str | None = None
        self._ruling = ""
        self._begun: GameAt | None = None  # the game whose fields were filled
        self._seated: tuple[RoundKey, tuple[int, ...]] | None = None  # the round and the players that it was for
        self._filled: dict[str, str] = {}  # what was in the fields before anybody typed
        self._boxed: dict[str, str] = {}  # what of that the box had told
        self._seen: Result | None = None
        self.bind_keys(
            ("f1", "explain", _("how to write")), ("f2", "let_stand", _("let it stand")),
            ("f3", "not_played", _("not played")), ("f8", "keep", _("keep")), ("f4", "step_game(1)", _("next game")),
            ("f6", "correct", _("correct")), ("f7", "reopen", _("take back")), ("f9", "confirm", _("confirm")),
        )  # fmt: skip

    def compose_work(self) -> ComposeResult:
        """Box, games, seats, end, sum, notation."""
        yield Saying(id="box", hides=True)
        yield Choices(_("Game:"), id="game", digits=False)
        yield VerticalScroll(
            *(SeatRow(seat) for seat in "ABCD"),
            Choices(_("It ended:"), id="ended"),
            Saying(id="sum"),
            Saying(id="hint"),
            id="sheet", can_focus=False,
        )  # fmt: skip

    def headline(self) -> str:
        """Table, game, round."""
        games = 0 if self.shown is None else self.shown.stage.games
        return " · ".join([
            _("Table {table}").format(table=self.at.table),
            _("game {game} of {games}").format(game=self.at.game, games=games), self.shown_words(),
        ])  # fmt: skip

    @property
    def _can_type(self) -> bool:
        return self.mode in ("entering", "correcting") and self.may(
            self._corrects if self.is_closed or self.mode == "correcting" else "enter_result"
        )

    @property
    def _corrects(self) -> str:
        """The act that corrects a result of this round."""
        return "correct_closed" if self.is_closed else "correct_result"

    @property
    def one(self) -> Round | None:
        """The round, if the table is in it."""
        one = self.shown
        return one if one is not None and one.seating is not None and one.seating.at(self.at.table) else None

    @property
    def result(self) -> Result | None:
        """What was entered for this game, by whomever."""
        return None if self.one is None else self.one.results.get(self.at)

    @property
    def box(self) -> BoxGame | None:
        """What the box says of it."""
        return self.shown_page.boxes.get(self.at)

    def rows(self) -> list[SeatRow]:
        """Of the seats where somebody sits."""
        return [row for row in self.query(SeatRow) if row.display]

    def show_page(self) -> None:
        """Fields for a game without a result; the sheet as it was entered for one that has one."""
        one, state, sheet = self.one, self.state, self.query_one("#sheet")
        if one is None or state is None:
            sheet.display = False
            self.outcome.refuse(_("Table {table} does not play in this round.").format(table=self.at.table))
            return
        if not sheet.display:
            sheet.display = True
            self.outcome.clear()
        names = names_at(state, one, self.at.table)
        for row in self.query(SeatRow):
            row.display = row.seat in names
        if self._begun != self.at:
            self._begin_game()
        self._follow_seating(one)
        self._follow_result()
        self._show_check()

    def _begin_game(self) -> None:
        """Fill the fields from the box, or with what was entered."""
        self._begun, self._ruling, self._ended = self.at, "", None
        self._seen = self.result
        self.mode = "entering" if self.result is None else "reading"
        seats = [row.seat for row in self.rows()]
        boxed = filled_by_box(self.box, seats) if self.result is None else {}
        self._put(Typed(boxed) if self.result is None else texts_of(self.result))
        self._boxed, self._seated = boxed, self._who_sits()
        self._lock()

    def _put(self, typed: Typed) -> None:
        self._ended, self._ruling, self._boxed = typed.ended, typed.ruling, {}
        self._filled = {row.seat: typed.racks.get(row.seat, "") for row in self.rows()}
        for row in self.query(SeatRow):
            with self.prevent(Input.Changed):
                row.field.value = self._filled.get(row.seat, "")
            row.field.cursor_position = len(row.field.value)

    def _who_sits(self) -> tuple[RoundKey, tuple[int, ...]] | None:
        """At this table, in which round."""
        one = self.one
        seats = None if one is None or one.seating is None else one.seating.at(self.at.table)
        return None if one is None or seats is None else (one.key, tuple(seats.players))

    def _follow_seating(self, one: Round) -> None:
        """Others may sit here now, and the box may tell of them, or no longer of this game. What was typed stays."""
        seated, before, boxed = self._who_sits(), self._seated, self._boxed
        told = filled_by_box(self.box, [row.seat for row in self.rows()]) if boxed else {}
        if seated == before and told == boxed:
            return
        words = []
        if before is not None and seated != before:
            words.append(
                _("Meanwhile the seating has changed: look who sits at this table now.") if before[0] == one.key else
                _("Meanwhile another round is played here.")
            )  # fmt: skip
        if told != boxed:
            words.append(_("What the box had filled in is gone, it does not tell it any more."))
        self._seated = seated
        if self._typed_something():
            self._take_out(boxed, told)
            if seated != before:
                self._ruling = ""
                words.append(_("What you typed is still here: is it theirs?"))
        else:
            self._begin_game()
        self.outcome.refuse(" ".join(words))

    def _take_out(self, boxed: dict[str, str], told: dict[str, str]) -> None:
        """What the box told, and does not tell any more, where nobody has typed something else; what it tells in its
        place comes into fields that are empty.
        """
        for row in self.query(SeatRow):
            old, new = boxed.get(row.seat, ""), told.get(row.seat, "")
            if old != new and row.field.value == old:
                self._filled[row.seat] = new
                with self.prevent(Input.Changed):
                    row.field.value = new
                row.field.cursor_position = len(new)
        self._boxed = told

    def _follow_result(self) -> None:
        """Somebody else may have entered, corrected or taken back this game."""
        now, before = self.result, self._seen
        if _cursor(now) == _cursor(before):
            self._seen = now
            return
        self._seen = now
        if now is None:
            if self.mode != "entering":
                self.mode = "entering"
                self._lock()
            return
        if self.mode in ("entering", "correcting", "outrun") and self._typed_something():
            self.mode = "outrun"
            self._lock()
            self.outcome.refuse(
                _("Meanwhile {who} has entered this game. What you typed is still here and was not kept.").format(
                    who=who_said(now.mark.who)
                )
            )
        else:
            self._begun = None
            self._begin_game()

    def _lock(self) -> None:
        """Fields can be typed into or not."""
        typing = self._can_type
        for row in self.query(SeatRow):
            row.field.disabled = not typing
        self.query_one("#ended", Choices).disabled = not typing
        if typing:
            empty = next((row.field for row in self.rows() if not row.field.value), None)
            (empty or self.rows()[0].field).focus()
        else:
            self.query_one("#game", Choices).focus()

    async def asks(self, screen: ModalScreen[Answer]) -> Answer | None:
        """None, too, if the sheet that was asked about has become another meanwhile, which it then says."""
        before = self.mode, self._seated, self.typed()
        answer = await super().asks(screen)
        await self.room.book.turn()
        self._look()
        return answer if (self.mode, self._seated, self.typed()) == before else None

    @property
    def would_lose(self) -> bool:
        """Whether what was typed here is lost when it is left."""
        return self.mode in ("entering", "correcting") and self._typed_something()

    def _typed_something(self) -> bool:
        return any(row.field.value != self._filled.get(row.seat, "") for row in self.rows())

    def typed(self) -> Typed:
        """What stands in the fields."""
        return Typed({row.seat: row.field.value for row in self.rows()}, self._ended, self._ruling)

    def _show_check(self) -> None:
        one, state = self.one, self.state
        if one is None or state is None:
            return
        checked = check(state, one, self.at, self.typed(), self.box)
        if self.mode == "reading" and self.result is not None:
            scores = {score.seat: score for score in self.result.scores}
            checked = Checked(checked.entry, checked.ended, scores, doubts=checked.doubts)
        self.checked = checked
        words = self._words()
        if words is None:
            return
        names = words.names
        for row in self.rows():
            row.show(names[row.seat], checked.scores.get(row.seat), *words.note(row.seat))
        self.query_one("#box", Saying).say(words.of_box(expected=self.room.feed.hall.has_boxes))
        self.query_one("#game", Choices).show(words.games(), self.at.game - 1)
        self.query_one("#ended", Choices).show(
            [word(end) for end in ENDS], ENDS.index(checked.ended) if checked.ended in ENDS else None
        )
        told, wrong = words.sum()
        line = self.query_one("#sum", Saying)
        line.set_class(wrong, "-wrong")
        line.say(told)
        self.query_one("#hint", Saying).say(words.hint())
        self.show_buttons()

    def _words(self) -> SheetWords | None:
        one, state = self.one, self.state
        if one is None or state is None:
            return None
        tiles = penalty_tiles(one, self.at, self.box, self.room.feed.hall.turns(self.at.table))
        return SheetWords(
            state, one, self.at, self.mode, self.box, self.result, self.typed(), self.checked, self._filled, tiles
        )

    def on_input_changed(self, changed: Input.Changed) -> None:
        """Checked at every sign."""
        changed.stop()
        self._ruling = ""
        self._show_check()

    def on_rack_field_stepped(self, stepped: RackField.Stepped) -> None:
        """To the field above or below."""
        fields: list[Widget] = [row.field for row in self.rows()]
        fields.append(self.query_one("#ended", Choices))
        if self.focused in fields:
            fields[(fields.index(self.focused) + stepped.step) % len(fields)].focus()

    def buttons(self) -> Sequence[Button]:
        """Only what means something now."""
        shown = []
        if self._can_type:
            if self.checked.right:
                shown.append(Button("F8", _("keep"), "keep"))
            if self.checked.may_stand:
                shown.append(Button("F2", _("let it stand"), "let_stand"))
            shown.append(Button("F3", _("not played"), "not_played"))
        elif self.mode in ("reading", "outrun") and self.may(self._corrects):
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
        if self._can_type and (told := ending(submitted.value)) is not None:  # typed where a rack was asked for
            self._ended = told
            submitted.input.value = ""
            self._show_check()
            return
        if isinstance(submitted.input, RackField) and submitted.input.seat in self.checked.wrong:
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
        question = why_question(_("It stands all the same"), wrong, STANDS)
        answers = await self.asks(question)
        if answers is not None:
            self._ruling = str(answers[WHY])
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
        act = self._corrects if self.mode == "correcting" or self.is_closed else "enter_result"
        title, why = said(DalejError(ACTS[act].title)), ""
        entry = self.checked.filled or self.checked.entry
        usual = entry is not None and not surprising(entry.racks)
        sure = Confirm(title, words.summary(), yes=_("keep it"), enter=usual)
        if self.is_closed:
            sure = Confirm(title, [*filter(None, words.summary()), *self._bearing()], yes=_("correct it"))
        if not await self.asks(sure):
            return
        typed = self.typed()
        asks = ACTS["enter_result" if typed.ended == NOT_PLAYED else "correct_result"]
        if (act == self._corrects or typed.ended == NOT_PLAYED) and not (why := await self._reason(title, asks)):
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

    def _bearing(self) -> list[str]:
        """Of a round that is closed: that it stays so, what changes, what stands all the same."""
        one, seen, entry = self.one, self.seen, self.checked.filled or self.checked.entry
        if one is None or one.closed is None or seen is None or entry is None:
            return []
        try:
            found = bearing(seen, one.key, self.at, entry)
        except DalejError as problem:  # the desk says the same of the sheet that is kept
            return ["", said(problem)]
        return ["", *bearing_lines(found, CHANGES)]

    def was_done(self, wish: Wish) -> None:
        """What was typed is in the event now."""
        if wish.act in ("enter_result", "correct_result", "correct_closed"):
            self._filled = {row.seat: row.field.value for row in self.rows()}

    def was_reversed(self, deed: Deed) -> None:
        """The game that it was about stands here, unless something was typed that would be lost."""
        args = deed.wish.args
        game, here = args.get("game"), {**args} | {"game": self.at.game}
        same = self.of_round({"table": self.at.table, "game": self.at.game}).items() <= here.items()
        if same and isinstance(game, int) and game != self.at.game and not self.would_lose:
            self.at = GameAt(self.at.table, game)
            self.refresh_page()

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

    async def _reason(self, title: str, act: type[Act]) -> str:
        """Why, "" if it is left after all."""
        answers = await self.asks(why_question(title, [], act.reasons))
        return "" if answers is None else str(answers[WHY])

    # --- what is there already -----

    def action_correct(self) -> None:
        """Fields open again: with what was entered, or with what was typed here when somebody else was first."""
        if self.mode not in ("reading", "outrun") or not self.allows(self._corrects):
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
        if await self.asks(sure) and (why := await self._reason(title, act)):
            await self.do(self.new_wish("reopen_result", self.of_round({"table": at.table, "game": at.game}), why))

    def action_confirm(self) -> None:
        """A second person looks at all games of the table."""
        if self.mode == "reading":
            self.app.push_screen(CheckScreen(self.room, self.at.table, key=self.chosen), self.done_there)

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
        self.app.push_screen(Reading(_(self.NAME), Content(how_to_write() + "\n\n" + help_words(typing=True))))
