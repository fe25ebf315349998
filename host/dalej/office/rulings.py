"""What a referee decides: on a time-out, on a claim, on players who are level; and what is taken back of it. Where a
box counts it goes by the number of the move, else by the seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast, get_args

from dalej.domain.game.rulings import RULING, FactKey, Ruling, is_open
from dalej.domain.game.sentences import WORDS
from dalej.domain.rules.rulesets import NOTHING_LAID, SEEN_BY, TOUCHED, Ruleset, RulingName
from dalej.domain.scoring.points import points_said
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.stages import stage_said
from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import CLAIM, TABLE_RULING, TIE, GameAt, Player, Round, RoundKey, Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event import cases
from dalej.event.cases import Case, Claimed, Place
from dalej.event.event import Change, Event, Seen
from dalej.event.ledger import REVOKE, Decision, Draft
from dalej.event.ledger.entries import Json
from dalej.event.tables import Tables
from dalej.hints import once_more
from dalej.office import results
from dalej.office.advancing import ordered_alone
from dalej.office.decisionwords import About, expect_none_newer
from dalej.office.grounds import expect_free
from dalej.office.players import listed
from dalej.office.rounds import round_of
from dalej.words import N_

TILES_MOST: Final = 106
_OF_A_REFEREE: Final = (RULING, TABLE_RULING, CLAIM, TIE)
SEEN: Final = (*get_args(RulingName), *SEEN_BY)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`tiles` None: as many as the ruleset says, and of those taken from the table unknown until somebody counts.
    `seen`: what it follows from, one of `SEEN_BY`; "": the referee named the ruling.
    """

    ruling: RulingName
    tiles: int | None
    why: str
    seen: str = ""

    @property
    def cites(self) -> dict[str, Json]:
        """What a decision holds of it beside ruling and tiles: its clause is then that of what was seen."""
        return {"seen": self.seen} if self.seen else {}


def verdict(ruleset: Ruleset, seen: str, tiles: int | None, why: str) -> Verdict:
    """The ruling that a referee names, or the one that follows by the ruleset from what was `seen` (one of `SEEN`)."""
    if seen == TOUCHED:
        return Verdict(ruleset.touched_ruling, tiles, why, seen)
    if seen == NOTHING_LAID:
        return Verdict("stands", tiles, why, seen)
    return Verdict(cast("RulingName", seen), tiles, why)


def usual(state: Tournament, seen: str, bank: int | None) -> Verdict:
    """The same, with as many tiles as it costs where nobody names a number. `bank`: what it holds, None: not known."""
    found = verdict(state.ruleset, seen, None, "")
    return replace(found, tiles=_tiles(state, found, bank))


def rule(state: Tournament, case: Case, verdict: Verdict) -> Change:
    """The referee's ruling on a time-out that a box told of. Refused if it is what the referee has ruled already."""
    tiles = _tiles(state, verdict, case.bank)
    current = case.current
    clause = state.ruleset.clause_of(verdict.ruling, verdict.seen)
    wanted = (verdict.ruling, tiles, clause)
    if current is not None and current.by == "referee" and (current.ruling, current.tiles, current.clause) == wanted:
        raise Refused(N_("that is how it is ruled already, by decision {number}"), number=current.decision or 0)
    box, epoch, seq = case.of
    body: dict[str, Json] = {"of": [box, epoch, seq], "ruling": verdict.ruling, "tiles": tiles, **verdict.cites}
    return Change([Draft(RULING, body)], verdict.why)


def rule_ahead(state: Tournament, table: int, box: str, epoch: int, head: int, verdict: Verdict) -> Change:
    """The same before the facts of the time-out are known: on the one that is open at that table although its box is
    known to have told of no more than fact `head`. See `dalej.domain.game.rulings`.
    """
    body: dict[str, Json] = {
        "of": [box, epoch, head], "ruling": verdict.ruling, "tiles": _tiles(state, verdict, None), "open": True,
        "usual": verdict.tiles is None, "table": table, **verdict.cites,
    }  # fmt: skip
    return Change([Draft(RULING, body)], verdict.why)


