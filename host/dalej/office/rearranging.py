"""A player is seated elsewhere, and others with that: who moves for it, and that nobody has changed it meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce

from dalej.domain.tournament import LOCKED, Player, Tournament
from dalej.errors import DalejError, Refused
from dalej.ledger import Decision
from dalej.office import attendance, moves
from dalej.office.event import Change, Event, Seen, imagined
from dalej.office.inplay import expect_known, expect_known_to_fall, seated_otherwise
from dalej.office.moves import Chair
from dalej.office.newer import expect_none_newer
from dalej.office.players import find
from dalej.office.rounds import seated, seating_of
from dalej.office.seats import Draw, draw, subject
from dalej.words import N_

Others = Sequence[tuple[int, str, str]]  # who else sits elsewhere: player, chair before, chair now ("" for none)


def rearranged(seen: Seen, player: int, to: Chair) -> tuple[Change, Others]:
    """What seating that player there would be, and who else moves for it; WrongInput or Refused as by `move`."""
    change = moves.move(seen.state, find(seen.state, str(player)), to)
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
        expect_known(event.ledger, seen.state, tables, playing)
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
        expect_known_to_fall(event.ledger, seen.state, tables, playing)
        return change

    return event.change_seen(plan)


def taken_off(event: Event, player: int, playing: Collection[int] = ()) -> list[Decision]:
    """The player misses the round to work on. Refused as `off_the_chair` and `expect_known` say."""

    def plan(state: Tournament) -> Change:
        seating = None if state.current is None else state.current.seating
        at = None if seating is None else seating.place_of(player)
        if at is None:
            return moves.remove(state, find(state, str(player)))  # which says so
        expect_known(event.ledger, state, [at[0]], playing)
        return off_the_chair(state, find(state, str(player)))

    return event.change(plan)


def off_the_chair(state: Tournament, player: Player) -> Change:
    """The player misses the round to work on, whether seated or not. Refused as in `moves.remove`, `attendance.absent`.

    Before the round has begun a table may be left too small for that: a new draw mends it.
    """
    one = state.current
    seating = None if one is None else one.seating
    at = None if seating is None else seating.place_of(player.number)
    table = None if at is None or seating is None else seating.at(at[0])
    if table is None or len(table.seated) <= state.ruleset.seats_min:
        return attendance.absent(state, [player], True)
    return moves.remove(state, player)


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
        yield from ((player, moves.chair_name(at.table, seat)) for seat, player in enumerate(at.players) if player)
