"""What can be done here: every act with its key, always at the same place; what is not possible now, by what the hall
knows, says why.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from dalej.domain.rules.rulesets import Ruleset
from dalej.tui.ask.confirm import Asks
from dalej.tui.ask.pages import Reading
from dalej.tui.typedahead import drop
from dalej.tui.widgets.choices import Choice, Pick
from dalej.views.offers import Offer
from dalej.words import _


class ActMenu(Asks[Offer | None]):
    """The answer is the chosen offer; an impossible one says why and the menu stays. There is no cursor until an arrow
    brings one: an Enter that was meant for the screen beneath does nothing. `asks`: what they are answers to, read
    first; then they stand one below the other.
    """

    DEFAULT_CSS = """
    ActMenu { background: $background 88%; }
    ActMenu #menu {
        width: 78; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
        border-title-color: $text; border-title-style: bold;
    }
    ActMenu Pick:focus { background: transparent; }
    ActMenu #asks { text-style: bold; margin-bottom: 1; }
    ActMenu #why { color: $text-warning; }
    ActMenu #foot { color: $text-muted; }
    ActMenu.-short #menu { width: 62; }
    """

    def __init__(self, title: str, offers: Sequence[Offer], ruleset: Ruleset, *, asks: str = "") -> None:
        super().__init__()
        self.offers = offers
        self._title = title
        self._asks = asks
        self._ruleset = ruleset
        self._pick = Pick([_choice(one) for one in offers], marked=False, across=1 if asks else 2, at=None)
        self.set_class(bool(asks), "-short")
        self._bindings.bind("escape", "dismiss(None)", _("leave"))
        self._bindings.bind("f1,section_sign", "rules", _("the rule"))
        self._bindings.bind("enter", "warn", show=False)

    def compose(self) -> ComposeResult:
        """The acts, the line that says why not, the keys."""
        with VerticalScroll(id="menu", can_focus=False) as menu:
            menu.border_title = self._title
            if self._asks:
                yield Static(self._asks, id="asks", markup=False)
            yield self._pick
            yield Static(" ", id="why", markup=False)
            yield Static(_("a key or a click chooses · F1 § the rule · Esc leaves"), id="foot", markup=False)

    def on_pick_picked(self, picked: Pick.Picked) -> None:
        """By key or by mouse."""
        self.dismiss(self.offers[picked.pick.picked or 0])

    def on_pick_moved(self, moved: Pick.Moved) -> None:
        """Why what is under the cursor cannot be done, or what it comes to."""
        offer = self.offers[moved.pick.at or 0]
        self._say(f"– {_(offer.act.title)}: {offer.why_not}" if offer.why_not else offer.comes_to)

    def action_rules(self) -> None:
        """The passages that the act under the cursor rests on; without one those of all that can be done."""
        at = self.offers if self._pick.at is None else [self.offers[self._pick.at]]
        topics = dict.fromkeys(topic for offer in at if not offer.why_not for topic in offer.act.topics)
        if self.offers:
            self.app.push_screen(Reading.of_passages(self._ruleset, list(topics)))

    def action_warn(self) -> None:
        """Enter without a cursor."""
        self._say(_("Nothing is chosen yet: press the key before an act, or ↑ ↓ and then Enter."))

    def _say(self, why: str) -> None:
        if why:
            drop(self.app)
        self.query_one("#why", Static).update(Content(why or " "))


def _choice(offer: Offer) -> Choice:
    return Choice(offer, _(offer.act.title) + (" …" if offer.act.destroys() else ""), offer.key, offer.why_not)
