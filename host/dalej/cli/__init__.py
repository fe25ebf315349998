"""The program `dalej`: the only place that makes real things (clocks, files, randomness) and hands them to the rest."""

from dalej.cli.program import app, main

__all__ = ["app", "main"]
