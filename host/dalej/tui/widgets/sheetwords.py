"""What an entry sheet says beside its fields: about each rack, the box, the sum, what can be done, and all of it once
more before it is kept. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from dalej.domain.boxgames import BoxGame
from dalej.domain.tournament import NOT_PLAYED, GameAt, Result, Round, Tournament
from dalej.points import total
from dalej.telling import local, word
from dalej.tui.widgets.checking import Checked, Typed, texts_of
from dalej.tui.widgets.resultlines import box_words, names_at
from dalej.tui.widgets.sheet import DOUBT, WRONG
from dalej.words import _, ngettext, readable, said

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
            return f"{sign} {readable(self.result.mark.who)}: {theirs}", "" if same else DOUBT
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

    def of_box(self) -> str:
        """What the box says; of a game that is in also who entered and confirmed it."""
        words = box_words(self.box, self.names) or _("no box tells of this game")
        parts = []
        if self.result is not None:
            mark, done = self.result.mark, self.result.confirmed
            parts = [
                _("entered by {who}, {time}").format(who=readable(mark.who), time=f"{local(mark.when_ms):%H:%M}"),
                _("not confirmed") if done is None else _("✔ confirmed by {who}").format(who=readable(done.who)),
            ]
        if self.one.closed is None:  # of an earlier round the page has no boxes
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
                     "withdrew. Enter: next field; after the last one: keep it.")  # fmt: skip
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
        _("23w      withdrew from the game"),
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
