"""`dalej rules`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej rules`."""
    return click.Group("rules")
