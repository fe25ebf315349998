"""Results of games: entered, corrected, confirmed by a second person, taken back. Each is checked against the event
as it stands; what a box adds to what was typed is said before it is entered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import instant
from dalej.domain.scoring.points import SeatScore, score
from dalej.domain.scoring.sheets import Ended, Rack, Sheet, rack_to
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import (
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
from dalej.errors import Command, DalejError, Refused, WrongInput
from dalej.event.event import Change, Event, Seen, taken_back
from dalej.event.ledger import Draft
from dalej.event.ledger.entries import Json
from dalej.event.roundgames import games_of_round
from dalej.hints import EVENT, REASON, correcting, once_more, typed
from dalej.office import rounds
from dalej.office.notation import Entry, ended_by, game_of, surprising, with_box, written
from dalej.words import N_, ngettext

FROM_SHEET: Final = N_("from the score sheet")
WHOLE: Final = 0  # in place of a game's number: every game of the table
ROLES: Final = ("public", "referee", "organiser")  # as `dalej.office.acts.roles` puts them behind a name
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


def to_correct(state: Tournament, text: str | None) -> Round:
    """The round whose results are corrected, as of `which`; where nobody sits in the one at work, the one that was
    closed last.
    """
    last = _closed_last(state)
    if text is None and last is not None and (state.current is None or state.current.seating is None):
        return last
    return which(state, text)


def to_enter(state: Tournament, text: str | None, table: int, words: Sequence[str] = ()) -> Round:
    """The round into which a result is entered, as of `which`; where nobody sits in the one at work, the error says how
    one of the round before is corrected. `words`: the game and the racks as they were typed.
    """
    try:
        return which(state, text)
    except Refused as problem:
        last = _closed_last(state)
        at = None if last is None or last.seating is None else last.seating.at(table)
        if text is not None or last is None or at is None:
            raise
        left = set() if "w" in words else left_before(state, last, GameAt(table, last.stage.games))
        game, racks = game_of(words, [seat for seat in seats_of(at) if seat not in left])
        data = {} if problem.hint is None else problem.hint.data
        first = {"first": data["command"]} if "command" in data else {}
        hint = N_("{command} corrects a result of {round}")
        if first:
            hint = N_("{first} goes on, {command} corrects a result of {round}")
        command = correcting(last.key.text, table, "GAME" if game is None else game, *racks)
        raise problem.hinted(hint, command=command, round=round_said(*last.key), **first) from None


def _closed_last(state: Tournament) -> Round | None:
    closed = [one for one in state.rounds.values() if one.closed is not None]
    return closed[-1] if closed else None


def table_of(one: Round, table: int) -> TableSeats:
    """That table of the round; WrongInput if it has none of that number, Refused if nobody sits anywhere yet."""
    seating = rounds.seating_of(one)
    found = seating.at(table)
    if found is None:
        raise WrongInput(
            N_("there is no table {table} ({round}), expected one of {tables}"),
            table=table, round=round_said(*one.key),
            tables=", ".join(str(known.table) for known in seating.tables),
        )  # fmt: skip
    return found


def seats_of(at: TableSeats) -> dict[str, int]:
    """Player numbers by the letters of the seats where somebody sits."""
    return {SEATS[place]: player for place, player in enumerate(at.players) if player}


def names_at(state: Tournament, one: Round, table: int) -> dict[str, str]:
    """Who sits at that table, by seat."""
    return {seat: state.players[player].name for seat, player in seats_of(table_of(one, table)).items()}


def sheet(state: Tournament, one: Round, at: GameAt, entry: Entry) -> Sheet:
    """The game as it will be scored, with names. WrongInput, with the seat, if a rack is missing or nobody's. A row
    that says nothing of whoever had left before the game, or no more than that, is no rack.
    """
    seats = seats_of(table_of(one, at.table))
    withdrew, gone = withdrew_before(one, at), left_before(state, one, at)
    there = [rack for rack in entry.racks if not (rack.left_before or (rack.silent and rack.seat in gone))]
    gone |= _told_left(entry)
    racks = {rack.seat: rack for rack in there}
    for seat in racks:
        if seat not in seats:
            raise WrongInput(N_("nobody sits at table {table}, seat {seat}; expected {seats}"),
                             table=at.table, seat=seat, seats=", ".join(seats))  # fmt: skip
    for seat, player in seats.items():
        if seat in withdrew and seat in racks and not racks[seat].withdrawn:
            raise Refused(
                N_("seat {seat}: {player} withdrew in game {game}; in game {later} type w alone for the seat, or leave "
                   "it out"),
                seat=seat, player=state.players[player].name, game=withdrew[seat], later=at.game,
            )  # fmt: skip
        if seat not in racks and seat not in gone:
            raise _missing(state, seat, player)
    named = tuple(replace(rack, name=state.players[seats[rack.seat]].name) for rack in there)
    return Sheet(cast("Ended", entry.ended), named, len(seats), entry.ruling)


def left_out(state: Tournament, one: Round, at: GameAt, entry: Entry) -> list[DalejError]:
    """Seats of players who have left and of whom the entry says nothing: they score nothing, which should be said."""
    if entry.ended == NOT_PLAYED:
        return []
    there, told = {rack.seat for rack in entry.racks if not rack.silent}, _told_left(entry)
    return [
        DalejError(N_("seat {seat} ({player}) has left and has no rack here: they score nothing in this game"),
                   seat=seat, player=state.players[player].name)
        for seat, player in seats_of(table_of(one, at.table)).items()
        if seat not in there and (seat in told or state.players[player].gone is not None)
    ]  # fmt: skip


def left_before(state: Tournament, one: Round, at: GameAt) -> set[str]:
    """Seats of that table whose player has left the event, or the round before this game: they may have no rack. Who
    had no rack in the last game before this one is gone; with a rack again they are back.
    """
    seats = seats_of(table_of(one, at.table))
    earlier = _earlier(one, at)
    stay = {rack.seat for rack in earlier[max(earlier)].racks if not rack.withdrawn} if earlier else {*seats}
    return {seat for seat, player in seats.items() if seat not in stay or state.players[player].gone is not None}


def _told_left(entry: Entry) -> set[str]:
    return {rack.seat for rack in entry.racks if rack.left_before}


def _without(sheet: Sheet, seats: Iterable[str]) -> set[str]:
    """Seats that have no rack there."""
    return {*seats} - {rack.seat for rack in sheet.racks}


def _earlier(one: Round, at: GameAt) -> dict[int, Sheet]:
    """What was played before that game at its table, by game."""
    before = (result for result in of_table(one, at.table) if result.at.game < at.game)
    return {result.at.game: result.sheet for result in before if result.sheet is not None}


def withdrew_before(one: Round, at: GameAt) -> dict[str, int]:
    """Seats whose player withdrew in an earlier game of the round at that table and has not played since, and in which
    game.
    """
    found = dict[str, int]()
    for game, sheet in sorted(_earlier(one, at).items()):
        for rack in sheet.racks:
            if rack.withdrawn:
                found.setdefault(rack.seat, game)
            else:
                found.pop(rack.seat, None)
    return found


def remarks(state: Tournament, round_: Round, at: GameAt) -> list[DalejError]:
    """What a withdrawal in a game does not do, and racks of players who have left without having withdrawn in it."""
    found = []
    result, gone_before = round_.results[at], left_before(state, round_, at)
    found += _played_on(state, round_, result)
    seats = seats_of(table_of(round_, at.table))
    left = () if result.sheet is None else sorted(_without(result.sheet, seats))
    racks = () if result.sheet is None else result.sheet.racks
    goes_on = round_.key.round < round_.stage.rounds or round_.stage != state.plan[-1]
    for one in (*racks, *(Rack(seat=seat, withdrawn=True) for seat in left)):
        player = state.players[seats[one.seat]]
        if one.withdrawn and player.gone is None and one.seat not in gone_before and goes_on:
            told = N_("seat {seat}: that is a withdrawal from this round alone, {player} plays the next ones")
        elif player.gone is not None and not one.withdrawn:
            told = N_("seat {seat}: {player} has left the tournament; the rack counts as played to the end, w after it "
                      "says that the player withdrew")  # fmt: skip
        else:
            continue
        remark = DalejError(told, seat=one.seat, player=player.name)
        if player.gone is None:
            remark.hinted(N_("{command} takes the player out of the event for good"),
                          command=typed("players", "withdraw", EVENT, player.number))  # fmt: skip
        found.append(remark)
    return found


def _played_on(state: Tournament, round_: Round, result: Result) -> list[DalejError]:
    """Who withdrew in that game and is in a later one of the round all the same: both cannot be."""
    gone = [] if result.sheet is None else [rack.seat for rack in result.sheet.racks if rack.withdrawn]
    later = [other for other in of_table(round_, result.at.table) if other.at.game > result.at.game and other.sheet]
    return [
        DalejError(
            N_("seat {seat}: {player} withdrew in game {game}, and has a rack in game {later}: correct that one too"),
            seat=rack.seat, player=state.players[other.players[rack.seat]].name, game=result.at.game,
            later=other.at.game,
        )
        for other in later if other.sheet is not None
        for rack in other.sheet.racks if rack.seat in gone and not rack.withdrawn
    ]  # fmt: skip


def scored(state: Tournament, one: Round, at: GameAt, entry: Entry) -> tuple[SeatScore, ...]:
    """What everybody scores by it; WrongInput, with the seat and the difference, if it cannot be right."""
    if entry.ended == NOT_PLAYED:
        return ()
    return score(sheet(state, one, at, entry), state.ruleset)


def enter(
    state: Tournament, key: RoundKey, entries: Mapping[GameAt, Entry], correction: Correction | None = None
) -> Change:
    """The results of some games, all of them or none, a table's in the order in which they were played: whoever
    withdraws in one is out of those after it.

    Refused if the round is closed, or a game has a result, and nobody corrects it; with `correction` there must be a
    result, but in a closed round, whose sheet may have been lost. WrongInput if the sheet cannot be right, or the table
    has no such game.
    """
    drafts, wrong = _drafts(state, key, entries, correction)
    if wrong:
        raise next(iter(wrong.values()))
    if correction is not None:
        return Change(drafts, correction.why)
    whys = {entry.why for entry in entries.values()}
    return Change(drafts, (whys.pop() if len(whys) == 1 else "") or FROM_SHEET)


def changes_said(before: Result | None, now: Result) -> DalejError:
    """What a correction changes, seat by seat as it would be typed, as a part of a sentence."""
    old, new = _typed_racks(before), _typed_racks(now)
    parts = [f"{seat} {old.get(seat, '–')} → {new.get(seat, '–')}" for seat in SEATS if old.get(seat) != new.get(seat)]
    if parts:
        return DalejError("{racks}", racks=", ".join(parts))
    return DalejError(N_("the racks stay as they were"))


def _typed_racks(result: Result | None) -> dict[str, str]:
    return {} if result is None or result.sheet is None else {one.seat: written(one) for one in result.sheet.racks}


def wrong_in(state: Tournament, key: RoundKey, entries: Mapping[GameAt, Entry]) -> dict[GameAt, DalejError]:
    """Of several games to be entered those that cannot be, and why. Refused if the round is closed."""
    return _drafts(state, key, entries, None)[1]


def _drafts(
    state: Tournament, key: RoundKey, entries: Mapping[GameAt, Entry], correction: Correction | None
) -> tuple[list[Draft], dict[GameAt, DalejError]]:
    one = rounds.round_of(state, key)
    rounds.seating_of(one)
    if correction is None and one.closed is not None:
        (at, entry), *_others = sorted(entries.items(), key=_place)
        raise _closed(one, one.closed, correcting(key.text, at.table, at.game, *_typed(entry)))
    drafts: list[Draft] = []
    wrong: dict[GameAt, DalejError] = {}
    for at, entry in sorted(entries.items(), key=_place):
        try:
            drafts.append(_result(state, one, at, entry, correction))
        except DalejError as problem:
            wrong[at] = problem
            continue
        if any(rack.withdrawn for rack in entry.racks):
            one = _with_withdrawals(state, one, at, entry)
    return drafts, wrong


def expect_not_played(entry: Entry, at: GameAt) -> None:
    """Of a game that was not played: WrongInput if somebody has a rack in it, Refused if nobody says why."""
    if entry.ended != NOT_PLAYED:
        return
    if entry.racks:
        raise WrongInput(
            N_("table {table}, game {game}: it was not played, and seat {seat} has a rack: expected none"),
            table=at.table, game=at.game, seat=entry.racks[0].seat,
        )  # fmt: skip
    if not entry.why.strip():
        raise Refused(
            N_("table {table}, game {game}: it takes a reason why the game was not played"),
            table=at.table, game=at.game,
        ).hinted(N_("{command} gives it"), command=once_more("--why", REASON))  # fmt: skip


def confirm(state: Tournament, key: RoundKey, table: int, who: str) -> Change:
    """A second person has looked at those results of the table that nobody has confirmed yet. Refused if there are
    none, if `who` entered one of them, or if somebody has confirmed them all.
    """
    one = rounds.round_of(state, key)
    table_of(one, table)
    results = of_table(one, table)
    if not results:
        raise Refused(N_("{round}: table {table} has no result yet"),
                      table=table, round=round_said(*key))  # fmt: skip
    done = results[-1].confirmed
    fresh = [result for result in results if result.confirmed is None]
    if not fresh and done is not None:
        raise Refused(N_("{who} has confirmed table {table} already, {when}"),
                      who=done.who, table=table, when=instant(done.when_ms))  # fmt: skip
    for result in fresh:
        if same_person(result.mark.who, who):
            raise Refused(
                N_("{who} has entered game {game} of table {table}: somebody else must confirm it"),
                who=result.mark.who, game=result.at.game, table=table,
            ).hinted(N_("{command} says who does"), command=once_more("--who", "NAME"))  # fmt: skip
    cursors: list[Json] = [result.mark.cursor for result in fresh]
    body: dict[str, Json] = {"stage": key.stage, "round": key.round, "table": table, "results": cursors}
    subject = f"{CONFIRMED}:{key.stage}:{key.round}:{table}"
    return Change([Draft(CONFIRMED, body, subject)], f"table {table} was checked")


def reopen(seen: Seen, key: RoundKey, table: int, game: int, why: str) -> Change:
    """Takes back the result of a game, or of every game at the table (`WHOLE`), whatever was corrected in it, and,
    once the table has no other, that they were confirmed. Refused if there is none, or the round is closed.
    """
    one = rounds.round_of(seen.state, key)
    table_of(one, table)
    if one.closed is not None:
        raise _closed(one, one.closed, correcting(key.text, table, "GAME" if game == WHOLE else game))
    games = [result for result in of_table(one, table) if game in (WHOLE, result.at.game)]
    if not games:
        asked = N_("{round}: table {table} has no result to take back")
        if game != WHOLE:
            asked = N_("{round}: game {game} of table {table} has no result to take back")
        raise Refused(asked, table=table, game=game, round=round_said(*key))
    subjects = [subject_of(key, result.at) for result in games]
    if len(games) == len(of_table(one, table)) and any(result.confirmed for result in games):
        subjects.append(f"{CONFIRMED}:{key.stage}:{key.round}:{table}")
    return Change([draft for subject in subjects for draft in taken_back(seen.decisions, subject)], why)


def of_table(one: Round, table: int) -> list[Result]:
    """The table's results by game."""
    return [result for at, result in sorted(one.results.items()) if at.table == table]


