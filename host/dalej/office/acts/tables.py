"""Where a table stands by what its box has told, and the one way in which its box is asked for anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dalej.domain.game import commands
from dalej.domain.game.facts import COMMANDS
from dalej.domain.game.positions import Position, position
from dalej.domain.game.sentences import COMMANDS as COMMAND_WORDS
from dalej.domain.game.sentences import instant
from dalej.errors import DalejError, Refused, Unreachable
from dalej.event import eventlog
from dalej.event.boxplaces import BoxTables
from dalej.event.event import Event
from dalej.event.ledger import NO_LINK, SENT, AskedAlready, Json, Ledger, Outcome, Reported, Request
from dalej.office.acts.wishes import Args, Done, Wish, done
from dalej.words import N_
from moveclock import facts as k
from moveclock.clock import ORDERS

PLAYS: Final = (k.RUNNING, k.EXPIRED, k.STOPPED)
LATELY_MS: Final = 30_000  # within this an unanswered command of the same kind is still under way
_RECENT: Final = 2_400  # entries: forty of each of sixty tables, some ten moves
_LOOK_BACK: Final = 200  # entries
_STATES: Final[Mapping[str, frozenset[int]]] = {
    COMMANDS[number]: frozenset(state for command, states, *_ in ORDERS if command == number for state in states)
    for number, *_ in ORDERS
}
OTHER_GAME: Final = ("start", "end_game", "reopen", "redeal", "next_game", "take_over")
ANY: Final = tuple(_STATES)  # after which a table stands otherwise


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
    found = table_at(event.ledger, table)
    if found is None:
        raise Refused(
            N_("table {table} has no box: tell the table itself; a ruling is entered with game and seat, a result on "
               "its sheet"),
            table=table,
        )  # fmt: skip
    return found


def table_at(ledger: Ledger, table: int) -> TableNow | None:
    """The same; None if no box stands there."""
    decided = eventlog.boxes_and_tables(ledger)
    box = _box_on(ledger, decided, table)
    return None if box is None else _read(ledger, decided, table, box)


def tables_now(ledger: Ledger) -> list[TableNow]:
    """Every table with a box, by number; of a long day only the last part is read where that says how a table stands,
    because a hall that is to stop does not wait.
    """
    after = max(0, ledger.head() - _RECENT)
    decided = eventlog.boxes_and_tables(ledger)
    boxes = ((table, _box_on(ledger, decided, table)) for table in sorted(eventlog.with_box(ledger)))
    return [_read(ledger, decided, table, box, after) for table, box in boxes if box is not None]


def expect_unmoved(now: TableNow, wish: Wish) -> None:
    """Refused, naming where the table is, if it is no more where the person saw it (`game`, `move` of the wish)."""
    args = Args(wish)
    game, move = args.maybe("game"), args.maybe("move")
    at = now.at
    if move is not None and (move != at.move or game not in (None, at.game)):
        raise Refused(
            N_("table {table} is in move {move} of game {game} by now: look at it again"),
            table=now.table, move=at.move, game=at.game,
        )  # fmt: skip
    if game is not None and game != at.game:
        raise Refused(N_("table {table} is in game {game} by now: look at it again"), table=now.table, game=at.game)


def stops_on_their_way(ledger: Ledger) -> list[Request]:
    """Stops and resumes that boxes have not answered, in the order in which they were asked and will be obeyed. What
    was sent ahead for an instant to come is another matter.
    """
    return [one for one in ledger.open_requests() if one.command in ("stop", "resume") and "at_ms" not in one.args]


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
    for one in event.ledger.open_requests():
        here = one.table == now.table and one.box in (None, now.box)
        if here and one.command in commands and "at_ms" not in one.args:
            raise Unreachable(
                N_("table {table}: its box has not answered yet ({command}): wait until it has, then try again"),
                table=now.table, command=DalejError(COMMAND_WORDS[one.command]),
            )  # fmt: skip


def expect_can(now: TableNow, command: str) -> None:
    """Refused, with what has to be done first, if the box would refuse it for where its table stands."""
    allowed, state = _STATES.get(command), now.at.state
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
    ledger, now_ms = event.ledger, event.wall_ms()
    for one in ledger.open_requests():
        same = (one.table, one.command) == (now.table, command) and one.box in (None, now.box)
        if same and "at_ms" not in one.args and now_ms - one.at_ms < LATELY_MS:
            raise _asked_already(one)


def _asked_already(one: Request) -> Unreachable:
    return Unreachable(
        N_("table {table}: {who} has asked for it already, {when} ({command}); its box has not answered yet"),
        table=one.table, who=one.who, when=instant(one.at_ms), command=DalejError(COMMAND_WORDS[one.command]),
    )  # fmt: skip


def asked(
    event: Event, now: TableNow, template: str, requests: Sequence[int], undo: Wish | None = None, **data: Any
) -> Done:
    """What was asked, in words; and whether it may not get through just now."""
    first = DalejError(template, **{"table": now.table, **data})
    hint = _hint(event, now.table)
    if hint is None:
        return done(template, requests=requests, undo=undo, **{"table": now.table, **data})
    return done("{said} {hint}", requests=requests, undo=undo, said=first, hint=hint)


def _hint(event: Event, table: int) -> DalejError | None:
    ledger = event.ledger
    if ledger.lease.holder(event.wall_ms()) is None:
        return DalejError(N_("No desk holds the links now: it is sent when one does."))
    entries = ledger.since(max(0, ledger.head() - _LOOK_BACK), _LOOK_BACK)
    mine = {one.id for one in entries if isinstance(one, Request) and one.table == table}
    told = [one.result for one in entries if isinstance(one, Outcome) and one.request in mine and one.result != SENT]
    if told and told[-1] == NO_LINK:
        return DalejError(
            N_("There was no link to its box last time: the desk tries for a while, and says so if none comes.")
        )
    return None


def _box_on(ledger: Ledger, decided: BoxTables, table: int) -> str | None:
    on = decided.on_tables.get(table)
    if on is not None:
        return on
    if table not in eventlog.with_box(ledger):
        return None
    return next((box for box, at in eventlog.tables(ledger).items() if at == table), None)


def _read(ledger: Ledger, decided: BoxTables, table: int, box: str, after: int = 0) -> TableNow:
    streams = ledger.boxes(box)
    facts = tuple(ledger.facts(box, streams[-1].epoch, after=after)) if streams else ()
    at = position(one.fact for one in facts)
    if after and at.state is None:
        return _read(ledger, decided, table, box)
    ours = True
    if at.dealt_seq and decided.counted(box, at.epoch):
        ours = decided.table_of_fact(box, at.epoch, at.dealt_seq) == table
    return TableNow(table, box, at, facts, ours)
