"""What a round has brought, to be hung up (PDF) and as CSV: everybody with table, seat and points, and what is still
missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, Literal

from dalej.domain.scoring.points import gained, total
from dalej.domain.tournament.tournament import Round, Seating, Tournament
from dalej.office.paper.formats import Cell, csv_bytes, pdf
from dalej.office.paper.namelists import in_order
from dalej.office.paper.naming import SEATS, round_heading, round_name
from dalej.words import _, ngettext, readable

Order = Literal["table", "name"]
_GAMES_SHOWN: Final = 6  # as many have room beside a name


@dataclass(slots=True)
class _Played:
    """A player's round; `games`: small points by game, None where it was not played."""

    table: int
    seat: str
    player: int
    small: int = 0
    big: int = 0
    games: dict[int, int | None] = field(default_factory=dict)


def latest(state: Tournament) -> Round | None:
    """The last round with a result, None if there is none."""
    return next((one for one in reversed([*state.rounds.values()]) if one.results), None)


def results_pdf(state: Tournament, of: Round, seated: Seating, order: Order = "table") -> bytes:
    """By table, a line below each; or by name."""
    rows = _sorted(state, of, seated, order)
    names = in_order(state, {row.player for row in rows}) if order == "name" else _as_written(state)
    games = list(range(1, of.stage.games + 1)) if of.stage.games <= _GAMES_SHOWN else []
    return pdf(
        "results",
        _("Results"),
        {
            **round_heading(state, of.key), "round": round_name(state, of.key), "results": _("Results"),
            "by_table": order == "table", "missing": _missing_said(of),
            "table": _("Table"), "seat": _("Seat"), "player": _("Player"), "small": _("Small points"),
            "big": _("Big points") if _knows_big(state) else "",
            "games": [_("Game {game}").format(game=game) for game in games],
            "rows": [
                {
                    "table": row.table, "seat": row.seat, "name": names[row.player],
                    "games": [_game(row, game) for game in games],
                    "small": total(row.small) if row.games else "", "big": str(row.big) if row.games else "",
                }
                for row in rows
            ],
        },
    )  # fmt: skip


def results_csv(
    state: Tournament, of: Round, seated: Seating, order: Order = "table", delimiter: str | None = None
) -> bytes:  # fmt: skip
    """A row for each player; who has no result yet has none of the numbers."""
    headings = [_("Round"), _("Table"), _("Seat"), _("Player"), _("Group"), _("Big points"), _("Small points")]
    rows: list[list[Cell]] = []
    for row in _sorted(state, of, seated, order):
        player = state.players[row.player]
        points: list[Cell] = [row.big, row.small] if row.games else ["", ""]
        rows.append([round_name(state, of.key), row.table, row.seat, player.name, player.group, *points])
    return csv_bytes(headings, rows, delimiter)


def _sorted(state: Tournament, of: Round, seated: Seating, order: Order) -> Sequence[_Played]:
    rows = _rows(of, seated)
    if order == "table":
        return rows
    at = {player: place for place, player in enumerate(in_order(state, {row.player for row in rows}))}
    return sorted(rows, key=lambda row: at[row.player])


def _as_written(state: Tournament) -> dict[int, str]:
    return {number: readable(one.name) for number, one in state.players.items()}


def _rows(of: Round, seated: Seating) -> list[_Played]:
    """Everybody who sits in the round or has played in it, by table and seat."""
    found = {
        player: _Played(table.table, seat, player)
        for table in seated.tables for seat, player in zip(SEATS, table.players, strict=True) if player
    }  # fmt: skip
    for at, result in sorted(of.results.items()):
        for score in result.scores:
            player = result.players[score.seat]
            row = found.setdefault(player, _Played(at.table, score.seat, player))
            row.small += score.small
            row.big += score.big or 0
            row.games[at.game] = score.small
        if result.sheet is None:
            for row in found.values():
                if row.table == at.table:
                    row.games.setdefault(at.game, None)
    return sorted(found.values(), key=lambda row: (row.table, row.seat))


def _game(row: _Played, game: int) -> str:
    if game not in row.games:
        return ""
    points = row.games[game]
    return "–" if points is None else gained(points)


def _missing_said(of: Round) -> str:
    """A sentence, "" if everything is in."""
    if not of.results:
        return _("No results yet.")
    missing = "; ".join(_missing(of))
    return _("Still missing: {games}.").format(games=missing) if missing else ""


def _missing(of: Round) -> Iterator[str]:
    """A part of a sentence for each table of which results are missing."""
    for table, games in groupby(of.missing(), key=lambda at: at.table):
        numbers = [at.game for at in games]
        if len(numbers) == of.stage.games:
            yield _("table {table}").format(table=table)
        else:
            template = ngettext("table {table}, game {games}", "table {table}, games {games}", len(numbers))
            yield template.format(table=table, games=", ".join(map(str, numbers)))


def _knows_big(state: Tournament) -> bool:
    rules = state.ruleset
    return any((rules.big_points_4, rules.big_points_3, rules.big_points_2))
