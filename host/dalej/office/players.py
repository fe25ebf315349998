"""Players as the desk speaks of them: found by number or name, and what a name may be."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from dalej.domain.tournament.tournament import Player, Tournament
from dalej.errors import WrongInput
from dalej.words import N_, readable

NAME_MOST: Final = 60  # characters: what a score sheet and a screen have room for
_DIGITS_MOST: Final = 9
_NAMED_MOST: Final = 6  # players a message names

_GROUP_MARKS: Final = re.compile(r"[\s.\-\u2010-\u2015'\"\u2018-\u201f]")
_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d)[\s.\-\u2010-\u2015]+(?=\d)")
_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")  # the forms of a primary school
_ROMAN_CLASS: Final = re.compile(rf"({'|'.join(reversed(_ROMAN))})([a-h]?)")

_JOINERS: Final = "\u200c\u200d"  # some scripts are spelled with them

# Letters of their own right, which Unicode does not take apart into a letter and an accent.
_APART: Final = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ħ": "h", "\u0131": "i", "æ": "ae", "œ": "oe", "þ": "th"})


def folded(text: str) -> str:
    """The text without case, accents and extra spaces: "  ŁOŚ  Mały" and "los maly" are one."""
    apart = text
    for _again in range(2):  # letters of formulas and small capitals have a case only once they are taken apart
        apart = unicodedata.normalize("NFKD", apart.casefold())
    apart = apart.translate(_APART)
    return " ".join("".join(sign for sign in apart if not (unicodedata.combining(sign) or _invisible(sign))).split())


def find(state: Tournament, text: str) -> Player:
    """The player of that number or name, its words in any order; a unique beginning of the name, or else of words in
    it, is enough.

    WrongInput if it is nobody, or says who it could be.
    """
    wanted = folded(text)
    number = wanted.removeprefix("#")
    if number.isdecimal():
        if len(number) <= _DIGITS_MOST and (player := state.players.get(int(number))) is not None:
            return player
        raise WrongInput(
            N_("there is no player {number}, expected a number from 1 to {last} or a name"),
            number=number[:_DIGITS_MOST], last=max(state.players, default=0),
        )  # fmt: skip
    for candidates in _closest(state.players.values(), wanted):
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise WrongInput(
                N_("“{text}” could be {players}: expected a longer beginning or the number"),
                text=text, players=listed(candidates),
            )  # fmt: skip
    raise WrongInput(N_("there is no player “{text}”, expected a number, a name or its beginning"), text=text)


def _closest(players: Iterable[Player], wanted: str) -> Iterable[list[Player]]:
    """Who is meant, the surest reading first."""
    names = [(folded(player.name), player) for player in players] if wanted else []
    words = wanted.split()
    yield [player for name, player in names if name == wanted]
    yield [player for name, player in names if sorted(name.split()) == sorted(words)]
    yield [player for name, player in names if name.startswith(wanted)]
    yield [player for name, player in names if f" {wanted}" in name]
    yield [player for name, player in names if all(f" {word}" in f" {name}" for word in words)]


def goes_by(text: str, wanted: str) -> bool:
    """Whether every word of what is looked for (`folded`) is somewhere in the text, in whatever order."""
    there = folded(text)
    return all(word in there for word in wanted.split())


def listed(players: Iterable[Player], *, whole: bool = False) -> str:
    """Numbers and names as a sentence has them, the first few or the `whole` list."""
    shown = [f"{player.number} {readable(player.name)}" for player in players]
    if whole:
        return ", ".join(shown)
    return ", ".join(shown[:_NAMED_MOST] + ["…"] * (len(shown) > _NAMED_MOST))


def namesake(state: Tournament, name: str) -> Player | None:
    """Who already bears that name, case and accents apart; also somebody who has left."""
    wanted = folded(name)
    return next((player for player in state.players.values() if folded(player.name) == wanted), None)


def proper_name(text: str) -> str:
    """The name as it is kept, in composed letters with single spaces; WrongInput if it is not 1 to 60 readable
    characters or has no letter, so that it could be mistaken for a number.
    """
    name = _composed(text)
    if not name:
        raise WrongInput(N_("the name is empty, expected 1 to {most} characters"), most=NAME_MOST)
    if len(name) > NAME_MOST:
        raise WrongInput(
            N_("the name “{name}” has {count} characters, expected 1 to {most}"),
            name=f"{name[:20]}…", count=len(name), most=NAME_MOST,
        )  # fmt: skip
    if not any(sign.isalpha() for sign in name):
        raise WrongInput(N_("the name “{name}” has no letter, expected a name"), name=name)
    return name


def proper_group(text: str) -> str:
    """A class, club or town as it is kept, "" for none; WrongInput if it is not readable or too long."""
    group = _composed(text)
    if len(group) > NAME_MOST:
        raise WrongInput(
            N_("the group “{group}” has {count} characters, expected no more than {most}"),
            group=f"{group[:20]}…", count=len(group), most=NAME_MOST,
        )  # fmt: skip
    return group


def group_key(group: str) -> str:
    """What two spellings of one class, club or town share: 5b, 5 B, 5.b and Vb are one, 1 1 and 11 are two."""
    plain = _BETWEEN_DIGITS.sub("/", folded(group))
    key = _GROUP_MARKS.sub("", plain) or plain
    roman = _ROMAN_CLASS.fullmatch(key)
    return key if roman is None else f"{_ROMAN.index(roman[1]) + 1}{roman[2]}"


def _composed(text: str) -> str:
    """Composed letters and single spaces; WrongInput if anything in it has no picture."""
    composed = unicodedata.normalize("NFC", text).strip(" \N{NO-BREAK SPACE}")
    unreadable = next((place for place, sign in enumerate(composed, start=1) if not _shown(sign)), None)
    if unreadable is not None:
        raise WrongInput(
            N_("“{text}”: character {place} cannot be read, expected letters"),
            text=composed[:NAME_MOST], place=unreadable,
        )  # fmt: skip
    return " ".join(composed.split())


def _shown(sign: str) -> bool:
    """Whether it has a picture, or joins two: controls, lone halves, private and unknown signs do not."""
    if sign == "�" or readable(sign) != sign:
        return False
    return sign in _JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def _invisible(sign: str) -> bool:
    return unicodedata.category(sign) == "Cf"
