"""What at a table waits for a person, told by the facts of its box: a verdict, a claim, a dispute, a referee, power.

Opened and closed as the alarm of the box is (`moveclock.clock.Clock.alarm`), but for four things it does not tell. A
dispute that a power cut interrupts stays a dispute. A hold of Sędzia takes over the waiting of the dispute before it.
A claim that is denied waits until the clock goes on, as one that is granted does: somebody still has to see to that.
And a call in `ready`, `expired` or `over` that a start or a verdict overtakes is not forgotten at once: whoever was
called is on his way, so it stays, urgent no more, until the next move has ended. Who disagrees with the verdict can
stop the clock in that move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from dalej.domain.game.commands import told_by
from dalej.domain.game.facts import Fact
from moveclock import facts as k

TAKEN: Final = "call_taken"  # a decision: {"table": 3, "call": "time_out"}; who made it is on the way
KEPT_MS: Final = 180_000  # for so long it counts: whoever has not come by then may have been held up
CallKind = Literal["referee", "dispute", "early_click", "time_out", "power_lost"]


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that waits since fact `seq`, at uptime `at_ms` of boot `boot`; `seat` and `move` are those it is about.

    `urgent`: a referee must come, as far as facts tell; a time-out is so after a while too. `stopped`: the clock stands
    because of it. `denied`: the claim is answered, only the clock has to be let go on. An early click that is not
    urgent ends with its claim window, which no fact says.
    """

    kind: CallKind
    seat: int
    move: int
    seq: int
    boot: int
    at_ms: int
    urgent: bool
    stopped: bool = False
    denied: bool = False


# kind -> the method that follows it
_FOLLOW: Final[Mapping[int, str]] = {
    k.BOOTED: "booted",
    k.CONFIGURED: "anew",
    k.GAME_REDEALT: "anew",
    k.MOVE_STARTED: "move_started",
    k.MOVE_ENDED: "move_ended",
    k.TIME_RAN_OUT: "time_ran_out",
    k.TABLE_RESTORED: "table_restored",
    k.CLICKED_BEFORE_DRAWING: "clicked_before_drawing",
    k.RESTART_CLAIMED: "restart_claimed",
    k.CLAIM_DENIED: "claim_denied",
    k.MOVE_RESTARTED: "taken_up",
    k.TIME_CORRECTED: "taken_up",
    k.EXTRA_TIME_GIVEN: "taken_up",
    k.DISPUTE_RAISED: "dispute_raised",
    k.CALL_WITHDRAWN: "call_withdrawn",
    k.REFEREE_CALLED: "referee_called",
    k.CLOCK_STOPPED: "clock_stopped",
    k.CLOCK_RESUMED: "clock_resumed",
    k.SEAT_CHANGED: "seat_changed",
    k.GAME_ENDED: "game_ended",
    k.GAME_REOPENED: "game_reopened",
}


