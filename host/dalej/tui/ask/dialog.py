"""The one dialog of every act: its fields, its reason, the clause it rests on, and what the desk says to it.

It stays open until the act is done or the person leaves, so that nothing has to be typed twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Static

from dalej.acts.catalogue import Act
from dalej.acts.wishes import Done, Hands, Wish
from dalej.errors import DalejError, Unreachable, WrongInput
from dalej.hall.seen import Row, SeenTurn
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.fields import Field, Filled
from dalej.tui.ask.making import RACKS, asked, fields, known_before, question
from dalej.tui.ask.modal import Asks
from dalej.tui.ask.passages import PassageScreen
from dalej.tui.ask.reasons import ready_reasons
from dalej.tui.ask.why import ReasonField
from dalej.tui.keys import drop
from dalej.tui.room import Room
from dalej.tui.widgets.bar import stale_words
from dalej.tui.widgets.lines import state_beside
from dalej.tui.words import alert_mark, alert_words, clock_text, duration, move_text, seat_words
from dalej.words import N_, _, said

TICK_S: Final = 0.5


class Wished(NamedTuple):
    """What was wished, and what came of it."""

    wish: Wish
    done: Done


class ActDialog(Asks[Wished | None]):
    """`args`: what is known already. The answer is what was done, None if it was left."""

    DEFAULT_CSS = """
    ActDialog #form {
        width: 78; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
        border-title-color: $text; border-title-style: bold;
    }
    ActDialog #form.-stale {
        border: heavy $error; border-subtitle-background: $error; border-subtitle-color: $text;
        border-subtitle-style: bold;
    }
    ActDialog #where { color: $text-muted; height: auto; margin: 0 0 1 0; }
    ActDialog #trouble { color: $text-error; text-style: bold; height: auto; }
    ActDialog #buttons { height: 1; margin: 1 0 0 0; }
    ActDialog Button { margin: 0 2 0 0; }
    """
    AUTO_FOCUS = ""

    def __init__(self, act: Act, args: Mapping[str, object], room: Room, hands: Hands) -> None:
        super().__init__()
        self.act = act
        self._args = dict(args)
        self._room = room
        self._hands = hands
        self._seen = room.book.page.head
        self._busy = False
        self._later: Wish | None = None  # to be done as soon as the box has told what it is about
        self._fields = fields(act, args, self._row(), room.book.page, self._turns())
        self._reason = ReasonField(ready_reasons(act.name)) if act.why else None
        self._bindings.bind("escape", "leave", _("leave"))
        self._bindings.bind("f1", "rules", _("the rule"))
        self._bindings.bind("ctrl+s", "go", _("do it"))

    def compose(self) -> ComposeResult:
        """Where, what is asked, why, what is wrong, what to press."""
        with VerticalScroll(id="form", can_focus=False) as form:
            form.border_title = self.title_words()
            yield Static(id="where", markup=False)
            yield from self._fields
            if self._reason is not None:
                yield self._reason
            yield Static(id="trouble", markup=False)
            leave, rule, help_words = _("leave"), _("the rule"), _("help")
            with Horizontal(id="buttons"):
                yield Button("", id="do", compact=True, variant="primary")
                yield Button(f"Esc {leave}", id="leave", compact=True)
                yield Button(f"F1 § {rule}" if self.act.topics else f"F1 {help_words}", id="rules", compact=True)

    def on_mount(self) -> None:
        """Begin with what is still to be answered."""
        self._tick()
        self._show_fields()
        self._go_on()
        if self._asks_nothing():
            self.action_go()
        if not self._room.frozen:
            self.set_interval(TICK_S, self._tick)

    def title_words(self) -> str:
        """Where, and what."""
        table = self._args.get("table")
        title = _(self.act.title)
        return title if table is None else _("Table {table}").format(table=table) + f" · {title}"

    # --- what is shown -----

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
        where = self.query_one("#where", Static)
        where.display = row is not None
        if row is not None:
            ahead = row.ahead is not None and "head" in self._args
            where.update(Content("\n".join([_where(row), *([_one_moment(self.act)] if ahead else [])])))
            later, self._later = (self._later, None) if not ahead and not self._busy else (None, self._later)
            if later is not None:
                self._do(later)

    def say(self, trouble: str) -> None:
        """What is wrong."""
        self.query_one("#trouble", Static).update(Content(trouble))

    # --- keys and mouse -----

    @property
    def holds_keys(self) -> bool:
        """The desk is asked: nobody knows yet whether this stays open."""
        return self._busy

    def on_filled(self, filled: Filled) -> None:
        """Enter in a field, or a pick: on to the next open one, else it is done; what cannot be right is not left."""
        filled.stop()
        field = filled.field
        try:
            if field is not None:
                field.value()
        except DalejError as error:
            self._refuse(error)
            return
        self._show_fields()
        after = next((one for one in self._fields if one is not field and one.is_open()), None)
        if after is not None:
            self.set_focus(after.target)
        elif self._reason is not None and field is not None and not self._reason.text:
            self.set_focus(self._reason.target)
        else:
            self.action_go()

    def on_input_changed(self) -> None:
        """What Enter would do now."""
        self._show_fields()

    def on_descendant_focus(self) -> None:
        """What Enter would do there."""
        self._show_fields()

    def _go_on(self) -> None:
        """To what is still to be answered."""
        still = next((field.target for field in self._fields if field.is_open()), None)
        if still is None and self._reason is not None:
            still = self._reason.target
        self.set_focus(still or self.query_one("#do", Button))

    def _show_fields(self) -> None:
        """Those that mean something beside what is answered, and how the button is pressed by key."""
        answered = {field.name or "": _known(field) for field in self._fields}
        for field in self._fields:
            field.display = asked(self.act, field, answered)
        title = _(self.act.title)
        self.query_one("#do", Button).label = f"⏎ {title}" if self._enter_does() else f"Ctrl+S {title}"

    def _enter_does(self) -> bool:
        """Whether Enter would do it where the keys are now."""
        here = self.focused
        open_still = any(field.is_open() and field.target is not here for field in self._fields)
        reason = self._reason
        return not open_still and (reason is None or bool(reason.text) or reason.target is here)

    def _refuse(self, error: DalejError, there: Widget | None = None) -> None:
        """Say what is wrong; what has been typed ahead was meant for what comes after it."""
        drop(self.app)
        self.say(f"✗ {said(error)}")
        if there is not None:
            self.set_focus(there)

    def on_button_pressed(self, pressed: Button.Pressed) -> None:
        """By mouse, or by Enter where one has the keys."""
        {"do": self.action_go, "leave": self.action_leave, "rules": self.action_rules}[pressed.button.id or "leave"]()

    def action_leave(self) -> None:
        """Nothing is done."""
        if not self._busy:
            self.dismiss(None)

    def action_rules(self) -> None:
        """The passages it rests on."""
        if self._busy:
            return
        self.app.push_screen(PassageScreen(self._room.feed.hall.ruleset, self.act.topics, keys=True))

    def action_go(self) -> None:
        """Check what was answered, ask if it destroys something, and do it."""
        if self._busy:
            return
        try:
            wish = self._wish()
        except DalejError as error:
            self._refuse(error)
            return
        self.say("")
        rows = list(self._room.feed.hall.rows(self._room.feed.now_ms()))
        known = [f"! {line}" for line in known_before(self.act, self._room.book.page, rows)]
        if not self.act.destroys and not known:
            self._do(wish)
            return
        tables = sum(1 for row in rows if _counts(self.act, row))
        asked = question(self.act, wish.args, self._row(), self._room.book.page, tables) if self.act.destroys else ""

        def answered(agreed: bool | None) -> None:
            if agreed:
                self._do(wish)
            elif self._asks_nothing():
                self.dismiss(None)

        lines = [*known, *([""] if known and asked else []), *([asked] if asked else [])]
        self.app.push_screen(Confirm(self.title_words(), lines), answered)

    def _asks_nothing(self) -> bool:
        """Nothing but the question whether to do it."""
        return self.act.destroys and not self._fields and self._reason is None

    def _wish(self) -> Wish:
        args: dict[str, Any] = dict(self._args)
        if self.act.about == "player":
            args.pop("table", None)  # it only says who is likely to be meant
        racks: dict[str, str] = {}
        for field in self._fields:
            value = self._value(field) if field.display else None
            name = field.name or ""
            if name.startswith(RACKS):
                if value:
                    racks[name.removeprefix(RACKS)] = str(value)
            elif value is not None:
                args[name] = value
        if racks:
            args["racks"] = racks
        why = "" if self._reason is None else self._reason.text
        if self._reason is not None and not why:
            self.set_focus(self._reason.target)
            raise WrongInput(N_("say why: it is kept with the decision"))
        return Wish(self.act.name, args, why, self._seen)

    def _value(self, field: Field) -> object:
        try:
            return field.value()
        except DalejError:
            self.set_focus(field.target)
            raise

    @work
    async def _do(self, wish: Wish) -> None:
        self._busy, self._later = True, None
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
                self._refuse(error)
        else:
            self.dismiss(Wished(wish, done))
            return
        finally:
            self._busy = False
        self.query_one("#do", Button).disabled = False


def _known(field: Field) -> object:
    """What is answered, None as long as it is not, or cannot be right."""
    try:
        return field.value()
    except DalejError:
        return None


def _counts(act: Act, row: Row) -> bool:
    return row.state in (("stopped",) if act.name == "resume_hall" else ("running", "expired"))


def _one_moment(act: Act) -> str:
    """Its box has told of less than it is known to have."""
    if act.name == "rule":
        return "… " + _(
            "one moment: its box is asked what happened. You can rule already: it holds as soon as the box has told."
        )
    return "… " + _("one moment: its box is asked what happened.")


def _where(row: Row) -> str:
    """How the table stands while it is decided on."""
    parts = [f"{alert_mark(alert)} {alert_words(alert)} {duration(alert.waiting_ms)}" for alert in row.alerts[:1]]
    parts.append(state_beside(row, {alert.kind for alert in row.alerts[:1]}))
    if row.seat < len(row.names) and row.state in ("running", "expired", "stopped"):
        parts.append(f"{seat_words(row.seat, row.name)} {clock_text(row)}")
    if row.game:
        parts.append(_("game {game}, move {move}").format(game=row.game, move=move_text(row)))
    return " · ".join(filter(None, parts))
