"""The committed pictures are what the code draws now; and no text is cut in a language that is longer than English.

Both look at the same screens in English, so one test draws each scene for both.
"""

from __future__ import annotations

import re

import pytest

from tests.tui import storing
from tests.tui.cut import KNOWN, WHOLE_BELOW, cut_in, english
from tests.tui.gallery import GALLERY, SIZES
from tools import pictures


@pytest.mark.parametrize("name", GALLERY)
async def test_a_scene_looks_as_reviewed_and_nothing_is_cut_that_is_whole_in_english(name: str) -> None:
    stored = (await english(name)).files

    for file, picture in stored.items():
        assert picture == file.read_text(encoding="utf-8"), f"{file.name}: python -m tools.pictures --update, and look"

    found = await cut_in(name, "longer", SIZES[:1])

    assert found.keys() == KNOWN.get(name, set()), found


@pytest.mark.torture
@pytest.mark.parametrize("language", ["pl", "it", "generated"])
@pytest.mark.parametrize("name", GALLERY)
async def test_no_text_is_cut_in_that_language(name: str, language: str) -> None:
    found = await cut_in(name, language, SIZES)

    whole_below = WHOLE_BELOW.get(name, set()) if language == "generated" else set()
    assert found.keys() <= KNOWN.get(name, set()) | whole_below, found


def test_every_stored_picture_is_of_a_scene() -> None:
    files = {f"{name}-{size[0]}x{size[1]}.txt" for name in GALLERY for size in SIZES}
    shown = {f"{name}.svg" for name in (*pictures.SIZES, *storing.IN_DOCS)}

    assert {file.name for file in storing.FOLDER.iterdir()} == files
    assert {file.name for file in storing.DOCS.glob("*.svg")} == shown


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return {file.name: svg for file, svg in pictures.pictures().items()}


@pytest.mark.parametrize("name", pictures.SIZES)
def test_a_picture_of_the_readme_is_what_the_screens_draw_now(name: str, drawn: dict[str, str]) -> None:
    committed = (pictures.PICTURES / f"{name}.svg").read_text(encoding="utf-8")

    assert drawn[f"{name}.svg"] == committed


@pytest.mark.parametrize("name", [*pictures.SIZES, *storing.IN_DOCS])
def test_a_picture_fetches_nothing_from_elsewhere(name: str) -> None:
    committed = (pictures.PICTURES / f"{name}.svg").read_text(encoding="utf-8")

    assert set(re.findall(r"(?:https?:)?//[^\s\"'<)]+", committed)) == {"http://www.w3.org/2000/svg"}
