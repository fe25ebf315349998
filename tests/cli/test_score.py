"""`dalej score` as a person and as a program runs it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.conftest import Program

EXAMPLES = Path(__file__).parents[2] / "examples"
SHEET: dict[str, Any] = {
    "ruleset": "school-league",
    "ended": "went_out",
    "players": [
        {"seat": "A", "name": "Lis", "tiles": [12, 7, "joker"], "opened": True, "could_have_opened": False,
         "announced": False},
        {"seat": "B", "name": "Sowa", "tiles": []},
        {"seat": "C", "name": "Jeż", "opened": False},
    ],
}  # fmt: skip

Write = Callable[[object], str]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Writes a sheet, JSON data or bytes, and gives its name."""

    def write(sheet: object) -> str:
        data = sheet if isinstance(sheet, bytes) else json.dumps(sheet).encode()
        (tmp_path / "sheet.json").write_bytes(data)
        return "sheet.json"

    return write


def test_a_program_gets_seats_in_the_order_of_the_sheet_with_points_places_and_reasons(
    dalej: Program, written: Write
) -> None:
    done = dalej("score", written(SHEET), "--json")

    assert (done.code, done.err) == (0, "")
    (found,) = done.objects
    assert set(found) == {"players"}
    assert [
        (one["seat"], one["name"], one["small"], one["big"], one["place"]) for one in found["players"]
    ] == [("A", "Lis", -69, 0, 2), ("B", "Sowa", 169, 1, 1), ("C", "Jeż", -100, 0, 3)]  # fmt: skip
    assert any("6m" in reason and "minus 50 punktów" in reason for reason in found["players"][0]["reasons"])
    assert any("6n" in reason and "minus 100 punktów" in reason for reason in found["players"][2]["reasons"])


def test_where_the_ruleset_knows_no_big_points_big_is_null(dalej: Program, written: Write) -> None:
    done = dalej("score", written(SHEET | {"ruleset": "it-classic", "players": SHEET["players"][:2]}), "--json")

    assert [one["big"] for one in done.objects[0]["players"]] == [None, None]


def test_a_person_gets_a_table_best_first_reasons_and_each_quote_once(dalej: Program, written: Write) -> None:
    lines = dalej("score", written(SHEET)).out.splitlines()

    assert lines[0].split() == ["place", "seat", "player", "small", "points", "big", "points"]
    assert [line.split() for line in lines[1:4]] == [
        ["1", "B", "Sowa", "+169", "1"], ["2", "A", "Lis", "−69", "0"], ["3", "C", "Jeż", "−100", "0"],
    ]  # fmt: skip
    assert "   jokers on the rack: 1, each −50 [6m]" in lines
    assert sum(line.startswith("[6p]") for line in lines) == 1


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("score-*.json")), ids=lambda path: str(path.stem))
def test_the_examples_score(dalej: Program, example: Path) -> None:
    assert dalej("score", str(example)).code == 0
    assert dalej("score", str(example), "--json").objects[0]["players"]


def test_a_sheet_comes_through_standard_input(dalej: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(SHEET).encode("utf-8-sig"))))

    assert dalej("score", "-", "--json").objects[0]["players"][2]["name"] == "Jeż"


def test_an_organisers_own_ruleset_is_used(dalej: Program, written: Write, tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "host/dalej/rulesets/school-league.toml"
    text = shipped.read_text(encoding="utf-8")
    start = text.index("value = 50", text.index("[scoring.joker_points]"))
    own = text[:start] + "value = 30" + text[start + len("value = 50") :]
    (tmp_path / "own.toml").write_text(own, encoding="utf-8")

    done = dalej("score", written(SHEET | {"ruleset": "own.toml"}), "--json")

    assert done.objects[0]["players"][0]["small"] == -49


REFUSED: dict[str, tuple[object, str]] = {
    "an unknown ruleset": (SHEET | {"ruleset": "chess"}, "chess is not a ruleset, expected a file or one of "),
    "no ruleset": ({"ended": "went_out", "players": []}, "sheet.json: ruleset is missing, expected a file or one of"),
    "a ruleset that is no text": (SHEET | {"ruleset": 5}, "sheet.json: ruleset is no text"),
    "a ruleset that no file can be": (SHEET | {"ruleset": "x" * 5000}, "xxx"),
    "no ending": (
        SHEET | {"ended": "won"},
        'sheet.json: ended is "won", expected one of went_out, bank_empty, round_time, last_seat',
    ),
    "two empty racks": (
        SHEET | {"players": [{"seat": "A", "points": 0}, {"seat": "B", "points": 0}]},
        "racks that are empty: those of seats A, B; only one can go out, so 1 too many",
    ),
    "a boolean for points": (
        SHEET | {"players": [{"seat": "A", "points": True}]},
        "sheet.json, seat A: points is true, expected a whole number, 0 or more",
    ),
    "not JSON": (b"{", "sheet.json, line 1, column 2: expected JSON"),
    "not a number": (b'{"ruleset": NaN}', "sheet.json: NaN is not a number"),
    "a key twice": (b'{"ended": 1, "ended": 2}', 'sheet.json: the key "ended" is there twice'),
    "no object": (b"[]", "sheet.json: expected one JSON object"),
    "not UTF-8": ("\n{„".encode("cp1250"), "sheet.json, line 2: expected text in UTF-8"),
    "huge": (b" " * (1024 * 1024 + 1), "sheet.json is larger than the 1048576 bytes of a score sheet"),
}  # fmt: skip


@pytest.mark.parametrize(("sheet", "sentence"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["for people", "for programs"])
def test_what_cannot_be_scored_is_refused_in_one_sentence(
    dalej: Program, written: Write, sheet: object, sentence: str, options: tuple[str, ...]
) -> None:
    done = dalej("score", written(sheet), *options)

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(sentence)
    assert done.err.count("\n") == 1


def test_a_file_that_is_not_there_is_refused(dalej: Program) -> None:
    done = dalej("score", "no.json")

    assert done.code == 1
    assert done.err.startswith("no.json cannot be read")


def test_names_that_would_steer_a_terminal_do_not(dalej: Program, written: Write) -> None:
    named = [{"seat": "A", "name": "\x1b[2JLis", "points": 0}, {"seat": "B", "points": 3}]

    assert "\x1b" not in dalej("score", written(SHEET | {"players": named})).out