def rule_at_table(
    state: Tournament, key: RoundKey, at: GameAt, seat: str, verdict: Verdict, *, another: bool = False
) -> Change:
    """The same where no box told anything: on a seat's time-out in a game of the round, in place of the referee's last
    ruling on that seat; `another`: it is about another time-out, and both hold. Refused as by `rule`.
    """
    one, player = _seated(state, key, at, seat)
    tiles = _tiles(state, verdict, None)
    body: dict[str, Json] = {
        **_game(one, at), "seat": seat, "player": player, "ruling": verdict.ruling, "tiles": tiles, **verdict.cites,
    }  # fmt: skip
    before = [ruled for ruled in one.rulings if (ruled.at, ruled.seat) == (at, seat)]
    if before and not another:
        last = before[-1]
        if (last.ruling, last.tiles, last.seen) == (verdict.ruling, tiles, verdict.seen):
            raise Refused(N_("that is how it is ruled already, by decision {number}"), number=last.mark.cursor).hinted(
                N_("{command} rules on another time-out of that seat"), command=once_more("--another")
            )
        body["instead"] = last.mark.cursor
    return Change([Draft(TABLE_RULING, body)], verdict.why)


def answer(claim: Claimed, key: RoundKey, *, granted: bool, why: str) -> Change:
    """The referee's answer to a claim that a box told of."""
    box, epoch, seq = claim.of
    place = claim.place
    body: dict[str, Json] = {
        "of": [box, epoch, seq], "stage": key.stage, "round": key.round, "table": place.table, "game": place.game,
        "seat": place.letter, "granted": granted,
    }  # fmt: skip
    return Change([Draft(CLAIM, body, f"{CLAIM}:{box}:{epoch}:{seq}")], why)


def answer_at_table(state: Tournament, key: RoundKey, at: GameAt, seat: str, *, granted: bool, why: str) -> Change:
    """The same where no box told of it."""
    one, _ = _seated(state, key, at, seat)
    body: dict[str, Json] = {"of": None, **_game(one, at), "seat": seat, "granted": granted}
    return Change([Draft(CLAIM, body)], why)


def tie(state: Tournament, stage: str | None, players: Sequence[Player], why: str) -> Change:
    """The head referee's order among players who are level in a stage; the best first. Refused if they are not, if it
    leaves out somebody level with them who has not left, or once the next stage has been entered. Where the best of
    each table go on, an order of those level at one table is whole, whoever is level with them elsewhere.
    """
    last = [name for name in state.entrants if name in {one.id for one in state.plan}][-1]
    stage = last if stage is None else stage
    if len(players) < 2 or len({player.number for player in players}) != len(players):
        raise WrongInput(N_("an order needs at least two players, each once"))
    _expect_still_open(state, stage)
    lines = {line.player: line for line in standings(state, stage)}
    for player in players:
        if player.number not in lines:
            raise Refused(N_("{stage}: {player} has no place"), player=player.name, stage=stage_said(stage))
    first = lines[players[0].number]
    for player in players[1:]:
        line = lines[player.number]
        if not _alike(line, first):
            raise Refused(
                N_("{stage}: {one} and {other} are not level, {points} and {others}"),
                one=players[0].name, other=player.name, stage=stage_said(stage),
                points=points_said(first.big, first.small),
                others=points_said(line.big, line.small),
            )  # fmt: skip
    _expect_everybody(state, stage, players, [line for line in lines.values() if _alike(line, first)])
    order: list[Json] = [player.number for player in players]
    points: list[Json] = [first.big, first.small]
    return Change([Draft(TIE, {"stage": stage, "order": order, "points": points})], why)


def _alike(line: Line, other: Line) -> bool:
    return (line.last, line.big, line.small) == (other.last, other.big, other.small)


def _expect_still_open(state: Tournament, stage: str) -> None:
    ids = [one.id for one in state.plan]
    following = ids[ids.index(stage) + 1 :] if stage in ids else []
    if following and following[0] in state.entrants:
        raise Refused(
            N_("{stage}: who goes on to {into} is decided, their order stays"),
            stage=stage_said(stage), into=stage_said(following[0]),
        )  # fmt: skip


