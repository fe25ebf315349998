"""Score sheets: a page for each table of a round, to be filled in with a pen or printed as it was entered.

A sheet has room for what its ruleset counts and for nothing else: ticks for a player who never opened, could have, had
announced it, only where that changes the points; big points where there are any; who starts each game, as far as the
ruleset says it. `dalej.office.resultfile` reads a table with the same headings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dalej.domain.racks import ENDINGS, Rack
from dalej.domain.rulesets import Ruleset
from dalej.domain.scoring import SeatScore
from dalej.domain.tournament import NOT_PLAYED, GameAt, Result, Round, TableSeats, Tournament
from dalej.export.counting import how_to_count
from dalej.export.naming import SEATS, round_heading, round_name
from dalej.export.typeset import pdf
from dalej.points import gained, total
from dalej.telling import word
from dalej.words import N_, _, readable

ENDS: Final = (*ENDINGS, NOT_PLAYED)
HEADINGS: Final[Mapping[str, str]] = {
    "points": N_("Rack points"), "jokers": N_("Jokers on the rack"), "never_opened": N_("Never opened"),
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
                "starts": _starts(state.ruleset, [str(one["seat"]) for one in seats], game),
                **_game(result),
            }
            for game, result in zip(games, found, strict=True)
        ],
        "sums": _sums([result for result in found if result is not None]),
        "counting": how_to_count(state.ruleset, len(seats)),
    }


def _starts(rules: Ruleset, seats: Sequence[str], game: int) -> str:
    """The seat that starts the game, as far as the ruleset alone says it; "": the players mark it."""
    if rules.first_starter != "seat_a" or not seats or (game > 1 and rules.next_starter != "clockwise"):
        return ""
    return seats[(game - 1) % len(seats)]


def _game(result: Result | None) -> dict[str, object]:
    """What is written in a game's boxes, by seat."""
    if result is None:
        return {"ended": "", "rows": {}, "checked": ""}
    checked = "" if result.confirmed is None else readable(result.confirmed.who)
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
