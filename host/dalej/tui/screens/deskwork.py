"""What the screens of the tournament share: one page of the event between a title line and the next step, what came of
the last act, and the keys, which are buttons too.

A page that cannot be read on stays, under words across the screen that say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.app import ComposeResult
from textual.widgets import Static

from dalej.acts.catalogue import ACTS
from dalej.acts.wishes import Done
from dalej.domain.stagewords import round_name
from dalej.domain.tournament import Round, Tournament
from dalej.errors import DalejError
from dalej.hall.book import Page
from dalej.office.event import Seen
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ending import begin
from dalej.tui.messages import DeskFound, DeskLost, FactsRecorded, LedgerFailed, NoticeRead
from dalej.tui.room import Room
from dalej.tui.screens.doing import READS, Doing
from dalej.tui.takingback import help_words
from dalej.tui.ways import BY_NAME, WITHIN
from dalej.tui.widgets import roundasks
from dalej.tui.widgets.actionbar import ActionBar, Button
from dalej.tui.widgets.bar import Banner
from dalej.tui.widgets.headline import Headline, Outcome
from dalej.tui.widgets.nextline import KEY, Next, NextLine, next_of
from dalej.tui.widgets.question import Answers, Reading, minutes_question
from dalej.words import _, said

LOOK_S: Final = 0.5  # how often a screen looks whether the page was turned and the desk still answers


class DeskWork(Doing):
    """A screen over one page of the event. `state`: the last that could be read, None: none yet.

    What a subclass shows it shows in `show_page`, which is called whenever the page is another.
    """

    ALLOW_SELECT = False
    NAME = ""  # of the screen, translated where it is shown
    NAMES_NEXT = True

    DEFAULT_CSS = """
    DeskWork #trouble { display: none; height: auto; background: $error; color: $text; text-style: bold; padding: 0 1; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.state: Tournament | None = room.book.page.state
        self._drawn: Page | None = None
        self._news = self._turns = self._ready = False
        bind = self._bindings.bind
        bind("escape", "leave", _("back"), key_display="Esc")
        self.bind_taking_back()
        bind("question_mark", "explain", _("help"), key_display="?")
        if self.NAMES_NEXT:
            bind(KEY, "next_step", _("next step"))
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
        page = self.page
        return None if page.state is None else Seen(list(page.decisions), page.state, page.head)

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

    def on_facts_recorded(self, _recorded: FactsRecorded) -> None:
        """The ledger has grown."""
        self._turn_on()

    def on_desk_found(self, _found: DeskFound) -> None:
        """Everything is told again."""
        self._look()

    def on_desk_lost(self, _lost: DeskLost) -> None:
        """The bar says so."""
        self._look()

    def on_ledger_failed(self, _failed: LedgerFailed) -> None:
        """The banner says why."""
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
        return _("no round") if self.round is None else round_name(*self.round.key)

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
        self.app.push_screen(Reading(_(self.NAME), "\n".join([*lines, help_words(typing=self.TYPES)])))

    def action_leave(self) -> None:
        """Back to where one came from."""
        self.dismiss(self.left())

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
        self.outcome.tell(_("{key}, with Shift, does it: {step}").format(key=KEY, step=self.following().words))

    def action_next_step(self) -> None:
        """Do what comes next, or go where it is done."""
        step = self.following()
        if step.screen and step.screen != self.WAY:
            self.open(step.screen, step.table)
        elif step.act == "start_round":
            self.action_start_clock()
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
        title, confirm = said(DalejError(ACTS[step.act].title)), ACTS[step.act].confirm
        touches = said(DalejError(confirm, round=self.round_words())) if confirm else _(
            "It is settled who plays in the next stage, by the standings.")  # fmt: skip
        known: list[str] = []
        if step.act == "close_round" and self.round is not None:
            known = roundasks.before_closing(self.round, self._still_play()[0])
        lines = [*(f"! {line}" for line in known), *([""] if known else []), touches]
        self.confirm(Confirm(step.words, lines, yes=title), lambda: self.act(step.act, {}))

    def _still_play(self) -> tuple[list[int], list[int]]:
        feed = self.room.feed
        return roundasks.still_play(self.page, feed.hall.rows(feed.now_ms()))

    def action_start_clock(self) -> None:
        """The round's time begins; where the ruleset sets none, somebody has to say how long it is."""
        state, one = self.state, self.round
        if state is None or one is None:
            return
        minutes, lines = state.ruleset.round_time_ms, roundasks.before_start(state, one, self._still_play()[1])
        if minutes is not None and not lines:
            self.act("start_round", {}, then=self._started)
            return

        def start(answers: Answers) -> None:
            text = answers["minutes"]
            self.act("start_round", {"minutes": int(text)} if text else {}, then=self._started)

        known = [f"! {line}" for line in lines]
        self.ask(minutes_question(known, roundasks.usual_minutes(state)), start)

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
            self.app.call_later(self._open, screen, table)
        else:
            self.outcome.warn(_("That is done on another screen."))

    async def _open(self, screen: str, table: int) -> None:
        await self.app.run_action(f"app.show({screen!r})")
        there = self.app.screen
        if table and there is not self and isinstance(there, DeskWork):
            there.call_after_refresh(there.came_for, screen, table)

    def came_for(self, screen: str, table: int) -> None:
        """Somebody was sent here for that table. Of the subclass."""

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
