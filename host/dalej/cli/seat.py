"""`dalej seat`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej seat`."""
    return click.Group("seat")
