"""A message of `dalej.live.messages` as one line of JSON, and back. What comes in is believed in nothing.

Every field must be there, no other, each of the type that its message declares; integers fit in 64 bits. Whatever is
wrong with a line is WrongInput, one sentence; `say` holds the message's name as programs write it: table_heard.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, is_dataclass
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from dalej.errors import WrongInput
from dalej.live import messages
from dalej.live.messages import FromScreen, NoticeTold, Refusal, ToScreen
from dalej.live.parts import DEEPEST, fits
from dalej.words import N_

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


_NAMES: Final[Mapping[type, str]] = {
    kind: _name_of(kind) for kind in (*get_args(messages.ToScreen), *get_args(messages.FromScreen))
}
_TO_SCREEN: Final = _named(*get_args(messages.ToScreen))
_FROM_SCREEN: Final = _named(*get_args(messages.FromScreen))
