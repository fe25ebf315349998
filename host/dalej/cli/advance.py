"""`dalej advance`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej advance`."""
    return click.Group("advance")
