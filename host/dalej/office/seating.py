"""Seating a round: who plays, by which method, with whose lot; a draw can be repeated from its seed. And changed by
hand: a player to another chair, a late one to a free chair, one who is not there taken off.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import combinations, groupby
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.rules.clauses import Reason, cited
from dalej.domain.rules.rulesets import Method
from dalej.domain.tournament import fold, seating, stages
from dalej.domain.tournament.seating import Tables
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import (
    ABSENT,
    LOCKED,
    MOVED,
    SEATING,
    Player,
    Round,
    RoundKey,
    Seating,
    Tournament,
)
from dalej.errors import Command, DalejError, Refused, WrongInput
from dalej.event.event import Change, Event
from dalej.event.ledger import Draft
from dalej.event.ledger.entries import Json
from dalej.hints import EVENT, REASON, once_more, typed
from dalej.office.players import listed
from dalej.office.reasons import reason_said
from dalej.office.rounds import at_work, expect_corrections_confirmed, round_of, seated, seating_of, together
from dalej.words import N_, _

CHAIRS: Final = 4
SETTLED: Final = N_("the seating is settled")  # why it is locked, where nothing else is said
STILL_SEATED: Final = N_(
    "{name} misses this round and still has a seat: too few would be left at that table. Draw the seats anew."
)
BY_LOT: Final = ("lot", "fresh_lot")  # everybody is drawn; by the other methods those who are level, if anybody
SEEDS: Final = 1_000_000  # six digits can be read out and typed again


ORDERS: Final[Mapping[str, Method]] = {  # as organisers call them
    "lot": "lot", "rank": "rank", "snake": "snake", "fresh_lot": "fresh_lot", "given": "table",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What an organiser asks for. `order` None: as the stage says; `anyway`: why with so few or so many players;
    `again`: in place of a seating that is there.
    """

    seed: int
    order: Method | None = None
    anyway: str = ""
    again: bool = False


def lot(event: Event) -> int:
    """A seed that nobody has chosen: of the instant, the ledger's place and who draws."""
    told = f"{event.wall_ms()} {event.ledger.head()} {event.who}".encode()
    return int.from_bytes(blake2b(told, digest_size=8).digest(), "big") % SEEDS


def draw(state: Tournament, wanted: Draw) -> Change:
    """The seating of the round to work on. Refused if it is seated and nobody said again, if games have begun or
    somebody locked it, if so many cannot sit at tables, and before the first round if there are too few or too many.
    """
    one = at_work(state)
    if not wanted.anyway:
        expect_corrections_confirmed(state)
    if one.seating is not None:
        _expect_asked(state, one, wanted)
        expect_unlocked(one)
        _expect_not_begun(one)
    _expect_enough(state, one, wanted.anyway)
    method = wanted.order or (one.stage.first if one.key.round == 1 else one.stage.later)
    tables, drawn = _tables(state, one, method, random.Random(wanted.seed))
    seed = wanted.seed if drawn else None
    said = f"seated by {method}" if seed is None else f"seated by {method}, seed {seed}"
    why = f"{said}, nevertheless: {wanted.anyway}" if wanted.anyway else said
    body = seating_body(state, one.key, dict(enumerate(tables, start=1)), method, seed)
    if wanted.anyway:
        body["anyway"] = wanted.anyway
    return Change([Draft(SEATING, body, subject(one.key))], why)


def present(state: Tournament, one: Round) -> tuple[int, ...]:
    """Who plays in the round: of those in its stage whoever has not left and is not absent; best first."""
    return tuple(
        number
        for number in state.entrants[one.key.stage]
        if state.players[number].gone is None and number not in one.absent
    )


def counted(state: Tournament, one: Round) -> int:
    """How many count as taking part before that round, as `players_counted` says."""
    if state.ruleset.players_counted == "signed_up":
        return sum(player.takes_part for player in state.players.values())
    return len(present(state, one))


def lot_has_a_say(state: Tournament, one: Round) -> bool:
    """Whether a seed may change who sits where in that round."""
    method = one.stage.first if one.key.round == 1 else one.stage.later
    return method in BY_LOT or (method != "table" and state.ruleset.level_seating == "lot")


