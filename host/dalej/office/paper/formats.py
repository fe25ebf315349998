"""The formats of documents: CSV that spreadsheets open as it is, XLSX that sorts, PDF from a template; and where a
file goes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import typst
import xlsxwriter  # type: ignore[import-untyped]  # it comes without types

from dalej import drafts
from dalej.errors import Refused, WrongInput
from dalej.hints import once_more
from dalej.words import N_, _, cause, everywhere, language

COMMA: Final = ","
_DELIMITERS: Final[Mapping[str, str]] = {"pl": ";", "it": ";"}  # where a comma stands in numbers
# Where a spreadsheet would begin to calculate, at whatever it cuts the line: the beginning of a cell, and a sign.
_FORMULA: Final = re.compile(r"""((?:\A|[,;|\t\r\n])"*)(?=[=+\-@\t\r])""")


def usual_delimiter() -> str:
    """What spreadsheets in the reader's language expect between cells."""
    return _DELIMITERS.get(language(), COMMA)


def csv_bytes(headings: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str | None = None) -> bytes:
    """UTF-8 with the mark by which spreadsheets know it. Numbers stay numbers, texts are `tamed`.

    `delimiter` None: the usual one of the reader's language.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=usual_delimiter() if delimiter is None else delimiter)
    writer.writerow(headings)
    writer.writerows([tamed(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def tamed(cell: object) -> object:
    """A text that no spreadsheet calculates, whatever it cuts it at: an apostrophe stands before what it would."""
    return _FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell


Cell = str | int | None

_NAME_MOST: Final = 31
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\]")
_WIDEST: Final = 60
_FILTER_BUTTON: Final = 3  # characters
_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)  # the same data give the same bytes


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet. Every row has as many cells as there are headings; None is an empty cell."""

    name: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def xlsx_bytes(title: str, sheets: Sequence[Sheet]) -> bytes:
    """The workbook; texts are texts, whatever they begin with."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"title": title, "created": _MADE})
        bold = book.add_format({"bold": True, "bottom": 1})
        taken: set[str] = set()
        for sheet in sheets:
            page = book.add_worksheet(_free_name(sheet.name, taken))
            for column, heading in enumerate(sheet.headings):
                page.write_string(0, column, heading, bold)
                page.set_column(column, column, _width(sheet, column))
            for number, row in enumerate(sheet.rows, start=1):
                for column, cell in enumerate(row):
                    if isinstance(cell, str):
                        page.write_string(number, column, cell)
                    elif cell is not None:
                        page.write_number(number, column, cell)
            page.freeze_panes(1, 0)
            page.autofilter(0, 0, len(sheet.rows), len(sheet.headings) - 1)
            page.set_paper(9)  # A4
            page.repeat_rows(0)
            page.fit_to_pages(1, 0)
    return file.getvalue()


def _width(sheet: Sheet, column: int) -> int:
    longest = max((len(str(row[column])) for row in sheet.rows if row[column] is not None), default=0)
    return min(max(longest, len(sheet.headings[column]) + _FILTER_BUTTON), _WIDEST) + 1


def _free_name(wanted: str, taken: set[str]) -> str:
    """A name that spreadsheets allow and no other sheet has, whatever the case."""
    plain = _FORBIDDEN.sub(" ", wanted).strip("' ")[:_NAME_MOST] or "1"
    name, number = plain, 1
    while name.casefold() in taken:
        number += 1
        ending = f" {number}"
        name = plain[: _NAME_MOST - len(ending)] + ending
    taken.add(name.casefold())
    return name


_TEMPLATES: Final = files("dalej.office.paper") / "templates"
_COMMON: Final = "common.typ"


def pdf(template: str, title: str, data: Mapping[str, object], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """The PDF that `templates/TEMPLATE.typ` makes of the data, in the reader's language. `pictures`: their files by the
    names under which the template asks for them.
    """
    source = b"\n".join((_TEMPLATES / name).read_bytes() for name in (_COMMON, f"{template}.typ"))
    whole = json.dumps({"language": language(), "title": title, **data}, ensure_ascii=False)
    return _compiled(source, {"data": whole}, pictures or {})


def _compiled(source: bytes, inputs: dict[str, str], pictures: Mapping[str, bytes]) -> bytes:
    """Pictures are read from a folder of their own, where nothing else lies that one could refer to."""
    if not pictures:
        return typst.compile(source, format="pdf", ignore_system_fonts=True, sys_inputs=inputs)
    with TemporaryDirectory(prefix="dalej-") as folder:
        main = Path(folder) / "main.typ"
        for name, content in {main.name: source, **pictures}.items():
            (Path(folder) / name).write_bytes(content)
        return typst.compile(main, format="pdf", root=Path(folder), ignore_system_fonts=True, sys_inputs=inputs)


_PICTURE_MOST: Final = 8_000_000  # bytes
_PICTURE: Final = b'#set page(width: 40mm, height: 30mm)\n#image("/picture", width: 20mm, height: 20mm, fit: "contain")'


def picture(file: str) -> bytes:
    """What a picture's file holds, once it is known that a document can show it; WrongInput if not."""
    try:
        with Path(file).open("rb") as opened:
            content = opened.read(_PICTURE_MOST + 1)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=file, problem=cause(error)) from error
    if len(content) > _PICTURE_MOST:
        raise WrongInput(
            N_("{file} is too large for a picture on paper, expected {most} MB at most"),
            file=file, most=_PICTURE_MOST // 1_000_000,
        )  # fmt: skip
    try:
        _compiled(_PICTURE, {}, {"picture": content})
    except (RuntimeError, ValueError) as error:
        raise WrongInput(
            N_("{file} is no picture that can be printed, expected a whole PNG, JPEG or SVG file"), file=file
        ) from error
    return content


