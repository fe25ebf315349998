"""`dalej form`."""

from __future__ import annotations

import click


def command() -> click.Command:
    """`dalej form`."""
    return click.Group("form")
