"""Seating a round: tables with their chairs, who is not there beside them; players are picked up and dropped by drag
or by keys, with what would change, or why it may not be, said meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Offset
from textual.widgets import Static

from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import local
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import Player, Round, RoundKey, Tournament
from dalej.errors import DalejError
from dalej.event.event import Seen, imagined
from dalej.office import reseating, seating
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import Done
from dalej.office.reseating import Company, begun, off_the_chair, rearranged, seated_otherwise
from dalej.office.rounds import tables_words
from dalej.office.seating import BY_LOT, Chair, free_chairs, lot_has_a_say, present
from dalej.tui.ask.actdialog import of_act
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import CHOSEN, Answers, Question, chooser
from dalej.tui.ask.fields import Field
from dalej.tui.room import Room
from dalej.tui.screens.office import DeskWork
from dalej.tui.screens.work import Args
from dalej.tui.widgets.bars import Button
from dalej.tui.widgets.grid import PickList
from dalej.tui.widgets.seatingplan import Bench, ChairShown, OnBench, Part, SeatingPlan, Spot, TableShown
from dalej.views import papers
from dalej.words import N_, _, ngettext, readable, said, who_said

MET: Final = "↺"
LINES: Final = 3  # for which there is room
Target = Spot | Part | None


def proposal(seen: Seen | None, player: int, target: Target) -> tuple[str, list[str]]:
    """Why not, "" if it may be; and what would change."""
    state = None if seen is None else seen.state
    if seen is None or state is None or target is None:
        return "", []
    moved = state.players[player]
    try:
        if target == "free":
            return _to_free(state, moved)
        if target == "absent":
            off_the_chair(state, moved)
            return "", [_("{player} misses this round").format(player=readable(moved.name))]
        if not isinstance(target, Spot):
            return "", reseating.told(seen, player, Chair(None))
        if sits_at(state, player) == (target.table, target.seat):
            return "", [_("it sits here: let go and nothing changes")]
        return "", reseating.told(seen, player, Chair(target.table, target.seat))
    except DalejError as problem:
        return said(problem), []


def sits_at(state: Tournament, player: int) -> tuple[int, int] | None:
    """Table and seat, None without a chair."""
    one = state.current
    return None if one is None or one.seating is None else one.seating.place_of(player)


def group_beside(player: Player) -> str:
    """Class, club or town; "" where it stands behind a namesake's name already."""
    return "" if player.name.endswith(f"({player.group})") else readable(player.group)


def called(state: Tournament | None, player: int) -> str:
    """By name, "" for nobody."""
    known = None if state is None else state.players.get(player)
    return "" if known is None else readable(known.name)


def about(state: Tournament, known: Player, company: Company | None) -> list[str]:
    """Who that is, where they sit, and whom they have met there. `company`: None where that is not known."""
    one = state.current
    at = sits_at(state, known.number)
    parts = [_("{name} (number {number})").format(name=readable(known.name), number=known.number)]
    if known.group:
        parts.append(readable(known.group))
    if at is not None:
        parts.append(seating.chair_name(*at))
    if one is not None and known.number in one.absent:
        parts.append(_("absent"))
    lines = [" · ".join(parts)]
    if company is not None:
        met = [
            ngettext("{player} (once)", "{player} ({count} times)", times).format(
                player=readable(state.players[other].name), count=times
            )
            for other, times in company.met
        ]
        lines.append(
            _("{mark} has sat with: {players}").format(mark=MET, players=", ".join(met)) if met
            else _("has sat with nobody at this table before")
        )  # fmt: skip
    return lines


def in_room(lines: Sequence[str]) -> str:
    """At most three lines; what does not fit stands beside the last."""
    shown = list(lines)
    if len(shown) > LINES:
        shown = [*shown[: LINES - 1], " · ".join(shown[LINES - 1 :])]
    return "\n".join(shown)


