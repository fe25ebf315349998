"""Signing up for an event, as decisions: who comes in, under which name, and what the regulation has against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from dalej.domain.stagewords import stage_said
from dalej.domain.tournament import PLAYER, Player, RoundKey, Tournament
from dalej.errors import DalejError, Refused
from dalej.ledger import Draft
from dalej.ledger.entries import Json
from dalej.office.commands import EVENT, once_more, typed
from dalej.office.event import Change
from dalej.office.players import folded, namesake, proper_group, proper_name
from dalej.office.signups import SignUp
from dalej.office.waiting import free_places
from dalej.quoting import quoted
from dalej.words import N_

SIGNED_UP: Final = N_("signed up")
RENAMED: Final = N_("renamed")
ELIMINATIONS: Final = "eliminations"
_ENTRY_CLAUSE: Final = "ORGANIZACJA 14"
_ENTRY_QUOTE: Final = "o ile już nie zakwalifikowała się już do finału"


class Joins(NamedTuple):
    """Where somebody who signs up now comes in: in `round` of the first stage, after having missed so many."""

    round: RoundKey
    missed: int


def joins(state: Tournament) -> Joins:
    """Refused once the last round of the first stage is seated: nobody comes in then."""
    first = state.plan[0]
    for number in range(1, first.rounds + 1):
        key = RoundKey(first.id, number)
        seen = state.rounds.get(key)
        if seen is None or (seen.seating is None and seen.closed is None):
            return Joins(key, number - 1)
    raise Refused(
        N_("{stage}: the last round is seated, nobody can come in any more"), stage=stage_said(first.id),
    )  # fmt: skip


def enter(
    state: Tournament, wanted: Sequence[SignUp], *, file: str = "", anyway: str = "", new_only: bool = False
) -> Change:
    """Players signed up in their order, numbered on from the last number that anybody had, whose sign-up was taken back
    included: it may be on paper. `new_only` passes over who is there already.

    Whoever comes when all places are taken waits for one, unless `anyway` says why they are let in all the same.
    Refused, and nobody is in, if a name is taken or somebody may not play here.
    """
    known = {folded(player.name): player for player in state.players.values()}
    new = [one for one in wanted if not (new_only and folded(one.name) in known)]
    if not new:
        return Change([], SIGNED_UP)
    for one in new:
        if (other := known.get(folded(one.name))) is not None:
            raise _there(other, one, file) if file else _taken(other)
        _expect_allowed(state, one, file)
    joins(state)
    free = free_places(state)
    beyond = free is not None and len(new) > free
    let_in = len(new) if free is None or anyway else free
    first = _last_number(state) + 1
    drafts = [_draft(first + place, one, waits=place >= let_in) for place, one in enumerate(new)]
    return Change(drafts, f"{SIGNED_UP}, beyond the limit: {anyway}" if beyond and anyway else SIGNED_UP)


def _last_number(state: Tournament) -> int:
    ever = (subject.removeprefix(f"{PLAYER}:") for subject in state.latest if subject.startswith(f"{PLAYER}:"))
    return max(state.players.keys() | {int(number) for number in ever if number.isdecimal()}, default=0)


def change_player(state: Tournament, player: Player, name: str, group: str, why: str | None = None) -> Change:
    """The same player, written so: name and class, club or town; no drafts if it is written so already."""
    name, group = proper_name(name), proper_group(group)
    other = namesake(state, name)
    if other is not None and other.number != player.number:
        taken = _taken(other)
        if other.gone is None:
            taken.hinted(
                N_("{command} takes one that nobody has"),
                command=typed("players", "rename", EVENT, player.number, "NAME"),
            )
        raise taken
    if (name, group) == (player.name, player.group):
        return Change([], why or RENAMED)
    written = SignUp(0, name, group, player.qualified, player.consent)
    return Change([_draft(player.number, written, waits=player.waits is not None)], why or RENAMED)


def _expect_allowed(state: Tournament, one: SignUp, file: str) -> None:
    if not one.qualified or state.ruleset.shape != ELIMINATIONS:
        return
    problem = Refused(
        N_("{name} has already qualified for the final and may not enter another elimination {citation}"),
        name=one.name, citation=cited(_ENTRY_CLAUSE, _ENTRY_QUOTE),
    )  # fmt: skip
    raise Refused(N_("{file}, line {line}: {problem}"), file=file, line=one.line, problem=problem) if file else problem


def _there(other: Player, one: SignUp, file: str) -> Refused:
    return Refused(
        N_("{file}, line {line}: {name} is player {number} already"),
        file=file, line=one.line, name=one.name, number=other.number,
    ).hinted(N_("{command} passes over everybody who is"), command=once_more("--new-only"))  # fmt: skip


def _taken(other: Player) -> Refused:
    if other.gone is not None:
        return Refused(
            N_("{name} is player {number}, who has left and may come back before the next draw"),
            name=other.name, number=other.number,
        ).hinted(N_("{command} takes that back"), command=typed("players", "back", EVENT, other.number))  # fmt: skip
    return Refused(
        N_("{name} is player {number} already: put class or initial behind a namesake's name"),
        name=other.name, number=other.number,
    ).hinted(N_("{command} takes it"), command=once_more("--namesake", "HINT"))  # fmt: skip


def limit_cited(state: Tournament) -> DalejError:
    """The clause that limits the places, with its words."""
    rule = state.ruleset.rule("players_max")
    return cited(rule.clause, rule.quote, state.ruleset.language)


def cited(clause: str, quote: str, language: str = "pl") -> DalejError:
    """A clause with the regulation's own words, as messages have it; in the quotation marks of its `language`."""
    return DalejError("[{clause}: {quote}]" if quote else "[{clause}]", clause=clause, quote=quoted(quote, language))


def _draft(number: int, one: SignUp, *, waits: bool) -> Draft:
    body: dict[str, Json] = {
        "player": number, "name": one.name, "group": one.group, "qualified": one.qualified, "consent": one.consent,
    }  # fmt: skip
    if waits:
        body["waits"] = True
    return Draft(PLAYER, body, f"{PLAYER}:{number}")
