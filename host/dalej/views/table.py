"""How a table stands, by its facts and by what the desk heard of its box, whichever is newer; its turns as people
read them and what they cost.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from dalej.domain.game.calls import Call
from dalej.domain.game.facts import END_REASONS, STATES, STOP_REASONS
from dalej.domain.game.heard import Told
from dalej.domain.game.positions import Position
from dalej.domain.game.rulings import FactKey, GameRulings
from dalej.domain.game.turns import Turn
from dalej.domain.rules.rulesets import Ruleset
from dalej.event.boxplaces import BoxTables, Stay
from dalej.event.journal import Journal
from dalej.event.people import Names
from dalej.event.tables import Tables
from dalej.views.rows import AlertKind, SeenTurn
from dalej.words import readable, who_said
from moveclock import clock as box_clock
from moveclock import facts as k

LAG_MOST: Final = 255

# The alarms of a box and what waits for a person then; what is more urgent hides the rest of them.
_ALARMS: Final[dict[int, AlertKind]] = {
    box_clock.POWER_LOST: "power_lost",
    box_clock.TIME_OUT_WAITS: "time_out",
    box_clock.CALLED: "referee",
    box_clock.DISPUTED: "dispute",
    box_clock.CLAIMED: "early_click",
}
_RANK: Final = {kind: alarm for alarm, kind in _ALARMS.items()}
_WHY: Final = {
    box_clock.POWER_LOST: k.BOX_LOST_POWER, box_clock.DISPUTED: k.DISPUTE, box_clock.CLAIMED: k.EARLY_CLICK,
}  # fmt: skip
_TIMED: Final = (k.RUNNING, k.EXPIRED, k.STOPPED)


@dataclass(frozen=True, slots=True)
class Wait:
    """What waits for a person since `since_ms`: urgent from `urgent_ms` on, over at `until_ms`; None: never.

    `told`: the fact that tells of it, as box, epoch and seq; None: no fact does yet.
    """

    kind: AlertKind
    seat: int
    move: int
    since_ms: int
    urgent_ms: int | None
    until_ms: int | None
    stopped: bool
    denied: bool = False
    told: FactKey | None = None


@dataclass(slots=True)
class Stand:
    """One table until something new is known. Instants are on the screen's clock; numbers are those of `moveclock`.

    `left_ms` is left at `at_ms`, in `expired` minus the overrun; it falls from there if `falls`. `ahead`: the box is
    further than its facts; then it has `told` of so many in that epoch.
    """

    state: int | None = None
    reason: int | None = None
    seat: int = k.NOBODY
    game: int = 0
    move: int = 0
    bank: int | None = None
    limit_ms: int | None = None
    left_ms: int | None = None
    at_ms: int | None = None
    falls: bool = False
    ahead: bool = False
    seats: int = 0
    out: int = 0
    final_lap: bool = False
    lag: int = 0
    told: tuple[int, int] | None = None
    waits: tuple[Wait, ...] = field(default=())

    @property
    def move_at_least(self) -> bool:
        """Whether the move may be a later one."""
        return self.ahead and self.state in (*_TIMED, k.OVER)

    @property
    def state_name(self) -> str:
        """One of STATES, or "unknown"."""
        return STATES[self.state] if self.state is not None and self.state < len(STATES) else "unknown"

    @property
    def reason_name(self) -> str | None:
        """Why the clock stands or the game is over."""
        names = {k.STOPPED: STOP_REASONS, k.OVER: END_REASONS}.get(-1 if self.state is None else self.state, ())
        return names[self.reason] if self.reason is not None and self.reason < len(names) else None

    def left(self, now_ms: int) -> int | None:
        """What is left then; never below 0 while nobody has said that the time ran out."""
        left = self.left_ms
        if left is not None and self.falls and self.at_ms is not None:
            left -= max(0, now_ms - self.at_ms)
        return left if left is None or self.state == k.EXPIRED else max(0, left)


def stand(
    log: Journal | None, told: Told | None, stay: Stay | None, alarm_ms: int, ruleset: Ruleset, wall_ahead_ms: int
) -> Stand:
    """How a table stands. `stay`: what its box tells of it; `alarm_ms`: since when the box has been saying its alarm.

    A box that has told of no game at this table is there and not set up: what it says of itself is of the table, or of
    the evening, before. Where it is to go on with a game, that stands as it was decided.
    """
    if log is None:
        if told is not None and stay is not None and not stay.since:
            return _heard_only(told, alarm_ms)
        return Stand() if told is None and stay is None else _not_set_up(told, stay)
    position = log.here
    if position is None:
        found = _not_set_up(told, stay)
        found.lag = _lag(told, log.top)
        found.waits = tuple(_wait(log, position, call, found, ruleset, wall_ahead_ms) for call in log.calls())
        return found
    found = Stand(
        position.state, position.reason, position.seat, position.game, position.move, position.bank, position.limit_ms,
        seats=position.seats, out=position.out, final_lap=position.lap_reason is not None, lag=_lag(told, log.top),
    )  # fmt: skip
    if told is not None and found.lag:
        found.told = told.epoch, told.head
        _overtaken(found, told)
        _told_time(found, told)
        found.waits = _overtaken_waits(log, position, found, told, alarm_ms, ruleset, wall_ahead_ms)
        return found
    if told is not None and told.head == log.top and told.left_ms is not None:
        _told_time(found, told)
    else:
        _own_time(found, log, position, wall_ahead_ms)
    found.waits = tuple(
        _wait(log, position, call, found, ruleset, wall_ahead_ms)
        for call in log.calls()
        if call.kind != "time_out" or ruleset.on_expiry == "hold"
    )
    if not found.waits and (found.state, found.reason) == (k.STOPPED, k.REFEREE):
        found.waits = (_standing(log, position, wall_ahead_ms),)
    return found


def _standing(log: Journal, position: Position, wall_ahead_ms: int) -> Wait:
    """Nobody waits for an answer, and the clock stands since that fact: somebody has to let it go on. Its `told` is the
    claim of the same move, of which the answer may have been taken back.
    """
    since = _date(log, position.boot, position.at_ms, position.seq, wall_ahead_ms)
    of_game = takewhile(lambda one: one.fact.game == position.game, reversed(log.facts))
    claims = (one.fact for one in of_game if one.fact.kind == k.RESTART_CLAIMED and one.fact.move == position.move)
    claim = next(claims, None)
    told = None if claim is None else (log.box, log.epoch, claim.seq)
    return Wait("stands", position.seat, position.move, since, None, None, stopped=True, told=told)


def _lag(told: Told | None, top: int) -> int:
    return 0 if told is None else min(LAG_MOST, max(0, told.head - top))


def _not_set_up(told: Told | None, stay: Stay | None) -> Stand:
    """A box that has told nothing of its table, or not yet of a game there."""
    given = None if stay is None else stay.goes_on
    found = Stand(k.IDLE)
    if given is not None:
        found = Stand(
            k.STOPPED, None, k.NOBODY if given.seat is None else given.seat, given.game or 0, given.move or 0,
            given.bank, left_ms=given.remaining_ms,
        )  # fmt: skip
    found.lag = 0 if stay is None else _lag(told, stay.since)
    return found


# --- time -----


def _told_time(found: Stand, told: Told) -> None:
    if found.state in _TIMED and told.left_ms is not None:
        found.left_ms = -told.left_ms if found.state == k.EXPIRED else told.left_ms
        found.at_ms = told.at_ms
        found.falls = found.state != k.STOPPED


def _own_time(found: Stand, log: Journal, position: Position, wall_ahead_ms: int) -> None:
    if found.state in _TIMED:
        left = position.left_at(position.at_ms)
        found.left_ms = left if left is None or found.state == k.EXPIRED else max(0, left)
        found.at_ms = log.dates.at(position.boot, position.at_ms, wall_ahead_ms)
        found.falls = position.runs and found.at_ms is not None


# --- a box that is ahead of its facts -----


def _heard_only(told: Told, alarm_ms: int) -> Stand:
    found = Stand(lag=min(LAG_MOST, told.head if told.backlog is None else told.backlog))
    found.told = (told.epoch, told.head) if found.lag else None
    _overtaken(found, told)
    _told_time(found, told)
    kind = _ALARMS.get(told.alarm)
    if kind is not None:
        found.waits = (Wait(kind, told.seat, _its_move(found), alarm_ms, alarm_ms, None, told.state == k.STOPPED),)
    return found


def _its_move(found: Stand) -> int:
    """0 where the box has played on since its last fact: nobody says a number then that may be an earlier move's."""
    return 0 if found.move_at_least else found.move


