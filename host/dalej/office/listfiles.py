"""Lists that lie in a folder, and what a list of results comes to beside what boxes tell. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from dalej.domain.game.facts import SEATS
from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.tournament import GameAt, Player, Round, Tournament
from dalej.errors import DalejError, WrongInput
from dalej.office import resultfile, results
from dalej.office.notation import Entry, surprising, with_box
from dalej.office.players import find
from dalej.office.resultfile import Game, Games, ResultFile
from dalej.words import N_, cause

SUFFIXES: Final = (".xlsx", ".ods", ".csv")
_OPENED: Final = ("~$", ".")  # what a spreadsheet program leaves there as long as it has a file open


def lists_in(folder: Path) -> list[Path]:
    """Files there that can be a list, the newest first; WrongInput if the folder cannot be looked into."""
    try:
        files = [one for one in folder.iterdir() if one.suffix.lower() in SUFFIXES and one.is_file()]
        written = {one: one.stat().st_mtime for one in files if not one.name.startswith(_OPENED)}
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=folder, problem=cause(error)) from error
    return sorted(written, key=lambda one: (-written[one], one.name))


class Filed(NamedTuple):
    """`entries`: what would be entered, with what boxes add; `same`: games that have that very result already;
    `remarks`: what there is to say of it; `doubts`: what is more likely mistyped, to be agreed to.
    """

    file: ResultFile
    entries: dict[GameAt, Entry]
    same: list[GameAt]
    remarks: list[DalejError]
    doubts: list[DalejError]


def filed(
    data: bytes, file: str, state: Tournament, one: Round,
    boxes: Callable[[Sequence[int]], Mapping[GameAt, BoxGame]], encoding: str | None = None, sheet: str | None = None,
    blamed: Callable[[Game, DalejError], DalejError] = Game.wrong,
) -> Filed:  # fmt: skip
    """The results of that round in a file; its error names every row in which anything is wrong. `boxes`: what boxes
    know of the games at some tables; `blamed`: the sentence on a game of the file that cannot be entered.
    """
    entries: dict[GameAt, Entry] = {}
    same: list[GameAt] = []
    remarks: list[DalejError] = []

    def seated(table: int, seat: str) -> Player | None:
        return state.players.get(results.table_of(one, table).players[SEATS.index(seat)])

    def check(games: Games) -> list[DalejError]:
        told = boxes(sorted({at.table for at in games}))
        wrong: list[DalejError] = []
        for at, game in games.items():
            try:
                seats = results.seats_of(results.table_of(one, at.table))
                entries[at], found = with_box(game.entry, told.get(at), list(seats))
            except WrongInput as problem:
                wrong.append(game.wrong(problem))
                continue
            remarks.extend(of_game(at, each) for each in (*found, *results.left_out(state, one, at, entries[at])))
        same.extend(at for at, entry in entries.items() if results.unchanged(one, at, entry))
        problems = _wrong_scores(state, one, {at: entries.pop(at) for at in same})
        problems |= results.wrong_in(state, one.key, entries) if entries else {}
        return [*wrong, *(blamed(games[at], problem) for at, problem in problems.items())]

    found = resultfile.read(data, file, seated, lambda text: find(state, text), encoding, sheet, check)
    doubts = [of_game(at, doubt) for at, entry in sorted(entries.items(), key=_place)
              for doubt in surprising(entry.racks)]  # fmt: skip
    return Filed(found, entries, same, remarks, doubts)


def _place(item: tuple[GameAt, Entry]) -> GameAt:
    return item[0]


def _wrong_scores(state: Tournament, one: Round, entries: Mapping[GameAt, Entry]) -> dict[GameAt, DalejError]:
    """Of games that are entered already those whose control points are not what their racks come to."""
    wrong: dict[GameAt, DalejError] = {}
    for at, entry in entries.items():
        there = one.results[at].sheet
        if there is not None and there.ruling:
            continue
        try:
            results.scored(state, one, at, entry)
        except DalejError as problem:
            wrong[at] = problem
    return wrong


def of_game(at: GameAt, remark: DalejError) -> DalejError:
    """What there is to say of that game."""
    told = DalejError(N_("table {table}, game {game}: {remark}"), table=at.table, game=at.game, remark=remark)
    told.hint = remark.hint
    return told
