"""Score sheets: a page for each table of a round, to be filled in with a pen or printed as it was entered."""

from __future__ import annotations

from collections.abc import Sequence

from dalej.domain.tournament import GameAt, Result, Round, TableSeats, Tournament
from dalej.export.counting import how_to_count
from dalej.export.naming import SEATS, round_heading, round_name
from dalej.export.typeset import pdf
from dalej.points import gained, total
from dalej.words import _, readable


def score_sheets(state: Tournament, of: Round, tables: Sequence[TableSeats], *, filled: bool = False) -> bytes:
    """A PDF with one page a table, more where a round has too many games for one. `filled`: with the results that are
    in; else all boxes are empty.
    """
    return pdf(
        "sheets",
        _("Score sheets"),
        {
            **round_heading(state, of.key), "words": _words(), "round": round_name(state, of.key),
            "ruleset": readable(state.ruleset.title),
            "big": state.ruleset.big_points_4 is not None,
            "tables": [_table(state, of, table, filled) for table in tables],
        },
    )  # fmt: skip


def _words() -> dict[str, str]:
    return {
        "sheet": _("Score sheet"), "seat": _("Seat"), "player": _("Player"), "rack": _("Rack points"),
        "jokers": _("Jokers on the rack"), "opened": _("Opened?"), "small": _("Small points"), "big": _("Big points"),
        "checked": _("Checked by"), "together": _("Together"), "signature": _("Signature"),
        "went_out": _("went out"), "bank_empty": _("bank empty"), "round_time": _("round time"),
        "to_referee": _("After the last game to the head referee:"), "counting": _("How to count"),
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
        "games": [
            {"title": _("Game {game}").format(game=game), **_game(result)}
            for game, result in zip(games, found, strict=True)
        ],
        "sums": _sums([result for result in found if result is not None]),
        "counting": how_to_count(state.ruleset, len(seats)),
    }


def _game(result: Result | None) -> dict[str, object]:
    """What is written in a game's boxes, by seat."""
    if result is None:
        return {"ended": "", "rows": {}, "checked": ""}
    if result.sheet is None:
        return {"ended": "", "rows": {}, "checked": _("not played")}
    small = {score.seat: score for score in result.scores}
    rows = {
        rack.seat: {
            "rack": "" if rack.points is None else str(rack.points),
            "jokers": str(rack.jokers),
            "opened": _("yes") if rack.opened else _("no"),
            "small": gained(small[rack.seat].small),
            "big": _plain(small[rack.seat].big),
        }
        for rack in result.sheet.racks
        if rack.seat in small
    }
    checked = "" if result.confirmed is None else readable(result.confirmed.who)
    return {"ended": result.sheet.ended, "rows": rows, "checked": checked}


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