def met_before(state: Tournament, key: RoundKey) -> Mapping[frozenset[int], int]:
    """Who has sat at one table how often in the rounds of that stage before."""
    before = {other: one for other, one in state.rounds.items() if other.stage == key.stage and other.round < key.round}
    return fold.met(replace(state, rounds=before), key.stage)


def repeated(state: Tournament, key: RoundKey) -> list[tuple[int, int]]:
    """Pairs who sit together in the round and have met in that stage before."""
    seats = round_of(state, key).seating
    met = met_before(state, key)
    pairs = (pair for table in (seats.tables if seats else ()) for pair in combinations(table.seated, 2))
    return [pair for pair in pairs if met.get(frozenset(pair), 0)]


def subject(key: RoundKey) -> str:
    """What seatings of that round are about."""
    return f"{SEATING}:{key.stage}:{key.round}"


def seating_body(
    state: Tournament, key: RoundKey, tables: Mapping[int, Sequence[int]], how: str, seed: int | None
) -> dict[str, Json]:
    """A seating as it is decided; `tables`: players at seats A to D by table, 0 an empty chair."""
    written: list[Json] = []
    for table, players in sorted(tables.items()):
        chairs = [*players, *[0] * (CHAIRS - len(players))]
        names = [state.players[player].name if player else "" for player in chairs]
        written.append({"table": table, "players": chairs, "names": names})
    return {"stage": key.stage, "round": key.round, "how": how, "seed": seed, "tables": written}


def expect_unlocked(one: Round, tables: Collection[int] | None = None) -> None:
    """Refused, with who locked it, if somebody did, or if a result is in, of these tables or of any (None)."""
    key, locked = one.key, one.seating and one.seating.locked
    if locked:
        said = N_("{round}: {who} has locked the seating ({why})")
        if locked.why == SETTLED:
            said = N_("{round}: {who} has locked the seating")
        raise Refused(said, who=locked.who, round=round_said(*key), why=reason_said(locked.why)).hinted(
            N_("{command} lets it be changed again"), command=typed("seat", "lock", EVENT, "--off")
        )
    entered = [result for at, result in one.results.items() if tables is None or at.table in tables]
    if entered:
        first = min(entered, key=lambda result: result.mark.cursor)
        stays = N_("{round}: the seating stays, {who} has entered a result")
        if tables is not None:
            stays = N_("{round}: the seating of table {table} stays, {who} has entered a result of it")
        raise Refused(stays, who=first.mark.who, table=first.at.table, round=round_said(*key))


def _expect_not_begun(one: Round) -> None:
    if one.clock is not None:
        raise Refused(
            N_("{round}: the seating stays, {who} has started the round"),
            who=one.clock.mark.who, round=round_said(*one.key),
        )  # fmt: skip


def _expect_asked(state: Tournament, one: Round, wanted: Draw) -> None:
    if one.seating is not None and not wanted.again:
        knowingly = ("--anyway", REASON) if _too_few_or_many(state, one, wanted.anyway) else ()
        raise Refused(
            N_("{round}: {who} has seated it already"),
            who=one.seating.mark.who, round=round_said(*one.key),
        ).hinted(N_("{command} seats it anew"), command=once_more("--again", *knowingly))  # fmt: skip


def _expect_enough(state: Tournament, one: Round, anyway: str) -> None:
    """Whether so many as are there may play is asked once, before the first round."""
    if remarks := _too_few_or_many(state, one, anyway):
        raise Refused(
            N_("{remark}; to go on knowingly takes a reason"),
            remark=together([_quoted(one, state.ruleset.language) for one in remarks]),
        ).hinted(N_("{command} gives it"), command=once_more("--anyway", REASON))


def _too_few_or_many(state: Tournament, one: Round, anyway: str) -> list[Reason]:
    if one.key != RoundKey(state.plan[0].id, 1) or anyway:
        return []
    return stages.remarks(state.ruleset, counted(state, one), closed=state.closed)


def _quoted(reason: Reason, language: str) -> DalejError:
    said = DalejError(reason.template, **reason.data)
    return DalejError("{said} {citation}", said=said, citation=cited(reason.clause, reason.quote, language))