def missing_at(one: Round, table: int) -> list[int]:
    """Games of the table without a result."""
    return [at.game for at in one.missing() if at.table == table]


def games_words(games: Sequence[GameAt]) -> str:
    """Games of several tables, in words."""
    by_table: dict[int, list[str]] = {}
    for at in sorted(games):
        by_table.setdefault(at.table, []).append(str(at.game))
    return "; ".join(
        ngettext("table {table}: game {games}", "table {table}: games {games}", len(of)).format(
            table=table, games=", ".join(of)
        )
        for table, of in by_table.items()
    )


def subject_of(key: RoundKey, at: GameAt) -> str:
    """What results of that game are about."""
    return f"{RESULT}:{key.stage}:{key.round}:{at.table}:{at.game}"


def expect_no_result(one: Round, at: GameAt, entry: Entry | None = None) -> None:
    """Refused, with who entered it and when, if the game has a result. `entry`: what was to be entered."""
    there = one.results.get(at)
    if there is not None:
        raise Refused(
            N_("{who} has entered game {game} of table {table} already, {when}: another one is a correction, with a "
               "reason"),
            who=there.mark.who, game=at.game, table=at.table, when=instant(there.mark.when_ms),
        ).hinted(
            N_("{command} puts it in its place"),
            command=correcting(one.key.text, at.table, at.game, *(() if entry is None else _typed(entry))),
        )  # fmt: skip


