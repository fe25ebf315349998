"""A rack as it is typed at the keyboard: `A=0 B=23 C=45+j D=-`, read into what will be scored.

0, out        the rack is empty
23            its numbered tiles add up to 23
23+j, 23+2j   and one joker, two jokers; j, 2j: jokers alone
12,7,j        its tiles one by one; 12, is a single one
-             never opened
!             never opened, but could have
!a            could have, and had announced it
-:45+j, !:45  the same with the rack that was left, where it counts
…w            left during the game, with that rack
w             left before it: plays neither this game nor those that follow
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import word, word_said
from dalej.domain.scoring.sheets import ENDINGS, NUMBER_MOST, POINTS_MOST, Ended, Rack
from dalej.domain.tournament.tournament import NOT_PLAYED
from dalej.errors import DalejError, WrongInput
from dalej.hints import once_more
from dalej.office.players import folded
from dalej.words import N_

# could have opened, announced; x is for shells, where ! may mean an earlier command
NEVER_OPENED: Final = {
    "-": (False, False), "!": (True, False), "!a": (True, True), "x": (True, False), "xa": (True, True),
}  # fmt: skip
OUT: Final = ("out", "0")
# Fourteen dealt tiles are worth 176 at most; more than this lies on one rack when somebody has mistyped.
RACK_SURPRISING: Final = 250

_NUMBER_LONGEST: Final = 9  # digits
_OPENING: Final = re.compile(r"(-|!a|!|xa|x)(?::(.*))?", re.DOTALL)
_JOKER: Final = "j(?:oker[ay]?|okers|olly)?"
_COUNT: Final = re.compile(rf"(?P<points>\d{{1,4}})(?:\+(?P<more>\d?){_JOKER})?|(?P<alone>\d?){_JOKER}", re.ASCII)
# How people write that a game ended, without case and accents, in Polish, English and Italian.
_WAYS: Final[Mapping[str, Sequence[str]]] = {
    "went_out": (
        "went out", "wylozone wszystkie kostki", "wylozone kostki", "wylozyl sie", "wylozyla sie", "ha chiuso",
    ),
    "bank_empty": (
        "bank empty", "empty bank", "the bank is empty", "bank", "bank pusty", "pusty bank", "skonczyl sie bank",
        "pozzo", "pozzo vuoto", "vuoto",
    ),
    "round_time": (
        "round time", "time", "time is over", "time is up", "the time is over", "czas", "czas minal",
        "czas sie skonczyl", "minal czas", "po czasie", "skonczyl sie czas", "koniec czasu rundy", "koniec czasu",
        "tempo", "tempo del turno", "tempo scaduto", "fine del tempo", "fine",
    ),
    "last_seat": (
        "last seat", "one seat left", "zostal jeden gracz", "jeden gracz", "ostatni gracz", "un solo posto rimasto",
        "solo uno",
    ),
    NOT_PLAYED: ("not played", "nierozegrana", "nie rozegrana", "nie rozegrano", "non giocata"),
}  # fmt: skip
_WORDS_MOST: Final = 4  # of a way in which a game ends
_MINUSES: Final = str.maketrans(dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}", "-"))


def ending(text: str) -> str | None:
    """How a game ended, as people write it in Polish, English or Italian: one of `ENDINGS`, or that it was not played;
    None if these words say nothing. The first words are enough where they mean one thing.
    """
    told = folded(text).strip("„”“\"'.").replace("-", " ").replace("_", " ")
    meant = {end for end, ways in _WAYS.items() for way in ways if way == told or way.startswith(f"{told} ")}
    return meant.pop() if len(meant) == 1 else None


def expect_ending(text: str) -> str:
    """The same; WrongInput, with what there is to say, if it is none."""
    if (told := ending(text)) is None:
        raise WrongInput(N_("“{found}” does not say how the game ended, expected one of: {known}; the first word is "
                            "enough"), found=text, known=endings_known())  # fmt: skip
    return told


def endings_known() -> str:
    """How a game may end, in the reader's words, all of which are understood."""
    return ", ".join(map(word, (*ENDINGS, NOT_PLAYED)))


