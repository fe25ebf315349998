"""Whether what somebody wrote may be a value of a ruleset, by its shape: in a file, as an option of an event.

`found` is what TOML and JSON both give: numbers, true and false, text, lists, tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any, Final

from dalej.domain.format import BY, GAMES_MOST, METHODS, PLAYERS_MOST, ROUNDS_MOST, STAGES_MOST, Stage
from dalej.domain.rulesets import NONE, Value
from dalej.domain.shapes import OneOf, Scale, Shape, Stages, Whole
from dalej.errors import WrongInput
from dalej.words import N_

ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SHOWN: Final = 60  # characters of a wrong value that a message repeats


def value_of(key: str, found: object, shape: Shape) -> Value:
    """The value that `found` stands for; WrongInput that names key, value and what is allowed."""
    match shape:
        case Whole():
            return _whole(key, found, shape)
        case OneOf():
            return _one_of(key, found, shape)
        case Scale():
            return _scale(key, found, shape)
        case Stages():
            return _stages(key, found)
        case _ if isinstance(found, bool):
            return found
    raise WrongInput(N_("{key} is {found}, expected true or false"), key=key, found=shown(found))


def plain(value: Value, shape: Shape) -> Any:
    """The value as TOML and JSON hold it; `value_of` reads it back."""
    if value is None:
        return shape.word if isinstance(shape, Whole) else NONE
    if isinstance(value, tuple):
        return [_table(one) if isinstance(one, Stage) else one for one in value]
    return value


def shown(found: object) -> str:
    """A wrong value as a file would write it, on one line and not too long."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, dict):
        return "{…}"
    if isinstance(found, list):
        return "[…]"
    text = " ".join((f'"{found}"' if isinstance(found, str) else str(found)).split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def listed(words: Iterable[str]) -> str:
    """Words in a sentence."""
    return ", ".join(words)


def _is_whole(found: object, low: int, high: int) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and low <= found <= high


def _whole(key: str, found: object, shape: Whole) -> int | None:
    if shape.word and found == shape.word:
        return None
    if isinstance(found, int) and _is_whole(found, shape.low, shape.high):
        return found
    template = N_("{key} is {found}, expected a whole number from {low} to {high}")
    if shape.word:
        template = N_('{key} is {found}, expected a whole number from {low} to {high} or "{word}"')
    raise WrongInput(template, key=key, found=shown(found), low=shape.low, high=shape.high, word=shape.word)


def _one_of(key: str, found: object, shape: OneOf) -> str:
    if isinstance(found, str) and found in shape.words:
        return found
    raise WrongInput(
        N_("{key} is {found}, expected one of {allowed}"), key=key, found=shown(found), allowed=listed(shape.words)
    )


def _scale(key: str, found: object, shape: Scale) -> tuple[int, ...] | None:
    if found == NONE:
        return None
    if isinstance(found, list) and len(found) == shape.seats and all(_is_whole(one, 0, shape.high) for one in found):
        _expect_falling(key, found)
        return tuple(found)
    raise WrongInput(
        N_('{key} is {found}, expected {seats} whole numbers from 0 to {high}, or "none"'),
        key=key, found=shown(found), seats=shape.seats, high=shape.high,
    )  # fmt: skip


def _expect_falling(key: str, points: list[int]) -> None:
    """No place may earn more than the one before it."""
    for place, (better, worse) in enumerate(pairwise(points), start=2):
        if worse > better:
            raise WrongInput(
                N_("{key} is {found}: place {place} would earn {worse}, more than the {better} of the place before it"),
                key=key, found=",".join(map(str, points)), place=place, worse=worse, better=better,
            )  # fmt: skip


def _stages(key: str, found: object) -> tuple[Stage, ...]:
    if not isinstance(found, list) or not 1 <= len(found) <= STAGES_MOST:
        raise WrongInput(
            N_("{key} is {found}, expected a list of one to {most} stages"),
            key=key, found=shown(found), most=STAGES_MOST,
        )  # fmt: skip
    plan = tuple(_stage(key, one, place) for place, one in enumerate(found, start=1))
    ids = [stage.id for stage in plan]
    for place, stage in enumerate(plan, start=1):
        if ids.index(stage.id) != place - 1:
            raise WrongInput(
                N_("id of stage {place} in {key} is {found}, expected one that no stage before has"),
                key=key, place=place, found=shown(stage.id),
            )  # fmt: skip
    return plan


def _stage(key: str, found: object, place: int) -> Stage:
    if not isinstance(found, dict):
        raise WrongInput(
            N_("stage {place} of {key} is {found}, expected {{ id = …, rounds = …, games = … }}"),
            key=key, place=place, found=shown(found),
        )  # fmt: skip
    for name in found:
        if name not in _STAGE:
            raise WrongInput(
                N_("{name} of stage {place} in {key} is unknown, expected one of {allowed}"),
                key=key, place=place, name=shown(name), allowed=listed(_STAGE),
            )  # fmt: skip
    if not isinstance(found.get("id"), str) or not ID.fullmatch(found["id"]):
        raise WrongInput(
            N_("id of stage {place} in {key} is {found}, expected small letters and digits joined by hyphens"),
            key=key, place=place, found=shown(found.get("id", "")),
        )  # fmt: skip
    for name, value in found.items():
        allowed = _STAGE[name]
        if isinstance(allowed, int) and not _is_whole(value, 1, allowed):
            raise WrongInput(
                N_("{name} of stage {place} in {key} is {found}, expected a whole number from 1 to {high}"),
                key=key, place=place, name=name, found=shown(value), high=allowed,
            )  # fmt: skip
        if isinstance(allowed, tuple) and value not in allowed:
            raise WrongInput(
                N_("{name} of stage {place} in {key} is {found}, expected one of {allowed}"),
                key=key, place=place, name=name, found=shown(value), allowed=listed(allowed),
            )  # fmt: skip
    return Stage(**found)


# What a stage may hold: the greatest number, or the words.
_STAGE: Final[dict[str, int | tuple[str, ...] | None]] = {
    "id": None, "rounds": ROUNDS_MOST, "games": GAMES_MOST, "first": METHODS, "later": METHODS, "takes": PLAYERS_MOST,
    "by": BY,
}  # fmt: skip


def _table(stage: Stage) -> dict[str, Any]:
    table = asdict(stage)
    return table if stage.takes is not None else {name: value for name, value in table.items() if name != "takes"}


def expect_consistent(values: Mapping[str, Value]) -> None:
    """WrongInput if values that are right one by one do not go together."""
    for fault in inconsistent(values):
        raise fault


def inconsistent(values: Mapping[str, Value]) -> list[WrongInput]:
    """What does not go together, the key that is named first being the one to look at."""
    faults = []
    for low, high in _ORDERED:
        least, most = values.get(low), values.get(high)
        if isinstance(least, int) and isinstance(most, int) and least > most:
            faults.append(WrongInput(
                N_("{key} is {found}, expected no more than {other}, which is {most}"),
                key=low, found=least, other=high, most=most,
            ))  # fmt: skip
    return [*faults, *_unrankable(values)]


def _unrankable(values: Mapping[str, Value]) -> Iterator[WrongInput]:
    """Standings by big points need a scale for every table that may be."""
    least, most = values.get("seats_min"), values.get("seats_max")
    if values.get("ranking") != "big_then_small" or not isinstance(least, int) or not isinstance(most, int):
        return
    for seats in range(least, most + 1):
        scale = f"big_points_{seats}"
        if scale in values and values[scale] is None:
            yield WrongInput(
                N_("{key} is {found}, expected small, since {scale} is none"),
                key="ranking", found="big_then_small", scale=scale,
            )  # fmt: skip


_ORDERED: Final = (
    ("seats_min", "seats_max"),
    ("players_min", "players_max"),
    ("closed_players_min", "players_max"),
    ("semifinal_small", "semifinal_large"),
    ("never_opened_points", "could_have_opened_points"),
    ("no_new_game_ms", "round_time_ms"),
)
