"""A case of the table, ready to be played: its event file, what is wished and what is typed about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from dalej.office.acts.roles import Role
from dalej.office.acts.wishes import Wish
from tests.office.acts.cases import OF_REFEREES, Case
from tests.office.acts.routes import NAME
from tests.office.acts.states import filled

TAKE_WHY: Final = (
    "undo", "players withdraw", "players back", "players warn", "players exclude", "players absent", "players present",
    "players rename", "results correct", "results reopen", "round reopen", "ruling", "event set", "table", "hall",
)  # fmt: skip


@dataclass(frozen=True)
class Ready:
    """A case's event, and what is wished and typed about it."""

    folder: Path
    event: bytes
    now_ms: int
    wish: Wish
    of: str
    command: list[str]

    def copy(self, route: str) -> Path:
        """The file for one route, alone in a folder."""
        file = self.folder / route / NAME
        file.parent.mkdir()
        file.write_bytes(self.event)
        return file


def prepare(folder: Path, case: Case) -> Ready:
    """The event, brought where the case begins; its copies are made in that folder."""
    return replace(_made(case), folder=folder)


@cache
def _made(case: Case) -> Ready:
    """Several tests begin there."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        state = case.on(folder)
        for step in case.before:
            step(state)
        wish = Wish(case.act, {name: filled(state, value) for name, value in case.args.items()}, case.why or "")
        command = [str(filled(state, word)) for word in case.words.split()]
        state.event.ledger.backup(begun := folder / "begun.dalej")
        now_ms = state.wall_ms()
        state.close()
        return Ready(folder, begun.read_bytes(), now_ms, wish, case.of, typed(case, command))


def typed(case: Case, words: list[str]) -> list[str]:
    """The command with its event, its author and its reason."""
    if not words:
        return []
    group = 1 if words[0] in ("undo", "advance") else 2
    whole = [*words[:group], NAME, *words[group:]]
    if case.why is not None and (case.words.startswith(TAKE_WHY) or "not-played" in words):
        whole += ["--why", case.why]
    return whole if "--who" in words or words[0] == "paper" else [*whole, "--who", "Lis"]


def may(act: str) -> tuple[Role, ...]:
    """Who may do it."""
    return ("organiser", "referee") if act in OF_REFEREES else ("organiser",)
