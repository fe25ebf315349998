"""Results of games: entered, corrected, confirmed by a second person, taken back. Each is checked against the event as
it stands, and scored before it is written.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from dalej.domain.facts import SEATS
from dalej.domain.racks import Ended, Rack, Sheet
from dalej.domain.scoring import SeatScore, score
from dalej.domain.sheets import rack_to
from dalej.domain.tournament import (
    CONFIRMED,
    NOT_PLAYED,
    RESULT,
    GameAt,
    Mark,
    Result,
    Round,
    RoundKey,
    TableSeats,
    Tournament,
)
from dalej.errors import Refused, WrongInput
from dalej.ledger import REVOKE, Decision, Draft
from dalej.ledger.entries import Json
from dalej.office import rounds
from dalej.office.entry import Entry
from dalej.office.event import Change, Seen
from dalej.words import N_

WHOLE: Final = 0  # in place of a game's number: every game of the table
_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class Correction:
    """That a result takes the place of one that is there, and why."""

    why: str


def which(state: Tournament, text: str | None) -> Round:
    """The round that `text` names, `2` of the stage that is played or `league/2`; the one to work on if it is None."""
    if text is None:
        return rounds.seated(state)
    stage, sign, number = text.rpartition("/")
    if not sign:
        current = state.current
        stage = [*state.rounds][-1].stage if current is None else current.key.stage
    if not number.isascii() or not number.isdigit() or len(number) > _DIGITS:
        raise WrongInput(N_("“{found}” is no round, expected such as 2 or league/2"), found=text)
    return rounds.round_of(state, RoundKey(stage, int(number)))


def table_of(one: Round, table: int) -> TableSeats:
    """That table of the round; WrongInput if it has none of that number, Refused if nobody sits anywhere yet."""
    seating = rounds.seating_of(one)
    found = seating.at(table)
    if found is None:
        raise WrongInput(
            N_("there is no table {table} in round {round} of {stage}, expected one of {tables}"),
            table=table, round=one.key.round, stage=one.key.stage,
            tables=", ".join(str(known.table) for known in seating.tables),
        )  # fmt: skip
    return found


def seats_of(at: TableSeats) -> dict[str, int]:
    """Player numbers by the letters of the seats where somebody sits."""
    return {SEATS[place]: player for place, player in enumerate(at.players) if player}


def sheet(state: Tournament, one: Round, at: GameAt, entry: Entry) -> Sheet:
    """The game as it will be scored, with names. WrongInput, with the seat, if a rack is missing or nobody's."""
    seats = seats_of(table_of(one, at.table))
    racks = {rack.seat: rack for rack in entry.racks}
    for seat in racks:
        if seat not in seats:
            raise WrongInput(N_("nobody sits at table {table}, seat {seat}; expected {seats}"),
                             table=at.table, seat=seat, seats=", ".join(seats))  # fmt: skip
    for seat, player in seats.items():
        if seat not in racks and state.players[player].gone is None:
            raise WrongInput(N_("seat {seat} ({player}) is missing: what lies on the rack?"),
                             seat=seat, player=state.players[player].name)  # fmt: skip
    named = tuple(replace(rack, name=state.players[seats[rack.seat]].name) for rack in entry.racks)
    return Sheet(cast("Ended", entry.ended), named, len(seats), entry.ruling)


def scored(state: Tournament, one: Round, at: GameAt, entry: Entry) -> tuple[SeatScore, ...]:
    """What everybody scores by it; WrongInput, with the seat and the difference, if it cannot be right."""
    if entry.ended == NOT_PLAYED:
        return ()
    return score(sheet(state, one, at, entry), state.ruleset)


def enter(
    state: Tournament, key: RoundKey, entries: Mapping[GameAt, Entry], correction: Correction | None = None
) -> Change:
    """The results of some games, all of them or none.

    Refused if the round is closed, or if a game has a result and nobody corrects it; with `correction` there must be
    one. WrongInput if the sheet cannot be right, or the table has no such game.
    """
    one = _open(state, key)
    drafts = [_result(state, one, at, entry, correction) for at, entry in sorted(entries.items(), key=_place)]
    if correction is not None:
        return Change(drafts, correction.why)
    games = ", ".join(f"{at.table}/{at.game}" for at in sorted(entries))
    return Change(drafts, f"from the score sheet: {games}")


def confirm(state: Tournament, key: RoundKey, table: int, who: str) -> Change:
    """A second person has looked at the table's results. Refused if there are none, if `who` entered one of them, or
    if somebody has confirmed them already.
    """
    one = _open(state, key)
    table_of(one, table)
    results = of_table(one, table)
    if not results:
        raise Refused(N_("table {table} has no result yet in round {round} of {stage}"),
                      table=table, round=key.round, stage=key.stage)  # fmt: skip
    for result in results:
        if result.confirmed is not None:
            raise Refused(N_("{who} has confirmed table {table} already, {when}"),
                          who=result.confirmed.who, table=table, when=when(result.confirmed))  # fmt: skip
        if _same(result.mark.who, who):
            raise Refused(
                N_("{who} has entered game {game} of table {table}: somebody else must confirm it (--who)"),
                who=result.mark.who, game=result.at.game, table=table,
            )  # fmt: skip
    cursors: list[Json] = [result.mark.cursor for result in results]
    body: dict[str, Json] = {"stage": key.stage, "round": key.round, "table": table, "results": cursors}
    subject = f"{CONFIRMED}:{key.stage}:{key.round}:{table}"
    return Change([Draft(CONFIRMED, body, subject)], f"table {table} was checked")


