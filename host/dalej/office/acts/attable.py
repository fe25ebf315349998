"""Where a table stands by what its box has told, and the one way in which its box is asked for anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from dalej.domain.game import commands
from dalej.domain.game.facts import COMMANDS
from dalej.domain.game.positions import Position
from dalej.domain.game.sentences import COMMANDS as COMMAND_WORDS
from dalej.domain.game.sentences import instant
from dalej.errors import DalejError, Refused, Sayable, Unreachable
from dalej.event.event import Event
from dalej.event.ledger import NO_LINK, SENT, AskedAlready, Json, Reported, Request
from dalej.event.reading import Reading
from dalej.event.tables import Tables
from dalej.office.acts.act import About, Act, Asked, Count, Table
from dalej.office.acts.roles import REFEREES, Role
from dalej.office.acts.wishes import Done, Wish, done
from dalej.words import N_
from moveclock import facts as k
from moveclock.clock import ORDERS

GoesOn = Annotated[bool, Asked("flag", N_("the clock goes on at once"))]
_GOES_ON: Final = N_("{said} The clock goes on with that.")
PLAYS: Final = (k.RUNNING, k.EXPIRED, k.STOPPED)
LATELY_MS: Final = 30_000  # within this an unanswered command of the same kind is still under way
_LOOK_BACK: Final = 200  # entries
STATES: Final[Mapping[str, frozenset[int]]] = {
    COMMANDS[number]: frozenset(state for command, states, *_ in ORDERS if command == number for state in states)
    for number, *_ in ORDERS
}
OTHER_GAME: Final = ("start", "end_game", "reopen", "redeal", "next_game", "take_over")
ANY: Final = tuple(STATES)  # after which a table stands otherwise


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table with a box (hex uid). `at`: where it stands by its newest journal's facts; `last_ms`: Unix time of the
    latest of them, None: not known; `ours`: the game that it is in was dealt at this table.
    """

    table: int
    box: str
    at: Position
    facts: tuple[Reported, ...]
    ours: bool

    @property
    def plays(self) -> bool:
        """Whether a game of this table is under way."""
        return self.ours and self.at.state in PLAYS and bool(self.at.move)

    def left_ms(self, now_ms: int) -> int | None:
        """What is left of the move at Unix time `now_ms`; None: not known, or its time is over."""
        at = self.at
        if at.state == k.EXPIRED or at.late or at.left_ms is None:
            return None
        last = next((one.wall_ms for one in reversed(self.facts) if one.fact.uptime_ms == at.at_ms), None)
        passed = 0 if not at.runs or last is None else max(0, now_ms - last)
        return max(0, at.left_ms - passed)


def table_now(event: Event, table: int) -> TableNow:
    """That table; Refused, with what can be done instead, if no box stands there."""
    found = table_at(event.read(), table)
    if found is None:
        raise Refused(
            N_("table {table} has no box: tell the table itself; a ruling is entered with game and seat, a result on "
               "its sheet"),
            table=table,
        )  # fmt: skip
    return found


def table_at(reading: Reading, table: int) -> TableNow | None:
    """The same; None if no box stands there."""
    event = reading.fold(Tables)
    box = event.boxes.box_of.get(table)
    return None if box is None else _now(event, table, box)


def tables_now(reading: Reading) -> list[TableNow]:
    """Every table with a box, by number."""
    event = reading.fold(Tables)
    return [_now(event, table, box) for table, box in sorted(event.boxes.box_of.items())]


def expect_unmoved(now: TableNow, game: int | None, move: int | None) -> None:
    """Refused, naming where the table is, if it is no more where the person saw it."""
    at = now.at
    if move is not None and (move != at.move or game not in (None, at.game)):
        raise Refused(
            N_("table {table} is in move {move} of game {game} by now: look at it again"),
            table=now.table, move=at.move, game=at.game,
        )  # fmt: skip
    if game is not None and game != at.game:
        raise Refused(N_("table {table} is in game {game} by now: look at it again"), table=now.table, game=at.game)


def stops_on_their_way(reading: Reading) -> list[Request]:
    """Stops and resumes that boxes have not answered, in the order in which they were asked and will be obeyed. What
    was sent ahead for an instant to come is another matter.
    """
    return [one for one in reading.open_requests() if one.command in ("stop", "resume") and "at_ms" not in one.args]


def last_of(now: TableNow, asked: Sequence[Request]) -> Request | None:
    """The last of them that is for the box of that table."""
    return next((one for one in reversed(asked) if one.table == now.table and one.box in (None, now.box)), None)


def stands_on(now: TableNow, last: Request | None) -> bool:
    """Whether its clock stands and nobody has asked its box to let it go on. `last`: what is on its way."""
    return now.at.state == k.STOPPED and (last is None or last.command == "stop")


def expect_settled(event: Event, now: TableNow, commands: Sequence[str]) -> None:
    """Unreachable, in words, as long as its box has not answered one of those commands: where the table will stand by
    then nobody can tell. What comes of it is known soon, so it may be tried again.
    """
    for one in event.read().open_requests():
        here = one.table == now.table and one.box in (None, now.box)
        if here and one.command in commands and "at_ms" not in one.args:
            raise Unreachable(
                N_("table {table}: its box has not answered yet ({command}): wait until it has, then try again"),
                table=now.table, command=DalejError(COMMAND_WORDS[one.command]),
            )  # fmt: skip


