"""Sets the boxes of a seated round up: who plays, by which rules, which game is next; a spare box goes on mid-game.

A box is asked once it is heard, has told everything and is not in a game; one that is in a game is never set up anew.
What was asked and answered is read from the ledger, so another process that takes over asks nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dalej.desk import Desk
from dalej.domain.rulesets import Ruleset
from dalej.domain.tournament import Round
from dalej.errors import DalejError, Unreachable
from dalej.ledger import APPLIED, NO_LINK, REFUSED, SENT
from dalej.line import Line
from dalej.office.boxplaces import BoxPlace
from dalej.office.event import Event
from dalej.running.meeting import NOTHING_KNOWN, Meetings, Tell
from dalej.running.places import Asked, Assigned, Places
from dalej.running.tableplans import TablePlan, configuration, configured, plans_of
from dalej.running.takeover import as_decided
from dalej.words import N_
from moveclock import facts as k

RESTS: Final = (k.IDLE, k.READY, k.OVER)

SET_UP: Final = N_("table {table}: box {box} is set up for game {game}, seats {seats}")
BUSY: Final = N_(
    "table {table}: box {box} is in a game of its own; it is set up when that game is ended (at the box: hold Już and "
    "Dalej of side A while you switch it on, then press Sędzia)"
)
NOT_SET_UP: Final = N_("table {table}: box {box} was not set up: {problem}")
REFUSES: Final = N_("the box refuses it ({reason})")
_OF_STATE: Final = ("state", "guard")  # a box says so when its table was quicker


class RoundNow:
    """The round that is at work, read again when something was decided. `began`: cursor of the decision that seated it,
    `seated`: of the last one that changed who sits where; 0 while nobody sits.
    """

    def __init__(self, event: Event, places: Places) -> None:
        self.one: Round | None = None
        self.ruleset: Ruleset | None = None
        self.seated = 0
        self._event = event
        self._places = places
        self._read = -1
        self._plans: tuple[int, Mapping[int, TablePlan]] = (-1, {})

    def look(self) -> None:
        """Read what was decided since the last look; an event that is played by no rules yet has no round."""
        if self._read == self._places.decided:
            return
        self._read = self._places.decided
        self._plans = (-1, {})
        self.one, self.ruleset, self.seated = None, None, 0
        try:
            state = self._event.state()
        except Unreachable:
            self._read = -1
            raise
        except DalejError:
            return
        self.ruleset = state.ruleset
        current = state.current
        if current is not None and current.seating is not None:
            self.one, self.seated = current, current.seating.mark.cursor

    def began(self) -> int:
        """Games that were begun before this place in the ledger are not of the round; 0: any game may go on."""
        one = self.one
        return 0 if one is None else self._places.seated_first(one.key)

    def plan(self, table: int) -> TablePlan | None:
        """What is left to play at the table, None: nothing, or nobody sits there."""
        if self.one is None:
            return None
        head = self._event.ledger.head()
        if self._plans[0] != head:
            plans = plans_of(self._event.ledger, self._event.state(), self.one)
            self._plans = (head, {plan.number: plan for plan in plans})
        return self._plans[1].get(table)

    def seats(self, table: int) -> bool:
        """Whether somebody sits at the table."""
        return self.one is not None and self.one.seating is not None and self.one.seating.at(table) is not None


class SetUp:
    """All boxes of a desk. `ask(line, command, args, why)`: whether the box is, or will be, asked."""

    def __init__(
        self,
        desk: Desk,
        places: Places,
        meetings: Meetings,
        round_now: RoundNow,
        tell: Tell,
        ask: Callable[[Line, str, Mapping[str, int | str], str], bool],
    ) -> None:
        self._desk = desk
        self._places = places
        self._meetings = meetings
        self._round = round_now
        self._tell = tell
        self._ask = ask
        self._said: set[tuple[str, str, int]] = set()
        self._asked: dict[str, TablePlan] = {}  # box -> what it was asked to be set up for
        self._done: dict[str, tuple[int, int]] = {}  # box -> assignment and seating that it is set up for

    def look(self, line: Line, place: BoxPlace) -> None:
        """Ask what is to be asked of one box now; WrongInput if what the event says of its table makes no settings."""
        told = line.told
        if told is None or line.backlog or line.catch_up is not None or not self._desk.in_reach(line.uid):
            return
        given = self._meetings.assignment(place, told.epoch)
        if given is None or self._desk.is_asked(line.uid):
            return
        if given.baseline.game is not None and not self._took_over(line, given):
            self._take_over(line, place, given)
        elif self._round.seats(place.table) and self._done.get(line.box) != (given.cursor, self._round.seated):
            self._configure(line, place, given)

    def cannot(self, line: Line, place: BoxPlace, problem: DalejError) -> None:
        """What the event says of the table makes no settings."""
        self._say_once("not_set_up", line, self._round.seated, NOT_SET_UP, table=place.table, problem=problem)

    # --- a spare box -----

    def _took_over(self, line: Line, given: Assigned) -> bool:
        """Whether there is nothing left to do: the box goes on, or it refused to, or its answer is still to come."""
        asked = self._places.asked(line.box, "take_over", given.cursor)
        return asked is not None and (_result(asked) in (APPLIED, REFUSED) or _is_open(asked))

    def _take_over(self, line: Line, place: BoxPlace, given: Assigned) -> None:
        if not self._rests(line, place, given.cursor):
            return
        ruleset, game = self._round.ruleset, self._meetings.game_before(place)
        if game is None or ruleset is None:
            self._say_once("nothing_known", line, given.cursor, NOTHING_KNOWN, table=place.table)
            return
        asked = self._places.asked(line.box, "configure", given.cursor)
        if asked is None or _result(asked) == NO_LINK:
            wanted = configured(ruleset, game.seats, game.starter, game.game)
            self._ask(line, "configure", wanted, "a spare box takes over")
        elif _is_open(asked):
            pass
        elif _result(asked) == APPLIED:
            self._ask(line, "take_over", as_decided(game, given.baseline).arguments(), "a spare box takes over")
        else:
            self._refused(line, place, given.cursor, asked)

    # --- the next game -----

    def _configure(self, line: Line, place: BoxPlace, given: Assigned) -> None:
        seated = self._round.seated
        since = max(given.cursor, seated)
        asked = self._places.asked(line.box, "configure", since)
        if asked is not None and _result(asked) == APPLIED:
            self._done[line.box] = (given.cursor, seated)
            self._tell_set_up(line, place)
        elif asked is not None and _result(asked) == REFUSED and _reason(asked) not in _OF_STATE:
            self._refused(line, place, since, asked)
        elif asked is not None and _is_open(asked):
            pass
        elif self._rests(line, place, since):
            self._configure_now(line, place, given)

    def _configure_now(self, line: Line, place: BoxPlace, given: Assigned) -> None:
        plan, ruleset = self._round.plan(place.table), self._round.ruleset
        if plan is None or ruleset is None:  # everything is played there
            self._done[line.box] = (given.cursor, self._round.seated)
            return
        wanted = configuration(plan, ruleset)
        self._asked[line.box] = plan
        self._ask(line, "configure", wanted, "the round is seated")

    def _tell_set_up(self, line: Line, place: BoxPlace) -> None:
        """Once, if it was this process that asked for it."""
        plan = self._asked.pop(line.box, None)
        if plan is not None:
            self._tell("set_up", line, SET_UP, table=place.table, game=plan.first_game, seats=plan.seats)

    def _rests(self, line: Line, place: BoxPlace, since: int) -> bool:
        """Whether the box may be set up now; a game that it is in is said."""
        if line.told is not None and line.told.state in RESTS:
            return True
        self._say_once("busy", line, since, BUSY, table=place.table)
        return False

    def _refused(self, line: Line, place: BoxPlace, since: int, asked: Asked) -> None:
        problem = DalejError(REFUSES, reason=_reason(asked))
        self._say_once("not_set_up", line, since, NOT_SET_UP, table=place.table, problem=problem)

    def _say_once(self, kind: str, line: Line, since: int, template: str, **data: object) -> None:
        if (kind, line.box, since) not in self._said:
            self._said.add((kind, line.box, since))
            self._tell(kind, line, template, **data)


def _is_open(asked: Asked) -> bool:
    """Whether the event does not hold yet what became of it; then nothing is asked again."""
    return _result(asked) in ("", SENT)


def _result(asked: Asked) -> str:
    return "" if asked.outcome is None else asked.outcome.result


def _reason(asked: Asked) -> str:
    return "" if asked.outcome is None else asked.outcome.reason
