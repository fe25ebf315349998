"""The reader's language: everything a person reads goes through gettext, nothing a program reads does. And the order
of names, the same on a screen and on paper: that of the language in which an event is played.
"""

from __future__ import annotations

import ctypes
import errno
import gettext
import locale
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final

from dalej.errors import Counted, DalejError

DOMAIN = "dalej"
_LOCALE: Final = str(Path(__file__).with_name("locale"))
LANGUAGES = ("pl", "en", "it")
# Controls, which a terminal obeys; breaks of lines; what turns the writing direction; halves of surrogate pairs, which
# cannot be written. Joiners stay: some scripts and pictures are spelled with them.
_UNREADABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SPOKEN: Final[ContextVar[str | None]] = ContextVar("spoken", default=None)
_ASKED: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def speak(language: str | None = None) -> None:
    """Bind the catalogues; `language` (one of `LANGUAGES`) wins over the environment, that over what Windows says."""
    if language is None and not any(map(os.environ.get, _ASKED)):
        language = _of_windows()
    if language is not None:
        os.environ["LANGUAGE"] = language
    gettext.bindtextdomain(DOMAIN, _LOCALE)
    gettext.textdomain(DOMAIN)
    if ":" in os.environ.get("LANGUAGE", ""):
        # What is English in the source is in no catalogue, and gettext would look for it in the next language's.
        os.environ["LANGUAGE"] = _found()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """In this block, and what it awaits, the reader's language is that one: a server speaks to many at once."""
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def _(message: str) -> str:
    """The message in the reader's language; of nothing nothing, where gettext would give the catalogue's own header."""
    return message and _spoken().gettext(message)


def everywhere(message: str) -> set[str]:
    """The message in every language."""
    return {gettext.translation(DOMAIN, _LOCALE, [one], fallback=True).gettext(message) for one in LANGUAGES}


def is_word(text: str, *messages: str) -> bool:
    """Whether this is one of these words, in any language, whatever its case."""
    return text.strip().casefold() in {word.casefold() for message in messages for word in everywhere(message)}


def ngettext(one: str, many: str, count: int) -> str:
    """The form of the message that goes with the count."""
    return _spoken().ngettext(one, many, count)


def language() -> str:
    """The reader's language, one of `LANGUAGES`: that in which `_` answers."""
    return _found()


def _spoken() -> gettext.NullTranslations:
    spoken = _SPOKEN.get()
    return _catalogue(tuple(map(os.environ.get, _ASKED)), gettext.textdomain()) if spoken is None else _of(spoken)


def _found() -> str:
    found = _spoken().info().get("language", "en")
    return found if found in LANGUAGES else "en"


def N_(template: str) -> str:
    """Marks a template for the catalogues without translating it yet."""
    return template


def readable(text: str) -> str:
    """What somebody typed, as a screen can show it: "�" for every character that would do something there."""
    return _UNREADABLE.sub("�", text)


ROLE_WORDS: Final = {
    "public": N_("public"),
    "referee": N_("referee"),
    "organiser": N_("organiser"),
    "table": N_("table"),
}


def capital(text: str) -> str:
    """As a sentence or a heading begins; the other letters stay."""
    return text[:1].upper() + text[1:]


def who_said(who: str) -> str:
    """The ledger's name of a person as it is shown: what role stands behind it, in the reader's words."""
    for role, words in ROLE_WORDS.items():
        if who.endswith(f" ({role})"):
            return readable(f"{who.removesuffix(f'({role})')}({_(words)})")
    return readable(who)


def said(error: DalejError) -> str:
    """The error's sentence in the reader's language; an error within it (what is wrong with a line, say) likewise.

    Whatever others have put into it, a name or a file's, cannot make the terminal do anything but show it.
    """
    data = {name: who_said(value) if name == "who" and isinstance(value, str) else _said(value)
            for name, value in error.data.items()}  # fmt: skip
    template = _(error.template)
    if isinstance(error, Counted):
        template = ngettext(error.one, error.many, error.count)
    return "\n".join(map(readable, template.format(**data).split("\n")))


def _said(value: object) -> object:
    if isinstance(value, DalejError):
        return said(value)
    return day_shown(value) if isinstance(value, str) else value


