"""The hall as a screen shows it: ledger entries and what the live desk says go in; rows, alerts and turns come out.
By which rules it plays is folded along, and the clock of the desk is kept as its pulses tell it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from dalej.domain.game.heard import Heard, Told
from dalej.domain.game.rulings import RULING, Ahead, Rulings, is_open, ruled_on
from dalej.domain.rules.options import with_options
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.rules.ruletext import parse
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.tournament import OPTION
from dalej.event.boxplaces import Stay
from dalej.event.eventlog import RULESET
from dalej.event.ledger import Conflict, Decision, Entry, Gap, Outcome, Reported, Request
from dalej.views.journal import NOTHING, BoxLog
from dalej.views.people import NO_NAMES, Names, Places
from dalej.views.requests import Asked, AskedFold
from dalej.views.rows import SILENT_MS, Alert, Row, SeenTurn
from dalej.views.table import NO_PENALTIES, Counted, Penalties, Stand, begun_by, game_on, penalties, seen_turns, stand
from moveclock import facts as k

SAME_CLOCK_MS: Final = 1_000  # two desks whose clocks are that close to each other, measured by Unix time, share one


class Pulsed(NamedTuple):
    """What a pulse changes. `another`: it is the clock of another desk than before; `begins`: or the first one that is
    heard; `leaps`: what was worked out by the time before holds no longer.
    """

    another: bool
    begins: bool
    leaps: bool


class DeskTime:
    """`live`: a desk is heard. `first_ms`: when it first was, `stood_ms`: when it last was, both by its own clock."""

    def __init__(self) -> None:
        self.live = False
        self.first_ms = 0
        self.stood_ms = 0
        self._greeted = False  # since the last pulse
        self._pulse: tuple[int, int] | None = None  # the desk's clock, and Unix time minus it

    @property
    def known(self) -> bool:
        """Whether a desk was ever heard."""
        return self._pulse is not None

    @property
    def wall_ahead_ms(self) -> int:
        """Unix time minus the desk's clock; 0 before any desk was heard."""
        return 0 if self._pulse is None else self._pulse[1]

    def greeted(self) -> None:
        """A desk greets: maybe another one, and then its next pulse is of another clock."""
        self._greeted = True

    def pulse(self, now_ms: int, wall_ms: int) -> Pulsed:
        """The desk is alive and this is its clock."""
        another = self._is_another(now_ms, wall_ms)
        begins = self._pulse is None or another
        pulsed = Pulsed(another, begins, not self.live or another or now_ms < self.stood_ms)
        if begins:
            self.first_ms = now_ms
        self._pulse = (now_ms, wall_ms - now_ms)
        self.stood_ms = now_ms
        self.live, self._greeted = True, False
        return pulsed

    def lost(self, now_ms: int | None) -> bool:
        """No desk is heard any more, since then or since the last pulse; whether that is news."""
        if not self.live:
            return False
        self.live = False
        self.stood_ms = max(self.stood_ms, now_ms or 0)
        return True

    def shown(self, now_ms: int, written_ms: int) -> int:
        """The instant that is shown: now, or when the desk was last heard; without any, `written_ms`."""
        if self.live:
            return now_ms
        return self.stood_ms if self.known else written_ms

    def _is_another(self, now_ms: int, wall_ms: int) -> bool:
        """Whether that is the clock of another desk. Of one that goes on, only the wall clock may have been set."""
        if self._pulse is None:
            return False
        before_ms, ahead_ms = self._pulse
        return now_ms < before_ms or (self._greeted and abs(wall_ms - now_ms - ahead_ms) > SAME_CLOCK_MS)


class PlayedBy:
    """A fold over decisions. `first`: the rules until the ledger names others; of standing ones the latest count."""

    def __init__(self, first: Ruleset) -> None:
        self.ruleset = first
        self._first = first
        self._chosen: dict[int, Ruleset] = {}  # by cursor, like the options
        self._options: dict[int, tuple[str, object]] = {}

    def decide(self, decision: Decision) -> bool:
        """Take in one decision, of whatever kind; whether the hall plays by other rules now. WrongInput or Damaged, and
        nothing changed, if it says nothing.
        """
        before = self.ruleset
        chosen, options = dict(self._chosen), dict(self._options)
        if decision.kind == RULESET:
            chosen[decision.cursor] = parse(str(decision.body.get("text", "")), f"{decision.body.get('id')}.toml")
        elif decision.kind == OPTION:
            body = Body(decision)
            options[decision.cursor] = body.text("key"), body.anything("value")
        for revoked in (decision.revokes, decision.cursor if decision.revoked_by is not None else None):
            if revoked is not None:
                chosen.pop(revoked, None)
                options.pop(revoked, None)
        if chosen != self._chosen or options != self._options:
            ruleset = next(reversed(chosen.values()), self._first)
            self.ruleset = with_options(ruleset, dict(options.values()))
            self._chosen, self._options = chosen, options
        return self.ruleset != before


