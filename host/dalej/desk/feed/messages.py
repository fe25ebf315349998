"""What desk and screen say to each other over the loopback socket: one JSON object a line, `say` names the message.
What comes in is believed in nothing. A sentence travels as its template and fields, which may be sentences
themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from string import Formatter
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from dalej import typedjson
from dalej.domain.game.heard import Heard, Told
from dalej.errors import Counted, DalejError, WrongInput
from dalej.typedjson import Reader
from dalej.words import N_

PROTOCOL: Final = 3  # a face is an object of its own; the hands of a screen in a browser open with the same line
LONGEST: Final = 64 * 1024  # bytes of a line with its end

_INT64: Final = 1 << 63
Integer = Annotated[int, Meta(ge=-_INT64, le=_INT64 - 1)]

# --- sentences on their way -----

# Words of the project never need more, and a formatted width could fill the memory.
Template = Annotated[str, Meta(max_length=1_000)]
DEEPEST: Final = 20  # parts within parts
_SPEC: Final = re.compile(r"[+,]?0?[0-9]?[dx]?")  # of a number


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A sentence within a sentence: its `template`, or the two of what counts something."""

    data: Fields
    template: Template = ""
    one: Template = ""
    many: Template = ""


Fields = Mapping[str, str | Integer | Part]


def plain(data: Mapping[str, object]) -> dict[str, str | int | Part]:
    """The fields as they travel; the name of a file may hold what is no text."""
    return {name: _plain(value) for name, value in data.items()}


def parted(data: Fields) -> dict[str, Any]:
    """Back again; they fit their templates, see `expect_fit`."""
    return {name: _part(value) if isinstance(value, Part) else value for name, value in data.items()}


def expect_fit(template: str, data: Fields, deepest: int = DEEPEST) -> None:
    """WrongInput unless the template's fields are names in the data and nothing more, and so it is with its parts."""
    if not _fits(template, data):
        raise WrongInput(N_("{template}: expected a sentence that its data fits"), template=repr(template))
    for part in data.values():
        if isinstance(part, Part):
            if not deepest:
                raise WrongInput(N_("sentences within sentences, nested too deep"))
            counts = bool(part.one or part.many)
            if counts and (part.template or type(part.data.get("count")) is not int or not _fits(part.one, part.data)):
                raise WrongInput(N_("{template}: expected a sentence that its data fits"), template=repr(part.one))
            expect_fit(part.many or part.template, part.data, deepest - 1)


def _fits(template: str, data: Fields) -> bool:
    try:
        parts = Formatter().parse(template)
        named = [(name, spec, conversion) for _, name, spec, conversion in parts if name is not None]
    except ValueError:
        return False
    return all(
        name.isidentifier() and name in data and not conversion
        and (not spec or (type(data[name]) is int and _SPEC.fullmatch(spec)))
        for name, spec, conversion in named
    )  # fmt: skip


def _plain(value: object) -> str | int | Part:
    if isinstance(value, Counted):
        return Part(plain(value.data), one=written(value.one), many=written(value.many))
    if isinstance(value, DalejError):
        return Part(plain(value.data), written(value.template))
    return int(value) if isinstance(value, int) else written(str(value))


def _part(value: Part) -> DalejError:
    known = parted(value.data)
    return Counted(value.one, value.many, **known) if value.many else DalejError(value.template, **known)


def written(text: str) -> str:
    """The text with "?" for halves of characters, as a file's name may hold them."""
    return text.encode(errors="replace").decode()


def _spelt(name: str) -> str:
    """Of a message: `TableHeard` is said `table_heard`."""
    return re.sub("(?<!^)[A-Z]", r"_\g<0>", name).lower()


class Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="say", tag=_spelt):
    """One line, with exactly these fields."""


# --- what the desk says -----


class Welcome(Message, frozen=True):
    """The first line to a screen that showed the right token. `simulated`: its boxes can be played from the screen."""

    protocol: Integer
    name: str
    simulated: bool


class Pulse(Message, frozen=True):
    """The desk is alive: its clock, Unix time, how many of its ms pass in one of ours, and the ledger's head.

    Said every second, and at once when the ledger has grown.
    """

    now_ms: Integer
    wall_ms: Integer
    speed: float
    cursor: Integer


class TableHeard(Message, frozen=True):
    """What is known of one box now."""

    heard: Heard


