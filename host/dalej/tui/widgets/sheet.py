"""The four rows of an entry sheet: seat, name, field, small and big points; and under each what there is to say."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from dalej.domain.scoring import SeatScore
from dalej.points import gained
from dalej.tui.widgets.grid import first_fit
from dalej.words import _

WRONG, DOUBT = "✗", "!"


class Saying(Static):
    """Words that are said again and again while somebody types: laid out anew only when they are others. `lines` 1: it
    is never higher than one line, so nothing else has to move.
    """

    def __init__(self, *, id: str | None = None, classes: str = "", lines: int = 0) -> None:  # noqa: A002 -- as Textual's
        super().__init__(id=id, classes=classes, markup=False)
        self._lines = lines
        self._said: str | Content = ""

    def say(self, words: str | Content) -> None:
        """These."""
        if words != self._said:
            self._said = words
            self.update(words, layout=self._lines != 1)


class Field(Input):
    """One rack. Up and down go to the next field; Enter is the screen's."""

    class Stepped(Message):
        """To the field above or below."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, seat: str) -> None:
        super().__init__(id=f"rack-{seat}", compact=True, max_length=60, select_on_focus=False)
        self.seat = seat

    def on_key(self, key: events.Key) -> None:
        """Arrows leave the field."""
        if key.key in ("up", "down"):
            key.stop()
            key.prevent_default()
            self.post_message(self.Stepped(-1 if key.key == "up" else 1))


class SeatRow(Vertical):
    """One seat. `field`: where its rack is typed."""

    DEFAULT_CSS = """
    SeatRow { height: auto; padding: 0 1; }
    SeatRow Horizontal { height: 1; }
    SeatRow .who { width: 24; text-wrap: nowrap; text-overflow: ellipsis; }
    SeatRow Field { width: 22; background: $surface-lighten-2; }
    SeatRow Field:focus { background: $primary-darken-2; text-style: bold; }
    SeatRow .points { width: 1fr; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    SeatRow .note { height: auto; min-height: 1; padding: 0 0 0 4; color: $text-muted; }
    SeatRow .note.-wrong { color: $text-error; text-style: bold; }
    SeatRow .note.-doubt { color: $text-warning; }
    """

    def __init__(self, seat: str) -> None:
        super().__init__(id=f"seat-{seat}")
        self.seat = seat
        self.field = Field(seat)
        self._who = Saying(classes="who", lines=1)
        self._points = Saying(classes="points", lines=1)
        self._score: SeatScore | None = None
        self._note = Saying(classes="note")

    def compose(self) -> ComposeResult:
        """On two lines."""
        with Horizontal():
            yield self._who
            yield self.field
            yield self._points
        yield self._note

    def show(self, name: str, score: SeatScore | None, note: str, mark: str) -> None:
        """`mark`: `WRONG`, `DOUBT` or ""."""
        self._who.say(Content.assemble((f" {self.seat} ", "bold reverse"), " ", (name, "bold")))
        self._score = score
        self._say_points()
        self._note.set_class(mark == WRONG, "-wrong")
        self._note.set_class(mark == DOUBT, "-doubt")
        self._note.say(f"{mark} {note}" if mark and note else note)

    def on_resize(self) -> None:
        """More room for the points, or less."""
        self._say_points()

    def _say_points(self) -> None:
        self._points.say(points_words(self._score, self._points.content_size.width))

    @property
    def note(self) -> str:
        """What stands under the field."""
        return str(self._note.content)

    @property
    def points(self) -> str:
        """What stands beside it."""
        return str(self._points.content)


def points_words(score: SeatScore | None, room: int = 0) -> str:
    """Small points, big points where there are any, place; in short where `room` is too few columns (0: enough)."""
    if score is None:
        return ""
    small = _("small {points}").format(points=gained(score.small))
    big = "" if score.big is None else _("big {points}").format(points=score.big)
    place, short = (words.format(place=score.place) for words in (_("place {place}"), _("pl. {place}")))
    full = "   ".join(filter(None, (f"{small:<12}", big, place)))
    return first_fit((full, "  ".join(filter(None, (f"{small:<12}", big, short)))), room) if room else full
