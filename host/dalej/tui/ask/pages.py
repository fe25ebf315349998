"""Pages to read over a screen: the regulation's own words on what is being decided, how a dialog is filled in, what
every mark on the screens means.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from dalej.domain.rules.rulesets import Ruleset
from dalej.tui.ask.confirm import Asks
from dalej.tui.takingback import help_words
from dalej.words import _, readable


class Reading(Asks[None]):
    """A page to read; any of its keys closes it, and a click."""

    DEFAULT_CSS = """
    Reading > VerticalScroll {
        width: 76; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
        background: $surface;
    }
    Reading.-alone { background: $background; }
    Reading Static { height: auto; }
    """

    def __init__(self, title: str, text: Content) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._bindings.bind("escape,f1,question_mark,q,enter,section_sign", "dismiss", _("close"), key_display="Esc")

    @classmethod
    def of_passages(cls, ruleset: Ruleset, topics: Sequence[str], *, keys: bool = False) -> Reading:
        """Passages on these topics; `keys`: and how a dialog is filled in. All passages if there is neither."""
        found = [text for text in ruleset.texts if text.topic in topics]
        if not found and not keys:
            found = list(ruleset.texts)
        lines: list[Content] = []
        for clause, texts in groupby(found, key=lambda text: readable(text.clause)):
            lines.append(Content.styled("§ " + _("rule {clause}").format(clause=clause), "bold $accent"))
            lines += [Content(readable(quote) + "\n") for quote in dict.fromkeys(text.quote for text in texts)]
        if keys:
            lines += [Content.styled(_("THE KEYS OF A DIALOG"), "bold"), Content(keys_words())]
        nothing = Content(_("The regulation says nothing about it."))
        return cls(readable(ruleset.title), Content("\n").join(lines or [nothing]))

    @classmethod
    def of_keys(cls) -> Reading:
        """How a dialog is filled in."""
        return cls(_("help"), Content("\n").join([
            Content.styled(_("THE KEYS OF A DIALOG"), "bold"), Content(keys_words()),
        ]))  # fmt: skip

    @classmethod
    def of_marks(cls, screen: Screen[object], *, boxes: bool = True) -> Reading:
        """What every mark means, and every key of that screen. `boxes`: whether there are any."""
        keys = "\n".join(f"{key:>8}  {does}" for key, does in keys_of(screen))
        more = ["", _("EVERY KEY OF THE SCREEN YOU CAME FROM"), keys] if keys else []
        page = cls(_("What the marks mean"), Content("\n".join([marks_words() if boxes else paper_words(), *more])))
        page.add_class("-alone")  # many marks beside it would be read as part of it
        return page

    def compose(self) -> ComposeResult:
        """One page that scrolls."""
        with VerticalScroll(id="page") as page:
            page.border_title = self._title
            page.border_subtitle = _("Esc closes")
            yield Static(self._text, markup=False)

    def on_click(self) -> None:
        """Whoever has only a mouse leaves, too."""
        self.dismiss()


def keys_words() -> str:
    """How a dialog is filled in."""
    return _(
        "A digit picks a line, or ↑ ↓ and Enter. In a field type what is asked and press Enter: it goes to the next "
        "that says nothing yet, and after the last one it is done; where the last is picked, the pick does it, which "
        "stands below. Tab goes on, Shift+Tab back, Ctrl+S does it from anywhere, Esc leaves and nothing is done. A "
        "reason may be typed instead of picked; it is kept with the decision. Everything can be clicked."
    )


def marks_words() -> str:
    """The page, in the reader's language."""
    return "\n".join([
        _("THE HALL"),
        _("Every line is a table: whose move it is, how much time is left, which move of the game it is, how many "
          "tiles the bank has, and the penalty tiles of this game (A2: two for seat A; B?: nobody has counted yet)."),
        _("In the last ten seconds the time has tenths. A minus sign, −7: the time has been over for 7 seconds."),
        _("» you play: this screen plays the table; its t key gives it back."),
        _("Of a table without a box the line says which games are in: ● entered, ✔ confirmed by a second person, "
          "○ missing, – not played. Enter opens its sheet."),
        _("17+ means: the table is already further than what has been written down here."),
        "",
        _("WHAT WAITS FOR SOMEBODY (longest first)"),
        _("▲  a referee is needed: go there."),
        _("△  the table may still settle it alone: keep an eye on it."),
        _("time is over: the table has to say whether the late move stands."),
        _("early click: somebody said Dalej before drawing the tile; the next player may ask for a fresh move."),
        _("dispute: somebody pressed the red button; the clock stops now or when the move ends."),
        _("referee called: they want to ask something."),
        _("power lost: the clock stands until somebody holds the red button."),
        _("box silent: nothing has been heard of it for a while. Is it there? Has it power?"),
        "",
        _("THE BOX"),
        _("●  linked: everything arrives at once.   ◐  by radio: its advertisements are heard."),
        _("○  not heard just now.   log lags 12: twelve happenings are still on the box and will come."),
        _("░  do not trust this line: it is old, and says how old. Its time stands still."),
        _("◌  NO LIVE DESK: the program that listens to the boxes is not running. The games go on at the tables."),
        "",
        _("A TABLE"),
        _("The box as it lies there: ● a button that is lit, ◆ one that blinks, ○ dark, ▼ pressed. The ring starts at "
          "whose move it is and shows how much is left."),
        _("In a simulated hall t lets you play all its seats: j Już, d Dalej, k Kostka (a tile is drawn), s Sędzia; "
          "with Shift the button is held. 1 to 4 before j or d choose a seat. The mouse is a finger."),
        _("l carries the box out of the radio's reach and back, p takes its power and gives it back, + and − let the "
          "hall run faster and slower."),
        "",
        _("KEYS"),
        _("↑ ↓ choose a table, Enter opens it (or click on it), n goes to the one that waits longest, then on."),
        help_words(),
        _("c changes the colours, ? opens and closes this page, q quits. Quitting here stops no clock."),
    ])  # fmt: skip


def paper_words() -> str:
    """The page of a hall without boxes, in the reader's language."""
    return "\n".join([
        _("THE HALL"),
        _("Every line is a table: who sits there and which games are in: ● entered, ✔ confirmed by a second person, "
          "○ missing, – not played. Enter opens its sheet."),
        _("Boxes would show here whose move it is and how much time is left; without them nothing is missing."),
        "",
        _("THE TOURNAMENT"),
        _("The line at the top names the next step; Shift+N or a click on it does it: sign up, seat, start the clock, "
          "enter results, close the round, print."),
        _("The letters below open the other screens: players, seating, results, standings, settings. There p writes "
          "what is to be printed: score sheets, table numbers, lists, diplomas. A colon finds all of it by name."),
        "",
        _("KEYS"),
        _("↑ ↓ choose a table, Enter opens it (or click on it), n goes to the next whose results are missing."),
        help_words(),
        _("c changes the colours, ? opens and closes this page, q quits."),
    ])  # fmt: skip


def keys_of(screen: Screen[object]) -> list[tuple[str, str]]:
    """What each key does on that screen now, as it is pressed and in words, in the order of the screen."""
    textuals = {one.action for one in Screen.BINDINGS if isinstance(one, Binding)}  # described in English alone
    active = [
        one.binding for one in screen.active_bindings.values()
        if one.enabled and one.binding.description and one.binding.action not in textuals
    ]  # fmt: skip
    found: dict[str, tuple[str, str]] = {}
    for binding in active:
        key = screen.app.get_key_display(binding)
        found.setdefault(f"{binding.action} {binding.description}", (key, binding.description))
    return list(found.values())
