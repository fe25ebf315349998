"""hardware/error-codes.md explains every code that a box can show, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dalej.domain.game import sentences
from dalej.domain.game.facts import FAULTS
from moveclock import facts as k
from tools.firmware import FIRMWARE

PAGE = FIRMWARE.parent / "hardware" / "error-codes.md"
EACH = {"E_STUCK": k.CONTACTS, "E_HELD": k.CONTACTS, "E_DISPLAY": 4}  # so many codes from this one on


def shown() -> set[int]:
    """Every number that may stand after the E."""
    found: set[int] = set()
    for name, code in vars(k).items():
        if name.startswith("E_"):
            numbers = set(range(code, code + EACH.get(name, 1)))
            assert not numbers & found, f"{name} has the number of another fault"
            found |= numbers
    return found


def sections() -> Iterator[tuple[set[int], str]]:
    """The codes of each heading, and what stands below it."""
    text = PAGE.read_text(encoding="utf-8")
    for head, below in re.findall(r"(?ms)^### ([^\n]+)\n\n(.+?)(?=\n#|\Z)", text):
        codes = [int(code) for code in re.findall(r"E (\d+)", head.partition(":")[0])]
        yield set(range(codes[0], codes[-1] + 1)), below


def test_every_code_has_a_paragraph_and_every_paragraph_a_code() -> None:
    explained = [code for codes, _ in sections() for code in sorted(codes)]

    assert sorted(explained) == sorted(shown())


def test_every_paragraph_says_more_than_the_name() -> None:
    for codes, below in sections():
        assert len(below.split()) >= 15, codes


def test_a_desk_has_words_for_every_code() -> None:
    assert set(FAULTS) == shown()
    assert set(FAULTS.values()) == set(sentences.FAULTS)


def test_a_code_fits_beside_its_letter() -> None:
    assert max(shown()) <= 999
