"""The pinned session: what box and desk say to each other is what was pinned, byte for byte.

The box alone, on both interpreters: tests/core/test_pinned_session.py.
"""

from __future__ import annotations

import json

from tests.link.pinned_session import FILE, played


def test_box_and_desk_say_to_each_other_what_boxes_in_the_field_expect() -> None:
    pinned = json.loads(FILE.read_text(encoding="utf-8"))["said"]

    assert [list(one) for one in played()] == pinned


def test_every_kind_of_frame_but_a_refusal_is_in_it() -> None:
    pinned = json.loads(FILE.read_text(encoding="utf-8"))["said"]

    plain = {frame[:2] for _, _, frame in pinned}
    assert plain == {"00", "01", "02", "03", "04"}
    assert {who for _, who, _ in pinned} == {"box", "desk"}
