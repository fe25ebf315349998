"""The few pages around a screen, in the language of whoever looks: log-in, the screen's frame."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from jinja2 import Environment, FunctionLoader, StrictUndefined

from dalej.acts.roles import ROLES, WORDS, Role
from dalej.web.names import LONGEST as NAME_MOST
from dalej.web.sessions import Session
from dalej.web.speech import OWN_NAMES, Speech
from dalej.words import N_, readable

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
            name_most=NAME_MOST,
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