def unchanged(one: Round, at: GameAt, entry: Entry) -> bool:
    """Whether the game has that very result already; control points that the players wrote down do not count."""
    there = one.results.get(at)
    if there is None:
        return False
    if there.sheet is None or entry.ended == NOT_PLAYED:
        return there.sheet is None and entry.ended == NOT_PLAYED
    told, kept = ([_weighed(rack) for rack in racks if not rack.silent] for racks in (entry.racks, there.sheet.racks))
    return entry.ended == there.sheet.ended and told == kept


def _weighed(rack: Rack) -> tuple[object, ...]:
    """What a rack is scored by."""
    return (rack.seat, rack.numbered, rack.jokers, rack.opened, rack.could_have_opened, rack.announced, rack.withdrawn)


def expect_game(one: Round, at: GameAt) -> None:
    """WrongInput if a round of this stage has no such game."""
    if not 1 <= at.game <= one.stage.games:
        raise WrongInput(N_("there is no game {game} ({stage}), expected 1 to {games}"),
                         game=at.game, stage=stage_said(one.key.stage), games=one.stage.games)  # fmt: skip


def _closed(one: Round, closed: Mark, command: Command) -> Refused:
    return Refused(
        N_("{round}: {who} has closed it; what is wrong in it is corrected, with a reason"),
        who=closed.who, round=round_said(*one.key),
    ).hinted(N_("{command} corrects it"), command=command)  # fmt: skip


