"""Workbooks as Excel and LibreOffice save them: the same list comes out of each, and what is no workbook is said."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.errors import WrongInput
from dalej.office.signups import SignUp, read

Cell = str | int | float | bool | date | None
Rows = Sequence[Sequence[Cell]]


def xlsx(sheets: dict[str, Rows], *, merged: Sequence[str] = (), hidden: Sequence[str] = ()) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append(list(row))
        for cells in merged:
            page.merge_cells(cells)
        page.sheet_state = "hidden" if name in hidden else "visible"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _ods_cell(cell: Cell) -> str:
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, bool):
        return f'<table:table-cell office:value-type="boolean" office:boolean-value="{str(cell).lower()}"/>'
    if isinstance(cell, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{cell}"/>'
    if isinstance(cell, date):
        return f'<table:table-cell office:value-type="date" office:date-value="{cell.isoformat()}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'


def package(**parts: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, text in parts.items():
            made.writestr(name.replace("__", "/").replace("_", "."), text)
    return file.getvalue()


MIME = "application/vnd.oasis.opendocument.spreadsheet"
SPACES = " ".join(
    f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"' for one in ("office", "table", "text")
)
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">{}</manifest:manifest>'
)
EMPTY = (
    '<table:table-row table:number-rows-repeated="{}"><table:table-cell table:number-columns-repeated="1024"/>'
    "</table:table-row>"
)


def ods(sheets: dict[str, Rows]) -> bytes:
    tables = ""
    for name, rows in sheets.items():
        lines = "".join(
            f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" if row else EMPTY.format(1)
            for row in rows
        )
        tables += f'<table:table table:name="{name}">{lines}{EMPTY.format(1048000)}</table:table>'
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {SPACES} office:version="1.2"><office:body>'
        f"<office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    return package(mimetype=MIME, **{"META-INF__manifest_xml": MANIFEST.format(""), "content_xml": content})


FORMATS = pytest.mark.parametrize("made", [xlsx, ods])
Made = Callable[[dict[str, Rows]], bytes]
LIST: Rows = [
    ["Liga Leśna, jesień 2026"], [], [None, "Lp.", "Imię i nazwisko", "Klasa", "Zgoda rodzica", "Urodzony"],
    [None, 1, "Łoś Mały", 4.0, True, date(2013, 5, 4)], [], [None, 2, "Sowa", "5b", None, None], [None, 3],
]  # fmt: skip


@FORMATS
def test_a_list_is_read_wherever_it_stands_with_numbers_as_they_look(made: Made) -> None:
    found = read(made({"Arkusz1": LIST}), "list")
    assert found.players == (SignUp(4, "Łoś Mały", "4", consent=True, surname="Mały"), SignUp(6, "Sowa", "5b"))
    assert (found.unread, found.table.above) == (("Lp.", "Urodzony"), ("Liga Leśna, jesień 2026",))


@FORMATS
def test_of_several_sheets_the_first_with_headings_is_read_and_the_others_are_named(made: Made) -> None:
    data = made({"Info": [["Witamy"]], "4b": [["name"], ["Lis"]], "5a": [["name"], ["Sowa"]]})
    found = read(data, "list")
    assert ([one.name for one in found.players], found.table.sheet, found.table.others) == (["Lis"], "4b", ("5a",))
    assert [one.name for one in read(data, "list", sheet="5A").players] == ["Sowa"]
    with pytest.raises(WrongInput, match="no sheet “6c”, expected one of Info, 4b, 5a"):
        read(data, "list", sheet="6c")


def test_a_hidden_sheet_is_passed_over_and_a_merged_class_counts_for_each_of_its_rows() -> None:
    rows: Rows = [["class", "name"], ["4b", "Lis"], [None, "Sowa"], [None, "Kuna"], [None, None]]
    found = read(xlsx({"old": [["name"], ["X"]], "new": rows}, merged=["A2:A5"], hidden=["old"]), "list")
    assert [(one.name, one.group) for one in found.players] == [("Lis", "4b"), ("Sowa", "4b"), ("Kuna", "4b")]


@FORMATS
def test_every_wrong_row_of_a_workbook_is_said_with_its_sheet(made: Made) -> None:
    data = made({"a": [["name", "zgoda"], ["Lis", "może"], ["7", "tak"]], "b": [["x"]]})
    with pytest.raises(
        WrongInput, match=r"(?s)2 places.*list \[a\], line 2: under the heading zgoda \(cell B2\).*list \[a\], line 3"
    ):
        read(data, "list")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04....", "is damaged"),
        (xlsx({"a": LIST})[:3000], "is damaged"),
        (b"\xd0\xcf\x11\xe0....", "expected .xlsx or .ods"),
        (b"\xd0\xcf\x11\xe0...." + "EncryptedPackage".encode("utf-16-le"), "protected with a password"),
        (package(mimetype=MIME, content_xml="?", **{"META-INF__manifest_xml": MANIFEST.format("<encryption-data/>")}),
         "protected with a password"),
        (package(letter_txt="x"), "no workbook in it"),
        (package(mimetype=MIME, content_xml="?"), "is damaged"),
        (xlsx({"a": [["name"], ["=A1"]]}), "cell A2: a formula without its value"),
        (xlsx({"a": []}), "is empty"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_in_one_sentence(data: bytes, message: str) -> None:
    with pytest.raises(WrongInput, match=message):
        read(data, "list")


WHOLE = xlsx({"a": LIST})


@given(st.data())
def test_a_workbook_with_wrong_bytes_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    whole = bytearray(WHOLE)
    for place, byte in data.draw(st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(0, 255)), max_size=4)):
        whole[place] = byte
    with suppress(WrongInput):
        read(bytes(whole), "list")
