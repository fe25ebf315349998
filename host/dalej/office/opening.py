"""A new event: its file, its name and its ruleset, all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dalej.domain.rules.ruletext import parse
from dalej.domain.tournament.tournament import EVENT, RULESET
from dalej.errors import WrongInput
from dalej.event.ledger import Draft, Ledger
from dalej.event.ledger.entries import Json
from dalej.office.players import proper_name
from dalej.rulesets import rulebook
from dalej.words import N_, dated


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What an organiser says about a new event. `ruleset`: an id or a file; `name` "": the ruleset's title."""

    ruleset: str
    name: str = ""
    town: str = ""
    date: str = ""
    closed: bool = False


def open_event(path: str, wanted: Opening, *, who: str, wall_ms: Callable[[], int]) -> str:
    """Makes the event file and gives the event's name. WrongInput, and there is no file, if anything cannot be right;
    a file that is there already stays as it is.
    """
    text, file = rulebook.source(wanted.ruleset)
    ruleset = parse(text, file)
    name = proper_name(wanted.name or ruleset.title)
    body: dict[str, Json] = {
        "name": name, "town": proper_town(wanted.town), "date": proper_date(wanted.date), "closed": wanted.closed,
    }  # fmt: skip
    drafts = [Draft(EVENT, body, EVENT), ruleset_draft(ruleset.id, text)]
    ledger = Ledger.create(path)
    try:
        with ledger:
            ledger.decide_together(drafts, who=who, when_ms=wall_ms(), why=f"a new event, played by {ruleset.id}")
    except BaseException:
        for left in (path, f"{path}-wal", f"{path}-shm"):
            Path(left).unlink(missing_ok=True)
        raise
    return name


def ruleset_draft(ruleset: str, text: str) -> Draft:
    """By which ruleset the event is played, its text with it."""
    return Draft(RULESET, {"id": ruleset, "text": text}, RULESET)


def proper_date(text: str) -> str:
    """A day as the event keeps it, 2026-11-21 (also of 21.11.2026), "" for none; WrongInput if there is none such."""
    try:
        return date.fromisoformat(dated(text.strip())).isoformat() if text.strip() else ""
    except ValueError:
        raise WrongInput(N_("the date is “{date}”, expected a day such as 2026-11-21"), date=text) from None


def proper_town(text: str) -> str:
    """A town, "" for none; WrongInput if it cannot be shown."""
    return proper_name(text) if text.strip() else ""
