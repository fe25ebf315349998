"""Nothing is compiled again that another process of the same run has compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.precompiled import import_tests


def test_what_a_test_starts_keeps_what_it_compiles_and_finds_what_others_have(tmp_path: Path) -> None:
    look = "import sys, dalej.errors as there; print(sys.dont_write_bytecode, there.__cached__)"

    done = subprocess.run(
        [sys.executable, "-c", look], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )

    keeps_none, _, compiled = done.stdout.strip().partition(" ")
    assert keeps_none == "False"
    assert Path(compiled).is_file()


@pytest.mark.parametrize(("number", "order"), [(0, "abc"), (1, "bca"), (2, "cab"), (3, "abc")])
def test_each_worker_begins_elsewhere_and_imports_whatever_can_be(
    number: int, order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = f"imported_{number}"
    for name, source in {"a": "", "b": "raise ValueError\n", "c": ""}.items():
        (tmp_path / package).mkdir(exist_ok=True)
        note = f"from pathlib import Path\nwith Path({str(tmp_path / 'order')!r}).open('a') as f: f.write({name!r})\n"
        (tmp_path / package / f"test_{name}.py").write_text(note + source)
    monkeypatch.syspath_prepend(tmp_path)

    import_tests(tmp_path, [tmp_path / package], number, 3)

    assert (tmp_path / "order").read_text() == order
    there = [name for name in sys.modules if name.startswith(f"{package}.")]
    assert sorted(there) == [f"{package}.test_a", f"{package}.test_c"]
