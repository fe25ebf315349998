"""What a tournament is, as pure functions over facts: no I/O, no clock, no SQL, no screen."""