def _typed(entry: Entry) -> list[str]:
    """What would be typed to enter that."""
    said = [f"{rack.seat}={written(rack)}" for rack in entry.racks]
    if entry.ended is not None and entry.ended != ended_by(entry.racks):
        said += ["--ended", entry.ended.replace("_", "-")]
    return [*said, "--ruling", entry.ruling] if entry.ruling else said


def _with_withdrawals(state: Tournament, one: Round, at: GameAt, entry: Entry) -> Round:
    """The round as later games of the same list find it: who withdrew in this one is out."""
    told = Result(at, sheet(state, one, at, entry), (), seats_of(table_of(one, at.table)), Mark(0, "", 0, ""))
    return replace(one, results={**one.results, at: told})


def _result(state: Tournament, one: Round, at: GameAt, entry: Entry, correction: Correction | None) -> Draft:
    seats = seats_of(table_of(one, at.table))
    expect_game(one, at)
    _expect_present(state, one, at, seats)
    if correction is None:
        expect_no_result(one, at, entry)
    elif at not in one.results and one.closed is None:
        raise _nothing_there(state, one, at, entry)
    body: dict[str, Json] = {"stage": one.key.stage, "round": one.key.round, "table": at.table, "game": at.game}
    if entry.ended == NOT_PLAYED:
        if correction is None:
            expect_not_played(entry, at)
        body |= {"ended": NOT_PLAYED} | ({"why": entry.why} if entry.why else {})
        return Draft(RESULT, body, subject_of(one.key, at))
    told = sheet(state, one, at, entry)
    if correction is not None and at in one.results:
        _expect_everybody(state, one.results[at], {rack.seat for rack in told.racks} | _told_left(entry))
    score(told, state.ruleset)
    racks: list[Json] = [_rack(rack, seats[rack.seat]) for rack in told.racks]
    body |= {"ended": told.ended, "started": told.started, "ruling": told.ruling, "racks": racks}
    return Draft(RESULT, body, subject_of(one.key, at))


