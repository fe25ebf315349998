"""What a list of sign-ups comes to, as commands and screens tell it before it is done and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dalej.domain.rules.rulesets import PLAYERS_MOST
from dalej.office.nameorder import SURNAME_FIRST
from dalej.office.players import group_key
from dalej.office.publicnames import short
from dalej.office.signups import SignUps
from dalej.words import _, ngettext, readable


def remarks(found: SignUps, new: Sequence[Mapping[str, object]], most: int = PLAYERS_MOST) -> list[str]:
    """Who was renamed, whose class was, whose parent's consent is on file and whose is not, how many are passed over.
    `new`: the bodies of the decisions that sign the others up; of each kind `most` are named.
    """
    names = [str(one["name"]) for one in new]
    lines = [
        *_order(found, names),
        *_otherwise(found, names, most),
        *_hinted(found, names, most),
        *_groups(found, [str(one["group"]) for one in new], most),
    ]
    lines += _consents(new, most)
    if known := len(found.players) - len(new):
        lines.append(
            ngettext("{count} was signed up already", "{count} were signed up already", known).format(count=known)
        )
    return lines


def listed(names: Sequence[str], most: int = PLAYERS_MOST) -> str:
    """The first of them."""
    return ", ".join(map(readable, names[:most])) + (" …" if len(names) > most else "")


def _order(found: SignUps, names: Sequence[str]) -> list[str]:
    """Which word is taken for the surname, where no heading says it: in public it is the one that is shortened."""
    name = next((name for name in names if " " in name), "")
    if not name or not (found.doubtful or (found.guessed and found.order == SURNAME_FIRST)):
        return []
    told = _("read with the surname first: in public “{name}” is {short}")
    if found.doubtful:
        told = _("nothing says which word of a name is the surname: in public “{name}” is {short}")
    written = next((one for one in found.players if one.name == name), None)
    return [told.format(name=readable(name), short=readable(short(name, "" if written is None else written.surname)))]


def _otherwise(found: SignUps, names: Sequence[str], most: int) -> list[str]:
    """Who stands there the other way round than the others, as the first names say that are known."""
    there = [name for name in found.otherwise if name in names]
    told = _("the heading counts, though these look the other way round: {players}")
    if found.guessed:
        told = _("read the other way round than the others: {players}")
    return [told.format(players=listed(there, most))] if there else []


def _hinted(found: SignUps, names: Sequence[str], most: int) -> list[str]:
    written = {one.name for one in found.players}
    hinted = [name for name in names if name not in written]
    told = _("namesakes, with class, club or town behind the name: {players}")
    return [told.format(players=listed(hinted, most))] if hinted else []


def _groups(found: SignUps, kept: Sequence[str], most: int) -> list[str]:
    first = {group_key(group): group for group in reversed(kept)}
    spelled = dict.fromkeys(one.group for one in found.players)
    otherwise = [group for group in spelled if first.get(group_key(group), group) != group]
    told = _("one class, club or town, kept as first written: {groups}")
    pairs = [f"{group} → {first[group_key(group)]}" for group in otherwise]
    return [told.format(groups=listed(pairs, most))] if pairs else []


def _consents(new: Sequence[Mapping[str, object]], most: int) -> list[str]:
    """Nothing where the list says nothing of consents."""
    if all(one["consent"] is None for one in new):
        return []
    count = sum(one["consent"] is True for one in new)
    lines = [
        _("a parent's consent is on file: {count} of {all}").format(count=count, all=len(new)),
    ]
    if lacking := [str(one["name"]) for one in new if one["consent"] is not True]:
        lines.append(_("without a parent's consent on file: {players}").format(players=listed(lacking, most)))
    return lines
