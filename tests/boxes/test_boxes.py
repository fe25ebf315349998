"""The list of the club's boxes: found as people speak of them, and never half written or half lost."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.boxes.paired import LATEST_MS, OwnBox, OwnBoxes, expect_boxes, natural
from dalej.errors import Damaged, Refused, WrongInput
from dalej.words import advised
from tests.cli.club import PAIRED, own_box

NUMBER = bytes(range(16))

_KEEP = """
import sys
from pathlib import Path
from dalej.boxes.paired import OwnBox, OwnBoxes
boxes, own = OwnBoxes(Path(sys.argv[1])), int(sys.argv[2])
sys.stdin.readline()
for number in range(own, own + 10):
    boxes.keep(OwnBox(f"{number:012x}", str(number), 0, 1))
"""


def older_box(number: int, name: str | None = None, paired_ms: int = PAIRED) -> OwnBox:
    """As it was kept before pairings had numbers."""
    return replace(own_box(number, name, paired_ms=paired_ms), number="")


@pytest.fixture
def boxes(folder: Path) -> OwnBoxes:
    """1, 2, 10, and a spare one."""
    own = OwnBoxes(folder)
    for one in (older_box(10), older_box(2), older_box(1207, "Spare"), older_box(1)):
        own.keep(one)
    return own


def test_numbers_come_in_their_order_and_names_after_them(boxes: OwnBoxes) -> None:
    assert [one.name for one in boxes] == ["1", "2", "10", "Spare"]


@pytest.mark.parametrize("text", ["Spare", "spare ", "240ac4001207", "24:0A:C4:00:12:07", "240ac4001", "207", "1207"])
def test_a_box_is_found_by_what_people_know_of_it(boxes: OwnBoxes, text: str) -> None:
    assert boxes.find(text) == older_box(1207, "Spare")


def test_a_name_goes_before_an_end_of_a_uid(boxes: OwnBoxes) -> None:
    boxes.keep(older_box(7, "207"))
    assert boxes.find("207") == older_box(7, "207")


def test_who_is_not_there_is_told_with_those_who_are(boxes: OwnBoxes) -> None:
    with pytest.raises(WrongInput, match="no box 3 on the club's list: expected one of 1, 2, 10, Spare"):
        boxes.find("3")


def test_a_beginning_that_may_be_several_names_them(boxes: OwnBoxes) -> None:
    with pytest.raises(WrongInput, match=r"may be any of 1 \(240ac4000001\), 2 "):
        boxes.find("240a")


def test_a_club_without_boxes_says_how_it_gets_one(folder: Path) -> None:
    assert list(OwnBoxes(folder)) == []
    with pytest.raises(WrongInput) as caught:
        OwnBoxes(folder).find("1")
    assert advised(caught.value).endswith("the club's list is empty; dalej box pair PORT puts a box on it")


def test_a_box_is_kept_once_and_its_latest_entry_counts(boxes: OwnBoxes) -> None:
    boxes.keep(older_box(2, "two", PAIRED + 1))
    assert boxes.find("240ac4000002") == older_box(2, "two", PAIRED + 1)
    assert len(list(boxes)) == 4


def test_two_boxes_of_one_name_are_refused_with_a_free_one(boxes: OwnBoxes) -> None:
    with pytest.raises(Refused, match=r"240ac4001207 is called Spare already: .* such as 3"):
        boxes.keep(older_box(5, "SPARE"))
    with pytest.raises(Refused, match="is called Spare already"):
        boxes.expect_free("spare", older_box(5).uid)
    boxes.expect_free("spare", older_box(1207).uid)


@pytest.mark.parametrize("name", ["", " 7", "x" * 21, "7\n", "\x1b[2J"])
def test_what_cannot_be_written_on_a_box_is_no_name(boxes: OwnBoxes, name: str) -> None:
    with pytest.raises(WrongInput, match="is no name for a box"):
        boxes.keep(replace(older_box(5), name=name))


@pytest.mark.parametrize(
    ("name", "says"),
    [("A/1", "take it for a port"), ("Stół 4/B", "take it for a port"), ("a\\b", "take it for a port"),
     ("COM3", "take it for a port"), ("com12", "take it for a port"), ("240ac4000002", "reads as the uid of one"),
     ("24:0A:C4:00:00:02", "reads as the uid of one"), ("-7", "take it for an option")],
)  # fmt: skip
def test_what_means_something_else_where_it_is_typed_is_no_name(boxes: OwnBoxes, name: str, says: str) -> None:
    with pytest.raises(WrongInput, match=f"is no name for a box: .*{says}"):
        boxes.keep(replace(older_box(5), name=name))
    with pytest.raises(WrongInput, match="is no name for a box"):
        boxes.expect_free(name, older_box(5).uid)


def test_a_name_that_nobody_gets_any_more_is_kept_by_the_box_that_has_it(folder: Path) -> None:
    folder.mkdir()
    entry = {"uid": older_box(5).uid, "name": "A/1", "build": 1, "paired_ms": PAIRED}
    (folder / "boxes.json").write_text(json.dumps({"version": 1, "boxes": [entry]}), encoding="utf-8")
    own = OwnBoxes(folder)
    assert own.find(older_box(5).uid).name == "A/1"
    own.keep(replace(older_box(5), name="A/1", paired_ms=PAIRED + 1))
    assert own.find(older_box(5).uid).paired_ms == PAIRED + 1


def test_a_name_is_the_same_in_whichever_of_two_ways_its_letters_are_written(boxes: OwnBoxes) -> None:
    composed, decomposed = (unicodedata.normalize(form, "Żółw") for form in ("NFC", "NFD"))
    boxes.keep(replace(older_box(5), name=decomposed))
    assert boxes.find(composed).name == boxes.find(decomposed.upper()).name == composed
    with pytest.raises(Refused, match="is called Żółw already"):
        boxes.keep(replace(older_box(6), name=decomposed))
    assert boxes.merge([replace(older_box(7), name=decomposed)]) == [(decomposed, older_box(7, "3"))]


def test_a_forgotten_box_is_off_the_list_and_cannot_be_forgotten_again(boxes: OwnBoxes) -> None:
    boxes.forget("240ac4000002")
    assert [one.name for one in boxes] == ["1", "10", "Spare"]
    with pytest.raises(Refused, match="not on the club's list any more"):
        boxes.forget("240ac4000002")


def test_the_free_name_is_the_smallest_number(boxes: OwnBoxes, folder: Path) -> None:
    assert (boxes.free_name(), OwnBoxes(folder / "new").free_name()) == ("3", "1")


def test_two_programs_that_write_at_once_lose_nothing(folder: Path) -> None:
    together = [
        subprocess.Popen([sys.executable, "-c", _KEEP, str(folder), str(own)], stdin=subprocess.PIPE, text=True)
        for own in (100, 200, 300)
    ]
    for one in together:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    assert [one.communicate(timeout=60) and one.returncode for one in together] == [0, 0, 0]
    assert [int(one.name) for one in OwnBoxes(folder)] == [
        *range(100, 110), *range(200, 210), *range(300, 310),
    ]  # fmt: skip


def listed(**wrong: object) -> str:
    """A list whose second box says something else than such a box."""
    return json.dumps({"version": 1, "boxes": [asdict(older_box(1)), {**asdict(older_box(2)), **wrong}]})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "expected JSON from its beginning"), ('{"boxes": +}', "byte 10: expected JSON"),
        ('{"version": 1, "boxes": [{"uid": "\udcff"}]}', "expected UTF-8"),
        ("[]", "expected an object in braces, found a list"), ('{"version": 2, "boxes": {}}', "another version"),
        ("{}", "version is missing"), ('{"version": 1}', "boxes is missing"),
        ('{"version": 1, "boxes": {}}', "boxes: expected a list"),
        ('{"version": 1, "boxes": [7]}', "boxes[0]: expected an object in braces, found a whole number"),
        ('{"version": 1, "boxes": [{}]}', "boxes[0]: uid is missing"), ("[" * 100_000, "expected"),
        (listed(uid="1"), "boxes[1].uid: expected a text like"), (listed(uid="AB" * 6), "boxes[1].uid: "),
        (listed(uid=f"{older_box(2).uid}\n"), "boxes[1].uid: "), (listed(uid=None), "boxes[1].uid: expected a text"),
        (listed(build=256), "boxes[1].build: expected a whole number <= 255"), (listed(build=True), "boxes[1].build: "),
        (listed(paired_ms=LATEST_MS), "boxes[1].paired_ms: expected"), (listed(paired_ms=-1), "boxes[1].paired_ms: "),
        (listed(paired_ms=99999999999999999), "boxes[1].paired_ms: "), (listed(number="ab"), "boxes[1].number: "),
        (listed(name=" 2"), "boxes[1].name: ' 2' is no name"), (listed(name=""), "boxes[1].name: '' is no name"),
        (listed(name="1"), "boxes[1]: box 1 is there twice"), (listed(uid=older_box(1).uid), "box 2 is there twice"),
    ],
)  # fmt: skip
def test_a_list_that_cannot_be_read_is_damage_that_is_named_and_stays(folder: Path, text: str, says: str) -> None:
    folder.mkdir()
    kept = text.encode(errors="surrogateescape")
    (folder / "boxes.json").write_bytes(kept)
    own = OwnBoxes(folder)
    with pytest.raises(Damaged, match=re.escape(says)):
        list(own)
    with pytest.raises(Damaged, match=re.escape(says)):
        own.keep(older_box(1))
    assert (folder / "boxes.json").read_bytes() == kept


def test_another_laptops_boxes_join_and_of_one_that_both_know_the_later_pairing_counts(boxes: OwnBoxes) -> None:
    renamed = boxes.merge([older_box(1, "one", PAIRED - 1), older_box(2, "two", PAIRED + 1), older_box(11)])
    assert ([one.name for one in boxes], renamed) == (["1", "10", "11", "Spare", "two"], [])


def test_an_older_export_of_ones_own_does_not_take_new_names_back(boxes: OwnBoxes) -> None:
    exported = list(boxes)
    boxes.keep(older_box(1, "away"))
    boxes.keep(older_box(2, "1"))
    boxes.keep(older_box(1, "2"))
    assert boxes.merge(exported) == []
    assert (boxes.find("1"), boxes.find("2")) == (older_box(2, "1"), older_box(1, "2"))


def test_a_box_whose_name_is_another_ones_here_gets_a_number_that_is_free_in_both(boxes: OwnBoxes) -> None:
    renamed = boxes.merge([older_box(20, "spare"), older_box(21, "3")])
    assert renamed == [("spare", older_box(20, "4"))]
    assert [one.name for one in boxes] == ["1", "2", "3", "4", "10", "Spare"]


def test_boxes_of_a_secret_that_was_replaced_give_up_their_names_and_must_be_paired_anew(boxes: OwnBoxes) -> None:
    renamed = boxes.merge([older_box(30, "1"), older_box(2)], outdated=True)
    assert renamed == [("1", older_box(1, "3", 0))]
    assert {one.name: one.paired_ms for one in boxes} == {"1": PAIRED, "2": PAIRED, "3": 0, "10": 0, "Spare": 0}


own_boxes = st.builds(
    OwnBox,
    uid=st.integers(0, 5).map("{:012x}".format),
    name=st.text("ab12", min_size=1, max_size=2),
    build=st.integers(0, 3),
    paired_ms=st.integers(0, 3),
)
lists = st.lists(own_boxes, unique_by=lambda one: one.uid).map(
    lambda found: list({one.name.casefold(): one for one in found}.values())
)


@given(here=lists, brought=lists, outdated=st.booleans())
def test_a_merge_loses_no_box_and_leaves_a_list_that_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, here: list[OwnBox], brought: list[OwnBox], outdated: bool
) -> None:
    folder = tmp_path_factory.mktemp("club")
    own = OwnBoxes(folder)
    own.merge(here)
    own.merge(brought, outdated=outdated)
    merged = list(own)
    assert {one.uid for one in merged} == {one.uid for one in (*here, *brought)}
    expect_boxes(merged)


def test_numbers_within_a_name_are_numbers() -> None:
    assert natural("box 9") < natural("Box 10") < natural("box 10a") < natural("spare")


def test_what_is_being_paired_has_its_name_already_and_is_paired_at_the_end(folder: Path) -> None:
    boxes = OwnBoxes(folder)
    with (
        boxes.pairing("240ac4001207", None, 0, 5, NUMBER) as one,
        boxes.pairing("240ac4001208", None, 0, 6, NUMBER) as other,
    ):
        assert [(box.name, box.paired_ms) for box in boxes] == [("1", 0), ("2", 0)]
    assert list(boxes) == [one, other]
    assert [(box.name, box.paired_ms) for box in boxes] == [("1", 5), ("2", 6)]


def test_a_pairing_leaves_its_number_and_the_next_one_another(folder: Path) -> None:
    boxes, uid = OwnBoxes(folder), bytes.fromhex("240ac4001207")
    assert boxes.number_of(uid) == b""
    for number in (NUMBER, NUMBER[::-1]):
        with boxes.pairing(uid.hex(), None, 0, 5, number):
            assert boxes.number_of(uid) == number, "its secret is made of it while it is paired"
        assert boxes.number_of(uid) == number
    boxes.forget(uid.hex())
    assert boxes.number_of(uid) == b""


def test_a_box_from_before_pairings_had_numbers_must_be_paired_anew(folder: Path) -> None:
    boxes = OwnBoxes(folder)
    boxes.keep(older_box(1))
    with boxes.pairing("240ac4001207", None, 0, PAIRED, NUMBER):
        assert [one.outdated for one in boxes] == [True, True]
    assert {one.uid: one.outdated for one in boxes} == {"240ac4000001": True, "240ac4001207": False}


def test_a_name_that_another_box_has_is_refused_before_it_is_paired(folder: Path) -> None:
    boxes = OwnBoxes(folder)
    boxes.keep(OwnBox("240ac4001207", "7", 0, 1))
    with (
        pytest.raises(Refused, match="240ac4001207 is called 7 already"),
        boxes.pairing("240ac4001208", "7", 0, 2, NUMBER),
    ):
        raise AssertionError("it is not begun")
    assert [box.uid for box in boxes] == ["240ac4001207"]


class Pulled(Exception):
    """The cable."""


def pull(boxes: OwnBoxes, name: str | None, *, after: OwnBox) -> None:
    """The cable, while box 240ac4001207 is paired under that name, and somebody keeps another entry."""
    with boxes.pairing("240ac4001207", name, 0, 2, NUMBER):
        boxes.keep(after)
        raise Pulled


def test_what_could_not_be_paired_is_on_the_list_as_before(folder: Path) -> None:
    boxes, before = OwnBoxes(folder), OwnBox("240ac4001207", "7", 0, 1)
    boxes.keep(before)

    with (
        pytest.raises(Pulled),
        boxes.pairing("240ac4001207", "8", 1, 2, NUMBER),
        boxes.pairing("240ac4001208", None, 0, 2, NUMBER),
    ):
        raise Pulled
    assert list(boxes) == [before]


def test_a_name_that_was_given_up_and_is_anothers_by_now_stays_that_ones(folder: Path) -> None:
    boxes = OwnBoxes(folder)
    boxes.keep(OwnBox("240ac4001207", "7", 0, 1))

    with pytest.raises(Pulled):
        pull(boxes, "8", after=OwnBox("240ac4001208", "7", 0, 3))
    assert [(box.name, box.uid, box.paired_ms) for box in boxes] == [("7", "240ac4001208", 3), ("8", "240ac4001207", 1)]


def test_what_somebody_has_changed_meanwhile_is_not_taken_back(folder: Path) -> None:
    boxes = OwnBoxes(folder)

    with pytest.raises(Pulled):
        pull(boxes, None, after=OwnBox("240ac4001207", "spare", 0, 3))
    assert [box.name for box in boxes] == ["spare"]
