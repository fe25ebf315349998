"""The few pages around a screen, in the language of whoever looks: log-in, the screen's frame, and what a browser is
told that asks for what there is not, or may not. This process speaks to many at once, `dalej.words` to one.
"""

from __future__ import annotations

import gettext
import logging
import unicodedata
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Final

from aiohttp import hdrs, web
from aiohttp.http_exceptions import HttpProcessingError
from jinja2 import Environment, FunctionLoader, StrictUndefined

import dalej.words
from dalej.clock import Clock
from dalej.errors import DalejError, WrongInput
from dalej.office.acts.roles import ROLES, WORDS, Role
from dalej.web.sessions import Session
from dalej.words import DOMAIN, LANGUAGES, N_, ngettext, readable

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


class Speech:
    """`language`: one of `LANGUAGES`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = gettext.translation(DOMAIN, str(_LOCALE), languages=[language], fallback=True)

    def say(self, template: str, **data: object) -> str:
        """The sentence, with its fields; an error among them is a sentence too."""
        said = {name: self.said(value) if isinstance(value, DalejError) else value for name, value in data.items()}
        translated = self._catalogue.gettext(template) if template else ""
        return readable(translated.format(**said) if said else translated)

    def said(self, error: DalejError) -> str:
        """The error's sentence."""
        return self.say(error.template, **error.data)


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


FONTS: Final = (10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 64)  # pixels
ROWS_AFAR: Final = 44  # of the public's screen on a large window: with these its pages' letters are the largest
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
    """`event`: its name, as a title."""

    def __init__(self, event: str) -> None:
        self.call(event)
        self._made = Environment(
            autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
            loader=FunctionLoader(lambda name: (files("dalej.web") / "templates" / name).read_text(encoding="utf-8")),
        )  # fmt: skip

    def call(self, event: str) -> None:
        """Its name, from now on."""
        self._event = readable(event)

    def log_in(self, speech: Speech, form: Form) -> str:
        """The way in."""
        say = speech.say
        offered = [role for role in reversed(ROLES) if role in form.roles]
        return self._page(
            "login.html", speech,
            form=form, roles=[(role, say(WORDS[role])) for role in offered], chosen=form.role or _likeliest(offered),
            name_most=LONGEST,
            words={
                "log_in": say(N_("Log in")), "role": say(N_("Role")), "name": say(N_("Your name")),
                "password": say(N_("Password")),
                "kept": say(N_("Your name is written down with everything you do.")),
                "look": say(N_("Look as the public, without a password")),
                "language": say(N_("Language")),
            },
        )  # fmt: skip

    def screen(self, speech: Speech, session: Session) -> str:
        """The frame around the terminal."""
        say = speech.say
        return self._page(
            "screen.html", speech,
            who=session.actor.name, role=say(WORDS[session.actor.role]), font=session.font,
            fonts=" ".join(map(str, FONTS)), rows=ROWS_AFAR if session.actor.role == "public" else "",
            words={
                "log_out": say(N_("Log out")), "smaller": say(N_("Smaller letters")),
                "larger": say(N_("Larger letters")), "fit": say(N_("Letters that fit")),
                "whole": say(N_("Full screen")), "starts": say(N_("The screen is being started…")),
                "again": say(N_("Open it again")), "ended": say(N_("The screen was closed.")),
                "lost": say(N_("The server cannot be reached: trying again…")),
                "language": say(N_("Language")),
            },
        )  # fmt: skip

    def refusal(self, speech: Speech, text: str, *, way_in: bool) -> str:
        """One sentence, and where to go on from there."""
        return self._page(
            "refusal.html", speech, text=text, way_in=way_in, words={"on": speech.say(N_("To the screen"))}
        )

    def _page(self, name: str, speech: Speech, **fields: object) -> str:
        languages = [(code, own, code == speech.language) for code, own in OWN_NAMES.items()]
        return self._made.get_template(name).render(
            event=self._event, language=speech.language, languages=languages, **fields
        )


def _likeliest(offered: list[Role]) -> str:
    """A referee is whom the hall has most of."""
    return "referee" if "referee" in offered else next(iter(offered), "")


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

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


def refusals(pages: Pages, speech_of: Callable[[web.Request], Speech]) -> Callable[..., Awaitable[web.StreamResponse]]:
    """The outermost middleware: nothing that went wrong leaves as English words of a library, or as a traceback."""

    @web.middleware
    async def refusing(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as refused:
            if refused.status < HTTPStatus.BAD_REQUEST:
                raise
            allowed = {str(hdrs.ALLOW): refused.headers[hdrs.ALLOW]} if hdrs.ALLOW in refused.headers else {}
            return _answer(request, pages, speech_of(request), refused.status, allowed)
        except DalejError as error:  # such as passwords that others can read: no business of whoever asks
            log.error("%s", error)
            return _answer(request, pages, speech_of(request), HTTPStatus.INTERNAL_SERVER_ERROR, {})
        except Exception:
            log.exception("a page failed")
            return _answer(request, pages, speech_of(request), HTTPStatus.INTERNAL_SERVER_ERROR, {})

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


def _answer(
    request: web.Request, pages: Pages, speech: Speech, status: int, headers: Mapping[str, str]
) -> web.Response:
    """A page for whoever looks at it, else the bare sentence."""
    text = speech.say(_SAID.get(status, FAILED))
    if "text/html" not in request.headers.get(hdrs.ACCEPT, ""):
        return web.Response(text=f"{text}\n", status=status, headers=headers)
    way_in = status != HTTPStatus.MISDIRECTED_REQUEST  # under that name there is none
    page = pages.refusal(speech, text, way_in=way_in)
    return web.Response(text=page, content_type="text/html", charset="utf-8", status=status, headers=headers)
