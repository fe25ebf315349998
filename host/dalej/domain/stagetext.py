"""Stages on one line, as an organiser types and reads them: `preliminaries 2x2 lot/fresh_lot; final 1x2 takes 4`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from dalej.domain.format import BY, METHODS, Stage
from dalej.domain.rulevalues import shown
from dalej.errors import WrongInput
from dalej.words import N_

_METHOD: Final = "|".join(METHODS)
_STAGE: Final = re.compile(
    r"(?P<id>[a-z0-9-]{1,40})\s+(?P<rounds>\d{1,4})\s*[x×]\s*(?P<games>\d{1,4})"
    rf"(?:\s+(?P<first>{_METHOD})(?:\s*/\s*(?P<later>{_METHOD}))?)?"
    rf"(?:\s+takes\s+(?P<takes>\d{{1,6}}))?(?:\s+by\s+(?P<by>{'|'.join(BY)}))?",
    re.ASCII,
)


def stages_from(key: str, text: str) -> list[dict[str, Any]]:
    """The stages as a file holds them; WrongInput that shows the one which cannot be read."""
    return [_stage(key, one.strip()) for one in text.lower().rstrip("; ").split(";")]


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


def _stage(key: str, text: str) -> dict[str, Any]:
    found = _STAGE.fullmatch(text)
    if found is None:
        raise WrongInput(
            N_("{key}: {found} is no stage, expected the like of {example}"),
            key=key, found=shown(text), example="preliminaries 2x2 lot/fresh_lot; final 1x2 rank takes 4 by table",
        )  # fmt: skip
    stage = {name: int(value) if value.isdigit() and name != "id" else value
             for name, value in found.groupdict().items() if value is not None}  # fmt: skip
    return stage if "later" in stage or "first" not in stage else {**stage, "later": stage["first"]}
