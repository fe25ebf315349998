"""`dalej standings`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej standings`."""
    return click.Group("standings")
