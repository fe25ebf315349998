"""What all tests share: MicroPython's copy of the core tests, seeds, and the rule that a complete run skips nothing.

In the environment:
- `DALEJ_SEEDS`: a test that asks for `seed` is played with this many (default 2; `make test` 1, torture 50).
- `DALEJ_SEED`: the first of them (default 1; drawn afresh and printed with the torture profile).
- `DALEJ_REQUIRE=all`: what cannot run here fails instead of skipping.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import hypothesis
import pytest
from hypothesis import Phase
from xdist.remote import Producer

from tests import overdue, unclosed, unsaid
from tests.postgres import Postgres, postgres, programs
from tests.precompiled import import_tests, keep_compiled, keep_templates
from tests.sharing import FilesTogether
from tests.slow import is_played_twice, is_slow
from tests.vm.collect import CORE, CoreFile

pytest.register_assert_rewrite("tests.air.scenarios", "tests.journal.story")
hypothesis.settings.register_profile("quick", derandomize=True, database=None, deadline=None, max_examples=50)
hypothesis.settings.register_profile(
    "mutants", parent=hypothesis.settings.get_profile("quick"), phases=[Phase.explicit, Phase.generate]
)
hypothesis.settings.register_profile("torture", database=None, deadline=None, max_examples=1000, print_blob=True)

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
SEED = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only",
        choices=("quick", "slow"),
        help="quick: what `make test` plays; slow: what it leaves to `make test-all` (default: both)",
    )


def _torture(config: pytest.Config) -> bool:
    return bool(config.getoption("--hypothesis-profile") == "torture")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Settle the seed before the workers start: they inherit it. No test reaches its developer's keyring or club, or
    depends on the size of their terminal, or on what Python does with output that nobody flushes.
    """
    for habit in ("COLUMNS", "LINES", "PYTHONUNBUFFERED"):
        os.environ.pop(habit, None)
    keep_compiled()
    keep_templates()
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    own = str(Path(tempfile.gettempdir()) / f"dalej-no-club-{os.getpid()}")
    if "PYTEST_XDIST_WORKER" in os.environ:  # each worker has a home of its own: it would have its parent's
        os.environ["DALEJ_HOME"] = own
    os.environ.setdefault("DALEJ_HOME", own)
    if not os.environ.get("DALEJ_SEED"):
        os.environ["DALEJ_SEED"] = str(secrets.randbelow(10**6)) if _torture(config) else "1"
    config.stash[SEED] = int(os.environ["DALEJ_SEED"])
    if config.getoption("--hypothesis-profile") is None:
        hypothesis.settings.load_profile("quick")
    elif _torture(config) and config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(config.stash[SEED])
    overdue.watch(config, is_slow)
    unclosed.watch(config)
    unsaid.watch()


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    """A PostgreSQL for all tests of a worker, in a folder with a short name: that of a socket may have about a hundred
    bytes.
    """
    found = programs()
    if found is None:
        pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
    with tempfile.TemporaryDirectory(prefix="dalej-pg-") as folder, postgres(Path(folder), found) as running:
        yield running


@pytest.fixture
def kept_open() -> Iterator[ExitStack]:
    """What a test enters here stays open until its end."""
    with ExitStack() as stack:
        yield stack


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Before a worker looks what there is."""
    config = session.config
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        folders = [path for name in config.args if (path := Path(name).absolute()).is_dir()]
        number = int(worker["workerid"].removeprefix("gw"))
        import_tests(config.rootpath, folders, number, worker["workercount"], lambda file: not _left_out(file, config))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if _left_out(collection_path, config) else None


def _left_out(path: Path, config: pytest.Config) -> bool:
    """Whether this file or folder is none of those to be played, whatever is in it: it is not even imported."""
    only = config.getoption("only")
    if only == "quick":
        return is_slow(path)
    return only == "slow" and path.is_file() and not is_slow(path) and not is_played_twice(path)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with a `seed` argument runs once for every seed, and carries it in its name."""
    if "seed" in metafunc.fixturenames:
        usual = 50 if _torture(metafunc.config) else 1 if metafunc.config.getoption("only") == "quick" else 2
        count = int(os.environ.get("DALEJ_SEEDS") or usual)
        first = metafunc.config.stash[SEED]
        metafunc.parametrize("seed", range(first, first + count), ids=lambda seed: f"seed={seed}")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Every file of tests/core is collected twice: by pytest as usual, and here for MicroPython."""
    if file_path.parent == CORE and file_path.match("test_*.py"):
        return CoreFile.from_parent(parent, path=file_path)
    return None


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesTogether:
    """How `-n` shares the tests out."""
    return FilesTogether(config, log)


def pytest_xdist_auto_num_workers() -> int:
    """How many `-n auto` are: two for each processor, because what plays in real time mostly waits."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skipped test has failed when nothing may be skipped; so has, below, a skipped file."""
    report = yield
    return report if hasattr(report, "wasxfail") else _unskipped(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _unskipped((yield))


def _unskipped(report: Report) -> Report:
    if report.skipped and os.environ.get("DALEJ_REQUIRE") == "all":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason} (with DALEJ_REQUIRE=all nothing may be skipped)"
    return report


class Names:
    """A failure has its name at once: whoever looks on, or breaks off, need not wait for the end of the run."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = str(report.longrepr if crash is None else crash.message).strip().partition("\n")[0]
            self._terminal.line("")  # behind the row of dots
            self._terminal.write_line(f"{report.nodeid} has failed: {why}", red=True)


def pytest_sessionstart(session: pytest.Session) -> None:
    terminal = session.config.pluginmanager.getplugin("terminalreporter")
    if terminal is not None:  # a worker has none
        session.config.pluginmanager.register(Names(terminal))
        _say_seed(terminal, session.config)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    _say_seed(terminalreporter, config)


def _say_seed(terminal: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The line to repeat a torture run with, before it, should it never end, and after it, on success too."""
    if _torture(config):
        seed = config.stash[SEED]
        terminal.write_line(f"first seed {seed}; the same again: make torture SEED={seed}")
