"""Somebody's table as a spreadsheet writes it: bytes -> text in an encoding that was told or is certain, rows cut by
the one delimiter that is certain, columns by name, each row knowing its line. Else refused, with the place in doubt.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from dalej.domain.rules.clauses import quoted
from dalej.errors import WrongInput
from dalej.hints import once_more
from dalej.office.players import folded
from dalej.words import N_, language

KNOWN: Final = ("utf-8", "utf-16", "cp1250", "iso-8859-2", "cp1252")
_CODE_PAGES: Final = ("cp1250", "iso-8859-2")
_SINGLE: Final = (*_CODE_PAGES, "cp1252")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", ""),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
_WORKBOOKS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_LETTERS: Final = frozenset(
    "ĄĆĘŁŃÓŚŹŻąćęłńóśźż"  # Polish
    "ÁÂÄÇÉËÍÎÔÖÚÜÝßáâäçéëíîôöúüý"  # one byte in cp1250, ISO-8859-2 and cp1252
)
_SIGNS: Final = frozenset("„”“’–—…§°\N{NO-BREAK SPACE}\N{LEFT SINGLE QUOTATION MARK}")
_AROUND: Final = 12  # characters around the place in doubt


def decoded(data: bytes, file: str, encoding: str | None = None) -> tuple[str, str]:
    """The text without its mark, and the encoding it is in, one of `KNOWN`. WrongInput, with line and column if there
    is one, when that is not certain and `encoding` does not say it.
    """
    if data.startswith(_WORKBOOKS):
        raise WrongInput(N_("{file} is a workbook or an archive, expected text: export it as CSV first"), file=file)
    text, known = _told(data, file, encoding) if encoding is not None else _found(data, file)
    if "\0" in text:
        line, column = _place(text[: text.index("\0")])
        raise WrongInput(
            N_("{file}, line {line}, column {column}: a byte that no text has, expected a CSV file in UTF-8"),
            file=file, line=line, column=column,
        )  # fmt: skip
    return text, known


def _told(data: bytes, file: str, encoding: str) -> tuple[str, str]:
    mark, known, codec = next(((one for one in _MARKS if data.startswith(one[0]))), (b"", encoding, encoding))
    if known != encoding:
        raise WrongInput(
            N_("{file} begins as {found} does, expected {encoding}: leave the encoding open"),
            file=file, found=known, encoding=encoding,
        )  # fmt: skip
    if encoding == "utf-16" and not mark:
        codec = "utf-16-le"  # as Windows writes it
    return _strictly(data, mark, codec, file, encoding), encoding


def _found(data: bytes, file: str) -> tuple[str, str]:
    for mark, known, codec in _MARKS:
        if data.startswith(mark):
            if not codec:
                raise WrongInput(N_("{file} is in {found}, expected UTF-8: export it as CSV in UTF-8"),
                                 file=file, found=known)  # fmt: skip
            return _strictly(data, mark, codec, file, known), known
    readings = {page: text for page in _CODE_PAGES if (text := _by(data, page)) is not None and _counts(text)}
    if (text := _by(data, "utf-8")) is not None:
        if text.isascii() or not any(_LETTERS.issuperset(_beyond(reading)) for reading in readings.values()):
            return text, "utf-8"
    elif len(set(readings.values())) == 1:
        page, text = next(iter(readings.items()))
        return text, page
    raise _in_doubt(data, file)


def _beyond(text: str) -> list[str]:
    return [sign for sign in text if not sign.isascii()]


def _strictly(data: bytes, mark: bytes, codec: str, file: str, known: str) -> str:
    try:
        return data[len(mark) :].decode(codec)
    except UnicodeDecodeError as error:
        line, column = _place(data[len(mark) :][: error.start].decode(codec, "replace"))
        raise WrongInput(
            N_("{file}, line {line}, column {column}: not {encoding}, expected another encoding"),
            file=file, line=line, column=column, encoding=known,
        ) from None  # fmt: skip


def _by(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _counts(text: str) -> bool:
    """Whether a list of names in Polish, English or Italian has these signs at these bytes for sure."""
    return all(sign in _LETTERS or sign in _SIGNS for sign in _beyond(text))


def _in_doubt(data: bytes, file: str) -> WrongInput:
    """Names the first byte beyond ASCII that the readings see differently, with its line in each of them."""
    beyond = [place for place, byte in enumerate(data) if byte > 0x7F]
    place = next((place for place in beyond if not _sure(data[place : place + 1])), beyond[0])
    start = data.rfind(b"\n", 0, place) + 1
    around = data[max(start, place - _AROUND) : place + _AROUND].split(b"\n")[0].strip(b"\r")
    readings = dict.fromkeys(_words(around.decode(codec, "replace")) for codec in ("utf-8", *_SINGLE))
    return WrongInput(
        N_("{file}, line {line}, column {column}: {readings}; nobody can tell, expected an encoding, one of {known}"),
        file=file, line=data.count(b"\n", 0, place) + 1, column=place - start + 1, known=", ".join(KNOWN),
        readings=" / ".join(quoted(reading, language()) for reading in readings if "�" not in reading),
    ).hinted(N_("{command} says which"), command=once_more("--encoding", "ENCODING"))  # fmt: skip


def _sure(byte: bytes) -> bool:
    return len({byte.decode(page, "replace") for page in _SINGLE}) == 1


def _words(line: str) -> str:
    """Of the piece of a line the cell with the doubtful sign in it."""
    return max(re.split(r"[;,|\t]", line), key=lambda cell: len(_beyond(cell))).strip()


def _place(text: str) -> tuple[int, int]:
    """Line and column, from 1, of the character after the text."""
    return text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1


DELIMITERS: Final = ";,\t|"
_TOLD: Final = "sep="

CutRow = tuple[int, list[str]]  # line from 1 where it begins, cells


def cut(text: str, file: str, score: Callable[[Sequence[str]], int]) -> tuple[CutRow, list[CutRow]]:
    """Header and rows that hold something, without the empty cells at their ends. Of the delimiters that one counts
    under which the header names most of what is read: `score` says how much. WrongInput, with the line, if that is not
    certain, or a row has more cells than the header.
    """
    first, _, rest = text.partition("\n")
    told = _told_delimiter(first)
    cuts = [_Cut(f"\n{rest}", told)] if told else [_Cut(text, delimiter) for delimiter in DELIMITERS]
    cuts = [cut for cut in cuts if cut.rows]
    if not cuts:
        raise WrongInput(
            N_("{file} is empty or cannot be cut into columns, expected a table whose first row names them"), file=file
        )
    cuts.sort(key=lambda cut: (score(cut.header), len(cut.header)), reverse=True)
    best = cuts[0]
    rivals = [cut for cut in cuts if score(cut.header) == score(best.header) > 0]
    if len(rivals) > 1:
        best = next((cut for cut in rivals if cut.plain), None) or _expect_same(rivals, file)
    if best.broken:
        raise WrongInput(
            N_("{file}, line {line}: a quotation mark inside a cell, expected them around the cell and nowhere else"),
            file=file, line=best.broken,
        )  # fmt: skip
    for line, cells in best.rows[1:]:
        if len(cells) > len(best.header):
            raise WrongInput(
                N_("{file}, line {line}: {count} columns, expected no more than {most}, as in the first line; a cell "
                   "that holds the delimiter needs quotation marks"),
                file=file, line=line, count=len(cells), most=len(best.header),
            )  # fmt: skip
    return best.rows[0], best.rows[1:]


def _told_delimiter(line: str) -> str:
    """Spreadsheets tell each other the delimiter in a line before the header, "sep=;"; "" if this is none."""
    told = line.strip('\r "')
    delimiter = told[len(_TOLD) :]
    return delimiter if told.lower().startswith(_TOLD) and delimiter and delimiter in DELIMITERS else ""


class _Cut:
    """The text cut by one delimiter, empty rows and empty cells at the ends of rows left out.

    `broken`: the line from which on it cannot be cut so, 0: all of it can.
    """

    def __init__(self, text: str, delimiter: str) -> None:
        self.delimiter = delimiter
        self.rows: list[CutRow] = []
        self.broken = 0
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        line = 1
        try:
            for cells in reader:
                while cells and not cells[-1].strip():
                    del cells[-1]
                if cells:
                    self.rows.append((line, cells))
                line = reader.line_num + 1
        except csv.Error:
            self.broken = line

    @property
    def plain(self) -> bool:
        """Whether it has one column, and in it nothing that another delimiter would cut."""
        cells = [cell for _, cells in self.rows for cell in cells]
        return len(cells) == len(self.rows) and not any(sign in cell for cell in cells for sign in DELIMITERS)

    @property
    def header(self) -> list[str]:
        return self.rows[0][1]


def _expect_same(rivals: Sequence[_Cut], file: str) -> _Cut:
    """Several delimiters will do only if there is nothing to cut: one column, the same whatever cuts it."""
    first = rivals[0]
    for rival in rivals[1:]:
        for one, other in zip_longest(first.rows, rival.rows):
            if one != other:
                line = (one or other or (0,))[0]
                raise WrongInput(
                    N_("{file}, line {line}: it is not certain what parts the columns, expected ; everywhere"),
                    file=file, line=line,
                )  # fmt: skip
    return first


BYTES_MOST: Final = 4 * 1024 * 1024
_SHOWN: Final = 40
_NUMBER: Final = re.compile(r"[+-]?\d{1,9}", re.ASCII)

_YES: Final = ("1", "yes", "y", "true", "x", "tak", "t", "si", "s", "prawda", "vero")
_NO: Final = ("0", "no", "n", "false", "-", "nie", "falso", "falsz")

Columns = Mapping[str, Sequence[str]]  # name in the program -> how people head it, without case and accents


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `line` from 1 where it begins. Its cells by the program's names, "" where there is none."""

    file: str
    line: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        """What stands there, without spaces around it."""
        return self.cells.get(column, "").strip()

    def number(self, column: str, low: int, high: int) -> int | None:
        """A whole number, None where nothing stands; WrongInput with line and column if it is none."""
        found = self.text(column).replace("\N{MINUS SIGN}", "-").removesuffix(".0").removesuffix(",0")
        if not found:
            return None
        if _NUMBER.fullmatch(found) and low <= int(found) <= high:
            return int(found)
        raise self.wrong(
            column, N_("{at}: “{found}”, expected a whole number from {low} to {high}"), low=low, high=high
        )

    def needed(self, column: str, low: int, high: int) -> int:
        """The same where something must stand."""
        found = self.number(column, low, high)
        if found is None:
            raise self.wrong(
                column, N_("{at}: is empty, expected a whole number from {low} to {high}"), low=low, high=high
            )
        return found

    def flag(self, column: str, usual: bool) -> bool:
        """Yes or no; `usual` where nothing stands."""
        found = folded(self.text(column))
        if not found:
            return usual
        if found not in (*_YES, *_NO):
            raise self.wrong(column, N_("{at}: “{found}”, expected yes or no"))
        return found in _YES

    def wrong(self, column: str, template: str, **data: object) -> WrongInput:
        """The error of one cell; `{at}` in its template is where, `{found}` what stands there."""
        found = self.text(column)
        return WrongInput(template, at=self.at(column), found=found[:_SHOWN] + "…" * (len(found) > _SHOWN), **data)

    def at(self, column: str) -> WrongInput:
        """Where a cell is."""
        return WrongInput(N_("{file}, line {line}, column {column}"), file=self.file, line=self.line, column=column)


