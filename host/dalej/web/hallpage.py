"""The hall and its tables as pages: what waits for a person on top, below it every table; one table with its seats,
its turns, and what may be done there now.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from aiohttp import web

from dalej.domain.game.facts import SEATS, seat_name
from dalej.domain.game.rulings import RULING
from dalej.domain.game.sentences import COMMANDS as COMMAND_WORDS
from dalej.domain.game.sentences import seconds, word
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import CLAIM, TABLE_RULING
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import Role
from dalej.office.decisionwords import names_in, tell
from dalej.views.callwords import after_ruling
from dalej.views.nextwords import Next, next_of
from dalej.views.offers import (
    Likely,
    Offer,
    asked_briefly,
    asks,
    at_table,
    claimed_again,
    for_alert,
    is_answered,
    late_moves,
    likely,
)
from dalej.views.phrases import (
    alert_words,
    brief,
    clock_text,
    duration,
    move_text,
    needs_words,
    ruling_words,
    seat_words,
    state_words,
)
from dalej.views.resultwords import (
    CONFIRMED,
    ENTERED,
    MISSING,
    READY,
    entered_words,
    game_mark,
    names_at,
    standing,
    tables_of,
    wants_check,
)
from dalej.views.roundwords import aloud, clock_words, round_time
from dalej.views.rows import PLAYS, Alert, Row, SeenTurn
from dalej.views.tablehints import seat_after
from dalej.views.tablesays import beside_the_game
from dalej.web.live import Part
from dalej.web.sessions import Session
from dalej.web.templates import Templates
from dalej.web.visits import Visits
from dalej.web.watch import Watch
from dalej.words import _, readable, said, who_said

TURNS_MOST: Final = 60
JUST_NOW_MS: Final = 180_000
_SETTLES: Final[Mapping[str, Sequence[str]]] = {"time_out": (RULING, TABLE_RULING), "early_click": (CLAIM,)}


@dataclass(frozen=True, slots=True)
class Clock:
    """A time that a page counts by itself. `ends_ms`: when it is at zero, by the desk's clock; None: it stands."""

    text: str
    left_ms: int | None
    ends_ms: int | None
    hurry: str

    @property
    def key(self) -> Hashable:
        """What of it is not told by time alone."""
        return (self.ends_ms, self.hurry) if self.ends_ms is not None else (self.text, self.hurry)


def clock_of(row: Row, now_ms: int) -> Clock:
    """The time of a table's move."""
    ends = now_ms + row.left_ms if row.moves_on and row.left_ms is not None else None
    return Clock(clock_text(row), row.left_ms, ends, "stale" if row.stale else row.state)


