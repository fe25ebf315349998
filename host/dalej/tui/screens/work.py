"""What every screen has on which something is done: whose hands, what they may do, what is asked about, done, and taken
back again by the same two keys everywhere; and what the desk's coming and going changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, TypeVar

from textual.screen import Screen

from dalej.errors import DalejError, Refused, WrongInput
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS, allowed_in
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.tui.ask.actdialog import ActDialog, Wished
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import Check, unchecked
from dalej.tui.errands import GROUP, Errand, carry_out
from dalej.tui.feed import HearsDesk
from dalej.tui.room import Room
from dalej.tui.takingback import REVERSE, key_of_again, key_of_back, place_words, why_not
from dalej.tui.typedahead import EndsItsWork, begin, drop
from dalej.tui.widgets.bars import Button
from dalej.views.book import Page
from dalej.views.deeds import Deed, History, Place
from dalej.views.papers import PAPERS
from dalej.words import _

Answer = TypeVar("Answer")
Args = Mapping[str, object]
NOTHING: Final[Sequence[type[Act]]] = ()
READS: Final = "turn"  # the group of workers that only read
TELLS: Final = "tells"  # and of those that say what was done


class WorkScreen(EndsItsWork, HearsDesk, Screen[Answer]):
    """A screen where something is done. `TYPES`: letters are typed there, so the keys that take back take Ctrl.

    Nothing is offered where the room has no hands, or hands that may do nothing.
    """

    TYPES = False

    def __init__(self, room: Room) -> None:
        super().__init__()
        self.room = room

    def bind_taking_back(self) -> None:
        """Its two keys."""
        bind = self._bindings.bind
        back, again = key_of_back(typing=self.TYPES), key_of_again(typing=self.TYPES)
        bind("ctrl+z" if self.TYPES else "z,ctrl+z", "take_back", _("take back"), key_display=back)
        bind("ctrl+y" if self.TYPES else "Z,ctrl+y", "do_again", _("do it after all"), key_display=again)

    def bind_keys(self, *keys: tuple[str, str, str]) -> None:
        """Keys, what they do here, and in words."""
        for key, action, words in keys:
            self._bindings.bind(key, action, words)

    def named_acts(self) -> Sequence[type[Act]]:
        """What is offered by name."""
        return ()

    def chosen_table(self) -> int | None:
        """The one that an act at a table is about."""
        return None

    # --- what a screen says of itself -----

    @property
    def place(self) -> Place:
        """What is done here is done there."""
        raise NotImplementedError

    @property
    def names_it(self) -> bool:
        """Whether its line says now what would be taken back."""
        raise NotImplementedError

    async def show_history(self) -> None:
        """Say what came of it."""
        raise NotImplementedError

    def hint(self, words: str) -> None:
        """Something that a key did not do."""
        raise NotImplementedError

    def place_of(self, _wish: Wish) -> Place:
        """Where that is done."""
        return self.place

    def came_for(self, screen: str, table: int) -> None:
        """Somebody was sent here for that table. Of the subclass."""

    async def go_to(self, screen: str, table: int) -> None:
        """Another screen of the app by its name; `table`: what is to be done there is about that one."""
        await self.app.run_action(f"app.show({screen!r})")
        there = self.app.screen
        if table and there is not self and isinstance(there, WorkScreen):
            there.call_after_refresh(there.came_for, screen, table)

    async def do_there(self, screen: str) -> None:
        """The next step, on another screen, where one can look at what it comes to."""
        await self.go_to(screen, 0)
        there = self.app.screen
        if there is not self:
            there.call_after_refresh(there.run_action, "next_step")

    # --- whoever sits here -----

    @property
    def hands(self) -> Hands | None:
        """None where nothing may be done."""
        return self.room.hands

    @property
    def page(self) -> Page:
        """As it was read last."""
        return self.room.book.page

    @property
    def history(self) -> History:
        """Of all screens."""
        return self.room.history

    def acts(self) -> Sequence[type[Act]]:
        """What the role may be offered."""
        return NOTHING if self.hands is None else allowed_in(self.page.state, self.hands.actor.role)

    def may(self, act: str) -> bool:
        """Whether the role may do that; what is offered is only a courtesy, the desk asks again."""
        return self.hands is not None and act in ACTS and self.hands.actor.role in ACTS[act].roles

    # --- doing -----

    def new_wish(self, name: str, args: Args, why: str = "") -> Wish:
        """By whoever sees this page."""
        return Wish(name, args, why, self.page.head)  # type: ignore[arg-type]  # plain JSON, as every act takes

    def ask_act(
        self, act: type[Act], args: Args = MappingProxyType({}), *, settled: Args = MappingProxyType({}),
        lines: Sequence[str] = (), check: Check = unchecked,
    ) -> None:  # fmt: skip
        """Ask what is still to be asked, and do it; as `ActDialog`."""
        hands = self.hands
        if hands is None:
            return

        def done(wished: Wished | None) -> None:
            if wished is not None:
                deed = Deed(wished.wish, wished.done, hands, self.place_of(wished.wish))
                self.history.was_done(deed, self.room.feed.own_ms())
                begin(self, self.show_history, group=TELLS)

        asking = ActDialog(act, args, self.room, hands, settled=settled, lines=lines, check=check)
        self.app.push_screen(asking, done)

    def action_write_paper(self, place: int) -> None:
        """One of `papers.PAPERS`, beside the event."""
        self.write_paper(PAPERS[place].args)

    def write_paper(self, args: Args) -> None:
        """Beside the event. Of the subclass."""

    async def carried(self, errand: Errand) -> Done:
        """What was done; DalejError if it was refused. It is done, and remembered, even if this screen is left."""
        return await carry_out(errand, self.room, self)

    def why_not_now(self) -> str:
        """Why nothing can be taken back just now; "" if it can."""
        busy = any(one.group == GROUP and not one.is_finished for one in self.workers)  # on whichever screen
        return _("The last wish is still being done.") if busy else ""

    # --- taking back -----

    def action_take_back(self) -> None:
        """The last thing; once more: the one before it."""
        self._begin(self.history.to_take_back, again=False)

    def action_do_again(self) -> None:
        """What was taken back last, after all."""
        self._begin(self.history.to_do_again, again=True)

    def taking_back_buttons(self) -> list[Button]:
        """Where there is something to take back, or to do after all."""
        made = []
        if self.history.to_take_back is not None:
            made.append(Button(key_of_back(typing=self.TYPES), _("take back"), "take_back"))
        if self.history.to_do_again is not None:
            made.append(Button(key_of_again(typing=self.TYPES), _("do it after all"), "do_again"))
        return made

    def _begin(self, deed: Deed | None, *, again: bool) -> None:
        trouble = why_not(self.history, again=again) or self.why_not_now()
        if deed is None or trouble:
            drop(self.app)
            self.hint(trouble)
            return
        reverse = partial(self._reverse, deed, again=again)
        if self.names_it and self.place.shows(deed.place) and (again or self.history.stays is None):
            begin(self, reverse, REVERSE, group=GROUP)
            return

        def answered(agreed: bool | None) -> None:
            if agreed:
                begin(self, reverse, REVERSE, group=GROUP)

        title = _("do it after all") if again else _("take back")
        self.app.push_screen(Confirm(title, self._question(deed, again=again), yes=title), answered)

    def _question(self, deed: Deed, *, again: bool) -> list[str]:
        where = place_words(deed.place)
        named = str(deed) if str(deed).startswith(where) else f"{where} · {deed}"
        if again:
            return [_("This would be done after all:"), named]
        stays = self.history.stays
        if stays is None:
            return [_("This would be taken back:"), named]
        cannot = _("Nothing takes this back: {what}").format(what=stays.sentence())
        return [cannot, "", _("Before it you did this:"), named]

    async def _reverse(self, deed: Deed, *, again: bool) -> None:
        history, head = self.history, self.page.head
        wish = deed.again(head) if again else deed.undo(head)
        if wish is None:
            return
        note = history.was_done_again if again else history.was_taken_back

        def refused(problem: DalejError) -> None:
            if isinstance(problem, Refused | WrongInput):
                history.let_be(deed)

        try:
            await self.carried(Errand(wish, deed.hands, partial(note, deed), refused))
        except DalejError:
            drop(self.app)
        else:
            self.was_reversed(deed)
        await self.show_history()

    def was_reversed(self, deed: Deed) -> None:
        """It was taken back from here, or done after all. Of the subclass."""
