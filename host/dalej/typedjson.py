"""JSON that comes from outside, from another program or out of a file: read as the type that it should be, or refused
in words that name the place and what was expected there. Written by the same types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import msgspec

from dalej.errors import DalejError, WrongInput
from dalej.words import N_

T_co = TypeVar("T_co", covariant=True)

_KINDS: Final = {
    "int": N_("a whole number"), "float": N_("a number"), "str": N_("a text"), "bool": N_("true or false"),
    "array": N_("a list"), "object": N_("an object in braces"), "null": N_("null"),
}  # fmt: skip
# What msgspec says of a wrong value. `tests/test_typedjson.py` provokes each of them.
_AT: Final = re.compile(r" - at `\$\.?(?P<where>[^`]*)`\Z")
_FIELD: Final = re.compile(r"Object (?P<how>missing required|contains unknown) field `(?P<field>.*)`", re.DOTALL)
_INVALID: Final = re.compile(r"Invalid (?:enum )?value (?P<value>.*)", re.DOTALL)
_EXPECTED: Final = re.compile(r"Expected `(?P<kinds>[^`]+)`(?P<more>.*?)(?:, got (?P<found>.+))?", re.DOTALL)
_LENGTH: Final = re.compile(r" of (?P<bound>at least |at most )?length (?P<length>.+)")
_LIKE: Final = re.compile(r" matching regex '(?P<pattern>.*)'", re.DOTALL)
_BYTE: Final = re.compile(r"\((?:byte|char) (?P<byte>\d+)\)")
_BOUNDS: Final = {"at least ": ">= ", "at most ": "<= ", None: ""}
_SHOWN: Final = 80  # characters of what somebody else wrote that a message repeats


class Reader(Generic[T_co]):
    """`kind`: a Struct, a dataclass, a union of tagged Structs; `longest`: bytes, None: whoever reads sees to it.
    `halves`: texts may have halves of characters in them, as names of files and what is typed can.
    """

    def __init__(self, kind: Any, longest: int | None = None, *, halves: bool = False) -> None:
        decoder: msgspec.json.Decoder[T_co] = msgspec.json.Decoder(kind)
        self._decode: Callable[[bytes | str], T_co] = (
            (lambda text: msgspec.convert(json.loads(text), kind)) if halves else decoder.decode
        )
        self._longest = longest

    def read(self, text: bytes | str) -> T_co:
        """What it says; WrongInput if it is not of that type."""
        if self._longest is not None and len(text) > self._longest:
            raise WrongInput(
                N_("a line of {size} bytes, at most {most} are allowed"), size=len(text), most=self._longest
            )
        try:
            return self._decode(text)
        except msgspec.ValidationError as error:
            raise _wrong(str(error)) from None
        except UnicodeError:
            raise WrongInput(N_("expected UTF-8")) from None
        except (ValueError, RecursionError) as error:
            raise _no_json(str(error)) from None


def line_of(message: object) -> bytes:
    """The message on one line, with its end; WrongInput if a text in it has what cannot be written."""
    try:
        return msgspec.json.encode(message) + b"\n"
    except UnicodeError:
        raise WrongInput(N_("a text with half a character in it, which cannot be written")) from None


def _no_json(problem: str) -> WrongInput:
    """What stands there cannot be told apart at all."""
    at = _BYTE.search(problem)
    if at is not None:
        return WrongInput(N_("byte {byte}: expected JSON"), byte=int(at["byte"]))
    return WrongInput(N_("expected JSON from its beginning to its end"))


def _wrong(problem: str) -> WrongInput:
    at = _AT.search(problem)
    said = _problem(problem if at is None else problem[: at.start()])
    if at is None or not at["where"]:
        return WrongInput(said.template, **said.data)
    return WrongInput(N_("{where}: {problem}"), where=at["where"][:_SHOWN], problem=said)


def _problem(told: str) -> DalejError:
    if found := _FIELD.fullmatch(told):
        missing = found["how"] == "missing required"
        return DalejError(N_("{field} is missing") if missing else N_("{field} is not expected"),
                          field=found["field"][:_SHOWN])  # fmt: skip
    if found := _INVALID.fullmatch(told):
        return DalejError(N_("{value} is not expected"), value=found["value"][:_SHOWN])
    if found := _EXPECTED.fullmatch(told):
        expected = _limited(_kinds(found["kinds"]), found["more"])
        if found["found"] is None:
            return DalejError(N_("expected {expected}"), expected=expected)
        return DalejError(N_("expected {expected}, found {found}"), expected=expected,
                          found=_kinds(found["found"].strip("`")))  # fmt: skip
    if told.endswith("out of range"):
        return DalejError(N_("a number that is too large"))
    return DalejError("{told}", told=told[:_SHOWN])


def _kinds(names: str) -> DalejError:
    first, _, rest = names.partition(" | ")
    one = DalejError(_KINDS[first]) if first in _KINDS else DalejError("{kind}", kind=first)
    return DalejError(N_("{first} or {rest}"), first=one, rest=_kinds(rest)) if rest else one


def _limited(kind: DalejError, more: str) -> DalejError:
    if length := _LENGTH.fullmatch(more):
        bound = _BOUNDS[length["bound"]] + length["length"]
        return DalejError(N_("{kind} of length {bound}"), kind=kind, bound=bound)
    if like := _LIKE.fullmatch(more):
        return DalejError(N_("{kind} like {pattern}"), kind=kind, pattern=like["pattern"])
    return DalejError("{kind}{bound}", kind=kind, bound=more) if more else kind