@dataclass(frozen=True, slots=True)
class Call:
    """Something that waits for a person. `since_ms`: by the desk's clock; `known`: what is wished with by who goes.
    `then`: what the table has to do, once it is ruled on; `resumes`: it is answered, and its clock has to go on;
    `silent`: and its box is not heard; `move`: which one it is about;
    `asked`: what its box has been asked for and has not answered yet; `question` and `likely`: what is asked of whoever
    goes there, and the answers that take one touch; `answerable`: whether there is any answer now.
    """

    alert: Alert
    what: str
    whose: str
    needs: str
    since_ms: int
    waited: str
    known: Mapping[str, object]
    then: str = ""
    resumes: bool = False
    silent: bool = False
    move: str = ""
    asked: str = ""
    question: str = ""
    likely: Sequence[Likely] = ()
    answerable: bool = True

    @property
    def key(self) -> Hashable:
        """All but how long it waits."""
        return (
            replace(self.alert, waiting_ms=self.since_ms // 1_000),
            self.whose,
            self.known.get("head"),
            self.then,
            self.resumes,
            self.silent,
            self.asked,
            self.question,
            tuple(one.words for one in self.likely),
            self.answerable,
        )


def call_of(alert: Alert, row: Row, watch: Watch, now_ms: int, role: Role) -> Call:
    """As people read it. `role`: who answers."""
    ruled = alert.kind == "time_out"
    turns = watch.feed.hall.turns_of(row.table, row.game)
    then = after_ruling(row, turns, seat_after(row.seat, row.seats & ~row.out)) if ruled else ""
    stands = alert.kind == "stands" and not claimed_again(row, watch.page)
    answered = alert.denied or stands or is_answered(alert, row, watch.page)
    turn = next((one for one in turns if ruled and one.turn.move == alert.move and not one.turn.void), None)
    answered |= turn is not None and turn.ruled_by not in ("", "default", "table")
    resumes = row.state == "stopped" and answered
    whose = seat_words(alert.seat, row.names[alert.seat]) if seat_name(alert.seat) else ""
    offers = for_alert(role, row, alert, late_moves(turns), watch.page)
    answers = likely(offers, alert, row, watch.page)
    ahead = {} if row.ahead is None else {"epoch": row.ahead[0], "head": row.ahead[1]}
    return Call(
        alert, alert_words(alert), readable(whose), needs_words(alert),
        now_ms - alert.waiting_ms, brief(alert.waiting_ms),
        {"table": row.table, "call": alert.kind, **ahead}, readable(then), resumes,
        row.stale and alert.kind != "silent", _("move {move}").format(move=alert.move) if alert.move else "",
        "; ".join(unanswered(watch, row.table)), asked_briefly(answers, alert, row),
        answers, any(not one.why_not for one in offers),
    )  # fmt: skip


def unanswered(watch: Watch, table: int) -> list[str]:
    """What somebody has asked of the box of that table that it has not answered yet."""
    waits = (one for one in watch.feed.hall.unanswered(table) if one.command in COMMAND_WORDS)
    return [readable(f"{_(COMMAND_WORDS[one.command])} ({who_said(one.who)})") for one in waits]


def passages(ruleset: Ruleset, acts: Iterable[type[Act]]) -> list[tuple[str, str]]:
    """Clause and words of all that those acts rest on, in the regulation's order."""
    topics = {topic for act in acts for topic in act.topics}
    found = [(readable(one.clause), readable(one.quote)) for one in ruleset.texts if one.topic in topics]
    return list(dict.fromkeys(found))


class HallPage:
    """The hall as that role sees it."""

    def __init__(self, watch: Watch, templates: Templates, role: Role) -> None:
        self._watch = watch
        self._templates = templates
        self._role = role

    def parts(self) -> Mapping[str, Part]:
        """Every part of it now."""
        watch, now_ms = self._watch, self._watch.feed.now_ms()
        rows = watch.rows()
        made = {
            "bar": self._bar(rows),
            "banner": self._banner(rows),
            "calls": self._calls(rows, now_ms),
            "notices": self._notices(),
        }
        boxes = {table for table, row in rows.items() if row.box}
        tables = sorted(boxes | set(tables_of(watch.page.round)))
        made["tables"] = Part(tuple(tables), lambda: " ".join(f"t-{table}" for table in tables))
        for table in tables:
            made[f"t-{table}"] = self._table(table, rows.get(table), now_ms)
        return made

    def _draws(self, part: str, key: Hashable, **fields: Any) -> Part:
        return Part(key, lambda: self._templates.part("hallparts.html", part, **fields))

    def _bar(self, rows: Mapping[int, Row]) -> Part:
        feed, page = self._watch.feed, self._watch.page
        current, time = page.round, round_time(page)
        name = "" if current is None else round_name(*current.key)
        ends_ms = None if time is None else time.ends_ms
        left_ms = None if time is None else time.remaining_ms(feed.wall_ms())
        step = next_of(page.state, self._may, page.boxes)
        if page.state is not None and self._role == "referee" and not (step.act or step.table or step.screen):
            step = Next("")  # the organiser's
        fields = {
            "event": readable(feed.event_name), "round": name, "ends_ms": ends_ms,
            "left": "" if left_ms is None else clock_words(left_ms), "next": step,
            "entered": entered_words(page.state, current),
            "playing": sum(row.state in PLAYS for row in rows.values()), "tables": len(rows),
        }  # fmt: skip
        return self._draws("bar", tuple(value for name, value in fields.items() if name != "left"), **fields)

    def _banner(self, rows: Mapping[int, Row]) -> Part:
        feed = self._watch.feed
        since_ms = feed.silence_ms() if feed.is_missed else None
        says = aloud(self._watch.page, feed.wall_ms(), rows, has_boxes=feed.hall.has_boxes)
        missed = feed.is_missed
        age = "" if since_ms is None else duration(since_ms // 10_000 * 10_000)
        key = (missed, age, feed.trouble, says)
        return self._draws(
            "banner",
            key,
            missed=missed,
            age=age,
            trouble=feed.trouble,
            aloud=says.words,
            say=says.what,
        )

    def _notices(self) -> Part:
        """Below the calls, which do not move when one comes or goes."""
        notices = tuple(said(one) for one in self._watch.notices())
        return self._draws("notices", notices, notices=notices)

    def _calls(self, rows: Mapping[int, Row], now_ms: int) -> Part:
        watch = self._watch
        alerts = [one for one in watch.feed.hall.alerts(now_ms) if one.table in rows]
        called = {one.table for one in alerts if one.kind != "silent"}  # whoever goes there sees the box, too
        alerts = [one for one in alerts if one.kind != "silent" or one.table not in called]
        calls = [call_of(one, rows[one.table], watch, now_ms, self._role) for one in alerts]
        return self._draws("calls", tuple(call.key for call in calls), calls=calls, may=self._role != "public")

    def _table(self, table: int, row: Row | None, now_ms: int) -> Part:
        page = self._watch.page
        if row is None or not row.box:
            return self._paper(table)
        clock = clock_of(row, now_ms)
        player = readable(seat_words(row.seat, row.name)) if seat_name(row.seat) and row.state in PLAYS else ""
        penalties = [(SEATS[seat], tiles) for seat, tiles in enumerate(row.penalties) if tiles]
        fields = {
            "table": table, "clock": clock, "player": player, "state": state_words(row), "row": row,
            "move": move_text(row), "penalties": penalties, "urgent": any(alert.urgent for alert in row.alerts),
            "names": [readable(name) for name in row.names if name],
        }  # fmt: skip
        told = replace(row, left_ms=None, age_ms=None, alerts=(), lag=min(row.lag, 1))
        key = (told, clock.key, bool(row.alerts), fields["urgent"], page.state is None)
        return self._draws("table", key, **fields)

    def _paper(self, table: int) -> Part:
        """A table without a box: which of its games are in."""
        page = self._watch.page
        current = page.round
        games: list[tuple[int, str]] = []
        names: list[str] = []
        stands = None
        if current is not None and page.state is not None and table in tables_of(current):
            stands = standing(page, current, table)
            names = list(names_at(page.state, current, table).values())
            results = {at.game: result for at, result in current.results.items() if at.table == table}
            games = [(game, game_mark(results.get(game), None)) for game in range(1, current.stage.games + 1)]
        key = (table, tuple(games), tuple(names), stands)
        return self._draws("paper", key, table=table, games=games, names=names, stands=stands,
                           checked=wants_check(page.state), marks=MARKS)  # fmt: skip

    def _may(self, act: str) -> bool:
        return self._role in ACTS[act].roles


MARKS: Final = {"confirmed": CONFIRMED, "entered": ENTERED, "missing": MISSING, "ready": READY}


class TablePage:
    """One table as that role sees it."""

    def __init__(self, watch: Watch, templates: Templates, role: Role, table: int) -> None:
        self._watch = watch
        self._templates = templates
        self._role = role
        self.table = table

    @property
    def is_there(self) -> bool:
        """Whether anybody has mentioned the table."""
        return self._watch.row(self.table) is not None or self.table in tables_of(self._watch.page.round)

    def parts(self) -> Mapping[str, Part]:
        """Every part of it now."""
        watch, now_ms = self._watch, self._watch.feed.now_ms()
        row = watch.row(self.table)
        if row is None:
            return {"state": self._draws("nothing", self.table, table=self.table)}
        turns = watch.feed.hall.turns(self.table)
        return {
            "call": self._calls(row, now_ms), "asked": self._asked(), "state": self._state(row, now_ms),
            "turns": self._turns(turns), "acts": self._acts(row),
            "others": self._others(now_ms),
        }  # fmt: skip

    def answers(self, kind: str) -> list[Offer]:
        """What may be done about what waits there of that kind; empty if nothing does."""
        row, alert = self._alert(kind)
        if row is None or alert is None:
            return []
        turns = self._watch.feed.hall.turns_of(self.table, row.game)
        return for_alert(self._role, row, alert, late_moves(turns), self._watch.page)

    def asks(self, kind: str) -> str:
        """What happened there, and what is asked; "" if nothing of that kind waits."""
        row, alert = self._alert(kind)
        if row is None or alert is None:
            return ""
        call = call_of(alert, row, self._watch, self._watch.feed.now_ms(), self._role)
        ruled = call.then and f"✓ {call.then}. " + _("Another answer overrules that.")
        return ruled or readable(asks(alert, row, self._watch.page))

    def settled(self, kind: str) -> str:
        """How what waited there of that kind was settled just now, and by whom; "" if nobody decided."""
        decisions, since_ms = self._watch.page.decisions, self._watch.feed.wall_ms() - JUST_NOW_MS
        turns = [one for one in self._watch.feed.hall.turns(self.table) if one.turn.ruling is not None]
        if kind == "time_out" and turns and turns[-1].ruled_by == "table":
            return ruling_words(turns[-1])
        here = (
            one for one in reversed(decisions)
            if one.kind in _SETTLES.get(kind, ()) and one.body.get("table") == self.table and one.when_ms > since_ms
        )  # fmt: skip
        last = next(here, None)
        return "" if last is None else readable(f"{tell(last, names_in(decisions))} ({who_said(last.who)})")

    def call(self, kind: str) -> Call | None:
        """What waits there of that kind."""
        row, alert = self._alert(kind)
        now_ms = self._watch.feed.now_ms()
        return None if row is None or alert is None else call_of(alert, row, self._watch, now_ms, self._role)

    def answer_stamp(self, kind: str) -> str:
        """Another one when something else can be answered to it."""
        row, alert = self._alert(kind)
        if row is None or alert is None:
            return "–"
        can = [one.act.name for one in self.answers(kind) if not one.why_not]
        return " ".join((row.state, str(row.game), str(row.move), str(alert.denied), *can))

    def _alert(self, kind: str) -> tuple[Row | None, Alert | None]:
        row = self._watch.row(self.table)
        return row, None if row is None else next((one for one in row.alerts if one.kind == kind), None)

    def _draws(self, part: str, key: Hashable, **fields: Any) -> Part:
        return Part(key, lambda: self._templates.part("tableparts.html", part, **fields))

    def _calls(self, row: Row, now_ms: int) -> Part:
        calls = [call_of(alert, row, self._watch, now_ms, self._role) for alert in row.alerts]
        return self._draws("calls", tuple(call.key for call in calls), calls=calls, may=self._role != "public")

    def _asked(self) -> Part:
        """What somebody has asked of its box that it has not answered yet."""
        waits = unanswered(self._watch, self.table)
        beside = beside_the_game(self._watch.page, self.table, self._watch.feed.wall_ms())
        return self._draws("asked", (*waits, *beside), waits=waits, beside=beside)

    def _state(self, row: Row, now_ms: int) -> Part:
        clock = clock_of(row, now_ms)
        seats = [
            (seat, SEATS[seat], readable(row.names[seat]), row.penalties[seat], bool(row.out >> seat & 1))
            for seat in range(len(SEATS))
            if row.seats >> seat & 1
        ]
        silent = "" if not row.stale or row.age_ms is None else duration(row.age_ms // 10_000 * 10_000)
        fields = {"row": row, "clock": clock, "state": state_words(row), "seats": seats, "move": move_text(row),
                  "silent": silent}  # fmt: skip
        told = replace(row, left_ms=None, age_ms=None, alerts=(), lag=min(row.lag, 1))
        return self._draws("state", (told, clock.key, silent), **fields)

    def _turns(self, turns: Sequence[SeenTurn]) -> Part:
        shown = [one for one in turns[-TURNS_MOST:] if one.turn.how is not None or seat_name(one.turn.seat)][::-1]
        return Part(
            tuple(shown), lambda: self._templates.part("tableparts.html", "turns", turns=[_turn(one) for one in shown])
        )

    def _acts(self, row: Row) -> Part:
        late = late_moves(self._watch.feed.hall.turns_of(row.table, row.game))
        offers = [one for one in at_table(self._role, row, late, page=self._watch.page)
                  if not one.why_not]  # fmt: skip
        key = tuple(
            (one.act.name, tuple(sorted((name, str(value)) for name, value in one.args.items()))) for one in offers
        )
        return self._draws(
            "acts", key, offers=[(one.act, _(one.act.title), one.args) for one in offers], table=row.table,
            rules=passages(self._watch.feed.hall.ruleset, [one.act for one in offers]),
        )  # fmt: skip

    def _others(self, now_ms: int) -> Part:
        others = [one for one in self._watch.feed.hall.alerts(now_ms) if one.table != self.table]
        tables = list(dict.fromkeys(one.table for one in others))
        return self._draws("others", tuple(tables), tables=tables)


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn as people read it."""

    game: int
    move: int
    who: str
    took: str
    how: str
    ruling: str
    flags: str
    tiles: int
    void: bool


def _turn(seen: SeenTurn) -> TurnLine:
    turn = seen.turn
    letter = seat_name(turn.seat) or "–"
    took = "" if turn.elapsed_ms is None else _("{seconds} s").format(seconds=seconds(turn.elapsed_ms))
    how = word(turn.how) if turn.how is not None else word("unended") if "unended" in turn.flags else _("under way …")
    return TurnLine(
        turn.game, turn.move, readable(f"{letter} {seen.name}".strip()), took, how,
        ruling_words(seen) if turn.ruling is not None else "",
        ", ".join(word(flag) for flag in turn.flags if flag != "unended"),
        turn.tiles or 0 if turn.ruling is None else 0, turn.void,
    )  # fmt: skip


class HallPages:
    """`/hall`, `/table/NUMBER`, and their live parts."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/hall", self._hall), web.get("/live/hall", self._hall_live, allow_head=False),
            web.get("/table/{table:[0-9]{1,4}}", self._table),
            web.get("/live/table/{table:[0-9]{1,4}}", self._table_live, allow_head=False),
        ]  # fmt: skip

    async def _hall(self, request: web.Request) -> web.StreamResponse:
        session, name, page = self._of_hall(request)
        parts = self._visits.pictures.of(name, session.language, page.parts).whole()
        return self._visits.page(
            session, "hall.html", "/hall", parts=parts, live="/live/hall", aloud=True, feed=self._visits.watch.feed
        )

    async def _hall_live(self, request: web.Request) -> web.StreamResponse:
        session, name, page = self._of_hall(request)
        return await self._visits.stream(request, session, name, page.parts)

    async def _table(self, request: web.Request) -> web.StreamResponse:
        session, name, page, table = self._of_table(request)
        if not page.is_there:
            raise web.HTTPNotFound
        parts = self._visits.pictures.of(name, session.language, page.parts).whole()
        return self._visits.page(session, "table.html", f"/table/{table}", parts=parts, table=table,
                                 live=f"/live/table/{table}", feed=self._visits.watch.feed)  # fmt: skip

    async def _table_live(self, request: web.Request) -> web.StreamResponse:
        session, name, page, _table = self._of_table(request)
        return await self._visits.stream(request, session, name, page.parts)

    def _of_hall(self, request: web.Request) -> tuple[Session, str, HallPage]:
        session = self._visits.expect(request, "referee", "organiser")
        role = session.actor.role
        return session, f"hall {role}", HallPage(self._visits.watch, self._visits.templates, role)

    def _of_table(self, request: web.Request) -> tuple[Session, str, TablePage, int]:
        session = self._visits.expect(request, "referee", "organiser")
        role, table = session.actor.role, int(request.match_info["table"])
        page = TablePage(self._visits.watch, self._visits.templates, role, table)
        return session, f"table {table} {role}", page, table
