"""Score sheets: a page for each table of a round, to be filled in with a pen or printed as it was entered; at the
foot how a game goes and how it is counted, in sentences with their clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dalej.domain.game.sentences import word
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.scoring.points import SeatScore, gained, total
from dalej.domain.scoring.sheets import ENDINGS, Rack
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Result, Round, TableSeats, Tournament
from dalej.office.paper.formats import pdf
from dalej.office.paper.naming import SEATS, round_heading, round_name
from dalej.words import N_, _, readable, who_said


def how_to_count(rules: Ruleset, seats: int) -> list[str]:
    """One sentence a rule, as short as a player needs it, for a table of so many seats."""
    return [
        *_starts(rules), _went_out(rules), _joker(rules), *_never_opened(rules), *_lowest(rules), _withdrawn(rules),
        *_big(rules, seats),
    ]  # fmt: skip


def _cited(sentence: str, clause: str) -> str:
    return _("{sentence} [{clause}]").format(sentence=sentence, clause=clause)


def _starts(rules: Ruleset) -> Iterator[str]:
    if (rules.first_starter, rules.next_starter) == ("table", "table"):
        yield _cited(_("The players decide who starts a game."), rules.clause("first_starter"))
        return
    first = {
        "seat_a": _("Seat A starts the first game."),
        "highest_tile": _("Whoever draws the highest tile starts the first game."),
        "table": _("The players decide who starts the first game."),
    }[rules.first_starter]
    later = {
        "clockwise": _("The next seat clockwise starts the next game."),
        "table": _("The players decide who starts the next game."),
    }[rules.next_starter]
    yield _cited(first, rules.clause("first_starter"))
    yield _cited(later, rules.clause("next_starter"))


def _went_out(rules: Ruleset) -> str:
    sentence = _("Went out: every other player scores minus their rack, the winner plus the sum of the others’ losses.")
    return _cited(sentence, rules.clause("winner_takes_penalties"))


def _joker(rules: Ruleset) -> str:
    sentence = _("A joker left on the rack: −{points}.").format(points=rules.joker_points)
    return _cited(sentence, rules.clause("joker_points"))


def _never_opened(rules: Ruleset) -> Iterator[str]:
    plain, higher = rules.never_opened_points, rules.could_have_opened_points
    if plain is None:
        yield _cited(
            _("Never opened when another player goes out: the rack counts."), rules.clause("never_opened_points")
        )
    elif higher is None:
        sentence = _("Never opened when another player goes out: −{points}.").format(points=plain)
        yield _cited(sentence, rules.clause("never_opened_points"))
    else:
        sentence = _("Never opened when another player goes out: −{points}; −{higher} if they could have.").format(
            points=plain, higher=higher
        )
        yield _cited(sentence, rules.clause("never_opened_points"))
        if rules.announcement_lifts and higher != plain:
            sentence = _("If the tile they lacked came in the last round and they had announced it: −{points}.").format(
                points=plain
            )
            yield _cited(sentence, rules.clause("announcement_lifts"))


def _lowest(rules: Ruleset) -> Iterator[str]:
    sentence = _(
        "Bank empty or time over: the lowest rack wins, every other player scores minus the difference to it, "
        "the winner plus the sum of the differences."
    )
    if rules.several_lowest != "split":
        yield _cited(
            sentence + " " + _("Several lowest racks score the full sum each."), rules.clause("several_lowest")
        )
        return
    shared = _("Several lowest racks share it: plus and minus are equal in every game and in the count.")
    yield _cited(f"{sentence} {shared}", rules.clause("several_lowest"))
    odd = {
        "first_seat": _("A point left over goes to the winner whose seat comes first."),
        "last_seat": _("A point left over goes to the winner whose seat comes last."),
    }[rules.odd_points]
    yield _cited(odd, rules.clause("odd_points"))


def _withdrawn(rules: Ruleset) -> str:
    sentence = (
        _("Whoever withdraws loses the own rack or penalty in full and ranks last in that game.")
        if rules.withdrawn_ranks == "last"
        else _("Whoever withdraws loses the own rack or penalty in full and ranks by points.")
    )
    return _cited(sentence, rules.clause("withdrawn_ranks"))


def _big(rules: Ruleset, seats: int) -> Iterator[str]:
    scales = {4: "big_points_4", 3: "big_points_3", 2: "big_points_2"}
    scale = {4: rules.big_points_4, 3: rules.big_points_3, 2: rules.big_points_2}.get(seats)
    if scale is not None:
        sentence = _("Big points by place at a table of {seats}: {points}.").format(
            seats=seats, points=" – ".join(map(str, scale))
        )
        yield _cited(sentence, rules.clause(scales[seats]))


ENDS: Final = (*ENDINGS, NOT_PLAYED)
HEADINGS: Final[Mapping[str, str]] = {
    "points": N_("Points without jokers"), "jokers": N_("Jokers on the rack"), "never_opened": N_("Never opened"),
    "could_have_opened": N_("Could have opened"), "announced": N_("Announced"), "withdrawn": N_("Withdrew"),
    "small": N_("Small points"), "big": N_("Big points"),
}  # fmt: skip
TICKED: Final = ("never_opened", "could_have_opened", "announced", "withdrawn")
SUMMED: Final = ("small", "big")


def columns(rules: Ruleset, seats: int) -> list[str]:
    """What a rack's line has room for, keys of `HEADINGS`: what counts by the ruleset at a table of so many."""
    plain, higher = rules.never_opened_points, rules.could_have_opened_points
    scale = {4: rules.big_points_4, 3: rules.big_points_3, 2: rules.big_points_2}[seats]
    told = {
        "never_opened": plain is not None or higher is not None, "could_have_opened": higher != plain,
        "announced": higher != plain and rules.announcement_lifts, "big": scale is not None,
    }  # fmt: skip
    return [key for key in HEADINGS if told.get(key, True)]