def without_ending(words: Sequence[str]) -> tuple[Sequence[str], str | None]:
    """The words but for the last ones that say how the game ended, and what they say."""
    for count in range(min(_WORDS_MOST, len(words)), 0, -1):
        if (told := ending(" ".join(words[-count:]))) is not None:
            return words[:-count], told
    return words, None


def spelled(ended: str) -> str:
    """How a game ended as it is typed: the reader's own words in one, which `ending` reads."""
    return word(ended).replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Entry:
    """What the paper says of one game. `ended` None: it does not say; `ruling`: why a referee lets it stand;
    `why`: the game was not played.
    """

    ended: str | None
    racks: tuple[Rack, ...]
    ruling: str = ""
    why: str = ""


def seats_in(words: Sequence[str]) -> dict[str, str]:
    """Words such as `A=23` by seat; WrongInput names the word that is none, or the seat that is there twice."""
    found: dict[str, str] = {}
    for one in words:
        seat, sign, value = one.partition("=")
        letter = seat.strip().upper()
        if not sign or letter not in SEATS:
            raise WrongInput(N_("“{found}” is no seat's value, expected such as A=0 or B=23"), found=one).hinted(
                N_("{command} tells them all"), command=once_more("--help")
            )
        if letter in found:
            raise WrongInput(N_("seat {seat} is told twice: “{first}” and “{second}”"),
                             seat=letter, first=found[letter], second=value)  # fmt: skip
        found[letter] = value
    return found


@dataclass(frozen=True, slots=True)
class Places:
    """What a line that is typed is held against: who sits there, by the seats that want a rack, in their order; how
    many games are played, and how many sit at a full table. `gone`: who left in an earlier game, by seat.
    """

    names: Mapping[str, str]
    games: int
    full: int = len(SEATS)
    gone: Mapping[str, str] = field(default_factory=dict)


def game_and_racks(words: Sequence[str], places: Places) -> tuple[int | None, dict[str, str]]:
    """The number of a game, where one stands first, and the racks by seat. Two words and more without a seat are the
    racks of the seats that are not named, in their order, and the game before them. WrongInput, with who sits there, if
    the number of racks is another, or the first may be a rack as well as a game: as many sit at a fuller table.
    """
    _expect_racks(words)
    game, racks = game_of(words, [*places.names])
    bare = not any("=" in one for one in words)
    if bare and game is not None and (not 1 <= game <= places.games or len(places.names) < len(words) <= places.full):
        raise _unfit(words, places)
    return game, racks_in(racks, places)


def game_of(words: Sequence[str], seats: Sequence[str]) -> tuple[int | None, Sequence[str]]:
    """The number of a game, where one stands before its racks, and all other words."""
    told = without_ending(words)[0]
    plain = [place for place, one in enumerate(told) if "=" not in one]
    if not plain:
        return None, words
    first, named = plain[0], {word.partition("=")[0].strip().upper() for word in words if "=" in word}
    alone = len(plain) == 1 and first == 0
    if (alone or len(plain) == len(seats) - len(named) + 1) and words[first].isascii() and words[first].isdigit():
        return int(words[first][:_NUMBER_LONGEST]), [*words[:first], *words[first + 1 :]]
    return None, words


def racks_in(words: Sequence[str], places: Places) -> dict[str, str]:
    """The racks by seat. Two words and more without a seat are those of the seats that are not named, in their order;
    WrongInput, with who sits there, if their number is another, or names the word that is no rack.
    """
    plain = [one for one in words if "=" not in one]
    if len(plain) <= 1:
        return seats_in(words)
    named = seats_in([one for one in words if "=" in one])
    free = [seat for seat in places.names if seat not in named]
    if len(plain) != len(free):
        _expect_racks(words)
        seats_in([one for one in plain if not _is_rack(one)])
        raise _unfit(words, places)
    return dict(zip(free, plain, strict=True)) | named


