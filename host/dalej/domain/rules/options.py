"""What an organiser sets otherwise than the ruleset says: from what people type to a value, and back.

    limit 45 s                  rounds 4                    big_points_3 4,2,0
    round_time 90 min           games 3                     several_lowest split
    players_max none            announcement_lifts no       takes_invalid_tiles unknown
    stages preliminaries 3x2 lot/fresh_lot; semifinal 1x2 snake takes 8; final 1x2 rank takes 4 by table

A stage is its id, rounds x games at each table, how its first and its later rounds are seated ("lot" alone: all of
them; nothing: lot/rank), how many come in, and whether the best overall or of each table. `rounds` and `games` are
those of the first stage; a key in `_ms` may be written without it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from dalej.domain.rules.rulesets import (
    GAMES_MOST,
    NONE,
    ROUNDS_MOST,
    Rule,
    Ruleset,
    Scale,
    Shape,
    Stages,
    Value,
    Whole,
    YesNo,
    schema,
)
from dalej.domain.rules.values import (
    duration,
    expect_consistent,
    listed,
    plain,
    shown,
    spoken,
    stages_from,
    stages_text,
    value_of,
)
from dalej.errors import WrongInput
from dalej.words import N_

ROUNDS: Final = "rounds"  # of the first stage
GAMES: Final = "games"  # of the first stage
_OF_FIRST_STAGE: Final = {ROUNDS: ROUNDS_MOST, GAMES: GAMES_MOST}
_MS: Final = "_ms"
_YES: Final = ("yes", "true", "tak", "sì", "si", "1")
_NO: Final = ("no", "false", "nie", "0")


def with_option(ruleset: Ruleset, key: str, value: object) -> Ruleset:
    """The ruleset with one option as JSON or TOML gives it; None: as the ruleset itself says. WrongInput if there is no
    such option, it may not have that value, or the values do not go together.
    """
    return with_options(ruleset, {key: value})


def with_options(ruleset: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """The ruleset with all these options at once; see `with_option`."""
    changed = {key: _set(ruleset.rule(_known(key)), value) for key, value in options.items()}
    values: dict[str, Any] = {key: rule.value for key, rule in changed.items()}
    rules = tuple(changed.get(rule.key, rule) for rule in ruleset.rules)
    expect_consistent({rule.key: rule.value for rule in rules})
    return replace(ruleset, rules=rules, **values)


def option(ruleset: Ruleset, key: str, text: str) -> tuple[str, object]:
    """Key and JSON value of an option as an organiser types it, `limit` and `40 s`; what it makes of the ruleset has
    been tried. WrongInput as in `with_option`.
    """
    known = named(key)
    if known in _OF_FIRST_STAGE:
        count = value_of(known, _number(text), Whole("format", 1, _OF_FIRST_STAGE[known]))
        first, *later = plain(ruleset.stages, schema()["stages"])
        value: object = [first | {known: count}, *later]
        known = "stages"
    else:
        value = option_value(known, text)
    with_option(ruleset, known, value)
    return known, value


def option_value(key: str, text: str) -> object:
    """The JSON value of what an organiser types for `key`; WrongInput if it says nothing."""
    known = _known(named(key))
    shape = schema()[known]
    found = _typed(known, text.strip(), shape)
    value_of(known, found, shape)
    return found


def format_value(rule: Rule) -> str:
    """The value as people type it; `option_value` reads it back."""
    return value_text(rule.key, rule.value)


def value_text(key: str, value: Value) -> str:
    """A value of `key` as people type it."""
    shape = schema()[key]
    found = plain(value, shape)
    if isinstance(shape, Stages) and isinstance(value, tuple):
        return stages_text(value)
    if isinstance(found, bool):
        return "yes" if found else "no"
    if isinstance(found, list):
        return ",".join(map(str, found))
    return spoken(found) if isinstance(found, int) and key.endswith(_MS) else str(found)


def keys() -> tuple[str, ...]:
    """What can be set, as people name it."""
    return (*(key.removesuffix(_MS) for key in schema()), *_OF_FIRST_STAGE)


def _set(rule: Rule, value: object) -> Rule:
    own = rule.original if rule.organiser else rule.value
    wanted = own if value is None else value_of(rule.key, value, schema()[rule.key])
    if wanted == own:
        return replace(rule, value=own, organiser=False, original=None)
    return replace(rule, value=wanted, organiser=True, original=own)


def named(key: str) -> str:
    """The key that people mean by `round-time`."""
    plain_key = key.strip().lower().replace("-", "_").replace(" ", "_")
    return plain_key + _MS if plain_key + _MS in schema() else plain_key


def _known(key: str) -> str:
    if key in schema():
        return key
    near = difflib.get_close_matches(key, keys(), n=5, cutoff=0.5)
    raise WrongInput(
        N_("{key} is no value of a ruleset, expected one of {allowed}"), key=shown(key), allowed=listed(near or keys())
    )


def _number(text: str) -> object:
    """What a whole number says; else the text, which is then wrong."""
    number = text.strip().replace("_", "")
    digits = number.removeprefix("-")
    return int(number) if digits.isascii() and digits.isdigit() and len(digits) < 12 else text


def _typed(key: str, text: str, shape: Shape) -> object:
    """What the text stands for in a file, right or wrong."""
    match shape:
        case Stages():
            return stages_from(key, text)
        case Whole():
            return _typed_whole(key, text, shape)
        case YesNo():
            return _typed_yes_no(key, text)
        case Scale() if text.lower() != NONE:
            return [_number(one) for one in re.split("[,;/]", text.strip("[]"))]
        case _:
            return text.lower().replace("-", "_").replace(" ", "_")


def _typed_whole(key: str, text: str, shape: Whole) -> object:
    if text.lower() == shape.word:
        return shape.word
    if not key.endswith(_MS):
        return _number(text)
    ms = duration(text)
    if ms is None or not shape.low <= ms <= shape.high:
        template = N_("{key} is {found}, expected a time from {low} to {high}, such as {such}")
        if shape.word:
            template = N_('{key} is {found}, expected a time from {low} to {high}, such as {such}, or "{word}"')
        raise WrongInput(
            template, key=key.removesuffix(_MS), found=_found(text, ms), low=spoken(shape.low),
            high=spoken(shape.high), such=_such(text, shape), word=shape.word,
        )  # fmt: skip
    return ms


def _found(text: str, ms: int | None) -> str:
    """The time as it was understood; a number without a unit as it was typed."""
    if ms is None:
        return shown(text)
    return text if text.isdigit() else spoken(ms)


def _such(text: str, shape: Whole) -> str:
    """A time that may be: what a number without a unit may have meant, else an example."""
    meant = [f"{text} {unit}" for unit in ("s", "min")] if text.isascii() and text.isdigit() else []
    times = ((one, duration(one)) for one in (*meant, "45 s", "5 min"))
    return next((one for one, ms in times if ms is not None and shape.low <= ms <= shape.high), spoken(shape.high))


def _typed_yes_no(key: str, text: str) -> bool:
    if text.lower() in (*_YES, *_NO):
        return text.lower() in _YES
    raise WrongInput(N_("{key} is {found}, expected yes or no"), key=key, found=shown(text))
