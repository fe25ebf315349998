"""What somebody else has written is read as its type, or refused in words that say where and what was expected."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from dalej.errors import WrongInput
from dalej.typedjson import Reader, line_of
from dalej.words import said
from tests.tui.languages import speaking


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    port: Annotated[int, Meta(gt=0, lt=65_536)] = 1
    name: Annotated[str, Meta(min_length=1, max_length=3)] = "7"
    uid: Annotated[str, Meta(pattern=r"^[0-9a-f]{4}\Z")] = "abcd"
    times: float = 1.0
    on: bool = True
    word: Literal["link", "advert"] = "link"
    three: tuple[int, int, int] = (1, 2, 3)
    more: str | int | None = None


class Club(Struct, frozen=True):
    boxes: list[Box]


class Look(Struct, frozen=True, tag_field="say", tag="look"):
    table: int


class Nested(Struct):
    inner: Nested | None = None


class Pair(Struct, frozen=True, tag_field="say", tag="pair", array_like=True, forbid_unknown_fields=True):
    name: str


@dataclass(frozen=True)
class Plain:
    count: int


CLUB: Reader[Club] = Reader(Club, 300)
LOOK: Reader[Look] = Reader(Look)
PAIR: Reader[Pair] = Reader(Pair)
PLAIN: Reader[Plain] = Reader(Plain)


def in_the_club(box: object) -> bytes:
    return json.dumps({"boxes": [{}, box]}).encode()


WRONG: list[tuple[Reader[object], bytes | str, str]] = [
    (CLUB, in_the_club({"port": "3"}), "boxes[1].port: expected a whole number, found a text"),
    (CLUB, in_the_club({"port": 3.5}), "boxes[1].port: expected a whole number, found a number"),
    (CLUB, in_the_club({"port": True}), "boxes[1].port: expected a whole number, found true or false"),
    (CLUB, in_the_club({"port": 0}), "boxes[1].port: expected a whole number >= 1"),
    (CLUB, in_the_club({"port": 70_000}), "boxes[1].port: expected a whole number <= 65535"),
    (CLUB, b'{"boxes":[{"port":' + b"9" * 200 + b"}]}", "boxes[0].port: expected a whole number <= 65535"),
    (CLUB, in_the_club({"name": ""}), "boxes[1].name: expected a text of length >= 1"),
    (CLUB, in_the_club({"name": "four"}), "boxes[1].name: expected a text of length <= 3"),
    (CLUB, in_the_club({"uid": "abcd\n"}), r"boxes[1].uid: expected a text like ^[0-9a-f]{4}\\Z"),
    (CLUB, in_the_club({"times": "1"}), "boxes[1].times: expected a number, found a text"),
    (CLUB, b'{"boxes":[{"times":1e999}]}', "boxes[0].times: a number that is too large"),
    (CLUB, in_the_club({"on": 1}), "boxes[1].on: expected true or false, found a whole number"),
    (CLUB, in_the_club({"word": "cable"}), "boxes[1].word: 'cable' is not expected"),
    (CLUB, in_the_club({"three": [1, 2]}), "boxes[1].three: expected a list of length 3"),
    (CLUB, in_the_club({"three": {}}), "boxes[1].three: expected a list, found an object in braces"),
    (CLUB, in_the_club({"more": []}), "boxes[1].more: expected a whole number or a text or null, found a list"),
    (CLUB, in_the_club({"further": 1}), "boxes[1]: further is not expected"),
    (CLUB, b"{}", "boxes is missing"),
    (CLUB, b"null", "expected an object in braces, found null"),
    (CLUB, b"[]", "expected an object in braces, found a list"),
    (CLUB, b'{"boxes":[] 4}', "byte 12: expected JSON"),
    (CLUB, b'{"boxes":[', "expected JSON from its beginning to its end"),
    (CLUB, b"", "expected JSON from its beginning to its end"),
    (CLUB, b'{"boxes":[{"name":"\xff"}]}', "expected UTF-8"),
    (CLUB, b'{"boxes":[{"name":"\\ud800 and on"}]}', "byte 25: expected JSON"),
    (CLUB, b'{"boxes":[{"times":NaN}]}', "byte 19: expected JSON"),
    (CLUB, b" " * 301, "a line of 301 bytes, at most 300 are allowed"),
    (LOOK, b'{"say":"luk","table":3}', "say: 'luk' is not expected"),
    (LOOK, b'{"say":"a - at `$.b` c"}', "say: 'a - at `$.b` c' is not expected"),
    (LOOK, b'{"say":7,"table":3}', "say: expected a text"),
    (LOOK, b'{"say":"look","table":' + b"9" * 5_000 + b"}", "table: a number that is too large"),
    (PAIR, b'["pair"]', "expected a list of length >= 2, found 1"),
    (PAIR, b'["pair","7",8]', "expected a list of length <= 1"),
    (PLAIN, b"{}", "count is missing"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("reader", "text", "sentence"), WRONG, ids=[f"{number} {one[2]}" for number, one in enumerate(WRONG)]
)
def test_what_is_wrong_is_said_with_its_place_and_what_was_expected(
    reader: Reader[object], text: bytes | str, sentence: str
) -> None:
    with pytest.raises(WrongInput) as wrong:
        reader.read(text)

    assert str(wrong.value) == sentence


def test_and_in_the_readers_language() -> None:
    with pytest.raises(WrongInput) as wrong:
        CLUB.read(in_the_club({"port": "3"}))

    with speaking("pl"):
        assert said(wrong.value) == "boxes[1].port: powinno być: liczba całkowita, a jest: tekst"


def test_what_is_nested_too_deep_is_refused() -> None:
    reader: Reader[Nested] = Reader(Nested)
    with pytest.raises(WrongInput):
        reader.read(b'{"inner":' * 50_000)


@given(st.binary(max_size=100) | st.text(max_size=100))
def test_whatever_comes_is_read_or_refused_in_words(text: bytes | str) -> None:
    for reader in (CLUB, LOOK, PAIR, PLAIN, HALVES):
        with suppress(WrongInput):
            reader.read(text)


HALVES: Reader[Pair] = Reader(Pair, 300, halves=True)


def test_where_names_of_files_are_told_half_a_character_is_one() -> None:
    assert HALVES.read('["pair","\\ud800"]') == Pair("\ud800")
    assert HALVES.read('["pair","ó"]'.encode()) == Pair("ó")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b'["pair"]', "expected a list of length >= 2, found 1"), (b'["pair",7]', "[1]: expected a text"),
        (b'["pear","7"]', "'pear' is not expected"), (b"[" * 299, "byte 299: expected JSON"),
        (b'["pair",]', "byte 8: expected JSON"), (b"\xff", "expected UTF-8"), (b" " * 301, "a line of 301 bytes"),
    ],
)  # fmt: skip
def test_and_there_the_same_is_said_of_what_is_wrong(text: bytes, sentence: str) -> None:
    with pytest.raises(WrongInput, match=re.escape(sentence)):
        HALVES.read(text)


def test_a_message_is_one_line_and_half_a_character_cannot_be_written() -> None:
    assert line_of(Look(3)) == b'{"say":"look","table":3}\n'
    assert line_of(Pair("a\nb")) == b'["pair","a\\nb"]\n'
    with pytest.raises(WrongInput, match="half a character"):
        line_of(Pair("\ud800"))