def _unfit(words: Sequence[str], places: Places) -> WrongInput:
    """That as many numbers as were typed do not fit those who sit there, and how the game is named."""
    template = N_("“{found}” does not fit the table, where {who} sit: expected a rack for each of them, in this order, "
                  "with the game's number (1 to {games}) before them or without it")  # fmt: skip
    if places.gone:
        template = N_("“{found}” does not fit the table, where {who} still play ({gone} left before): expected a rack "
                      "for each who plays, in this order; a game (1 to {games}) is named with the seats, such as "
                      "{such}, and who had left and plays again has a seat named too, such as {again}")  # fmt: skip
    elif len(places.names) < places.full:
        template = N_("“{found}” does not fit the table, where {who} sit: expected a rack for each of them, in this "
                      "order; a game (1 to {games}) is named with the seats, such as {such}")  # fmt: skip
    whole = len(words) == len(places.names) + 1 and all(map(_is_rack, words))
    is_game = words[0].isdecimal() and 1 <= int(words[0][:_NUMBER_LONGEST]) <= places.games
    game, *racks = words if whole and is_game else ("1", *_SUCH)
    everybody = sorted({*places.names, *places.gone})
    return WrongInput(
        template, found=" ".join(words), who=_sitting(places.names), gone=_sitting(places.gone), games=places.games,
        such=" ".join([game, *_seated(places.names, racks)]),
        again=" ".join(_seated(everybody, words if len(words) == len(everybody) else _SUCH)),
    )  # fmt: skip


_SUCH: Final = ("0", "23", "45+j", "-")


def _seated(seats: Iterable[str], racks: Iterable[str]) -> list[str]:
    return [f"{seat}={one}" for seat, one in zip(seats, racks, strict=False)]


def _sitting(names: Mapping[str, str]) -> str:
    return ", ".join(f"{seat} {name}" for seat, name in names.items())


def _expect_racks(words: Sequence[str]) -> None:
    """A last word that is no rack was to say how the game ended."""
    if len(words) > 1 and words[-1].replace("-", "").isalpha() and not _is_rack(words[-1]):
        expect_ending(words[-1])


def _is_rack(text: str) -> bool:
    try:
        rack(SEATS[0], text)
    except WrongInput:
        return False
    return True


def rack(seat: str, text: str) -> Rack:
    """The rack that `text` tells of; WrongInput, with the seat and what was expected, if it is none."""
    told = "".join(text.lower().translate(_MINUSES).split())
    withdrawn = told.endswith("w")
    told = told.removesuffix("w")
    opening = _OPENING.fullmatch(told)
    opened = opening is None
    could, announced = (False, False) if opening is None else NEVER_OPENED[opening[1]]
    left = told if opening is None else opening[2]
    if re.fullmatch(r"-\d.*", told):
        raise WrongInput(
            N_("seat {seat}: “{found}” is less than nothing, expected what lies on the rack ({rack}), or -:{rack} if "
               "it never opened"),
            seat=seat, found=text, rack=told[1:],
        )  # fmt: skip
    alone = withdrawn and not told
    read = _Tiles(None, 0, None) if left is None or alone else _tiles(seat, text, left)
    return Rack(
        seat=seat, points=read.points, jokers=read.jokers, tiles=read.numbers, opened=opened, could_have_opened=could,
        announced=announced, withdrawn=withdrawn,
    )  # fmt: skip


def written(one: Rack) -> str:
    """The rack as it would be typed."""
    opening = "" if one.opened else next(
        sign for sign, says in NEVER_OPENED.items() if says == (one.could_have_opened, one.announced)
        or (sign == "-" and not one.could_have_opened)
    )  # fmt: skip
    left = ""
    if one.tiles is not None:
        left = ",".join([*map(str, one.tiles), *["j"] * one.jokers])
        left += "," * (len(one.tiles) == 1 and not one.jokers)
    elif one.points is not None:
        jokers = {0: "", 1: "j"}.get(one.jokers, f"{one.jokers}j")
        left = f"{one.points}+{jokers}" if jokers else str(one.points)
    return opening + (":" if opening and left else "") + left + ("w" if one.withdrawn else "")


