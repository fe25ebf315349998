"""The command palette: every act that the role may do, with the chosen table filled in, what can be taken back, and
every screen, found in the reader's language and in English, accents and case apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.widgets.option_list import Option

from dalej.office.players import folded
from dalej.tui.acting import ActingScreen
from dalej.tui.takingback import TakesBack
from dalej.tui.ways import WAYS
from dalej.words import N_, _

_APP: Final = (
    (N_("help"), "app.explain"), (N_("colours"), "app.change_colours"), (N_("alert sounds on or off"), "app.sound"),
    (N_("quit"), "app.quit"),
)  # fmt: skip


class _Entry(NamedTuple):
    """`found_by`: words that find it: the reader's, English, and the name that programs use."""

    words: str
    found_by: tuple[str, ...]
    action: str


class ActPalette(CommandPalette):
    """It says in the reader's language, too, that nothing is found."""

    def __init__(self) -> None:
        super().__init__(placeholder=_("What is to be done?"))

    def _start_no_matches_countdown(self, search_value: str) -> None:
        """Textual's own words are in English and nowhere to be set: these come at the same moment in their place."""
        super()._start_no_matches_countdown(search_value)
        if search_value:
            self._stop_no_matches_countdown()
            self._no_matches_timer = self.set_timer(self._NO_MATCHES_COUNTDOWN, self._say_no_match)

    def _say_no_match(self) -> None:
        words = _("Nothing is called like that.")
        self.query_one(CommandList).add_option(Option(words, disabled=True, id=self._NO_MATCHES))
        self._list_visible = True


class ActCommands(Provider):
    """What can be done on the screen that it was called from."""

    async def discover(self) -> Hits:
        """All of it."""
        for entry in self._entries():
            yield DiscoveryHit(entry.words, partial(self._do, entry.action))

    async def search(self, query: str) -> Hits:
        """What matches, accents and case apart."""
        matcher = self.matcher(folded(query))
        for entry in self._entries():
            score = max(matcher.match(folded(words)) for words in entry.found_by)
            if score > 0:
                yield Hit(score, entry.words, partial(self._do, entry.action))

    def _entries(self) -> Iterator[_Entry]:
        screen = self.screen
        if isinstance(screen, TakesBack):
            for title, deed, action in (
                (N_("take back"), screen.history.to_take_back, "take_back"),
                (N_("do it after all"), screen.history.to_do_again, "do_again"),
            ):
                if deed is not None:
                    yield _Entry(f"{_(title)} · {deed}", (_(title), title, str(deed)), f"screen.{action}")
        if isinstance(screen, ActingScreen):
            table = screen.chosen_table()
            for act in screen.acting.acts():
                words = _(act.title)
                if act.about in ("table", "game", "player") and table is not None:
                    words = f"{words} · " + _("table {table}").format(table=table)
                yield _Entry(words, (words, act.title, act.name.replace("_", " ")), f"screen.act({act.name!r})")
        for way in WAYS:
            yield _Entry(_(way.words), (_(way.words), way.words, way.name), f"app.show({way.name!r})")
        for words, action in _APP:
            yield _Entry(_(words), (_(words), words), action)

    async def _do(self, action: str) -> None:
        await self.app.run_action(action)
