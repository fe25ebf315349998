"""SKiDL, brought in without what it does by itself on import.

SKiDL opens a log and a report in the working directory, makes a folder in the user's home, asks for KiCad's libraries
on stderr and changes the class of every later logger. Here no part comes from a library, and reports are data.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import logging
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

_KICAD: Final = ("KICAD_SYMBOL_DIR", *(f"KICAD{version}_SYMBOL_DIR" for version in range(5, 11)))
_HOMES: Final = ("XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA", "HOME")
_ANALOGUE: Final = ("InSpice", "PySpice")  # simulators that SKiDL would bring in, and all of matplotlib with them


@contextlib.contextmanager
def _aside(folder: str) -> Iterator[None]:
    """Within it the working directory, the user's home and KiCad's libraries are this folder."""
    kept = {name: os.environ.get(name) for name in (*_KICAD, *_HOMES)}
    logger = logging.getLoggerClass()
    analogue = {name: sys.modules.get(name) for name in _ANALOGUE}
    os.environ.update(dict.fromkeys(kept, folder))
    sys.modules.update(dict.fromkeys(_ANALOGUE))  # type: ignore[arg-type] # None: it cannot be imported
    try:
        with contextlib.chdir(folder), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.setLoggerClass(logger)
        for module, found in analogue.items():
            sys.modules.pop(module) if found is None else sys.modules.update({module: found})
        for name, value in kept.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _brought_in() -> Any:
    # its caches are files that stay open for as long as Python lives, so the folder may not vanish before them
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, _aside(folder):
        # it looks through the whole stack for the program's name, and a thread's stack is short
        with ThreadPoolExecutor(1) as pool:
            found = pool.submit(importlib.import_module, "skidl").result()
        loggers = importlib.import_module("skidl.logger")
        loggers.stop_log_file_output()
        # each circuit, part and net would note the whole stack that it was made on, which takes most of the time
        vars(importlib.import_module("skidl.circuit")).update(get_skidl_trace=list, get_script_dir=os.getcwd)
    for logger in (loggers.rt_logger, loggers.erc_logger):
        for handler in tuple(logger.handlers):
            logger.removeHandler(handler)
        logger.addHandler(logging.NullHandler())
    return found


skidl: Final = _brought_in()
