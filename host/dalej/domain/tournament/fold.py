"""Decisions of a ledger -> the `Tournament` they make. Pure; what a body must hold is in
`dalej.domain.tournament.bodies`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, get_args

from dalej.domain.rules.options import with_options
from dalej.domain.rules.rulesets import Ruleset, Stage, schema
from dalej.domain.rules.ruletext import parse
from dalej.domain.scoring.points import Ended, Sheet, score
from dalej.domain.scoring.sheets import sheet_from
from dalej.domain.tournament import stages
from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.bodies import Body, Decided
from dalej.domain.tournament.standings import met, standings
from dalej.domain.tournament.tournament import (
    NOT_PLAYED,
    GameAt,
    Gone,
    Mark,
    Player,
    Result,
    Round,
    RoundClock,
    RoundKey,
    Seating,
    TableRuling,
    TableSeats,
    Tie,
    Tournament,
)
from dalej.errors import Damaged, WrongInput
from dalej.words import N_

__all__ = ["Decided", "met", "standing", "standings", "tournament"]

_ENDED: Final = (*get_args(Ended), NOT_PLAYED)


class Told(NamedTuple):
    """A result as its body tells it, not scored yet."""

    at: GameAt
    played: bool
    players: dict[str, int]
    body: Body


class RoundSoFar:
    """What stands of one round; of several decisions on the same thing the latest."""

    def __init__(self) -> None:
        self._seating: tuple[tuple[TableSeats, ...], str, int | None, Mark] | None = None
        self._locked: Mark | None = None
        self._absent: dict[int, bool] = {}
        self.told: dict[GameAt, Told] = {}
        self._confirmed: list[tuple[Mark, tuple[int, ...]]] = []
        self._clock: RoundClock | None = None
        self._closed: Mark | None = None
        self._rulings: list[TableRuling] = []
        self._given: Mark | None = None
        self._taken_back = 0  # the decision by which it is given to the halls no more
        self._asked: frozenset[str] = frozenset()  # the halls that it was given to
        self._complete: set[str] = set()

    def copy(self) -> RoundSoFar:
        """One that takes more, while this one stays as it is."""
        other = RoundSoFar()
        vars(other).update(vars(self))
        other._absent, other.told, other._confirmed = {**self._absent}, {**self.told}, [*self._confirmed]
        other._rulings, other._complete = [*self._rulings], {*self._complete}
        return other

    def seat(self, body: Body) -> None:
        seed = body.maybe_number("seed")
        self._seating = body.tables(), body.text("how"), seed, body.mark

    def lock(self, body: Body) -> None:
        self._locked = body.mark if body.flag("locked") else None

    def excuse(self, body: Body) -> None:
        self._absent[body.number("player")] = body.flag("absent")

    def start_clock(self, body: Body) -> None:
        self._clock = RoundClock(body.mark.when_ms, body.number("length_ms"), body.mark)

    def close(self, body: Body) -> None:
        self._closed = body.mark

    def give(self, body: Body) -> None:
        given = body.flag("given")
        if given:
            self._asked = body.texts("halls")
        elif self._given is None:
            return
        self._given, self._taken_back = (body.mark, 0) if given else (None, body.mark.cursor)
        self._complete.clear()

    def complete(self, body: Body) -> None:
        if body.number("of") == self._taken_back:
            self._complete.add(body.text("hall"))

    def rule(self, body: Body) -> None:
        instead = body.maybe_number("instead")
        if instead is not None:
            self._rulings = [one for one in self._rulings if one.mark.cursor != instead]
        self._rulings.append(
            TableRuling(
                body.game_at(), body.text("seat"), body.number("player"), body.text("ruling"),
                body.maybe_number("tiles"), body.text("seen", ""), body.mark,
            )
        )  # fmt: skip

    def enter(self, body: Body) -> None:
        at, played = body.game_at(), body.one_of("ended", _ENDED) != NOT_PLAYED
        self.told[at] = Told(at, played, body.seat_players() if played else {}, body)

    def confirm(self, body: Body) -> None:
        self._confirmed.append((body.mark, body.numbers("results")))

    @property
    def closed(self) -> bool:
        """Whether nothing is left to play in it."""
        return self._closed is not None

    def seated(self) -> set[int]:
        """Everybody who has a seat in it."""
        return set() if self._seating is None else {player for one in self._seating[0] for player in one.seated}

    def made(
        self,
        key: RoundKey,
        stage: Stage,
        ruleset: Ruleset,
        names: Mapping[int, str],
        scored: Mapping[GameAt, Result],
        scored_alike: Callable[[int], bool],
        here: frozenset[int] | None,
    ) -> Round:
        """The round as it stands; Damaged if a result cannot be right by this ruleset. `scored`: results that were
        scored by it before. `scored_alike`: whether the rules gave the same scores at that cursor. `here`: as the round
        has it.
        """
        returns = frozenset() if self._closed is not None else self._asked - self._complete
        seating = None if self._seating is None else Seating(*self._seating, self._locked)
        return Round(
            key=key, stage=stage, seating=seating,
            absent=frozenset(player for player, absent in self._absent.items() if absent),
            results=self._results(ruleset, names, scored, scored_alike), clock=self._clock, closed=self._closed,
            rulings=tuple(self._rulings), given=self._given, returns=returns,
            here=here,
        )  # fmt: skip

    def _results(
        self,
        ruleset: Ruleset,
        names: Mapping[int, str],
        scored: Mapping[GameAt, Result],
        scored_alike: Callable[[int], bool],
    ) -> dict[GameAt, Result]:
        tables = () if self._seating is None else self._seating[0]
        seats = {one.table: len(one.seated) for one in tables}
        confirmed = self._confirmations(scored_alike)
        results = {}
        for at, told in sorted(self.told.items()):
            marked = confirmed.get(told.body.mark.cursor)
            again = _again(told, seats.get(at.table, 0), scored.get(at), names)
            result = _scored(told, seats.get(at.table, 0), ruleset, names) if again is None else again
            results[at] = result if result.confirmed == marked else replace(result, confirmed=marked)
        return results

    def _confirmations(self, scored_alike: Callable[[int], bool]) -> dict[int, Mark]:
        """By the cursors of results: who has looked at them, as they stand and as they are scored now. A game that
        comes in later, or is corrected, takes nothing from the others of its table.
        """
        looked_at = [(mark, named) for mark, named in self._confirmed if scored_alike(mark.cursor)]
        return {result: mark for mark, named in looked_at for result in named}


def _again(told: Told, seats: int, scored: Result | None, names: Mapping[int, str]) -> Result | None:
    """The result as it was scored before, if nothing that its score depends on is otherwise."""
    if scored is None or scored.mark != told.body.mark:
        return None
    same = scored.sheet is None or scored.sheet.started == _started(told, seats)
    return (
        scored if same and all(one.name == names.get(scored.players[one.seat], "") for one in scored.scores) else None
    )


def _scored(told: Told, seats: int, ruleset: Ruleset, names: Mapping[int, str]) -> Result:
    mark = told.body.mark
    if not told.played:
        return Result(told.at, None, (), {}, mark)
    try:
        sheet = _sheet(told, seats, names)
        scores = score(sheet, ruleset)
    except WrongInput as problem:
        raise Damaged(
            N_("decision {cursor} is a result that cannot be right: {problem}"), cursor=mark.cursor, problem=problem
        ) from problem
    return Result(told.at, sheet, scores, told.players, mark)


def _sheet(told: Told, seats: int, names: Mapping[int, str]) -> Sheet:
    """The sheet with the names that players have now."""
    decision = told.body.decision
    racks = [
        {**rack, "name": names.get(player, "")}
        for rack, player in zip(told.body.objects("racks"), told.players.values(), strict=True)
    ]
    body = {**decision.body, "racks": racks, "started": _started(told, seats)}
    return sheet_from(body, decision.subject or decision.kind)


def _started(told: Told, seats: int) -> int:
    """With how many the table began: where nobody has said so, with as many as sit there."""
    return told.body.maybe_number("started") or seats


_HOW: Final = ("withdrawn", "excluded")
_OF_A_SCORE: Final = ("table", "scoring")  # sections of a ruleset


def tournament(decisions: Iterable[Decided], known: Tournament | None = None) -> Tournament:
    """The tournament that these decisions make; revoked ones count for nothing, whatever comes after. WrongInput if
    none of them names the ruleset, Damaged if a body says nothing.

    What was decided on a round that is no part of the plan (any more) is left out. `known`: an earlier state of the
    same event, from which it is made if only rounds and tables with boxes were decided on since, and which spares
    scoring again what has not changed.
    """
    heard = list(decisions)
    if known is not None:
        new = heard[bisect_right(heard, known.cursor, key=_cursor) :]
        if not new:
            return known
        if not any(_changes(one, heard) for one in new):
            latest = {one.subject: one.cursor for one in new if one.subject is not None}
            return replace(known, latest={**known.latest, **latest}, cursor=heard[-1].cursor)
        if isinstance(known.folded, _Fold) and known.folded.has_made(known) and all(_goes_on(one) for one in new):
            return _taken(known.folded.copy(), known.latest, new, heard, known)
    return _taken(_Fold(_ScoringRules(heard)), {}, heard, heard, known)


def _taken(
    fold: _Fold,
    latest: Mapping[str, int],
    new: Sequence[Decided],
    heard: Sequence[Decided],
    known: Tournament | None,
) -> Tournament:
    """The tournament once the fold has taken `new`, the last of all that was heard; `latest`: without those."""
    for decision in standing(new):
        fold.take(decision)
    latest = {**latest, **{one.subject: one.cursor for one in new if one.subject is not None}}
    changed = next((one.cursor for one in reversed(new) if _changes(one, heard)), 0)
    return fold.made(latest, heard[-1].cursor if heard else 0, changed, known)


def _goes_on(decision: Decided) -> bool:
    """Whether nothing is otherwise by it but what it is about itself, if that is of the tournament at all."""
    return decision.revokes is None and (decision.kind in _OF_A_ROUND or decision.kind not in OF_A_TOURNAMENT)


def _cursor(decision: Decided) -> int:
    return decision.cursor


def _changes(decision: Decided, heard: Sequence[Decided]) -> bool:
    """Whether the tournament may be another by it, or by what it takes back."""
    if decision.revokes is None:
        return decision.kind in OF_A_TOURNAMENT
    taken_back = heard[bisect_left(heard, decision.revokes, key=_cursor)]
    return taken_back.kind in OF_A_TOURNAMENT or taken_back.cursor != decision.revokes or taken_back.revokes is not None


def expect_right(decision: Decided, state: Tournament) -> None:
    """Damaged if it is a decision about a game that says nothing, or a result that cannot be right, by itself."""
    so_far = RoundSoFar()
    _OF_A_ROUND[decision.kind](so_far, Body(decision))
    names = {number: player.name for number, player in state.players.items()}
    one = state.rounds.get(Body(decision).round_key())
    seats = {} if one is None or one.seating is None else {at.table: len(at.seated) for at in one.seating.tables}
    for at, told in so_far.told.items():
        _scored(told, seats.get(at.table, 0), state.ruleset, names)


def standing(decisions: Iterable[Decided]) -> list[Decided]:
    """Those that nobody has revoked, in their order."""
    heard = list(decisions)
    revoked = {one.revokes for one in heard}
    return [one for one in heard if one.revoked_by is None and one.cursor not in revoked]


class _ScoringRules:
    """By which rules games were scored at any moment of an event, as all its decisions tell, revoked ones too."""

    def __init__(self, decisions: Iterable[Decided]) -> None:
        heard = list(decisions)
        revoked = {one.revokes: one.cursor for one in heard if one.revokes is not None}
        self._said = [(one, one.revoked_by or revoked.get(one.cursor)) for one in heard if _tells_how_to_score(one)]
        self._changed = max((until or one.cursor for one, until in self._said), default=0)
        self._now = self._at(self._changed)

    def alike(self, cursor: int) -> bool:
        """Whether a game scored at that cursor scores the same now: a later change of the rules was taken back."""
        return cursor > self._changed or self._at(cursor) == self._now

    def _at(self, cursor: int) -> dict[object, object]:
        held: dict[object, object] = {}
        for one, until in self._said:
            if one.cursor <= cursor and (until is None or until > cursor):
                held[one.body.get("key")] = one.body.get("value", one.body.get("text"))
        return {key: value for key, value in held.items() if value is not None}


def _tells_how_to_score(decision: Decided) -> bool:
    return tells_how_to_score(decision.kind, decision.body)


def tells_how_to_score(kind: str, body: Mapping[str, object]) -> bool:
    """Whether games may count otherwise by a decision of that kind."""
    if kind == kinds.OPTION:
        shape = schema().get(str(body.get("key")))
        return shape is not None and shape.section in _OF_A_SCORE
    return kind == kinds.RULESET


class _Fold:
    """Standing decisions go in one by one, in the ledger's order."""

    def __init__(self, scoring: _ScoringRules) -> None:
        self._scoring = scoring
        self._event: Body | None = None
        self._ruleset: Body | None = None
        self._options: dict[str, Body] = {}
        self._players: dict[int, Body] = {}
        self._signed_up: dict[int, int] = {}
        self._waits: dict[int, Mark | None] = {}
        self._gone: dict[int, Gone] = {}
        self._warned: defaultdict[int, list[Mark]] = defaultdict(list)
        self._rounds: dict[RoundKey, RoundSoFar] = {}
        self._as_known: set[RoundKey] = set()  # rounds that have taken nothing since the tournament that is known
        self._advanced: dict[str, Body] = {}
        self._dates: dict[RoundKey, str] = {}
        self._ties: defaultdict[str, list[Tie]] = defaultdict(list)
        self._halls: dict[str, frozenset[int]] = {}
        self._home = ""
        self._result: tuple[object, object] = None, None

    def copy(self) -> _Fold:
        """One that takes decisions on rounds alone, while this one stays as it is."""
        other = _Fold(self._scoring)
        vars(other).update(vars(self))
        other._rounds, other._as_known = {**self._rounds}, {*self._rounds}
        return other

    def take(self, decision: Decided) -> None:
        """Take in one decision of whatever kind."""
        if decision.kind not in OF_A_TOURNAMENT:
            return
        body = Body(decision)
        match decision.kind:
            case kinds.EVENT:
                self._event = body
            case kinds.RULESET:
                self._ruleset = body
            case kinds.OPTION:
                self._options[body.text("key")] = body
            case kinds.PLAYER:
                self._players[body.number("player")] = body
                self._signed_up.setdefault(body.number("player"), decision.cursor)
                if body.flag("waits", False):
                    self._waits.setdefault(body.number("player"), body.mark)
            case kinds.WAITING:
                self._waits[body.number("player")] = body.mark if body.flag("waits") else None
            case kinds.GONE:
                how = body.one_of("how", _HOW)
                self._gone[body.number("player")] = Gone("excluded" if how == "excluded" else "withdrawn", body.mark)
            case kinds.WARNED:
                self._warned[body.number("player")].append(body.mark)
            case kinds.ADVANCED:
                body.numbers("players")
                self._advanced[body.text("stage")] = body
            case kinds.DATED:
                self._dates[body.round_key()] = body.text("date")
            case kinds.TIE:
                self._ties[body.text("stage")].append(body.tie())
            case kinds.HALL:
                self._halls[body.text("hall")] = frozenset(body.numbers("tables"))
            case kinds.HOME:
                self._home = body.text("hall")
            case kind if kind in _OF_A_ROUND:
                _OF_A_ROUND[kind](self._round(body.round_key()), body)

    def _round(self, key: RoundKey) -> RoundSoFar:
        """To take more."""
        if key in self._as_known:
            self._as_known.discard(key)
            self._rounds[key] = self._rounds[key].copy()
        return self._rounds.setdefault(key, RoundSoFar())

    def made(self, latest: Mapping[str, int], cursor: int, changed: int, known: Tournament | None) -> Tournament:
        """The tournament; `latest`, `cursor` and `changed` as it has them."""
        ruleset, options = self._rules()
        players = {number: self._player(number) for number in sorted(self._players)}
        plan = stages.plan(ruleset, self._starters(ruleset), frozenset(self._advanced))
        entrants = self._entrants(plan, players)
        event = self._event
        made = Tournament(
            name="" if event is None else event.text("name"),
            town="" if event is None else event.text("town", ""),
            date="" if event is None else event.text("date", ""),
            closed=False if event is None else event.flag("closed", False),
            ruleset=ruleset,
            options=options,
            plan=plan,
            players=players,
            entrants=entrants,
            rounds=self._in_order(plan, entrants, ruleset, players, known),
            ties={stage: tuple(orders) for stage, orders in self._ties.items()},
            cursor=cursor,
            dates={key: day for key, day in self._dates.items() if day},
            latest=latest,
            halls={hall: tables for hall, tables in sorted(self._halls.items()) if tables},
            home=self._home,
            changed=changed,
            folded=self,
        )
        self._result = made.players, made.rounds
        return made

    def has_made(self, state: Tournament) -> bool:
        """Whether that is the tournament that it makes, of which nobody has replaced a part."""
        players, rounds = self._result
        return state.players is players and state.rounds is rounds

    def _rules(self) -> tuple[Ruleset, dict[str, object]]:
        if self._ruleset is None:
            raise WrongInput(N_("the event does not say by which ruleset it is played"))
        said = {key: body.anything("value") for key, body in self._options.items()}
        options = {key: value for key, value in said.items() if value is not None}
        ruleset = parse(self._ruleset.text("text"), f"{self._ruleset.text('id')}.toml")
        try:
            return with_options(ruleset, options), options
        except WrongInput as problem:
            raise Damaged(
                N_("decision {cursor} is an option that cannot be: {problem}"),
                cursor=max(self._options[key].mark.cursor for key in options),
                problem=problem,
            ) from problem

    def _player(self, number: int) -> Player:
        body = self._players[number]
        return Player(
            number, body.text("name"), body.mark, body.text("group", ""), body.flag("qualified", False),
            body.maybe("consent"), self._gone.get(number), tuple(self._warned.get(number, ())),
            self._waits.get(number), body.text("surname", ""), body.text("town", ""),
        )  # fmt: skip

    def _starters(self, ruleset: Ruleset) -> int:
        """How many take part in the first stage: until its last round is seated whoever has signed up, except who left
        before the first seat was theirs; from then on whoever had a seat in it at least once. Who signs up or leaves
        after a later stage was entered changes nothing.
        """
        first = ruleset.stages[0]
        rounds = {key.round: one.seated() for key, one in self._rounds.items() if key.stage == first.id}
        seated = set().union(*rounds.values())
        if rounds.get(first.rounds):
            return len(seated)
        entered = min((body.mark.cursor for body in self._advanced.values()), default=None)
        return sum(number in seated or self._takes_part(number, entered) for number in self._players)

    def _takes_part(self, number: int, at: int | None) -> bool:
        """Whether the player had signed up and not left at that cursor; None: now."""
        gone = self._gone.get(number)
        if self._waits.get(number) is not None:
            return False
        if at is None:
            return gone is None
        return self._signed_up[number] < at and (gone is None or gone.mark.cursor > at)

    def _entrants(self, plan: tuple[Stage, ...], players: Mapping[int, Player]) -> dict[str, tuple[int, ...]]:
        """Of every stage that has been reached."""
        entrants = {plan[0].id: tuple(number for number, player in players.items() if player.waits is None)}
        for stage in plan[1:]:
            if stage.id not in self._advanced:
                break
            entrants[stage.id] = self._advanced[stage.id].numbers("players")
        return entrants

    def _in_order(
        self,
        plan: tuple[Stage, ...],
        entrants: Mapping[str, tuple[int, ...]],
        ruleset: Ruleset,
        players: Mapping[int, Player],
        known: Tournament | None,
    ) -> dict[RoundKey, Round]:
        """Rounds that were decided on and the next one to play, of the stages that have been reached."""
        names = {number: player.name for number, player in players.items()}
        earlier = known.rounds if known is not None and known.ruleset == ruleset else {}
        here = self._halls.get(self._home, frozenset()) if self._home else None
        rounds: dict[RoundKey, Round] = {}
        next_is_there = False
        for stage in plan:
            for number in range(1, stage.rounds + 1) if stage.id in entrants else ():
                key = RoundKey(stage.id, number)
                so_far = self._rounds.get(key)
                if so_far is None and next_is_there:
                    continue
                so_far = RoundSoFar() if so_far is None else so_far
                next_is_there = next_is_there or not so_far.closed
                if key in self._as_known and key in earlier and earlier[key].stage == stage:
                    rounds[key] = earlier[key]
                    continue
                scored = earlier[key].results if key in earlier else {}
                rounds[key] = so_far.made(key, stage, ruleset, names, scored, self._scoring.alike, here)
        return rounds


_OF_A_ROUND: Final = {
    kinds.SEATING: RoundSoFar.seat,
    kinds.LOCKED: RoundSoFar.lock,
    kinds.ABSENT: RoundSoFar.excuse,
    kinds.CLOCK: RoundSoFar.start_clock,
    kinds.RESULT: RoundSoFar.enter,
    kinds.CONFIRMED: RoundSoFar.confirm,
    kinds.CLOSED: RoundSoFar.close,
    kinds.TABLE_RULING: RoundSoFar.rule,
    kinds.GIVEN: RoundSoFar.give,
    kinds.COMPLETE: RoundSoFar.complete,
}
OF_A_TOURNAMENT: Final = frozenset({
    kinds.EVENT, kinds.RULESET, kinds.OPTION, kinds.PLAYER, kinds.WAITING, kinds.GONE, kinds.WARNED, kinds.ADVANCED,
    kinds.DATED, kinds.TIE, kinds.HALL, kinds.HOME, *_OF_A_ROUND,
})  # fmt: skip
"""Kinds of which a tournament is made: no other makes another one of it."""