def rows(
    data: bytes, file: str, columns: Columns, needed: Sequence[str], encoding: str | None = None,
    with_one_of: Columns | None = None,
) -> tuple[list[Row], tuple[str, ...]]:  # fmt: skip
    """The rows that hold something, and the columns that nobody asked for. WrongInput, with the line, if the bytes are
    no table with the `needed` columns, or one that is there lacks every column that should go with it (`with_one_of`).
    """
    if len(data) > BYTES_MOST:
        raise WrongInput(N_("{file} is larger than {most} MB"), file=file, most=BYTES_MOST >> 20)
    text, _ = decoded(data, file, encoding)
    known = {heading: name for name, headings in columns.items() for heading in (name, *headings)}
    (line, header), body = cut(text, file, lambda header: sum(folded(cell) in known for cell in header))
    names = _names(header, known, needed, file, line)
    for name, others in (with_one_of or {}).items():
        if name in names and not set(others) & set(names):
            raise WrongInput(
                N_("{file}, line {line}: no column {column}, found {found}"),
                file=file, line=line, column="/".join(others), found=_headed(header),
            )  # fmt: skip
    unread = tuple(cell.strip() for cell, name in zip(header, names, strict=True) if name is None and cell.strip())
    return [_row(file, line, names, cells) for line, cells in body], unread


def _names(
    header: Sequence[str], known: Mapping[str, str], needed: Sequence[str], file: str, line: int
) -> list[str | None]:
    names = [known.get(folded(cell)) for cell in header]
    for wanted in needed:
        if wanted not in names:
            raise WrongInput(
                N_("{file}, line {line}: no column {column}, found {found}"),
                file=file, line=line, column=wanted, found=_headed(header),
            )  # fmt: skip
    for place, name in enumerate(names):
        if name is not None and name in names[:place]:
            raise WrongInput(
                N_("{file}, line {line}, column {column}: there twice, expected once"),
                file=file, line=line, column=header[place].strip(),
            )  # fmt: skip
    return names


def _headed(header: Sequence[str]) -> str:
    return ", ".join(cell.strip()[:_SHOWN] for cell in header)


def _row(file: str, line: int, names: Sequence[str | None], cells: Sequence[str]) -> Row:
    told = {name: cell for name, cell in zip(names, cells, strict=False) if name is not None}
    return Row(file, line, told)