def _nothing_there(state: Tournament, one: Round, at: GameAt, entry: Entry) -> Refused:
    """That there is no result to correct, and how that of the round before is."""
    problem = Refused(
        N_("{round}: game {game} of table {table} has no result to correct"),
        game=at.game, table=at.table, round=round_said(*one.key),
    )  # fmt: skip
    last = _closed_last(state)
    if last is None or at not in last.results:
        return problem
    command = correcting(last.key.text, at.table, at.game, *_typed(entry))
    return problem.hinted(N_("{command} corrects that of {round}"), command=command, round=round_said(*last.key))


def _expect_present(state: Tournament, one: Round, at: GameAt, seats: Mapping[str, int]) -> None:
    """Nobody plays a round and misses it."""
    for player in seats.values():
        if player in one.absent and at not in one.results:
            raise Refused(
                N_("table {table}: {player} is marked absent: take that back, or seat the others anew"),
                table=at.table, player=state.players[player].name,
            ).hinted(
                N_("{command} takes that back, {again} seats the others anew"),
                command=typed("players", "present", EVENT, player), again=typed("seat", "draw", EVENT, "--again"),
            )  # fmt: skip


def _expect_everybody(state: Tournament, before: Result, there: Collection[str]) -> None:
    """Who has played the game stays in it, also if they have left the event since."""
    for seat, player in before.players.items():
        if seat not in there:
            raise _missing(state, seat, player)


