"""What is decided at a dialog by keys alone is what the performer decides; what it refuses is said there."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import ROLES, Role
from dalej.office.acts.wishes import Wish
from dalej.words import said
from tests.office.acts.cases import BOOK, DONE, REFUSED, Case, named
from tests.office.acts.ready import Ready, may, prepare
from tests.office.acts.routes import Wished, performer
from tests.tui.bykeys import keys

SERVED: Final = "end_sessions"  # by whoever serves the web


def shown(cases: list[Case]) -> list[object]:
    """Those that somebody can ask for at a dialog, with a reason that its field holds."""
    there = zip(cases, named(cases), strict=True)
    return [
        pytest.param(case, id=name)
        for case, name in there if ACTS[case.act].offered and case.act != SERVED and case.why != BOOK
    ]  # fmt: skip


def asks_why(wish: Wish) -> bool:
    """Whether the dialog of its act has a field for the reason."""
    act = ACTS[wish.act]
    return bool(act.why or act.reasons) and act.means("why", wish.args, None)


async def by_keys(ready: Ready, role: Role = "organiser") -> tuple[Wished, str]:
    return await keys(ready.copy("keys"), ready.now_ms, role, ready.wish)


async def by_the_performer(ready: Ready) -> Wished:
    """What it makes of the same; where a dialog asks for no reason, there is none."""
    why = ready.wish.why if asks_why(ready.wish) else ""
    wish = replace(ready.wish, why=why)
    return await asyncio.to_thread(performer, ready.copy("performer"), ready.now_ms, "organiser", wish)


@pytest.mark.parametrize("case", shown(DONE))
async def test_what_is_filled_in_by_keys_is_decided(tmp_path: Path, case: Case) -> None:
    ready = prepare(tmp_path, case)

    done, screen = await by_keys(ready)

    assert (done.error, "✗" in screen) == (None, False), screen
    assert done == await by_the_performer(ready)


@pytest.mark.parametrize("case", shown(REFUSED))
async def test_what_is_refused_is_said_in_the_dialog_and_nothing_is_decided(tmp_path: Path, case: Case) -> None:
    ready = prepare(tmp_path, case)

    refused, screen = await by_keys(ready)

    assert (refused.entries, refused.files) == ([], [])
    assert "✗" in screen, screen
    if refused.error is not None:
        same = (await by_the_performer(ready)).error
        assert same is not None
        assert said(refused.error) == said(same)


@pytest.mark.parametrize(
    ("act", "role"),
    [(name, role) for name, act in ACTS.items() for role in ROLES if act.offered and role not in may(name)],
)
async def test_who_may_not_is_told_so_in_the_dialog(tmp_path: Path, act: str, role: Role) -> None:
    ready = prepare(tmp_path, next(case for case in DONE if case.act == act))

    refused, screen = await by_keys(ready, role)

    assert (refused.entries, refused.files) == ([], [])
    assert f"not with the role {role}" in screen
