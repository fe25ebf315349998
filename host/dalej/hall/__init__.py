"""The hall as a screen shows it: a fold over the ledger's entries and over what the desk says it hears now."""
