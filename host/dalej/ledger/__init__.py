"""The append-only ledger of an event: one SQLite file, several processes, one order of everything that happened."""

from dalej.ledger.decisions import ASSIGN, REVOKE, Outrun, baseline_of, body_of
from dalej.ledger.entries import (
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
    Outcome,
    Recorded,
    Report,
    Reported,
    Request,
    Stream,
)
from dalej.ledger.lease import Held, Lease
from dalej.ledger.ledger import Ledger
from dalej.ledger.order import OlderFile
from dalej.ledger.personal import FIELDS as PERSONAL_FIELDS
from dalej.ledger.requests import AskedAlready

__all__ = [
    "APPLIED", "ASSIGN", "FETCH", "NO_LINK", "PERSONAL_FIELDS", "REFUSED", "REVOKE", "SENT", "AskedAlready", "Baseline",
    "Conflict", "Decision", "Draft", "Entry", "Gap", "Held", "Json", "Lease", "Ledger", "OlderFile", "Outcome",
    "Outrun", "Recorded", "Report", "Reported", "Request", "Stream", "baseline_of", "body_of",
]  # fmt: skip
