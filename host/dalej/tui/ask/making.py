"""An act of the catalogue -> the fields of its dialog, and the question that names what it touches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from dalej.acts.catalogue import Act, Ask
from dalej.domain.facts import SEATS
from dalej.domain.stagewords import round_name
from dalej.domain.tournament import GameAt, Tournament
from dalej.hall.book import Page
from dalej.hall.seen import Row, SeenTurn
from dalej.office.attendance import OUTRIGHT
from dalej.office.history import names_in, tell
from dalej.office.referee import rulings_of
from dalej.telling import seconds, word
from dalej.tui.ask.fields import Field, PickField, TypeField
from dalej.tui.ask.pick import Choice
from dalej.tui.ask.players import PlayerField
from dalej.tui.ask.reading import typed
from dalej.tui.ask.reasons import choice_words
from dalej.tui.ask.steps import Figure
from dalej.tui.widgets import roundasks
from dalej.tui.words import seat_words
from dalej.words import _, readable

RACKS = "racks:"  # before the seat, in the names of the fields of a score sheet
RULINGS_MOST = 9  # that are listed, the newest: as many as digits pick


def fields(
    act: Act, args: Mapping[str, object], row: Row | None, page: Page, turns: Sequence[SeenTurn] = ()
) -> list[Field]:
    """What is still to be asked, what is known already filled in; where it is about is no question any more.

    `turns`: of the table, which tell where a ruling was made.
    """
    made: list[Field] = []
    for ask in act.asks:
        if ask.name == "table" and "table" in args:
            continue
        if ask.name == "move" and "head" in args:
            continue  # what waits there is meant; its number nobody knows yet
        if not ask.needed and ask.name in ("game", "seat", "another") and row is not None and row.box:
            continue  # only where no box counts
        if ask.kind == "ruling" and (ruled := rulings_at(page, turns)):
            made.append(PickField(ask.name, _(ask.label), ruled, needed=ask.needed, given=args.get(ask.name)))
            continue
        made += _field(ask, args.get(ask.name), row, page, act.name)
    return made


def rulings_at(page: Page, turns: Sequence[SeenTurn]) -> list[Choice]:
    """The referee's decisions that stand, those of this table first, the newest first."""
    here = {one.turn.judged.decision: one for one in turns if one.turn.judged is not None}
    names = names_in(page.decisions)
    found = sorted(rulings_of(page.decisions), key=lambda one: (one.cursor not in here, -one.cursor))
    return [
        Choice(
            one.cursor,
            readable(f"{tell(one, names) if one.cursor not in here else _there(here[one.cursor])} · {one.who}"),
        )
        for one in found[:RULINGS_MOST]
    ]


def _there(seen: SeenTurn) -> str:
    """The ruling on that turn, short enough for a line."""
    turn = seen.turn
    game = _("game {game}, move {move}").format(game=turn.game, move=turn.move)
    return f"{game} · {seat_words(turn.seat, seen.name)}: {word(turn.ruling or '')}"


def asked(act: Act, field: Field, args: Mapping[str, object]) -> bool:
    """Whether the field means something beside what has been answered: a move that stands costs no tiles."""
    return not (act.name == "rule" and field.name == "tiles" and args.get("verdict") in (None, "stands"))


def _field(ask: Ask, given: object, row: Row | None, page: Page, act: str) -> list[Field]:
    label = _(ask.label)
    match ask.kind:
        case "choice":
            choices = [Choice(name, choice_words(name)) for name in ask.choices]
            return [PickField(ask.name, label, choices, needed=ask.needed, given=given)]
        case "flag" if act == "exclude" and page.state is not None and page.state.ruleset.exclusion == OUTRIGHT:
            return []  # no warning is asked for
        case "flag":
            return [PickField(ask.name, label, [Choice(False, _("no")), Choice(True, _("yes"))], needed=ask.needed,
                              given=given)]  # fmt: skip
        case "seat":
            return [PickField(ask.name, label, _seats(row), needed=ask.needed, given=given)]
        case "player" if there := _players_at(row, page.state):
            return [PickField(ask.name, label, there, needed=ask.needed, given=given)]
        case "player" if page.state is not None:
            state = page.state
            shown = state.players.get(given) if isinstance(given, int) else None
            read = partial(typed, ask, state=state)
            return [PlayerField(ask.name, label, list(state.players.values()), read, needed=ask.needed, given=shown)]
        case "racks":
            return [
                TypeField(f"{RACKS}{letter}", _("rack of {player}").format(player=seat.words), str.strip, needed=False)
                for letter, seat in zip(SEATS, _seats(row), strict=False)
            ]
        case _:
            wide = ask.kind in ("text", "player", "players")
            text = "" if given is None else seconds(given) if ask.kind == "seconds" and type(given) is int else given
            read = partial(typed, ask, state=page.state)
            return [TypeField(ask.name, label, read, needed=ask.needed, given=str(text), wide=wide,
                              figure=_figure(ask, row, act))]  # fmt: skip


