"""A seating changed by hand: a player to another chair, a late one to a free chair, one who is not there taken off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dalej.domain.facts import SEATS
from dalej.domain.stagewords import round_said, stage_said
from dalej.domain.tournament import ABSENT, LOCKED, MOVED, SEATING, Player, Round, RoundKey, Seating, Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.ledger import Draft
from dalej.ledger.entries import Json
from dalej.office.commands import EVENT, Command, typed
from dalej.office.event import Change
from dalej.office.players import listed
from dalej.office.rounds import seated, seating_of
from dalej.office.seats import CHAIRS, SETTLED, expect_unlocked, seating_body, subject
from dalej.words import N_

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
        _seat(state, chairs, player, to.table, _free(chairs, to) if to.seat is None else to.seat)
    _expect_no_results(one, seats, chairs)
    _expect_sizes(state, one, chairs)
    drafts = [_draft(state, one.key, chairs)]
    if player.number in one.absent:
        drafts.append(_absent(one.key, player, absent=False))
    now = _place(chairs, player.number)
    before = seats.place_of(player.number)
    why = f"{player.name} to {now}" if before is None else f"{player.name} from {chair_name(*before)} to {now}"
    return Change(drafts, why)


def remove(state: Tournament, player: Player) -> Change:
    """The player does not play this round. Refused once the table has a result: who leaves then withdraws."""
    one, seats = _changeable(state)
    at = seats.place_of(player.number)
    if at is None:
        raise Refused(N_("{round}: {player} has no seat"),
                      player=player.name, round=round_said(*one.key))  # fmt: skip
    chairs = _chairs(seats)
    table, seat = at
    chairs[table][seat] = 0
    if any(result.table == table for result in one.results):
        raise Refused(
            N_("{round}: table {table} has a result: who leaves now withdraws"), round=round_said(*one.key), table=table
        )
    left = len(chairs[table]) - chairs[table].count(0)
    if left < state.ruleset.seats_min:
        raise _too_small(state, one, table, left)
    return Change(
        [_draft(state, one.key, chairs), _absent(one.key, player, absent=True)],
        f"{player.name} does not play round {one.key.round}",
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


def ways_to_a_seat(state: Tournament, player: Player, passing: int = 0) -> tuple[Way, ...]:
    """The steps, one after the other, by which the player gets a seat in the round that is seated; () if no table can
    take one more. `passing`: so many free chairs are for others.
    """
    one = state.current
    if one is None or one.seating is None:
        return ()
    if one.seating.locked is not None:
        unlock = Way("lock_seating", typed("seat", "lock", EVENT, "--off"))
        unlocked = replace(one, seating=replace(one.seating, locked=None))
        ways = ways_to_a_seat(replace(state, rounds={**state.rounds, one.key: unlocked}), player, passing)
        return (unlock, *ways) if ways else ()
    chairs = _chairs(one.seating)
    if free := _open_chairs(state, one, chairs)[passing:]:
        return (_to(player, free[0]),)
    if left := _left_behind(state, one, chairs)[max(0, passing - len(_open_chairs(state, one, chairs))) :]:
        gone, chair = left[0]
        return Way("unseat", typed("seat", "remove", EVENT, gone)), _to(player, chair)
    if not passing and _can_open(state, one):
        return (Way("open_table", typed("seat", "move", EVENT, player.number, "new")),)
    if not one.results and one.clock is None:
        return (Way("draw_seating", typed("seat", "draw", EVENT, "--again")),)
    return ()


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


def without_seat(state: Tournament, player: Player) -> Lacking:
    """That the player has no seat in the round that is seated."""
    ways = ways_to_a_seat(state, player)
    none = N_("{player} has no seat") if ways else N_("{player} has no seat, and no table can take one more now")
    return Lacking(DalejError(none, player=player.name), ways)


def moving_up(state: Tournament, players: Sequence[Player]) -> list[Lacking]:
    """That each of them moves up from the waiting list; where a round is seated, that they have no seat in it."""
    one = state.current
    up = []
    for place, player in enumerate(players):
        ways: tuple[Way, ...] = ()
        template = N_("{player} moves up from the waiting list")
        if one is not None and one.seating is not None and one.seating.place_of(player.number) is None:
            ways = ways_to_a_seat(state, player, place)
            template = N_(
                "{player} moves up from the waiting list and has no seat in {round}: no table can take one more now"
            )
            if ways:
                template = N_("{player} moves up from the waiting list and has no seat in {round}, which is seated")
        where = "" if one is None else round_said(*one.key)
        up.append(Lacking(DalejError(template, player=listed([player]), round=where), ways))
    return up


def _to(player: Player, chair: str) -> Way:
    return Way("move_player", typed("seat", "move", EVENT, player.number, chair))


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


def _free(chairs: Chairs, to: Chair) -> int:
    players = chairs.get(to.table or 0, [0])
    if 0 not in players:
        raise Refused(N_("table {table} has no free chair: name a seat to change with"), table=to.table)
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
