"""Every page in three sizes, three looks and three languages is as it was when somebody looked at it, and fits."""

from __future__ import annotations

import asyncio

import pytest

from tests.web.reading import CHROMIUM
from tools import pagepictures
from tools.pagepictures import LANGUAGES, LETTERS, LOOKS, Shown, Taken


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here (Debian: apt-get install chromium)")
@pytest.mark.skipif(not LETTERS.exists(), reason="there is no DejaVu here (Debian: apt-get install fonts-dejavu-core)")
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_looks_as_it_did_when_somebody_looked_at_it_and_nothing_is_cut_off(language: str, look: str) -> None:
    async def run() -> list[Taken]:
        return [one async for one in pagepictures.taken((look,), (language,))]

    pictures = asyncio.run(run())

    good = {one: grid for one, grid in pagepictures.kept().items() if (one.look, one.language) == (look, language)}
    assert [f"{one.shown}: {fault}" for one in pictures for fault in one.faults] == []
    wrong = list(pagepictures.problems({one.shown: pagepictures.light(one.png) for one in pictures}, good))
    assert wrong == [], "look at `python -m tools.pagepictures --into FOLDER`, then --update"


def test_what_moved_by_a_line_looks_otherwise_and_letters_painted_a_little_otherwise_do_not() -> None:
    shown = Shown("/hall", "phone", "light", "pl")

    assert list(pagepictures.problems({shown: "ffe0"}, {shown: "fde1"})) == []
    (moved,) = pagepictures.problems({shown: "ffe0"}, {shown: "fae0"})
    assert "by 5 of 16 shades" in moved
    assert list(pagepictures.problems({shown: "ffe0"}, {})) == [f"{shown}: nobody has looked at it yet"]
    gone = Shown("/old", "phone", "light", "pl")
    assert list(pagepictures.problems({}, {gone: "ffff"})) == ["/old: there is no such page any more"]
