"""The players: who signed up, who plays, who is absent or has left, who was warned; searched, grouped; and what is
done about each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Static

from dalej.domain.game.sentences import instant
from dalej.domain.rules.clauses import quoted
from dalej.domain.tournament.tournament import Player, Tournament
from dalej.errors import Refused
from dalej.event.event import queue
from dalej.office import attendance, signups
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.players import SignUpList
from dalej.office.paper.namelists import in_order
from dalej.office.players import folded, goes_by, namesake, proper_group, proper_name
from dalej.office.reasons import reason
from dalej.office.seating import chair_name
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import Answers
from dalej.tui.room import Room
from dalej.tui.screens import listfile
from dalej.tui.screens.office import DeskWork
from dalej.tui.widgets.bars import Button
from dalej.tui.widgets.grid import Cell, Line, PickList, Place, placed
from dalej.views.listwords import planned_signups
from dalej.views.papers import BLANK_SIGNUPS
from dalej.words import N_, _, alphabetical, ngettext, readable, who_said

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


class PeopleScreen(DeskWork):
    """A list that typing narrows down, and the acts on whoever the cursor is on."""

    NAME = N_("Players")
    WAY = "people"
    AUTO_FOCUS = "#players"
    CSS = """
    PeopleScreen #search-line { height: 1; }
    PeopleScreen #search-label { width: auto; padding: 0 1; }
    PeopleScreen #search { width: 1fr; height: 1; border: none; padding: 0; background: $boost; }
    PeopleScreen #group { width: auto; max-width: 40%; padding: 0 1; }
    PeopleScreen #players { height: 1fr; min-height: 4; }
    PeopleScreen #about { height: 3; padding: 0 1; background: $surface; color: $foreground; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._group = ALL
        self.bind_keys(
            ("slash", "search", _("search")), ("g", "group", _("group")),
            ("i", "sign_up", _("sign up")), ("l", "read_list", _("read a list")), ("a", "away", _("absent, present")),
            ("w", "warn", _("warn")), ("x", "exclude", _("exclude")), ("u", "withdraw", _("withdraws")),
            ("r", "back", _("is back")), ("f6", "change", _("name, group")),
            ("c", "consent", _("consent")),
        )  # fmt: skip

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
        for one in map(state.players.__getitem__, in_order(state, state.players)):
            about = f"{one.number} {one.name} {one.group}"
            if self._group in (ALL, one.group) and goes_by(about, wanted):
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
            if self._reads_lists:
                empty = _("Nobody is signed up yet: l reads a list, i signs somebody up.")
            found = self.state is not None and bool(self.state.players)
            self.query_one("#about", Static).update(_("Nobody fits the search.") if found else empty)
            return
        lines = [_("{name} · number {number}").format(name=readable(player.name), number=player.number)]
        if player.consent is not None:
            lines[0] += " · " + (_("consent on file") if player.consent else _("NO CONSENT ON FILE"))
        marks = [(_("warned"), mark) for mark in player.warnings[-2:]]
        if player.waits is not None:
            marks = [*marks[-1:], (_("waits for a place"), player.waits)]
        if player.gone is not None:
            marks = [*marks[-1:], (_("has left"), player.gone.mark)]
        lines += [
            _("{what}, {when}, {who}: {why}").format(
                what=what, when=instant(mark.when_ms), who=who_said(mark.who), why=readable(reason(mark.why))
            )
            for what, mark in marks
        ]
        self.query_one("#about", Static).update("\n".join(lines))

    # --- what is done about them -----

    def buttons(self) -> Sequence[Button]:
        """What can be done with the chosen one."""
        player = self._chosen
        shown = [Button("/", _("search"), "search"), Button("g", _("group"), "group")]
        if self.may("sign_up"):
            shown.append(Button("i", _("sign up"), "sign_up"))
        if self._reads_lists:
            shown.append(Button("l", _("read a list"), "read_list"))
        if player is not None and player.gone is None:
            offered = (
                ("a", self._away_words(player), "away", "absent"), ("w", _("warn"), "warn", "warn"),
                ("x", _("exclude"), "exclude", "exclude"), ("u", _("withdraws"), "withdraw", "withdraw"),
                ("F6", _("name, group"), "change", "change_player"), ("c", _("consent"), "consent", "consent"),
            )  # fmt: skip
            shown += [Button(key, words, action) for key, words, action, act in offered if self.may(act)]
        elif player is not None and self.may("back"):
            shown.append(Button("r", _("is back"), "back"))
        return [*shown, *self.common_buttons()]

    def help_text(self) -> str:
        """The page of this screen."""
        return "\n".join([
            _("PLAYERS"),
            _("● plays   ○ absent this round   ✗ has left for good   ! was warned"),
            _("/ goes to the search: type a part of a name, a number or a group; ↓ or Enter goes to the list. g shows "
              "one class, club or town after the other."),
            "",
            _("WHAT CAN BE DONE"),
            *([_("l reads a list that lies in the folder of the event (.xlsx, .ods, .csv): what is wrong in it is said "
                 "line by line, else how many would be signed up, and of whom a consent is on file. It also writes an "
                 "empty list, to be filled in.")] if self._reads_lists else []),
            _("i signs somebody up. a: misses this round, or is there after all; who sits at a table leaves the chair. "
              "w warns, x excludes (where the regulation asks for a warning, knowingly without one), u: leaves for "
              "good; the box of the table then skips the seat. r: is back. F6 corrects name or group, as it "
              "corrects a result. c: a parent's consent is on file, or is not after all."),
        ])  # fmt: skip

    def action_sign_up(self) -> None:
        """Somebody new."""
        if self.allows("sign_up"):
            waits = _("Beyond the number of places a player waits, or is let in nevertheless, for a reason.")
            self.ask_act(ACTS["sign_up"], lines=[waits], check=self._check_name)

    def step_here(self) -> None:
        """A list, where there can be one, else somebody."""
        folder = self.room.folder
        if self._reads_lists and folder is not None and listfile.any_in(folder):
            self._sign_up_list(_("one player, typed in"))
        else:
            self.action_sign_up()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Lists lie on the computer that has the event."""
        return self._reads_lists if action == "read_list" else super().check_action(action, parameters)

    @property
    def _reads_lists(self) -> bool:
        return self.room.folder is not None and self.may("sign_up_list")

    def action_read_list(self) -> None:
        """Players from a list that lies in the event's folder."""
        self._sign_up_list()

    @work(exclusive=True, group="list")
    async def _sign_up_list(self, *beside: str) -> None:
        folder, title = self.room.folder, _("sign up a list")
        if folder is None or not self.allows("sign_up_list"):
            return
        file = await listfile.pick(self, title, folder, BLANK_SIGNUPS, beside)
        if isinstance(file, int):
            self.action_sign_up()
        if not isinstance(file, Path):
            return
        planned = await listfile.read(self, file, partial(planned_signups, self.state))
        if planned is None:
            return
        if not planned.new:
            self.outcome.tell(_("Nobody new: all of them were signed up already."))
            return
        if await self.asks(Confirm(title, planned.lines(), yes=_("sign them up"), enter=True)):
            self.act("sign_up_list", SignUpList(planned.players, "", planned.new_only, file.name).wish().args)

    def action_change(self) -> None:
        """Correct a name or a group."""
        player = self._meant("change_player")
        if player is not None:
            now, number = {"name": player.name, "group": player.group}, {"player": player.number}
            check = partial(self._check_name, number=player.number)
            lines = [_("{name} · number {number}").format(name=readable(player.name), number=player.number)]
            self.ask_act(ACTS["change_player"], now, settled=number, lines=lines, check=check)

    def action_away(self) -> None:
        """Misses the round to work on, or does not after all."""
        player, state = self._meant("absent"), self.state
        if player is None or state is None:
            return
        one = state.current
        if one is None:
            self.outcome.warn(_("No round is under way."))
        elif player.number in one.absent:
            self.act("present", {"player": player.number})
        else:
            sits = one.seating is not None and one.seating.place_of(player.number) is not None
            self.act("unseat" if sits else "absent", {"player": player.number})

    def action_consent(self) -> None:
        """A parent's consent is on file; where it is, it is not after all."""
        player = self._meant("consent")
        if player is not None:
            args: dict[str, object] = {"players": [player.number]}
            self.act("consent", args | ({"missing": True} if player.consent else {}))

    def action_warn(self) -> None:
        """A warning, with its reason."""
        player = self._meant("warn")
        if player is not None:
            told = _("{name} is warned; it is the warning number {count}.").format(
                name=readable(player.name), count=len(player.warnings) + 1)  # fmt: skip
            self.ask_act(ACTS["warn"], settled={"player": player.number}, lines=[told])

    def action_exclude(self) -> None:
        """Out for good; where the regulation asks for a warning, without one only knowingly."""
        player, state = self._meant("exclude"), self.state
        if player is None or state is None:
            return
        lines = [readable(player.name)]
        unwarned = attendance.lacks_warning(state, player)
        if unwarned:
            lines.append(_("! Nobody has warned {name}: the regulation asks for a warning first.").format(
                name=readable(player.name)))  # fmt: skip
        clause, quote = state.ruleset.rule("exclusion").citation
        if quote:
            quote = quoted(quote, state.ruleset.language)
            lines.append(_("The regulation, {clause}: {quote}").format(clause=readable(clause), quote=readable(quote)))
        self.ask_act(ACTS["exclude"], settled={"player": player.number, "unwarned": unwarned}, lines=lines)

    def action_withdraw(self) -> None:
        """Leaves for good."""
        player = self._meant("withdraw")
        if player is not None:
            self.ask_act(ACTS["withdraw"], settled={"player": player.number}, lines=[readable(player.name)])

    def action_back(self) -> None:
        """Takes part again."""
        player = self._chosen
        if player is None or player.gone is None:
            self.outcome.warn(_("Choose somebody who has left."))
        elif self.allows("back"):
            self.act("back", {"player": player.number})

    # --- within -----

    def _check_name(self, answers: Answers, number: int = 0) -> str:
        """What is wrong with it; who bears it already."""
        state = self.state
        if "name" not in answers or state is None:
            return ""
        name = proper_name(str(answers["name"]))
        proper_group(str(answers.get("group") or ""))
        other = namesake(state, name)
        if other is not None and other.number != number:
            raise Refused(
                N_("{name} is player {number} already: put class or initial behind a namesake's name"),
                name=other.name, number=other.number,
            )  # fmt: skip
        if number:
            return ""
        late = signups.joins(state)
        if not late.missed:
            return ""
        return ngettext(
            "play has begun: has missed {count} round", "play has begun: has missed {count} rounds", late.missed
        ).format(count=late.missed)

    def _meant(self, act: str) -> Player | None:
        """Whom it is about; None, and said, if nobody is chosen, has left, or the role may not."""
        player = self._chosen
        if not self.allows(act):
            return None
        if player is None:
            self.outcome.warn(_("Choose a player first."))
            return None
        if player.gone is not None:
            self.outcome.warn(_("{name} has left.").format(name=readable(player.name)))
            return None
        return player

    def _away_words(self, player: Player) -> str:
        one = self.round
        return _("is there") if one is not None and player.number in one.absent else _("absent")