def expect_can(now: TableNow, command: str) -> None:
    """Refused, with what has to be done first, if the box would refuse it for where its table stands."""
    allowed, state = STATES.get(command), now.at.state
    if allowed is None or state is None:
        return
    if not now.ours:
        raise Refused(N_("table {table}: its box has begun nothing at this table yet"), table=now.table)
    if state in allowed:
        return
    if state in (k.RUNNING, k.EXPIRED) and k.STOPPED in allowed:
        raise Refused(N_("table {table} plays: stop its clock first"), table=now.table)
    if state in PLAYS:
        raise Refused(N_("table {table}: game {game} is under way"), table=now.table, game=now.at.game)
    if state == k.OVER:
        raise Refused(N_("table {table}: game {game} is over"), table=now.table, game=now.at.game)
    raise Refused(N_("table {table}: no game is under way"), table=now.table)


def ask(
    event: Event,
    now: TableNow,
    command: str,
    args: Mapping[str, Json],
    why: str,
    *,
    alone: bool = True,
    at: tuple[int, int] | None = None,
) -> int:
    """The id of the request. Unreachable, naming who and when, if the same was asked and is not answered yet; of one
    that need not be `alone` too, another step may ask for it. `at`: the game and the move that are meant, None: where
    the table stands.
    """
    game, move = at or (now.at.game, now.at.move)
    guard = None
    if command in commands.GUARDED_BY_MOVE and game:
        guard = game, move
    elif command in commands.GUARDED_BY_GAME and game:
        guard = game, 0
    try:
        asked = event.ledger.request(
            now.table, command, args, who=event.who, at_ms=event.wall_ms(), why=why, box=now.box, guard=guard,
            unless_open_ms=LATELY_MS if alone else None,
        )  # fmt: skip
    except AskedAlready as already:
        raise _asked_already(already.request) from already
    return asked.id


def expect_not_asked(event: Event, now: TableNow, command: str) -> None:
    """Unreachable if it is under way; what was sent ahead with an instant is another matter."""
    now_ms = event.wall_ms()
    for one in event.read().open_requests():
        same = (one.table, one.command) == (now.table, command) and one.box in (None, now.box)
        if same and "at_ms" not in one.args and now_ms - one.at_ms < LATELY_MS:
            raise _asked_already(one)


def _asked_already(one: Request) -> Unreachable:
    return Unreachable(
        N_("table {table}: {who} has asked for it already, {when} ({command}); its box has not answered yet"),
        table=one.table, who=one.who, when=instant(one.at_ms), command=DalejError(COMMAND_WORDS[one.command]),
    )  # fmt: skip


def asked(
    event: Event, now: TableNow, template: str, requests: Sequence[int], undo: Wish | None = None, *,
    goes_on: bool = False, **data: Sayable,
) -> Done:  # fmt: skip
    """What was asked, in words; and whether it may not get through just now. `goes_on`: and the clock with it."""
    if goes_on:
        template, data = _GOES_ON, {**data, "said": DalejError(template, **{"table": now.table, **data})}
    first = DalejError(template, **{"table": now.table, **data})
    hint = _hint(event, now.table)
    if hint is None:
        return Done(template, {"table": now.table, **data}, (), tuple(requests), undo)
    return done("{said} {hint}", requests=requests, undo=undo, said=first, hint=hint)


def going_on(event: Event, now: TableNow, why: str) -> list[int]:
    """Its box is asked to let the clock go on, right behind what it was asked just before; [] if the clock runs."""
    stands = now.plays and now.at.state == k.STOPPED
    return [ask(event, now, "resume", {}, why, alone=False)] if stands else []


def _hint(event: Event, table: int) -> DalejError | None:
    if event.ledger.lease.holder(event.wall_ms()) is None:
        return DalejError(N_("No desk holds the links now: it is sent when one does."))
    reading = event.read()
    lately = [one for one in reading.asked() if one.request.table == table]
    told = [became for one in lately for became in one.outcomes if became.cursor > reading.head - _LOOK_BACK]
    ended = sorted((became.cursor, became.result) for became in told if became.result != SENT)
    if ended and ended[-1][1] == NO_LINK:
        return DalejError(
            N_("There was no link to its box last time: the desk tries for a while, and says so if none comes.")
        )
    return None


def _now(event: Tables, table: int, box: str) -> TableNow:
    journal = event.latest(box)
    if journal is None:
        return TableNow(table, box, Position(), (), ours=True)
    at, ours = deepcopy(journal.position), True
    if at.dealt_seq and event.boxes.counted(box, at.epoch):
        ours = event.boxes.table_of_fact(box, at.epoch, at.dealt_seq) == table
    return TableNow(table, box, at, tuple(journal.facts), ours)


class AtTable(Act, frozen=True, kw_only=True):
    """An act on a table."""

    about: ClassVar[About] = "table"
    keeps_why: ClassVar[bool] = True
    roles: ClassVar[frozenset[Role]] = REFEREES
    table: Table


class ToBox(AtTable, frozen=True, kw_only=True):
    """What the box of a table is asked for. `command`: as in `dalej.domain.game.facts.COMMANDS`; `game`, `move`: where
    the person saw the table.
    """

    command: ClassVar[str]
    game: Count | None = None
    move: Count | None = None

    @classmethod
    def states(cls) -> frozenset[int]:
        """As the box says."""
        return STATES.get(cls.command, frozenset())

    def meant(self, event: Event, *, stops: bool = False) -> TableNow:
        """The table, where the person saw it, and in a state in which its box obeys; `stops`: a clock that runs is
        stopped first.
        """
        now = table_now(event, self.table)
        expect_not_asked(event, now, self.command)
        expect_settled(event, now, OTHER_GAME)
        expect_unmoved(now, self.game, self.move)
        if not (stops and now.plays):
            expect_can(now, self.command)
        return now
