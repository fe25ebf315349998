"""What the form of an act asks for, whatever screen shows it: what there is to choose from, and how what is typed is
read, WrongInput saying what was expected. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import choice, word
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.office.acts.act import Act, Ask
from dalej.office.decisionwords import names_in, tell
from dalej.office.players import find
from dalej.office.rulings import rulings_of
from dalej.views.book import Page
from dalej.views.callwords import seen_words
from dalej.views.phrases import seat_words
from dalej.views.rows import Row, SeenTurn
from dalej.views.settingwords import value_words, words_of
from dalej.words import N_, _, readable, said, who_said


def still_asked(
    act: type[Act], args: Mapping[str, object], row: Row | None, settled: Collection[str] = ()
) -> list[Ask]:
    """Fields of its form that somebody has to see: where it is about is no question any more, nor what is `settled`."""
    found: list[Ask] = []
    for ask in act.asks():
        if ask.name in settled or (ask.name == "table" and "table" in args):
            continue
        if ask.name == "goes_on":
            continue  # a call's answer says so itself; elsewhere the clock is let go on by its own act
        if ask.name == "move" and "head" in args:
            continue  # what waits there is meant; its number nobody knows yet
        if not ask.needed and ask.name in ("game", "seat", "another") and row is not None and row.box:
            continue  # only where no box counts
        found.append(ask)
    return found


class Option(NamedTuple):
    """What can be chosen: its value in the wish, and its words."""

    value: object
    words: str


RACKS: Final = "racks:"  # before the seat, in the names of the fields of a score sheet
RULINGS_MOST: Final = 9  # that are listed, the newest: as many as digits pick


SeenTurns = Callable[[], Sequence[SeenTurn]]
"""Those of a table: of a whole day, so that only who needs them asks."""


def options(ask: Ask, row: Row | None, page: Page, turns: SeenTurns = tuple) -> list[Option]:
    """What there is to choose from; empty: it is typed. `row`: the table that it is about; `turns`: of that table."""
    match ask.kind:
        case "choice":
            said_of = seen_words if ask.name == "verdict" else choice_words
            return [Option(name, said_of(name)) for name in ask.choices]
        case "flag":
            return [Option(False, _("no")), Option(True, _("yes"))]
        case "seat":
            return seats(row)
        case "player":
            return players_at(row, page.state)
        case "ruling":
            return rulings_at(page, turns())
        case _:
            return []


def setting_values(ask: Ask, args: Mapping[str, object]) -> list[Option]:
    """Of a setting that is known and has words of its own, which ones; empty: it is typed."""
    key = str(args.get("key", ""))
    if ask.name != "value" or not key:
        return []
    return [Option(value, value_words(key, value)) for value in words_of(key)]


_DIGITS_MOST: Final = 9


def typed(ask: Ask, text: str, state: Tournament | None) -> object:
    """The value of a field, None if it was left empty and may be."""
    text = text.strip()
    if not text:
        if ask.needed:
            raise WrongInput(N_("{field}: expected something here"), field=DalejError(ask.label))
        return None
    match ask.kind:
        case "seconds":
            return read_seconds(ask, text)
        case "tiles" | "number" | "table" | "ruling":
            return number(ask, text)
        case "player":
            return find(_known(state), text).number
        case "players":
            return [find(_known(state), part).number for part in text.split(",") if part.strip()]
        case _:
            return text


def read_seconds(ask: Ask, text: str) -> int:
    """`20` or `1:30`, in ms."""
    minutes, colon, rest = text.rpartition(":")
    parts = (minutes, rest) if colon else ("0", rest)
    if all(part.isascii() and part.isdigit() and len(part) < _DIGITS_MOST for part in parts):
        found = int(parts[0]) * 60 + int(parts[1])
        if found <= ask.most and (not colon or int(rest) < 60):
            return found * 1_000
    raise WrongInput(
        N_("{field}: expected 0 to {most} seconds, such as 20 or 1:30, found {found}"), field=DalejError(ask.label),
        most=ask.most, found=text[:20],
    )  # fmt: skip


def number(ask: Ask, text: str) -> int:
    """A whole number within what the field allows."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(ask.most)) and ask.least <= int(text) <= ask.most:
        return int(text)
    raise WrongInput(
        N_("{field}: expected {least} to {most}, found {found}"), field=DalejError(ask.label), least=ask.least,
        most=ask.most, found=text[:20],
    )  # fmt: skip


def _known(state: Tournament | None) -> Tournament:
    if state is None:
        raise Refused(N_("nobody has signed up for this event yet"))
    return state


def choice_words(name: str) -> str:
    """A choice as people say it."""
    return said(choice(name))


def rulings_at(page: Page, turns: Sequence[SeenTurn]) -> list[Option]:
    """The referee's decisions that stand, those of this table first, the newest first."""
    here = {one.turn.judged.decision: one for one in turns if one.turn.judged is not None}
    names = names_in(page.decisions)
    found = sorted(rulings_of(page.decisions), key=lambda one: (one.cursor not in here, -one.cursor))
    return [
        Option(
            one.cursor,
            " · ".join(
                (readable(tell(one, names) if one.cursor not in here else _there(here[one.cursor])), who_said(one.who))
            ),
        )
        for one in found[:RULINGS_MOST]
    ]


def _there(seen: SeenTurn) -> str:
    """The ruling on that turn, short enough for a line."""
    turn = seen.turn
    game = _("game {game}, move {move}").format(game=turn.game, move=turn.move)
    return f"{game} · {seat_words(turn.seat, seen.name)}: {word(turn.ruling or '')}"


def seats(row: Row | None) -> list[Option]:
    """Those of the table that play, each with who sits there; without a table all four."""
    names = ("",) * len(SEATS) if row is None else row.names
    return [
        Option(letter, readable(seat_words(seat, names[seat])))
        for seat, letter in enumerate(SEATS)
        if row is None or not row.seats or row.seats >> seat & 1
    ]


def players_at(row: Row | None, state: Tournament | None) -> list[Option]:
    """Who sits there, where a round is seated."""
    current = None if state is None else state.current
    if row is None or state is None or current is None or current.seating is None:
        return []
    there = current.seating.at(row.table)
    return [] if there is None else [Option(number, readable(state.players[number].name)) for number in there.seated]
