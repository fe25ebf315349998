"""Reads documents back with another library than the one that wrote them."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

from openpyxl import load_workbook
from openpyxl.workbook import Workbook
from pypdf import PdfReader

VOID = {"meta", "br", "hr", "img", "input", "link"}


def pages(content: bytes) -> list[str]:
    """The text of each page, on one line."""
    return [re.sub(r"[\s\u200b]+", " ", page.extract_text()) for page in PdfReader(io.BytesIO(content)).pages]


def number_of_pages(content: bytes) -> int:
    return len(PdfReader(io.BytesIO(content)).pages)


def without_blanks(text: str) -> str:
    return re.sub(r"[\s\u200b]+", "", text)


def table(content: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    """A CSV by its headings."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def book(content: bytes) -> Workbook:
    return load_workbook(io.BytesIO(content))


class Page(HTMLParser):
    """Elements with their attributes, and the text; whatever is not closed in order is an error."""

    def __init__(self, content: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(content.decode("utf-8"))
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] != "style" and data.strip():
            self.texts.append(data.strip())

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]
