"""JSON as others write it: one object or one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.scoring.sheets import json_object
from dalej.errors import WrongInput

UNREADABLE = {
    "empty": ("", "here, line 1, column 1: expected JSON, but the reader says: Expecting value"),
    "cut off": ('{"a":\n1', "here, line 2, column 2: expected JSON, but the reader says: Expecting ',' delimiter"),
    "a list": ("[]", "here: expected one JSON object, in braces"),
    "not a number": ('{"a": NaN}', "here: NaN is not a number that JSON knows"),
    "without end": ('{"a": [-Infinity]}', "here: -Infinity is not a number that JSON knows"),
    "a key twice": ('{"a": {"b": 1, "b": 1}}', 'here: the key "b" is there twice, expected once'),
    "too many digits": ('{"a": ' + "1" * 5000 + "}", "here: a number is too long to be read"),
    "too deep": ("[" * 100_000, "here: lists within lists go too deep to be read"),
    "half a character": ('{"a": "\\ud800"}', "here: a text holds half a character, expected Unicode"),
}


@pytest.mark.parametrize(("text", "sentence"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_not_one_object_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(WrongInput) as refused:
        json_object(text, "here")

    assert str(refused.value) == sentence


VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@given(st.dictionaries(st.text(), VALUES | st.lists(VALUES)))
def test_every_object_is_read_as_it_was_written(data: dict[str, Any]) -> None:
    assert json_object(json.dumps(data), "here") == data
