"""A PostgreSQL of one's own, in a folder, on a socket in it: as Debian's package has it, or whatever is on the path."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg

_DEBIANS: Final = Path("/usr/lib/postgresql")
STARTS_S: Final = 60
# Durable is what is committed, also when the postmaster is killed; what a power cut would do is not played here.
_SETTINGS: Final = {"listen_addresses": "", "fsync": "off", "max_connections": "40", "shared_buffers": "32MB"}


def programs() -> Path | None:
    """Where `initdb` is, of the newest version; None: nowhere."""
    versions = sorted(_DEBIANS.glob("*/bin"), key=lambda one: int(one.parent.name)) if _DEBIANS.is_dir() else []
    found = shutil.which("initdb")
    return versions[-1] if versions else Path(found).resolve().parent if found else None


class Postgres:
    """`url`: of its database `postgres`. As root it is started as the user `postgres`."""

    def __init__(self, folder: Path, bin_: Path) -> None:
        self.folder = folder
        self._bin = bin_
        self._as: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            self._as = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
        self._run(
            "initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "postgres", "-N", "--no-locale", "-E", "UTF8"
        )

    @property
    def url(self) -> str:
        return f"host={self.folder} dbname=postgres user=postgres"

    def start(self) -> None:
        settings = " ".join(f"-c {name}={value or chr(39) * 2}" for name, value in _SETTINGS.items())
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-t", str(STARTS_S), "-w",
            "-o", f"{settings} -k {self.folder}", "start",
        )  # fmt: skip

    def stop(self) -> None:
        """As a crash does it: nothing is ended, nothing is written down."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop", check=False)

    def new_database(self, name: str) -> str:
        """An empty one of that name; its url."""
        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}".encode())
        return self.url.replace("dbname=postgres", f"dbname={name}")

    def _run(self, program: str, *args: str, check: bool = True) -> None:
        done = subprocess.run(
            [*self._as, str(self._bin / program), *args], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=2 * STARTS_S, check=False,
        )  # fmt: skip
        assert not check or done.returncode == 0, done.stderr


@contextmanager
def postgres(folder: Path, bin_: Path) -> Iterator[Postgres]:
    """It runs for as long as the block lasts."""
    made = Postgres(folder, bin_)
    made.start()
    try:
        yield made
    finally:
        made.stop()


@contextmanager
def own_database(name: str) -> Iterator[str]:
    """The url of an empty one, on a PostgreSQL that runs for as long as the block lasts; "" where there is none."""
    found = programs()
    if found is None:
        yield ""
        return
    with tempfile.TemporaryDirectory(prefix="dalej-pg-") as at, postgres(Path(at), found) as server:
        yield server.new_database(name)
