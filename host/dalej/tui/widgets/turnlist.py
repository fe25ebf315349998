"""The turns of a table so far, the newest on top: who, how long, how it ended, what it cost and by which clause."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from dalej.domain.game.facts import seat_name
from dalej.domain.game.sentences import seconds, word
from dalej.tui.widgets.grid import first_fit
from dalej.views.phrases import ruling_words, tiles_words
from dalej.views.rows import SeenTurn
from dalej.words import _

MOST: Final = 200  # a day of one table; older ones are in `dalej log`
_ROOMY: Final = 60  # columns from which on a turn and its ruling fit on one line
_NAME: Final = 8  # letters of a name
_INDENT: Final = "   "
_FRAME: Final = 2  # columns beside a title in a frame


class TurnList(VerticalScroll):
    """As text, which is drawn anew when a turn changes."""

    DEFAULT_CSS = """
    TurnList { border: round $primary; border-title-color: $text; padding: 0 0 0 1; height: 1fr; scrollbar-size: 1 1; }
    TurnList Static { width: 1fr; }
    """
    can_focus = True

    def __init__(self) -> None:
        super().__init__()
        self._titles: tuple[str, ...] = (_("Turns, the newest on top"), _("Turns"))
        self._fit_title()
        self._text = Static()
        self._turns: tuple[SeenTurn, ...] = ()
        self._room = 0

    def compose(self) -> list[Static]:
        return [self._text]

    def show(self, turns: Sequence[SeenTurn]) -> None:
        """The table's turns, oldest first. One under way of which only a part has arrived has no player yet."""
        shown = tuple(seen for seen in turns[-MOST:] if seen.turn.how is not None or seat_name(seen.turn.seat))
        if shown != self._turns:
            self._turns = shown
            self._write()

    def entitle(self, *titles: str) -> None:
        """The first of these for which there is room."""
        self._titles = titles
        self._fit_title()

    def _fit_title(self) -> None:
        self.border_title = first_fit(self._titles, max(0, self.size.width + self.scrollbar_size_vertical - _FRAME))

    def on_resize(self, _event: Resize) -> None:
        self._fit_title()
        room = self.scrollable_content_region.width
        if room != self._room:
            self._room = room
            self._write()

    def _write(self) -> None:
        lines: list[Content] = []
        game: tuple[int, bool] | None = None
        for seen in reversed(self._turns):
            turn = seen.turn
            if (turn.game, turn.void) != game:
                game = (turn.game, turn.void)
                title = _("game {game}, dealt anew: void") if turn.void else _("game {game}")
                lines.append(Content.styled(title.format(game=turn.game), "dim italic"))
            lines += turn_lines(seen, self._room)
        self._text.update(Content("\n").join(lines or [Content.styled(_("No turn yet."), "dim")]))


def turn_lines(seen: SeenTurn, room: int) -> list[Content]:
    """A turn in lines of `room` columns: one, and more for its ruling and what was noted if they do not fit on it."""
    turn = seen.turn
    roomy = room >= _ROOMY
    unended = "unended" in turn.flags
    letter = seat_name(turn.seat) or "–"
    who = f"{letter} {seen.name[:_NAME]}".ljust(_NAME + 2) if roomy else (seen.name or letter)[:_NAME].ljust(_NAME)
    head = f"{turn.move:{3 if roomy else 2}d} {who} "
    if turn.how is None:
        head += word("unended") if unended else _("under way …")
    elif turn.elapsed_ms is None:
        head += word(turn.how)
    else:
        took = seconds(turn.elapsed_ms)
        took = _("{seconds} s").format(seconds=took).rjust(7) if roomy else took.rjust(5)
        head += f"{took} {word(turn.how)}"
    if turn.ruling is None and turn.tiles:
        head += f" {tiles_words(turn.tiles)}" if roomy else f" +{turn.tiles}"
    style = "bold" if turn.how is None and not unended else "bold $warning" if turn.ruling is not None else ""
    line = Content.styled(head, style) if style else Content(head)
    details = [ruling_words(seen)] if turn.ruling is not None else []
    if flags := [word(flag) for flag in turn.flags if flag != "unended"]:
        details.append(", ".join(flags))
    beside = "".join(f" · {detail}" for detail in details)
    if roomy and len(head) + len(beside) <= room:
        return [Content.assemble(line, (beside, "dim"))]
    wrapped = (part for detail in details for part in wrap(detail, max(_NAME, room - len(_INDENT))))
    return [line, *(Content.styled(_INDENT + part, "dim") for part in wrapped)]
