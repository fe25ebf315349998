"""Who leaves, who is warned, who is away for a round, as decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dalej.domain.rules.clauses import cited
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import ABSENT, GONE, WARNED, Player, Round, Tournament
from dalej.errors import Refused
from dalej.event.event import Change, free_places, waits
from dalej.event.ledger import REVOKE, Draft
from dalej.hints import EVENT, once_more, typed, undoing
from dalej.office.reasons import reason_said
from dalej.office.rounds import at_work
from dalej.office.seating import remove
from dalej.office.signups import limit_cited
from dalej.words import N_

WITHDREW: Final = N_("withdrew")
BACK: Final = N_("is back")
AWAY: Final = N_("is not there")
THERE: Final = N_("is there")
AFTER_WARNING, OUTRIGHT = "after_warning", "outright"  # of a ruleset's `exclusion`


def withdraw(player: Player, why: str | None = None) -> Change:
    """The player leaves for good, which is allowed at any moment."""
    _expect_playing(player)
    return _goes(player, "withdrawn", why or WITHDREW)


def lacks_warning(state: Tournament, player: Player) -> bool:
    """Whether the ruleset asks for a warning before the player is excluded, and there was none."""
    return state.ruleset.exclusion == AFTER_WARNING and not player.warnings


def exclude(state: Tournament, player: Player, why: str, *, without_warning: bool = False) -> Change:
    """The head referee excludes the player; Refused if they lack a warning that the ruleset asks for, unless told to do
    without.
    """
    _expect_playing(player)
    unwarned = lacks_warning(state, player)
    if unwarned and not without_warning:
        clause, quote = state.ruleset.rule("exclusion").citation
        template = N_("{player} has not been warned {citation}") if quote else N_("{player} has not been warned")
        raise Refused(
            template, player=player.name, citation=cited(clause, quote, state.ruleset.language)
        ).hinted(N_("{command} excludes nevertheless"), command=once_more("--without-warning"))  # fmt: skip
    return _goes(player, "excluded", f"without a warning: {why}" if unwarned else why)


def warn(player: Player, why: str) -> Change:
    """The head referee warns the player; there may be several warnings."""
    _expect_playing(player)
    return Change([Draft(WARNED, {"player": player.number})], why)


def back(state: Tournament, player: Player, why: str | None = None) -> Change:
    """The player takes the withdrawal back, and waits for a place where all are taken by now. Refused once a round was
    drawn without them, of an exclusion, and of whoever sits in a round under way while somebody has moved up.
    """
    gone = player.gone
    if gone is None:
        raise Refused(N_("{player} has not left"), player=player.name)
    if gone.how == "excluded":
        raise Refused(
            N_("{player} was excluded by {who}: {why}; only undoing that decision takes it back"),
            player=player.name, who=gone.mark.who, why=reason_said(gone.mark.why),
        ).hinted(N_("{steps} does that"), steps=undoing([gone.mark.cursor]))  # fmt: skip
    for one in state.rounds.values():
        seating = one.seating
        if seating is not None and seating.mark.cursor > gone.mark.cursor and seating.place_of(player.number) is None:
            raise Refused(
                N_("{player} stays out: {round} has been drawn since"),
                player=player.name, round=round_said(*one.key),
            )  # fmt: skip
    drafts = [Draft(REVOKE, {}, revokes=gone.mark.cursor)]
    if player.waits is None and free_places(state) == 0:
        expect_no_seat(state, player)
        drafts.append(waits(player.number, True))
    return Change(drafts, why or BACK)


def expect_no_seat(state: Tournament, player: Player) -> None:
    """Refused if somebody who has no place any more sits in the round under way."""
    one = state.current
    if one is not None and one.seating is not None and one.seating.place_of(player.number) is not None:
        full = no_place(state, player)
        if player.gone is not None:
            full.hinted(
                N_("{steps} takes the withdrawal back, and with it who has moved up"),
                steps=undoing([player.gone.mark.cursor]),
            )
        raise full


def no_place(state: Tournament, player: Player) -> Refused:
    """That others have all places by now."""
    most = state.ruleset.players_max
    assert most is not None, "where there is no limit everybody has a place"
    return Refused(
        N_("{player} has no place any more: {most} players take part, all that there are places for {citation}"),
        player=player.name, most=most, citation=limit_cited(state),
    )  # fmt: skip


def absent(
    state: Tournament, players: Sequence[Player], away: bool, why: str | None = None, *, free_seats: bool = False
) -> Change:
    """Players who miss the round to work on, or do not after all. Refused once a table they sit at has results, and of
    a seated player who can be taken off the table, unless the seat is to become free; who cannot, because too few would
    be left, waits for a new draw.
    """
    one = at_work(state)
    players = list(dict.fromkeys(players))
    for player in players:
        _expect_playing(player)
        if player.number not in state.entrants[one.key.stage]:
            raise Refused(
                N_("{stage}: {player} does not play in this stage"), player=player.name, stage=stage_said(one.key.stage)
            )
        if away:
            _expect_no_result(one, player)
    freed = freeable(state, players) if away else []
    if freed and not free_seats:
        raise _has_a_seat(one, freed[0])
    drafts = [*remove(state, *freed).drafts] if freed else []
    stage, number = one.key
    drafts += [
        Draft(
            ABSENT, {"player": player.number, "stage": stage, "round": number, "absent": away},
            f"{ABSENT}:{stage}:{number}:{player.number}",
        )
        for player in players if player not in freed and (player.number in one.absent) != away
    ]  # fmt: skip
    return Change(drafts, why or (AWAY if away else THERE))


def freeable(state: Tournament, players: Sequence[Player]) -> list[Player]:
    """Who of them has a seat in the round to work on, which becomes free if they miss it. Refused if it cannot; where
    too few would be left at a table before the round has begun, a new draw mends that.
    """
    one = at_work(state)
    seating = one.seating
    freed: list[Player] = []
    for player in dict.fromkeys(players):
        at = None if seating is None else seating.place_of(player.number)
        table = None if seating is None or at is None else seating.at(at[0])
        if seating is None or table is None:
            continue
        left = len(table.seated) - sum(other.number in table.seated for other in freed)
        can_be_drawn = one.clock is None and seating.locked is None and not one.results
        if left <= state.ruleset.seats_min and can_be_drawn:
            continue
        remove(state, *freed, player)
        freed.append(player)
    return freed


def _goes(player: Player, how: str, why: str) -> Change:
    return Change([Draft(GONE, {"player": player.number, "how": how}, f"{GONE}:{player.number}")], why)


def _expect_playing(player: Player) -> None:
    if player.gone is not None:
        raise Refused(
            N_("{player} has already left, says {who}: {why}"),
            player=player.name, who=player.gone.mark.who, why=reason_said(player.gone.mark.why),
        )  # fmt: skip


def _expect_no_result(one: Round, player: Player) -> None:
    for result in one.results.values():
        if player.number in result.players.values():
            raise Refused(
                N_("{round}: {player} has a result already; who leaves only today gets a w in place of the rack in "
                   "the next game, or behind the rack of the game that was left, such as 30w"),
                player=player.name, round=round_said(*one.key),
            ).hinted(N_("{command} takes the player out of the event for good"),
                     command=typed("players", "withdraw", EVENT, player.number))  # fmt: skip


def _has_a_seat(one: Round, player: Player) -> Refused:
    seating = one.seating
    at = None if seating is None else seating.place_of(player.number)
    assert at is not None, "only of a seated player"
    return Refused(
        N_("{round}: {player} sits at table {table}, and misses the round only if that seat becomes free"),
        player=player.name, table=at[0], round=round_said(*one.key),
    ).hinted(N_("{command} does both"), command=once_more("--free-seat"))  # fmt: skip
