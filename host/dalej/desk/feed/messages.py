"""What desk and screen say to each other over the loopback socket: one JSON object a line, `say` names the message.
What comes in is believed in nothing. A sentence travels as its template and fields, which may be sentences
themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from math import isfinite
from string import Formatter
from types import NoneType, UnionType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from dalej.domain.game.heard import Heard
from dalej.errors import Counted, DalejError, WrongInput
from dalej.words import N_

Fields = Mapping[str, Any]  # of texts, integers and parts

# Words of the project never need more, and a formatted width could fill the memory.
TEMPLATE_MOST: Final = 1_000
DEEPEST: Final = 20  # parts within parts


def plain(data: Mapping[str, object]) -> dict[str, Any]:
    """The fields as JSON takes them; the name of a file may hold what is no text."""
    return {name: _plain(value) for name, value in data.items()}


def parted(data: Fields) -> dict[str, Any]:
    """Back again; KeyError, TypeError and the like if they cannot have been made by `plain`."""
    return {name: _part(value) if isinstance(value, dict) else value for name, value in data.items()}


def fits(template: object, data: object, depth: int = 0) -> bool:
    """Whether the template's fields are names in the data and nothing more, and so it is with the parts in it."""
    if not isinstance(template, str) or not isinstance(data, dict) or len(template) > TEMPLATE_MOST or depth > DEEPEST:
        return False
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        return False
    named = all(
        field is None or (field.isidentifier() and field in data and not spec and not conversion)
        for _, field, spec, conversion in parts
    )
    return named and all(_fits(value, depth + 1) for value in data.values() if isinstance(value, dict))


def _fits(part: Mapping[str, Any], depth: int) -> bool:
    if part.keys() == {"template", "data"}:
        return fits(part["template"], part["data"], depth)
    counted = part.keys() == {"one", "many", "data"} and isinstance(part["data"], dict)
    return (
        counted
        and type(part["data"].get("count")) is int
        and all(fits(part[form], part["data"], depth) for form in ("one", "many"))
    )


def _plain(value: object) -> object:
    if isinstance(value, Counted):
        return {"one": value.one, "many": value.many, "data": plain(value.data)}
    if isinstance(value, DalejError):
        return {"template": value.template, "data": plain(value.data)}
    return value if isinstance(value, int) else str(value).encode(errors="replace").decode()


def _part(value: Fields) -> DalejError:
    known = parted(value["data"])
    if "many" not in value:
        return DalejError(value["template"], **known)
    one, many = value["one"], value["many"]
    return Counted(one, many, **known)


PROTOCOL = 2  # sentences carry parts with templates of their own


# --- what the desk says -----


@dataclass(frozen=True, slots=True)
class Welcome:
    """The first line to a screen that showed the right token. `simulated`: its boxes can be played from the screen."""

    protocol: int
    name: str
    simulated: bool


@dataclass(frozen=True, slots=True)
class Pulse:
    """The desk is alive: its clock, Unix time, how many of its ms pass in one of ours, and the ledger's head.

    Said every second, and at once when the ledger has grown.
    """

    now_ms: int
    wall_ms: int
    speed: float
    cursor: int


@dataclass(frozen=True, slots=True)
class TableHeard:
    """What is known of one box now."""

    heard: Heard


@dataclass(frozen=True, slots=True)
class NoticeTold:
    """Something a person should read: an English template with its fields (see `dalej.desk.notices.Notice`)."""

    kind: str
    box: str
    template: str
    data: Fields


