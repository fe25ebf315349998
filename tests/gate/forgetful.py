"""Tests of which some leave an event open; tests/gate/test_unclosed.py plays them. Their own run alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event.ledger import Ledger


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    with Ledger.create(tmp_path_factory.mktemp("shared") / "event.dalej") as ledger:
        yield ledger


@pytest.fixture
def forgotten(tmp_path: Path) -> Ledger:
    return Ledger.create(tmp_path / "event.dalej")


def test_one_that_closes_what_it_opens(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "event.dalej"):
        pass


def test_the_first_of_a_file_whose_tests_share_an_event(shared: Ledger) -> None:
    assert shared.head() == 0


def test_one_that_leaves_an_event_open(tmp_path: Path) -> None:
    Ledger.create(tmp_path / "event.dalej")


def test_one_whose_fixture_does(forgotten: Ledger, shared: Ledger) -> None:
    assert shared.head() == forgotten.head()


def test_the_last_which_has_done_nothing(shared: Ledger) -> None:
    assert shared.head() == 0
