"""Somebody's table as a spreadsheet writes it: a workbook's sheet, or bytes -> text in an encoding that was told or is
certain, rows cut by the one delimiter that is certain. Headings are found where they stand, columns by name, each row
knows its line. Else refused, with the place in doubt.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from dalej.domain.rules.clauses import quoted
from dalej.errors import Sayable, WrongInput
from dalej.hints import once_more
from dalej.office import workbooks
from dalej.office.players import folded
from dalej.office.problems import expect_none
from dalej.office.workbooks import Sheet
from dalej.words import N_, cause, language

BYTES_MOST: Final = 10 * 1024 * 1024  # a form with 5 000 answers has some 2
KNOWN: Final = ("utf-8", "utf-16", "cp1250", "iso-8859-2", "cp1252")
_CODE_PAGES: Final = ("cp1250", "iso-8859-2")
_SINGLE: Final = (*_CODE_PAGES, "cp1252")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", ""),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
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
Score = Callable[[Sequence[str]], int]  # of a row: how many headings are known in it, 0: it is none that names columns
_HEADED_WITHIN: Final = 40  # rows that hold something: below them nobody looks for headings


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its headings, which stand in `line`; `above`: what stands over them, a row each. `file`: as messages
    name it, with its sheet if it has several; `others`: sheets with such headings that were not read. `encoding`: one
    of `KNOWN`, "" of a workbook. `sums`: lines that only add up those above, and are not among the `rows`.
    """

    file: str
    line: int
    header: list[str]
    rows: list[CutRow]
    above: tuple[str, ...] = ()
    sheet: str = ""
    others: tuple[str, ...] = ()
    encoding: str = ""
    sums: tuple[int, ...] = ()

    def unread(self, read: Collection[int]) -> tuple[str, ...]:
        """The columns that hold something, apart from those at the places that were `read`: what heads them, or else
        their letter.
        """
        filled = {place for _, cells in self.rows for place, cell in enumerate(cells) if cell.strip()}
        filled |= {place for place, heading in enumerate(self.header) if heading.strip()}
        return tuple(_one_line(self.header[place]) or letter(place) for place in sorted(filled.difference(read)))


def table(data: bytes, file: str, score: Score, encoding: str | None = None, sheet: str | None = None) -> Table:
    """The table in a workbook or a CSV. WrongInput if it cannot be read, or it is not certain where its headings stand.
    `sheet`: which of a workbook, None: the first that has headings.
    """
    if len(data) > BYTES_MOST:
        raise WrongInput(N_("{file} is larger than {most} MB"), file=file, most=BYTES_MOST >> 20)
    if workbooks.is_workbook(data):
        return _without_sums(_of_workbook(workbooks.sheets(data, file), file, score, sheet))
    text, known = decoded(data, file, encoding)
    return _without_sums(replace(cut(text, file, score), encoding=known))


_BEHIND: Final = r"[\s:.=-]*(\d+\s*[a-z]*)?"  # a figure, and what was counted
_ADDED: Final = re.compile(f"(razem|lacznie|ogolem|w sumie|total|totals|in total|totale|in totale){_BEHIND}")
_SUMS: Final = re.compile(f"(suma|srednia|sum|average|somma|media){_BEHIND}")  # names as well, so at the end alone
_FIGURE: Final = re.compile(r"[-+]?[\d\s.,]*\d\s*%?|#.*|=.*")  # a number, or what a sum shows that cannot be reckoned


def _without_sums(found: Table) -> Table:
    """The table without the rows that only add up: a word such as “Razem”, and beside it nothing but figures."""
    end = len(found.rows)
    while end and _adds_up(found.rows[end - 1][1], _ADDED, _SUMS):
        end -= 1
    kept = [row for row in found.rows[:end] if not _adds_up(row[1], _ADDED)]
    lines = {line for line, _cells in kept}
    return replace(found, rows=kept, sums=tuple(line for line, _cells in found.rows if line not in lines))


def _adds_up(cells: Sequence[str], *words: re.Pattern[str]) -> bool:
    filled = [folded(cell).replace("\N{MINUS SIGN}", "-") for cell in cells if cell.strip()]
    said = [cell for cell in filled if any(word.fullmatch(cell) for word in words)]
    return bool(said) and all(cell in said or _FIGURE.fullmatch(cell) for cell in filled)


