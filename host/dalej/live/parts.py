"""The fields of a sentence as JSON: texts, integers, and parts of it that have templates and fields themselves.

So a sentence travels as what it is made of, and whoever reads it says it in the own language, numbers and plurals too.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any, Final

from dalej.errors import Counted, DalejError

Fields = Mapping[str, Any]  # of texts, integers and parts

# Words of the project never need more, and a formatted width could fill the memory.
TEMPLATE_MOST: Final = 1_000
DEEPEST: Final = 20  # parts within parts


def plain(data: Mapping[str, object]) -> dict[str, Any]:
    """The fields as JSON takes them; the name of a file may hold what is no text."""
    return {name: _plain(value) for name, value in data.items()}


def fields(data: Fields) -> dict[str, Any]:
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
    known = fields(value["data"])
    if "many" not in value:
        return DalejError(value["template"], **known)
    one, many = value["one"], value["many"]
    return Counted(one, many, **known)