def _figure(ask: Ask, row: Row | None, act: str) -> Figure | None:
    """How it is set by mouse: what is corrected counts from what the table has now."""
    if ask.kind == "seconds":
        left_ms = row.left_ms if row is not None and act == "set_time" else None
        return Figure(-(-max(0, left_ms or 0) // 1_000), str, 1_000)
    if ask.kind in ("tiles", "number"):
        bank = row.bank if row is not None and act == "set_bank" else None
        return Figure(bank or 0)
    return None


def _seats(row: Row | None) -> list[Choice]:
    names = ("",) * len(SEATS) if row is None else row.names
    return [
        Choice(letter, readable(seat_words(seat, names[seat])))
        for seat, letter in enumerate(SEATS)
        if row is None or not row.seats or row.seats >> seat & 1
    ]


def _players_at(row: Row | None, state: Tournament | None) -> list[Choice]:
    """Who sits there, where a round is seated."""
    current = None if state is None else state.current
    if row is None or state is None or current is None or current.seating is None:
        return []
    there = current.seating.at(row.table)
    return [] if there is None else [Choice(number, readable(state.players[number].name)) for number in there.seated]


class _Known(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "…"


def _game_at(args: Mapping[str, object], row: Row | None) -> GameAt:
    """The game of the round that the act is about."""
    table, game = args.get("table", 0 if row is None else row.table), args.get("game", 0)
    return GameAt(table if isinstance(table, int) else 0, game if isinstance(game, int) else 0)


def known_before(act: Act, page: Page, rows: Iterable[Row]) -> list[str]:
    """What somebody should know before a round is closed or its clock starts."""
    state, one = page.state, page.round
    if state is None or one is None or act.name not in ("close_round", "start_round"):
        return []
    here, earlier = roundasks.still_play(page, rows)
    lines = roundasks.before_closing(one, here)
    return lines if act.name == "close_round" else roundasks.before_start(state, one, earlier)


def question(act: Act, args: Mapping[str, object], row: Row | None, page: Page, tables: int) -> str:
    """What the act touches, in words."""
    known = _Known(count=tables, **args)
    known.update({ask.name: choice_words(str(args[ask.name])) for ask in act.asks
                  if ask.kind == "choice" and ask.name in args})  # fmt: skip
    if row is not None:
        limit = "…" if row.limit_ms is None else seconds(row.limit_ms)
        whose = seat_words(row.seat, row.name)
        known.update({"table": row.table, "game": row.game, "move": row.move, "name": whose, "seconds": limit})
        known.update({name: args[name] for name in ("game", "move") if name in args})
    state = page.state
    player = args.get("player")
    if state is not None:
        if isinstance(player, int) and player in state.players:
            known["name"] = state.players[player].name
        if state.current is not None:
            known["round"] = round_name(*state.current.key)
        if act.name == "set_option":
            known["old"] = state.options.get(str(args.get("key")), "…")
        if state.current is not None and (result := state.current.results.get(_game_at(args, row))) is not None:
            known["who"] = result.mark.who
    number = args.get("number")
    decided = next((one for one in page.decisions if one.cursor == number), None)
    if decided is not None:
        known["decision"] = tell(decided, names_in(page.decisions))
        known["who"] = decided.who
    shown = {name: readable(value) if isinstance(value, str) else value for name, value in known.items()}
    return _(act.confirm).format_map(_Known(shown))