def _expect_everybody(state: Tournament, stage: str, named: Sequence[Player], level: Sequence[Line]) -> None:
    numbers = {player.number for player in named}
    open_still = {line.player for line in level if state.players[line.player].gone is None} - numbers
    left_out = [open_still & group for group in ordered_alone(state, stage) if numbers <= group]
    missing = min(left_out, key=len)
    if missing:
        raise Refused(
            N_("{stage}: an order names everybody who is level, and {missing} is level too"),
            stage=stage_said(stage), missing=listed(state.players[number] for number in sorted(missing)),
        )  # fmt: skip


def revoke(seen: Seen, number: int, why: str) -> Change:
    """Takes a referee's decision back; what held before it holds again. Refused if a later decision rests on it."""
    found = next((one for one in seen.decisions if one.cursor == number), None)
    if found is None or found.kind not in _OF_A_REFEREE:
        raise WrongInput(
            N_("number {number} is no referee's decision, expected one of {known}"), number=number,
            known=", ".join(str(one.cursor) for one in rulings_of(seen.decisions)) or "–",
        )  # fmt: skip
    expect_free(seen, [found])
    return Change([Draft(REVOKE, {}, revokes=number)], why)


def rulings_of(decisions: Sequence[Decision]) -> list[Decision]:
    """The referee's decisions that stand."""
    return [one for one in decisions if one.kind in _OF_A_REFEREE and one.revoked_by is None]


def claims_answered(decisions: Iterable[Decision]) -> dict[FactKey, Decision]:
    """How referees have answered claims of boxes: of each the latest answer that stands, else the latest that was
    taken back.
    """
    found: dict[FactKey, Decision] = {}
    for one in decisions:
        match one.body.get("of") if one.kind == CLAIM else None:
            case [str() as box, int() as epoch, int() as seq]:
                before = found.get((box, epoch, seq))
                if before is None or one.revoked_by is None or before.revoked_by is not None:
                    found[box, epoch, seq] = one
    return found


def claims_granted(answers: Mapping[FactKey, Decision]) -> set[FactKey]:
    """Those that were granted, as that stands."""
    return {claim for claim, one in answers.items() if one.revoked_by is None and one.body.get("granted")}


def answer_words(made: Decision) -> DalejError:
    """How a claim was answered, and what that means for another answer."""
    template = N_("{who} has denied it (number {number}); only taking that back lets it be answered otherwise")
    if made.body.get("granted"):
        template = N_("{who} has granted it (number {number}); only taking that back lets it be answered otherwise")
    return DalejError(template, who=made.who, number=made.cursor)


def _tiles(state: Tournament, verdict: Verdict, bank: int | None) -> int | None:
    if verdict.tiles is not None:
        return verdict.tiles
    rules = state.ruleset
    nothing_laid = verdict.seen == NOTHING_LAID
    tiles = rules.nothing_laid_tiles if nothing_laid else rules.tiles_of(verdict.ruling)
    if tiles is not None and bank is not None and (nothing_laid or verdict.ruling == "undone"):
        return min(tiles, bank)
    return tiles


def _seated(state: Tournament, key: RoundKey, at: GameAt, seat: str) -> tuple[Round, int]:
    one = round_of(state, key)
    seats = results.seats_of(results.table_of(one, at.table))
    results.expect_game(one, at)
    if seat not in seats:
        raise WrongInput(N_("nobody sits at table {table}, seat {seat}; expected {seats}"),
                         table=at.table, seat=seat, seats=", ".join(seats))  # fmt: skip
    return one, seats[seat]


def _game(one: Round, at: GameAt) -> dict[str, Json]:
    return {"stage": one.key.stage, "round": one.key.round, "table": at.table, "game": at.game}


DENY: Final = "deny_claim"


@dataclass(frozen=True, slots=True)
class Where:
    """`game`: of the round `key` (None: the one at work, or whichever where nobody is seated). Either `move`, which a
    box has counted, or the `seat`'s letter, where none counts.
    """

    table: int
    game: int
    move: int | None
    seat: str | None
    key: RoundKey | None = None


