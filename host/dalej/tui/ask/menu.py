"""What can be done here: every act with its key, always at the same place; what is not possible now says why."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Grid, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from dalej.domain.rulesets import Ruleset
from dalej.tui.ask.modal import Asks
from dalej.tui.ask.offers import Offer
from dalej.tui.ask.passages import PassageScreen
from dalej.tui.keys import drop
from dalej.words import _

NOWHERE = -1


class _Line(Static):
    """One act."""

    ALLOW_SELECT = False

    class Chosen(Message):
        """It was clicked."""

        def __init__(self, offer: Offer) -> None:
            super().__init__()
            self.offer = offer

    def __init__(self, offer: Offer) -> None:
        super().__init__()
        self.offer = offer

    def on_mount(self) -> None:
        self.mark(chosen=False)

    def mark(self, *, chosen: bool) -> None:
        """With the cursor or without."""
        offer, cursor = self.offer, "▸" if chosen else " "
        style = "dim" if offer.why_not else "bold" if chosen else ""
        key = "–" if offer.why_not else offer.key
        title = _(offer.act.title)
        said = f"{cursor}{key} {title}" + (" …" if offer.act.destroys else "")
        self.update(Content.styled(said, style))
        self.set_class(chosen, "-chosen")

    def on_click(self) -> None:
        self.post_message(self.Chosen(self.offer))


class ActMenu(Asks[Offer | None]):
    """The answer is the chosen offer; an impossible one says why and the menu stays. There is no cursor until an arrow
    brings one: an Enter that was meant for the screen beneath does nothing.
    """

    DEFAULT_CSS = """
    ActMenu { background: $background 88%; }
    ActMenu #menu {
        width: 78; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
        border-title-color: $text; border-title-style: bold;
    }
    ActMenu Grid { height: auto; grid-size: 2; grid-rows: auto; grid-gutter: 0 1; }
    ActMenu .-chosen { background: $boost; }
    ActMenu #why { color: $text-warning; }
    ActMenu #foot { color: $text-muted; }
    ActMenu.-short #menu { width: 62; }
    ActMenu.-short Grid { grid-size: 1; }
    """

    def __init__(self, title: str, offers: Sequence[Offer], ruleset: Ruleset, *, short: bool = False) -> None:
        super().__init__()
        self._title = title
        self._ruleset = ruleset
        self._offers = offers
        self._lines = [_Line(offer) for offer in offers]
        self._at = NOWHERE
        self._short = short
        self.set_class(short, "-short")
        self._bindings.bind("escape", "dismiss(None)", _("leave"))
        self._bindings.bind("f1,section_sign", "rules", _("the rule"))

    def compose(self) -> ComposeResult:
        """The acts, the line that says why not, the keys."""
        with VerticalScroll(id="menu", can_focus=False) as menu:
            menu.border_title = self._title
            yield Grid(*self._lines)
            yield Static(" ", id="why", markup=False)
            yield Static(_("a key or a click chooses · F1 § the rule · Esc leaves"), id="foot", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Its own key, or arrows and Enter."""
        step = {"up": -1 if self._short else -2, "down": 1 if self._short else 2, "left": -1, "right": 1}.get(event.key)
        chosen = next((offer for offer in self._offers if offer.key and offer.key == event.character), None)
        if step is not None:
            self._step(step)
        elif event.key == "enter" and self._offers:
            self._enter()
        elif chosen is not None:
            self._choose(chosen)
        else:
            return
        event.stop()

    def action_rules(self) -> None:
        """The passages that the act under the cursor rests on; without one those of all that can be done."""
        at = self._offers if self._at == NOWHERE else [self._offers[self._at]]
        topics = dict.fromkeys(topic for offer in at if not offer.why_not for topic in offer.act.topics)
        if self._offers:
            self.app.push_screen(PassageScreen(self._ruleset, list(topics)))

    def on__line_chosen(self, chosen: _Line.Chosen) -> None:
        """By mouse."""
        self._choose(chosen.offer)

    def _step(self, step: int) -> None:
        first = next((at for at, offer in enumerate(self._offers) if not offer.why_not), 0)
        self._go(first if self._at == NOWHERE else min(len(self._lines) - 1, max(0, self._at + step)))

    def _go(self, place: int) -> None:
        if self._at != NOWHERE:
            self._lines[self._at].mark(chosen=False)
        self._at = place
        self._lines[place].mark(chosen=True)
        self._explain(self._offers[place])

    def _enter(self) -> None:
        if self._at == NOWHERE:
            self._say(_("Nothing is chosen yet: press the key before an act, or ↑ ↓ and then Enter."))
        else:
            self._choose(self._offers[self._at])

    def _choose(self, offer: Offer) -> None:
        if offer.why_not:
            self._explain(offer)
        else:
            self.dismiss(offer)

    def _explain(self, offer: Offer) -> None:
        title = _(offer.act.title)
        self._say(f"– {title}: {offer.why_not}" if offer.why_not else "")

    def _say(self, why: str) -> None:
        if why:
            drop(self.app)
        self.query_one("#why", Static).update(Content(why or " "))
