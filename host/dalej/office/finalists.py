"""The finalists, of whom the final form asks: who they are, what the event knows of them by itself, and whose parent
has not agreed yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import Player, RoundKey, Tournament
from dalej.errors import Refused
from dalej.office.nameorder import apart
from dalej.office.paper.naming import round_day
from dalej.words import N_, _, readable

Asked = Mapping[str, str]  # first_name, surname, town, born, email, phone; what is not known is missing
OF_AGE: Final = 18  # years: from then on nobody else consents


def finalists(state: Tournament, lines: Sequence[Line]) -> list[Line]:
    """Whom the form asks about, best first; `lines` are the standings of the whole event.

    Refused if the ruleset asks for no form, or if the final has not been entered yet.
    """
    wanted = state.ruleset.form_players
    if wanted is None:
        raise Refused(N_("{ruleset} asks for no final form"), ruleset=state.ruleset.id)
    final = state.plan[-1].id
    if len(state.plan) > 1:
        if not state.entrants.get(final):
            raise Refused(N_("nobody has come into the final yet: expected that before the final form"))
        lines = [line for line in lines if line.player in state.entrants[final]]
    elif not state.over:
        raise Refused(N_("the last round is not closed yet: expected that before the final form"))
    return [line for line in lines if line.place <= wanted]


def has_finalists(state: Tournament) -> bool:
    """Whether the form asks about anybody yet."""
    if state.ruleset.form_players is None:
        return False
    return state.over if len(state.plan) == 1 else bool(state.entrants.get(state.plan[-1].id))


def places(state: Tournament, people: Sequence[Line]) -> dict[int, int]:
    """Their places by player; {} until everything has been played: before the final all who play it are level."""
    return {line.player: line.place for line in people} if state.over else {}


def last_day(state: Tournament) -> str:
    """Of the last round, on which the form is about; of the event where nobody has said another."""
    last = state.plan[-1]
    return round_day(state, RoundKey(last.id, last.rounds)) or state.date


def known(player: Player) -> dict[str, str]:
    """What the event itself says for sure: nobody need be asked for it again."""
    name = apart(player.name, player.surname)
    told = {"first_name": name.first, "surname": name.surname} if name.sure else {}
    return {field: value for field, value in (told | {"town": player.town}).items() if value}


def suggested(player: Player) -> dict[str, str]:
    """What it may well be, to be confirmed."""
    name = apart(player.name, player.surname)
    return {
        field: value for field, value in (("first_name", name.first), ("surname", name.surname)) if value
    } | known(player)  # fmt: skip


def filled(state: Tournament, kept: Mapping[int, Asked], player: int) -> dict[str, str]:
    """What stands on the form: what was kept, and beside it what the event knows."""
    there = known(state.players[player]) if player in state.players else {}
    return there | dict(kept.get(player, {}))


def lacks_consent(state: Tournament, player: int, born: str) -> bool:
    """Whether a parent's consent is still missing on the day of the last round."""
    try:
        on = date.fromisoformat(last_day(state))
    except ValueError:
        on = None
    return needs_consent(state.players[player], born, on)


def lacking_consent(state: Tournament, people: Sequence[Line], kept: Mapping[int, Asked]) -> str:
    """The sentence that names the finalists whose parent's consent is missing, "" for nobody."""
    numbers = (line.player for line in people)
    return without_consent(
        state.players[number] for number in numbers
        if lacks_consent(state, number, kept.get(number, {}).get("born", ""))
    )  # fmt: skip


def needs_consent(player: Player, born: str, day: date | None) -> bool:
    """Whether a parent's consent is still missing: who is of age on that day needs none, who may not be does."""
    return player.consent is not True and not _of_age(born, day)


def _of_age(born: str, day: date | None) -> bool:
    try:
        birth = date.fromisoformat(born)
    except ValueError:
        return False
    return day is not None and (day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))) >= OF_AGE


def without_consent(players: Iterable[Player]) -> str:
    """The sentence that names them, "" for nobody."""
    lacking = list(players)
    if not lacking:
        return ""
    return _("A parent's consent is still missing, the form may not be sent yet: {players}").format(
        players=", ".join(readable(player.name) for player in lacking)
    )
