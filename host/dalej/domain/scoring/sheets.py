"""What lies on the racks when a game is over, the sheet that is scored: as data, and as JSON, which `dalej score`
reads and a result in the ledger holds. JSON is taken from others as one object, every key once, no number that JSON
does not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Never, get_args

from dalej.errors import DalejError, Sayable, WrongInput
from dalej.words import N_

Ended = Literal["went_out", "bank_empty", "round_time", "last_seat"]

ENDINGS: Final[tuple[Ended, ...]] = get_args(Ended)
SEATS: Final = "ABCD"
NUMBER_MOST: Final = 13
OF_EACH_NUMBER: Final = 8  # four colours, everything twice
POINTS_MOST: Final = OF_EACH_NUMBER * sum(range(1, NUMBER_MOST + 1))  # all numbered tiles together: 728


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    """One seat at the end of a game. `seat` is a letter A..D.

    `points` is the sum of the numbered tiles, `jokers` how many jokers lie there; `points` None: not counted, which
    only a seat that never opened may leave so. `tiles`: the numbers 1..13 one by one (no jokers), if they were told;
    `points` is then their sum. `announced`: the tile that was missing came in the last round, and the opening was
    announced before the click. `withdrawn`: left in this game. `ruled_small` and `ruled_place` are the referee's, in
    place of what the count says. `small`: what the players wrote down themselves, for control.
    """

    seat: str
    name: str = ""
    points: int | None = None
    jokers: int = 0
    tiles: tuple[int, ...] | None = None
    opened: bool = True
    could_have_opened: bool = False
    announced: bool = False
    withdrawn: bool = False
    ruled_small: int | None = None
    ruled_place: int | None = None
    small: int | None = None

    @property
    def numbered(self) -> int | None:
        """Sum of the numbered tiles; None if nobody counted. Where points and tiles disagree and a referee lets it
        stand, the points do, as they were written.
        """
        if self.points is None and self.tiles is not None:
            return sum(self.tiles)
        return self.points

    @property
    def silent(self) -> bool:
        """Whether nothing is said of what lies on it, nor of what it scores."""
        said = (self.points, self.tiles, self.small, self.ruled_small, self.ruled_place)
        return self.opened and not self.jokers and all(one is None for one in said)

    @property
    def left_before(self) -> bool:
        """Whether that is all there is to say of the seat: its player had left before the game began."""
        return self.withdrawn and self.silent

    @property
    def empty(self) -> bool:
        """Whether the rack was counted and nothing lies on it."""
        return self.numbered == 0 and not self.jokers and not self.tiles

    def weight(self, joker_points: int) -> int:
        """What the rack counts, jokers included; 0 if nobody counted it."""
        return 0 if self.numbered is None else self.numbered + self.jokers * joker_points


@dataclass(frozen=True, slots=True)
class Sheet:
    """One game as it ended. `started`: seats of the table when the round began, which choose the scale of big points;
    0: as many as there are racks. `ruling`: why a referee lets stand what contradicts itself; "": nobody did.
    """

    ended: Ended
    racks: tuple[Rack, ...]
    started: int = 0
    ruling: str = ""

    @property
    def seats(self) -> int:
        """Seats of the table when the round began."""
        return self.started or len(self.racks)

    @property
    def staying(self) -> tuple[Rack, ...]:
        """The racks of those who did not leave the game."""
        return tuple(rack for rack in self.racks if not rack.withdrawn)


JOKER: Final = "joker"

_LISTS: Final = ("players", "racks")
_SHEET: Final = ("ended", *_LISTS, "started", "ruling")
_AROUND: Final = ("ruleset", "stage", "round", "table", "game")  # what surrounds a sheet, and is its owner's to read
_FLAGS: Final = {"opened": True, "could_have_opened": False, "announced": False, "withdrawn": False}
_COUNTS: Final = ("points", "jokers")
_RULED: Final = ("small", "ruled_small", "ruled_place")
_RACK: Final = ("seat", "name", "player", "tiles", *_COUNTS, *_FLAGS, *_RULED)
_SHOWN: Final = 40  # characters of a wrong value that a message repeats
_LARGEST: Final = 10**9  # further from zero than any count or ruling


def sheet_from(data: Mapping[str, Any], where: str) -> Sheet:
    """The sheet that `data` holds; if it is none, WrongInput that begins with `where` and names seat, key and value."""
    at = DalejError("{where}", where=where)
    _known(data, (*_SHEET, *_AROUND), at)
    ended = data.get("ended")
    if ended not in ENDINGS:
        raise _wrong(at, "ended", ended, N_("{at}: {key} is {found}, expected one of {known}"), known=_listed(ENDINGS))
    lists = [name for name in _LISTS if name in data]
    if len(lists) != 1:
        raise WrongInput(N_("{at}: expected one list of players"), at=at)
    return Sheet(
        ended,
        racks_from(data[lists[0]], where),
        started=_whole(data, "started", at) or 0,
        ruling=_text(data, "ruling", at),
    )


def racks_from(data: object, where: str) -> tuple[Rack, ...]:
    """The racks of a sheet; WrongInput as `sheet_from`."""
    if not isinstance(data, list | tuple):
        raise WrongInput(
            N_("{where}: the players are {found}, expected a list of racks"), where=where, found=_shown(data)
        )
    return tuple(_rack_from(one, where, number) for number, one in enumerate(data, start=1))


def sheet_to(sheet: Sheet) -> dict[str, Any]:
    """The sheet as JSON data, nothing in it that goes without saying."""
    data: dict[str, Any] = {"ended": sheet.ended, "players": [rack_to(rack) for rack in sheet.racks]}
    if sheet.started:
        data["started"] = sheet.started
    if sheet.ruling:
        data["ruling"] = sheet.ruling
    return data


def rack_to(rack: Rack) -> dict[str, Any]:
    """A rack as JSON data, nothing in it that goes without saying."""
    data: dict[str, Any] = {"seat": rack.seat}
    if rack.name:
        data["name"] = rack.name
    if rack.tiles is not None:
        data["tiles"] = [*rack.tiles, *[JOKER] * rack.jokers]
        if rack.points not in {None, sum(rack.tiles)}:
            data["points"] = rack.points
    else:
        if rack.points is not None:
            data["points"] = rack.points
        if rack.jokers:
            data["jokers"] = rack.jokers
    data |= {key: getattr(rack, key) for key, usual in _FLAGS.items() if getattr(rack, key) is not usual}
    return data | {key: getattr(rack, key) for key in _RULED if getattr(rack, key) is not None}


def _rack_from(data: object, where: str, number: int) -> Rack:
    at = DalejError(N_("{where}, player {number}"), where=where, number=number)
    if not isinstance(data, Mapping):
        raise WrongInput(N_("{at}: is {found}, expected an object in braces"), at=at, found=_shown(data))
    seat = data.get("seat")
    if not isinstance(seat, str) or not seat.strip() or len(seat) > _SHOWN:
        raise _wrong(at, "seat", seat, N_("{at}: {key} is {found}, expected one of {known}"), known=_listed(SEATS))
    at = DalejError(N_("{where}, seat {seat}"), where=where, seat=seat)
    _known(data, _RACK, at)
    tiles, jokers = _tiles(data, at)
    points = _whole(data, "points", at)
    others: dict[str, Any] = {key: _flag(data, key, usual, at) for key, usual in _FLAGS.items()}
    others |= {key: _whole(data, key, at, low=-_LARGEST) for key in _RULED}
    return Rack(
        seat=seat,
        name=_text(data, "name", at),
        points=sum(tiles) if points is None and tiles is not None else points,
        jokers=jokers,
        tiles=tiles,
        **others,
    )


def _tiles(data: Mapping[str, Any], at: DalejError) -> tuple[tuple[int, ...] | None, int]:
    """The numbered tiles, if they were told, and how many jokers."""
    counted = _whole(data, "jokers", at)
    listed = data.get("tiles")
    if listed is None:
        return None, counted or 0
    if not isinstance(listed, list | tuple):
        raise _wrong(at, "tiles", listed, N_('{at}: {key} is {found}, expected a list of numbers and "joker"'))
    for tile in listed:
        if tile != JOKER and not (_is_whole(tile) and abs(tile) <= _LARGEST):
            raise WrongInput(
                N_('{at}: tiles holds {found}, expected whole numbers and "joker"'), at=at, found=_shown(tile)
            )
    jokers = sum(tile == JOKER for tile in listed)
    if counted not in {None, jokers}:
        raise WrongInput(
            N_("{at}: jokers says {counted}, but there are {jokers} among the tiles: a difference of {difference}"),
            at=at, counted=counted, jokers=jokers, difference=abs((counted or 0) - jokers),
        )  # fmt: skip
    return tuple(tile for tile in listed if tile != JOKER), jokers


def _whole(data: Mapping[str, Any], key: str, at: DalejError, low: int = 0) -> int | None:
    found = data.get(key)
    if found is None:
        return None
    if _is_whole(found) and low <= found <= _LARGEST:
        return int(found)
    template = (
        N_("{at}: {key} is {found}, expected a whole number")
        if low
        else N_("{at}: {key} is {found}, expected a whole number, 0 or more")
    )
    raise _wrong(at, key, found, template)


def _is_whole(found: object) -> bool:
    return isinstance(found, int) and not isinstance(found, bool)


def _flag(data: Mapping[str, Any], key: str, usual: bool, at: DalejError) -> bool:
    found = data.get(key)
    if found is None:
        return usual
    if not isinstance(found, bool):
        raise _wrong(at, key, found, N_("{at}: {key} is {found}, expected true or false"))
    return found


def _text(data: Mapping[str, Any], key: str, at: DalejError) -> str:
    found = data.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise _wrong(at, key, found, N_("{at}: {key} is {found}, expected text"))
    return found


def _known(data: Mapping[str, Any], keys: Iterable[str], at: DalejError) -> None:
    allowed = tuple(keys)
    for key in data:
        if key not in allowed:
            raise WrongInput(
                N_("{at}: {key} is unknown, expected one of {known}"), at=at, key=_shown(key), known=_listed(allowed)
            )


def _wrong(at: DalejError, key: str, found: object, template: str, **data: Sayable) -> WrongInput:
    if found is None:
        return WrongInput(N_("{at}: {key} is missing"), at=at, key=key)
    return WrongInput(template, at=at, key=key, found=_shown(found), **data)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _shown(found: object) -> str:
    """A wrong value as JSON writes it, on one line and not too long."""
    if isinstance(found, bool | None):
        return {True: "true", False: "false", None: "null"}[found]
    if isinstance(found, Mapping):
        return "{…}"
    if isinstance(found, list | tuple):
        return "[…]"
    shown = " ".join((f'"{found}"' if isinstance(found, str) else str(found)).split())
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"


def json_object(text: str, where: str) -> dict[str, Any]:
    """The object that `text` holds; WrongInput, which begins with `where`, if it holds anything else."""
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        text.encode()
        json.dumps(found, ensure_ascii=False).encode()  # "\ud800" names half a character, which nobody can print
    except WrongInput as error:
        raise WrongInput(N_("{where}: {problem}"), where=where, problem=error) from error
    except json.JSONDecodeError as error:
        raise WrongInput(
            N_("{where}, line {line}, column {column}: expected JSON, but the reader says: {problem}"),
            where=where, line=error.lineno, column=error.colno, problem=error.msg,
        ) from error  # fmt: skip
    except RecursionError as error:
        raise WrongInput(N_("{where}: lists within lists go too deep to be read"), where=where) from error
    except UnicodeEncodeError as error:
        raise WrongInput(N_("{where}: a text holds half a character, expected Unicode"), where=where) from error
    except ValueError as error:  # thousands of digits
        raise WrongInput(N_("{where}: a number is too long to be read"), where=where) from error
    if not isinstance(found, dict):
        raise WrongInput(N_("{where}: expected one JSON object, in braces"), where=where)
    return found


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise WrongInput(N_('the key "{key}" is there twice, expected once'), key=key)
        found[key] = value
    return found


def _no_number(word: str) -> Never:
    raise WrongInput(N_("{word} is not a number that JSON knows"), word=word)
