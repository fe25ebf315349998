"""Which text the bytes of somebody's file are: told by the organiser, certain, or refused with the place in doubt.

A mark at the beginning decides, then UTF-8 if it can be nothing else. What Windows and older systems write in Poland,
cp1250 and ISO-8859-2, differs in ą, ś and ź alone: a reading counts if each of its letters is Polish, or the same in
all code pages of western and central Europe. If two different readings count, or none, nobody guesses.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from dalej.errors import WrongInput
from dalej.quoting import quoted
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
            N_("{file} begins as {found} does, expected {encoding}: leave out --encoding"),
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
            N_("{file}, line {line}, column {column}: not {encoding}, expected another --encoding"),
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
        N_("{file}, line {line}, column {column}: {readings}; nobody can tell, expected --encoding {known}"),
        file=file, line=data.count(b"\n", 0, place) + 1, column=place - start + 1, known=" | ".join(KNOWN),
        readings=" / ".join(quoted(reading, language()) for reading in readings if "�" not in reading),
    )  # fmt: skip


def _sure(byte: bytes) -> bool:
    return len({byte.decode(page, "replace") for page in _SINGLE}) == 1


def _words(line: str) -> str:
    """Of the piece of a line the cell with the doubtful sign in it."""
    return max(re.split(r"[;,|\t]", line), key=lambda cell: len(_beyond(cell))).strip()


def _place(text: str) -> tuple[int, int]:
    """Line and column, from 1, of the character after the text."""
    return text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1