@dataclass(frozen=True, slots=True)
class Inside:
    """What a simulated box knows and does not show. Numbers are those of `moveclock.facts`, NOBODY for none.

    `following`: who speaks for a late move, before a game who begins. `playing`: mask of the seats in play. `bank`: -1
    if not known. `reason`: why the clock stands or the game is over; `by_desk`: a desk stopped it. `about`: whose move
    a dispute or an early click is about, at the end the winner. `drawn`: a tile was taken in this move, `further`: more
    than one. `clicked`: the move before ended without its tile. `pending`: a dispute waits for the end of the move.
    `called`: a referee was called, in a running move: before it began. `claim_s`, `withdraw_s`: for how many seconds,
    begun ones counted, a claim still counts and a call can be taken back. `holds`: a contact that is held, for how long
    and how long it must be, in ms. `stray`: number of the last fact of a press that changed nothing, its contact, and
    the kind of that fact.
    """

    state: int
    seat: int
    following: int
    playing: int
    game: int
    bank: int
    reason: int
    by_desk: bool
    about: int
    drawn: bool
    further: bool
    clicked: bool
    pending: bool
    called: bool
    announced: bool
    final_lap: bool
    claim_s: int
    withdraw_s: int
    holds: tuple[int, int, int]
    stray: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Face:
    """A simulated box as it looks: what `moveclock.view.View` says, whether it has power and is in reach of the radio.

    `displays`: four strings A..D; `ring`: `(colour, pixels lit, seat)`; `lit`, `blinking`: masks of contacts;
    `down`: mask of contacts that are pressed; `sound`: number of the last sound, 0 for none; `mine`: the screen that
    is told plays this table; `taken`: some screen does; `inside`: None without power.
    """

    table: int
    powered: bool
    in_reach: bool
    displays: tuple[str, str, str, str]
    ring: tuple[int, int, int]
    lit: int
    blinking: int
    down: int
    sound: int
    taken: bool
    mine: bool
    inside: Inside | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A wish that was not granted, in words."""

    template: str
    data: Fields


# --- what a screen says -----


@dataclass(frozen=True, slots=True)
class Open:
    """The first line: the token from the file beside the event."""

    token: str
    protocol: int


@dataclass(frozen=True, slots=True)
class Look:
    """Tell me the face of the box at this table whenever it changes; table 0: no more."""

    table: int


@dataclass(frozen=True, slots=True)
class Take:
    """I play this table (its simulated players lift their hands), or I give it back to them."""

    table: int
    on: bool


@dataclass(frozen=True, slots=True)
class Finger:
    """A contact of a table that I play goes down or up."""

    table: int
    contact: int
    down: bool


@dataclass(frozen=True, slots=True)
class Tap:
    """A contact of a table that I play is tapped, or held for as long as that contact's longest hold takes."""

    table: int
    contact: int
    held: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """The box of this table is carried out of the radio's reach, or back."""

    table: int
    on: bool


@dataclass(frozen=True, slots=True)
class Power:
    """The box of this table loses its power, or gets it back."""

    table: int
    on: bool


@dataclass(frozen=True, slots=True)
class Speed:
    """Let the simulated hall run so many times as fast as life."""

    times: float


ToScreen = Welcome | Pulse | TableHeard | NoticeTold | Face | Refusal
FromScreen = Open | Look | Take | Finger | Tap | Reach | Power | Speed


LONGEST: Final = 64 * 1024  # bytes of a line with its end

_Read = Callable[[Any], Any]
_INTEGERS: Final = range(-(2**63), 2**63)