class HallModel:
    """The fold. `ruleset`: by which the event is played, until the ledger says otherwise."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._first_ruleset = ruleset
        self._heard: dict[str, Heard] = {}
        self._alarm_ms: dict[str, int] = {}
        self._desk = DeskTime()
        self._versions = 0
        self.forget()

    def forget(self) -> None:
        """Another ledger, or an older state of it: all its entries are to be folded again. What was heard stays."""
        self._played_by = PlayedBy(self._first_ruleset)
        self._places = Places()
        self._counted = Counted(self._places)
        self._logs: dict[str, dict[int, BoxLog]] = {}  # box -> epoch -> its facts, in the order they were met
        self._decisions: list[Decision] = []
        self._asked = AskedFold()
        self._entry_ms = 0  # Unix time of the last entry
        self._tables: dict[int, _Table] = {}
        for heard in self._heard.values():
            self._places.told(heard.box, heard.table)
            self._anchor(heard)

    @property
    def ruleset(self) -> Ruleset:
        """The rules that count now."""
        return self._played_by.ruleset

    # --- what comes in -----

    def entry(self, entry: Entry) -> set[int]:
        """Take in one entry; the tables that may look different now. DalejError, nothing changed: it says nothing."""
        match entry:
            case Reported():
                return self._reported(entry)
            case Decision():
                return self._decided(entry)
            case Conflict():
                return self._touch(self._places.table_of(entry.stored.box))
            case Gap():
                return self._met(entry.box) or self._touch(self._places.table_of(entry.box))
            case Request() | Outcome():
                self._asked.take(entry)
        return set()

    def heard(self, heard: Heard) -> int:
        """What the desk knows of a box now; the table that it stands on."""
        before = self._heard.get(heard.box)
        self._heard[heard.box] = heard
        told, earlier = heard.told, None if before is None else before.told
        if told is not None and (earlier is None or earlier.alarm != told.alarm):
            self._alarm_ms[heard.box] = told.at_ms
        self._places.told(heard.box, heard.table)
        self._anchor(heard)
        table = self._places.table_of(heard.box)
        assert table is not None, "a box that was told of stands somewhere"
        if told != earlier or before is None or before.table != heard.table:
            self._touch(table)
        else:
            self._table(table).version = self._next()
        return table

    def met_desk(self) -> None:
        """A desk greets and will tell everything: maybe another one, and then its next pulse is of another clock."""
        self._desk.greeted()

    def pulse(self, now_ms: int, wall_ms: int) -> None:
        """The desk is alive and this is its clock."""
        pulsed = self._desk.pulse(now_ms, wall_ms)
        if pulsed.another:
            self._alarm_ms.clear()
            self._heard.clear()  # by the clock of this desk nothing of it was
        if pulsed.begins:
            for log in self._each_log():
                log.dates.forget()
            for heard in self._heard.values():
                self._anchor(heard)
        if pulsed.leaps:
            self._tables.clear()

    def lost_desk(self, now_ms: int | None = None) -> None:
        """No desk is heard any more, since `now_ms` or since the last pulse; times stand still."""
        if self._desk.lost(now_ms):
            self._tables.clear()

    # --- what comes out -----

    @property
    def live(self) -> bool:
        """Whether a desk is heard."""
        return self._desk.live

    @property
    def written_ms(self) -> int:
        """Unix time of the ledger's last entry, 0 if it has none."""
        return self._entry_ms

    def tables(self) -> list[int]:
        """Every table that anybody has mentioned, by number."""
        return self._places.tables()

    def called(self, box: str) -> str:
        """How a person speaks of the box."""
        return self._places.called(box)

    def version(self, table: int) -> int:
        """Another number whenever the table may look different for another reason than that time goes by."""
        return self._table(table).version

    def rows(self, now_ms: int) -> list[Row]:
        """Every table now."""
        return [self.row(table, now_ms) for table in self.tables()]

    def alerts(self, now_ms: int) -> list[Alert]:
        """Everything that waits for a person, longest first."""
        now = self._now(now_ms)
        found = [alert for table in self.tables() for alert in self._alerts(self._known(table), table, now)]
        return sorted(found, key=_longest_first)

    def row(self, table: int, now_ms: int) -> Row:
        """One table now; KeyError if nobody has mentioned it."""
        known = self._known(table)
        stands, heard, now = known.stands, self._heard.get(known.box), self._now(now_ms)
        stale = self._stale(known, now)
        left = stands.left(self._last_known(known, now))
        seat, names = stands.seat, known.names
        return Row(
            table=table,
            box=known.box,
            called=known.called,
            state=known.state,
            reason=known.reason,
            seat=seat,
            name=names[seat] if seat < len(names) else "",
            left_ms=left,
            limit_ms=stands.limit_ms,
            game=stands.game,
            move=stands.move,
            move_at_least=known.move_at_least,
            bank=stands.bank,
            names=names,
            seats=stands.seats,
            out=stands.out,
            penalties=known.penalties,
            final_lap=stands.final_lap,
            lag=stands.lag,
            way=heard.way if heard is not None and self._desk.live else "none",
            age_ms=self._age(known, now_ms),
            stale=stale,
            moves_on=stands.falls and not stale and (stands.state == k.EXPIRED or bool(left)),
            alerts=tuple(sorted(self._alerts(known, table, now), key=_longest_first)),
            ahead=stands.told,
        )

    def outcomes(self, ids: Iterable[int]) -> list[Asked]:
        """What became of these requests, as far as they have been read."""
        return self._asked.of(ids)

    def ahead(self, decisions: Iterable[int]) -> list[Ahead]:
        """What has become of those of these decisions that rule on a time-out of which the log did not know yet."""
        made = {one.cursor: one for one in self._decisions if is_open(one)}
        found: list[Ahead] = []
        for cursor in decisions:
            if cursor in made:
                box, epoch, _ = ruled_on(made[cursor])
                log = self._logs.get(box, {}).get(epoch)
                found.append("waits" if log is None else log.ruled.ahead(cursor))
        return found

    def turns(self, table: int) -> list[SeenTurn]:
        """All turns of the table so far, oldest first; KeyError if nobody has mentioned it."""
        known = self._known(table)
        if known.turns is None:
            who = {decision.cursor: decision.who for decision in self._decisions}
            known.turns = seen_turns(table, self._logs_of(table), self._places, self._counted, who)
        return known.turns

    # --- entries -----

    def _reported(self, entry: Reported) -> set[int]:
        fact = entry.fact
        logs = self._logs.setdefault(fact.box, {})
        log = logs.get(fact.epoch)
        touched: set[int] = set()
        if log is None:
            log = logs[fact.epoch] = BoxLog(fact.box, fact.epoch, self.ruleset, self._decisions)
            touched = self._met(fact.box)
            heard = self._heard.get(fact.box)
            if heard is not None:
                self._anchor(heard)
        if not log.add(entry):
            return set()
        if entry.received_ms > self._entry_ms:
            self._entry_ms = entry.received_ms
        touched |= self._touch(self._places.table_of(fact.box))
        counted_at = self._places.counted_at(fact.box, fact.epoch) - touched
        return touched | self._touch(*filter(self._places.has, counted_at))  # a move that began there may end now

    def _met(self, box: str) -> set[int]:
        """A box is mentioned for the first time: it gets a table if it has none."""
        return self._touch(*self._stirred()) if self._places.met(box) else set()

    def _stirred(self) -> list[int]:
        """Every table, after boxes or people may have changed places."""
        self._tables.clear()
        return self.tables()

    def _decided(self, decision: Decision) -> set[int]:
        if decision.kind == RULING:
            Rulings(self.ruleset).decide(decision)
        other_rules = self._played_by.decide(decision)
        touched = self._places.decide(decision)
        self._entry_ms = max(self._entry_ms, decision.when_ms)
        if decision.kind == RULING or decision.revokes is not None:
            self._decisions.append(decision)
            for log in self._each_log():
                log.decide(decision)
        if other_rules:
            for log in self._each_log():
                log.play_by(self.ruleset, self._decisions)
        if other_rules or decision.kind == RULING:
            touched = None
        return set(self._stirred()) if touched is None else self._touch(*touched)

    def _each_log(self) -> list[BoxLog]:
        return [log for logs in self._logs.values() for log in logs.values()]

    # --- what is kept of a table until something new is known -----

    def _touch(self, *tables: int | None) -> set[int]:
        touched = {table for table in tables if table is not None}
        for table in touched:
            self._tables.pop(table, None)
        return touched

    def _next(self) -> int:
        self._versions += 1
        return self._versions

    def _table(self, table: int) -> _Table:
        known = self._tables.get(table)
        if known is None:
            if not self._places.has(table):
                raise KeyError(table)
            known = self._tables[table] = _Table(self._next())
        return known

    def _known(self, table: int) -> _Table:
        known = self._table(table)
        if known.fresh:
            return known
        box = self._places.box_of(table)
        heard = self._heard.get(box)
        told = heard.told if heard is not None else None
        logs = self._logs.get(box, {})
        log = self._log(logs, told)
        if log is None or told is None or told.epoch != log.epoch:
            told = told if log is None else None
        known.fresh = True
        known.box, known.log = box, log
        known.called = self._places.called(box)
        stay = self._stay(table, box, log, told)
        known.stands = stand(log, told, stay, self._alarm_ms.get(box, 0), self.ruleset, self._desk.wall_ahead_ms)
        known.state, known.reason = known.stands.state_name, known.stands.reason_name
        known.move_at_least = known.stands.move_at_least
        logs_of = self._logs_of(table)
        on = None
        if log is not None and log.position.game == known.stands.game:
            on = game_on(table, log, logs_of, self._counted)
        if on is not None:
            known.penalties = penalties(table, on, self._places)
        known.names = self._places.people.names(table, begun=None if on is None else begun_by(on, logs_of))
        return known

    def _stay(self, table: int, box: str, log: BoxLog | None, told: Told | None) -> Stay | None:
        """What the box tells of the table; its log knows it then."""
        if log is None:
            return self._places.stay(table, box, None if told is None else told.epoch, 0)
        stay = self._places.stay(table, box, log.epoch, log.position.dealt_seq)
        log.stands_since(NOTHING if stay is None else stay.since)
        return stay

    def _log(self, logs: Mapping[int, BoxLog], told: Told | None) -> BoxLog | None:
        """The journal that counts: what the box told of, unless it has a newer one by now."""
        if not logs:
            return None
        latest = list(logs.values())[-1]
        return None if told is not None and told.epoch not in logs else latest

    def _logs_of(self, table: int) -> list[BoxLog]:
        return [log for box in self._places.boxes(table) for log in self._logs.get(box, {}).values()]

    # --- time -----

    def _anchor(self, heard: Heard) -> None:
        """Date the boot that the box told of by its uptime."""
        told = heard.told
        if told is not None and told.uptime_ms is not None:
            log = self._logs.get(heard.box, {}).get(told.epoch)
            if log is not None:
                log.dates.told(told.boot, told.uptime_ms, told.at_ms)

    def _now(self, now_ms: int) -> int:
        """The instant that is shown."""
        return self._desk.shown(now_ms, self._entry_ms)

    def _last_known(self, known: _Table, now: int) -> int:
        """The same for one table: a box that has gone silent stands as it was when it did."""
        if not self._desk.known:
            return now
        seen = self._seen_ms(known)
        if seen is None:
            return known.stands.at_ms or 0
        return min(now, seen + SILENT_MS)

    def _seen_ms(self, known: _Table) -> int | None:
        heard = self._heard.get(known.box)
        return None if heard is None else heard.seen_ms

    def _stale(self, known: _Table, now: int) -> bool:
        if not self._desk.live:
            return True
        seen = self._seen_ms(known)
        return bool(known.box) and (seen is None or now - seen >= SILENT_MS)

    def _age(self, known: _Table, now_ms: int) -> int | None:
        seen = self._seen_ms(known)
        if seen is None and known.log is not None:
            latest = known.log.latest()
            if latest is not None:
                told_ms = latest.received_ms if latest.wall_ms is None else latest.wall_ms
                seen = told_ms - self._desk.wall_ahead_ms
        return None if seen is None else max(0, now_ms - seen)

    # --- alerts -----

    def _alerts(self, known: _Table, table: int, now: int) -> list[Alert]:
        found = []
        shown = self._last_known(known, now)
        for wait in known.stands.waits:
            if wait.until_ms is None or shown < wait.until_ms:
                urgent = wait.urgent_ms is not None and shown >= wait.urgent_ms
                waiting = max(0, now - wait.since_ms)
                found.append(
                    Alert(table, wait.kind, wait.seat, wait.move, waiting, urgent, wait.stopped, wait.denied, wait.told)
                )
        if self._desk.known and known.box:
            seen = self._seen_ms(known)
            silent = now - (self._desk.first_ms if seen is None else seen)
            if silent >= SILENT_MS:
                stands = known.stands
                found.append(Alert(table, "silent", stands.seat, stands.move, silent, False, False))
        return found


@dataclass(slots=True)
class _Table:
    """What is known of a table, if `fresh`; else only its version."""

    version: int
    fresh: bool = False
    box: str = ""
    called: str = ""
    state: str = "unknown"
    reason: str | None = None
    move_at_least: bool = False
    log: BoxLog | None = None
    names: Names = NO_NAMES
    stands: Stand = field(default_factory=Stand)
    penalties: Penalties = NO_PENALTIES
    turns: list[SeenTurn] | None = None


def _longest_first(alert: Alert) -> tuple[int, int, str]:
    return -alert.waiting_ms, alert.table, alert.kind
