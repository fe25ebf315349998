"""`dalej box`: the boxes themselves, over the cable and over the air."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Final, cast

import click

from dalej.cli.terminal import Group, example
from dalej.words import _

# Name -> the module of `dalej.cli` with a function `<name>_command`: imported when it is asked for.
MODULES: Final = {
    "install": "boxinstall",
    "image": "boxinstall",
    "pair": "boxpair",
    "list": "boxlist",
    "assign": "boxlist",
    "rename": "boxlist",
    "forget": "boxlist",
    "info": "boxtalk",
    "log": "boxtalk",
    "blink": "boxtalk",
    "set": "boxtalk",
    "test": "boxtest",
    "measure": "boxmeasure",
    "keys": "boxkeys",
    "card": "boxcard",
    "page": "boxpage",
    "phone": "boxphone",
}


class _Commands(Mapping[str, click.Command]):
    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"dalej.cli.{MODULES[name]}")
        command: click.Command = getattr(module, f"{name}_command")()
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


def command() -> click.Group:
    """`dalej box …`."""
    return Group(
        "box", commands=cast("MutableMapping[str, click.Command]", _Commands()),  # click only reads it
        help=_("The boxes themselves: install, pair, look after, give them to tables."),
        epilog=example("dalej box install /dev/ttyUSB0", "dalej box pair /dev/ttyUSB0", "dalej box list"),
    )  # fmt: skip
