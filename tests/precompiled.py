"""Compiles each module once in a run, whatever the environment says, and not once in every process; each template of
a page once in every process, and not once for each of the hundreds of servers that tests begin there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partialmethod
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket


def keep_compiled() -> None:
    """Where Python may write no compiled modules beside the sources, have them kept beside Python itself: else every
    worker, and every program that a test starts, would compile all that it imports.
    """
    if sys.dont_write_bytecode:
        sys.dont_write_bytecode = False
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(sys.prefix) / "compiled"))


class _Templates(BytecodeCache):
    def __init__(self) -> None:
        self._compiled: Final[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._compiled:
            bucket.bytecode_from_string(self._compiled[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key] = bucket.bytecode_to_string()


def keep_templates() -> None:
    """Those that are compiled from now on, in this process."""
    made = partialmethod(Environment.__init__, bytecode_cache=_Templates())
    Environment.__init__ = made  # type: ignore[assignment, method-assign]


def import_tests(
    root: Path, folders: Sequence[Path], number: int, count: int, wanted: Callable[[Path], bool] = lambda _file: True
) -> None:
    """Import the wanted tests of these folders under `root`, as worker `number` of `count`: each begins elsewhere.

    In a fresh clone all workers would rewrite the same file's asserts at the same time, which takes longer than all
    else before the first test; so each finds most of them done. What cannot be imported is said when it is collected.
    """
    files = [file for folder in folders for file in sorted(folder.rglob("test_*.py")) if wanted(file)]
    begin = len(files) * number // count
    for file in files[begin:] + files[:begin]:
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(root).with_suffix("").parts))