def ended_by(racks: Sequence[Rack]) -> Ended | None:
    """How a game with these racks ended, if they tell: an empty one, or one that is left alone."""
    playing = [one for one in racks if not one.left_before]
    staying = [one for one in playing if not one.withdrawn]
    if len(staying) == 1 and len(playing) > 1:
        return "last_seat"
    return "went_out" if any(one.empty for one in staying) else None


def surprising(racks: Sequence[Rack]) -> list[DalejError]:
    """What may be, and is more likely mistyped: to be asked or said before it is entered from the keyboard."""
    return [
        DalejError(N_("seat {seat}: {points} points on one rack, which hardly ever happens"),
                   seat=one.seat, points=points)
        for one in racks
        if (points := one.numbered or 0) > RACK_SURPRISING
    ]  # fmt: skip


def with_box(entry: Entry, box: BoxGame | None, seats: Sequence[str]) -> tuple[Entry, list[DalejError]]:
    """The entry with what the box knows and the paper leaves open; and, to be said, what was filled in and where the
    two contradict each other. `seats`: of the table, in order. WrongInput if nobody says how the game ended.
    """
    if entry.ended == NOT_PLAYED:
        return entry, [] if box is None else _played_after_all(box)
    racks = {one.seat: one for one in entry.racks}
    remarks: list[DalejError] = []
    if box is not None:
        _fill(racks, box, seats, remarks)
    ordered = tuple(racks[seat] for seat in (*seats, *(seat for seat in racks if seat not in seats)) if seat in racks)
    ended = entry.ended or ended_by(ordered)
    by_box = box.ended if box is not None and box.ended in ENDINGS else None
    if ended is None and by_box is not None:
        ended = by_box
    if ended is None:
        ends = ", ".join(word(one) for one in ENDINGS[1:])
        gone = next((one for one in ordered if one.withdrawn and one.empty), None)
        if gone is not None:
            raise WrongInput(
                N_("seat {seat}: left the game with an empty rack: w alone if it did not play this game, else what "
                   "lay on it, and how the game ended: {ends}"),
                seat=gone.seat, ends=ends,
            )  # fmt: skip
        raise WrongInput(N_("no rack is empty, so it must be said how the game ended: {ends}"), ends=ends)
    filled = replace(entry, ended=ended, racks=ordered)
    if box is not None:
        remarks += _contradicts(filled, box)
    return filled, remarks


def _fill(racks: dict[str, Rack], box: BoxGame, seats: Sequence[str], remarks: list[DalejError]) -> None:
    winner = box.winner
    if box.ended == "went_out" and winner is not None and winner in seats and winner not in racks:
        racks[winner] = Rack(seat=winner, points=0)
        remarks.append(DalejError(N_("seat {seat}: went out, says the box"), seat=winner))
    for seat, one in racks.items():
        if seat in box.withdrawn and not (one.withdrawn or one.silent):
            racks[seat] = replace(one, withdrawn=True)
            remarks.append(DalejError(N_("seat {seat}: withdrew, says the box"), seat=seat))
        if one.could_have_opened and not one.announced and seat in box.in_time:
            racks[seat] = replace(racks[seat], announced=True)
            remarks.append(
                DalejError(N_("seat {seat}: announced the opening in its last move, says the box"), seat=seat)
            )