@dataclass(frozen=True, slots=True)
class Ruled:
    """What was decided on which seat. `request`: of a box that is told, None: none is; `waits`: a box holds the claim
    until its clock is resumed.
    """

    made: Decision
    seat: str
    request: int | None = None
    waits: bool = False


def rule_at(
    event: Event, where: Where, seen_as: str, tiles: int | None, why: str, since: int = 0, *, another: bool = False
) -> Ruled:
    """Rules on a time-out: `seen_as` is one of `SEEN`. Where no box counts, in place of the last ruling on that
    seat, unless it is on `another` time-out of it. Refused as `expect_none_newer` says.
    """
    state = event.state()
    wanted = verdict(state.ruleset, seen_as, tiles, why)
    key = where.key or round_meant(state)
    if where.move is not None:
        case = cases.the_case(cases.cases(event.read(), state, where.table), key, where.table, where.game, where.move)
        _expect_table_not_newer(event, case, since)

        def plan(seen: Seen) -> Change:
            expect_none_newer(seen, since, event.who, _on_case(case))
            return rule(seen.state, case, wanted)

        return Ruled(event.change_seen(plan)[0], case.place.letter)
    at, seat = _chair(where)
    there = _expect_no_box(
        event, state, key, where, (case.place for case in cases.cases(event.read(), state, where.table))
    )

    def plan_at_table(seen: Seen) -> Change:
        expect_none_newer(seen, since, event.who, _on_seat(TABLE_RULING, there, at, seat))
        return rule_at_table(seen.state, there, at, seat, wanted, another=another)

    return Ruled(event.change_seen(plan_at_table)[0], seat)


def _expect_table_not_newer(event: Event, case: Case, since: int) -> None:
    """Refused if the table itself has settled it after the ledger's entry `since`: nobody is overruled unseen."""
    ruled = case.current
    told = None if ruled is None or ruled.by != "table" else event.read().fold(Tables).reported(ruled.of)
    if since and ruled is not None and told is not None and told.cursor > since:
        raise settled_at_table(case.place.table, ruled)