class Calls:
    """One table's; `take` the facts of its box in their order."""

    __slots__ = ("_clicked", "_disputed", "_open", "_overtaken", "_parked", "_pending", "_reason", "_stands")

    def __init__(self) -> None:
        self._open: dict[CallKind, Call] = {}
        self._stands = False
        self._reason = k.REFEREE
        self._pending = False  # the dispute waits for the end of the move
        self._clicked: Call | None = None  # the early click before anybody claimed
        self._overtaken = False  # the call was followed by a start or a verdict
        self._parked: Call | None = None  # the verdict that was open when the desk ended the game
        self._disputed: tuple[Call, int] | None = None  # the last dispute, and the move in which it ended

    def take(self, fact: Fact) -> None:
        """The next fact of the box."""
        follow = _FOLLOW.get(fact.kind)
        if follow is not None:
            getattr(self, follow)(fact)

    def open(self) -> tuple[Call, ...]:
        """What waits now, in no order that matters."""
        return tuple(
            replace(call, stopped=True) if self._stands and self._is_why(call) else call for call in self._open.values()
        )

    def _is_why(self, call: Call) -> bool:
        if call.kind == "early_click":
            return call.urgent
        if call.kind == "dispute":
            return not self._pending
        return {"referee": k.REFEREE, "power_lost": k.BOX_LOST_POWER}.get(call.kind) == self._reason

    def _call(self, kind: CallKind, fact: Fact, urgent: bool) -> Call:
        return Call(kind, fact.seat, fact.move, fact.seq, fact.boot, fact.uptime_ms, urgent)

    def _close(self, *kinds: CallKind) -> None:
        for kind in kinds:
            self._open.pop(kind, None)

    def _answer_claim(self) -> None:
        """It is open no more; one that was denied, and for which the clock stands, waits for that."""
        claim = self._open.get("early_click")
        if claim is not None and not claim.denied:
            self._close("early_click")

    # --- what each fact opens and closes -----

    def anew(self, _fact: Fact) -> None:
        self._open.clear()
        self._stands = self._pending = False
        self._clicked = self._parked = self._disputed = None

    def booted(self, fact: Fact) -> None:
        if not fact.game:
            self.anew(fact)

    def move_started(self, fact: Fact) -> None:
        self.goes_on(fact)
        if told_by(fact).late:  # at the box before; here its verdict is open
            self.time_ran_out(fact)

    def goes_on(self, _fact: Fact) -> None:
        """The first move, or the next one."""
        self._close("time_out")
        if not self._stands and "referee" in self._open:
            if self._overtaken:
                self._close("referee")
            else:
                self._overtaken = True
                self._open["referee"] = replace(self._open["referee"], urgent=False)

    def move_ended(self, _fact: Fact) -> None:
        self._close("early_click")

    def time_ran_out(self, fact: Fact) -> None:
        self._open["time_out"] = self._call("time_out", fact, False)

    def table_restored(self, _fact: Fact) -> None:
        self._close("time_out")

    def clicked_before_drawing(self, fact: Fact) -> None:
        self._open["early_click"] = self._clicked = self._call("early_click", fact, False)

    def restart_claimed(self, fact: Fact) -> None:
        claim = self._call("early_click", fact, True)
        clicked = self._clicked = self._open.get("early_click")
        if clicked is not None:
            claim = replace(claim, seat=clicked.seat, move=clicked.move)
        self._open["early_click"] = claim

    def claim_denied(self, _fact: Fact) -> None:
        claim = self._open.get("early_click")
        if claim is not None and claim.urgent and self._stands:
            self._open["early_click"] = replace(claim, denied=True)
        else:
            self._close("early_click")

    def taken_up(self, fact: Fact) -> None:
        """The move gets time: no claim and no verdict is open any more."""
        self._answer_claim()
        if fact.a:
            self._close("time_out")

    def dispute_raised(self, fact: Fact) -> None:
        if "dispute" not in self._open:
            self._open["dispute"] = self._call("dispute", fact, True)
        self._pending = fact.code == 0

    def call_withdrawn(self, _fact: Fact) -> None:
        claim = self._open.get("early_click")
        if not self._stands or claim is None or not claim.urgent or claim.denied:
            self._close("dispute")
            self._pending = False
        elif self._clicked is not None:
            self._open["early_click"] = self._clicked
        else:
            self._close("early_click")

    def referee_called(self, fact: Fact) -> None:
        if "referee" not in self._open or self._overtaken:
            self._open["referee"] = self._call("referee", fact, True)
            self._overtaken = False

    def clock_stopped(self, fact: Fact) -> None:
        reason, by_table = fact.code, fact.b == k.TABLE
        if reason != k.BOX_LOST_POWER:
            self._close("power_lost")
        if reason == k.REFEREE and by_table:
            before = self._open.get("dispute") if self._pending else None
            call = self._call("referee", fact, True)
            if before is not None:
                call = replace(call, seq=before.seq, boot=before.boot, at_ms=before.at_ms)
            self._open["referee"] = call
            self._overtaken = False
        if reason == k.REFEREE or (reason in (k.EARLY_CLICK, k.ROUND_BREAK) and not self._pending):
            self._close("dispute")
            self._pending = False
        elif reason == k.DISPUTE:
            self._pending = False
            if "dispute" not in self._open:
                call, last = self._call("dispute", fact, True), self._disputed
                if not by_table and last is not None and last[1] == fact.move:  # its answer is taken back
                    call = replace(call, seat=last[0].seat, move=last[0].move)
                self._open["dispute"] = call
        elif reason == k.BOX_LOST_POWER:
            self._open["power_lost"] = self._call("power_lost", fact, False)
        self._stands, self._reason = True, reason

    def clock_resumed(self, fact: Fact) -> None:
        self._stands = False
        if not self._pending and "dispute" in self._open:
            self._disputed = self._open["dispute"], fact.move
        self._close("referee", "power_lost")
        if not self._pending:
            self._close("dispute")
        if "early_click" in self._open and self._open["early_click"].urgent:
            self._close("early_click")

    def seat_changed(self, _fact: Fact) -> None:
        self._answer_claim()

    def game_ended(self, fact: Fact) -> None:
        waits = self._open.get("time_out")
        self._parked = waits if fact.code in (k.DESK_ENDED, k.LAST_SEAT) else None
        self._close("early_click", "time_out", "power_lost")
        if self._pending:
            self._pending = False  # unanswered: it still wants a referee
        else:
            self._close("dispute")
        if self._stands or fact.code == k.DESK_ENDED:
            self._close("referee")
        else:
            self.goes_on(fact)
        self._stands = False

    def game_reopened(self, fact: Fact) -> None:
        self._stands, self._reason = True, k.REFEREE
        if self._parked is not None and fact.code == k.SAME_SEAT:
            self._open["time_out"] = self._parked
        self._parked = None
