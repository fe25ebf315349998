"""What lies between desk and box: the desk's half of a session, and the links that carry it."""
