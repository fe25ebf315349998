"""Acts from a screen: wished one at a time as the page was seen, what came of them, taking them back, the questions
asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen
from textual.timer import Timer

from dalej.acts.catalogue import ACTS
from dalej.acts.wishes import Done, Hands, Wish
from dalej.errors import DalejError
from dalej.hall.book import Page
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ending import begin
from dalej.tui.errands import GROUP, Errand, new_errand
from dalej.tui.history import Place
from dalej.tui.keys import drop
from dalej.tui.room import Room
from dalej.tui.takingback import TakesBack, keys_line
from dalej.tui.widgets.headline import Outcome
from dalej.tui.widgets.question import Answers, Question
from dalej.words import _, said

READS: Final = "turn"  # the group of workers that only read
SLOW_S: Final = 1.0  # what takes longer says for how long it has
Answer = TypeVar("Answer")
Args = Mapping[str, object]


class Doing(TakesBack[str | None]):
    """`busy`: what is being done, "" for nothing. `OF`: the name of the way on which it lies, "": of itself. It answers
    with what was done there, None for nothing.
    """

    WAY = ""
    OF = ""

    def __init__(self, room: Room) -> None:
        super().__init__()
        self.room = room
        self.busy = ""
        self._did = False
        self._slow: Timer | None = None
        self._slow_for = 0

    @property
    def own_room(self) -> Room:
        """As it was handed."""
        return self.room

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
    def page(self) -> Page:
        """As it was read last."""
        return self.room.book.page

    @property
    def outcome(self) -> Outcome:
        """The line that says what came of the last act."""
        return self.query_one(Outcome)

    def may(self, act: str) -> bool:
        """Whether the role may do that; what is offered is only a courtesy, the desk asks again."""
        hands = self.room.hands
        return hands is not None and act in ACTS and hands.actor.role in ACTS[act].roles

    def refresh_page(self) -> None:
        """Draw everything anew: of the subclass."""

    def dismiss(self, result: str | None = None) -> AwaitComplete:
        """Only the screen in front closes: a second click on its way would close what lies beneath it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def act(self, name: str, args: Args, why: str = "", then: Callable[[Done], None] | None = None) -> None:
        """Wish it as the page was seen; what came of it is said below."""
        begin(self, partial(self._act, self.new_wish(name, args, why), then), group=GROUP)

    def new_wish(self, name: str, args: Args, why: str = "") -> Wish:
        """By whoever sees this page."""
        return Wish(name, args, why, self.page.head)  # type: ignore[arg-type]  # plain JSON, as every act takes

    async def do(self, wish: Wish, hands: Hands | None = None) -> Done | None:
        """What was done, which is said; None if it was refused, which is said too. `hands`: whose, None: of whoever
        sits here.
        """
        hands, trouble = hands or self.room.hands, self._trouble()
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

    def say_last(self, more: str = "") -> None:
        """What was done last, with the keys that take it back. `more`: something to be read beside it."""
        last = self.history.last
        if last is None:
            return
        if last.done is None:
            self.outcome.refuse(last.trouble)
            return
        keys = keys_line(self.history, typing=self.TYPES)
        self.outcome.done(" ".join(filter(None, (last.sentence(), more))), keys, mark="↶" if last.back else "✓")

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