def _overtaken(found: Stand, told: Told) -> None:
    if told.game is not None and told.game != found.game:
        found.game, found.move = told.game, 0
    if told.state != found.state:
        found.reason = None
    if told.state == k.STOPPED and told.alarm in _WHY:
        found.reason = _WHY[told.alarm]
    found.ahead = told.move is None
    if told.move is not None:
        found.move = told.move
    elif told.state in (k.IDLE, k.READY):
        found.move = 0
    if told.bank is not None:
        found.bank = told.bank
    elif told.state == k.READY and found.state != k.READY:
        found.bank = None  # the tiles were dealt anew, nobody knows to how many
    found.state, found.seat = told.state, told.seat
    found.left_ms, found.falls = None, False


def _overtaken_waits(
    log: Journal,
    position: Position,
    found: Stand,
    told: Told,
    alarm_ms: int,
    ruleset: Ruleset,
    wall_ahead_ms: int,
) -> tuple[Wait, ...]:
    """What the facts say and the box does not contradict, and what its alarm adds."""
    alarm = _ALARMS.get(told.alarm)
    waits = [
        _wait(log, position, call, found, ruleset, wall_ahead_ms)
        for call in log.calls()
        if call.kind == alarm or _may_still_wait(call, position, told)
    ]
    if told.state == k.EXPIRED and ruleset.on_expiry == "hold":
        alarm = alarm or "time_out"
    if alarm is not None and all(wait.kind != alarm for wait in waits):
        since = alarm_ms
        if alarm == "time_out" and found.left_ms is not None and found.at_ms is not None:
            since = found.at_ms + found.left_ms
        urgent = None if alarm == "power_lost" else since
        if alarm == "time_out" and told.alarm != box_clock.TIME_OUT_WAITS:
            urgent = since + ruleset.alert_after_ms
        waits.append(Wait(alarm, told.seat, _its_move(found), since, urgent, None, told.state == k.STOPPED))
    return tuple(waits)


