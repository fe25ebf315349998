"""`dalej score`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej score`."""
    return click.Group("score")
