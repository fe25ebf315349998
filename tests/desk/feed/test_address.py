"""The file beside an event that says where its live desk listens."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from dalej.desk.feed import address
from dalej.desk.feed.address import Address
from dalej.desk.feed.messages import PROTOCOL
from dalej.errors import Unreachable

HERE = Address("127.0.0.1", 4711, "ab" * 32)


def test_what_a_desk_publishes_a_screen_finds(event: Path) -> None:
    address.publish(event, HERE)

    assert address.find(event) == HERE
    assert [file.name for file in event.parent.iterdir()] == ["hall.dalej.live"]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps others out by the folder, not by the mode of a file")
def test_nobody_else_may_read_it(event: Path) -> None:
    address.publish(event, HERE)

    assert stat.S_IMODE(address.file_of(event).stat().st_mode) == 0o600


def test_the_file_of_a_killed_desk_is_replaced(event: Path) -> None:
    address.publish(event, Address("127.0.0.1", 1, "cd" * 32))

    address.publish(event, HERE)

    assert address.find(event) == HERE


def test_a_desk_that_ends_takes_its_own_file_away_and_no_other(event: Path) -> None:
    address.publish(event, HERE)

    address.withdraw(event, Address("127.0.0.1", 4711, "cd" * 32))
    assert address.find(event) == HERE

    address.withdraw(event, HERE)
    assert not address.file_of(event).exists()
    address.withdraw(event, HERE)


def test_without_a_desk_there_is_nothing_to_find_and_that_is_said(event: Path) -> None:
    with pytest.raises(Unreachable, match="no desk is live on"):
        address.find(event)


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "3", "{}", json.dumps({"host": "0.0.0.0", "port": 1, "token": "", "protocol": PROTOCOL}),
        json.dumps({"host": "127.0.0.1", "port": "1", "token": "", "protocol": PROTOCOL}),
        json.dumps({"host": "127.0.0.1", "port": 70_000, "token": "", "protocol": PROTOCOL}),
        json.dumps({"host": "127.0.0.1", "port": 1, "token": None, "protocol": PROTOCOL}),
        json.dumps({"host": "127.0.0.1", "port": 1, "token": "", "protocol": PROTOCOL + 1}), "[" * 100_000,
    ],
    ids=lambda text: text[:60],
)  # fmt: skip
def test_a_file_that_says_something_else_is_refused_in_words(event: Path, text: str) -> None:
    address.file_of(event).write_text(text, encoding="utf-8")

    with pytest.raises(Unreachable):
        address.find(event)


@pytest.mark.parametrize(
    "said",
    [{"host": "127.0.0.1", "port": 1, "token": "", "protocol": PROTOCOL - 1}, {"protocol": PROTOCOL + 1, "at": "here"}],
    ids=["earlier", "later"],
)
def test_a_desk_of_another_version_is_said_to_be_one_whatever_else_its_file_says(
    event: Path, said: dict[str, object]
) -> None:
    address.file_of(event).write_text(json.dumps(said), encoding="utf-8")

    with pytest.raises(Unreachable, match="speaks another version of this protocol"):
        address.find(event)


def test_what_is_wrong_in_the_file_is_named(event: Path) -> None:
    said = {"host": "127.0.0.1", "port": 70_000, "token": "", "protocol": PROTOCOL}
    address.file_of(event).write_text(json.dumps(said), encoding="utf-8")

    with pytest.raises(Unreachable, match="not a desk's address: port: expected a whole number <= 65535"):
        address.find(event)


def test_a_folder_that_takes_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="cannot be written"):
        address.publish(tmp_path / "gone" / "league.dalej", HERE)
