"""What Bluetooth says becomes a sentence for people: about a box that is named, and what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.link.ble import TEXT_MOST, in_words

BOX = "240ac4000007"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("[org.bluez.Error.Failed] le-connection-concurrent-connection-limit", "has no link left for box 240ac4000007"),
        ("[org.bluez.Error.Failed] le-connection-refused", "box 240ac4000007 did not let itself be linked"),
        ("[org.bluez.Error.InProgress] br-connection-busy", "was busy when box 240ac4000007 was to be linked"),
        ("[org.bluez.Error.Failed] le-connection-abort-by-local", "the link to box 240ac4000007 fell"),
        ("[org.bluez.Error.NotReady] Resource Not Ready", "Bluetooth is switched off: switch it on"),
        ("device 'dev_24_0A_C4_00_00_07' not found", "box 240ac4000007 is out of reach or switched off"),
        ("[org.bluez.Error.Failed] Software caused it", "box 240ac4000007: Bluetooth said: Software caused it"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_box_names_it(said: str, words: str) -> None:
    assert words in str(in_words(said, box=BOX))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("[org.bluez.Error.InProgress] Operation already in progress", "another program keeps the Bluetooth adapter"),
        ("adapter 'hci7' not found", "the Bluetooth adapter hci7 is not there"),
        ("[org.freedesktop.DBus.Error.ServiceUnknown] org.bluez", "does not run (on Linux: bluetoothd)"),
        ("something else", "Bluetooth failed: something else"),
    ],
)
def test_what_is_said_of_an_adapter_names_no_box(said: str, words: str) -> None:
    sentence = str(in_words(said, adapter="hci7"))
    assert words in sentence
    assert "box" not in sentence


@given(st.text(), st.sampled_from(["", BOX]))
def test_whatever_is_said_the_sentence_is_short_and_one(said: str, box: str) -> None:
    sentence = str(in_words(said, box=box))
    assert "\n" not in sentence
    assert len(sentence) <= TEXT_MOST + 120