def score_sheets(state: Tournament, of: Round, tables: Sequence[TableSeats], *, filled: bool = False) -> bytes:
    """A PDF with one page a table, more where a round has too many games for one. `filled`: with the results that are
    in; else all boxes are empty.
    """
    return pdf(
        "sheets",
        _("Score sheets"),
        {
            **round_heading(state, of.key), "words": _words(), "round": round_name(state, of.key),
            "ruleset": readable(state.ruleset.title), "ends": [{"key": one, "words": word(one)} for one in ENDS],
            "tables": [_table(state, of, table, filled) for table in tables],
        },
    )  # fmt: skip


def _words() -> dict[str, str]:
    return {
        "sheet": _("Score sheet"), "player": _("Player"), "checked": _("Checked by"), "together": _("Together"),
        "signature": _("Signature"), "starts": _("Starts:"), "counting": _("How to count"),
        "to_referee": _("After the last game to the head referee:"),
    }  # fmt: skip


def _table(state: Tournament, of: Round, table: TableSeats, filled: bool) -> dict[str, object]:
    seats = [
        {"seat": letter, "name": readable(state.players[player].name)}
        for letter, player in zip(SEATS, table.players, strict=True)
        if player
    ]
    results = of.results if filled else {}
    games = range(1, of.stage.games + 1)
    found = [results.get(GameAt(table.table, game)) for game in games]
    return {
        "title": _("Table {table}").format(table=table.table),
        "seats": seats,
        "columns": [
            {"key": key, "words": _(HEADINGS[key]), "ticked": key in TICKED, "summed": key in SUMMED}
            for key in columns(state.ruleset, max(2, len(seats)))
        ],
        "games": [
            {
                "title": _("Game {game}").format(game=game),
                "starts": _who_starts(state.ruleset, [str(one["seat"]) for one in seats], game),
                **_game(result),
            }
            for game, result in zip(games, found, strict=True)
        ],
        "sums": _sums([result for result in found if result is not None]),
        "counting": how_to_count(state.ruleset, len(seats)),
    }


def _who_starts(rules: Ruleset, seats: Sequence[str], game: int) -> str:
    """The seat that starts the game, as far as the ruleset alone says it; "": the players mark it."""
    if rules.first_starter != "seat_a" or not seats or (game > 1 and rules.next_starter != "clockwise"):
        return ""
    return seats[(game - 1) % len(seats)]


def _game(result: Result | None) -> dict[str, object]:
    """What is written in a game's boxes, by seat."""
    if result is None:
        return {"ended": "", "rows": {}, "checked": ""}
    checked = "" if result.confirmed is None else who_said(result.confirmed.who)
    if result.sheet is None:
        return {"ended": NOT_PLAYED, "rows": {}, "checked": checked}
    scores = {score.seat: score for score in result.scores}
    rows = {rack.seat: _row(rack, scores[rack.seat]) for rack in result.sheet.racks if rack.seat in scores}
    return {"ended": result.sheet.ended, "rows": rows, "checked": checked}


def _row(rack: Rack, score: SeatScore) -> dict[str, object]:
    return {
        "points": "" if rack.points is None else str(rack.points), "jokers": str(rack.jokers),
        "never_opened": not rack.opened, "could_have_opened": rack.could_have_opened, "announced": rack.announced,
        "withdrawn": rack.withdrawn, "small": gained(score.small), "big": _plain(score.big),
    }  # fmt: skip


def _sums(results: Sequence[Result]) -> dict[str, dict[str, str]]:
    small: dict[str, int] = {}
    big: dict[str, int] = {}
    for result in results:
        for score in result.scores:
            small[score.seat] = small.get(score.seat, 0) + score.small
            big[score.seat] = big.get(score.seat, 0) + (score.big or 0)
    return {seat: {"small": total(small[seat]), "big": _plain(big[seat])} for seat in small}


def _plain(points: int | None) -> str:
    return "" if points is None else str(points)
