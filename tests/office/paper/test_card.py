"""The quick card says what the firmware does: every press, picture, sound and code, on one page a language."""

from __future__ import annotations

import ast
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence

import pytest
from pypdf import PdfReader

from dalej import words
from dalej.domain.game import sentences
from dalej.domain.game.facts import FAULTS, STATES
from dalej.office.paper import card as cardviews
from dalej.office.paper.card import ADVICE, SOUNDS, Moment, Sound, codes, moments, quick_card
from moveclock import clock as c
from moveclock import facts as k
from moveclock import view as v
from tests.firmware.errorcodes import sections, shown
from tests.office.paper.reading import pages
from tools.firmware import FIRMWARE

BUILDS = [(False, True), (False, False), (True, True), (True, False)]
LEAST_PT = 8.0


@pytest.fixture(scope="module")
def card() -> bytes:
    """Two tables, Polish and English."""
    return quick_card([3, 12], ["pl", "en"])


@pytest.fixture(scope="module")
def read(card: bytes) -> list[str]:
    """The text of its pages."""
    return pages(card)


def defined(device: str, name: str) -> ast.expr:
    """What a module of the firmware that runs on a board alone says a name is."""
    tree = ast.parse((FIRMWARE / "devices" / f"{device}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
            return node.value
    raise AssertionError(f"devices/{device}.py defines no {name}")


# --- buttons -----


def unexplained(card: Sequence[Moment], *, kostka: bool) -> set[tuple[int, int, int]]:
    """`(state, button, gesture)` that the box obeys and no row of the card explains."""
    obeyed = {(state, button, gesture) for state, button, gesture, *_ in c.PRESSES}
    said = {(state, row.button, row.gesture) for moment in card for row in moment.presses for state in row.explains}
    # Both buttons start a game; the row of one says so.
    said |= {(k.READY, c.DALEJ, gesture) for state, button, gesture in said if (state, button) == (k.READY, c.JUZ)}
    return {one for one in obeyed - said if kostka or one[1] != c.KOSTKA}


@pytest.mark.parametrize(("shared", "kostka"), BUILDS)
def test_every_press_that_the_box_obeys_is_explained(shared: bool, kostka: bool) -> None:
    assert not unexplained(moments(shared=shared, kostka=kostka), kostka=kostka)


@pytest.mark.parametrize("missing", range(4))
def test_a_press_that_is_left_out_is_found(missing: int) -> None:
    whole = moments(shared=False, kostka=True)
    assert unexplained([*whole[:missing], *whole[missing + 1 :]], kostka=True)


def test_no_row_explains_a_press_that_the_box_does_not_obey() -> None:
    obeyed = {(state, button, gesture) for state, button, gesture, *_ in c.PRESSES}
    for moment in moments(shared=False, kostka=True):
        for row in moment.presses:
            assert {(state, row.button, row.gesture) for state in row.explains} <= obeyed, row.words


def test_the_seconds_of_the_card_are_those_of_a_table_that_nobody_has_set(read: list[str]) -> None:
    page = read[1]
    assert "in the first 5 s of a move" in page
    assert "in your first 10 s" in page
    assert "again within 3 s" in page
    assert "After 20 s" in page
    assert page.count("hold 1 s") == 3
    assert page.count("hold 2 s") == 2


# --- displays and ring -----


def test_the_pictures_show_every_colour_of_the_ring_and_every_kind_of_text() -> None:
    scenes = cardviews.scenes()

    assert {one.colour for one in scenes} == set(cardviews.COLOURS)
    assert set(cardviews.COLOURS) == {v.DARK, v.GREEN, v.AMBER, v.RED, v.BLUE, v.WHITE}
    assert [one.text for one in scenes] == [
        " -- ", " 1:00", " 0:42", " 9.5 ", " 2.6 ", "- 12", " 0:31", "  3 ", "----", "End ", "E 60",
    ]  # fmt: skip
    assert len(scenes) > len(STATES)


def test_the_digits_of_the_card_are_drawn_as_the_display_draws_them() -> None:
    glyphs = ast.literal_eval(defined("glyphs", "GLYPHS"))
    segments = ast.literal_eval(defined("glyphs", "_SEGMENTS"))
    drawn = {
        character: "".join(letter for bit, letter in enumerate("abcdefg") if segments[place] >> bit & 1)
        for place, character in enumerate(glyphs)
    }

    assert set(cardviews.SEGMENTS.items()) <= set(drawn.items())
    assert {letter for one in cardviews.scenes() for letter in one.text} - set(":.") <= set(cardviews.SEGMENTS)


# --- sounds -----


def played() -> dict[int, tuple[tuple[int, int], ...]]:
    """The notes of each sound of the firmware."""
    sounds = defined("buzzer", "_SOUNDS")
    assert isinstance(sounds, ast.Tuple)
    pairs = [sound.elts for sound in sounds.elts if isinstance(sound, ast.Tuple)]
    return {getattr(v, name.id): ast.literal_eval(notes) for name, notes in pairs if isinstance(name, ast.Name)}


def unlike_the_buzzer(card: Iterable[Sound]) -> set[int]:
    """Sounds that the card draws otherwise than the firmware plays them, or not at all."""
    drawn = {one.sound: tuple(one.notes) for one in card}
    return {sound for sound in {*drawn, *played()} if drawn.get(sound) != played().get(sound)}


def test_every_sound_is_drawn_as_the_buzzer_plays_it() -> None:
    assert not unlike_the_buzzer(SOUNDS)
    assert {sound for _kind, sound in v.SOUNDS} | {v.CLICK} == {one.sound for one in SOUNDS}


def test_a_sound_that_is_drawn_otherwise_or_left_out_is_found() -> None:
    assert unlike_the_buzzer([*SOUNDS[:-1], SOUNDS[-1]._replace(notes=((1200, 150),))]) == {SOUNDS[-1].sound}
    assert unlike_the_buzzer(SOUNDS[1:]) == {SOUNDS[0].sound}


# --- codes -----


def printed(page: str) -> Iterator[int]:
    """Every number behind an E on a page, with those that a dash leaves out."""
    for first, last in re.findall(r"\bE (\d+)(?:–(\d+))?", page):
        yield from range(int(first), int(last or first) + 1)


@pytest.mark.parametrize("side", [0, 1])
def test_card_page_and_firmware_name_the_same_codes(read: list[str], side: int) -> None:
    explained = sorted(code for numbers, _ in sections() for code in numbers)

    assert sorted(printed(read[side])) == explained == sorted(shown())


def test_every_fault_has_one_advice_and_the_words_of_the_desk(read: list[str]) -> None:
    advised = [name for advice in ADVICE for name in advice.names]

    assert sorted(advised) == sorted(sentences.FAULTS)
    for name in sentences.FAULTS:
        assert sentences.FAULTS[name] in read[1]
        assert [code for first, last in codes(name) for code in range(first, last + 1)] == [
            code for code, named in sorted(FAULTS.items()) if named == name
        ]


def test_numbers_that_do_not_follow_each_other_are_not_joined_by_a_dash() -> None:
    assert list(printed("E 10–12 a · E 30 b · E 33 c")) == [10, 11, 12, 30, 33]


# --- paper -----


@pytest.mark.parametrize(("shared", "kostka"), BUILDS)
def test_each_language_fits_one_page_of_a5(shared: bool, kostka: bool) -> None:
    made = quick_card([2500], words.LANGUAGES, shared=shared, kostka=kostka)

    sides = PdfReader(io.BytesIO(made)).pages
    assert len(sides) == len(words.LANGUAGES)
    for page in sides:
        assert [round(float(side)) for side in (page.mediabox.width, page.mediabox.height)] == [420, 595]


def test_no_text_is_smaller_than_8_points(card: bytes) -> None:
    sizes: list[float] = []
    for page in PdfReader(io.BytesIO(card)).pages:
        page.extract_text(
            visitor_text=lambda text, _cm, tm, _font, size: sizes.append(size * abs(tm[3])) if text.strip() else None
        )

    assert len(sizes) > 100
    assert min(sizes) >= LEAST_PT - 0.01


def test_the_sides_are_in_their_languages_whatever_the_reader_speaks(
    card: bytes, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [re.findall(r"(?:Stolik|Table) \d+", page) for page in read] == [
        ["Stolik 3"], ["Table 3"], ["Stolik 12"], ["Table 12"],
    ]  # fmt: skip

    monkeypatch.setenv("LANGUAGE", "it")
    assert quick_card([3, 12], ["pl", "en"]) == card
    assert (os.environ["LANGUAGE"], words.language()) == ("it", "it")

    monkeypatch.delenv("LANGUAGE")
    assert quick_card([3, 12], ["pl", "en"]) == card
    assert "LANGUAGE" not in os.environ


def test_a_card_for_no_table_in_particular_names_none() -> None:
    (page,) = pages(quick_card([], ["en"]))

    assert "Table" not in page
    assert page.startswith("The clock at the table")


def test_the_small_box_has_a_card_of_its_own() -> None:
    (small,) = pages(quick_card([1], ["en"], shared=True, kostka=False))

    assert "your buttons are lit" not in small
    assert "Kostka" not in small
    assert "Dalej itself counts as the tile." in small