def line_of(message: ToScreen | FromScreen) -> bytes:
    """The line, with its end."""
    said = {"say": _NAMES[type(message)], **asdict(message)}
    return json.dumps(said, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def to_screen(line: bytes) -> ToScreen:
    """What the desk said."""
    message: ToScreen = _message(line, _TO_SCREEN)
    return message


def from_screen(line: bytes) -> FromScreen:
    """What a screen said."""
    message: FromScreen = _message(line, _FROM_SCREEN)
    return message


def _message(line: bytes, known: Mapping[str, _Read]) -> Any:
    if len(line) > LONGEST:
        raise WrongInput(N_("a line of {size} bytes, at most {most} are allowed"), size=len(line), most=LONGEST)
    try:
        said = json.loads(line.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise WrongInput(N_("a line that is no JSON in UTF-8")) from None
    if not isinstance(said, dict) or not isinstance(name := said.pop("say", None), str) or name not in known:
        raise WrongInput(N_("a line that says none of: {known}"), known=", ".join(known))
    try:
        return known[name](said)
    except _WrongField as wrong:
        raise WrongInput(N_("{say}: expected {expected}"), say=name, expected=wrong.expected) from None


class _WrongField(Exception):
    def __init__(self, expected: str) -> None:
        super().__init__(expected)
        self.expected = expected


def _no_number(name: str) -> float:
    raise ValueError(name)


# --- a reader for each declared type -----


def _reader(kind: Any, name: str) -> _Read:
    """Reads a value of the type, for the field of that name."""
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _reader_of(kind, name)
    if origin is UnionType:
        (sure,) = (each for each in inner if each is not NoneType)
        read = _reader(sure, name)
        return lambda value: None if value is None else read(value)
    if origin is tuple:
        reads = [_reader(each, name) for each in inner]
        return _expecting(
            name, f"a list of {len(reads)}", lambda value: isinstance(value, list) and len(value) == len(reads),
            lambda value: tuple(read(each) for read, each in zip(reads, value, strict=True)),
        )  # fmt: skip
    if origin is Literal:
        return _expecting(name, "|".join(inner), lambda value: isinstance(value, str) and value in inner)
    if origin is Mapping:
        return _expecting(name, "an object of texts, integers and parts", _is_data)
    if kind is int:
        return _expecting(name, "an integer", _is_integer)
    if kind is float:
        return _expecting(name, "a number", _is_number, float)
    if kind is bool:
        return _expecting(name, "true or false", lambda value: isinstance(value, bool))
    if kind is str:
        return _expecting(name, "a text", _is_text)
    raise TypeError(kind)


def _expecting(name: str, what: str, holds: Callable[[Any], bool], make: _Read = lambda value: value) -> _Read:
    def read(value: object) -> Any:
        if not holds(value):
            raise _WrongField(f"{name} = {what}")
        return make(value)

    return read


def _reader_of(kind: Any, name: str) -> _Read:
    """Reads an object with exactly the fields of the dataclass."""
    hints = get_type_hints(kind)
    reads = {field.name: _reader(hints[field.name], field.name) for field in fields(kind)}

    def make(said: dict[str, object]) -> Any:
        if said.keys() != reads.keys():
            raise _WrongField(f"{name} = {{{', '.join(reads)}}}")
        made = kind(**{field: read(said[field]) for field, read in reads.items()})
        if isinstance(made, NoticeTold | Refusal) and not fits(made.template, made.data):
            raise _WrongField(f"{name}: template = a text that data fits")
        return made

    return _expecting(name, "an object", lambda value: isinstance(value, dict), make)


def _is_integer(value: object) -> bool:
    return type(value) is int and value in _INTEGERS


def _is_number(value: object) -> bool:
    return _is_integer(value) or (isinstance(value, float) and isfinite(value))


def _is_text(value: object) -> bool:
    """Half of a surrogate pair, which JSON can spell, cannot be shown."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_data(value: object, depth: int = 0) -> bool:
    """Texts, integers, and parts with templates and fields of their own."""
    if not isinstance(value, dict) or depth > DEEPEST:
        return False
    parts = [each for each in value.values() if isinstance(each, dict)]
    return all(_is_text(each) or _is_integer(each) or isinstance(each, dict) for each in value.values()) and all(
        all(name == "data" or _is_text(each) for name, each in part.items()) and _is_data(part.get("data"), depth + 1)
        for part in parts
    )


def _named(*kinds: type) -> dict[str, _Read]:
    return {_NAMES[kind]: _reader_of(kind, _NAMES[kind]) for kind in kinds}


def _name_of(kind: type) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__).lstrip("_")


_NAMES: Final[Mapping[type, str]] = {kind: _name_of(kind) for kind in (*get_args(ToScreen), *get_args(FromScreen))}
_TO_SCREEN: Final = _named(*get_args(ToScreen))
_FROM_SCREEN: Final = _named(*get_args(FromScreen))
