"""JSON as Dalej takes it from others: one object, every key once, no number that JSON does not know. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Never

from dalej.errors import WrongInput
from dalej.words import N_


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
