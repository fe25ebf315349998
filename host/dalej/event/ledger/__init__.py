"""The append-only ledger of an event: one SQLite file, several processes, one order of everything that happened."""

from dalej.event.ledger.decisions import ASSIGN, REVOKE, Outrun, baseline_of, body_of
from dalej.event.ledger.entries import (
    APPLIED,
    FETCH,
    NO_LINK,
    REFUSED,
    SENT,
    Baseline,
    Conflict,
    Decision,
    Draft,
    Entry,
    Gap,
    Json,
    Origin,
    Outcome,
    Recorded,
    Report,
    Reported,
    Request,
    Stream,
)
from dalej.event.ledger.lease import Held, Lease
from dalej.event.ledger.ledger import Ledger
from dalej.event.ledger.origins import Heard
from dalej.event.ledger.personal import FIELDS as PERSONAL_FIELDS
from dalej.event.ledger.personal import TITLES as PERSONAL_TITLES
from dalej.event.ledger.requests import AskedAlready
from dalej.event.ledger.store import OlderFile

__all__ = [
    "APPLIED", "ASSIGN", "FETCH", "NO_LINK", "PERSONAL_FIELDS", "PERSONAL_TITLES",
    "REFUSED", "REVOKE", "SENT", "AskedAlready", "Baseline",
    "Conflict", "Decision", "Draft", "Entry", "Gap", "Heard", "Held", "Json", "Lease", "Ledger", "OlderFile", "Origin",
    "Outcome",
    "Outrun", "Recorded", "Report", "Reported", "Request", "Stream", "baseline_of", "body_of",
]  # fmt: skip
