"""`dalej results`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej results`."""
    return click.Group("results")