def _tables(state: Tournament, one: Round, method: Method, lot: random.Random) -> tuple[Tables, bool]:
    """The tables, and whether the lot had a say."""
    players, rules = present(state, one), state.ruleset
    sizes = seating.sizes(len(players), rules.seats_min, rules.seats_max)
    if method == "lot":
        return seating.by_lot(sorted(players), sizes, lot), True
    if method == "fresh_lot":
        return seating.fresh_lot(sorted(players), sizes, met_before(state, one.key), lot), True
    if method == "table":
        return seating.by_rank(sorted(players), sizes), False
    groups = _by_strength(state, one, players)
    drawn = rules.level_seating == "lot" and any(len(group) > 1 for group in groups)
    order = _ordered(groups, lot if drawn else None)
    return (seating.snake if method == "snake" else seating.by_rank)(order, sizes), drawn


def _by_strength(state: Tournament, one: Round, players: Sequence[int]) -> list[list[int]]:
    """Players best first, those who are level together."""
    key = one.key
    if key.round > 1:
        lines = fold.standings(state, key.stage, through=key.round - 1)
        place = {line.player: line.place for line in lines}
        order = sorted(players, key=lambda player: place.get(player, len(state.players) + 1))
    else:
        place, order = _places_before(state, key.stage), list(players)
    return [list(group) for _, group in groupby(order, key=lambda player: place.get(player, 0))]


def _places_before(state: Tournament, stage: str) -> dict[int, int]:
    """Places in the stage before this one; its entrants stand in that order already."""
    ids = [each.id for each in state.plan]
    before = ids.index(stage) - 1
    if before < 0:
        return {}
    return {line.player: line.place for line in fold.standings(state, ids[before])}


def _ordered(groups: Iterable[list[int]], lot: random.Random | None) -> list[int]:
    """Everybody in one row; who is level by lot, without one by sign-up."""
    order: list[int] = []
    for group in groups:
        level = sorted(group)
        if lot is not None:
            lot.shuffle(level)
        order += level
    return order


