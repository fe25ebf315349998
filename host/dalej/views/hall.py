"""The hall as a screen shows it: ledger entries and what the live desk says go in; rows, alerts and turns come out.
By which rules it plays is folded along, and the clock of the desk is kept as its pulses tell it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from dalej.domain.game.calls import KEPT_MS, TAKEN
from dalej.domain.game.heard import Heard, Told
from dalej.domain.game.rulings import Ahead
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.tournament.tournament import OPTION, RULESET
from dalej.event.boxplaces import Stay
from dalej.event.journal import NOTHING, Journal
from dalej.event.ledger import Decision, Entry, Outcome, Reported, Request
from dalej.event.people import NO_NAMES, Names
from dalej.event.tables import Tables
from dalej.office.acts.clocks import WHY_HALL
from dalej.views.requests import Answered, AnsweredFold
from dalej.views.rows import SILENT_MS, Alert, Row, SeenTurn
from dalej.views.table import NO_PENALTIES, Penalties, Stand, Wait, penalties, seen_turns, stand
from dalej.words import readable
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


EARLY_MS: Final = 5_000  # a desk and another computer differ by less, as far as going to a call is concerned


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
        self._event = Tables(self._first_ruleset)
        self._asked = AnsweredFold()
        self._entry_ms = 0  # Unix time of the last entry
        self._tables: dict[int, _Table] = {}
        self._taken: defaultdict[tuple[str, str], dict[int, Decision]] = defaultdict(dict)
        """By table and kind of a call, and then by cursor: who went there."""
        for heard in self._heard.values():
            self._event.boxes.told(heard.box, heard.table)
            self._anchor(heard)

    @property
    def ruleset(self) -> Ruleset:
        """The rules that count now."""
        return self._event.ruleset or self._first_ruleset

    # --- what comes in -----

    def entry(self, entry: Entry) -> set[int]:
        """Take in one entry; the tables that may look different now. DalejError, nothing changed: it says nothing."""
        if isinstance(entry, Request | Outcome):
            self._asked.take(entry)
            return set()
        if isinstance(entry, Decision):
            self._go_to(entry)
        troubles = len(self._event.troubles)
        touched = self._event.take(entry)
        if len(self._event.troubles) > troubles:
            raise self._event.troubles[-1]
        if isinstance(entry, Decision) and entry.kind in (RULESET, OPTION) and self._event.rules_problem is not None:
            raise self._event.rules_problem
        if isinstance(entry, Reported):
            self._entry_ms = max(self._entry_ms, entry.received_ms)
            heard = self._heard.get(entry.fact.box)
            if heard is not None:
                self._anchor(heard)
        elif isinstance(entry, Decision):
            self._entry_ms = max(self._entry_ms, entry.when_ms)
        return set(self._stirred()) if touched is None else self._touch(*touched)

    def heard(self, heard: Heard) -> int:
        """What the desk knows of a box now; the table that it stands on."""
        before = self._heard.get(heard.box)
        self._heard[heard.box] = heard
        told, earlier = heard.told, None if before is None else before.told
        if told is not None and (earlier is None or earlier.alarm != told.alarm):
            self._alarm_ms[heard.box] = told.at_ms
        self._event.boxes.told(heard.box, heard.table)
        self._anchor(heard)
        table = self._event.boxes.tables.get(heard.box)
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
            for journal in self._event.journals():
                journal.dates.forget()
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
    def has_boxes(self) -> bool:
        """Whether any table has a box, so that a desk has something to listen to."""
        return bool(self._event.boxes.box_of)

    @property
    def written_ms(self) -> int:
        """Unix time of the ledger's last entry, 0 if it has none."""
        return self._entry_ms

    def tables(self) -> list[int]:
        """Every table that anybody has mentioned, by number."""
        return self._event.tables()

    def called(self, box: str) -> str:
        """How a person speaks of the box."""
        return readable(self._event.boxes.called(box)) or box

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
            seats=stands.seats if known.box else sum(1 << at for at, name in enumerate(names) if name),
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

    def outcomes(self, ids: Iterable[int]) -> list[Answered]:
        """What became of these requests, as far as they have been read."""
        return self._asked.of(ids)

    def unanswered(self, table: int) -> list[Answered]:
        """What the box of that table has not answered yet, the oldest first."""
        return self._asked.waits_at(table)

    def ahead(self, decisions: Iterable[int]) -> list[Ahead]:
        """What has become of those of these decisions that rule on a time-out of which the log did not know yet."""
        made = map(self._event.open_ruling, decisions)
        return [self._event.ahead(one) for one in made if one is not None]

    def turns(self, table: int) -> list[SeenTurn]:
        """All turns of the table so far, oldest first; KeyError if nobody has mentioned it."""
        known = self._known(table)
        if known.turns is None:
            known.turns = seen_turns(self._event, table)
        return known.turns

    def turns_of(self, table: int, game: int) -> list[SeenTurn]:
        """Those of the table's last game, if that has this number: numbers begin again with each round."""
        known = self._known(table)
        if known.of_game is None or known.of_game[0] != game:
            known.of_game = game, seen_turns(self._event, table, game)
        return known.of_game[1]

    def _go_to(self, decision: Decision) -> None:
        """Somebody goes to a call, or does not after all."""
        if decision.kind == TAKEN and decision.revoked_by is None:
            self._taken[str(decision.body.get("table")), str(decision.body.get("call"))][decision.cursor] = decision
        elif decision.revokes is not None:
            for taken in self._taken.values():
                taken.pop(decision.revokes, None)

    def _stands_with_hall(self, table: int) -> bool:
        """Whether the whole hall was stopped: then it is let go on as a whole."""
        stop = self._asked.last_stop_at(table)
        return stop is not None and stop.why == WHY_HALL

    def _on_the_way(self, table: int, wait: Wait, now: int) -> str:
        """Who goes to that call; "" if nobody does, or not any more."""
        taken = self._taken.get((str(table), wait.kind))
        if not taken:
            return ""
        last = next(reversed(taken.values()))
        at_ms = last.when_ms - self._desk.wall_ahead_ms
        return last.who if at_ms >= wait.since_ms - EARLY_MS and now - at_ms < KEPT_MS else ""

    def _stirred(self) -> list[int]:
        """Every table, after boxes or people may have changed places."""
        self._tables.clear()
        return self.tables()

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
            if not self._event.has(table):
                raise KeyError(table)
            known = self._tables[table] = _Table(self._next())
        return known

    def _known(self, table: int) -> _Table:
        known = self._table(table)
        if known.fresh:
            return known
        box = self._event.boxes.box_of.get(table, "")
        heard = self._heard.get(box)
        told = heard.told if heard is not None else None
        log = self._log(box, told)
        if log is None or told is None or told.epoch != log.epoch:
            told = told if log is None else None
        known.fresh = True
        known.box, known.log = box, log
        known.called = self.called(box)
        stay = self._stay(table, box, log, told)
        known.stands = stand(log, told, stay, self._alarm_ms.get(box, 0), self.ruleset, self._desk.wall_ahead_ms)
        known.state, known.reason = known.stands.state_name, known.stands.reason_name
        known.move_at_least = known.stands.move_at_least
        on = None
        if log is not None and log.position.game == known.stands.game:
            on = self._event.game_on(table, log)
        if on is not None:
            known.penalties = penalties(self._event, table, on)
        known.names = self._event.people.names(table, begun=None if on is None else self._event.begun(on))
        return known

    def _stay(self, table: int, box: str, log: Journal | None, told: Told | None) -> Stay | None:
        """What the box tells of the table; its log knows it then."""
        if log is None:
            return self._event.stay(table, box, None if told is None else told.epoch, 0)
        stay = self._event.stay(table, box, log.epoch, log.position.dealt_seq)
        log.stands_since(NOTHING if stay is None else stay.since)
        return stay

    def _log(self, box: str, told: Told | None) -> Journal | None:
        """The journal that counts: what the box told of, unless it has a newer one by now."""
        if told is not None and self._event.journal(box, told.epoch) is None:
            return None
        return self._event.latest(box)

    # --- time -----

    def _anchor(self, heard: Heard) -> None:
        """Date the boot that the box told of by its uptime."""
        told = heard.told
        if told is not None and told.uptime_ms is not None:
            log = self._event.journal(heard.box, told.epoch)
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
        if not known.box:
            return False
        seen = self._seen_ms(known)
        return not self._desk.live or seen is None or now - seen >= SILENT_MS

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
            if wait.kind == "stands" and self._stands_with_hall(table):
                continue
            if wait.until_ms is None or shown < wait.until_ms:
                urgent = wait.urgent_ms is not None and shown >= wait.urgent_ms
                waiting = max(0, now - wait.since_ms)
                taken = self._on_the_way(table, wait, now) if self._taken else ""
                found.append(
                    Alert(
                        table, wait.kind, wait.seat, wait.move, waiting, urgent, wait.stopped, wait.denied, wait.told,
                        taken,
                    )
                )  # fmt: skip
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
    log: Journal | None = None
    names: Names = NO_NAMES
    stands: Stand = field(default_factory=Stand)
    penalties: Penalties = NO_PENALTIES
    turns: list[SeenTurn] | None = None
    of_game: tuple[int, list[SeenTurn]] | None = None


def _longest_first(alert: Alert) -> tuple[int, int, str]:
    return -alert.waiting_ms, alert.table, alert.kind
