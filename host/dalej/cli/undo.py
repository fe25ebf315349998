"""`dalej undo`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej undo`."""
    return click.Group("undo")
