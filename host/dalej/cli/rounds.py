"""`dalej round`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej round`."""
    return click.Group("round")
