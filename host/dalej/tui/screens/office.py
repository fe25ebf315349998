"""What the screens of the tournament share: one page of the event between a title line and the next step; acts,
wished one at a time as the page was seen, what came of them, taking them back; and of screens about a round, which
one that is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Static

from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import GameAt, Round, RoundKey, Tournament
from dalej.errors import DalejError
from dalej.event.event import Seen
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.sight import Sight
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.office.rounds import usual_minutes
from dalej.tui.ask.actdialog import of_act
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import Answers, Check, Question, unchecked
from dalej.tui.ask.fields import Field, PickField
from dalej.tui.ask.pages import Reading
from dalej.tui.errands import GROUP, Errand, new_errand
from dalej.tui.feed import FactsRecorded, NoticeRead
from dalej.tui.room import BY_NAME, WITHIN, Room
from dalej.tui.screens.work import READS, Answer, Args, WorkScreen
from dalej.tui.takingback import help_words, keys_line
from dalej.tui.typedahead import begin, drop
from dalej.tui.widgets.bars import ActionBar, Banner, Button, Headline, Outcome
from dalej.tui.widgets.choices import Choice
from dalej.tui.widgets.nextline import HERE, KEY, SHIFTED, NextLine
from dalej.views.book import Page
from dalej.views.deeds import Place
from dalej.views.nextwords import Next, next_of
from dalej.views.offers import filled
from dalej.views.papers import SHEETS
from dalej.views.sight import sight_of
from dalej.words import _, said, who_said

SLOW_S: Final = 1.0  # what takes longer says for how long it has


LOOK_S: Final = 0.5  # how often a screen looks whether the page was turned and the desk still answers


class DeskWork(WorkScreen[str | None]):
    """A screen over one page of the event. `state`: the last that could be read, None: none yet. `busy`: what is being
    done, "" for nothing. `OF`: the name of the way on which it lies, "": of itself. It answers with what was done
    there, None for nothing.

    What a subclass shows it shows in `show_page`, which is called whenever the page is another.
    """

    ALLOW_SELECT = False
    NAME = ""  # of the screen, translated where it is shown
    NAMES_NEXT = True
    N_IS_TAKEN = False  # without Shift
    WAY = ""
    OF = ""

    DEFAULT_CSS = """
    DeskWork #trouble { display: none; height: auto; background: $error; color: $text; text-style: bold; padding: 0 1; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.busy = ""
        self._told = room.history.last  # of what its line is
        self.state: Tournament | None = room.book.page.state
        self._did = False
        self._slow: Timer | None = None
        self._slow_for = 0
        self._drawn: Page | None = None
        self._news = self._turns = self._ready = False
        bind = self._bindings.bind
        bind("escape", "leave", _("back"), key_display="Esc")
        self.bind_taking_back()
        bind("question_mark", "explain", _("help"), key_display="?")
        if self.NAMES_NEXT:
            bind(KEY, "next_step", _("next step"), key_display=SHIFTED)
            if not self.N_IS_TAKEN:
                bind(KEY.lower(), "name_next_step", show=False)

    def compose(self) -> ComposeResult:
        """Headline, what is wrong, the next step, the work itself, what came of the last act, keys."""
        yield Headline()
        yield Banner()
        yield Static("", id="trouble", markup=False)
        yield NextLine()
        yield from self.compose_work()
        yield Outcome()
        yield ActionBar()

    def compose_work(self) -> ComposeResult:
        """Of the subclass."""
        yield from ()

    # --- what is shown -----

    @property
    def seen(self) -> Seen | None:
        """The page for plans of the office; None while there is none."""
        return self.page.seen

    @property
    def round(self) -> Round | None:
        """The round to work on."""
        return None if self.state is None else self.state.current

    def on_mount(self) -> None:
        """Show what is known, then read on."""
        self._ready = True
        self.refresh_page()
        self._turn_on()
        if not self.room.frozen:
            self.set_interval(LOOK_S, self._look)

    def on_screen_resume(self) -> None:
        """Much may have happened."""
        self._turn_on()
        self._follow_history()

    def on_resize(self, _event: events.Resize) -> None:
        """Other columns have room."""
        self.call_after_refresh(self.refresh_page)

    def on_facts_recorded(self, _recorded: FactsRecorded) -> None:
        """The ledger has grown."""
        self._turn_on()

    def look_anew(self) -> None:
        """The bar says so."""
        self._look()

    def on_notice_read(self, notice: NoticeRead) -> None:
        """Something to be read."""
        self.outcome.warn(notice.words, stays=True)

    def refresh_page(self) -> None:
        """Draw everything anew."""
        if not self._ready:
            return
        self._drawn = page = self.page
        self.state = page.state or self.state
        trouble = self.query_one("#trouble", Static)
        trouble.display = page.problem is not None
        if page.problem is not None:
            old = _("THIS IS OLD: the event file cannot be read. {why}").format(why=said(page.problem))
            trouble.update(f"░░░ {old} ░░░")
        self.query_one(NextLine).show(self.following() if self.NAMES_NEXT else Next(""))
        self._show_live()
        self.show_page()
        self.show_buttons()

    def show_page(self) -> None:
        """Of the subclass."""

    def headline(self) -> str:
        """What this screen is about."""
        return _(self.NAME)

    def round_words(self) -> str:
        """The round that is worked on."""
        if self.round is None:
            return _("all rounds are closed") if self.state is not None and self.state.over else _("no round")
        return round_name(*self.round.key)

    def buttons(self) -> Sequence[Button]:
        """Of the subclass, before those that every screen has."""
        return self.common_buttons()

    def common_buttons(self) -> list[Button]:
        """Take back, help, leave."""
        return [*self.taking_back_buttons(), Button("?", _("help"), "explain"), Button("Esc", _("back"), "leave")]

    def show_buttons(self) -> None:
        """What can be done now."""
        self.query_one(ActionBar).show(self.buttons())

    def help_text(self) -> str:
        """Of the subclass: a page."""
        return ""

    def action_explain(self) -> None:
        """What can be done here, and what the marks mean."""
        lines = [self.help_text(), "", _("ON EVERY SCREEN OF THE OFFICE")]
        if self.NAMES_NEXT:
            lines.append(_(
                "The line at the top names the next step of the tournament; N, with Shift, or a click on it does it: "
                "seat, start the clock, close the round, go on."
            ))  # fmt: skip
        self.app.push_screen(Reading(_(self.NAME), Content("\n".join([*lines, help_words(typing=self.TYPES)]))))

    def action_leave(self) -> None:
        """Back to where one came from."""
        self.dismiss(self.left())

    # --- doing -----

    def allows(self, act: str) -> bool:
        """Whether the role may do that; said if not."""
        if not self.may(act):
            self.outcome.warn(_("That is not for the role you sit here with."))
        return self.may(act)

    def named_acts(self) -> Sequence[type[Act]]:
        """All but those of a table's clock and its sheets, which have keys where the table is seen."""
        return [act for act in self.acts() if act.about not in ("hall", "table", "game") and act.name != "print"]

    def action_act(self, name: str) -> None:
        """Do it at once if there is nothing to ask, else ask."""
        if self.allows(name):
            if filled(ACTS[name], {}):
                self.act(name, {})
            else:
                self.ask_act(ACTS[name])

    @property
    def place(self) -> Place:
        """What is done on a sheet that was opened here is done here."""
        return Place(self.OF or self.WAY)

    @property
    def names_it(self) -> bool:
        """Until something else is to be said."""
        return self.outcome.names_back

    @property
    def holds_keys(self) -> bool:
        """Something is being done: nobody knows yet where the next key belongs. Reading on changes nothing of that."""
        return any(one.is_running and one.node is self and one.group != READS for one in self.workers)

    @property
    def outcome(self) -> Outcome:
        """The line that says what came of the last act."""
        return self.query_one(Outcome)

    def dismiss(self, result: str | None = None) -> AwaitComplete:
        """Only the screen in front closes: a second click on its way would close what lies beneath it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def act(self, name: str, args: Args, why: str = "", then: Callable[[Done], None] | None = None) -> None:
        """Wish it as the page was seen; what came of it is said below."""
        begin(self, partial(self._act, self.new_wish(name, args, why), then), group=GROUP)

    def write_paper(self, args: Args) -> None:
        """If the role may."""
        if self.allows("print"):
            self.act("print", args)

    async def do(self, wish: Wish, hands: Hands | None = None) -> Done | None:
        """What was done, which is said; None if it was refused, which is said too. `hands`: whose, None: of whoever
        sits here.
        """
        hands, trouble = hands or self.hands, self._trouble()
        if hands is None or trouble:
            say = self.outcome.warn if self.busy else self.outcome.refuse
            say(trouble)
            return None
        done: Done | None = None
        try:
            done = await self.carried(new_errand(wish, hands, self.history, self.place))
        except DalejError as problem:
            drop(self.app)
            self.outcome.refuse(said(problem))
        else:
            self._did = True
            self.was_done(wish)
            self.say_last()
        await self.room.book.turn()
        self.refresh_page()
        return done

    async def carried(self, errand: Errand) -> Done:
        """How long it takes is said meanwhile."""
        act = errand.wish.act
        self._begin_doing(said(DalejError(ACTS[act].title)) if act in ACTS else act)
        try:
            return await super().carried(errand)
        finally:
            self._end()

    def was_done(self, wish: Wish) -> None:
        """It was; the page does not say so yet. Of the subclass."""

    def why_not_now(self) -> str:
        """As for anything else, and one thing at a time."""
        return super().why_not_now() or self._trouble()

    def hint(self, words: str) -> None:
        """On the line of outcomes."""
        self.outcome.warn(words)

    async def show_history(self) -> None:
        """On the line of outcomes; the page is another."""
        self._did = True
        self.say_last()
        await self.room.book.turn()
        self.refresh_page()

    def _follow_history(self) -> None:
        """What was done, or taken back, on another screen: a line that names it is of what the keys do now."""
        if not self._ready or self.history.last is self._told:
            return
        if self.outcome.names_back:
            self.outcome.clear()
            if self.history.last is not None and self.history.last.done is not None:
                self.say_last()
        self.show_buttons()

    def say_last(self, more: str = "") -> None:
        """What was done last, with the keys that take it back. `more`: something to be read beside it."""
        last = self._told = self.history.last
        if last is None:
            return
        if last.done is None:
            self.outcome.refuse(last.trouble)
            return
        keys = keys_line(self.history, typing=self.TYPES)
        self.outcome.done(" ".join(filter(None, (last.sentence(), more))), keys, mark="↶" if last.back else "✓")

    def ask_act(
        self, act: type[Act], args: Args = MappingProxyType({}), *, settled: Args = MappingProxyType({}),
        lines: Sequence[str] = (), check: Check = unchecked,
    ) -> None:  # fmt: skip
        """Unless nothing can be done now, which is said."""
        if trouble := self._trouble():
            self.outcome.refuse(trouble)
        else:
            super().ask_act(act, args, settled=settled, lines=lines, check=check)

    def _trouble(self) -> str:
        """Why nothing can be done now."""
        if self.room.hands is None:
            return _("You only look here: log in as organiser to change anything.")
        if self.page.problem is not None:
            return said(self.page.problem)
        return _("The last wish is still being done.") if self.busy else ""

    def ask(self, question: Question, then: Callable[[Answers], None]) -> None:
        """Ask; `then` is called with the answers if it is yes."""

        def answered(answers: Answers | None) -> None:
            if answers is not None:
                then(answers)

        self.app.push_screen(question, answered)

    def confirm(self, question: Confirm, then: Callable[[], None]) -> None:
        """Ask; `then` is called if it is yes."""

        def answered(agreed: bool | None) -> None:
            if agreed:
                then()

        self.app.push_screen(question, answered)

    async def asks(self, screen: ModalScreen[Answer]) -> Answer | None:
        """What the person answers; to be awaited in a worker."""
        return await self.app.push_screen_wait(screen)

    def done_there(self, words: str | None) -> None:
        """Say what was done on a screen that has closed; it can be taken back from here."""
        if words is not None:
            self._did = True
            self.say_last()
            self.refresh_page()

    def left(self) -> str | None:
        """What the screen beneath is told."""
        return self.outcome.words if self._did else None

    def still(self) -> None:
        """What is being done has taken another second."""
        self._slow_for += 1
        self.outcome.tell(_("{what} … {seconds} s").format(what=self.busy, seconds=self._slow_for))

    async def _act(self, wish: Wish, then: Callable[[Done], None] | None) -> None:
        done = await self.do(wish)
        if done is not None and then is not None:
            then(done)

    def _begin_doing(self, title: str) -> None:
        self.busy, self._slow_for = title, 0
        self._slow = self.set_interval(SLOW_S, self.still)

    def _end(self) -> None:
        self.busy = ""
        if self._slow is not None:
            self._slow.stop()

    # --- the next step -----

    def following(self) -> Next:
        """The next step of the tournament."""
        return next_of(self.state, self.may, self.page.boxes)

    def on_next_line_taken(self, taken: NextLine.Taken) -> None:
        """The line was clicked."""
        taken.stop()
        self.action_next_step()

    def action_name_next_step(self) -> None:
        """In the hall that key goes to a table that waits; what changes the tournament takes Shift."""
        self.outcome.tell(self.next_words() or self.following().words)

    def next_words(self) -> str:
        """The next step, and the key that does it; "" if none does."""
        step = self.following()
        return _("{key}, with Shift, does it: {step}").format(key=KEY, step=step.words) if step.can else ""

    def action_next_step(self) -> None:
        """Do what comes next, or go where it is done."""
        step = self.following()
        if step.screen and step.screen != self.WAY:
            if step.act:
                self.app.call_later(self.do_there, step.screen)
            else:
                self.open(step.screen, step.table)
        elif step.act in HERE:
            self.step_here()
        elif step.act == "start_round":
            self._start_clock(sheets=self.may("print"))
        elif step.act == "draw_seating":
            self.act(step.act, {})
        elif step.act:
            self._ask_step(step)
        elif step.screen:
            self.step_here()
        else:
            self.outcome.warn(step.words or _("That is not done here."))

    def step_here(self) -> None:
        """The next step is what this screen is for. Of the subclass."""

    def _ask_step(self, step: Next) -> None:
        act, sight = ACTS[step.act], self._sight()
        title, touches, known = said(DalejError(act.title)), act.question({}, sight), act.known_before(sight)
        lines = [*(f"! {line}" for line in known), *([""] if known and touches else []), touches]
        self.confirm(Confirm(step.words, lines, yes=title), lambda: self.act(step.act, {}))

    def _sight(self) -> Sight:
        feed = self.room.feed
        return sight_of(self.page, feed.hall.rows(feed.now_ms()))

    def action_start_clock(self) -> None:
        """The round's time begins; where the ruleset sets none, somebody has to say how long it is."""
        self._start_clock(sheets=False)

    def _start_clock(self, *, sheets: bool) -> None:
        """`sheets`: they may not be printed yet, so they are offered first."""
        state, one = self.state, self.round
        if state is None or one is None:
            return
        minutes, lines = state.ruleset.round_time_ms, ACTS["start_round"].known_before(self._sight())
        if minutes is not None and not lines and not sheets:
            self.act("start_round", {}, then=self._started)
            return

        def start(answers: Answers) -> None:
            given = answers["minutes"]
            self.act("start_round", {} if given is None else {"minutes": given}, then=self._started)

        def begin_with(answers: Answers) -> None:
            if answers.get("sheets"):
                self.act("print", SHEETS.args, then=lambda _written: start(answers))
            else:
                start(answers)

        usual = usual_minutes(state)
        fields: list[Field] = [of_act("start_round", "minutes", self.page, given=usual, needed=not usual,
                                      hint="" if usual else _("such as 90"))]  # fmt: skip
        if sheets:
            fields.append(PickField("sheets", _(SHEETS.words), [
                Choice(False, _("are printed already")), Choice(True, _("are written now, to be printed")),
            ], needed=True))  # fmt: skip
        known = [f"! {line}" for line in lines]
        self.ask(Question(_("The round's clock"), fields, lines=known, yes=_("start it")), begin_with)

    def _started(self, _done: Done) -> None:
        """Somebody who starts the clock may have meant to lock the seating first."""
        seating = None if self.round is None else self.round.seating
        if seating is not None and seating.locked is None and self.may("lock_seating"):
            hint = _("The seating is not locked: l locks it.")
            if self.WAY != "seating":
                hint = _("The seating is not locked: on its screen l locks it.")
            self.say_last(hint)

    def open(self, screen: str, table: int = 0) -> None:
        """Another screen of the app by its name; `table`: what is to be done there is about that one."""
        if screen in BY_NAME or screen in WITHIN:
            self.app.call_later(self.go_to, screen, table)
        else:
            self.outcome.warn(_("That is done on another screen."))

    # --- within -----

    def _turn_on(self) -> None:
        """Read on, one reading at a time however many facts come in."""
        self._news = True
        if not self._turns:
            self._turns = True
            begin(self, self._turn, group=READS)

    async def _turn(self) -> None:
        try:
            while self._news:
                self._news = False
                await self.room.book.turn()
        finally:
            self._turns = False
        self._look()

    def _look(self) -> None:
        if not self._ready or not self.is_attached:
            return
        self._show_live()
        if self._drawn is not None and not self.page.shows_as(self._drawn):
            self.outcome.pass_by()
            self.refresh_page()

    def _show_live(self) -> None:
        self.query_one(Headline).show(self.room.feed, self.headline())
        self.query_one(Banner).show_feed(self.room.feed)


