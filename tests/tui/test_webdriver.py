"""In a browser, sizes come from the server and not from what is typed."""

from __future__ import annotations

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.message import Message

from dalej.tui.app import ServedDriver
from dalej.web.screens import DRIVER


def test_a_size_that_is_typed_is_not_heeded_and_the_keys_around_it_are(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Message] = []
    monkeypatch.setattr(Driver, "process_message", lambda _driver, message: heard.append(message))
    driver = object.__new__(ServedDriver)  # one that is made wants a server at its pipes
    for message in XTermParser().feed("a\x1b[48;99999;99999;1;1tb"):
        driver.process_message(message)

    assert [message.key for message in heard if isinstance(message, events.Key)] == ["a", "b"]
    assert not any(isinstance(message, events.Resize) for message in heard)


def test_it_is_the_driver_that_screens_in_browsers_are_started_with() -> None:
    assert f"{ServedDriver.__module__}:{ServedDriver.__name__}" == DRIVER