_CAUSES: Final[dict[int, str]] = {
    errno.ENOENT: N_("there is no such file or folder"),
    errno.ENOTDIR: N_("a part of its path is no folder"),
    errno.EISDIR: N_("it is a folder"),
    errno.EEXIST: N_("something is there already"),
    errno.ENAMETOOLONG: N_("its name is too long"),
    errno.EACCES: N_("this account may not do that here"),
    errno.EPERM: N_("this account may not do that here"),
    errno.EROFS: N_("it can only be read there"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EDQUOT: N_("the disk is full"),
    errno.EFBIG: N_("it would be too large for the disk"),
    errno.EIO: N_("the disk does not answer as it should: is it broken, or was it unplugged?"),
    errno.EBUSY: N_("another program is using it"),
    errno.ETXTBSY: N_("another program is using it"),
    errno.EAGAIN: N_("another program is using it"),
    errno.EMFILE: N_("too many files are open"),
    errno.ENFILE: N_("too many files are open"),
    errno.EADDRINUSE: N_("another program is using it"),
    errno.EADDRNOTAVAIL: N_("it is no address of this computer"),
    errno.ENODEV: N_("it is not plugged in"),
    errno.ENXIO: N_("it is not plugged in"),
    errno.ETIMEDOUT: N_("nothing has come back in time"),
}
_SHARED: Final = (32, 33)  # Windows: what another program holds open


def cause(error: OSError) -> DalejError:
    """Why the system has not done it; in the reader's language, if the cause is one of the usual ones."""
    if getattr(error, "winerror", None) in _SHARED:
        return DalejError(_CAUSES[errno.EBUSY])
    if isinstance(error, TimeoutError):  # one of asyncio has no number
        return DalejError(_CAUSES[errno.ETIMEDOUT])
    known = _CAUSES.get(error.errno or 0)
    return DalejError("{problem}", problem=error.strerror or str(error)) if known is None else DalejError(known)


def advised(error: DalejError) -> str:
    """The same with the hint that it, or an error within it, has for whoever types commands."""
    hint = _hint(error)
    return said(error) if hint is None else said(DalejError(N_("{problem}; {hint}"), problem=error, hint=hint))


def _hint(error: DalejError) -> DalejError | None:
    inner = (_hint(value) for value in error.data.values() if isinstance(value, DalejError))
    return error.hint or next((hint for hint in inner if hint is not None), None)


def _of_windows() -> str | None:
    """Windows has no LANG: the language of its own windows and menus."""
    if sys.platform != "win32":
        return None
    return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage())


@cache
def _of(language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, _LOCALE, languages=[language], fallback=True)


@cache
def _catalogue(_languages: tuple[str | None, ...], domain: str) -> gettext.NullTranslations:
    return gettext.translation(domain, gettext.bindtextdomain(domain), fallback=True)


_DOTTED: Final = re.compile(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})", re.ASCII)
_SLASHED: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_DAYS: Final = {"pl": "{day}.{month}.{year}", "it": "{day}/{month}/{year}"}  # English has them as they are kept


def dated(text: str) -> str:
    """A day as Poles and Italians write it, 4.05.2013, as it is kept, 2013-05-04; all else as it is. With slashes, too,
    but where English is read: there 4/5 is two days.
    """
    told = _DOTTED.fullmatch(text.strip())
    if told is None and language() in _DAYS:
        told = _SLASHED.fullmatch(text.strip())
    return text if told is None else f"{told[3]}-{told[2]:0>2}-{told[1]:0>2}"


def day_shown(text: str) -> str:
    """A day as it is kept, 2026-11-27, as the reader's language writes it and `dated` reads it: 27.11.2026 in Polish,
    27/11/2026 in Italian; all else as it is.
    """
    kept = _DAY.fullmatch(text)
    if kept is None:
        return text
    year, month, day = kept.groups()
    return _DAYS.get(language(), text).format(day=day, month=month, year=year)


_POLISH: Final = "pl"
_STROKE: Final = "\u0337"


def alphabetical(name: str, language: str = _POLISH) -> tuple[object, ...]:
    """What names are sorted by. In Polish ą follows a and ł follows l; elsewhere an accent decides only between names
    that are spelled alike.
    """
    letters = [_letter(letter) for letter in name.casefold()]
    if language == _POLISH:
        return tuple(letters)
    return (tuple(plain for plain, _accents in letters), tuple(letters))


def _letter(letter: str) -> tuple[str, str]:
    if letter == "ł":
        return "l", _STROKE
    apart = unicodedata.normalize("NFD", letter)
    return apart[0], apart[1:]
