"""`dalej players`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej players`."""
    return click.Group("players")
