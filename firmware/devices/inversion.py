"""Whether a screen is told to invert its colours: panels of both controllers are sold that need it."""

INVERTED = False