def _of_workbook(sheets: Sequence[Sheet], file: str, score: Score, wanted: str | None) -> Table:
    """The one sheet that is meant, and which others might have been."""
    if wanted is not None:
        named = [sheet for sheet in sheets if folded(sheet.name) == folded(wanted)]
        if not named:
            raise WrongInput(
                N_("{file} has no sheet “{sheet}”, expected one of {sheets}"),
                file=file, sheet=wanted, sheets=", ".join(sheet.name for sheet in sheets),
            )  # fmt: skip
        sheets_read, others = named[:1], []
    else:
        headed = [sheet for sheet in sheets if any(score(cells) for _, cells in sheet.rows[:_HEADED_WITHIN])]
        filled = headed or [sheet for sheet in sheets if sheet.rows]
        sheets_read, others = filled[:1], headed[1:]
    if not sheets_read or not sheets_read[0].rows:
        raise _nothing(file)
    (sheet,) = sheets_read
    label = file if len(sheets) == 1 else f"{file} [{sheet.name}]"
    top = _top(sheet.rows, label, score)
    line, header = sheet.rows[top]
    body = [(number, cells) for number, cells in sheet.rows[top + 1 :] if not _again(cells, header)]
    width = max([len(header), *(len(cells) for _, cells in body)])
    above = tuple(_one_line(" ".join(cells)) for _, cells in sheet.rows[:top])
    headings = header + [""] * (width - len(header))
    return Table(label, line, headings, body, above, sheet.name, tuple(other.name for other in others))


def cut(text: str, file: str, score: Score) -> Table:
    """Headings and rows that hold something, without the empty cells at their ends. Of the delimiters that one counts
    under which the headings name most of what is read: `score` says how much. WrongInput, with every line, if that is
    not certain, or a row has more cells than there are headings.
    """
    first, _, rest = text.partition("\n")
    told = _told_delimiter(first)
    cuts = [_Cut(f"\n{rest}", told)] if told else [_Cut(text, delimiter) for delimiter in DELIMITERS]
    cuts = [cut for cut in cuts if cut.rows]
    if not cuts:
        raise _nothing(file)
    for one in cuts:
        one.headed(file, score)
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
    if best.rival is not None:
        raise best.rival
    line, header = best.rows[best.top]
    body = best.rows[best.top + 1 :]
    expect_none([
        WrongInput(
            N_("{file}, line {line}: {count} columns, expected no more than {most}, as in line {first}; a cell that "
               "holds the delimiter needs quotation marks"),
            file=file, line=number, count=len(cells), most=len(header), first=line,
        )
        for number, cells in body if len(cells) > len(header)
    ])  # fmt: skip
    above = tuple(_one_line(" ".join(cells)) for _, cells in best.rows[: best.top])
    return Table(file, line, header, [row for row in body if not _again(row[1], header)], above)


def _nothing(file: str) -> WrongInput:
    return WrongInput(
        N_("{file} is empty or cannot be cut into columns, expected a table with a row that names them"), file=file
    )


def _top(rows: Sequence[CutRow], file: str, score: Score) -> int:
    """Where the headings stand, from 0: the row that names most of what is read, 0 if none does. WrongInput if another
    one does, too, and there are rows between them.
    """
    scores = [score(cells) for _, cells in rows[:_HEADED_WITHIN]]
    top = scores.index(max(scores))
    for place in range(top):
        if scores[place] and not all(scores[place:top]):
            raise WrongInput(
                N_("{file}, lines {first} and {second}: both name columns, expected headings once, and the list below "
                   "them"),
                file=file, first=rows[place][0], second=rows[top][0],
            )  # fmt: skip
    return top


