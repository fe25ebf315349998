"""A player is seated elsewhere, and others with that: who moves for it, what it would change, said before it is done;
and that nobody has changed it meanwhile. While games of the round are played, what was played keeps who played it,
and a table that plays is asked about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import LOCKED, GameAt, Player, Round, Seating, Tournament
from dalej.errors import DalejError, Refused
from dalej.event.event import Change, Event, Seen, imagined
from dalej.event.ledger import Decision
from dalej.event.reading import Reading
from dalej.event.roundgames import games_of_round
from dalej.hints import once_more
from dalej.office import attendance
from dalej.office.decisionwords import expect_none_newer
from dalej.office.players import find
from dalej.office.rounds import seated, seating_of
from dalej.office.seating import Chair, Draw, chair_name, draw, met_before, move, remove, subject
from dalej.words import N_, _, ngettext, readable


def seated_otherwise(before: Tournament, after: Tournament) -> set[int]:
    """Tables of the round at work at which others sit afterwards, or the same ones on other chairs."""
    was, becomes = (_chairs(state.current) for state in (before, after))
    return {table for table in was.keys() | becomes.keys() if was.get(table) != becomes.get(table)}


def seated_otherwise_in_round(before: Tournament, after: Tournament) -> set[int]:
    """The same, if it is the same round that is worked on afterwards."""
    keys = [None if state.current is None else state.current.key for state in (before, after)]
    return seated_otherwise(before, after) if keys[0] == keys[1] else set()


def begun(games: Mapping[GameAt, BoxGame], *, ended: bool) -> dict[int, int]:
    """The games of a round that go on, or those that have `ended`: the last of each table, by table."""
    return {at.table: at.game for at, game in sorted(games.items()) if (game.ended is not None) is ended}


def expect_known(reading: Reading, state: Tournament, tables: Collection[int], known: Collection[int]) -> None:
    """Before others sit at those `tables`: Refused where a game of the round was played, and where one goes on unless
    the table is among the `known` ones.
    """
    one = state.current
    if one is None or not tables:
        return
    games = games_of_round(reading, state, one.key, sorted(tables))
    for table, game in begun(games, ended=True).items():
        if table in tables:
            raise Refused(
                N_("table {table}: game {game} of this round is over there, and who played it stays: nobody changes "
                   "places at that table before the next round"),
                table=table, game=game,
            )  # fmt: skip
    if playing := _unknown(begun(games, ended=False), tables, known):
        raise _knowingly(
            Refused(
                N_("a game of this round goes on at these tables: {tables}; let it end first, or change the seating on "
                   "the screen of the seating, which asks about that"),
                tables=playing,
            ),
            {*known, *map(int, playing.split(", "))},
        )  # fmt: skip


def expect_known_to_fall(reading: Reading, state: Tournament, tables: Collection[int], known: Collection[int]) -> None:
    """Before everybody is drawn anew: Refused where a game of the round was begun, unless the table is `known`. What
    its box has told of the game counts no longer then.
    """
    one = state.current
    if one is None or not tables:
        return
    games = games_of_round(reading, state, one.key)
    there = {**begun(games, ended=True), **begun(games, ended=False)}
    if played := _unknown(there, tables, known):
        raise _knowingly(
            Refused(
                N_("{round}: these tables have begun to play: {tables}; what their boxes have told would count no "
                   "longer: the screen of the seating asks about that"),
                round=round_said(*one.key), tables=played,
            ),
            {*known, *map(int, played.split(", "))},
        )  # fmt: skip


def _knowingly(problem: Refused, tables: Collection[int]) -> Refused:
    """With what is typed by somebody who knows that these tables play."""
    return problem.hinted(
        N_("{command} does it knowingly"), command=once_more("--playing", ",".join(map(str, sorted(tables))))
    )


def _unknown(there: Collection[int], tables: Collection[int], known: Collection[int]) -> str:
    return ", ".join(str(table) for table in sorted(there) if table in tables and table not in known)


def _chairs(one: Round | None) -> dict[int, tuple[int, ...]]:
    seating = None if one is None else one.seating
    return {} if seating is None else {at.table: tuple(at.players) for at in seating.tables}


Others = Sequence[tuple[int, str, str]]  # who else sits elsewhere: player, chair before, chair now ("" for none)


def rearranged(seen: Seen, player: int, to: Chair) -> tuple[Change, Others]:
    """What seating that player there would be, and who else moves for it; WrongInput or Refused as by `move`."""
    change = move(seen.state, find(seen.state, str(player)), to)
    return change, others_moved(seen.state, imagined(seen, change.drafts), player)


def rearrange(
    event: Event,
    player: int,
    to: Chair,
    since: int = 0,
    agreed: Others | None = None,
    playing: Collection[int] = (),
) -> tuple[list[Decision], Others]:
    """Seat the player there. Refused too if somebody else has changed the seating after the ledger's entry `since`, or
    if others than were `agreed` would move for it; and as `expect_known` says of the tables that are known to play.
    """
    found: list[Others] = []

    def plan(seen: Seen) -> Change:
        key = seated(seen.state).key
        about = {subject(key), f"{LOCKED}:{key.stage}:{key.round}"}
        expect_none_newer(seen, since, event.who, lambda one: one.subject in about)
        change, others = rearranged(seen, player, to)
        if agreed is not None and others != agreed:
            raise Refused(N_("the seating has changed in the meantime: look at it again"))
        tables = seated_otherwise(seen.state, imagined(seen, change.drafts))
        expect_known(event.read(), seen.state, tables, playing)
        found[:] = [others]
        return change

    return event.change_seen(plan), found[0]


def drawn(event: Event, wanted: Draw, playing: Collection[int] = ()) -> list[Decision]:
    """Seat the round by its method. Refused as `draw` and, where tables play, `expect_known_to_fall` say."""

    def plan(seen: Seen) -> Change:
        change = draw(seen.state, wanted)
        one = seen.state.current
        seating = None if one is None else one.seating
        tables = [] if seating is None else [at.table for at in seating.tables]
        expect_known_to_fall(event.read(), seen.state, tables, playing)
        return change

    return event.change_seen(plan)


def taken_off(event: Event, player: int, playing: Collection[int] = ()) -> list[Decision]:
    """The player, who is seated, misses the round to work on. Refused as `absent` and `expect_known` say."""

    def plan(state: Tournament) -> Change:
        found = find(state, str(player))
        seating = None if state.current is None else state.current.seating
        at = None if seating is None else seating.place_of(player)
        if at is None:
            return remove(state, found)  # which says so
        expect_known(event.read(), state, [at[0]], playing)
        return off_the_chair(state, found)

    return event.change(plan)


def gone_for_the_round(
    event: Event, players: Sequence[int], why: str | None, *, free_seats: bool, playing: Collection[int] = ()
) -> list[Decision]:
    """They miss the round to work on, in one step; the seats of those who have one become free if that is wished.
    Refused as `attendance.absent` and, of tables that play, `expect_known` say.
    """

    def plan(state: Tournament) -> Change:
        found = [find(state, str(one)) for one in players]
        change = attendance.absent(state, found, True, why, free_seats=free_seats)
        seating = None if state.current is None else state.current.seating
        if free_seats and seating is not None:
            at = [seating.place_of(player.number) for player in attendance.freeable(state, found)]
            expect_known(event.read(), state, [place[0] for place in at if place is not None], playing)
        return change

    return event.change(plan)


def off_the_chair(state: Tournament, player: Player) -> Change:
    """The player misses the round to work on, whether seated or not. Refused as in `remove`, `attendance.absent`.

    Before the round has begun a table may be left too small for that: a new draw mends it.
    """
    if attendance.freeable(state, [player]):
        return remove(state, player)
    return attendance.absent(state, [player], True)


def others_said(players: Mapping[int, Player], others: Others) -> DalejError:
    """Who moves for it, as a part of a sentence."""
    said = [
        DalejError(N_("{player} moves from {before} to {now}"), player=players[other].name, before=before or "–",
                   now=now or "–")
        for other, before, now in others
    ]  # fmt: skip
    return reduce(lambda one, another: DalejError("{one}, {another}", one=one, another=another), said)


def places_again(before: Tournament, after: Tournament) -> list[DalejError]:
    """Who sits elsewhere in the round to work on once something is taken back, a sentence without its stop each."""
    was, now = (dict(_places(state)) for state in (before, after))
    moved = [player for player in sorted(was.keys() | now.keys()) if was.get(player) != now.get(player)]
    return [
        DalejError(N_("{player} sits at {chair} again"), player=after.players[player].name, chair=now[player])
        if player in now else DalejError(N_("{player} has no seat again"), player=after.players[player].name)
        for player in moved
    ]  # fmt: skip


def others_moved(before: Tournament, after: Tournament, player: int) -> Others:
    """Who else sits elsewhere in the round to work on: player, chair before, chair now ("" for none)."""
    was, now = (dict(_places(state)) for state in (before, after))
    return [
        (other, was.get(other, ""), now.get(other, ""))
        for other in sorted(was.keys() | now.keys()) if other != player and was.get(other) != now.get(other)
    ]  # fmt: skip


def _places(state: Tournament) -> Iterator[tuple[int, str]]:
    for at in seating_of(seated(state)).tables:
        yield from ((player, chair_name(at.table, seat)) for seat, player in enumerate(at.players) if player)


@dataclass(frozen=True, slots=True)
class Company:
    """Whom a player has sat with before, of those at one table: numbers, and how often."""

    met: tuple[tuple[int, int], ...]


def told(seen: Seen, player: int, chair: Chair) -> list[str]:
    """What would be if the player sat there, one sentence each; Refused, saying why not."""
    state = seen.state
    moved = state.players[player]
    before = _place(state, player)
    if chair.table is not None and before == (chair.table, chair.seat):
        raise Refused(N_("{player} sits there already"), player=moved.name)
    after = imagined(seen, move(state, moved, chair).drafts)
    now = _place(after, player)
    if now is None:
        return []
    first = _("{player}: {before} → {now}").format(
        player=readable(moved.name), before=_("no seat") if before is None else chair_name(*before),
        now=chair_name(*now),
    )  # fmt: skip
    others = [
        _("{player}: {before} → {now}").format(
            player=readable(state.players[other].name), before=was or _("no seat"), now=is_now or _("no seat")
        )
        for other, was, is_now in others_moved(state, after, player)
    ]
    return [first, *others, *_meetings(state, after, now[0] if before is None else before[0], now[0])]


def company(state: Tournament, one: Round, seating: Seating) -> dict[int, Company]:
    """Of everybody who is seated: whom at their table they have met in the rounds of that stage before."""
    met = met_before(state, one.key)
    return {
        player: Company(tuple(
            (other, times) for other in table.seated
            if other != player and (times := met.get(frozenset((player, other)), 0))
        ))
        for table in seating.tables for player in table.seated
    }  # fmt: skip


def pairs_met(found: dict[int, Company], players: Sequence[int]) -> int:
    """How many pairs of them have met."""
    return sum(len(found[player].met) for player in players if player in found) // 2


def _meetings(before: Tournament, after: Tournament, *tables: int) -> list[str]:
    """How many pairs who have met would sit together at these tables, if that changes."""
    was, becomes = (_met_at(state, set(tables)) for state in (before, after))
    if was == becomes:
        return []
    said = ngettext(
        "{count} pair there has met before; it was {before}", "{count} pairs there have met before; it was {before}",
        becomes,
    )  # fmt: skip
    return [said.format(count=becomes, before=was)]


def _met_at(state: Tournament, tables: set[int]) -> int:
    one = state.current
    if one is None or one.seating is None:
        return 0
    found = company(state, one, one.seating)
    return sum(pairs_met(found, table.seated) for table in one.seating.tables if table.table in tables)


def _place(state: Tournament, player: int) -> tuple[int, int] | None:
    one = state.current
    return None if one is None or one.seating is None else one.seating.place_of(player)
