"""Taking back what one did, and doing it after all: the same two keys on every screen where something is done.

At once is taken back what the line below names and what was done here. Anything else, of another table, of another
screen, of some time ago, is named first.
"""

from __future__ import annotations

from functools import partial
from typing import Final, TypeVar

from rich.cells import cell_len
from textual.content import Content
from textual.screen import Screen
from textual.style import Style

from dalej.acts.wishes import Done
from dalej.errors import DalejError, Refused, WrongInput
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ending import EndsItsWork, begin
from dalej.tui.errands import GROUP, Errand, carry_out
from dalej.tui.history import TABLE, Deed, History, Place
from dalej.tui.keys import drop
from dalej.tui.room import Room
from dalej.tui.ways import BY_NAME
from dalej.tui.widgets.actionbar import Button
from dalej.tui.widgets.grid import fitted
from dalej.words import _

REVERSE: Final = "reverse"  # the name of the workers that take something back
NAMED: Final = 44  # columns in which a line names what would be taken back
Answer = TypeVar("Answer")


class TakesBack(EndsItsWork, Screen[Answer]):
    """A screen where something is done. `TYPES`: letters are typed there, so the keys take Ctrl."""

    TYPES = False

    def bind_taking_back(self) -> None:
        """Its two keys."""
        bind = self._bindings.bind
        back, again = key_of_back(typing=self.TYPES), key_of_again(typing=self.TYPES)
        bind("ctrl+z" if self.TYPES else "z,ctrl+z", "take_back", _("take back"), key_display=back)
        bind("ctrl+y" if self.TYPES else "Z,ctrl+y", "do_again", _("do it after all"), key_display=again)

    # --- what a screen says of itself -----

    @property
    def own_room(self) -> Room:
        """Where it stands."""
        raise NotImplementedError

    @property
    def place(self) -> Place:
        """What is done here is done there."""
        raise NotImplementedError

    @property
    def names_it(self) -> bool:
        """Whether its line says now what would be taken back."""
        raise NotImplementedError

    async def carried(self, errand: Errand) -> Done:
        """What was done; DalejError if it was refused. It is done, and remembered, even if this screen is left."""
        return await carry_out(errand, self.own_room, self)

    async def show_history(self) -> None:
        """Say what came of it."""
        raise NotImplementedError

    def why_not_now(self) -> str:
        """Why nothing can be taken back just now; "" if it can."""
        busy = any(one.group == GROUP and not one.is_finished for one in self.workers)  # on whichever screen
        return _("The last wish is still being done.") if busy else ""

    def hint(self, words: str) -> None:
        """Something that a key did not do."""
        raise NotImplementedError

    # --- the keys -----

    @property
    def history(self) -> History:
        """Of all screens."""
        return self.own_room.history

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
        trouble = self.why_not_now()
        if deed is None:
            trouble = _("Nothing was taken back.") if again else _("Nothing was done yet that could be taken back.")
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
        history, head = self.history, self.own_room.book.page.head
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
        await self.show_history()


def key_of_back(*, typing: bool = False) -> str:
    """As it is written on the keyboard."""
    return "Ctrl+Z" if typing else "z"


def key_of_again(*, typing: bool = False) -> str:
    """As it is written on the keyboard."""
    return "Ctrl+Y" if typing else "Z"


def help_words(*, typing: bool = False) -> str:
    """What the two keys do, for a page of help."""
    return _(
        "{back} takes back what you did last, pressed again what you did before it, and so on, on whichever screen it "
        "was; {again} does what was taken back after all. What was not done here is named first."
    ).format(back=key_of_back(typing=typing), again="Ctrl+Y" if typing else "Shift+Z")


def keys_line(history: History, *, typing: bool = False) -> Content:
    """What the two keys would do now, each to be clicked; blank if nothing."""
    parts: list[Content] = []
    deed = history.to_take_back
    if deed is not None and history.stays is None:
        words = _("take it back")
        if not history.is_last:
            words = _("take back what was before it: {what}").format(what=_short(str(deed)))
        parts.append(_clicked(f"↶ {key_of_back(typing=typing)} {words}", "take_back"))
    undone = history.to_do_again
    if undone is not None:
        words = _("do it after all")
        if history.last is None or history.last.done is not undone.undone:
            words = _("do after all: {what}").format(what=_short(str(undone)))
        parts.append(_clicked(f"↷ {key_of_again(typing=typing)} {words}", "do_again"))
    return Content("  ").join(parts)


def place_words(place: Place) -> str:
    """Where that is; "" for the hall, whose acts say so themselves."""
    if place.screen == TABLE:
        return _("Table {table}").format(table=place.table)
    return _(BY_NAME[place.screen].words) if place.screen in BY_NAME else ""


def _short(words: str) -> str:
    return words if cell_len(words) <= NAMED else fitted(words, NAMED)


def _clicked(words: str, action: str) -> Content:
    return Content(words).stylize(Style.from_meta({"@click": f"screen.{action}"}))