Formats = Mapping[str, Callable[[], bytes]]  # by the suffix of the file


# How a document's file is called, in letters that every computer and every school's server has.
NAMES: Final[Mapping[str, str]] = {
    "sheets": N_("{event}-sheets"), "seating": N_("{event}-seating"), "standings": N_("{event}-standings"),
    "turns": N_("{event}-turns"), "page": N_("{event}-page"), "form": N_("{event}-form"),
    "wall": N_("{event}-wall"), "numbers": N_("{event}-numbers"), "results": N_("{event}-results"),
    "list": N_("{event}-to-fill-in"), "signups": N_("{event}-sign-ups"),
    "prizes": N_("{event}-prizes"), "diplomas": N_("{event}-diplomas"), "diploma": N_("{event}-diploma"),
    "diplomas_of_groups": N_("{event}-diplomas-by-group"), "diplomas_of_all": N_("{event}-diplomas-for-everybody"),
    "diplomas_of_all_and_groups": N_("{event}-diplomas-by-group-and-for-everybody"),
}  # fmt: skip


def diplomas_named(*, groups: bool, taking_part: bool) -> str:
    """Which of `NAMES` such diplomas have."""
    if taking_part:
        return "diplomas_of_all_and_groups" if groups else "diplomas_of_all"
    return "diplomas_of_groups" if groups else "diplomas"


def beside(source: Path, what: str, suffix: str, *about: str) -> Path:
    """The file of that document, one of `NAMES`, beside the event, called so in the reader's language. `about`: what
    sets it apart from others of its kind, such as the round.
    """
    return source.with_name("-".join((_(NAMES[what]).format(event=source.stem), *filter(None, about))) + suffix)


def free_beside(source: Path, what: str, suffix: str, *about: str) -> Path:
    """The same with a number where there is one already: nothing that was printed is replaced."""
    names = (beside(source, what, suffix, *about, "" if number == 1 else str(number)) for number in count(1))
    return next(path for path in names if not path.exists())


def is_beside(source: Path, what: str, path: Path) -> bool:
    """Whether that file is called as this document of the event is, in whatever language it was made."""
    return path.stem.startswith(tuple(name.format(event=source.stem) for name in everywhere(NAMES[what])))


def save(path: Path, formats: Formats, *, overwrite: bool = False, mode: int = drafts.OPEN) -> None:
    """Makes the document in the format that the name asks for. WrongInput if there is none of that name, or it cannot
    be written; Refused if something is there already.
    """
    make = formats.get(path.suffix.lower())
    if make is None:
        raise WrongInput(
            N_("{file} cannot be written: expected a name that ends in {suffixes}"),
            file=str(path), suffixes=_either(list(formats)),
        )  # fmt: skip
    _expect_free(path, overwrite)
    _write_whole(path, make(), overwrite, mode)


def _either(suffixes: Sequence[str]) -> str:
    return ", ".join(suffixes)


def _expect_free(path: Path, overwrite: bool) -> None:
    if path.is_dir() or not path.parent.is_dir():
        raise WrongInput(N_("{file} cannot be written: expected a file name in an existing folder"), file=str(path))
    if path.exists() and not overwrite:
        raise _taken(path)


def _write_whole(path: Path, content: bytes, overwrite: bool, mode: int) -> None:
    try:
        drafts.write(path, content, mode, replace=overwrite)
    except FileExistsError:  # it took a while
        raise _taken(path) from None
    except OSError as error:
        raise WrongInput(N_("{file} cannot be written: {problem}"), file=str(path), problem=cause(error)) from error


def _taken(path: Path) -> Refused:
    taken = Refused(N_("{file} already exists: expected a name that is free"), file=str(path))
    return taken.hinted(N_("{command} writes over it"), command=once_more("--overwrite"))
