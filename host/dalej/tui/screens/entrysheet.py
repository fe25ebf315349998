"""The entry sheet of one game on the screen: its fields, what is said about them while they are typed, and what becomes
of it when somebody else enters the same game, or other players are seated there.
"""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input

from dalej.domain.boxgames import BoxGame
from dalej.domain.tournament import GameAt, Result, Round, RoundKey
from dalej.telling import word
from dalej.tui.room import Room
from dalej.tui.screens.doing import Answer
from dalej.tui.screens.ofround import OfRound
from dalej.tui.widgets.checking import ENDS, Checked, Typed, check, filled_by_box, penalty_tiles, texts_of
from dalej.tui.widgets.choices import Choices
from dalej.tui.widgets.resultlines import names_at
from dalej.tui.widgets.sheet import Field, Saying, SeatRow
from dalej.tui.widgets.sheetwords import Mode, SheetWords
from dalej.words import _, readable


def _cursor(result: Result | None) -> int:
    return 0 if result is None else result.mark.cursor


class EntrySheet(OfRound):
    """Game `game` of table `table` in the round to work on. `mode`: what the fields are for now."""

    AUTO_FOCUS = ""
    NAMES_NEXT = False
    TYPES = True
    OF = "results"

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

    def compose_work(self) -> ComposeResult:
        """Box, games, seats, end, sum, notation."""
        yield Saying(id="box")
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
        return self.mode in ("entering", "correcting") and self.may("enter_result")

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
                    who=readable(now.mark.who)
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
        self.query_one("#box", Saying).say(words.of_box())
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

    def on_field_stepped(self, stepped: Field.Stepped) -> None:
        """To the field above or below."""
        fields: list[Widget] = [row.field for row in self.rows()]
        fields.append(self.query_one("#ended", Choices))
        if self.focused in fields:
            fields[(fields.index(self.focused) + stepped.step) % len(fields)].focus()
