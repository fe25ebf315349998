"""Sets the boxes of a seated round up: who plays, by which rules, which game is next; a spare box goes on mid-game;
boxes that go by other settings than the rules give now are set up anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dalej.desk.desk import Desk
from dalej.desk.evening.meeting import NOTHING_KNOWN, Meetings, Tell, Unended, as_decided
from dalej.desk.evening.owngames import OwnGames, Verdict
from dalej.desk.evening.places import OF_STATE, Assigned, Places, RoundNow, game_of
from dalej.desk.hearing import Line
from dalej.domain.game.facts import SEATS
from dalej.domain.game.heard import Told
from dalej.domain.game.positions import position
from dalej.errors import DalejError
from dalej.event.boxplaces import BoxPlace
from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, Ledger
from dalej.event.reading import Asked
from dalej.event.tableplans import CONFIGURE, TablePlan, configuration, configured, renewed, same_rules
from dalej.words import N_, readable
from moveclock import facts as k

SETTLES_MS: Final = 60_000  # a game that ended so long ago is hardly opened again
WHY: Final = "the settings changed"

RENEWED: Final = N_("table {table}: box {box} has the changed settings, from game {game} on")
NOT_RENEWED: Final = N_(
    "table {table}: box {box} keeps the settings it has: the box refuses the changed ones ({reason})"
)

Ask = Callable[[Line, str, Mapping[str, int | str], str], bool]


class Renewing:
    """All boxes of a desk. `ask` and `tell` as in `dalej.desk.evening.setup`."""

    def __init__(self, ledger: Ledger, places: Places, round_now: RoundNow, tell: Tell, ask: Ask) -> None:
        self._ledger = ledger
        self._places = places
        self._round = round_now
        self._tell = tell
        self._ask = ask
        self._asked: dict[str, TablePlan] = {}  # box -> what it was asked to be set up for anew
        self._ended: dict[str, tuple[tuple[int, int], int]] = {}  # box -> its last fact, and since when that is so
        self._played: dict[str, tuple[int, int, int]] = {}  # box at whose table nothing is left -> as in `_where`
        self._refused: set[int] = set()  # requests of which that was said
        self._judged: dict[int, tuple[int, bool]] = {}  # request -> reading of the round, and as in `_goes_by_them`

    def look(self, line: Line, place: BoxPlace, told: Told, since: int, now_ms: int) -> None:
        """A box that rests, has told everything and answered everything. `since`: the place in the ledger from which on
        it was set up for this round; WrongInput if what the event says of its table makes no settings.
        """
        has, last = (self._places.asked(line.box, CONFIGURE, since, result) for result in (APPLIED, None))
        if has is None or self._goes_by_them(place, has):
            if has is last:
                self._tell_renewed(line, place)
            return
        if last is not None and self._will_not(place, last):
            self._tell_refused(line, place, last)
        elif told.state != k.OVER or self._has_settled(line, told, now_ms):
            self._renew(line, place, told, has)

    def _goes_by_them(self, place: BoxPlace, asked: Asked) -> bool:
        """Whether the settings it was asked to take are those that count now."""
        known = self._judged.get(asked.request.id)
        if known is None or known[0] != self._round.version:
            wanted = self._round.settings(place.table, game_of(asked))
            same = wanted is None or same_rules(asked.request.args.get("settings"), wanted, game_of(asked))
            self._judged[asked.request.id] = known = (self._round.version, same)
        return known[1]

    def _will_not(self, place: BoxPlace, last: Asked) -> bool:
        """Whether the box was asked for just these settings, and refused them for good."""
        return last.result == REFUSED and last.reason not in OF_STATE and self._goes_by_them(place, last)

    def _has_settled(self, line: Line, told: Told, now_ms: int) -> bool:
        fact = (told.epoch, told.head)
        known = self._ended.get(line.box)
        if known is None or known[0] != fact:
            self._ended[line.box] = known = (fact, now_ms)
        return now_ms - known[1] >= SETTLES_MS

    def _renew(self, line: Line, place: BoxPlace, told: Told, has: Asked) -> None:
        where = (self._round.version, told.epoch, told.head)
        ruleset = self._round.ruleset
        if ruleset is None or self._played.get(line.box) == where:
            return
        plan = self._round.plan(place.table)
        if plan is None:
            self._played[line.box] = where
            return
        at = position(one.fact for one in self._places.facts(line.box, told.epoch))
        wanted = renewed(plan, ruleset, at)
        if (wanted["game"], wanted["settings"]) == (game_of(has), has.request.args.get("settings")):
            self._played[line.box] = where
            return
        self._asked[line.box] = plan
        self._ask(line, CONFIGURE, wanted, WHY)

    def _tell_renewed(self, line: Line, place: BoxPlace) -> None:
        """Once, if it was this process that asked for it."""
        plan = self._asked.pop(line.box, None)
        if plan is not None:
            self._tell("renewed", line, RENEWED, table=place.table, game=plan.first_game)

    def _tell_refused(self, line: Line, place: BoxPlace, last: Asked) -> None:
        if last.request.id not in self._refused:
            self._refused.add(last.request.id)
            self._asked.pop(line.box, None)
            self._tell("not_set_up", line, NOT_RENEWED, table=place.table, reason=last.reason)


RESTS: Final = (k.IDLE, k.READY, k.OVER)

SET_UP: Final = N_("table {table}: box {box} is set up for game {game}, seats {seats}")
TAKES_OVER: Final = N_(
    "table {table}: box {box} goes on with game {game}, move {move}, seat {seat}, {seconds} s left, bank {bank}; the "
    "clock stands until somebody holds Sędzia at the box for two seconds"
)
TAKES_OVER_LATE: Final = N_(
    "table {table}: box {box} goes on with game {game}, move {move} of seat {seat}, whose time was over; when somebody "
    "has held Sędzia at the box for two seconds, the table says what becomes of the move"
)
LAP_GOES_ON: Final = N_("table {table}: the final lap goes on at box {box}")
NOT_TAKEN_OVER: Final = N_(
    "table {table}: box {box} does not go on with game {game}, move {move}: {problem}; the referee sees to the table"
)
NOT_SET_UP: Final = N_("table {table}: box {box} was not set up: {problem}")
REFUSES: Final = N_("the box refuses it ({reason})")


class SetUp:
    """All boxes of a desk. `ask(line, command, args, why)`: whether the box is, or will be, asked."""

    def __init__(
        self,
        desk: Desk,
        places: Places,
        meetings: Meetings,
        own_games: OwnGames,
        round_now: RoundNow,
        tell: Tell,
        ask: Callable[[Line, str, Mapping[str, int | str], str], bool],
    ) -> None:
        self._desk = desk
        self._places = places
        self._meetings = meetings
        self._own_games = own_games
        self._round = round_now
        self._tell = tell
        self._ask = ask
        self._said: set[tuple[str, str, int]] = set()
        self._asked: dict[str, TablePlan] = {}  # box -> what it was asked to be set up for
        self._taking: dict[tuple[str, int], Unended] = {}  # box and assignment -> what it was asked to take over
        self._over: set[int] = set()  # assignments whose game was the box's own and has ended
        self._left: dict[str, tuple[int, int]] = {}  # box in a game that goes on -> as in `_done`
        self._done: dict[str, tuple[int, int]] = {}  # box -> assignment and seating that it is set up for
        self._renewing = Renewing(desk.ledger, places, round_now, tell, ask)

    def look(self, line: Line, place: BoxPlace, now_ms: int) -> None:
        """Ask what is to be asked of one box now; WrongInput if what the event says of its table makes no settings."""
        told = line.told
        if told is None or line.backlog or line.catch_up is not None or not self._desk.in_reach(line.uid):
            return
        given = self._meetings.assignment(place, told.epoch)
        if given is None or self._desk.is_asked(line.uid) or self._plays_on(line, given):
            return
        game = None if given.baseline.game is None else self._to_go_on_with(line, place, given)
        if game is not None:
            self._take_over(line, place, given, game)
        elif not self._round.seats(place.table):
            pass
        elif self._done.get(line.box) != (given.cursor, self._round.seated):
            self._configure(line, place, given)
        elif _rests(line) and not _is_old(line):
            self._renewing.look(line, place, told, max(given.cursor, self._round.seated), now_ms)

    def cannot(self, line: Line, place: BoxPlace, problem: DalejError) -> None:
        """What the event says of the table makes no settings."""
        self._say_once("not_set_up", line, self._round.seated, NOT_SET_UP, table=place.table, problem=problem)

    # --- a spare box -----

    def _to_go_on_with(self, line: Line, place: BoxPlace, given: Assigned) -> Unended | None:
        """The table's game that the box has not taken over yet; None if it has, or refused to, or has not answered, or
        if there is no such game any more.
        """
        asked = self._places.asked(line.box, "take_over", given.cursor)
        if asked is not None and asked.result in (APPLIED, REFUSED):
            self._tell_taken(line, place, given, asked)
        if (asked is not None and asked.result != NO_LINK) or self._was_said("nothing_known", line, given.cursor):
            return None
        if self._is_over(line, place, given):
            return None
        game = self._meetings.game_before(place)
        if game is None and _rests(line):
            self._say_once("nothing_known", line, given.cursor, NOTHING_KNOWN, table=place.table)
        return game

    def _is_over(self, line: Line, place: BoxPlace, given: Assigned) -> bool:
        """Whether that game was the box's own and has ended there; then nothing makes it undone."""
        if _rests(line) and given.cursor not in self._over and self._own_games.is_over(place, given):
            self._over.add(given.cursor)
        return given.cursor in self._over

    def _take_over(self, line: Line, place: BoxPlace, given: Assigned, game: Unended) -> None:
        ruleset = self._round.ruleset
        asked = self._places.asked(line.box, "configure", given.cursor)
        if ruleset is None or (asked is not None and asked.is_open):
            return
        if asked is not None and asked.result == REFUSED:
            self._refused(line, place, given.cursor, asked)
        elif not self._has_room(line, place, given):
            pass
        elif asked is None or asked.result == NO_LINK:
            wanted = configured(ruleset, game.seats, game.starter, game.game)
            self._ask(line, "configure", wanted, "a spare box takes over")
        else:
            decided = as_decided(game, given.baseline)
            self._taking[line.box, given.cursor] = decided
            self._ask(line, "take_over", decided.arguments(), "a spare box takes over")

    def _tell_taken(self, line: Line, place: BoxPlace, given: Assigned, asked: Asked) -> None:
        """Once, if it was this process that asked for it."""
        game = self._taking.pop((line.box, given.cursor), None)
        if game is None:
            return
        at = {"table": place.table, "game": game.game, "move": game.move, "seat": SEATS[game.seat]}
        if asked.result != APPLIED:
            self._tell("not_set_up", line, NOT_TAKEN_OVER, **at, problem=_problem(asked))
            return
        if game.more.late:
            self._tell("takes_over", line, TAKES_OVER_LATE, **at)
        else:
            seconds = game.remaining_ms // 1000
            self._tell("takes_over", line, TAKES_OVER, **at, seconds=seconds, bank=game.bank)
        if game.more.lap_reason is not None:
            self._tell("takes_over", line, LAP_GOES_ON, table=place.table)

    # --- the next game -----

    def _configure(self, line: Line, place: BoxPlace, given: Assigned) -> None:
        seated = self._round.seated
        since = max(given.cursor, seated)
        asked = self._places.asked(line.box, "configure", since)
        if self._places.asked(line.box, "configure", since, APPLIED) is not None:
            self._done[line.box] = (given.cursor, seated)
            self._tell_set_up(line, place)
        elif asked is not None and asked.result == REFUSED and asked.reason not in OF_STATE:
            self._refused(line, place, since, asked)
        elif asked is not None and asked.is_open:
            pass
        else:
            self._configure_now(line, place, given)

    def _configure_now(self, line: Line, place: BoxPlace, given: Assigned) -> None:
        plan, ruleset = self._round.plan(place.table), self._round.ruleset
        if plan is None or ruleset is None:  # everything is played there
            settled = self._done if _rests(line) else self._left
            settled[line.box] = (given.cursor, self._round.seated)
            return
        wanted = configuration(plan, ruleset)
        if self._has_room(line, place, given):
            self._tell_lost(line, place, given)
            self._asked[line.box] = plan
            self._ask(line, "configure", wanted, "the round is seated")

    def _tell_set_up(self, line: Line, place: BoxPlace) -> None:
        """Once, if it was this process that asked for it."""
        plan = self._asked.pop(line.box, None)
        if plan is not None:
            self._tell("set_up", line, SET_UP, table=place.table, game=plan.first_game, seats=plan.seats)

    def _tell_lost(self, line: Line, place: BoxPlace, given: Assigned) -> None:
        """That the box begins a new game, unless it had one of its own till now."""
        if self._meetings.is_lost(given) and not self._was_said("busy", line, max(given.cursor, self._round.seated)):
            self._say_once("nothing_known", line, given.cursor, NOTHING_KNOWN, table=place.table)

    # --- a game that is in the way -----

    def _plays_on(self, line: Line, given: Assigned) -> bool:
        """Whether the box is in a game that was found to go on."""
        return self._left.get(line.box) == (given.cursor, self._round.seated) and not _rests(line)

    def _has_room(self, line: Line, place: BoxPlace, given: Assigned) -> bool:
        """Whether the box may be set up now. A game that it is in is ended first, or goes on, and either is said."""
        if _rests(line):
            game = self._own_games.in_the_way(place, given)
            if game is not None:
                self._meetings.begin_again(place, given, game)
            return game is None
        since = max(given.cursor, self._round.seated)
        asked = self._places.asked(line.box, "end_game", since)
        if asked is not None and asked.result == REFUSED and asked.reason not in OF_STATE:
            self._refused(line, place, since, asked)
            return False
        if (asked is not None and asked.is_open) or _is_old(line):
            return False
        verdict = self._own_games.verdict(place, given, line.told)
        self._say_verdict(line, place, since, verdict)
        if verdict.ends:
            self._ask(line, "end_game", {}, "it is in the way of the table's game")
        else:
            self._left[line.box] = (given.cursor, self._round.seated)
        return False

    def _say_verdict(self, line: Line, place: BoxPlace, since: int, verdict: Verdict) -> None:
        kind = "ends_own_game" if verdict.ends else "busy"
        by = readable(self._places.called(verdict.by)) if verdict.by else ""
        at = {"table": place.table, "other": verdict.other, "game": verdict.game, "by": by}
        self._say_once(kind, line, since, verdict.template, hint=verdict.hint(place), **at)

    def _refused(self, line: Line, place: BoxPlace, since: int, asked: Asked) -> None:
        self._say_once("not_set_up", line, since, NOT_SET_UP, table=place.table, problem=_problem(asked))

    def _was_said(self, kind: str, line: Line, since: int) -> bool:
        return (kind, line.box, since) in self._said

    def _say_once(
        self, kind: str, line: Line, since: int, template: str, *, hint: DalejError | None = None, **data: object
    ) -> None:
        if not self._was_said(kind, line, since):
            self._said.add((kind, line.box, since))
            self._tell(kind, line, template, hint=hint, **data)


def _rests(line: Line) -> bool:
    """Whether the box is in no game, as it said last."""
    return line.told is not None and line.told.state in RESTS


def _is_old(line: Line) -> bool:
    """Whether the event has later facts of the box than what it said of itself last."""
    told = line.told
    return told is not None and told.epoch == line.stored[0] and told.head < line.stored[1]


def _problem(asked: Asked) -> DalejError:
    return DalejError(REFUSES, reason=asked.reason)
