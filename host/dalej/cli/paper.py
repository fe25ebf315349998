"""`dalej paper`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej paper`."""
    return click.Group("paper")
