"""Who may do what. The desk asks this before anything is done; what a screen offers is only a courtesy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from dalej.errors import WrongInput
from dalej.words import N_

Person = Literal["public", "referee", "organiser"]
Role = Literal["public", "referee", "organiser", "table"]
ROLES: Final[tuple[Person, ...]] = get_args(Person)  # as which people log in; a table is its phone
EVERYBODY: Final = "everybody"  # where a role is asked for and any will do

TABLES: Final[frozenset[Role]] = frozenset({"table"})
NOBODY: Final[frozenset[Role]] = frozenset()
REFEREES: Final[frozenset[Role]] = frozenset({"referee", "organiser"})
ORGANISERS: Final[frozenset[Role]] = frozenset({"organiser"})


@dataclass(frozen=True, slots=True)
class Actor:
    """A person at a screen. `served`: over the web, where a role stands for whoever knows its password."""

    name: str
    role: Role
    served: bool = False

    @property
    def who(self) -> str:
        """As the ledger keeps it: over the web with the role that the person logged in as."""
        return f"{self.name} ({self.role})" if self.served else self.name


def role_of(text: str) -> Role:
    """The role of that name; WrongInput if there is none."""
    for role in ROLES:
        if role == text:
            return role
    raise WrongInput(N_("“{found}” is no role, expected one of {known}"), found=text, known=", ".join(ROLES))
