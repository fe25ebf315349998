"""Values as people write them: times (`40 s`, `90 min`, `1 min 30 s`; in ms), stages on one line, and whether what
somebody wrote may be a value of a ruleset, in a file or as an option of an event.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any, Final

from dalej.domain.rules.rulesets import (
    BY,
    GAMES_MOST,
    METHODS,
    NONE,
    PLAYERS_MOST,
    ROUNDS_MOST,
    STAGES_MOST,
    OneOf,
    Scale,
    Shape,
    Stage,
    Stages,
    Value,
    Whole,
)
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


_UNITS: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000}
_SPELLED: Final = {"sec": "s", "sek": "s", "m": "min", "godz": "h", "g": "h", "": "ms"}
_PART: Final = re.compile(r"\s*(\d{1,9})(?:[.,](\d{1,3}))?\s*([a-z]*)\.?", re.ASCII)


def duration(text: str) -> int | None:
    """Milliseconds; None if the text says no time. A number alone is milliseconds."""
    total, at, rest = 0, 0, text.strip().lower().replace("_", "")
    while at < len(rest):
        part = _PART.match(rest, at)
        unit = None if part is None else _UNITS.get(_SPELLED.get(part[3], part[3]))
        if part is None or unit is None or (not part[3] and (part[2] or part[0] != rest)):
            return None
        total += int(part[1]) * unit + int((part[2] or "").ljust(3, "0")) * unit // 1_000
        at = part.end()
    return total if rest else None


def spoken(ms: int) -> str:
    """The time in its largest whole units."""
    if not ms:
        return "0 s"
    parts = []
    for unit, size in reversed(_UNITS.items()):
        count, ms = divmod(ms, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts)


_METHOD: Final = "|".join(METHODS)
_TYPED_STAGE: Final = re.compile(
    r"(?P<id>[a-z0-9-]{1,40})\s+(?P<rounds>\d{1,4})\s*[x×]\s*(?P<games>\d{1,4})"
    rf"(?:\s+(?P<first>{_METHOD})(?:\s*/\s*(?P<later>{_METHOD}))?)?"
    rf"(?:\s+takes\s+(?P<takes>\d{{1,6}}))?(?:\s+by\s+(?P<by>{'|'.join(BY)}))?",
    re.ASCII,
)


def stages_from(key: str, text: str) -> list[dict[str, Any]]:
    """The stages as a file holds them; WrongInput that shows the one which cannot be read."""
    return [_typed_stage(key, one.strip()) for one in text.lower().rstrip("; ").split(";")]


def stages_text(stages: Iterable[object]) -> str:
    """The line; `stages_from` reads it back."""
    return "; ".join(stage_text(one) for one in stages if isinstance(one, Stage))


def stage_text(stage: Stage) -> str:
    """One stage of the line."""
    seated = stage.first if stage.first == stage.later else f"{stage.first}/{stage.later}"
    words = [stage.id, f"{stage.rounds}x{stage.games}", seated]
    if stage.takes is not None:
        words.append(f"takes {stage.takes}")
    if stage.by != "rank":
        words.append(f"by {stage.by}")
    return " ".join(words)


def _typed_stage(key: str, text: str) -> dict[str, Any]:
    found = _TYPED_STAGE.fullmatch(text)
    if found is None:
        raise WrongInput(
            N_("{key}: {found} is no stage, expected the like of {example}"),
            key=key, found=shown(text), example="preliminaries 2x2 lot/fresh_lot; final 1x2 rank takes 4 by table",
        )  # fmt: skip
    stage = {name: int(value) if value.isdigit() and name != "id" else value
             for name, value in found.groupdict().items() if value is not None}  # fmt: skip
    return stage if "later" in stage or "first" not in stage else {**stage, "later": stage["first"]}
