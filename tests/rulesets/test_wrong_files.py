"""A ruleset file that is wrong gets one sentence: file, line, key, what is there, what is allowed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.rules.ruletext import faults, parse
from dalej.errors import WrongInput
from dalej.rulesets import rulebook

SOURCE = Path(rulebook.__file__).parent / "school-league.toml"
TEXT = SOURCE.read_text(encoding="utf-8")


def refusal(text: str) -> str:
    with pytest.raises(WrongInput) as refused:
        parse(text, "ours.toml")
    assert "\n" not in str(refused.value)
    return str(refused.value)


def changed(old: str, new: str) -> str:
    """The school league's text with one line changed."""
    assert TEXT.count(old) >= 1, old
    return TEXT.replace(old, new, 1)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_the_text_as_it_ships_is_right() -> None:
    assert parse(TEXT, "ours.toml").limit_ms == 40_000


def test_an_organiser_changes_the_limit_in_a_copy(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_text(changed("value = 40_000", "value = 45_000"), encoding="utf-8")
    assert rulebook.load(own).limit_ms == 45_000
    assert rulebook.load(str(own)) == rulebook.load(own)


def test_a_file_from_a_windows_editor_is_read(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert rulebook.load(own) == rulebook.load("school-league")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param("value = 40_000", "value = 4_999",
                     "clock.limit_ms.value is 4999, expected a whole number from 5000 to 3600000", id="out-of-range"),
        pytest.param('value = "flag"', 'value = "warn"',
                     'clock.draw.value is "warn", expected one of off, flag, block', id="no-option"),
        pytest.param("value = true", "value = 1",
                     "table.redeal_allowed.value is 1, expected true or false", id="neither-yes-nor-no"),
        pytest.param('value = "unknown"', 'value = "many"',
                     'time_out.takes_invalid_tiles.value is "many", expected a whole number from 0 to 104 or "unknown"',
                     id="neither-number-nor-unknown"),
        pytest.param("value = 100\n", 'value = "lots"\n',
                     'scoring.never_opened_points.value is "lots", expected a whole number from 0 to 1000 or "rack"',
                     id="neither-number-nor-rack"),
        pytest.param("value = 106", "value = 7",
                     "table.tiles.value is 7, expected a whole number from 100 to 120", id="too-few-tiles-for-four"),
        pytest.param("value = 4\n", "value = 2\n",
                     "table.seats_min.value is 3, expected no more than seats_max, which is 2",
                     id="fewest-above-most-seats"),
        pytest.param("value = 20\n", "value = 40\n",
                     "format.players_min.value is 40, expected no more than players_max, which is 32",
                     id="fewest-above-most-players"),
        pytest.param("value = 200\n", "value = 50\n",
                     "scoring.never_opened_points.value is 100, expected no more than could_have_opened_points, which "
                     "is 50",
                     id="penalties-the-wrong-way-round"),
        pytest.param("value = [1, 0, 0]\n", 'value = "none"\n',
                     "format.ranking.value is big_then_small, expected small, since big_points_3 is none",
                     id="ranked-by-points-there-are-none-of"),
        pytest.param("modifiable = true", "allows = [30_000, 1]",
                     "clock.limit_ms.allows is 1, expected a whole number from 5000 to 3600000",
                     id="permits-out-of-range"),
        pytest.param("modifiable = true", 'allows_quote = "so sei es"',
                     "clock.limit_ms.allows_quote permits nothing, expected allows or modifiable beside it",
                     id="permits-nothing"),
        pytest.param("modifiable = true", 'why = "Because."',
                     "clock.limit_ms.why explains a choice of ours, expected ours = true", id="explains-no-choice"),
        pytest.param('value = 40_000\nclause = "6h"', 'value = 40_000\nclause = " "',
                     'clock.limit_ms.clause is " ", expected a text that is not empty', id="empty-clause"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused_where_its_rule_stands(old: str, new: str, said: str) -> None:
    text = changed(old, new)
    refused = refusal(text)
    line = int(refused.partition("line ")[2].partition(":")[0])
    section = [one for one in text.splitlines()[:line] if one.startswith("[")][-1]
    assert refused == f"ours.toml, line {line}: {said}"
    assert said.startswith(section.strip("[]"))


@pytest.mark.parametrize("found", ['"40 s"', "40.0", "true", "[40_000]", "2024-01-01", "3_600_001", "-1", "{ ms = 1 }"])
def test_a_value_of_the_wrong_type(found: str) -> None:
    text = changed("value = 40_000", f"value = {found}")
    said = refusal(text)
    assert said.startswith(f"ours.toml, line {line_of(TEXT, 'value = 40_000')}: clock.limit_ms.value is ")
    assert said.endswith("expected a whole number from 5000 to 3600000")


def test_an_unknown_value_names_those_there_are() -> None:
    text = changed("[clock.limit_ms]", "[clock.limit]")
    said = refusal(text)
    assert said.startswith(f"ours.toml, line {line_of(text, '[clock.limit]')}: clock.limit is unknown, expected one of")
    assert "limit_ms" in said


def test_an_unknown_section() -> None:
    text = TEXT + "\n[weather]\nrain = true\n"
    assert f"ours.toml, line {line_of(text, '[weather]')}: weather is unknown" in refusal(text)


def test_an_unknown_attribute() -> None:
    text = changed("modifiable = true", "modifyable = true")
    said = refusal(text)
    assert said.startswith(f"ours.toml, line {line_of(text, 'modifyable')}: clock.limit_ms.modifyable is unknown")


def test_a_missing_value() -> None:
    text = re.sub(r"\[clock\.guard_ms\]\n(.+\n)+", "", TEXT)
    assert refusal(text) == f"ours.toml, line {line_of(text, '[clock.limit_ms]')}: clock.guard_ms is missing"


def test_a_missing_clause() -> None:
    text = changed('value = 40_000\nclause = "6h"', "value = 40_000")
    assert refusal(text) == f"ours.toml, line {line_of(text, '[clock.limit_ms]')}: clock.limit_ms.clause is missing"


def test_a_missing_name() -> None:
    assert refusal(changed('id = "school-league"\n', "")) == "ours.toml, line 1: id is missing"


def test_a_name_that_is_no_id() -> None:
    assert 'line 4: id is "School League", expected small letters' in refusal(changed("school-league", "School League"))


def test_a_value_where_a_table_belongs() -> None:
    text = re.sub(r"\[clock\.guard_ms\]\n(.+\n)+", "[clock]\nguard_ms = 300\n", TEXT)
    assert refusal(text).endswith("clock.guard_ms is 300, expected a table [clock.guard_ms]"), (
        "an inline table would do, a bare number does not"
    )


def test_ours_without_a_sentence() -> None:
    text = re.sub(r'\nwhy = "The text sets no time .+"', "", TEXT)
    assert "clock.claim_window_ms.ours is ours and not the text's, expected a sentence under why" in refusal(text)


def test_a_syntax_error_names_its_line() -> None:
    text = changed("value = 40_000", "value = 40 000")
    assert refusal(text).startswith(f"ours.toml, line {line_of(text, '40 000')}: expected TOML, but the reader says: ")


def test_a_text_that_breaks_off() -> None:
    text = 'id = "school-league'
    assert refusal(text).startswith("ours.toml, line 1: expected TOML, but the reader says: ")


@pytest.mark.parametrize("text", ["a = " + "[" * 5_000, "a = " + "9" * 5_000, "a" + ".b" * 2_000 + " = 1"])
def test_a_text_made_to_break_the_reader(text: str) -> None:
    assert refusal(text).startswith("ours.toml, line 1: ")


def test_an_id_that_is_not_known_lists_those_that_are() -> None:
    with pytest.raises(WrongInput) as refused:
        rulebook.load("polish-championship")
    assert str(refused.value) == (
        "polish-championship is not a ruleset, expected a file or one of "
        "it-classic, pl-championship, pl-eliminations, school-league, wejherowo-championship"
    )


def test_a_path_where_there_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="is not a file, expected a ruleset file or one of it-classic"):
        rulebook.load(tmp_path / "none.toml")


def test_a_folder_is_not_a_ruleset(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="is not a file"):
        rulebook.load(tmp_path)


def test_a_file_in_another_encoding_names_the_line(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_bytes(TEXT.encode("utf-16"))
    with pytest.raises(WrongInput, match=r"line 1: expected text in UTF-8"):
        rulebook.load(own)
    own.write_bytes(b"# one\n# two\n# \xb9\n")
    with pytest.raises(WrongInput, match=r"ours\.toml, line 3: expected text in UTF-8"):
        rulebook.load(own)


def test_a_file_that_is_far_too_large(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_bytes(b"#" * 300_000)
    with pytest.raises(WrongInput, match="is larger than"):
        rulebook.load(own)


LINES = TEXT.split("\n")


@given(st.integers(0, len(LINES) - 1), st.text(max_size=30))
def test_whatever_stands_in_a_line_is_read_or_refused_in_one_sentence(line: int, text: str) -> None:
    said = ""
    try:
        parse("\n".join([*LINES[:line], text, *LINES[line + 1 :]]), "ours.toml")
    except WrongInput as refused:
        said = str(refused)
    assert re.fullmatch(r"|ours\.toml, line \d+: .+", said)


@given(
    st.sampled_from([(at, line) for at, line in enumerate(LINES, start=1) if re.fullmatch("value = .*[^[]", line)]),
    st.data(),
)
def test_a_wrong_value_is_found_on_its_own_line(place: tuple[int, str], data: st.DataObject) -> None:
    at, line = place
    wrong = data.draw(st.sampled_from(['"nobody"', "-1_001", "1_000_000_000", "0.5", "[]", "{}"]))
    text = "\n".join([*LINES[: at - 1], f"value = {wrong}", *LINES[at:]])
    said = refusal(text)
    assert said.startswith(f"ours.toml, line {at}: "), (line, said)


# --- what scoring, format and paper may hold ---


@pytest.mark.parametrize("found", ["[1, 0, 0]", "[1, 0, 0, 101]", "[1, 0, 0, -1]", "[1, 0, 0, true]", '"some"', "4"])
def test_a_scale_that_is_none(found: str) -> None:
    said = refusal(changed("value = [1, 0, 0, 0]", f"value = {found}"))
    assert said.startswith(f"ours.toml, line {line_of(TEXT, 'value = [1, 0, 0, 0]')}: scoring.big_points_4.value is ")
    assert said.endswith('expected 4 whole numbers from 0 to 100, or "none"')


LEAGUE = '{ id = "league", rounds = 6, games = 4, first = "lot", later = "rank" }'


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        ('{ id = "League" }', 'id of stage 1 in format.stages.value is "League", expected small letters and digits'),
        ("{ rounds = 6 }", 'id of stage 1 in format.stages.value is "", expected small letters and digits'),
        ('{ id = "a", rounds = 0 }', "rounds of stage 1 in format.stages.value is 0, expected a whole number from 1"),
        ('{ id = "a", games = "2" }', 'games of stage 1 in format.stages.value is "2", expected a whole number'),
        ('{ id = "a", first = "luck" }', 'first of stage 1 in format.stages.value is "luck", expected one of lot, fr'),
        ('{ id = "a", later = [] }', "later of stage 1 in format.stages.value is […], expected one of lot, fresh_lot"),
        ('{ id = "a", by = "age" }', 'by of stage 1 in format.stages.value is "age", expected one of rank, table'),
        ('{ id = "a", takes = 0 }', "takes of stage 1 in format.stages.value is 0, expected a whole number from 1 t"),
        ('{ id = "a", tables = 3 }', '"tables" of stage 1 in format.stages.value is unknown, expected one of id, rou'),
    ],
)  # fmt: skip
def test_a_stage_that_is_none(stage: str, said: str) -> None:
    refused = refusal(changed(LEAGUE, stage))
    assert refused.startswith(f"ours.toml, line {line_of(TEXT, LEAGUE)}: {said}")


def test_a_stage_that_is_no_table() -> None:
    assert refusal(changed(LEAGUE, "7")).endswith(
        "stage 1 of format.stages.value is 7, expected { id = …, rounds = …, games = … }"
    )


def test_a_wrong_stage_is_found_on_its_own_line() -> None:
    text = changed(LEAGUE, '{ id = "a" }, # {\n  { id = "b{", games = 1 }')
    assert refusal(text).startswith(f"ours.toml, line {line_of(text, 'b{')}: id of stage 2 ")


@pytest.mark.parametrize(("found", "shown"), [("[]", "[…]"), ('"six rounds"', '"six rounds"'), ("6", "6")])
def test_stages_that_are_no_list(found: str, shown: str) -> None:
    said = refusal(changed(f"[\n    {LEAGUE},\n]", found))
    assert said.endswith(f"format.stages.value is {shown}, expected a list of one to 9 stages")


def test_a_stage_of_the_same_id() -> None:
    said = refusal(changed(LEAGUE, f"{LEAGUE}, {LEAGUE}"))
    assert said.endswith('id of stage 2 in format.stages.value is "league", expected one that no stage before has')


# --- passages ---


def test_a_passage_about_something_else() -> None:
    text = changed('topic = "gaps"', 'topic = "weather"')
    said = refusal(text)
    assert said.startswith(f"ours.toml, line {line_of(text, 'weather')}: texts.")
    assert '.topic is "weather", expected one of deal, redeal' in said


@pytest.mark.parametrize("name", ["clause", "topic", "quote"])
def test_a_passage_without_its_clause_topic_or_words(name: str) -> None:
    text = TEXT + "\n[[texts]]\n" + "\n".join(f'{one} = "deal"' for one in ("clause", "topic", "quote") if one != name)
    places = TEXT.count("[[texts]]") + 1
    assert refusal(text) == f"ours.toml, line {TEXT.count(chr(10)) + 2}: texts.{places}.{name} is missing"


def test_passages_that_are_none() -> None:
    text = TEXT[: TEXT.index("[[texts]]")]
    assert parse(text, "ours.toml").texts == ()
    assert refusal("texts = 3\n" + text).endswith("texts is 3, expected tables [[texts]]")


# --- all at once ---


def test_all_that_is_wrong_is_said_at_once_by_line() -> None:
    text = (
        TEXT.replace("value = 40_000", "value = 4")
        .replace('topic = "gaps"', 'topic = "gap"')
        .replace('"pl"', '"Polish"')
    )
    found = faults(text, "ours.toml")
    assert [fault.data["line"] for fault in found] == [
        line_of(text, '"Polish"'), line_of(text, "[clock.limit_ms]") + 1, line_of(text, '"gap"')
    ]  # fmt: skip


def test_a_section_that_is_missing_is_said_once() -> None:
    text = re.sub(r"\[paper\.\w+\]\n(.+\n)+", "", TEXT)
    assert [str(fault) for fault in faults(text, "ours.toml")] == ["ours.toml, line 1: paper is missing"]


def test_nothing_is_wrong_with_the_text_as_it_ships() -> None:
    assert faults(TEXT, "ours.toml") == []
    assert len(faults("a = ", "ours.toml")) == 1
