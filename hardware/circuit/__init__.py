"""The box's circuit as code, the rules it keeps, and the pictures drawn from it."""
