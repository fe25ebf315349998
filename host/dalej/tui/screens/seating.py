"""Seating a round: tables with their chairs, who is not there beside them; players are moved by drag or by keys.

A player is picked up, a chair is pointed at, what would change is said, and the drop is an act. The screen holds no
seating of its own: between picking up and dropping nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from dalej.acts.catalogue import ACTS
from dalej.acts.wishes import Done
from dalej.domain.facts import SEATS
from dalej.domain.stagewords import round_name
from dalej.domain.tournament import Round, RoundKey, Tournament
from dalej.errors import DalejError, WrongInput
from dalej.office import moves, reseating
from dalej.office.event import imagined
from dalej.office.inplay import begun, seated_otherwise
from dalej.office.moves import Chair
from dalej.office.rearranging import rearranged
from dalej.office.seats import BY_LOT, lot_has_a_say, present
from dalej.telling import local
from dalej.tui.ask.confirm import Confirm
from dalej.tui.room import Room
from dalej.tui.screens.carrying import Carrying
from dalej.tui.screens.doing import Args
from dalej.tui.screens.proposing import MET, sits_at
from dalej.tui.widgets import roundasks
from dalej.tui.widgets.actionbar import Button
from dalej.tui.widgets.bench import Bench, OnBench
from dalej.tui.widgets.headline import Outcome
from dalej.tui.widgets.question import Answers, Blank, Question
from dalej.tui.widgets.seatingplan import ChairShown, SeatingPlan, TableShown
from dalej.words import N_, _, ngettext, readable

SEED_MOST: Final = (1 << 31) - 1


class SeatingScreen(Carrying):
    """The round at work, or the next one to be seated."""

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
        for key, action, words in (
            ("space", "pick", _("pick up, drop")), ("d", "draw", _("draw")), ("l", "lock", _("lock")),
            ("a", "away", _("absent, present")), ("G", "start_clock", _("start the clock")), ("p", "print", _("print")),
        ):  # fmt: skip
            self._bindings.bind(key, action, words)

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
        one = None if state is None else state.current
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
        one = None if state is None else state.current
        if state is None or one is None:
            return _(self.NAME)
        parts = [_(self.NAME), round_name(*one.key)]
        if one.seating is not None:
            if one.seating.seed is not None and one.seating.how in BY_LOT:
                parts.append(_("seed {seed}").format(seed=one.seating.seed))
            if one.seating.locked is not None:
                parts.append(_("LOCKED by {who}").format(who=readable(one.seating.locked.who)))
            elif one.clock is not None:
                parts.append(_("not locked"))
            if one.clock is not None:
                parts.append(_("runs since {time}").format(time=f"{local(one.clock.starts_ms):%H:%M}"))
        return " · ".join(parts)

    def buttons(self) -> Sequence[Button]:
        """What can be done now."""
        one = None if self.state is None else self.state.current
        shown: list[Button] = []
        if self._held is not None:
            return [
                Button("Space", _("drop"), "pick"), Button("↑↓←→", _("choose"), "noop"),
                Button("Esc", _("let go"), "leave"),
            ]  # fmt: skip
        if one is not None and self.may("move_player"):
            if one.seating is not None:
                shown.append(Button("Space", _("pick up"), "pick"))
                locked = one.seating.locked is not None
                shown.append(Button("d", _("draw anew"), "draw"))
                shown.append(Button("l", _("unlock") if locked else _("lock"), "lock"))
            else:
                shown.append(Button("d", _("draw"), "draw"))
            shown.append(Button("a", _("absent, present"), "away"))
            if one.seating is not None:
                shown.append(Button("G", _("start the clock"), "start_clock"))
        if one is not None and one.seating is not None and self.may("print"):
            shown.append(Button("p", _("print"), "print"))
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
              "p prints."),
        ])  # fmt: skip

    # --- what touches tables that play -----

    def act(self, name: str, args: Args, why: str = "", then: Callable[[Done], None] | None = None) -> None:
        """Wish it; where others would sit at tables that play, that is asked about first."""
        known = self._plays_there(name, args)
        if not known:
            super().act(name, args, why, then)
            return
        tables = roundasks.tables_words(known)
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
        one = None if state is None else state.current
        if state is None or one is None or not self.may("draw_seating"):
            self.query_one(Outcome).warn(_("There is nothing to draw here."))
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
            lines.append("! " + said.format(tables=roundasks.tables_words(played)))
        blanks = []
        if lot_has_a_say(state, one):
            blanks.append(Blank("seed", _("seed, to repeat a draw; empty: a new lot")))
        if one.key == RoundKey(state.plan[0].id, 1):
            blanks.append(Blank("anyway", _("nevertheless, because (only where too few or too many play)")))

        def draw(answers: Answers) -> None:
            args: dict[str, object] = {"again": again}
            if played:
                args["playing"] = played
            if seed := answers.get("seed", ""):
                args["seed"] = int(seed)
            if anyway := answers.get("anyway", ""):
                args["anyway"] = anyway
            self.act("draw_seating", args)

        title = (_("Draw anew: {round}") if again else _("Draw: {round}")).format(round=round_name(*one.key))
        if blanks:
            self.ask(Question(title, lines, blanks, yes=_("draw"), check=_check_seed), draw)
        else:
            self.confirm(Confirm(title, lines, yes=_("draw"), enter=not again), lambda: draw({}))

    def action_lock(self) -> None:
        """Nobody is moved any more, or somebody may be again."""
        one = None if self.state is None else self.state.current
        if one is None or one.seating is None:
            self.query_one(Outcome).warn(_("There is nothing to lock yet: nobody sits."))
            return
        self.act("lock_seating", {"on": one.seating.locked is None})

    def action_away(self) -> None:
        """The chosen player misses the round, or does not after all."""
        player, state = self._chosen_player(), self.state
        one = None if state is None else state.current
        if not player or state is None or one is None:
            self.query_one(Outcome).warn(_("Choose a player first."))
        elif player in one.absent and sits_at(state, player) is None:
            self.act("present", {"player": player})
        else:
            self.act("absent" if sits_at(state, player) is None else "unseat", {"player": player})

    def action_print(self) -> None:
        """Who sits where, as a PDF beside the event."""
        one = None if self.state is None else self.state.current
        if not self.may("print"):
            self.query_one(Outcome).warn(_("That is not for the role you sit here with."))
        elif one is None or one.seating is None:
            self.query_one(Outcome).warn(_("There is nothing to print here."))
        else:
            self.act("print", {"what": "seating", "form": "pdf"})

    # --- within -----

    def _chair(self, state: Tournament, number: int) -> ChairShown:
        player = state.players.get(number)
        if player is None:
            return ChairShown()
        met = len(self._company[number].met) if number in self._company else 0
        name = readable(player.name)
        if player.gone is not None:
            return ChairShown(number, name, player.group, _("left"), "gone")
        return ChairShown(number, name, readable(player.group), f"{MET}{met}" if met else "")

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
            note = _("still seated") if number in sits else readable(state.players[number].group)
            return OnBench(number, readable(state.players[number].name), note)

        self.query_one(Bench).show_people(
            list(map(on_bench, free)), list(map(on_bench, absent)),
            new_table=moves.free_chairs(state) == ["new"] and bool(free or absent),
        )  # fmt: skip


def _check_seed(answers: Answers) -> str:
    text = answers.get("seed", "")
    if text and not (text.isascii() and text.isdecimal() and int(text) <= SEED_MOST):
        raise WrongInput(N_("{found} is no seed, expected a whole number, such as 271828"), found=text)
    return ""
