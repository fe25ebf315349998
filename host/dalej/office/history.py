"""What was decided, in the reader's words: a part of a sentence for each kind of decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from dalej.domain import tournament as kinds
from dalej.domain.options import value_text
from dalej.domain.rulesets import schema
from dalej.domain.rulevalues import value_of
from dalej.domain.rulings import RULING, FactKey
from dalej.domain.stagewords import round_name, stage_name
from dalej.domain.tournamentbodies import Body
from dalej.errors import Damaged, WrongInput
from dalej.eventlog import SEATED
from dalej.ledger import ASSIGN, REVOKE, Decision
from dalej.office.boxplaces import ALL, STAND
from dalej.office.settingnames import LIMIT, in_seconds, label
from dalej.telling import word
from dalej.words import _, ngettext, readable

Names = Mapping[int, str]


def names_in(decisions: Iterable[Decision]) -> dict[int, str]:
    """What players were called last, also those whose entry was taken back."""
    names: dict[int, str] = {}
    for one in decisions:
        number, name = one.body.get("player"), one.body.get("name")
        if one.kind == kinds.PLAYER and isinstance(number, int) and isinstance(name, str):
            names[number] = name
    return names


def tell(decision: Decision, names: Names, ruled: Mapping[FactKey, str] | None = None) -> str:
    """What was decided; of a kind that a later version may know, its name. `ruled`: where time-outs were, in
    words, by their facts; of one that is not among them only the ruling is told.
    """
    sentence = _SENTENCES.get(decision.kind)
    try:
        told = decision.kind if sentence is None else sentence(Body(decision), names)
        place = (ruled or {}).get(_ruled_on(decision)) if decision.kind == RULING else None
    except Damaged:
        return _("{kind}, which cannot be read").format(kind=decision.kind)
    return told if place is None else f"{place}: {told}"


def game_words(stage: str, number: int, table: int, game: int) -> str:
    """A game of a round in a sentence."""
    return _("{stage}, round {round}, table {table}, game {game}").format(
        stage=stage_name(stage), round=number, table=table, game=game
    )


def _event(body: Body, _names: Names) -> str:
    return _("the event is {name}").format(name=readable(body.text("name")))


def _ruleset(body: Body, _names: Names) -> str:
    return _("played by {ruleset}").format(ruleset=readable(body.text("id")))


def _option(body: Body, _names: Names) -> str:
    value = body.anything("value")
    key = body.text("key")
    if value is None:
        return _("{key} as the ruleset says").format(key=readable(label(key)))
    words = option_words(key, value)
    words = in_seconds(words) if key == f"{LIMIT}_ms" else words
    return _("{key} is {value}").format(key=readable(label(key)), value=words)


def _player(body: Body, _names: Names) -> str:
    return _("player {number} is {name}").format(number=body.number("player"), name=readable(body.text("name")))


def _gone(body: Body, names: Names) -> str:
    who = _who(body, names)
    if body.text("how") == "excluded":
        return _("{player} is excluded").format(player=who)
    return _("{player} withdraws").format(player=who)


def _warned(body: Body, names: Names) -> str:
    return _("{player} is warned").format(player=_who(body, names))


def _absent(body: Body, names: Names) -> str:
    template = _("{round}: {player} is absent") if body.flag("absent") else _("{round}: {player} is there")
    return template.format(round=_round(body), player=_who(body, names))


def _seating(body: Body, _names: Names) -> str:
    count = len(body.objects("tables"))
    return ngettext("{round}: {count} table seated", "{round}: {count} tables seated", count).format(
        round=_round(body), count=count
    )


def _locked(body: Body, _names: Names) -> str:
    template = _("{round}: the seating is locked") if body.flag("locked") else _("{round}: the seating is unlocked")
    return template.format(round=_round(body))


def _clock(body: Body, _names: Names) -> str:
    return _("{round}: the round clock runs for {minutes} min").format(
        round=_round(body), minutes=f"{body.number('length_ms') / 60_000:g}"
    )


def _result(body: Body, names: Names) -> str:
    if body.text("ended") == kinds.NOT_PLAYED:
        return _("{game}: not played").format(game=_game(body))
    players = ", ".join(name_of(player, names) for player in body.seat_players().values())
    return _("{game}: result of {players}").format(game=_game(body), players=players)


def _confirmed(body: Body, _names: Names) -> str:
    return _("{round}: the results of table {table} are confirmed").format(
        round=_round(body), table=body.number("table")
    )


def _closed(body: Body, _names: Names) -> str:
    return _("{round} is closed").format(round=_round(body))


def _advanced(body: Body, _names: Names) -> str:
    count = len(body.numbers("players"))
    return ngettext("{count} player goes on to {stage}", "{count} players go on to {stage}", count).format(
        count=count, stage=stage_name(body.text("stage"))
    )


def _tie(body: Body, names: Names) -> str:
    order = ", ".join(name_of(player, names) for player in body.numbers("order"))
    return _("{stage}: the order among players level is {players}").format(
        stage=stage_name(body.text("stage")), players=order
    )


def _ruled_on(decision: Decision) -> FactKey:
    of = decision.body.get("of")
    box, epoch, seq = of if isinstance(of, list) and len(of) == len(("box", "epoch", "seq")) else ("", 0, 0)
    return str(box), int(epoch), int(seq)


def _ruling(body: Body, _names: Names) -> str:
    return _("a time-out: {ruling}").format(ruling=word(body.text("ruling")))


def _table_ruling(body: Body, names: Names) -> str:
    return _("{game}, {player}: {ruling}").format(
        game=_game(body), player=_who(body, names), ruling=word(body.text("ruling"))
    )


def _claim(body: Body, _names: Names) -> str:
    template = (
        _("{game}, seat {seat}: claim granted") if body.flag("granted") else _("{game}, seat {seat}: claim denied")
    )
    return template.format(game=_game(body), seat=readable(body.text("seat")))


def _assign(body: Body, _names: Names) -> str:
    return _("box {box} stands on table {table}").format(box=readable(body.text("box")), table=body.number("table"))


def _stand(body: Body, _names: Names) -> str:
    table, box = body.number("table"), body.text("box")
    if not box:
        return _("no box stands on table {table}").format(table=table)
    if body.text("from") == ALL:
        template = _("box {box} goes to table {table}, with everything it holds")
    elif body.flag("goes_on"):
        template = _("box {box} goes to table {table}")
    else:
        template = _("box {box} goes to table {table}, for a new game")
    return template.format(box=readable(body.text("name", "") or box), table=table)


def _seated(body: Body, _names: Names) -> str:
    return _("table {table}: who sits there").format(table=body.number("table"))


def _revoke(body: Body, _names: Names) -> str:
    return _("number {number} is taken back").format(number=body.decision.revokes)


def _who(body: Body, names: Names) -> str:
    return name_of(body.number("player"), names)


def name_of(player: int, names: Names) -> str:
    """What a player is called; the number of one of whom no name is known."""
    return readable(names.get(player, "")) or str(player)


def _round(body: Body) -> str:
    key = body.round_key()
    return round_name(*key)


def _game(body: Body) -> str:
    return game_words(*body.round_key(), *body.game_at())


def option_words(key: str, value: object) -> str:
    """The value of an option as an organiser types it."""
    try:
        return readable(value_text(key, value_of(key, value, schema()[key])))
    except (KeyError, WrongInput):
        return readable(str(value))


_SENTENCES: Final[Mapping[str, Callable[[Body, Names], str]]] = {
    kinds.EVENT: _event,
    kinds.RULESET: _ruleset,
    kinds.OPTION: _option,
    kinds.PLAYER: _player,
    kinds.GONE: _gone,
    kinds.WARNED: _warned,
    kinds.ABSENT: _absent,
    kinds.SEATING: _seating,
    kinds.LOCKED: _locked,
    kinds.CLOCK: _clock,
    kinds.RESULT: _result,
    kinds.CONFIRMED: _confirmed,
    kinds.CLOSED: _closed,
    kinds.ADVANCED: _advanced,
    kinds.TIE: _tie,
    RULING: _ruling,
    kinds.TABLE_RULING: _table_ruling,
    kinds.CLAIM: _claim,
    ASSIGN: _assign,
    STAND: _stand,
    SEATED: _seated,
    REVOKE: _revoke,
}
