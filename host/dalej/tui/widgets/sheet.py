"""The four rows of an entry sheet: seat, name, field, small and big points; and what there is to say about each rack,
the box, the sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import local, word
from dalej.domain.scoring.points import SeatScore, gained, total
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Result, Round, Tournament
from dalej.tui.widgets.bars import Saying
from dalej.tui.widgets.grid import first_fit
from dalej.views.entrycheck import Checked, Typed, texts_of
from dalej.views.resultwords import box_words, names_at
from dalej.words import _, ngettext, readable, said, who_said

WRONG, DOUBT = "✗", "!"


class RackField(Input):
    """One rack. Up and down go to the next field; Enter is the screen's."""

    class Stepped(Message):
        """To the field above or below."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, seat: str) -> None:
        super().__init__(id=f"rack-{seat}", compact=True, max_length=60, select_on_focus=True)
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
    SeatRow RackField { width: 22; background: $surface-lighten-2; }
    SeatRow RackField:focus { background: $primary-darken-2; text-style: bold; }
    SeatRow .points { width: 1fr; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    SeatRow .note { height: auto; min-height: 1; padding: 0 0 0 4; color: $text-muted; }
    SeatRow .note.-wrong { color: $text-error; text-style: bold; }
    SeatRow .note.-doubt { color: $text-warning; }
    """

    def __init__(self, seat: str) -> None:
        super().__init__(id=f"seat-{seat}")
        self.seat = seat
        self.field = RackField(seat)
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


Mode = Literal["entering", "reading", "correcting", "outrun"]


