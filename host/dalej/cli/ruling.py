"""`dalej ruling`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej ruling`."""
    return click.Group("ruling")
