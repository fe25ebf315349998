"""Reads the pages of the build guide: their sections, tables, fences, pictures and numbers."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

from tests.documents import ROOT

LANGUAGES: Final = ("en", "pl")
FOLDER: Final = ROOT / "hardware" / "guide"
README: Final = ROOT / "hardware" / "README.md"
GUIDES: Final = {language: (FOLDER / f"{language}.md").read_text(encoding="utf-8") for language in LANGUAGES}


class Section(NamedTuple):
    """A heading with what stands below it, up to the next one of any level."""

    level: int
    title: str
    text: str

    @property
    def prose(self) -> str:
        """Without what a program prints, which has a language of its own."""
        return re.sub(r"(?ms)^```text.*?^```$", "", self.text)


def sections(text: str) -> list[Section]:
    """A page by its headings; lines that look like one in a fence are none."""
    found: list[Section] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        head = re.match(r"(#+) (.+)", line)
        if head and not fenced:
            found.append(Section(len(head[1]), head[2], ""))
        elif found:
            found[-1] = found[-1]._replace(text=f"{found[-1].text}{line}\n")
    return found


def numbers(text: str) -> Counter[str]:
    """Every number of a text, however the language writes its decimals."""
    plain = re.sub(r"\]\([^)]*\)", "]", text)
    return Counter(number.replace(",", ".") for number in re.findall(r"\d+(?:[.,]\d+)?", plain))


def pictures(text: str) -> list[str]:
    """The names of those that are shown or linked."""
    return re.findall(r"\]\((?:\.\./)?pictures/([\w-]+)\.svg\)", text)


def fences(text: str, kind: str) -> list[str]:
    """What stands in fences of that kind, such as `sh` or `text bare`."""
    return re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", text)


def differences(one: str, other: str) -> list[str]:
    """How two languages of a page differ in what must not: sections, pictures, commands, rows of tables, numbers."""
    first, second = sections(one), sections(other)
    if [section.level for section in first] != [section.level for section in second]:
        return [f"sections: {[section.title for section in first]} and {[section.title for section in second]}"]
    found = []
    for here, there in zip(first, second, strict=True):
        compared: dict[str, tuple[object, object]] = {
            "pictures": (pictures(here.text), pictures(there.text)),
            "commands": (fences(here.text, "sh"), fences(there.text, "sh")),
            "outputs": (len(fences(here.text, "text.*?")), len(fences(there.text, "text.*?"))),
            "code": (typed_or_named(here.prose), typed_or_named(there.prose)),
            "rows": (here.text.count("\n|"), there.text.count("\n|")),
            "points": (here.text.count("\n- "), there.text.count("\n- ")),
            "numbers": (numbers(here.title + here.prose), numbers(there.title + there.prose)),
        }
        found += [f"{here.title}: {what} {a} and {b}" for what, (a, b) in compared.items() if a != b]
    return found


def codes(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)


def typed_or_named(text: str) -> Counter[str]:
    """Commands, options and names in backticks; what a box says of itself has the reader's language."""
    return Counter(code for code in codes(text) if code.startswith("dalej ") or " " not in code)


def table(text: str, title: str) -> list[list[str]]:
    """The cells of the table in the section whose title begins so, without its head."""
    section = next(section for section in sections(text) if section.title.startswith(title))
    rows = [line.strip("|").split("|") for line in section.text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]
