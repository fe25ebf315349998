"""The hall on a screen: a process of its own on an event, which reads the ledger and listens to the desk."""
