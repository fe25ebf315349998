"""Whether a screen is told to invert its colours: this one, which shows black on white otherwise."""

INVERTED = True