def _to_free(state: Tournament, player: Player) -> tuple[str, list[str]]:
    one = state.current
    if one is not None and player.number in one.absent:
        return "", [_("{player} is there after all, without a chair yet").format(player=readable(player.name))]
    if sits_at(state, player.number) is not None:
        return _("Who plays needs a chair: drop {player} on ABSENT to miss the round.").format(
            player=readable(player.name)
        ), []
    return "", [_("it has no chair: let go and nothing changes")]


@dataclass(frozen=True, slots=True)
class Held:
    """A player who is picked up. `how`: what lets go again."""

    player: int
    how: Literal["keys", "mouse"]


class SeatingScreen(DeskWork):
    """The round at work, or the next one to be seated; players are moved between a `SeatingPlan` and a `Bench`."""

    NAME = N_("Seating")
    WAY = "seating"
    AUTO_FOCUS = "#plan"
    CSS = """
    SeatingScreen #about { height: 3; padding: 0 1; background: $surface; color: $foreground; }
    SeatingScreen #nobody { height: 1fr; padding: 1 2; }
    SeatingScreen #hall-of-tables { height: 1fr; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._held: Held | None = None
        self._target: Target = None
        self._pressed: tuple[int, Offset] | None = None  # who was under the pointer when the button went down
        self._company: dict[int, Company] = {}
        self.bind_keys(
            ("space", "pick", _("pick up, drop")), ("d", "draw", _("draw")), ("l", "lock", _("lock")),
            ("a", "away", _("absent, present")), ("G", "start_clock", _("start the clock")),
            ("p", "print", _("write a PDF")),
        )  # fmt: skip

    def compose_work(self) -> ComposeResult:
        """Tables, bench, what there is to know about the chair."""
        yield Static("", id="nobody", markup=False)
        with Horizontal(id="hall-of-tables"):
            yield SeatingPlan()
            yield Bench()
        yield Static("", id="about", markup=False)

    # --- what is shown -----

    def show_page(self) -> None:
        """Who sits where now; somebody who is picked up stays so if there is still such a player to move."""
        state = self.state
        one = self.round
        nobody = self.query_one("#nobody", Static)
        nobody.display = one is None
        self.query_one("#hall-of-tables").display = one is not None
        self.query_one("#about").display = one is not None
        if state is None or one is None:
            nobody.update(_("There is no round to seat: {step}.").format(step=self.following().words))
            self._let_go()
            return
        seating = one.seating
        self._company = {} if seating is None else reseating.company(state, one, seating)
        tables = () if seating is None else seating.tables
        played = {at.table for at in one.results}
        self.query_one(SeatingPlan).show_tables([
            TableShown(
                at.table, tuple(self._chair(state, player) for player in at.players),
                self._note(at.seated, played=at.table in played),
            )
            for at in tables
        ])  # fmt: skip
        self._show_bench(state, one)
        if self._held is not None and self._held.player not in state.players:
            self._let_go()
        self._aim(self._target if self._held and self._held.how == "mouse" else self._pointed_by_keys())

    def headline(self) -> str:
        """The round, by which seed everybody was drawn if they were, whether it is locked."""
        state = self.state
        one = self.round
        if state is None or one is None:
            return _(self.NAME)
        parts = [_(self.NAME), round_name(*one.key)]
        if one.seating is not None:
            if one.seating.seed is not None and one.seating.how in BY_LOT:
                parts.append(_("seed {seed}").format(seed=one.seating.seed))
            if one.seating.locked is not None:
                parts.append(_("LOCKED by {who}").format(who=who_said(one.seating.locked.who)))
            elif one.clock is not None:
                parts.append(_("not locked"))
            if one.clock is not None:
                parts.append(_("runs since {time}").format(time=f"{local(one.clock.starts_ms):%H:%M}"))
        return " · ".join(parts)

    def buttons(self) -> Sequence[Button]:
        """What can be done now."""
        one = self.round
        shown: list[Button] = []
        if self._held is not None:
            return [
                Button(_("Space"), _("drop"), "pick"), Button("↑↓←→", _("choose"), "noop"),
                Button("Esc", _("let go"), "leave"),
            ]  # fmt: skip
        if one is not None and self.may("move_player"):
            if one.seating is not None:
                shown.append(Button(_("Space"), _("pick up"), "pick"))
                locked = one.seating.locked is not None
                shown.append(Button("d", _("draw anew"), "draw"))
                shown.append(Button("l", _("unlock") if locked else _("lock"), "lock"))
            else:
                shown.append(Button("d", _("draw"), "draw"))
            shown.append(Button("a", _("absent, present"), "away"))
            if one.seating is not None:
                shown.append(Button("G", _("start the clock"), "start_clock"))
        if one is not None and one.seating is not None and self.may("print"):
            shown.append(Button("p", _("write a PDF"), "print"))
        return [*shown, *self.common_buttons()]

    def help_text(self) -> str:
        """The page of this screen."""
        return "\n".join([
            _("WHO SITS WHERE"),
            _("Every card is a table with its seats A to D; – is an empty chair. ↺2 behind a name: has sat with two of "
              "those at the table before, in an earlier round of this stage; the lines below name them. ↺ 3 pairs "
              "behind a table: so many pairs there have met."),
            _("Beside the tables: who has no chair, and who is absent this round."),
            "",
            _("MOVE A PLAYER"),
            _("By mouse: press on a name, pull it to a chair, let go. Whoever sits there changes places. Pull "
              "to the upper or lower edge, or turn the wheel, for more tables. Dropped on "
              "ABSENT the player misses the round; dropped on NO CHAIR an absent one is there again."),
            _("By keys: arrows choose a chair, Space picks the player up, arrows choose where to, Space drops, Esc "
              "lets go. → from the last column goes to the list beside the tables, ← comes back."),
            _("◉ the player may sit there, ✗ not; the lines below say what would change, or why not."),
            "",
            _("KEYS"),
            _("d draws the seating, or draws it anew; the seed on top repeats the same lot. l locks it: nobody is "
              "moved any more. a: the chosen player is absent, or there again. G (with Shift) starts the clock. "
              "p writes a PDF beside the event: lists, table numbers, score sheets."),
        ])  # fmt: skip

    # --- moving players -----

    def action_pick(self) -> None:
        """Pick up who is chosen, or drop whom one holds."""
        if self._held is not None:
            self._drop()
            return
        player = self._chosen_player()
        if not player:
            self.outcome.warn(_("Nobody sits there: choose a player to pick up."))
        elif self._may_move(player):
            self._held = Held(player, "keys")
            self._aim(self._pointed_by_keys())

    def action_leave(self) -> None:
        """Let go, or leave the screen."""
        if self._held is not None:
            self._let_go()
            self.outcome.clear()
        else:
            super().action_leave()

    def action_noop(self) -> None:
        """The arrows are for the keyboard: with the mouse one drags."""

    def on_mouse_down(self, press: events.MouseDown) -> None:
        """Somebody is pressed on; it is a drag once the pointer moves away."""
        self._pressed = None
        player, here = self._player_at(press.screen_offset), self._target_at(press.screen_offset)
        if press.button != 1 or (player == 0 and here is None):
            return
        if isinstance(here, Spot):
            self.query_one(SeatingPlan).focus()
            self.query_one(SeatingPlan).go(here)
        if player and self._held is None:
            self._pressed = (player, press.screen_offset)

    def on_mouse_move(self, move: events.MouseMove) -> None:
        """Whoever was pressed on comes along; the chair under the pointer is marked."""
        if self._held is None and self._pressed is not None and move.screen_offset != self._pressed[1]:
            player = self._pressed[0]
            self._pressed = None
            if self._may_move(player):
                self._held = Held(player, "mouse")
        if self._held is not None and self._held.how == "mouse":
            self.query_one(SeatingPlan).nudge(move.screen_offset)
            self._aim(self._target_at(move.screen_offset))

    def on_mouse_scroll_down(self, scroll: events.MouseScrollDown) -> None:
        """The wheel turns while somebody is held: another chair is under the pointer."""
        self._scrolled(scroll.screen_offset)

    def on_mouse_scroll_up(self, scroll: events.MouseScrollUp) -> None:
        """The same upwards."""
        self._scrolled(scroll.screen_offset)

    def _scrolled(self, at: Offset) -> None:
        if self._held is not None and self._held.how == "mouse":
            self.call_after_refresh(lambda: self._aim(self._target_at(at)))

    def on_mouse_up(self, release: events.MouseUp) -> None:
        """Dropped, on a chair or on nothing."""
        self._pressed = None
        if self._held is not None and self._held.how == "mouse":
            self._aim(self._target_at(release.screen_offset))
            self._drop()

    def on_seating_plan_moved(self) -> None:
        """Another chair is chosen by key."""
        self._chosen()

    def on_pick_list_moved(self, _moved: PickList.Moved) -> None:
        """Another line of the bench is chosen."""
        self._chosen()

    def on_seating_plan_over(self) -> None:
        """To the right of the tables."""
        self.query_one(Bench).focus()
        self.call_after_refresh(self._chosen)

    def on_bench_back(self) -> None:
        """Back to the tables."""
        self.query_one(SeatingPlan).focus()
        self.call_after_refresh(self._chosen)

    def on_descendant_focus(self) -> None:
        """Tab goes there as well."""
        self.query_one(SeatingPlan).refresh()
        self.call_after_refresh(self._chosen)

    def _chosen(self) -> None:
        if self.is_mounted and (self._held is None or self._held.how == "keys"):
            self._aim(self._pointed_by_keys())

    def _aim(self, target: Target) -> None:
        """Show where the player who is held would go and what would change; or whom the cursor is on."""
        self._target = target
        plan, bench = self.query_one(SeatingPlan), self.query_one(Bench)
        if self._held is None:
            plan.mark()
            bench.mark()
            self._tell_about(self._chosen_player())
            self.show_buttons()
            return
        refusal, lines = proposal(self.seen, self._held.player, target)
        spot = target if isinstance(target, Spot) else None
        plan.mark(held=self._held.player, target=spot, refused=bool(refusal))
        bench.mark(drop=isinstance(target, str), refused=bool(refusal))
        name = called(self.state, self._held.player)
        where = [] if target is not None else [_("{player}: over nothing; let go here and nothing changes").format(
            player=name)]  # fmt: skip
        self._say([f"✗ {refusal}"] if refusal else [_("» {player} is picked up").format(player=name), *where, *lines])
        self.show_buttons()

    def _drop(self) -> None:
        """The act, if it may be; else the reason, and nothing has changed."""
        held, target, state = self._held, self._target, self.state
        if held is None or state is None:
            return
        refusal, _lines = proposal(self.seen, held.player, target)
        keys = held.how == "keys"
        outcome = self.outcome
        if refusal:
            outcome.refuse(refusal)
            if not keys:
                self._let_go()
            return
        self._let_go()
        one = state.current
        at = sits_at(state, held.player)
        if isinstance(target, Spot):
            if at != (target.table, target.seat):
                args = {"player": held.player, "table": target.table, "seat": SEATS[target.seat]}
                self.act("move_player", args)
        elif target == "absent":
            self.act("absent" if at is None else "unseat", {"player": held.player})
        elif target == "new":
            self.act("open_table", {"player": held.player})
        elif target == "free" and one is not None and held.player in one.absent:
            self.act("present", {"player": held.player})

    def _let_go(self) -> None:
        self._held = None
        self._aim(None)

    def _may_move(self, player: int) -> bool:
        """Whether somebody may be picked up; said if not."""
        outcome, state = self.outcome, self.state
        one = self.round
        if not self.may("move_player"):
            outcome.warn(_("You only look here: the organiser moves players."))
            return False
        if state is None or one is None or player not in state.players:
            return False
        if one.seating is not None and one.seating.locked is not None:
            outcome.refuse(
                _("{who} has locked the seating: l unlocks it.").format(who=who_said(one.seating.locked.who))
            )
            return False
        return True

    def _chosen_player(self) -> int:
        """Whom the cursor is on, 0 for nobody."""
        bench, plan = self.query_one(Bench), self.query_one(SeatingPlan)
        if bench.has_focus:
            return max(0, bench.number or 0)
        spot = plan.spot
        shown = None if spot is None else plan.shown(spot)
        return 0 if shown is None else shown.player

    def _pointed_by_keys(self) -> Target:
        bench = self.query_one(Bench)
        return bench.part if bench.has_focus else self.query_one(SeatingPlan).spot

    def _target_at(self, at: Offset) -> Target:
        part = self.query_one(Bench).part_at(at)
        return self.query_one(SeatingPlan).spot_at(at) if part is None else part

    def _player_at(self, at: Offset) -> int:
        plan = self.query_one(SeatingPlan)
        spot = plan.spot_at(at)
        shown = None if spot is None else plan.shown(spot)
        return self.query_one(Bench).player_at(at) if shown is None else shown.player

    def _tell_about(self, player: int) -> None:
        """What there is to know of whoever the cursor is on."""
        state = self.state
        known = None if state is None else state.players.get(player)
        if state is None or known is None:
            self._say([_("An empty chair.") if self.query_one(SeatingPlan).spot is not None else ""])
        else:
            self._say(about(state, known, self._company.get(player)))

    def _say(self, lines: Sequence[str]) -> None:
        self.query_one("#about", Static).update(in_room(lines))

    # --- what touches tables that play -----

    def act(self, name: str, args: Args, why: str = "", then: Callable[[Done], None] | None = None) -> None:
        """Wish it; where others would sit at tables that play, that is asked about first."""
        known = self._plays_there(name, args)
        if not known:
            super().act(name, args, why, then)
            return
        tables = tables_words(known)
        lines = [
            ngettext("A game of this round goes on at table {tables}.", "Games of this round go on at tables {tables}.",
                     len(known)).format(tables=tables),
            _("The boxes play on; what is played there counts for whoever sits there from now on."),
        ]  # fmt: skip
        wished = {**args, "playing": known}
        self.confirm(
            Confirm(_(ACTS[name].title), lines, yes=_("change the seating"), enter=False),
            lambda: super(SeatingScreen, self).act(name, wished, why, then),
        )

    def _plays_there(self, name: str, args: Args) -> list[int]:
        """The tables that play of those at which others would sit."""
        seen, player = self.seen, args.get("player")
        if seen is None or name not in ("move_player", "unseat", "open_table") or not isinstance(player, int):
            return []
        table, seat, at = args.get("table"), args.get("seat"), sits_at(seen.state, player)
        tables = set() if at is None else {at[0]}
        try:
            if name != "unseat":
                chair = Chair(table, SEATS.index(str(seat))) if isinstance(table, int) else Chair(None)
                change, _others = rearranged(seen, player, chair)
                tables = seated_otherwise(seen.state, imagined(seen, change.drafts))
        except DalejError:
            return []  # the desk says why not
        return [table for table in begun(self.page.boxes, ended=False) if table in tables]

    # --- acts by key -----

    def action_draw(self) -> None:
        """Seat the round, or everybody anew; with a seed that repeats a lot, if one is typed."""
        state = self.state
        one = self.round
        if state is None or one is None or not self.may("draw_seating"):
            self.outcome.warn(_("There is nothing to draw here."))
            return
        again = one.seating is not None
        lines = [_("{count} players are there.").format(count=len(present(state, one)))]
        if again:
            lines.append(_("Everybody is seated anew: what was moved by hand is lost. z takes it back."))
        played = sorted({at.table for at in self.page.boxes}) if again else []
        if played:
            said = ngettext(
                "Table {tables} has begun to play: what its box has told counts no longer then.",
                "Tables {tables} have begun to play: what their boxes have told counts no longer then.", len(played),
            )  # fmt: skip
            lines.append("! " + said.format(tables=tables_words(played)))
        fields: list[Field] = []
        if lot_has_a_say(state, one):
            hint = _("repeats that draw; empty: a new lot")
            fields.append(of_act("draw_seating", "seed", self.page, hint=hint))
        if one.key == RoundKey(state.plan[0].id, 1):
            hint = _("only where too few or too many play")
            fields.append(of_act("draw_seating", "anyway", self.page, hint=hint))

        def draw(answers: Answers) -> None:
            args: dict[str, object] = {"again": again}
            if played:
                args["playing"] = played
            self.act("draw_seating", args | {name: value for name, value in answers.items() if value is not None})

        title = (_("Draw anew: {round}") if again else _("Draw: {round}")).format(round=round_name(*one.key))
        if fields:
            self.ask(Question(title, fields, lines=lines, yes=_("draw")), draw)
        else:
            self.confirm(Confirm(title, lines, yes=_("draw"), enter=not again), lambda: draw({}))

    def action_lock(self) -> None:
        """Nobody is moved any more, or somebody may be again."""
        one = self.round
        if one is None or one.seating is None:
            self.outcome.warn(_("There is nothing to lock yet: nobody sits."))
            return
        self.act("lock_seating", {"on": one.seating.locked is None})

    def action_away(self) -> None:
        """The chosen player misses the round, or does not after all."""
        player, state = self._chosen_player(), self.state
        one = self.round
        if not player or state is None or one is None:
            self.outcome.warn(_("Choose a player first."))
        elif player in one.absent and sits_at(state, player) is None:
            self.act("present", {"player": player})
        else:
            self.act("absent" if sits_at(state, player) is None else "unseat", {"player": player})

    @work
    async def action_print(self) -> None:
        """Who sits where, as a PDF beside the event, or what stands on the tables."""
        one = self.round
        if not self.allows("print"):
            return
        if one is None or one.seating is None:
            self.outcome.warn(_("There is nothing to print here."))
            return
        offered = papers.of(self.WAY)
        choices = [_(paper.words) for paper in offered]
        answers = await self.asks(chooser(_("Seating"), _("A PDF beside the event."), choices, _("write it")))
        if answers is not None:
            self.act("print", offered[int(str(answers[CHOSEN]))].args)

    # --- within -----

    def _chair(self, state: Tournament, number: int) -> ChairShown:
        player = state.players.get(number)
        if player is None:
            return ChairShown()
        met = len(self._company[number].met) if number in self._company else 0
        name = readable(player.name)
        group = group_beside(player)
        if player.gone is not None:
            return ChairShown(number, name, group, _("has left"), "gone")
        return ChairShown(number, name, group, f"{MET}{met}" if met else "")

    def _note(self, seated: Sequence[int], *, played: bool) -> str:
        pairs = reseating.pairs_met(self._company, seated)
        parts = [_("has results")] if played else []
        if pairs:
            parts.append(f"{MET} " + ngettext("{count} pair", "{count} pairs", pairs).format(count=pairs))
        return ", ".join(parts)

    def _show_bench(self, state: Tournament, one: Round) -> None:
        seating = one.seating
        sits = set() if seating is None else {player for at in seating.tables for player in at.seated}
        free = [number for number in present(state, one) if number not in sits]
        absent = [number for number in sorted(one.absent) if number in state.players]

        def on_bench(number: int) -> OnBench:
            note = _("still seated") if number in sits else group_beside(state.players[number])
            return OnBench(number, readable(state.players[number].name), note)

        self.query_one(Bench).show_people(
            list(map(on_bench, free)), list(map(on_bench, absent)),
            new_table=free_chairs(state) == ["new"] and bool(free or absent),
        )  # fmt: skip
