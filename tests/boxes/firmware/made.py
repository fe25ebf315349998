"""What is on a board, compiled once for all tests of a process that do not ask how."""

from __future__ import annotations

import functools
from typing import Final

from dalej.boxes.firmware.tree import Tree, compiled, sources

COMPILED: Final = "dalej.boxes.firmware.tree.compiled"  # where the program finds what `firmware` stands in for


@functools.cache
def firmware(board: int = 0) -> Tree:
    """The firmware of this repository, for that board."""
    return compiled(sources(), board)