def reopen(seen: Seen, key: RoundKey, table: int, game: int, why: str) -> Change:
    """Takes back the result of a game, or of every game at the table (`WHOLE`), whatever was corrected in it, and the
    table's confirmation. Refused if there is none, or the round is closed.
    """
    one = _open(seen.state, key)
    table_of(one, table)
    games = [result for result in of_table(one, table) if game in (WHOLE, result.at.game)]
    if not games:
        asked = N_("table {table} has no result to take back in round {round} of {stage}")
        if game != WHOLE:
            asked = N_("game {game} of table {table} has no result to take back in round {round} of {stage}")
        raise Refused(asked, table=table, game=game, round=key.round, stage=key.stage)
    subjects = [subject_of(key, result.at) for result in games]
    if any(result.confirmed for result in games):
        subjects.append(f"{CONFIRMED}:{key.stage}:{key.round}:{table}")
    return Change([draft for subject in subjects for draft in _revoked(seen.decisions, subject)], why)


def of_table(one: Round, table: int) -> list[Result]:
    """The table's results by game."""
    return [result for at, result in sorted(one.results.items()) if at.table == table]


def missing_at(one: Round, table: int) -> list[int]:
    """Games of the table without a result."""
    return [at.game for at in one.missing() if at.table == table]


def subject_of(key: RoundKey, at: GameAt) -> str:
    """What results of that game are about."""
    return f"{RESULT}:{key.stage}:{key.round}:{at.table}:{at.game}"


def when(mark: Mark) -> str:
    """The local day and time of a decision."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(mark.when_ms / 1000))


def expect_no_result(one: Round, at: GameAt) -> None:
    """Refused, with who entered it and when, if the game has a result."""
    there = one.results.get(at)
    if there is not None:
        raise Refused(
            N_("{who} has entered game {game} of table {table} already, {when}; --correct --why puts another in its "
               "place"),
            who=there.mark.who, game=at.game, table=at.table, when=when(there.mark),
        )  # fmt: skip


def expect_game(one: Round, at: GameAt) -> None:
    """WrongInput if a round of this stage has no such game."""
    if not 1 <= at.game <= one.stage.games:
        raise WrongInput(N_("there is no game {game} in {stage}, expected 1 to {games}"),
                         game=at.game, stage=one.key.stage, games=one.stage.games)  # fmt: skip


def _open(state: Tournament, key: RoundKey) -> Round:
    one = rounds.round_of(state, key)
    if one.closed is not None:
        raise Refused(
            N_("{who} has closed round {round} of {stage}: dalej round reopen opens it again"),
            who=one.closed.who, round=key.round, stage=key.stage,
        )  # fmt: skip
    rounds.seating_of(one)
    return one


def _result(state: Tournament, one: Round, at: GameAt, entry: Entry, correction: Correction | None) -> Draft:
    seats = seats_of(table_of(one, at.table))
    expect_game(one, at)
    if correction is None:
        expect_no_result(one, at)
    elif at not in one.results:
        raise Refused(N_("game {game} of table {table} has no result to correct"), game=at.game, table=at.table)
    body: dict[str, Json] = {"stage": one.key.stage, "round": one.key.round, "table": at.table, "game": at.game}
    if entry.ended == NOT_PLAYED:
        return Draft(RESULT, {**body, "ended": NOT_PLAYED}, subject_of(one.key, at))
    told = sheet(state, one, at, entry)
    score(told, state.ruleset)
    racks: list[Json] = [_rack(rack, seats[rack.seat]) for rack in told.racks]
    body |= {"ended": told.ended, "started": told.started, "ruling": told.ruling, "racks": racks}
    return Draft(RESULT, body, subject_of(one.key, at))


def _rack(rack: Rack, player: int) -> dict[str, Json]:
    return {"player": player, **rack_to(replace(rack, name=""))}


def _place(one: tuple[GameAt, Entry]) -> GameAt:
    return one[0]


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


def _revoked(decisions: Iterable[Decision], subject: str) -> list[Draft]:
    """Everything that stands on the subject is taken back, or what it replaced would count again."""
    standing = [one for one in decisions if one.subject == subject and one.revoked_by is None and one.kind != REVOKE]
    *earlier, latest = standing
    return [
        Draft(REVOKE, {}, revokes=latest.cursor),
        *(Draft(REVOKE, {}, f"{REVOKE}:{one.cursor}", revokes=one.cursor) for one in earlier),
    ]
