"""The committed pictures are what the code draws now."""

from __future__ import annotations

import re

import pytest

from tests.tui import scenes
from tools import pictures


@pytest.mark.parametrize("size", scenes.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", scenes.SCENES)
async def test_a_scene_looks_as_reviewed(name: str, size: tuple[int, int]) -> None:
    reviewed = scenes.FOLDER / f"{name}-{size[0]}x{size[1]}.txt"

    assert await scenes.draw(scenes.SCENES[name], size) == reviewed.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return {file.name: svg for file, svg in pictures.pictures().items()}


@pytest.mark.parametrize("name", pictures.SIZES)
def test_a_picture_of_the_readme_is_what_the_screens_draw_now(name: str, drawn: dict[str, str]) -> None:
    committed = (pictures.PICTURES / f"{name}.svg").read_text(encoding="utf-8")

    assert drawn[f"{name}.svg"] == committed


@pytest.mark.parametrize("name", pictures.SIZES)
def test_a_picture_fetches_nothing_from_elsewhere(name: str, drawn: dict[str, str]) -> None:
    addresses = set(re.findall(r"(?:https?:)?//[^\s\"'<)]+", drawn[f"{name}.svg"]))

    assert addresses == {"http://www.w3.org/2000/svg"}
