"""The desk of an event: where links, ledger and domain meet."""
