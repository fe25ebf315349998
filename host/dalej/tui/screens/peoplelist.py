"""The list of players: search, groups, how each one stands, and what there is to know about the chosen one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Static

from dalej.alphabet import alphabetical
from dalej.domain.tournament import Player, Tournament
from dalej.office.moves import chair_name
from dalej.office.players import folded
from dalej.office.reasons import reason
from dalej.office.waiting import queue
from dalej.telling import instant
from dalej.tui.room import Room
from dalej.tui.screens.deskwork import DeskWork
from dalej.tui.widgets.grid import Cell, Line, Place
from dalej.tui.widgets.picklist import PickList, placed
from dalej.words import N_, _, ngettext, readable

NUMBER, NAME, STATE, GROUP, SEAT, WARNINGS = range(6)  # columns
SEAT_LEAST: Final = 3  # 25B
GAP_MOST: Final = 3  # between columns, if there is room, beside the one blank
ALL: Final = ""

PLAYS: Final = "●"
WAITS: Final = "…"

ABSENT: Final = "○"

LEFT: Final = "✗"

WARNED: Final = "!"


def _groups(state: Tournament) -> list[str]:
    return sorted({one.group for one in state.players.values() if one.group}, key=alphabetical)


def _places(room: int, lines: Sequence[Sequence[Cell]], *, grouped: bool) -> tuple[Place, ...]:
    """Every column as wide as what stands in it; what is missing is taken from groups and names."""
    titles = (_("no."), _("name"), _("state"), _("group"), _("seat"), _("warnings"))
    widths = [
        max(cell_len(title), *(cell_len(cells[at].text) for cells in lines), 0) for at, title in enumerate(titles)
    ]  # fmt: skip
    widths[SEAT] = max(SEAT_LEAST, widths[SEAT])
    if not grouped:
        widths[GROUP] = -1
    left = room - 1 - sum(width + 1 for at, width in enumerate(widths) if at not in (NAME, GROUP)) - 2
    if widths[NAME] + widths[GROUP] > left:
        widths[GROUP] = min(widths[GROUP], max(left // 3, left - widths[NAME]))
        widths[NAME] = max(cell_len(titles[NAME]), min(widths[NAME], left - widths[GROUP]))
    columns = [
        (title, width) for at, (title, width) in enumerate(zip(titles, widths, strict=True)) if grouped or at != GROUP
    ]
    spare = room - 1 - sum(width + 1 for _title, width in columns)
    gap = max(0, min(GAP_MOST, spare // len(columns)))
    return placed(room, [(title, width + gap, 0) for title, width in columns])


class PeopleList(DeskWork):
    """A list that typing narrows down."""

    NAME = N_("Players")
    WAY = "people"
    AUTO_FOCUS = "#players"

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._group = ALL
        for key, action, words in (("slash", "search", _("search")), ("g", "group", _("group"))):
            self._bindings.bind(key, action, words)

    def compose_work(self) -> ComposeResult:
        """Search, list, what there is to know about the chosen one."""
        with Horizontal(id="search-line"):
            yield Static(_("/ search:"), id="search-label", markup=False)
            yield Input(id="search", compact=True, placeholder=_("a name, a number, a group"))
            yield Static("", id="group", markup=False)
        yield PickList(id="players")
        yield Static("", id="about", markup=False)

    def show_page(self) -> None:
        """Whoever fits the search, by name."""
        state = self.state
        if state is None:
            return
        if self._group not in _groups(state):
            self._group = ALL
        group = self._group or _("all groups")
        self.query_one("#group", Static).update(_("g: {group}").format(group=readable(group)))
        picks = self.query_one(PickList)
        cells = {number: self._cells(state, one) for number, one in state.players.items()}
        grouped = bool(_groups(state))
        places = _places(picks.room, list(cells.values()), grouped=grouped)
        shown = [at for at in (NUMBER, NAME, STATE, GROUP, SEAT, WARNINGS) if grouped or at != GROUP][: len(places)]
        picks.show_lines(
            places, [Line(one.number, tuple(cells[one.number][at] for at in shown)) for one in self._found(state)]
        )

    def headline(self) -> str:
        """How many play, are away, have left."""
        state = self.state
        if state is None:
            return _(self.NAME)
        playing = [one for one in state.players.values() if one.takes_part]
        parts = [
            _(self.NAME),
            ngettext("{count} takes part", "{count} take part", len(playing)).format(count=len(playing)),
        ]
        away = 0 if state.current is None else len(state.current.absent)
        if away:
            parts.append(ngettext("{count} absent", "{count} absent", away).format(count=away))
        if wait := len(queue(state)):
            parts.append(ngettext("{count} waits", "{count} wait", wait).format(count=wait))
        return " · ".join(parts)

    def on_resize(self, _event: events.Resize) -> None:
        """Other columns."""
        self.call_after_refresh(self.refresh_page)

    def on_pick_list_moved(self, _moved: PickList.Moved) -> None:
        """Another player is chosen."""
        self._show_about()
        self.show_buttons()

    def on_pick_list_left(self, _left: PickList.Left) -> None:
        """Up from the first line is the search."""
        self.action_search()

    def on_pick_list_taken(self, _taken: PickList.Taken) -> None:
        """The keys below say what can be done; with name and group one begins."""
        self._show_about()

    def action_search(self) -> None:
        """Type there."""
        self.query_one("#search", Input).focus()

    def action_group(self) -> None:
        """The next class, club or town; after the last all of them."""
        if self.state is None:
            return
        groups = [ALL, *_groups(self.state)]
        self._group = groups[(groups.index(self._group) + 1) % len(groups)]
        self.refresh_page()

    def on_input_changed(self, changed: Input.Changed) -> None:
        """Narrow down while typing."""
        changed.stop()
        self.show_page()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """On to the list."""
        submitted.stop()
        self.query_one(PickList).focus()

    def on_key(self, key: events.Key) -> None:
        """Down from the search is the list."""
        if key.key == "down" and self.query_one("#search", Input).has_focus:
            key.stop()
            self.query_one(PickList).focus()

    def action_leave(self) -> None:
        """Leave the search first, then the screen."""
        search = self.query_one("#search", Input)
        if search.has_focus or search.value:
            search.value = ""
            self.query_one(PickList).focus()
        else:
            super().action_leave()

    @property
    def _chosen(self) -> Player | None:
        number = self.query_one(PickList).number
        return None if self.state is None or number is None else self.state.players.get(number)

    def _found(self, state: Tournament) -> Iterator[Player]:
        wanted = folded(self.query_one("#search", Input).value)
        for one in sorted(state.players.values(), key=lambda one: alphabetical(one.name)):
            texts = (folded(one.name), str(one.number), folded(one.group))
            if self._group in (ALL, one.group) and any(wanted in text for text in texts):
                yield one

    def _cells(self, state: Tournament, one: Player) -> tuple[Cell, ...]:
        shape, words, look = self._stands(state, one)
        at = None
        if state.current is not None and state.current.seating is not None:
            at = state.current.seating.place_of(one.number)
        warned = f"{WARNED} {len(one.warnings)}" if one.warnings else ""
        return (
            Cell(str(one.number)), Cell(readable(one.name), "quiet" if one.gone else "player"),
            Cell(f"{shape} {words}", look), Cell(readable(one.group)), Cell("" if at is None else chair_name(*at)),
            Cell(warned, "patient"),
        )  # fmt: skip

    def _stands(self, state: Tournament, one: Player) -> tuple[str, str, str]:
        if one.gone is not None:
            return LEFT, _("excluded") if one.gone.how == "excluded" else _("withdrawn"), "urgent"
        if one.waits is not None:
            place = [other.number for other in queue(state)].index(one.number) + 1
            return WAITS, _("waits, place {place}").format(place=place), "patient"
        now = state.current
        if now is not None and one.number in now.absent:
            return ABSENT, _("absent"), "patient"
        if now is not None and one.number not in state.entrants[now.key.stage]:
            return "–", _("not in this stage"), "quiet"
        return PLAYS, _("plays"), "runs"

    def _show_about(self) -> None:
        """Warnings and leaving, with who said so, when and why."""
        player = self._chosen
        if player is None:
            empty = _("Nobody is signed up yet: i signs somebody up.")
            found = self.state is not None and bool(self.state.players)
            self.query_one("#about", Static).update(_("Nobody fits the search.") if found else empty)
            return
        lines = [_("{name} · number {number}").format(name=readable(player.name), number=player.number)]
        marks = [(_("warned"), mark) for mark in player.warnings[-2:]]
        if player.waits is not None:
            marks = [*marks[-1:], (_("waits for a place"), player.waits)]
        if player.gone is not None:
            marks = [*marks[-1:], (_("has left"), player.gone.mark)]
        lines += [
            _("{what}, {when}, {who}: {why}").format(
                what=what, when=instant(mark.when_ms), who=readable(mark.who), why=readable(reason(mark.why))
            )
            for what, mark in marks
        ]
        self.query_one("#about", Static).update("\n".join(lines))
