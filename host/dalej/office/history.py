"""The history of an event: everything that was decided, and what people did to clocks and games of tables, in the
order in which it happened: who asked for it, why, and what the box made of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.game.facts import SEATS, Fact
from dalej.domain.game.rulings import RULING, FactKey
from dalej.domain.game.sentences import COMMANDS, seconds, word
from dalej.errors import WrongInput
from dalej.event.cases import Place, Places, cases
from dalej.event.event import state_of
from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, Json, Request
from dalej.event.reading import Asked, Reading
from dalej.event.tables import Tables
from dalej.office.decisionwords import Names, game_words, name_of, names_in, tell
from dalej.words import _
from moveclock import facts as k

CORRECTIONS: Final = ("set_remaining", "give_time", "restart_move")  # of a clock
TOLD: Final = (
    *CORRECTIONS, "set_seat", "set_bank", "withdraw", "final_lap", "reopen", "redeal", "end_game"
)  # fmt: skip

_ANSWERS: Final[Mapping[int, str]] = {
    k.TIME_CORRECTED: "set_remaining", k.EXTRA_TIME_GIVEN: "give_time", k.MOVE_RESTARTED: "restart_move",
}  # fmt: skip
_LEFT: Final = (k.CLOCK_STOPPED, k.MOVE_STARTED, *_ANSWERS)  # facts whose first number is the time left
_KINDS: Final = (*_LEFT, k.COMMAND_APPLIED)

MoveKey = tuple[str, int, int, int]  # box, epoch, game and move as the box counts them


@dataclass(frozen=True, slots=True)
class Intervention:
    """One command. `result`: as `Outcome`'s, "" while there is none, with the box's `reason`. `fact`: how the box told
    of a correction, None if it did not; `before_ms`: what was left before it, None if that is not known.
    """

    request: Request
    result: str = ""
    reason: str = ""
    fact: Fact | None = None
    before_ms: int | None = None


def interventions(reading: Reading) -> list[Intervention]:
    """Every command of `TOLD`, in the order in which it was asked for."""
    told = {
        ident: (fact, before)
        for journal in reading.fold(Tables).journals()
        for ident, fact, before in _answers(one.fact for one in journal.facts if one.fact.kind in _KINDS)
    }
    return [_of(one, told.get(one.request.id)) for one in reading.asked() if one.request.command in TOLD]


def by_move(found: Sequence[Intervention]) -> dict[MoveKey, list[Intervention]]:
    """The corrections that boxes carried out, by the move they were made in."""
    moves: defaultdict[MoveKey, list[Intervention]] = defaultdict(list)
    for one in found:
        if one.fact is not None:
            moves[one.fact.box, one.fact.epoch, one.fact.game, one.fact.move].append(one)
    return dict(moves)


def _of(asked: Asked, told: tuple[Fact, int | None] | None) -> Intervention:
    fact, before_ms = told or (None, None)
    return Intervention(asked.request, asked.result, asked.reason, fact, before_ms)


def _answers(facts: Iterable[Fact]) -> Iterator[tuple[int, Fact, int | None]]:
    """Of one journal: the request, the fact that it became, and what was left before."""
    left_ms: int | None = None
    last: tuple[Fact, int | None] | None = None
    for fact in facts:
        if fact.kind == k.COMMAND_APPLIED:
            if last is not None and fact.fields().get("command") == _ANSWERS[last[0].kind]:
                yield fact.a, *last
            last = None
            continue
        if fact.kind in _ANSWERS:
            last = fact, left_ms
        left_ms = fact.a


@dataclass(frozen=True, slots=True)
class Told:
    """One decision, or one command for a table's box. `number` is what `dalej undo` takes, the decision's place in the
    ledger, None for a command; `what` a part of a sentence.
    """

    number: int | None
    when_ms: int
    who: str
    what: str
    why: str
    kind: str
    body: Mapping[str, Json]
    revokes: int | None = None
    revoked_by: int | None = None

    def fields(self) -> dict[str, object]:
        """It under its JSON names; they never translate."""
        return {
            "number": self.number, "when_ms": self.when_ms, "who": self.who, "kind": self.kind, "why": self.why,
            "revokes": self.revokes, "revoked_by": self.revoked_by, "body": self.body,
        }  # fmt: skip


def history(reading: Reading) -> list[Told]:
    """Everything, oldest first."""
    decisions = reading.decisions()
    done = interventions(reading)
    names = names_in(decisions)
    places = _places(reading) if done else None
    ruled = {of: place_words(place, names) for of, place in _ruled(reading).items()}
    told = [
        (
            one.cursor,
            Told(
                one.cursor, one.when_ms, one.who, tell(one, names, ruled), one.why, one.kind, one.body, one.revokes,
                one.revoked_by,
            ),
        )
        for one in decisions
    ]  # fmt: skip
    told += [
        (
            one.request.cursor,
            Told(
                None, one.request.at_ms, one.request.who, intervention_words(one, names, places), one.request.why,
                one.request.command, {"table": one.request.table, **one.request.args},
            ),
        )
        for one in done
    ]  # fmt: skip
    return [one for _cursor, one in sorted(told, key=lambda pair: pair[0])]


def intervention_words(one: Intervention, names: Names, places: Places | None) -> str:
    """At which table, in which move and whose, what was done and how much; and what became of it if it was not done."""
    request = one.request
    what = f"{_where(one, names, places)}: {amount_words(one)}"
    if request.command in ("set_remaining", "give_time", "restart_move") and one.fact is not None:
        return what
    if one.result == REFUSED:
        return _("{what} (the box refused: {reason})").format(what=what, reason=word(one.reason))
    if one.result == NO_LINK:
        return _("{what} (not done: the box was not heard)").format(what=what)
    return what if one.result == APPLIED else _("{what} (no answer yet)").format(what=what)


def amount_words(one: Intervention) -> str:
    """What was done to the clock or the game."""
    request, fact = one.request, one.fact
    ms = request.args.get("ms")
    if request.command == "set_remaining" and isinstance(ms, int):
        if one.before_ms is None:
            return _("time left corrected to {after} s").format(after=seconds(ms))
        return _("time left corrected from {before} s to {after} s").format(
            before=seconds(one.before_ms), after=seconds(ms)
        )
    if request.command == "give_time" and isinstance(ms, int):
        if fact is None:
            return _("{extra} s more").format(extra=seconds(ms))
        return _("{extra} s more, {after} s left").format(extra=seconds(ms), after=seconds(fact.a))
    said = _(COMMANDS[request.command]) if request.command in COMMANDS else request.command
    values = ", ".join(word(str(value)) for value in request.args.values())
    return f"{said} ({values})" if values else said


def place_words(place: Place, names: Names) -> str:
    """Table, game, move and player of a move in a sentence."""
    player = name_of(place.player, names) if place.player else ""
    seat = place.letter if place.letter != "?" else ""
    whose = f"{player} ({seat})" if player and seat else player or seat
    game = (
        _("table {table}, game {game}").format(table=place.table, game=place.game) if place.key is None
        else game_words(*place.key, place.table, place.game)
    )  # fmt: skip
    said = _("{game}, move {move}").format(game=game, move=place.move)
    return f"{said}, {whose}" if whose else said


def _where(one: Intervention, names: Names, places: Places | None) -> str:
    request, fact = one.request, one.fact
    if fact is not None and places is not None:
        return place_words(places.at(request.table, _key(fact), fact.game, fact.move, fact.seat), names)
    if fact is not None:
        return place_words(Place(request.table, None, fact.game, fact.game, fact.move, fact.seat, 0), names)
    if not request.game or not request.move:
        return _("table {table}").format(table=request.table)
    return place_words(Place(request.table, None, request.game, request.game, request.move, len(SEATS), 0), names)


def _key(fact: Fact) -> FactKey:
    return fact.box, fact.epoch, fact.seq


def _places(reading: Reading) -> Places | None:
    """None where nobody has said yet what is played."""
    try:
        return Places(reading, state_of(reading))
    except WrongInput:
        return None


def _ruled(reading: Reading) -> dict[FactKey, Place]:
    """Where the time-outs were on which somebody ruled."""
    if not reading.decisions(RULING):
        return {}
    try:
        found = cases(reading, state_of(reading))
    except WrongInput:
        return {}
    return {key: case.place for case in found for ruling in case.history for key in (ruling.of, *ruling.known_as)}
