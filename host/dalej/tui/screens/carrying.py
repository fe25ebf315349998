"""Players picked up and dropped on another chair, by drag or by keys, with what would change said meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual import events
from textual.geometry import Offset
from textual.widgets import Static

from dalej.domain.facts import SEATS
from dalej.office.reseating import Company
from dalej.tui.room import Room
from dalej.tui.screens.deskwork import DeskWork
from dalej.tui.screens.proposing import Target, about, called, in_room, proposal, sits_at
from dalej.tui.widgets.bench import Bench
from dalej.tui.widgets.headline import Outcome
from dalej.tui.widgets.picklist import PickList
from dalej.tui.widgets.seatingplan import SeatingPlan, Spot
from dalej.words import _, readable


@dataclass(frozen=True, slots=True)
class Held:
    """A player who is picked up. `how`: what lets go again."""

    player: int
    how: Literal["keys", "mouse"]


class Carrying(DeskWork):
    """A screen with a `SeatingPlan`, a `Bench` and the lines `#about` that moves players between them."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._held: Held | None = None
        self._target: Target = None
        self._pressed: tuple[int, Offset] | None = None  # who was under the pointer when the button went down
        self._company: dict[int, Company] = {}

    def action_pick(self) -> None:
        """Pick up who is chosen, or drop whom one holds."""
        if self._held is not None:
            self._drop()
            return
        player = self._chosen_player()
        if not player:
            self.query_one(Outcome).warn(_("Nobody sits there: choose a player to pick up."))
        elif self._may_move(player):
            self._held = Held(player, "keys")
            self._aim(self._pointed_by_keys())

    def action_leave(self) -> None:
        """Let go, or leave the screen."""
        if self._held is not None:
            self._let_go()
            self.query_one(Outcome).clear()
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
        outcome = self.query_one(Outcome)
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
        outcome, state = self.query_one(Outcome), self.state
        one = None if state is None else state.current
        if not self.may("move_player"):
            outcome.warn(_("You only look here: the organiser moves players."))
            return False
        if state is None or one is None or player not in state.players:
            return False
        if one.seating is not None and one.seating.locked is not None:
            outcome.refuse(
                _("{who} has locked the seating: l unlocks it.").format(who=readable(one.seating.locked.who))
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
