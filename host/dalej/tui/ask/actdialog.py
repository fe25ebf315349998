"""The dialog of every act: its fields, its reason, the clause it rests on, and what the desk says to it.

Made of the catalogue: an act -> its fields and the question that names what it touches; what is typed -> what a wish
carries, WrongInput saying what was expected.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from textual import work
from textual.content import Content
from textual.widgets import Button, Static

from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import seconds
from dalej.errors import DalejError, Unreachable
from dalej.office.acts.act import Act, Ask
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.rulings import AboutMove
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import Answers, Check, Dialog, unchecked
from dalej.tui.ask.fields import WHY, Field, Figure, PickField, PlayerField, ReasonField, TypeField
from dalej.tui.ask.pages import Reading
from dalej.tui.ask.reasons import ready
from dalej.tui.room import Room
from dalej.tui.widgets.bars import stale_words
from dalej.tui.widgets.choices import Choice
from dalej.tui.widgets.tablelines import state_beside
from dalej.views.asking import RACKS, SeenTurns, options, seats, still_asked, typed
from dalej.views.book import Page
from dalej.views.phrases import alert_mark, alert_words, clock_text, duration, move_text, seat_words
from dalej.views.rows import Row, SeenTurn
from dalej.views.sight import sight_of
from dalej.words import _


def fields(
    act: type[Act], args: Mapping[str, object], row: Row | None, page: Page, turns: SeenTurns = tuple,
    settled: Collection[str] = (),
) -> list[Field]:  # fmt: skip
    """What is still to be asked, what is known already filled in; where it is about is no question any more, nor what
    is `settled`.

    `turns`: of the table, which tell where a ruling was made.
    """
    made: list[Field] = []
    for ask in still_asked(act, args, row, settled):
        made += _field(ask, args.get(ask.name), row, page, turns)
    return made


def _field(ask: Ask, given: object, row: Row | None, page: Page, turns: SeenTurns) -> list[Field]:
    label = _(ask.label)
    if found := options(ask, row, page, turns):
        return [PickField(ask.name, label, [Choice(*one) for one in found], needed=ask.needed, given=given)]
    match ask.kind:
        case "player" if page.state is not None:
            state = page.state
            shown = state.players.get(given) if isinstance(given, int) else None
            read = partial(typed, ask, state=state)
            return [PlayerField(ask.name, label, list(state.players.values()), read, needed=ask.needed, given=shown)]
        case "racks":
            return [
                TypeField(f"{RACKS}{letter}", _("rack of {player}").format(player=seat.words), str.strip, needed=False)
                for letter, seat in zip(SEATS, seats(row), strict=False)
            ]
        case _:
            wide = ask.kind in ("text", "player", "players")
            text = "" if given is None else seconds(given) if ask.kind == "seconds" and type(given) is int else given
            read = partial(typed, ask, state=page.state)
            return [TypeField(ask.name, label, read, needed=ask.needed, given=str(text), wide=wide,
                              figure=_figure(ask, row))]  # fmt: skip


def of_act(
    act: str, name: str, page: Page, *, given: str = "", hint: str = "", needed: bool | None = None
) -> TypeField:  # fmt: skip
    """The field in which that act asks for it by that name, within what the act allows; `needed` None: as there."""
    ask = ACTS[act].ask(name)
    if needed is not None:
        ask = replace(ask, needed=needed)
    read = partial(typed, ask, state=page.state)
    return TypeField(name, _(ask.label), read, needed=ask.needed, given=given, wide=ask.kind == "text", hint=hint)


def _figure(ask: Ask, row: Row | None) -> Figure | None:
    """How it is set by mouse: what is corrected counts from what the table has now."""
    if ask.kind == "seconds":
        left_ms = row.left_ms if row is not None and ask.corrects == "left_ms" else None
        return Figure(-(-max(0, left_ms or 0) // 1_000), str, 1_000)
    if ask.kind in ("tiles", "number"):
        bank = row.bank if row is not None and ask.corrects == "bank" else None
        return Figure(bank or 0)
    return None


TICK_S: Final = 0.5
NOTHING: Final[Mapping[str, object]] = {}


class Wished(NamedTuple):
    """What was wished, and what came of it."""

    wish: Wish
    done: Done


class ActDialog(Dialog[Wished | None]):
    """`args`: what is known already; `settled`: what is no question any more; `lines`: to be read first; `check`: what
    there is to say of what is answered so far, as of a `Question`. The answer is what was done, None if it was left.
    """

    DEFAULT_CSS = """
    ActDialog #form.-stale {
        border: heavy $error; border-subtitle-background: $error; border-subtitle-color: $text;
        border-subtitle-style: bold;
    }
    ActDialog #where { color: $text-muted; }
    """

    def __init__(
        self, act: type[Act], args: Mapping[str, object], room: Room, hands: Hands, *,
        settled: Mapping[str, object] = NOTHING, lines: Sequence[str] = (), check: Check = unchecked,
    ) -> None:  # fmt: skip
        self.act = act
        self._args = {**args, **settled}
        self._check = check
        self._room = room
        self._hands = hands
        self._seen = room.book.page.head
        self._does = False
        self._later: Wish | None = None  # to be done as soon as the box has told what it is about
        asks = fields(act, self._args, self._row(), room.book.page, self._turns, settled)
        if act.why or act.reasons:
            asks.append(ReasonField(ready(act.reasons), needed=act.why or not act.means(WHY, {}, room.book.page.state)))
        super().__init__(self.title_words(), asks, lines=lines, yes=_(act.title))

    def on_mount(self) -> None:
        """Begin with what is still to be answered."""
        self._tick()
        if self._asks_nothing():
            self.go()
        if not self._room.frozen:
            self.set_interval(TICK_S, self._tick)

    def title_words(self) -> str:
        """Where, and what."""
        table = self._args.get("table")
        title = _(self.act.title)
        return title if table is None else _("Table {table}").format(table=table) + f" · {title}"

    def help_words(self) -> str:
        """The passages it rests on, if there are any."""
        return "§ " + _("the rule") if self.act.topics else super().help_words()

    @property
    def busy(self) -> bool:
        """The desk is asked."""
        return self._does

    @property
    def asks_first(self) -> bool:
        """What destroys something is asked about."""
        return self.act.destroys()

    def is_asked(self, field: Field, known: Answers) -> bool:
        """As the act says."""
        return self.act.means(field.name or "", known, self._room.book.page.state)

    def look(self, known: Answers) -> str:
        """As whoever opened it says."""
        return self._check(known)

    def _row(self) -> Row | None:
        table = self._args.get("table")
        hall = self._room.feed.hall
        if not isinstance(table, int) or table not in hall.tables():
            return None
        return hall.row(table, self._room.feed.now_ms())

    def _turns(self) -> Sequence[SeenTurn]:
        row = self._row()
        return () if row is None else self._room.feed.hall.turns(row.table)

    def _tick(self) -> None:
        form, stale = self.query_one("#form"), stale_words(self._room.feed)
        form.border_subtitle = stale
        form.set_class(bool(stale), "-stale")
        row = self._row()
        if row is not None:
            ahead = row.ahead is not None and "head" in self._args
            where = self.query_one("#where", Static)
            where.display = True
            where.update(Content("\n".join([*self.lines, _where(row), *([self._one_moment()] if ahead else [])])))
            later, self._later = (self._later, None) if not ahead and not self.busy else (None, self._later)
            if later is not None:
                self._do(later)

    def _one_moment(self) -> str:
        """Its box has told of less than it is known to have."""
        return f"… {_(self.act.meanwhile)}" if issubclass(self.act, AboutMove) else ""

    def action_rules(self) -> None:
        """The passages it rests on."""
        if not self.busy:
            self.app.push_screen(Reading.of_passages(self._room.feed.hall.ruleset, self.act.topics, keys=True))

    def done_with(self, answers: Answers) -> None:
        """Ask if it destroys something, and do it."""
        wish = self._wish(answers)
        sight = sight_of(self._room.book.page, self._room.feed.hall.rows(self._room.feed.now_ms()), self._row())
        known = [f"! {line}" for line in self.act.known_before(sight)]
        if not self.act.destroys() and not known:
            self._do(wish)
            return
        asked = self.act.question(wish.args, sight)

        def answered(agreed: bool | None) -> None:
            if agreed:
                self._do(wish)
            elif self._asks_nothing():
                self.dismiss(None)

        lines = [*known, *([""] if known and asked else []), *([asked] if asked else [])]
        self.app.push_screen(Confirm(self.title_words(), lines), answered)

    def _asks_nothing(self) -> bool:
        """Nothing but the question whether to do it."""
        return self.act.destroys() and not self.fields

    def _wish(self, answers: Answers) -> Wish:
        args: dict[str, Any] = dict(self._args)
        if self.act.about == "player":
            args.pop("table", None)  # it only says who is likely to be meant
        emptied = {name: "" for name, value in answers.items() if value is None and isinstance(args.get(name), str)}
        given = emptied | {name: value for name, value in answers.items() if value is not None and name != WHY}
        args.update({name: value for name, value in given.items() if not name.startswith(RACKS)})
        racks = {name.removeprefix(RACKS): value for name, value in given.items() if name.startswith(RACKS)}
        if racks:
            args["racks"] = racks
        return Wish(self.act.name, args, str(answers.get(WHY) or ""), self._seen)

    @work
    async def _do(self, wish: Wish) -> None:
        self._does, self._later = True, None
        self.query_one("#do", Button).disabled = True
        self.say("… " + _("the desk is asked"))
        try:
            done = await self._hands.do(wish)
        except DalejError as error:
            self._seen = self._room.book.page.head
            row = self._row()
            if isinstance(error, Unreachable) and "head" in wish.args and row is not None and row.ahead is not None:
                self._later = wish
                self.say("… " + _("it is done as soon as its box has told of it"))
            else:
                self.refuse(error)
        else:
            self.dismiss(Wished(wish, done))
            return
        finally:
            self._does = False
        self.query_one("#do", Button).disabled = False


def _where(row: Row) -> str:
    """How the table stands while it is decided on."""
    parts = [f"{alert_mark(alert)} {alert_words(alert)} {duration(alert.waiting_ms)}" for alert in row.alerts[:1]]
    parts.append(state_beside(row, {alert.kind for alert in row.alerts[:1]}))
    if row.seat < len(row.names) and row.state in ("running", "expired", "stopped"):
        parts.append(f"{seat_words(row.seat, row.name)} {clock_text(row)}")
    if row.game:
        parts.append(_("game {game}, move {move}").format(game=row.game, move=move_text(row)))
    return " · ".join(filter(None, parts))