def _contradicts(entry: Entry, box: BoxGame) -> list[DalejError]:
    """Where paper and box say two things; neither of them is wrong for sure."""
    found: list[DalejError] = []
    if box.ended is None:
        found.append(DalejError(N_("the box says that this game still goes on")))
    elif box.ended in ENDINGS and box.ended != entry.ended:
        told = N_("the box says how it ended: {box}; the sheet says: {sheet}")
        found.append(DalejError(told, box=word_said(box.ended), sheet=word_said(str(entry.ended))))
    for one in entry.racks:
        if box.ended == "went_out" and box.winner == one.seat and not one.empty:
            found.append(
                DalejError(N_("seat {seat}: went out, says the box, but the rack is not empty"), seat=one.seat)
            )
        if box.ended == "went_out" and box.winner not in (None, one.seat) and one.empty and not one.withdrawn:
            found.append(DalejError(N_("seat {seat}: the rack is empty, but the box says that {winner} went out"),
                                    seat=one.seat, winner=box.winner))  # fmt: skip
        if one.left_before and one.seat in box.seats:
            told = N_("seat {seat}: left before this game, but the box dealt to it; if it played, type its rack and w "
                      "behind it, such as 30w")  # fmt: skip
            found.append(DalejError(told, seat=one.seat))
        elif one.withdrawn and not one.left_before and one.seat not in box.withdrawn:
            found.append(DalejError(N_("seat {seat}: withdrew, but the box knows nothing of it"), seat=one.seat))
        if one.announced and one.seat not in box.in_time:
            told = N_("seat {seat}: announced, but the box heard nothing")
            if one.seat in box.announced:
                told = N_("seat {seat}: announced, but the box heard it before its last move")
            found.append(DalejError(told, seat=one.seat))
        if one.seat not in box.seats and box.seats and not one.left_before:
            found.append(DalejError(N_("seat {seat}: the box dealt to {seats} alone"), seat=one.seat, seats=box.seats))
    return found


def _played_after_all(box: BoxGame) -> list[DalejError]:
    said = word_said(box.ended) if box.ended is not None else DalejError(N_("under way"))
    return [DalejError(N_("the box says that this game was played: {how}"), how=said)]


@dataclass(frozen=True, slots=True)
class _Tiles:
    points: int | None
    jokers: int
    numbers: tuple[int, ...] | None


def _tiles(seat: str, text: str, left: str) -> _Tiles:
    if left == "out":
        return _Tiles(0, 0, None)
    if "," in left:
        return _one_by_one(seat, left)
    count = _COUNT.fullmatch(left)
    if count is None or not left:
        raise WrongInput(
            N_("seat {seat}: “{found}” cannot be read, expected such as 0, 23, 23+j or 12,7,j for what lies on the "
               "rack, or -, !, !a if it never opened"),
            seat=seat, found=text,
        )  # fmt: skip
    points = int(count["points"] or 0)
    told = count["alone"] if count["points"] is None else count["more"]
    jokers = 0 if told is None else int(told or 1)
    if points > POINTS_MOST:
        raise WrongInput(N_("seat {seat}: {points} points, but all tiles of the set hold {most}"),
                         seat=seat, points=points, most=POINTS_MOST)  # fmt: skip
    return _Tiles(points, jokers, None)


def _one_by_one(seat: str, left: str) -> _Tiles:
    numbers: list[int] = []
    jokers = 0
    for one in left.split(","):
        if re.fullmatch(_JOKER, one):
            jokers += 1
        elif one.isascii() and one.isdigit() and 1 <= int(one) <= NUMBER_MOST:
            numbers.append(int(one))
        elif one:
            raise WrongInput(N_("seat {seat}: there is no tile “{tile}”, expected 1 to {most}, or j"),
                             seat=seat, tile=one, most=NUMBER_MOST)  # fmt: skip
    return _Tiles(sum(numbers), jokers, tuple(numbers))


def controls(words: Sequence[str]) -> Mapping[str, int]:
    """Small points as the players wrote them down, `A=68`, by seat; WrongInput if one is no whole number."""
    found: dict[str, int] = {}
    for seat, text in seats_in([one for told in words for one in re.split(r"[\s;]+", told) if one]).items():
        number = text.strip().translate(_MINUSES)
        if not re.fullmatch(r"[+-]?\d{1,5}", number, re.ASCII):
            raise WrongInput(N_("seat {seat}: “{found}” is no whole number"), seat=seat, found=text)
        found[seat] = int(number)
    return found
