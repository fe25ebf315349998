"""A ruleset file from before a value was thought of is still read: events keep the text they were opened with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dalej.domain.game.tablesettings import Choices, settings_for
from dalej.domain.rules.options import option, with_option
from dalej.domain.rules.rulesets import LATER, schema
from dalej.domain.rules.ruletext import parse
from dalej.errors import WrongInput
from dalej.rulesets import rulebook
from moveclock import settings as rules

FOLDER = Path(rulebook.__file__).parent


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def without(text: str, key: str) -> str:
    """The text as it was before that value."""
    return re.sub(rf"\[{schema()[key].section}\.{key}\]\n(.+\n)+\n", "", text)


@pytest.mark.parametrize("name", rulebook.available())
def test_a_file_without_the_later_values_is_read_as_the_one_that_ships(name: str) -> None:
    old = text_of(name)
    for key in LATER:
        old = without(old, key)
    assert "[box." not in old
    assert "[conduct." not in old
    read, ships = parse(old, "old.toml"), rulebook.load(name)
    differs = {rule.key for rule in ships.rules if read.rule(rule.key).value != rule.value}
    assert differs <= {"exclusion"}
    assert (read.exclusion, read.rule("exclusion").ours) == ("after_warning", True)
    assert read.texts == ships.texts


def test_a_file_with_one_of_the_later_values_takes_the_other_as_it_counts() -> None:
    text = without(text_of("school-league"), "taps_only").replace('value = "loud"', 'value = "soft"')
    ruleset = parse(text, "ours.toml")
    assert (ruleset.sound, ruleset.taps_only) == ("soft", False)


@pytest.mark.parametrize("found", ['"box"', "[]", "3"])
def test_a_later_section_that_is_no_table_is_refused_on_its_line(found: str) -> None:
    text = f"box = {found}\n" + without(without(text_of("school-league"), "taps_only"), "sound")
    with pytest.raises(WrongInput, match=r"ours\.toml, line 1: box is .*, expected a table \[box\]"):
        parse(text, "ours.toml")


def test_a_later_value_without_a_clause_is_a_fault_like_any_other() -> None:
    text = re.sub(r'(\[box\.sound\]\nvalue = "loud"\n)clause = .+\n', r"\1", text_of("school-league"))
    with pytest.raises(WrongInput, match=r"box\.sound\.clause is missing"):
        parse(text, "ours.toml")


@pytest.mark.parametrize(("typed", "packed"), [("silent", rules.SILENT), ("soft", rules.SOFT), ("loud", rules.LOUD)])
def test_the_sound_an_organiser_sets_is_what_a_box_is_told(typed: str, packed: int) -> None:
    league = rulebook.load("school-league")
    ruleset = with_option(league, *option(league, "sound", typed))
    told = rules.unpack(settings_for(ruleset, Choices()).pack())
    assert told.sound == packed
    assert ruleset.rule("sound").permitted


def test_taps_only_is_an_option_and_a_choice_of_one_table_wins() -> None:
    league = rulebook.load("school-league")
    ruleset = with_option(league, *option(league, "taps-only", "yes"))
    assert settings_for(ruleset, Choices()).taps_only
    assert not settings_for(ruleset, Choices(taps_only=False)).taps_only
    assert settings_for(league, Choices(taps_only=True, sound="soft")).sound == rules.SOFT