@dataclass(frozen=True, slots=True)
class SheetWords:
    """A sheet as it stands. `filled`: what was in the fields before anybody typed; `penalties`: tiles by seat, None: a
    ruling cost tiles that nobody has counted.
    """

    state: Tournament
    one: Round
    at: GameAt
    mode: Mode
    box: BoxGame | None
    result: Result | None
    typed: Typed
    checked: Checked
    filled: Mapping[str, str] = field(default_factory=dict)
    penalties: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """By seat."""
        return names_at(self.state, self.one, self.at.table)

    def note(self, seat: str) -> tuple[str, str]:
        """What stands under a field: what is wrong, else what may be, else what is known; and its mark."""
        if seat in self.checked.wrong:
            return said(self.checked.wrong[seat]), WRONG
        if self.mode == "outrun" and self.result is not None:
            theirs = texts_of(self.result).racks.get(seat, "–")
            same = theirs == " ".join(self.typed.racks[seat].split())
            sign = "=" if same else "≠"
            return f"{sign} {who_said(self.result.mark.who)}: {theirs}", "" if same else DOUBT
        doubts = [said(problem) for about, problem in self.checked.doubts if about == seat]
        if kept := self.checked.becomes(seat):
            doubts.append(_("it is kept as {rack}").format(rack=kept))
        return " · ".join([*doubts, *self._known(seat)]), DOUBT if doubts else ""

    def _known(self, seat: str) -> list[str]:
        tiles = self.penalties.get(seat, 0)
        known = []
        if tiles is None:
            known.append(_("penalty tiles by a ruling, not counted"))
        elif tiles:
            words = ngettext("{count} penalty tile by rulings", "{count} penalty tiles by rulings", tiles)
            known.append(words.format(count=tiles))
        if self.box is not None and self.mode == "entering" and self.filled.get(seat) == "0":
            known.append(_("filled from the box: went out"))
        if self.box is not None and seat in self.box.withdrawn:
            known.append(_("withdrew, says the box"))
        return known

    def of_box(self, *, expected: bool = True) -> str:
        """What the box says; of a game that is in also who entered and confirmed it. `expected`: one that says
        nothing is worth a word.
        """
        words = box_words(self.box, self.names) or _("no box tells of this game")
        parts = []
        if self.result is not None:
            mark, done = self.result.mark, self.result.confirmed
            parts = [
                _("entered by {who}, {time}").format(who=who_said(mark.who), time=f"{local(mark.when_ms):%H:%M}"),
                _("not confirmed") if done is None else _("✔ confirmed by {who}").format(who=who_said(done.who)),
            ]
        if self.one.closed is None and (expected or self.box is not None):  # of an earlier round the page has no boxes
            parts.append(_("The box: {words}").format(words=words))
        return " · ".join(parts)

    def sum(self) -> tuple[str, bool]:
        """Below the racks: the sum, or what is wrong with the sheet as a whole; whether it is wrong."""
        general, stands = self.checked.wrong.get(""), _("F2: a referee lets it stand, with the reason.")
        if general is not None:
            words = f"{WRONG} {said(general)}" + (f" {stands}" if self.checked.may_stand else "")
        elif self.checked.ended == NOT_PLAYED:
            words = _("not played: nobody scores anything")
        elif self.checked.sum is not None:
            words = self._sum_words() + (" ✔" if self.checked.sum == 0 else "")
        elif self.checked.missing and self.mode == "entering":
            words = _("Still to be typed: {seats}").format(seats=", ".join(self.checked.missing))
        else:
            words = stands if self.checked.may_stand else ""
        if self.typed.ruling:
            words += "   " + _("It stands, because: {why}").format(why=readable(self.typed.ruling))
        others = [f"{DOUBT} {said(problem)}" for about, problem in self.checked.doubts if not about]
        return "\n".join([words, *others]).strip(), general is not None

    def hint(self) -> str:
        """How it goes on."""
        if self.mode in ("entering", "correcting"):
            return _("0 empty · 23 · 23+j with a joker · 12,7,j one by one · - never opened · ! could have · 23w "
                     "left during the game · w before it. Enter: next field; after the last one: keep it.")  # fmt: skip
        if self.mode == "outrun":
            return _("F6 puts yours in its place, with a reason. Esc leaves theirs.")
        return ""

    def games(self) -> list[str]:
        """The table's games, each with whether it is in."""
        return [self._game(game) for game in range(1, self.one.stage.games + 1)]

    def _game(self, game: int) -> str:
        result = self.one.results.get(GameAt(self.at.table, game))
        if result is None:
            return f"{game}"
        return f"{game} ✔" if result.confirmed is not None else f"{game} " + _("in")

    def summary(self) -> list[str]:
        """The whole sheet, to be looked at once more."""
        ended = self.checked.ended or ""
        lines = [
            " · ".join([
                _("Table {table}").format(table=self.at.table), _("game {game}").format(game=self.at.game), word(ended),
            ]), "",
        ]  # fmt: skip
        width = max(map(len, self.names.values()), default=0)
        for seat, name in self.names.items():
            score = self.checked.scores.get(seat)
            points = "" if score is None else _points(score.small, score.big)
            text = "" if ended == NOT_PLAYED else self.typed.racks.get(seat, "")
            if kept := self.checked.becomes(seat):
                text = f"{text.strip()} → {kept}"
            lines.append(f"{seat} {name:<{width}}  {text:<14} {points}".rstrip())
        if self.checked.sum is not None:
            lines += ["", self._sum_words()]
        return [*lines, *(f"{DOUBT} {said(problem)}" for _about, problem in self.checked.doubts)]

    def _sum_words(self) -> str:
        return _("Sum of the small points: {sum}").format(sum=total(self.checked.sum or 0))


def how_to_write() -> str:
    """The notation of a rack, and the keys: a page."""
    return "\n".join([
        _("0        nothing lies on it: this player went out"),
        _("23       its numbered tiles add up to 23"),
        _("23+j     and a joker; 23+2j: two of them; j: a joker alone"),
        _("12,7,j   its tiles one by one"),
        _("-        never opened, could not"),
        _("!        never opened, but could have; !a: and had announced it"),
        _("-:45+j   never opened, and this is what lies there, where it counts"),
        _("23w      left during the game, with this on the rack"),
        _("w        left before this game: plays neither it nor those that follow"),
        "",
        _("What the box knows is filled in. What cannot be right stands under its field. If nobody's rack is "
          "empty, say how the game ended: Tab or ↓ goes there, a digit or a click chooses."),
        _("Enter goes to the next field and after the last one shows the sheet; Enter keeps it, and the table's "
          "next game follows."),
        _("F2 lets a sheet stand that cannot be right, with the referee's reason. F3: the game was not played."),
        _("A game that is in: F6 corrects it, F7 takes it back, F9 lets a second person confirm the table."),
    ])  # fmt: skip


def _points(small: int, big: int | None) -> str:
    shown = f"{total(small):>5}"
    return shown if big is None else f"{shown}  {big:>2}"