class NoticeTold(Message, frozen=True):
    """Something a person should read: an English template with its fields (see `dalej.desk.notices.Notice`)."""

    kind: str
    box: str
    template: Template
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

    state: Integer
    seat: Integer
    following: Integer
    playing: Integer
    game: Integer
    bank: Integer
    reason: Integer
    by_desk: bool
    about: Integer
    drawn: bool
    further: bool
    clicked: bool
    pending: bool
    called: bool
    announced: bool
    final_lap: bool
    claim_s: Integer
    withdraw_s: Integer
    holds: tuple[Integer, Integer, Integer]
    stray: tuple[Integer, Integer, Integer]


@dataclass(frozen=True, slots=True)
class Face:
    """A simulated box as it looks: what `moveclock.view.View` says, whether it has power and is in reach of the radio.

    `displays`: four strings A..D; `ring`: `(colour, pixels lit, seat)`; `lit`, `blinking`: masks of contacts;
    `down`: mask of contacts that are pressed; `sound`: number of the last sound, 0 for none; `mine`: the screen that
    is told plays this table; `taken`: some screen does; `inside`: None without power.
    """

    table: Integer
    powered: bool
    in_reach: bool
    displays: tuple[str, str, str, str]
    ring: tuple[Integer, Integer, Integer]
    lit: Integer
    blinking: Integer
    down: Integer
    sound: Integer
    taken: bool
    mine: bool
    inside: Inside | None = None


class Refusal(Message, frozen=True):
    """A wish that was not granted, in words."""

    template: Template
    data: Fields


# --- what a screen says -----


class Open(Message, frozen=True):
    """The first line: the token from the file beside the event."""

    token: str
    protocol: Integer


class Look(Message, frozen=True):
    """Tell me the face of the box at this table whenever it changes; table 0: no more."""

    table: Integer


class Take(Message, frozen=True):
    """I play this table (its simulated players lift their hands), or I give it back to them."""

    table: Integer
    on: bool


class Finger(Message, frozen=True):
    """A contact of a table that I play goes down or up."""

    table: Integer
    contact: Integer
    down: bool


class Tap(Message, frozen=True):
    """A contact of a table that I play is tapped, or held for as long as that contact's longest hold takes."""

    table: Integer
    contact: Integer
    held: bool


class Reach(Message, frozen=True):
    """The box of this table is carried out of the radio's reach, or back."""

    table: Integer
    on: bool


class Power(Message, frozen=True):
    """The box of this table loses its power, or gets it back."""

    table: Integer
    on: bool


class Speed(Message, frozen=True):
    """Let the simulated hall run so many times as fast as life."""

    times: float


ToScreen = Welcome | Pulse | TableHeard | NoticeTold | Face | Refusal
FromScreen = Open | Look | Take | Finger | Tap | Reach | Power | Speed


class _Drawn(Message, frozen=True, tag="face"):
    face: Face


_TO_SCREEN: Final[Reader[Welcome | Pulse | TableHeard | NoticeTold | _Drawn | Refusal]] = Reader(
    Welcome | Pulse | TableHeard | NoticeTold | _Drawn | Refusal, LONGEST
)
_FROM_SCREEN: Final[Reader[FromScreen]] = Reader(FromScreen, LONGEST)
_NUMBERS: Final = attrgetter(*(field.name for field in fields(Told)))


def line_of(message: ToScreen | FromScreen) -> bytes:
    """The line, with its end."""
    return typedjson.line_of(_Drawn(message) if isinstance(message, Face) else message)


def to_screen(line: bytes) -> ToScreen:
    """What the desk said."""
    said = _TO_SCREEN.read(line)
    if isinstance(said, _Drawn):
        return said.face
    if isinstance(said, NoticeTold | Refusal):
        expect_fit(said.template, said.data)
    if isinstance(said, TableHeard):
        _expect_range(said.heard)
    return said


def from_screen(line: bytes) -> FromScreen:
    """What a screen said."""
    return _FROM_SCREEN.read(line)


def _expect_range(heard: Heard) -> None:
    """The numbers of a box, whose type knows nothing of lines, are no longer than those of all other messages."""
    numbers = (heard.table, heard.seen_ms, *(() if heard.told is None else _NUMBERS(heard.told)))
    if not all(number is None or -_INT64 <= number < _INT64 for number in numbers):
        raise WrongInput(N_("a number that is too large"))