def settled_at_table(table: int, ruled: Ruling) -> Refused:
    """That the table was quicker."""
    return Refused(
        N_("table {table} has settled that time-out itself by now ({ruling}): look at it, then rule again"),
        table=table, ruling=DalejError(WORDS[ruled.ruling]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heard:
    """A box at a table, as far as it has been heard: `head` is the last fact that it had then."""

    table: int
    box: str
    epoch: int
    head: int


def rule_at_ahead(event: Event, heard: Heard, seen_as: str, tiles: int | None, why: str, since: int = 0) -> Decision:
    """Rules on the time-out that waits at a table whose box has not told of it yet; it holds as soon as the box has.
    Refused as `expect_none_newer` says.
    """
    of: Json = [heard.box, heard.epoch]

    def plan(seen: Seen) -> Change:
        wanted = verdict(seen.state.ruleset, seen_as, tiles, why)
        expect_none_newer(seen, since, event.who, lambda one: is_open(one) and _of(one)[:2] == of)
        return rule_ahead(seen.state, heard.table, heard.box, heard.epoch, heard.head, wanted)

    return event.change_seen(plan)[0]


def answer_claim(event: Event, where: Where, *, granted: bool, why: str, since: int = 0) -> Ruled:
    """Answers a claim; a box that waits for the answer is told of a denial. Refused if it is answered: by a decision
    that stands, which is taken back first, or at the table. What was decided once may be decided anew, however far the
    table has come.
    """
    state = event.state()
    key = where.key or round_meant(state)
    if where.move is not None:
        found = cases.the_claim(
            cases.claims(event.read(), state, where.table), key, where.table, where.game, where.move
        )

        def plan(seen: Seen) -> Change:
            expect_none_newer(seen, since, event.who, _on_claim(found))
            _expect_open(seen, found)
            return answer(found, found.place.key or _any_round(seen.state), granted=granted, why=why)

        waits = found.answer is None
        with event.together():
            made = event.change_seen(plan)[0]
            request = None if granted or not waits else _deny(event, found, why)
        return Ruled(made, found.place.letter, request, waits)
    at, seat = _chair(where)
    there = _expect_no_box(
        event, state, key, where, (claim.place for claim in cases.claims(event.read(), state, where.table))
    )

    def plan_at_table(seen: Seen) -> Change:
        expect_none_newer(seen, since, event.who, _on_seat(CLAIM, there, at, seat))
        return answer_at_table(seen.state, there, at, seat, granted=granted, why=why)

    return Ruled(event.change_seen(plan_at_table)[0], seat)


def _expect_open(seen: Seen, found: Claimed) -> None:
    decided = [one for one in seen.decisions if _on_claim(found)(one)]
    where = {"table": found.place.table, "game": found.place.game, "move": found.place.move}
    if standing := [one for one in decided if one.revoked_by is None]:
        last = standing[-1]
        said = N_("table {table}, game {game}: the claim of move {move} is answered: {who} has denied it (number "
                  "{number}); take that back before it is answered otherwise")  # fmt: skip
        if last.body.get("granted"):
            said = N_("table {table}, game {game}: the claim of move {move} is answered: {who} has granted it (number "
                      "{number}); take that back before it is answered otherwise")  # fmt: skip
        raise Refused(said, **where, who=last.who, number=last.cursor)
    if found.answer is not None and not decided:
        raise Refused(
            N_("table {table}, game {game}: the claim of move {move} waits for no answer any more ({how})"),
            **where, how=DalejError(cases.ANSWERED[found.answer]),
        )  # fmt: skip


def round_meant(state: Tournament, text: str | None = None) -> RoundKey | None:
    """The round that `text` names; the current one; None: no matter which, in an event without a seating."""
    if text is not None:
        return results.which(state, text).key
    current = state.current
    if current is not None and current.seating is not None:
        return current.key
    seated = [one.key for one in state.rounds.values() if one.seating is not None]
    return seated[-1] if seated else None


def _deny(event: Event, found: Claimed, why: str) -> int:
    place = found.place
    asked = event.ledger.request(
        place.table, DENY, who=event.who, at_ms=event.wall_ms(), why=why, box=found.of[0],
        guard=(place.box_game, place.move),
    )  # fmt: skip
    return asked.id


def _any_round(state: Tournament) -> RoundKey:
    current = state.current
    return [*state.rounds][-1] if current is None else current.key


def _chair(where: Where) -> tuple[GameAt, str]:
    """The game and the seat's letter."""
    if where.seat is None:
        raise WrongInput(
            N_("table {table}: expected the number of the move, or the seat where no box counts"), table=where.table
        )
    return GameAt(where.table, where.game), where.seat


def _expect_no_box(
    event: Event, state: Tournament, key: RoundKey | None, where: Where, told: Iterable[Place]
) -> RoundKey:
    """The round, if no box counts moves in its game: else the move's number says more than a seat. `told`: where boxes
    have told of the like.
    """
    if key is None:
        raise Refused(N_("nobody is seated in this event: expected the number of a move that a box has told of"))
    at, seat = _chair(where)
    moves = [place.move for place in told if (place.table, place.game, place.letter) == (*at, seat)]
    if moves or cases.box_knows(event.read(), state, key, at):
        raise WrongInput(
            N_("a box counts at table {table}: expected the number of the move; those of that seat: {moves}"),
            table=at.table, moves=cases.listed(moves),
        )  # fmt: skip
    return key


def _of(one: Decision) -> list[Json]:
    found = one.body.get("of")
    return found if isinstance(found, list) else []


def _on_case(case: Case) -> About:
    of = [list(one.of) for one in case.history] + [list(case.of)]
    made = {one.decision for one in case.history}
    return lambda one: one.kind == RULING and (one.cursor in made or _of(one) in of)


def _on_claim(claim: Claimed) -> About:
    return lambda one: one.kind == CLAIM and one.body.get("of") == list(claim.of)


def _on_seat(kind: str, key: RoundKey, at: GameAt, seat: str) -> About:
    wanted = {"stage": key.stage, "round": key.round, "table": at.table, "game": at.game, "seat": seat}
    return lambda one: one.kind == kind and all(one.body.get(name) == value for name, value in wanted.items())
