"""Diplomas, one a page: for a place, in the whole event or in one's class, or for taking part."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from dalej.domain.tournament.tournament import Tournament
from dalej.errors import Refused
from dalej.office.nameorder import apart
from dalej.office.paper.formats import pdf
from dalej.office.paper.naming import dated_by_hand, ordinal
from dalej.office.paper.prizes import Placed, Placing, bare_name, by_group, everybody
from dalej.words import N_, _, alphabetical, readable

PLACES: Final = (1, 2, 3)
_HIGHEST_TILE: Final = 13
_LOGO: Final = "logo"
_CLASS: Final = re.compile(r"[0-9]{1,2} ?[^\W\d_]")  # of a school: 4b, 7 A; else a club or a town


def diplomas_pdf(
    state: Tournament, places: Collection[int] = PLACES, *, groups: bool = False, taking_part: bool = False,
    logo: bytes = b"",
) -> bytes:  # fmt: skip
    """For these places, best first; `groups`: of each class, club or town. `taking_part`: one for everybody else, too,
    by class and name. `logo`: a picture. Refused until everything has been played.
    """
    if not state.over:
        raise Refused(N_("the last round is not closed yet: expected that before diplomas"))
    whole = everybody(state)
    compared = by_group(state) if groups else [whole]
    if not compared:
        raise Refused(N_("no player has a class, club or town: expected some before diplomas by them"))
    won = [(of, one) for of in compared for one in of.players if one.place in places]
    made = [_diploma(state, one.line.player, _for_a_place(of, one), one.place, of) for of, one in won]
    if taking_part:
        placed = {one.line.player for _of, one in won}
        others = [one.line.player for one in whole.players if one.line.player not in placed]
        others.sort(key=lambda player: _by_class(state, player))
        made += [_diploma(state, player, _("for taking part")) for player in others]
    if not made:
        raise Refused(N_("nobody stands at these places, expected some from 1 to {last}"), last=whole.players[-1].place)
    return _pdf(state, made, logo)


def blank_diploma(state: Tournament, logo: bytes = b"") -> bytes:
    """One with lines to write on, for whatever it may be given."""
    return _pdf(state, [{"number": 0, "name": "", "group": "", "why": ""}], logo)


def _pdf(state: Tournament, made: list[dict[str, object]], logo: bytes) -> bytes:
    words = {
        "title": _("Diploma"), "awarded": _("awarded to"), "in_event": _("in the Rummikub tournament"),
        "referee": _("Head referee"), "organiser": _("Organiser"),
    }  # fmt: skip
    data = {**dated_by_hand(state), "words": words, "logo": _LOGO if logo else "", "diplomas": made}
    return pdf("diplomas", _("Diplomas"), data, {_LOGO: logo} if logo else None)


def _diploma(
    state: Tournament, player: int, why: str, place: int = 0, of: Placing | None = None
) -> dict[str, object]:  # fmt: skip
    """`number`: that of the tiles on it, 0: jokers."""
    said_already = of is not None and of.group is not None
    return {
        "number": place if place <= _HIGHEST_TILE else 0, "name": _called(state, player), "why": why,
        "group": "" if said_already else _group_said(state.players[player].group),
    }  # fmt: skip


def _called(state: Tournament, player: int) -> str:
    """First name before surname, where it is known which is which."""
    name = bare_name(state, player)
    first, surname, sure = apart(name, state.players[player].surname)
    return f"{first} {surname}" if sure else name


def _for_a_place(of: Placing, one: Placed) -> str:
    template = _("for {place} place, shared") if one.shared else _("for {place} place")
    said = template.format(place=ordinal(one.place))
    if of.group is None:
        return said
    template = _("in class {group}") if _is_class(of.group) else _("in the category {group}")
    return said + " " + template.format(group=readable(of.group))


def _group_said(group: str) -> str:
    said = readable(group)
    return _("class {group}").format(group=said) if _is_class(group) else said


def _is_class(group: str) -> bool:
    return _CLASS.fullmatch(group.strip()) is not None


def _by_class(state: Tournament, player: int) -> tuple[object, ...]:
    one = state.players[player]
    return alphabetical(one.group, state.ruleset.language), alphabetical(one.name, state.ruleset.language)
