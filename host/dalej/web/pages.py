"""What every page has around it, the way in, and what a browser is told that asks for what there is not, or may not;
in the language of whoever looks.
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aiohttp import hdrs, web
from aiohttp.http_exceptions import HttpProcessingError

import dalej.words
from dalej.clock import Clock
from dalej.errors import DalejError, WrongInput
from dalej.hangups import Handler
from dalej.office.acts.roles import ROLES, Role
from dalej.web.templates import Templates
from dalej.words import LANGUAGES, N_, ROLE_WORDS, _, language, ngettext, readable

LONGEST: Final = 40
_ALSO: Final = frozenset(" .-'’_")


def named(text: str) -> str:
    """As it is kept; WrongInput if it is none. No brackets: the role stands in them, and nobody writes it himself."""
    name = " ".join(unicodedata.normalize("NFC", text[: 4 * LONGEST]).split())
    if not any(letter.isalpha() for letter in name):
        raise WrongInput(N_("your name is missing: it is written down with what you do"))
    if len(name) > LONGEST:
        raise WrongInput(N_("a name has at most {longest} characters"), longest=LONGEST)
    wrong = [letter for letter in name if not _fits(letter)]
    if wrong:
        raise WrongInput(N_("a name is made of letters, digits, spaces, . - ' and _; not of {found}"), found=wrong[0])
    return name


def _fits(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LMN" or letter in _ALSO


OWN_NAMES: Final = {"pl": "Polski", "en": "English", "it": "Italiano"}
_LOCALE: Final = Path(dalej.words.__file__).with_name("locale")
_LONGEST: Final = 500


def chosen(accepted: str, default: str) -> str:
    """Of our languages the one that an Accept-Language header likes best."""
    best, most = default, 0.0
    for part in accepted[:_LONGEST].split(","):
        tag, _, parameters = part.strip().partition(";")
        language = tag.partition("-")[0].lower()
        weight = _weight(parameters)
        if language in LANGUAGES and weight > most:
            best, most = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


ENDS: Final = {
    "out": N_("You are logged out."),
    "ended": N_("An organiser has ended the sessions; log in again."),
    "password": N_("The password of this role was changed; log in with the new one."),
    "dropped": N_("This role has no password any more: nobody can log in with it."),
    "time": N_("This session has lasted long enough; log in again."),
    "over": N_("This session is over; log in again."),
}


@dataclass(frozen=True, slots=True)
class Form:
    """What the log-in page shows: what was typed before, never a password. `roles`: those that somebody can log in as;
    `open`: the public needs no password.
    """

    roles: Collection[Role]
    open: bool
    name: str = ""
    role: str = ""
    problem: str = ""
    remark: str = ""


class Pages:
    """`event`: its name, as a title. Everything is said in the reader's language (`dalej.words.speaking`)."""

    def __init__(self, event: str, templates: Templates) -> None:
        self.call(event)
        self._templates = templates

    def call(self, event: str) -> None:
        """Its name, from now on."""
        self.event = readable(event)

    def log_in(self, form: Form) -> str:
        """The way in."""
        offered = [role for role in reversed(ROLES) if role in form.roles]
        chosen = form.role or _likeliest(offered)
        return self.page("login.html", form=form, roles=offered, called=ROLE_WORDS, chosen=chosen, name_most=LONGEST)

    def refusal(self, text: str, *, way_in: bool) -> str:
        """One sentence, and where to go on from there."""
        return self.page("refusal.html", text=text, way_in=way_in)

    def page(self, template: str, **fields: object) -> str:
        """The page of that template."""
        languages = [(code, own, code == language()) for code, own in OWN_NAMES.items()]
        about = {"event": self.event, "language": language(), "languages": languages, "look": ""}
        return self._templates.page(template, **about | fields)


def _likeliest(offered: Sequence[Role]) -> str:
    """A referee is whom the hall has most of."""
    return "referee" if "referee" in offered else next(iter(offered), "")


NOT_YOURS: Final = N_("This page is not for your role: a referee or an organiser sees it once logged in.")
FAILED: Final = N_("The server has failed at that; its terminal says at what.")
_SAID: Final[Mapping[int, str]] = {
    HTTPStatus.UNAUTHORIZED: N_("Log in first."),
    HTTPStatus.FORBIDDEN: N_("This was asked for by another page than Dalej's own."),
    HTTPStatus.NOT_FOUND: N_("There is no such page here."),
    HTTPStatus.METHOD_NOT_ALLOWED: N_("There is nothing to be sent to this page."),
    HTTPStatus.REQUEST_TIMEOUT: N_("What was sent took too long to arrive; try again."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: N_("That is more than a log-in has."),
    HTTPStatus.MISDIRECTED_REQUEST: N_("This name does not belong to Dalej here; use the address."),
}

log = logging.getLogger("dalej.web")


def refusals(pages: Pages) -> Callable[..., Awaitable[web.StreamResponse]]:
    """What goes wrong leaves in words: nothing as English words of a library, or as a traceback."""

    @web.middleware
    async def refusing(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as refused:
            if refused.status < HTTPStatus.BAD_REQUEST:
                raise
            allowed = {str(hdrs.ALLOW): refused.headers[hdrs.ALLOW]} if hdrs.ALLOW in refused.headers else {}
            return _answer(request, pages, refused.status, allowed)
        except DalejError as error:  # such as passwords that others can read: no business of whoever asks
            log.error("%s", error)
            return _answer(request, pages, HTTPStatus.INTERNAL_SERVER_ERROR, {})
        except Exception:
            log.exception("a page failed")
            return _answer(request, pages, HTTPStatus.INTERNAL_SERVER_ERROR, {})

    return refusing


class Malformed(logging.Filter):
    """Requests that are no HTTP: aiohttp answers each with a 400 and a traceback; here they are counted, and told of in
    one line a minute.
    """

    EVERY_MS: Final = 60_000

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._count = 0
        self._since_ms = 0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, (HttpProcessingError, web.RequestPayloadError)):
            return record.levelno >= logging.WARNING
        if not self._count:
            self._since_ms = self._clock.now_ms()
        self._count += 1
        return False

    def tell(self, *, now: bool = False) -> None:
        """Of those of the last minute, if one is over; `now`: of what there is."""
        if self._count and (now or self._clock.now_ms() - self._since_ms >= self.EVERY_MS):
            log.warning("%s", ngettext(
                "{count} request was refused that no browser makes.",
                "{count} requests were refused that no browser makes.", self._count,
            ).format(count=self._count))  # fmt: skip
            self._count = 0


def requests_log(malformed: Malformed) -> logging.Logger:
    """Where a server's library writes what goes wrong with requests, but for those."""
    found = logging.Logger("dalej.web.requests", logging.DEBUG)  # noqa: LOG001 -- one a server, gone with it
    found.parent = log
    found.addFilter(malformed)
    return found


def _answer(request: web.Request, pages: Pages, status: int, headers: Mapping[str, str]) -> web.Response:
    """A page for whoever looks at it, else the bare sentence."""
    text = _(_SAID.get(status, FAILED))
    if status == HTTPStatus.FORBIDDEN and request.method in (hdrs.METH_GET, hdrs.METH_HEAD):
        text = _(NOT_YOURS)
    if "text/html" not in request.headers.get(hdrs.ACCEPT, ""):
        return web.Response(text=f"{text}\n", status=status, headers=headers)
    way_in = status != HTTPStatus.MISDIRECTED_REQUEST  # under that name there is none
    page = pages.refusal(text, way_in=way_in)
    return web.Response(text=page, content_type="text/html", charset="utf-8", status=status, headers=headers)
