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
from dalej.domain.game.sentences import choice, seconds, word
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.office.acts.act import Act, Ask
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.rulings import AboutMove
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.office.decisionwords import names_in, tell
from dalej.office.players import find
from dalej.office.rulings import rulings_of
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import Answers, Check, Dialog, unchecked
from dalej.tui.ask.fields import WHY, Field, Figure, PickField, PlayerField, ReasonField, TypeField
from dalej.tui.ask.pages import Reading
from dalej.tui.ask.reasons import ready
from dalej.tui.room import Room
from dalej.tui.widgets.bars import stale_words
from dalej.tui.widgets.choices import Choice
from dalej.tui.widgets.tablelines import state_beside
from dalej.views.book import Page
from dalej.views.phrases import alert_mark, alert_words, clock_text, duration, move_text, seat_words
from dalej.views.rows import Row, SeenTurn
from dalej.views.sight import sight_of
from dalej.words import N_, _, readable, said

_DIGITS_MOST: Final = 9


def typed(ask: Ask, text: str, state: Tournament | None) -> object:
    """The value of a field, None if it was left empty and may be."""
    text = text.strip()
    if not text:
        if ask.needed:
            raise WrongInput(N_("{field}: expected something here"), field=DalejError(ask.label))
        return None
    match ask.kind:
        case "seconds":
            return read_seconds(ask, text)
        case "tiles" | "number" | "table" | "ruling":
            return number(ask, text)
        case "player":
            return find(_known(state), text).number
        case "players":
            return [find(_known(state), part).number for part in text.split(",") if part.strip()]
        case _:
            return text


def read_seconds(ask: Ask, text: str) -> int:
    """`20` or `1:30`, in ms."""
    minutes, colon, rest = text.rpartition(":")
    parts = (minutes, rest) if colon else ("0", rest)
    if all(part.isascii() and part.isdigit() and len(part) < _DIGITS_MOST for part in parts):
        found = int(parts[0]) * 60 + int(parts[1])
        if found <= ask.most and (not colon or int(rest) < 60):
            return found * 1_000
    raise WrongInput(
        N_("{field}: expected 0 to {most} seconds, such as 20 or 1:30, found {found}"), field=DalejError(ask.label),
        most=ask.most, found=text[:20],
    )  # fmt: skip


def number(ask: Ask, text: str) -> int:
    """A whole number within what the field allows."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(ask.most)) and ask.least <= int(text) <= ask.most:
        return int(text)
    raise WrongInput(
        N_("{field}: expected {least} to {most}, found {found}"), field=DalejError(ask.label), least=ask.least,
        most=ask.most, found=text[:20],
    )  # fmt: skip


def _known(state: Tournament | None) -> Tournament:
    if state is None:
        raise Refused(N_("nobody has signed up for this event yet"))
    return state


def choice_words(name: str) -> str:
    """A choice as people say it."""
    return said(choice(name))


RACKS = "racks:"  # before the seat, in the names of the fields of a score sheet
RULINGS_MOST = 9  # that are listed, the newest: as many as digits pick


def fields(
    act: type[Act], args: Mapping[str, object], row: Row | None, page: Page, turns: Sequence[SeenTurn] = (),
    settled: Collection[str] = (),
) -> list[Field]:  # fmt: skip
    """What is still to be asked, what is known already filled in; where it is about is no question any more, nor what
    is `settled`.

    `turns`: of the table, which tell where a ruling was made.
    """
    made: list[Field] = []
    for ask in act.asks():
        if ask.name in settled or (ask.name == "table" and "table" in args):
            continue
        if ask.name == "move" and "head" in args:
            continue  # what waits there is meant; its number nobody knows yet
        if not ask.needed and ask.name in ("game", "seat", "another") and row is not None and row.box:
            continue  # only where no box counts
        if ask.kind == "ruling" and (ruled := rulings_at(page, turns)):
            made.append(PickField(ask.name, _(ask.label), ruled, needed=ask.needed, given=args.get(ask.name)))
            continue
        made += _field(ask, args.get(ask.name), row, page)
    return made


def rulings_at(page: Page, turns: Sequence[SeenTurn]) -> list[Choice]:
    """The referee's decisions that stand, those of this table first, the newest first."""
    here = {one.turn.judged.decision: one for one in turns if one.turn.judged is not None}
    names = names_in(page.decisions)
    found = sorted(rulings_of(page.decisions), key=lambda one: (one.cursor not in here, -one.cursor))
    return [
        Choice(
            one.cursor,
            readable(f"{tell(one, names) if one.cursor not in here else _there(here[one.cursor])} · {one.who}"),
        )
        for one in found[:RULINGS_MOST]
    ]


def _there(seen: SeenTurn) -> str:
    """The ruling on that turn, short enough for a line."""
    turn = seen.turn
    game = _("game {game}, move {move}").format(game=turn.game, move=turn.move)
    return f"{game} · {seat_words(turn.seat, seen.name)}: {word(turn.ruling or '')}"


def _field(ask: Ask, given: object, row: Row | None, page: Page) -> list[Field]:
    label = _(ask.label)
    match ask.kind:
        case "choice":
            choices = [Choice(name, choice_words(name)) for name in ask.choices]
            return [PickField(ask.name, label, choices, needed=ask.needed, given=given)]
        case "flag":
            return [PickField(ask.name, label, [Choice(False, _("no")), Choice(True, _("yes"))], needed=ask.needed,
                              given=given)]  # fmt: skip
        case "seat":
            return [PickField(ask.name, label, _seats(row), needed=ask.needed, given=given)]
        case "player" if there := _players_at(row, page.state):
            return [PickField(ask.name, label, there, needed=ask.needed, given=given)]
        case "player" if page.state is not None:
            state = page.state
            shown = state.players.get(given) if isinstance(given, int) else None
            read = partial(typed, ask, state=state)
            return [PlayerField(ask.name, label, list(state.players.values()), read, needed=ask.needed, given=shown)]
        case "racks":
            return [
                TypeField(f"{RACKS}{letter}", _("rack of {player}").format(player=seat.words), str.strip, needed=False)
                for letter, seat in zip(SEATS, _seats(row), strict=False)
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


def _seats(row: Row | None) -> list[Choice]:
    names = ("",) * len(SEATS) if row is None else row.names
    return [
        Choice(letter, readable(seat_words(seat, names[seat])))
        for seat, letter in enumerate(SEATS)
        if row is None or not row.seats or row.seats >> seat & 1
    ]


def _players_at(row: Row | None, state: Tournament | None) -> list[Choice]:
    """Who sits there, where a round is seated."""
    current = None if state is None else state.current
    if row is None or state is None or current is None or current.seating is None:
        return []
    there = current.seating.at(row.table)
    return [] if there is None else [Choice(number, readable(state.players[number].name)) for number in there.seated]


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
        asks = fields(act, self._args, self._row(), room.book.page, self._turns(), settled)
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
