"""Pages in Polish and Italian hold what the English ones hold: the same headings, commands, tables and pictures, and
links that stay in the language. Only what a program prints (`text`), and why somebody does something (`--why "…"`), is
in the reader's own.

A page docs/NAME.md is docs/pl/NAME.md in Polish, the README docs/pl/README.md, hardware/NAME.md hardware/NAME-pl.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.documents import ROOT
from tools import words

CALLED: Final = {"en": "in English", "pl": "po polsku", "it": "in italiano"}
CHANGELOG: Final = ROOT / "CHANGELOG.md"  # the front pages end without it
# beside docs/; the other pages of hardware/ have tests of their own
ALONE: Final = ("README", "acceptance", "error-codes", "evening", "flat")
# What a front page leaves to the English one: it is for whoever changes the program.
LEFT_OUT: Final = {
    "README.md": ("How a game is written down", "How the pieces fit", "Where to change what"),
}
SWITCH: Final = re.compile(rf"^\[(?:{'|'.join(CALLED.values())})\]\([^)]+\)(?: · \[[^]]+\]\([^)]+\))*$", re.MULTILINE)


def translated(page: Path, language: str) -> Path:
    """Where that English page lies in the language, whether it is there or not."""
    if language == "en":
        return page
    if page.parent == ROOT / "hardware":
        return page.with_name(f"{page.stem}-{language}.md")
    return ROOT / "docs" / language / page.name


ENGLISH: Final = [
    ROOT / "README.md", *(ROOT / "docs").glob("*.md"),
    *(one for one in (ROOT / "hardware").glob("*.md") if not one.stem.endswith(("-pl", "-it"))),
]  # fmt: skip


def originals() -> dict[Path, tuple[Path, str]]:
    """Every page in another language, with the English one and the language."""
    return {
        translated(page, language): (page, language)
        for page in sorted(ENGLISH)
        if page.is_relative_to(ROOT / "docs") or page.stem in ALONE
        for language in CALLED
        if language != "en" and translated(page, language).exists()
    }


PAGES: Final = originals()


def sections(text: str) -> list[tuple[int, str, str]]:
    """Level, title and text of each heading; what looks like one in a fence is none."""
    found: list[tuple[int, str, str]] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        head = None if fenced else re.fullmatch(r"(#+) (.+)", line)
        if head:
            found.append((len(head[1]), head[2], ""))
        elif found:
            level, title, below = found[-1]
            found[-1] = level, title, f"{below}{line}\n"
    return found


def without_reasons(text: str) -> str:
    """What is typed, where each writes the own reason."""
    return re.sub(r'(--why|--anyway) "[^"]+"', r"\1 …", text)


def code(text: str) -> list[str]:
    """What is typed: fences as they stand, and indented lines; of what is printed that there is something."""
    text = without_reasons(text)
    fences = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", text)
    shown = [kind if kind == "text" else f"{kind}\n{inside}" for kind, inside in fences]
    return [*shown, *re.findall(r"(?m)^ {4}\S.*$", re.sub(r"(?ms)^```.*?^```$", "", text))]


def tables(text: str) -> list[tuple[int, int]]:
    """Rows and columns of each."""
    found = re.findall(r"(?m)(?:^\|.*\|$\n?)+", text)
    return [(len(one.splitlines()), one.splitlines()[0].count("|") - 1) for one in found]


def pictures(text: str) -> list[str]:
    """The names of those that are shown."""
    return [
        Path(name).name
        for name in re.findall(r"!\[[^]]*\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"", text)
        for name in name
        if name
    ]


def named(text: str) -> Counter[str]:
    """Commands in a sentence, without what a person writes something else for."""
    return Counter(
        re.sub(r" [A-ZŁÓŻ]{3,}$", "", one)
        for one in re.findall(r"`(dalej [^`\n]+)`", without_reasons(text.replace("\n", " ")))
    )


def differences(english: str, other: str) -> list[str]:
    """What a page says otherwise than the English one."""
    first, second = sections(english), sections(other)
    if [level for level, *_ in first] != [level for level, *_ in second]:
        return [f"headings: {[title for _, title, _ in first]} and {[title for _, title, _ in second]}"]
    found = []
    for (_, title, here), (_, _, there) in zip(first, second, strict=True):
        for what, read in (
            ("code", code), ("tables", tables), ("pictures", pictures), ("commands", named),
            ("points", lambda text: len(re.findall(r"(?m)^(?:- |\d+\. )", text))),
        ):  # fmt: skip
            if read(here) != read(there):
                found.append(f"{title}: {what} {read(here)} and {read(there)}")
    return found


def without(text: str, left_out: tuple[str, ...]) -> str:
    """The page without these sections of the second level, and the lines at its end."""
    for title in left_out:
        text = re.sub(rf"(?ms)^## {re.escape(title)}\n.*?(?=^## |\Z)", "", text)
    return text


def led(page: Path, language: str, left_out: tuple[str, ...] = ()) -> Iterator[tuple[Path, Path]]:
    """Where the links of a page lead, and which English page that is; but those that lead to another language."""
    english = {translated(one, language): one for one in ENGLISH}
    text = without(page.read_text(encoding="utf-8"), left_out)
    for said, target in re.findall(r"\[([^]]*)\]\(([^)\s]+)\)", text):
        if said not in CALLED.values() and not re.match(r"[a-z][a-z+.-]*:", target):
            there = (page.parent / target.partition("#")[0]).resolve()
            yield there, english.get(there, there)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_in_another_language_holds_what_the_english_one_holds(page: Path) -> None:
    english, _ = PAGES[page]
    text = without(english.read_text(encoding="utf-8"), LEFT_OUT.get(name(english), ()))

    assert differences(text, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_its_links_lead_where_the_english_ones_do_and_stay_in_the_language(page: Path) -> None:
    english, language = PAGES[page]
    wanted = {there for there, _ in led(english, "en", LEFT_OUT.get(name(english), ())) if there.suffix == ".md"}
    found = dict(led(page, language))

    assert wanted - {CHANGELOG} <= set(found.values())
    assert {one for one in found.values() if one.suffix == ".md"} - {english} <= wanted
    assert [
        name(there)
        for there, meant in found.items()
        if there != english and there != translated(meant, language) and translated(meant, language).exists()
    ] == []


@pytest.mark.parametrize("page", [*PAGES, *dict.fromkeys(english for english, _ in PAGES.values())], ids=name)
def test_every_page_names_below_its_title_the_languages_that_there_are(page: Path) -> None:
    english, language = PAGES.get(page, (page, "en"))
    switch = SWITCH.search(page.read_text(encoding="utf-8").split("\n\n", 2)[1])
    others = [one for one in CALLED if one != language and translated(english, one).exists()]

    assert switch is not None
    assert re.findall(r"\[([^]]+)\]", switch[0]) == [CALLED[one] for one in others]
    assert [(page.parent / target).resolve() for target in re.findall(r"\]\(([^)]+)\)", switch[0])] == [
        translated(english, one) for one in others
    ]


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem in ("league", "first-evening")], ids=name)
def test_a_document_is_called_there_as_the_program_calls_it(page: Path) -> None:
    _, language = PAGES[page]
    called = {
        one.string.removeprefix("{event}-")
        for one in words.read(language)
        if isinstance(one.id, str) and isinstance(one.string, str) and one.id.startswith("{event}-")
    }
    shown = re.findall(r"`(?:league|evening)-([a-z-]+?)(?:-\d+)?\.pdf`", page.read_text(encoding="utf-8"))

    assert len(shown) > 4
    assert set(shown) <= called


def test_no_page_in_another_language_is_without_an_english_one() -> None:
    lying = {page for language in ("pl", "it") for page in (ROOT / "docs" / language).glob("*.md")}

    assert lying <= PAGES.keys()
    assert len(PAGES) > len(lying) > 10


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        ("### One", "## One"),
        ("dalej demo\n", "dalej run\n"),
        ("`dalej undo X.dalej`", "`dalej undo`"),
        ("| 1 | 2 |\n", ""),
        ("a.svg", "b.svg"),
        ("- point\n", ""),
        ("    indented", "    other"),
    ],
)
def test_a_page_that_says_something_else_is_found(what: str, instead: str) -> None:
    page = (
        "# Title\n\n### One\n\n```sh\ndalej demo\n```\n\n`dalej undo X.dalej` ![x](a.svg)\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n- point\n\n    indented\n"
    )

    assert differences(page, page) == []
    assert differences(page, page.replace(what, instead))
