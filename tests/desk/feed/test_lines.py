"""Lines of the live feed: every message survives the way, and nothing that comes in does harm."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.desk.feed.messages import (
    DEEPEST,
    LONGEST,
    Face,
    Finger,
    FromScreen,
    Inside,
    Look,
    NoticeTold,
    Open,
    Power,
    Pulse,
    Reach,
    Refusal,
    Speed,
    TableHeard,
    Take,
    Tap,
    ToScreen,
    Welcome,
    from_screen,
    line_of,
    to_screen,
)
from dalej.domain.game.heard import Heard, Told
from dalej.errors import WrongInput

INTEGERS = st.integers(-(2**63), 2**63 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
MAYBE = st.none() | INTEGERS
TOLD = st.builds(Told, *[INTEGERS] * 7, *[MAYBE] * 6)
HEARD = st.builds(Heard, TEXTS, INTEGERS, st.sampled_from(["link", "advert", "none"]), MAYBE, st.none() | TOLD)
INSIDE = st.builds(
    Inside, *[INTEGERS] * 7, st.booleans(), INTEGERS, *[st.booleans()] * 7, *[INTEGERS] * 2,
    *[st.tuples(*[INTEGERS] * 3)] * 2,
)  # fmt: skip
TEMPLATES: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.just(
    ("table {table}: box {box}", {"table": 3, "box": "Żuraw", "more": 1})
) | TEXTS.map(lambda text: (text.replace("{", "{{").replace("}", "}}"), {}))
TO_SCREEN: st.SearchStrategy[ToScreen] = st.one_of(
    st.builds(Welcome, INTEGERS, TEXTS, st.booleans()),
    st.builds(Pulse, INTEGERS, INTEGERS, NUMBERS, INTEGERS),
    st.builds(TableHeard, HEARD),
    st.builds(lambda kind, box, said: NoticeTold(kind, box, *said), TEXTS, TEXTS, TEMPLATES),
    st.builds(
        Face, INTEGERS, st.booleans(), st.booleans(), st.tuples(*[TEXTS] * 4), st.tuples(*[INTEGERS] * 3),
        *[INTEGERS] * 4, st.booleans(), st.booleans(), st.none() | INSIDE,
    ),
    st.builds(lambda said: Refusal(*said), TEMPLATES),
)  # fmt: skip
FROM_SCREEN: st.SearchStrategy[FromScreen] = st.one_of(
    st.builds(Open, TEXTS, INTEGERS),
    st.builds(Look, INTEGERS),
    st.builds(Take, INTEGERS, st.booleans()),
    st.builds(Finger, INTEGERS, INTEGERS, st.booleans()),
    st.builds(Tap, INTEGERS, INTEGERS, st.booleans()),
    st.builds(Reach, INTEGERS, st.booleans()),
    st.builds(Power, INTEGERS, st.booleans()),
    st.builds(Speed, NUMBERS),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
FACE = Face(3, True, True, (" 0:40", "", "", ""), (1, 24, 0), 3, 0, 0, 0, False, False)


@given(TO_SCREEN)
def test_what_the_desk_says_arrives_as_it_was_said(message: ToScreen) -> None:
    line = line_of(message)

    assert to_screen(line) == message
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1


@given(FROM_SCREEN)
def test_what_a_screen_says_arrives_as_it_was_said(message: FromScreen) -> None:
    assert from_screen(line_of(message)) == message


@given(st.binary(max_size=200))
def test_garbage_is_refused_in_words(line: bytes) -> None:
    with contextlib.suppress(WrongInput):
        to_screen(line)
    with contextlib.suppress(WrongInput):
        from_screen(line)


@given(FROM_SCREEN, st.data())
def test_a_message_with_any_field_replaced_is_read_or_refused(message: FromScreen, data: st.DataObject) -> None:
    said = json.loads(line_of(message))
    said[data.draw(st.sampled_from(sorted(said)))] = data.draw(JSON)

    with contextlib.suppress(WrongInput):
        from_screen(json.dumps(said).encode())


@given(TO_SCREEN, st.data())
def test_what_the_desk_says_with_any_field_replaced_is_read_or_refused(message: ToScreen, data: st.DataObject) -> None:
    said = json.loads(line_of(message))
    said[data.draw(st.sampled_from(sorted(said)))] = data.draw(JSON)

    with contextlib.suppress(WrongInput):
        to_screen(json.dumps(said).encode())


@given(FROM_SCREEN, st.data())
def test_a_missing_or_a_further_field_is_refused(message: FromScreen, data: st.DataObject) -> None:
    said = json.loads(line_of(message))
    missing = dict(said)
    del missing[data.draw(st.sampled_from(sorted(said)))]

    for wrong in (missing, {**said, "more": 1}):
        with pytest.raises(WrongInput):
            from_screen(json.dumps(wrong).encode())


@pytest.mark.parametrize(
    "change",
    [
        {"table": True}, {"table": 3.0}, {"table": "3"}, {"table": None}, {"table": 2**63}, {"powered": 1},
        {"displays": ["", "", ""]}, {"displays": ["", "", "", 4]}, {"displays": "abcd"}, {"ring": [1, 2, None]},
        {"ring": [1, 2]}, {"inside": {"state": 1}},
    ],
    ids=str,
)  # fmt: skip
def test_a_field_of_a_wrong_type_is_refused(change: dict[str, Any]) -> None:
    said = json.loads(line_of(FACE))

    with pytest.raises(WrongInput, match=rf"^face\.{next(iter(change))}.*: "):
        to_screen(json.dumps({"say": "face", "face": {**said["face"], **change}}).encode())


@pytest.mark.parametrize("say", ["look", None, ["face"], 3])
def test_a_line_is_refused_that_says_it_is_none_of_the_messages(say: object) -> None:
    said = json.loads(line_of(FACE))

    with pytest.raises(WrongInput, match=r"^say: "):
        to_screen(json.dumps({**said, "say": say}).encode())


@pytest.mark.parametrize("field", ["table", "seen_ms", "told"])
def test_a_boxs_numbers_are_no_longer_than_others(field: str) -> None:
    heard = json.loads(line_of(TableHeard(Heard("7", 1, "link", 1, Told(*[1] * 13)))))
    for number in (2**63, -(2**63) - 1):
        heard["heard"][field] = {**heard["heard"]["told"], "bank": number} if field == "told" else number
        with pytest.raises(WrongInput, match="too large"):
            to_screen(json.dumps(heard).encode())


def nested(depth: int) -> dict[str, object]:
    return {"more": {"template": "{more}", "data": nested(depth - 1)}} if depth else {"more": 1}


def test_sentences_within_sentences_end_somewhere() -> None:
    said = {"say": "refusal", "template": "{more}", "data": nested(DEEPEST)}
    assert isinstance(to_screen(json.dumps(said).encode()), Refusal)

    for depth in (DEEPEST + 1, 5 * DEEPEST):
        with pytest.raises(WrongInput, match="too deep"):
            to_screen(json.dumps({**said, "data": nested(depth)}).encode())


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\n", b"null", b"[]", b"{}", b'{"say":"speed","times":NaN}', b'{"say":"speed","times":Infinity}',
        b'{"say":"speed","times":1e999}', b'{"say":"open","token":"\\ud800","protocol":1}', b"\xff\xfe",
        b'{"say":"open"' + b" " * LONGEST, b"[" * (LONGEST - 1), b'{"say":"look","table":' + b"9" * 6000 + b"}",
        b'{"say":"welcome","protocol":1,"name":"","simulated":true}',
    ],
    ids=lambda line: repr(line[:40]),
)  # fmt: skip
def test_a_line_that_no_screen_says_is_refused(line: bytes) -> None:
    with pytest.raises(WrongInput):
        from_screen(line)


@pytest.mark.parametrize("name", ["", "0", "table.__class__", "table[0]", "a b", "-"])
def test_a_field_that_is_no_name_is_refused_even_if_the_data_has_it(name: str) -> None:
    line = json.dumps({"say": "refusal", "template": f"{{{name}}}", "data": {"table": 3, name: 4}}).encode()

    with pytest.raises(WrongInput):
        to_screen(line)


@pytest.mark.parametrize(
    "template", ["{gone}", "{table.__class__}", "{table:999999999}", "{table!r}", "{", "{0}", "{}"]
)
def test_words_that_their_data_does_not_fit_are_refused(template: str) -> None:
    line = json.dumps({"say": "refusal", "template": template, "data": {"table": 3}}).encode()

    with pytest.raises(WrongInput):
        to_screen(line)
