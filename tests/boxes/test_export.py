"""The club in a file: opened with its passphrase alone, and anything else said in one sentence."""

from __future__ import annotations

import hashlib
import json
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.boxes.clubexport import expect_whole, pack, unpack
from dalej.boxes.paired import OwnBox
from dalej.errors import Damaged, Refused, WrongInput

SECRET = bytes(range(32))
BOXES = (OwnBox("240ac4001207", "7", 1, 1_795_000_000_000), OwnBox("240ac4001208", "zapasowa „8”", 2, 0))
WORDS = "four words are enough"
CHEAP = 1 << 14  # of scrypt's cost: the tests are not what it is to be expensive for


def packed(passphrase: str = WORDS) -> str:
    numbers = count(7)
    return pack(SECRET, BOXES, passphrase, lambda size: bytes([next(numbers)]) * size, n=CHEAP)


PACKED = packed()
EARLIER = {  # of a Dalej that knew no types for it
    "dalej": "club keys", "version": 1,
    "scrypt": {"n": 16384, "r": 8, "p": 1, "salt": "000102030405060708090a0b0c0d0e0f"},
    "nonce": "000102030405060708090a0b",
    "sealed":
        "9db2e235fadfa7b19993682a8baac5e7390f58b223067f34cedf7588b75a4963d25273d03b02f4b2eaa712a991528f25cb89"
        "38bebf26d2213018cffa1df47d305671e3b03fc5b9079a21ac587582ce4def143a7b1439990ec58900c70f702a7dc2918c9d"
        "ed21c86364d3253802b95bdc5588195a80cc9f9acb393e5e830db4aaa3381fb4e93148695de8c65614a77f730dd0fadf740f"
        "9669b9bbb455f38c09f76efdb5f1958cb4e9f2b6e300d8a59169c8907783171bd9bf72a5999c5580efcf4b966a9b4ee0f42d"
        "fbba285dbe95c609199147534cfa88",
    "check": "efac9b51228d9f7b20dcf2b2c8bbb3f38822a22d8c376da58ebf006e1269dbe7",
}  # fmt: skip


def test_what_was_sealed_comes_out_and_stands_nowhere_in_the_file() -> None:
    carried = unpack(PACKED, WORDS)
    assert (carried.secret, carried.boxes) == (SECRET, BOXES)
    assert not any(hidden in PACKED for hidden in (SECRET.hex(), "240ac4001207", WORDS))
    assert SECRET.hex() not in repr(carried)
    assert repr(SECRET) not in repr(carried)


def test_a_file_of_an_earlier_dalej_opens() -> None:
    carried = unpack(json.dumps(EARLIER, indent=1), WORDS)
    assert (carried.secret, carried.boxes) == (SECRET, (OwnBox("240ac4001207", "Żółw", 1, 1_795_000_000_000),))


def test_a_passphrase_opens_however_the_keyboard_composes_its_letters() -> None:
    text = packed("żółw i jeż idą")
    assert unpack(text, "z\u0307o\u0301łw i jez\u0307 ida\u0328").secret == SECRET


@pytest.mark.parametrize(
    ("typed", "later"),
    [
        ("cztery słowa zółwia", "cztery słowa zółwia".encode().decode("ascii", "surrogateescape")),
        ("four words \udcff and more", "four words \udcff and more"),
        ("four words \U0001f98a and more", "four words \ud83e\udd8a and more"),
    ],
    ids=["a terminal set to ASCII", "no text at all", "two halves, as Windows types it"],
)
def test_a_passphrase_that_the_terminal_cannot_decode_opens_all_the_same(typed: str, later: str) -> None:
    assert unpack(packed(typed), later).secret == SECRET


def test_half_a_character_is_typed_the_same_twice() -> None:
    assert unpack(packed("four words \ud83e and more"), "four words \ud83e and more").secret == SECRET


def test_ordinarily_every_guess_costs_128_megabytes() -> None:
    said = json.loads(pack(SECRET, (), WORDS, bytes))
    assert (said["version"], said["scrypt"]["n"] * said["scrypt"]["r"] * 128) == (1, 128 << 20)


def test_another_passphrase_opens_nothing() -> None:
    with pytest.raises(Refused, match="the passphrase is not the one"):
        unpack(PACKED, WORDS + " ")


@pytest.mark.parametrize("passphrase", ["", "elevenchars"])
def test_a_short_passphrase_seals_nothing(passphrase: str) -> None:
    with pytest.raises(WrongInput, match="expected 12 or more"):
        packed(passphrase)


def test_a_file_of_another_version_is_said_to_be_one() -> None:
    with pytest.raises(Damaged, match="of version 2 and this Dalej reads version 1"):
        unpack(PACKED.replace('"version": 1', '"version": 2'), WORDS)


@pytest.mark.parametrize("text", ["", "hello", "[]", "{}", '{"dalej": "other"}', PACKED[:200], "[" * 100_000])
def test_another_file_is_said_to_be_none(text: str) -> None:
    with pytest.raises(WrongInput, match="no file with a club's keys"):
        unpack(text, WORDS)


@given(place=st.integers(0, len(PACKED) - 1), by=st.integers(1, 94))
def test_a_file_with_any_character_changed_opens_nothing_and_gives_one_sentence(place: int, by: int) -> None:
    changed = PACKED[:place] + chr(32 + (ord(PACKED[place]) - 32 + by) % 95) + PACKED[place + 1 :]
    if _means_the_same(changed):  # a space between two values
        expect_whole(changed)
        return
    with pytest.raises((Damaged, WrongInput)) as problem:
        expect_whole(changed)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    "cost",
    [
        {"n": 1 << 30},
        {"n": 1 << 19},
        {"n": 3 << 13},
        {"n": 2},
        {"r": 1 << 20},
        {"p": 1 << 20},
        {"salt": "xx"},
        {"salt": "00"},
    ],
)
def test_a_file_that_asks_for_senseless_work_is_not_obeyed(cost: dict[str, object]) -> None:
    said = json.loads(PACKED)
    del said["check"]
    said["scrypt"] |= cost
    with pytest.raises(Damaged, match="the file is damaged"):
        unpack(_checked(said), WORDS)


def test_a_file_whose_check_was_made_to_fit_still_opens_nothing() -> None:
    said = json.loads(PACKED)
    del said["check"]
    for change in ({"sealed": "00" * 40}, {"sealed": "zz"}, {"nonce": "01" * 12}, {"more": 1}):
        with pytest.raises((Damaged, Refused)):
            unpack(_checked(said | change), WORDS)


def _checked(said: dict[str, object]) -> str:
    text = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    return json.dumps(said | {"check": hashlib.sha256(text).hexdigest()})


def _means_the_same(changed: str) -> bool:
    try:
        return bool(json.loads(changed) == json.loads(PACKED))
    except ValueError:
        return False
