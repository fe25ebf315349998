"""What was decided, in the reader's words: a part of a sentence for each kind of decision; and whether somebody else
has decided on the same thing since a person looked: nobody is overruled unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from dalej.domain.game.calls import TAKEN
from dalej.domain.game.facts import is_phone
from dalej.domain.game.rulings import RULING, FactKey
from dalej.domain.game.sentences import instant, seconds_said, word_said
from dalej.domain.rules.options import value_text
from dalej.domain.rules.rulesets import schema
from dalej.domain.rules.values import value_of
from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.errors import Counted, DalejError, Damaged, Refused, WrongInput
from dalej.event.boxplaces import ALL, STAND
from dalej.event.event import Seen
from dalej.event.ledger import ASSIGN, REVOKE, Decision
from dalej.event.people import SEATED
from dalej.office.reasons import reason_said
from dalej.office.settingnames import LIMIT, in_seconds, label_said
from dalej.office.tableracks import AGREES, RACKS
from dalej.office.tablewords import READ, WORD
from dalej.words import N_, readable, said

Names = Mapping[int, str]
WORDS_OF_VALUES: Final[Mapping[str, str]] = {"yes": N_("yes"), "no": N_("no")}


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
    return said(told(decision, names, ruled))


def told(decision: Decision, names: Names, ruled: Mapping[FactKey, str] | None = None) -> DalejError:
    """The same as a part of a sentence, which its reader's language is still to be chosen for."""
    sentence = _SENTENCES.get(decision.kind)
    try:
        what = DalejError("{kind}", kind=decision.kind) if sentence is None else sentence(Body(decision), names)
        place = (ruled or {}).get(_ruled_on(decision)) if decision.kind == RULING else None
    except Damaged:
        return DalejError(N_("{kind}, which cannot be read"), kind=decision.kind)
    return what if place is None else DalejError("{place}: {what}", place=place, what=what)


def told_together(decisions: Sequence[Decision], names: Names) -> DalejError:
    """Several of them, at least one, in one sentence."""
    first, *rest = (told(one, names) for one in decisions)
    for one in rest:
        first = DalejError("{first}; {rest}", first=first, rest=one)
    return first


def game_words(stage: str, number: int, table: int, game: int) -> str:
    """A game of a round in a sentence."""
    return said(game_said(stage, number, table, game))


def game_said(stage: str, number: int, table: int, game: int) -> DalejError:
    """The same as a part of one."""
    return DalejError(
        N_("{stage}, round {round}, table {table}, game {game}"),
        stage=stage_said(stage), round=number, table=table, game=game,
    )  # fmt: skip


def _event(body: Body, _names: Names) -> DalejError:
    return DalejError(N_("the event is {name}"), name=readable(body.text("name")))


def _ruleset(body: Body, _names: Names) -> DalejError:
    return DalejError(N_("played by {ruleset}"), ruleset=readable(body.text("id")))


def _option(body: Body, _names: Names) -> DalejError:
    value = body.anything("value")
    key = body.text("key")
    if value is None:
        return DalejError(N_("{key} as the ruleset says"), key=label_said(key))
    typed = option_words(key, value)
    typed = in_seconds(typed) if key == f"{LIMIT}_ms" else typed
    words: DalejError | str = DalejError(WORDS_OF_VALUES[typed]) if typed in WORDS_OF_VALUES else typed
    return DalejError(N_("{key} is {value}"), key=label_said(key), value=words)


def _player(body: Body, _names: Names) -> DalejError:
    template = N_("player {number} is {name}")
    if body.flag("waits", False):
        template = N_("player {number} is {name}, who waits for a place")
    return DalejError(template, number=body.number("player"), name=readable(body.text("name")))


def _waiting(body: Body, names: Names) -> DalejError:
    template = N_("{player} moves up from the waiting list")
    if body.flag("waits"):
        template = N_("{player} waits for a place")
    return DalejError(template, player=_who(body, names))


def _gone(body: Body, names: Names) -> DalejError:
    who = _who(body, names)
    if body.text("how") == "excluded":
        return DalejError(N_("{player} is excluded"), player=who)
    return DalejError(N_("{player} withdraws"), player=who)


def _warned(body: Body, names: Names) -> DalejError:
    return DalejError(N_("{player} is warned"), player=_who(body, names))


def _absent(body: Body, names: Names) -> DalejError:
    template = N_("{round}: {player} is absent") if body.flag("absent") else N_("{round}: {player} is there")
    return DalejError(template, round=_round(body), player=_who(body, names))


def _seating(body: Body, _names: Names) -> DalejError:
    count = len(body.objects("tables"))
    return Counted("{round}: {count} table seated", "{round}: {count} tables seated", round=_round(body), count=count)