Chairs = dict[int, list[int]]  # table -> players at seats A to D, 0 an empty chair


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair as it is asked for. `table` None: a new table; `seat` 0..3, None: the first free one."""

    table: int | None
    seat: int | None = None


def move(state: Tournament, player: Player, to: Chair) -> Change:
    """The player sits there from now on. Who sits there now takes the player's chair instead; a player without one
    gets a free chair, or if there is none a new table, at which the last players of the last tables join.

    Refused if the seating is locked, one of the tables has a result, the player does not play here, or a table would
    become too small or too large.
    """
    one, seats = _changeable(state)
    _expect_plays(state, one, player)
    chairs = _chairs(seats)
    if to.table is None:
        _open_table(state, chairs, seats, player)
    else:
        _seat(state, chairs, player, to.table, _free(chairs, to.table) if to.seat is None else to.seat)
    _expect_no_results(one, seats, chairs)
    _expect_sizes(state, one, chairs)
    drafts = [_draft(state, one.key, chairs)]
    if player.number in one.absent:
        drafts.append(_absent(one.key, player, absent=False))
    now = _place(chairs, player.number)
    before = seats.place_of(player.number)
    why = f"{player.name} to {now}" if before is None else f"{player.name} from {chair_name(*before)} to {now}"
    return Change(drafts, why)


def remove(state: Tournament, *players: Player) -> Change:
    """These players do not play this round. Refused once their table has a result: who leaves then withdraws."""
    one, seats = _changeable(state)
    chairs = _chairs(seats)
    for player in players:
        at = seats.place_of(player.number)
        if at is None:
            raise Refused(N_("{round}: {player} has no seat"),
                          player=player.name, round=round_said(*one.key))  # fmt: skip
        table, seat = at
        chairs[table][seat] = 0
        if any(result.table == table for result in one.results):
            raise Refused(
                N_("{round}: table {table} has a result already; who leaves only today gets a w behind the rack in "
                   "that game's result, such as 30w"),
                round=round_said(*one.key), table=table,
            ).hinted(N_("{command} takes the player out of the event for good"),
                     command=typed("players", "withdraw", EVENT, player.number))  # fmt: skip
        left = len(chairs[table]) - chairs[table].count(0)
        if left < state.ruleset.seats_min:
            raise _too_small(state, one, table, left)
    names = ", ".join(player.name for player in players)
    return Change(
        [_draft(state, one.key, chairs), *(_absent(one.key, player, absent=True) for player in players)],
        f"{names} does not play round {one.key.round}",
    )


def lock(state: Tournament, *, on: bool) -> Change:
    """Nobody is seated otherwise from now on, or it may be done again."""
    one = seated(state)
    key = one.key
    if (seating_of(one).locked is not None) == on:
        said = N_("{round}: the seating is not locked")
        if on:
            said = N_("{round}: the seating is locked already")
        raise Refused(said, round=round_said(*key))
    body: dict[str, Json] = {"stage": key.stage, "round": key.round, "locked": on}
    why = SETTLED if on else "the seating may be changed"
    return Change([Draft(LOCKED, body, f"{LOCKED}:{key.stage}:{key.round}")], why)


def chair_name(table: int, seat: int) -> str:
    """A chair as the regulations write it, 3B."""
    return f"{table}{SEATS[seat]}"


def _changeable(state: Tournament) -> tuple[Round, Seating]:
    one = seated(state)
    expect_unlocked(one, ())
    return one, seating_of(one)


def _expect_no_results(one: Round, seats: Seating, chairs: Chairs) -> None:
    """Refused if a table that would be seated otherwise has a result."""
    before = _chairs(seats)
    expect_unlocked(one, {table for table, players in chairs.items() if before.get(table) != players})


def _too_small(state: Tournament, one: Round, table: int, size: int) -> Refused:
    """A table that cannot spare anybody, and what helps now."""
    data = {"table": table, "size": size, "low": state.ruleset.seats_min}
    if not one.results and one.clock is None:
        return Refused(
            N_("table {table} would have {size} players, expected at least {low}: mark absent who is not there, then "
               "seat the others anew"), **data,
        ).hinted(
            N_("{command} and {again} do that"), command=typed("players", "absent", EVENT, "PLAYER"),
            again=typed("seat", "draw", EVENT, "--again"),
        )  # fmt: skip
    if spare := spare_tables(state, one, table):
        return Refused(
            N_("table {table} would have {size} players, expected at least {low}: first move somebody there from one "
               "of the tables {spare}"), **data, spare=", ".join(map(str, spare)),
        ).hinted(N_("{command} does that"), command=typed("seat", "move", EVENT, "PLAYER", table))  # fmt: skip
    return Refused(
        N_("table {table} would have {size} players, expected at least {low}, and no table without results can spare "
           "one: who is not there is entered as withdrawn from each game"), **data,
    ).hinted(N_("{command} takes that as D=-w"), command=typed("results", "enter", EVENT, table))  # fmt: skip


def spare_tables(state: Tournament, one: Round, but: int) -> list[int]:
    """Tables without results that can give somebody away."""
    played = {at.table for at in one.results} | {but}
    return [
        at.table for at in seating_of(one).tables
        if at.table not in played and len(at.seated) > state.ruleset.seats_min
    ]  # fmt: skip


def free_chairs(state: Tournament) -> list[str]:
    """Chairs that a late player could still take, 6D; "new" if only a new table is left; none while none may."""
    one = state.current
    if one is None or one.seating is None or one.seating.locked is not None:
        return []
    return _open_chairs(state, one, _chairs(one.seating)) or (["new"] if _can_open(state, one) else [])


@dataclass(frozen=True, slots=True)
class Way:
    """A step that helps somebody to a seat: the act it is, and what is typed for it."""

    act: str
    command: Command


def ways_to_a_seat(state: Tournament, number: int, passing: int = 0) -> tuple[Way, ...]:
    """The steps, one after the other, by which the player of that number gets a seat in the round that is seated; () if
    no table can take one more. `passing`: so many free chairs are for others.
    """
    one = state.current
    if one is None or one.seating is None:
        return ()
    if one.seating.locked is not None:
        unlock = Way("lock_seating", typed("seat", "lock", EVENT, "--off"))
        unlocked = replace(one, seating=replace(one.seating, locked=None))
        ways = ways_to_a_seat(replace(state, rounds={**state.rounds, one.key: unlocked}), number, passing)
        return (unlock, *ways) if ways else ()
    chairs = _chairs(one.seating)
    if free := _open_chairs(state, one, chairs)[passing:]:
        return (_to(number, free[0]),)
    if left := _left_behind(state, one, chairs)[max(0, passing - len(_open_chairs(state, one, chairs))) :]:
        gone, chair = left[0]
        return Way("unseat", typed("seat", "remove", EVENT, gone)), _to(number, chair)
    if not passing and _can_open(state, one):
        return (Way("open_table", typed("seat", "move", EVENT, number, _("new"))),)
    if not one.results and one.clock is None:
        return (Way("draw_seating", typed("seat", "draw", EVENT, "--again")),)
    return ()


def sits(state: Tournament, number: int) -> bool:
    """Whether that player has a seat in the round at work."""
    one = state.current
    return one is not None and one.seating is not None and one.seating.place_of(number) is not None


def can_come_in(state: Tournament, key: RoundKey) -> bool:
    """Whether that round is at work and can take one more."""
    newcomer = max(state.players, default=0) + 1
    return state.current is not None and state.current.key == key and bool(ways_to_a_seat(state, newcomer))


@dataclass(frozen=True, slots=True)
class Lacking:
    """What is said of somebody, and the steps that give them the seat they lack."""

    told: DalejError
    ways: tuple[Way, ...] = ()

    def hinted(self) -> DalejError:
        """The same for whoever types commands."""
        if self.ways:
            self.told.hinted(N_("{steps} gives one"), steps=tuple(way.command for way in self.ways))
        return self.told


def without_seat(state: Tournament, player: Player, passing: int = 0) -> Lacking:
    """That the player has no seat in the round that is seated. `passing`: so many free chairs are for others."""
    ways = ways_to_a_seat(state, player.number, passing)
    none = N_("{player} has no seat") if ways else N_("{player} has no seat, and no table can take one more now")
    return Lacking(DalejError(none, player=player.name), ways)


NEWCOMERS_NAMED: Final = 3  # of a list


def newcomers(state: Tournament, numbers: Iterable[int]) -> list[Lacking]:
    """That each of them, who has just signed up, has no seat in the round that they could still play; the first few."""
    one = state.current
    if one is None or one.seating is None or one.key.stage != state.plan[0].id:
        return []
    coming = [state.players[number] for number in numbers if state.players[number].takes_part]
    return [without_seat(state, player, place) for place, player in enumerate(coming[:NEWCOMERS_NAMED])]


def moving_up(state: Tournament, players: Sequence[Player]) -> list[Lacking]:
    """That each of them moves up from the waiting list; where a round is seated, that they have no seat in it."""
    one = state.current
    up = []
    for place, player in enumerate(players):
        ways: tuple[Way, ...] = ()
        template = N_("{player} moves up from the waiting list")
        if one is not None and one.seating is not None and one.seating.place_of(player.number) is None:
            ways = ways_to_a_seat(state, player.number, place)
            template = N_(
                "{player} moves up from the waiting list and has no seat in {round}: no table can take one more now"
            )
            if ways:
                template = N_("{player} moves up from the waiting list and has no seat in {round}, which is seated")
        where = "" if one is None else round_said(*one.key)
        up.append(Lacking(DalejError(template, player=listed([player]), round=where), ways))
    return up


def _to(number: int, chair: str) -> Way:
    return Way("move_player", typed("seat", "move", EVENT, number, chair))


def _left_behind(state: Tournament, one: Round, chairs: Mapping[int, list[int]]) -> list[tuple[int, str]]:
    """Who has left and still has a chair that another one could take, and the chair."""
    played = {at.table for at in one.results}
    return [
        (player, chair_name(table, seat))
        for table, players in chairs.items()
        for seat, player in enumerate(players)
        if table not in played
        and player in state.players
        and state.players[player].gone is not None
        and len(players) - players.count(0) > state.ruleset.seats_min
    ]


def _open_chairs(state: Tournament, one: Round, chairs: Mapping[int, list[int]]) -> list[str]:
    played = {at.table for at in one.results}
    return [
        chair_name(table, players.index(0))
        for table, players in chairs.items()
        if table not in played and 0 in players and len(players) - players.count(0) < state.ruleset.seats_max
    ]


def _can_open(state: Tournament, one: Round) -> bool:
    return len(spare_tables(state, one, 0)) >= state.ruleset.seats_min - 1


def _expect_plays(state: Tournament, one: Round, player: Player) -> None:
    if player.gone is not None:
        raise Refused(N_("{player} has left the tournament"), player=player.name)
    if player.number not in state.entrants[one.key.stage]:
        raise Refused(
            N_("{stage}: {player} does not play in this stage"), player=player.name, stage=stage_said(one.key.stage)
        )


def _chairs(seats: Seating) -> Chairs:
    return {one.table: list(one.players) for one in seats.tables}


def _seat(state: Tournament, chairs: Chairs, player: Player, table: int, seat: int) -> None:
    """Puts the player there; who sits there takes the chair that becomes free."""
    if table not in chairs:
        raise WrongInput(N_("there is no table {table} in this round, expected 1 to {last}"),
                         table=table, last=max(chairs))  # fmt: skip
    other = chairs[table][seat]
    at = next(
        ((one, players.index(player.number)) for one, players in chairs.items() if player.number in players), None
    )
    if at is not None:
        chairs[at[0]][at[1]] = other
    elif other:
        raise Refused(
            N_("{chair} is taken by {other} and {player} has no seat to change with; free chairs: {free}"),
            chair=chair_name(table, seat), other=state.players[other].name, player=player.name,
            free=_free_chairs(state, seated(state), chairs),
        )  # fmt: skip
    chairs[table][seat] = player.number


def _free(chairs: Chairs, table: int) -> int:
    players = chairs.get(table, [0])
    if 0 not in players:
        raise Refused(N_("table {table} has no free chair: name a seat to change with"), table=table)
    return players.index(0)


def _free_chairs(state: Tournament, one: Round, chairs: Mapping[int, list[int]]) -> str:
    """Chairs that may be taken, a dash where there are none."""
    return ", ".join(_open_chairs(state, one, chairs)) or "–"


def _open_table(state: Tournament, chairs: Chairs, seats: Seating, player: Player) -> None:
    """A table of the smallest size for a late player, with the last of the last tables that can spare one."""
    low = state.ruleset.seats_min
    one = seated(state)
    free = _free_chairs(state, one, chairs)
    if seats.place_of(player.number) is not None or free != "–":
        raise Refused(N_("a new table is for a late player when no chair is free; free chairs: {free}"), free=free)
    spare = spare_tables(state, one, 0)[-(low - 1) :]
    if len(spare) < low - 1:
        raise Refused(N_("a new table needs {low} players, and no other table can spare one"), low=low)
    joining = []
    for table in spare:
        seat = max(seat for seat, other in enumerate(chairs[table]) if other)
        joining.append(chairs[table][seat])
        chairs[table][seat] = 0
    players = [*joining, player.number]
    chairs[max(chairs) + 1] = [*players, *[0] * (CHAIRS - len(players))]


def _expect_sizes(state: Tournament, one: Round, chairs: Mapping[int, list[int]]) -> None:
    rules = state.ruleset
    for table, players in chairs.items():
        size = len(players) - players.count(0)
        if size < rules.seats_min and (one.results or one.clock is not None):
            raise _too_small(state, one, table, size)
        if not rules.seats_min <= size <= rules.seats_max:
            raise Refused(
                N_("table {table} would have {size} players, expected {low} to {high}: seat everybody anew"),
                table=table, size=size, low=rules.seats_min, high=rules.seats_max,
            ).hinted(N_("{command} does that"), command=typed("seat", "draw", EVENT, "--again"))  # fmt: skip


def _place(chairs: Mapping[int, list[int]], player: int) -> str:
    return next(chair_name(table, players.index(player)) for table, players in chairs.items() if player in players)


def _draft(state: Tournament, key: RoundKey, chairs: Mapping[int, list[int]]) -> Draft:
    return Draft(SEATING, seating_body(state, key, chairs, MOVED, None), subject(key))


def _absent(key: RoundKey, player: Player, *, absent: bool) -> Draft:
    body: dict[str, Json] = {"player": player.number, "stage": key.stage, "round": key.round, "absent": absent}
    return Draft(ABSENT, body, f"{ABSENT}:{key.stage}:{key.round}:{player.number}")