def _may_still_wait(call: Call, position: Position, told: Told) -> bool:
    if call.kind == "time_out":
        return told.seat == position.seat and told.state in (k.EXPIRED, k.STOPPED)
    if call.kind == "power_lost" or call.denied:
        return told.state == k.STOPPED
    if call.urgent:
        return _RANK[call.kind] < told.alarm
    return told.seat == position.seat and told.state in (k.RUNNING, k.STOPPED)


# --- what waits -----


def _wait(
    log: Journal, position: Position | None, call: Call, found: Stand, ruleset: Ruleset, wall_ahead_ms: int
) -> Wait:
    since = _date(log, call.boot, call.at_ms, call.seq, wall_ahead_ms)
    urgent = since if call.urgent else None
    until = None
    if call.kind == "time_out" and position is not None:
        urgent = _urgent_from(position, found, ruleset, since)
    elif call.kind == "early_click" and not call.urgent:
        until = _reaches(found, (found.limit_ms or 0) - ruleset.claim_window_ms)
    told = (log.box, log.epoch, call.seq)
    return Wait(call.kind, call.seat, call.move, since, urgent, until, call.stopped, call.denied, told)


def _date(log: Journal, boot: int, at_ms: int, seq: int, wall_ahead_ms: int) -> int:
    """When that fact was, as exactly as is known."""
    found = log.dates.at(boot, at_ms, wall_ahead_ms)
    if found is None:
        reported = log.reported(seq)
        found = 0 if reported is None else reported.received_ms - wall_ahead_ms
    return found


def _urgent_from(position: Position, found: Stand, ruleset: Ruleset, since: int) -> int | None:
    """When the table has taken too long over its verdict; time in which the clock stands does not count."""
    if found.state == k.EXPIRED:
        known = found.left_ms is not None
        return _reaches(found, -ruleset.alert_after_ms) if known else since + ruleset.alert_after_ms
    return since if (position.over_ms or 0) >= ruleset.alert_after_ms else None


def _reaches(found: Stand, left_ms: int) -> int | None:
    """The instant at which so much is left; None if the clock stands before."""
    if found.left_ms is None or found.at_ms is None:
        return None
    if found.left_ms <= left_ms:
        return found.at_ms
    return found.at_ms + found.left_ms - left_ms if found.falls else None


NOT_COUNTED: Final = -1

Penalties = tuple[int, int, int, int]

NO_PENALTIES: Final[Penalties] = (0, 0, 0, 0)


def seen_turns(tables: Tables, table: int, game: int | None = None) -> list[SeenTurn]:
    """Every turn that was made at the table, or those of its last game if that has this number, oldest first."""
    games = tables.games(table) if game is None else tables.games(table, game)[-1:]
    begun = {part.deal: tables.begun(game) for game in games for part in game.game.parts}
    seen = []
    for turn in tables.turns(table, games, of_these=game is not None):
        first = tables.reported((turn.box, turn.epoch, turn.seq))
        names = tables.people.names(table, 0 if first is None else first.cursor, begun.get(turn.deal))
        seen.append(_seen(turn, names, tables))
    return seen


def penalties(tables: Tables, table: int, game: GameRulings) -> Penalties:
    """Tiles that each seat of the table was ruled in the game; what follows as long as nobody has ruled is none yet."""
    tiles = [0, 0, 0, 0]
    for ruling in game.current():
        decided = ruling.by != "default"
        if decided and ruling.seat < len(tiles) and _is_of_table(ruling.of, game, table, tables.boxes):
            before = tiles[ruling.seat]
            known = ruling.tiles is not None and before != NOT_COUNTED
            tiles[ruling.seat] = before + (ruling.tiles or 0) if known else NOT_COUNTED
    a, b, c, d = tiles
    return a, b, c, d


def _is_of_table(of: FactKey, game: GameRulings, table: int, boxes: BoxTables) -> bool:
    """Whether the time-out was told there, or in a game that was begun there and has come back."""
    part = game.game.part_of(of)
    at = [of] if part is None else [of, (of[0], of[1], part.begun)]
    return any(boxes.table_of_fact(*fact) == table for fact in at)


def _seen(turn: Turn, names: Names, tables: Tables) -> SeenTurn:
    name = names[turn.seat] if turn.seat < len(names) else ""
    ruling = turn.judged
    if ruling is None:
        return SeenTurn(turn, name, "", "")
    by = ruling.by if ruling.decision is None else who_said(tables.who(ruling.decision))
    return SeenTurn(turn, name, readable(ruling.clause), by)
