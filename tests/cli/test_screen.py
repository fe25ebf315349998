"""`dalej screen` before there is a picture."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Program


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, kind: str, encoding: str = "utf-8") -> None:
    """A person sits at a terminal of that kind."""
    monkeypatch.setattr("dalej.cli.screen.is_terminal", lambda: True)
    monkeypatch.setattr("dalej.cli.screen.encoding", lambda: encoding)
    monkeypatch.setenv("TERM", kind)


def test_a_screen_needs_a_terminal(dalej: Program, tmp_path: Path) -> None:
    dalej("demo", "--tables", "1", "--moves", "2", "--event", "hall.dalej", "--json")

    done = dalej("screen", "hall.dalej")

    assert done.code == 1
    assert "needs a terminal" in done.err


def test_a_screen_needs_an_event(dalej: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_terminal(monkeypatch, "xterm")

    done = dalej("screen", "gone.dalej")

    assert done.code == 1
    assert "gone.dalej does not exist" in done.err


@pytest.mark.skipif(os.name == "nt", reason="consoles of Windows have no TERM")
@pytest.mark.parametrize("kind", ["", "dumb", "unknown"])
@pytest.mark.parametrize(
    "command", [["screen", "gone.dalej"], ["demo", "--event", "new.dalej"]], ids=["screen", "demo"]
)
def test_a_terminal_that_cannot_be_painted_on_is_refused_before_anything_is_made(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, command: list[str]
) -> None:
    on_a_terminal(monkeypatch, kind)

    done = dalej(*command)

    assert done.code == 1
    assert "cannot be painted on this terminal" in done.err
    assert len(done.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_terminal_that_has_not_all_letters_is_refused(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_terminal(monkeypatch, "xterm", "iso8859-2")

    done = dalej("screen", "gone.dalej")

    assert done.code == 1
    assert "speaks UTF-8, this one speaks iso8859-2" in done.err
    assert not list(tmp_path.iterdir())
