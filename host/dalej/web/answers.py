"""What a screen's process and the server say to each other, one JSON object a line, each at most 64 KiB.

    screen                                          server
    {"token": "…"}                                  {"name": "Sowa", "role": "referee"}
    {"id": 1, "wish": {"act": "stop", …}}           {"id": 1, "done": {"template": …, "data": …, …}}
    {"id": 2, "wish": …}                            {"id": 2, "error": {"family": "refused", "template": …, "data": …}}

Sentences travel as template and fields, so that the screen says them in its own language.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from dalej.acts.wishes import Done, from_json, to_json
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.live.parts import fields, plain
from dalej.words import N_

LONGEST: Final = 64 * 1024
VARIABLE: Final = "DALEJ_HANDED"  # in a screen's environment: 127.0.0.1:PORT:TOKEN

_FAMILIES: Final[Mapping[str, type[DalejError]]] = {
    "wrong_input": WrongInput, "refused": Refused, "damaged": Damaged, "unreachable": Unreachable,
}  # fmt: skip


def line_of(said: Mapping[str, object]) -> bytes:
    """The line, with its end."""
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def read(line: bytes) -> dict[str, Any]:
    """The object of a line; WrongInput if it is none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongInput(N_("a line that is no JSON in UTF-8")) from None
    if not isinstance(said, dict):
        raise WrongInput(N_("a line that is no JSON object"))
    return said


def error_to_json(error: DalejError) -> dict[str, object]:
    """The error; what its fields are is kept as far as JSON has it."""
    family = next((name for name, kind in _FAMILIES.items() if isinstance(error, kind)), "refused")
    return {"family": family, "template": error.template, "data": plain(error.data)}


def error_from_json(said: object) -> DalejError:
    """Back again; Unreachable if it cannot be understood."""
    try:
        assert isinstance(said, dict)
        return _FAMILIES[said["family"]](said["template"], **fields(said["data"]))
    except (AssertionError, KeyError, IndexError, ValueError, TypeError, AttributeError, RecursionError):
        return Unreachable(N_("the desk's answer cannot be understood"))


def done_to_json(done: Done) -> dict[str, object]:
    """What was done."""
    return {
        "template": done.template, "data": plain(done.data), "decisions": list(done.decisions),
        "requests": list(done.requests), "undo": None if done.undo is None else to_json(done.undo),
    }  # fmt: skip


def done_from_json(said: object) -> Done:
    """Back again; Unreachable if it cannot be understood."""
    try:
        assert isinstance(said, dict)
        undo = said["undo"]
        done = Done(
            said["template"], fields(said["data"]), tuple(said["decisions"]), tuple(said["requests"]),
            None if undo is None else from_json(undo),
        )  # fmt: skip
        str(done)
    except (AssertionError, KeyError, IndexError, ValueError, TypeError, AttributeError, RecursionError, WrongInput):
        raise Unreachable(N_("the desk's answer cannot be understood")) from None
    return done
