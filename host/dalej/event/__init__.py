"""One event: its ledger, and what is read from it."""