def _locked(body: Body, _names: Names) -> DalejError:
    template = N_("{round}: the seating is locked") if body.flag("locked") else N_("{round}: the seating is unlocked")
    return DalejError(template, round=_round(body))


def _clock(body: Body, _names: Names) -> DalejError:
    return DalejError(
        N_("{round}: the round clock runs for {minutes} min"),
        round=_round(body),
        minutes=_minutes(body.number("length_ms")),
    )


def _minutes(ms: int) -> DalejError:
    whole, left = divmod(ms, 60_000)
    return seconds_said(ms // 60) if left else DalejError("{whole}", whole=whole)


def _dated(body: Body, _names: Names) -> DalejError:
    if not body.text("date"):
        return DalejError(N_("{round}: no date of its own"), round=_round(body))
    return DalejError(N_("{round}: on {date}"), round=_round(body), date=readable(body.text("date")))


def _result(body: Body, names: Names) -> DalejError:
    if body.text("ended") == kinds.NOT_PLAYED:
        why = body.text("why", "")
        if why and why != body.mark.why:
            return DalejError(N_("{game}: not played: {why}"), game=_game(body), why=readable(why))
        return DalejError(N_("{game}: not played"), game=_game(body))
    players = ", ".join(name_of(player, names) for player in body.seat_players().values())
    return DalejError(N_("{game}: result of {players}"), game=_game(body), players=players)


def _confirmed(body: Body, _names: Names) -> DalejError:
    return DalejError(
        N_("{round}: the results of table {table} are confirmed"), round=_round(body), table=body.number("table")
    )


def _closed(body: Body, _names: Names) -> DalejError:
    return DalejError(N_("{round} is closed"), round=_round(body))


def _advanced(body: Body, _names: Names) -> DalejError:
    count = len(body.numbers("players"))
    return Counted(
        "{count} player goes on to {stage}",
        "{count} players go on to {stage}",
        count=count,
        stage=stage_said(body.text("stage")),
    )


def _tie(body: Body, names: Names) -> DalejError:
    order = ", ".join(name_of(player, names) for player in body.numbers("order"))
    return DalejError(
        N_("{stage}: the order among players level is {players}"), stage=stage_said(body.text("stage")), players=order
    )


def _ruled_on(decision: Decision) -> FactKey:
    of = decision.body.get("of")
    box, epoch, seq = of if isinstance(of, list) and len(of) == len(("box", "epoch", "seq")) else ("", 0, 0)
    return str(box), int(epoch), int(seq)


def _ruling(body: Body, _names: Names) -> DalejError:
    if body.decision.body.get("open"):
        return DalejError(
            N_("table {table}, a time-out: {ruling}"), table=body.number("table"), ruling=word_said(body.text("ruling"))
        )
    return DalejError(N_("a time-out: {ruling}"), ruling=word_said(body.text("ruling")))


def _table_ruling(body: Body, names: Names) -> DalejError:
    return DalejError(
        N_("{game}, {player}: {ruling}"),
        game=_game(body),
        player=_who(body, names),
        ruling=word_said(body.text("ruling")),
    )


def _claim(body: Body, _names: Names) -> DalejError:
    template = (
        N_("{game}, seat {seat}: claim granted") if body.flag("granted") else N_("{game}, seat {seat}: claim denied")
    )
    return DalejError(template, game=_game(body), seat=readable(body.text("seat")))


def _assign(body: Body, _names: Names) -> DalejError:
    template = N_("box {box} stands on table {table}")
    if is_phone(body.text("box")):
        template = N_("phone {box} is the box of table {table}")
    return DalejError(template, box=readable(body.text("box")), table=body.number("table"))


def _stand(body: Body, _names: Names) -> DalejError:
    table, box = body.number("table"), body.text("box")
    if not box:
        return DalejError(N_("no box stands on table {table}"), table=table)
    if is_phone(box):
        template = N_("phone {box} is the box of table {table}")
        if not body.flag("goes_on") and body.text("from") != ALL:
            template = N_("phone {box} is the box of table {table}, for a new game")
    elif body.text("from") == ALL:
        template = N_("box {box} goes to table {table}, with everything it holds")
    elif body.flag("goes_on"):
        template = N_("box {box} goes to table {table}")
    else:
        template = N_("box {box} goes to table {table}, for a new game")
    return DalejError(template, box=readable(body.text("name", "") or box), table=table)


def _seated(body: Body, _names: Names) -> DalejError:
    return DalejError(N_("table {table}: who sits there"), table=body.number("table"))


def _revoke(body: Body, _names: Names) -> DalejError:
    return DalejError(N_("number {number} is taken back"), number=body.decision.revokes or 0)


def _who(body: Body, names: Names) -> str:
    return name_of(body.number("player"), names)


def _taken(body: Body, _names: Names) -> DalejError:
    return DalejError(N_("goes to table {table}"), table=body.number("table"))


def _racks(body: Body, _names: Names) -> DalejError:
    racks = body.decision.body.get("racks")
    told = ", ".join(f"{seat} {text}" for seat, text in racks.items()) if isinstance(racks, dict) else "?"
    return DalejError(N_("{game}: the table writes {racks}"), game=_game(body), racks=readable(told))


def _agrees(body: Body, _names: Names) -> DalejError:
    return DalejError(N_("table {table}: seat {seat} agrees to number {number}"), table=body.number("table"),
                      seat=readable(body.text("seat")), number=body.number("of"))  # fmt: skip


def _word(body: Body, _names: Names) -> DalejError:
    return DalejError(
        N_("table {table} is told: {words}"), table=body.number("table"), words=readable(body.text("words"))
    )


def _read(body: Body, _names: Names) -> DalejError:
    return DalejError(
        N_("table {table} has read number {number}"), table=body.number("table"), number=body.number("of")
    )


def name_of(player: int, names: Names) -> str:
    """What a player is called; the number of one of whom no name is known."""
    return readable(names.get(player, "")) or str(player)


def _round(body: Body) -> DalejError:
    return round_said(*body.round_key())


def _hall(body: Body, _names: Names) -> DalejError:
    tables = ", ".join(map(str, body.numbers("tables"))) or "–"
    return DalejError(N_("hall {hall}: tables {tables}"), hall=readable(body.text("hall")), tables=tables)


def _home(body: Body, _names: Names) -> DalejError:
    return DalejError(N_("this event file is that of hall {hall}"), hall=readable(body.text("hall")))


def _given(body: Body, _names: Names) -> DalejError:
    template = N_("{round} is given to the halls") if body.flag("given") else N_("{round} is taken back from the halls")
    return DalejError(template, round=round_said(*body.round_key()))


def _complete(body: Body, _names: Names) -> DalejError:
    hall = readable(body.text("hall"))
    return DalejError(N_("{round} is complete from hall {hall}"), round=round_said(*body.round_key()), hall=hall)


def _game(body: Body) -> DalejError:
    return game_said(*body.round_key(), *body.game_at())


def option_words(key: str, value: object) -> str:
    """The value of an option as an organiser types it."""
    try:
        return readable(value_text(key, value_of(key, value, schema()[key])))
    except (KeyError, WrongInput):
        return readable(str(value))


_SENTENCES: Final[Mapping[str, Callable[[Body, Names], DalejError]]] = {
    kinds.EVENT: _event,
    kinds.RULESET: _ruleset,
    kinds.OPTION: _option,
    kinds.PLAYER: _player,
    kinds.WAITING: _waiting,
    kinds.GONE: _gone,
    kinds.WARNED: _warned,
    kinds.ABSENT: _absent,
    kinds.SEATING: _seating,
    kinds.LOCKED: _locked,
    kinds.DATED: _dated,
    kinds.CLOCK: _clock,
    kinds.RESULT: _result,
    kinds.CONFIRMED: _confirmed,
    kinds.CLOSED: _closed,
    kinds.ADVANCED: _advanced,
    kinds.TIE: _tie,
    RULING: _ruling,
    kinds.TABLE_RULING: _table_ruling,
    kinds.CLAIM: _claim,
    kinds.HALL: _hall,
    kinds.HOME: _home,
    kinds.GIVEN: _given,
    kinds.COMPLETE: _complete,
    TAKEN: _taken,
    RACKS: _racks,
    AGREES: _agrees,
    WORD: _word,
    READ: _read,
    ASSIGN: _assign,
    STAND: _stand,
    SEATED: _seated,
    REVOKE: _revoke,
}


About = Callable[[Decision], bool]


def expect_none_newer(seen: Seen, since: int, who: str, about: About) -> None:
    """Refused, with who, what and when, if another person than `who` decided anything `about` it after the ledger's
    entry `since`, or took such a thing back; 0: nobody said what was seen.
    """
    if not since:
        return
    concerned = {one.cursor for one in seen.decisions if about(one)}
    for one in reversed(seen.decisions):
        if one.cursor <= since:
            return
        if one.who != who and (one.cursor in concerned or (one.kind == REVOKE and one.revokes in concerned)):
            raise Refused(
                N_("{who} has decided on this in the meantime, {when}: {what} ({why}); look at it, then decide again"),
                who=one.who, when=instant(one.when_ms), what=told(one, names_in(seen.decisions)),
                why=reason_said(one.why), cursor=one.cursor,
            )  # fmt: skip