def _again(cells: Sequence[str], header: Sequence[str]) -> bool:
    """Whether these are the headings once more, as on every page of a printed list."""
    return [folded(cell) for cell in cells] == [folded(cell) for cell in header]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def letter(place: int) -> str:
    """What a spreadsheet calls the column, from 0."""
    return ("" if place < 26 else letter(place // 26 - 1)) + chr(ord("A") + place % 26)


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
        self.top = 0  # where its headings stand
        self.rival: WrongInput | None = None
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

    def headed(self, file: str, score: Score) -> None:
        """Find out where its headings stand."""
        try:
            self.top = _top(self.rows, file, score)
        except WrongInput as problem:
            self.rival = problem

    @property
    def plain(self) -> bool:
        """Whether from its headings on it has one column, and in it nothing that another delimiter would cut."""
        below = self.rows[self.top :]
        cells = [cell for _, cells in below for cell in cells]
        return len(cells) == len(below) and not any(sign in cell for cell in cells for sign in DELIMITERS)

    @property
    def header(self) -> list[str]:
        return self.rows[self.top][1]


def _expect_same(rivals: Sequence[_Cut], file: str) -> _Cut:
    """Several delimiters will do only if there is nothing to cut: one column, the same whatever cuts it."""
    first = rivals[0]
    for rival in rivals[1:]:
        for one, other in zip_longest(first.rows[first.top :], rival.rows[rival.top :]):
            if one != other:
                line = (one or other or (0,))[0]
                raise WrongInput(
                    N_("{file}, line {line}: it is not certain what parts the columns, expected ; everywhere"),
                    file=file, line=line,
                )  # fmt: skip
    return first


_SHOWN: Final = 40
_NUMBER: Final = re.compile(r"[+-]?\d{1,9}", re.ASCII)

_YES: Final = ("1", "yes", "y", "true", "x", "tak", "t", "si", "s", "prawda", "vero")
_NO: Final = ("0", "no", "n", "false", "-", "nie", "falso", "falsz")

Columns = Mapping[str, Sequence[str]]  # name in the program -> how people head it, without case and accents


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `line` from 1 where it begins. Its cells by the program's names, "" where there is none, how the file
    heads them, and at which place they stand, from 0.
    """

    file: str
    line: int
    cells: Mapping[str, str]
    headings: Mapping[str, str]
    places: Mapping[str, int]

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

    def wrong(self, column: str, template: str, **data: Sayable) -> WrongInput:
        """The error of one cell; `{at}` in its template is where, `{found}` what stands there."""
        found = self.text(column)
        return WrongInput(template, at=self.at(column), found=found[:_SHOWN] + "…" * (len(found) > _SHOWN), **data)

    def at(self, column: str) -> WrongInput:
        """Where a cell is: the heading A may well stand over a spreadsheet's column C."""
        if column not in self.places:
            return WrongInput(N_("{file}, line {line}"), file=self.file, line=self.line)
        return WrongInput(
            N_("{file}, line {line}, under the heading {heading} (cell {cell})"),
            file=self.file, line=self.line, heading=self.headings[column],
            cell=f"{letter(self.places[column])}{self.line}",
        )  # fmt: skip


class Rows(NamedTuple):
    """The rows that hold something in a column that is read; `unread`: columns that nobody asked for."""

    rows: list[Row]
    unread: tuple[str, ...]
    table: Table


def rows(
    data: bytes, file: str, columns: Columns, needed: Sequence[str], encoding: str | None = None,
    with_one_of: Columns | None = None, sheet: str | None = None, called: Callable[[str], str] = str,
) -> Rows:  # fmt: skip
    """The table by the program's names. WrongInput, with the line, if the bytes are no table with the `needed` columns,
    or one that is there lacks every column that should go with it (`with_one_of`). `called`: how a reader heads the
    column of that name.
    """
    known = {heading: name for name, headings in columns.items() for heading in (name, *headings)}

    def score(cells: Sequence[str]) -> int:
        count = sum(folded(cell) in known for cell in cells)
        return count if count > 1 else 0

    found = table(data, file, score, encoding, sheet)
    names = _names(found, known, needed, called)
    for name, others in (with_one_of or {}).items():
        if name in names and not set(others) & set(names):
            raise WrongInput(
                N_("{file}, line {line}: no column {column}, found {found}"),
                file=found.file, line=found.line, column="/".join(map(called, others)), found=_headed(found.header),
            )  # fmt: skip
    headings = {name: _headed([cell]) for name, cell in zip(names, found.header, strict=True) if name is not None}
    places = {name: place for place, name in enumerate(names) if name is not None}
    made = []
    for line, cells in found.rows:
        told = {name: cell for name, cell in zip(names, cells, strict=False) if name is not None and cell.strip()}
        if told:
            made.append(Row(found.file, line, told, headings, places))
    read = {place for place, name in enumerate(names) if name is not None}
    return Rows(made, found.unread(read), found)


def _names(
    found: Table, known: Mapping[str, str], needed: Sequence[str], called: Callable[[str], str]
) -> list[str | None]:
    names = [known.get(folded(cell)) for cell in found.header]
    for wanted in needed:
        if wanted not in names:
            raise WrongInput(
                N_("{file}, line {line}: no column {column}, found {found}"),
                file=found.file, line=found.line, column=called(wanted), found=_headed(found.header),
            )  # fmt: skip
    for place, name in enumerate(names):
        if name is not None and name in names[:place]:
            raise WrongInput(
                N_("{file}, line {line}: the heading {heading} is there twice, expected once"),
                file=found.file, line=found.line, heading=found.header[place].strip(),
            )  # fmt: skip
    return names


def _headed(header: Sequence[str]) -> str:
    return ", ".join(cell.strip()[:_SHOWN] for cell in header if cell.strip())


def load(path: str) -> bytes:
    """A file that somebody named, as far as `table` wants to see it; WrongInput if it cannot be read."""
    try:
        with Path(path).open("rb") as opened:
            return opened.read(BYTES_MOST + 1)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=path, problem=cause(error)) from error