_NO_BOXES: Final[Mapping[GameAt, BoxGame]] = {}  # a page has the boxes' games of the round to work on alone


class OfRound(DeskWork):
    """`chosen`: the key of a round; None: the one to work on, whichever that becomes."""

    def __init__(self, room: Room, key: RoundKey | None = None) -> None:
        super().__init__(room)
        self.chosen = key

    @property
    def shown(self) -> Round | None:
        """The round."""
        if self.state is None or self.chosen is None:
            return self.round
        return self.state.rounds.get(self.chosen)

    @property
    def is_closed(self) -> bool:
        """Whether only corrections are made in it."""
        return self.shown is not None and self.shown.closed is not None

    @property
    def shown_page(self) -> Page:
        """With what boxes tell of that round."""
        earlier = self.shown is not self.round
        return replace(self.page, boxes=_NO_BOXES) if earlier else self.page

    def shown_words(self) -> str:
        """The round's name, and that it is closed."""
        return _("no round") if self.shown is None else called(self.shown)

    def of_round(self, args: Mapping[str, object]) -> dict[str, object]:
        """The arguments of a wish that is about it."""
        return dict(args) if self.chosen is None else {**args, "round": f"{self.chosen.stage}/{self.chosen.round}"}


def called(one: Round) -> str:
    """The round's name, and that it is closed."""
    name = round_name(*one.key)
    if one.closed is None:
        return name
    return _("{round}, closed by {who}").format(round=name, who=who_said(one.closed.who))