def _missing(state: Tournament, seat: str, player: int) -> WrongInput:
    return WrongInput(N_("seat {seat} ({player}) is missing: what lies on the rack? w alone if they left before "
                         "this game"), seat=seat, player=state.players[player].name)  # fmt: skip


def _rack(rack: Rack, player: int) -> dict[str, Json]:
    return {"player": player, **rack_to(replace(rack, name=""))}


def _place(one: tuple[GameAt, Entry]) -> GameAt:
    return one[0]


def same_person(one: str, other: str) -> bool:
    """Whether two names of the ledger are one person's. Over the web a role stands behind the name, as “Gęś (referee)”:
    who enters a result at the desk and confirms it in a browser is still one pair of eyes.
    """
    return _person(one) == _person(other)


def _person(who: str) -> str:
    name = " ".join(who.casefold().split())
    for role in ROLES:
        name = name.removesuffix(f" ({role})")
    return name


@dataclass(frozen=True, slots=True)
class Prepared:
    """`entry`: with what the box knows. `remarks` are to be said; `doubts` to be asked about, where anybody can be."""

    entry: Entry
    remarks: Sequence[DalejError]
    doubts: Sequence[DalejError]


def prepared(event: Event, one: Round, at: GameAt, entry: Entry) -> Prepared:
    """WrongInput if the table is none of the round, or nobody says how the game ended."""
    state = event.state()
    seats = seats_of(table_of(one, at.table))
    box = games_of_round(event.read(), state, one.key, [at.table]).get(at)
    filled, remarks = with_box(entry, box, list(seats))
    return Prepared(filled, [*remarks, *left_out(state, one, at, filled)], surprising(filled.racks))
