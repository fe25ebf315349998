"""A workbook as Excel and LibreOffice save it, .xlsx or .ods: bytes -> sheets, every cell as the text that its column
would have in a CSV. What cannot be read as a whole is refused in one sentence.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Final

from dalej.errors import WrongInput
from dalej.words import N_

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

ZIP: Final = b"PK\x03\x04"
OLE: Final = b"\xd0\xcf\x11\xe0"  # what Office wrote before 2007, and what it keeps a workbook with a password in
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_UNPACKED_MOST: Final = 128 * 1024 * 1024
_CELLS_MOST: Final = 4_000_000  # from A1 to the last cell, empty ones included: each takes memory

_XLSX_SHEET: Final = re.compile(r"xl/worksheets/[^/]+\.xml")
_ODS_CONTENT: Final = "content.xml"
_ODS_MANIFEST: Final = "META-INF/manifest.xml"
_XLSX_CELL: Final = re.compile(rb"<c\b([^>]*?)(?:/>|>(.*?)</c>)", re.DOTALL)
_REFERENCE: Final = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')
_TEXT: Final = re.compile(rb'\bt="(?:str|inlineStr)"')
_VALUE: Final = re.compile(rb"<v\b[^>]*>[^<]")

Cell = str | int | float | bool | date | time


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet; `rows`: number from 1 and cells, without empty rows and empty cells at their ends."""

    name: str
    rows: list[tuple[int, list[str]]]


def is_workbook(data: bytes) -> bool:
    """Whether these bytes are no text, but a workbook or what is packed like one."""
    return data.startswith((ZIP, OLE))


def sheets(data: bytes, file: str) -> list[Sheet]:
    """The sheets that are not hidden, in their order; hidden ones where there are no others. WrongInput if the workbook
    is damaged, protected with a password, of another kind, or too large.
    """
    if data.startswith(OLE):
        if _ENCRYPTED in data:
            raise _protected(file)
        raise WrongInput(
            N_("{file} is no workbook that can be read here, expected .xlsx or .ods: save it as one of them"), file=file
        )
    _expect_whole(data, file)
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum  # noqa: PLC0415 -- rarely needed

    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            told = book.sheets_metadata
            shown = [one for one in told if one.visible == SheetVisibleEnum.Visible] or told
            found = [Sheet(one.name, list(_rows(book.get_sheet_by_name(one.name)))) for one in shown]
    except CalamineError as error:
        raise _damaged(file) from error
    if not found:
        raise _damaged(file)
    return found


def _expect_whole(data: bytes, file: str) -> None:
    """A package that is whole, that a workbook is in, and that does not unpack to more than a laptop holds."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = set(package.namelist())
            if sum(one.file_size for one in package.infolist()) > _UNPACKED_MOST:
                raise _too_large(file)
            if any(one.flag_bits & 1 for one in package.infolist()):
                raise _protected(file)
            if package.testzip() is not None:
                raise _damaged(file)
            if _ODS_CONTENT in names and b"encryption-data" in _part(package, _ODS_MANIFEST):
                raise _protected(file)
            parts = [name for name in names if _XLSX_SHEET.fullmatch(name)]
            if not parts and (_ODS_CONTENT not in names or b"spreadsheet" not in _part(package, "mimetype")):
                raise WrongInput(
                    N_("{file} is a package with no workbook in it, expected .xlsx, .ods or .csv"), file=file
                )
            for part in parts:
                _expect_values(package.read(part), file)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise _damaged(file) from error


def _part(package: zipfile.ZipFile, name: str) -> bytes:
    return package.read(name) if name in package.namelist() else b""


def _expect_values(sheet: bytes, file: str) -> None:
    """Formulas are read as what they last came to: a program that wrote them may have left that out."""
    width = height = 0
    for cell in _XLSX_CELL.finditer(sheet):
        told, inner = cell[1], cell[2] or b""
        place = _REFERENCE.search(told)
        if place is not None:
            width, height = max(width, _column(place[1])), max(height, int(place[2]))
        if b"<f" in inner and not _VALUE.search(inner) and not _TEXT.search(told):
            raise WrongInput(
                N_("{file}, cell {cell}: a formula without its value, expected one: open the workbook in Excel or "
                   "LibreOffice and save it there"),
                file=file, cell="" if place is None else (place[1] + place[2]).decode(),
            )  # fmt: skip
    if width * height > _CELLS_MOST:
        raise _too_large(file)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def _rows(sheet: CalamineSheet) -> Iterator[tuple[int, list[str]]]:
    rows = [[_text(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
    _spread(rows, sheet.merged_cell_ranges or [])
    for number, cells in enumerate(rows, start=1):
        while cells and not cells[-1].strip():
            del cells[-1]
        if cells:
            yield number, cells


def _spread(rows: list[list[str]], merged: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    """A class or a table that stands once beside several rows stands in each of them; a wide title stays as it is."""
    told = [any(row) for row in rows]
    for (top, left), (bottom, _right) in merged:
        for number in range(top + 1, min(bottom + 1, len(rows))):
            if told[number] and left < len(rows[number]):
                rows[number][left] = rows[number][left] or rows[top][left]


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))  # Excel keeps every number so
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ", "minutes")
    if isinstance(cell, date):
        return cell.isoformat()
    return " ".join(str(cell).split())


def _damaged(file: str) -> WrongInput:
    return WrongInput(N_("{file} is damaged: no workbook could be read in it; save it anew"), file=file)


def _protected(file: str) -> WrongInput:
    return WrongInput(N_("{file} is protected with a password: save it without one"), file=file)


def _too_large(file: str) -> WrongInput:
    return WrongInput(N_("{file} unpacks to more than a list of players or results can be"), file=file)
