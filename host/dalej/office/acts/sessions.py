"""The act that ends the sessions of browsers."""

from __future__ import annotations

from typing import Annotated, Literal

from dalej.office.acts.act import Act, Asked
from dalej.words import N_


class EndSessions(Act, frozen=True):
    """Of a role, or of everybody; whoever serves the web does it (`dalej.web.hands`)."""

    name = "end_sessions"
    title = N_("log people out")
    about = "sessions"
    confirm = N_("These are logged out of their browsers and must log in again: {role}.")
    role: Annotated[Literal["everybody", "public", "referee", "organiser"], Asked("choice", N_("role"))]
