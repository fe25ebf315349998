"""The regulation's own words on what is being decided, each with its clause; any of its keys closes it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from dalej.domain.rulesets import Ruleset
from dalej.tui.ask.modal import Asks
from dalej.words import _, readable


class PassageScreen(Asks[None]):
    """Passages on these topics; `keys`: and how a dialog is filled in. All passages if there is neither."""

    DEFAULT_CSS = """
    PassageScreen #passages {
        width: 76; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
    }
    """

    def __init__(self, ruleset: Ruleset, topics: Sequence[str], *, keys: bool = False) -> None:
        super().__init__()
        self._keys = keys
        self._ruleset = ruleset
        self._topics = topics
        self._bindings.bind("escape,f1,q,enter,section_sign", "dismiss", _("close"), key_display="Esc")

    def compose(self) -> ComposeResult:
        """One page that scrolls."""
        rules = self._ruleset
        found = [text for text in rules.texts if text.topic in self._topics]
        if not found and not self._keys:
            found = list(rules.texts)
        lines: list[Content] = []
        for clause, texts in groupby(found, key=lambda text: readable(text.clause)):
            lines.append(Content.styled("§ " + _("rule {clause}").format(clause=clause), "bold $accent"))
            lines += [Content(readable(quote) + "\n") for quote in dict.fromkeys(text.quote for text in texts)]
        if self._keys:
            lines += [Content.styled(_("THE KEYS OF A DIALOG"), "bold"), Content(keys_words())]
        with VerticalScroll(id="passages") as page:
            page.border_title = readable(rules.title)
            page.border_subtitle = _("Esc closes")
            yield Static(Content("\n").join(lines or [Content(_("The regulation says nothing about it."))]))


def keys_words() -> str:
    """How a dialog is filled in."""
    return _(
        "A digit picks a line, or ↑ ↓ and Enter. In a field type what is asked and press Enter: it goes to the next, "
        "and after the last one it is done. Tab goes on, Shift+Tab back, Ctrl+S does it from anywhere, Esc leaves and "
        "nothing is done. A reason may be typed instead of picked; it is kept with the decision. Everything can be "
        "clicked."
    )
