"""The bench the core tests stand on: pytest shows what MicroPython says, whatever happens to the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vm import machine
from tests.vm.collect import MARK, failures


def test_a_program_prints_and_imports_what_is_on_the_box() -> None:
    assert machine.run("import sys, moveclock\nprint(sys.implementation.name, moveclock.__name__)") == (
        "micropython moveclock\n"
    )


def test_an_exception_arrives_with_its_traceback_and_what_was_printed() -> None:
    with pytest.raises(machine.MachineError, match=r"line 2, in <module>\nValueError: no") as caught:
        machine.run("print('so far')\nraise ValueError('no')")

    assert caught.value.output == "so far\n"


def test_a_program_without_an_end_is_stopped_and_what_it_printed_is_kept() -> None:
    for seconds in (1, 5, 25):  # so long node itself may take to begin, where much else goes on
        with pytest.raises(machine.MachineError, match=f"stopped after {seconds} s") as caught:
            machine.run("print('so far')\nwhile True:\n    pass", seconds=seconds)
        if caught.value.output:
            break

    assert caught.value.output == "so far\n"


def test_garbage_goes_between_the_steps_of_a_program() -> None:
    waste = "for _ in range(100):\n    bytes(1000)"

    before, after = machine.run(["import gc\nprint(gc.mem_alloc())", waste, "print(gc.mem_alloc())"]).split()

    assert int(after) - int(before) < 1000


def test_a_file_is_seen_where_it_lies_in_the_repository() -> None:
    seen = machine.run("print(open('/LICENSE').readline())", [machine.ROOT / "LICENSE"])

    assert seen.startswith("MIT License")


def test_a_machine_that_is_not_installed_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "HERE", tmp_path)

    with pytest.raises(machine.MachineError, match="is not installed: run `make test`"):
        machine.run("")


def test_the_test_that_stopped_the_machine_is_told_from_those_it_kept_from_running() -> None:
    report = f"{MARK}begun import\n{MARK}passed import\n{MARK}begun a\n{MARK}passed a\n{MARK}begun b\nnoise\n"

    found = failures(report, ["a", "b", "c"], "MicroPython was stopped after 120 s")

    assert found["b"] == "noise\nMicroPython was stopped after 120 s"
    assert found["c"].startswith("not run")
    assert "a" not in found


def test_a_file_that_cannot_be_imported_fails_each_of_its_tests_with_the_reason() -> None:
    report = f"{MARK}begun import\n{MARK}failed import\nImportError: no module named 'typing'\n{MARK}end import\n"

    found = failures(report, ["a", "b"], "")

    assert found == dict.fromkeys("ab", "ImportError: no module named 'typing'")
