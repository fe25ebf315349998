"""What a base class only promises is not on a board: everything else is, on the line where it was."""

from __future__ import annotations

from dalej.boxes.firmware import compiling
from dalej.boxes.firmware.compiling import modules
from tools.firmware import FIRMWARE

PORT = """
class Port:
    \"\"\"What is asked.\"\"\"

    def read(self) -> bytes:
        \"\"\"All of it.\"\"\"
        raise NotImplementedError  # nothing would be no answer

    def both(self) -> bytes:
        return self.read() + self.read()


class Bare:
    def write(self) -> None:
        raise NotImplementedError


class Wired(Port):
    def read(self) -> bytes:
        if not PORT:
            raise NotImplementedError
        return b"a"


PORT = 1
"""


def test_a_method_that_only_promises_is_left_out_and_what_was_made_of_it_works_as_before() -> None:
    kept = compiling.kept(PORT)
    made: dict[str, type] = {}
    exec(kept, made)

    assert not hasattr(made["Port"], "read")
    assert not hasattr(made["Bare"], "write")
    assert made["Wired"]().both() == b"aa"
    assert kept.count("\n") == PORT.count("\n")
    assert kept.split("\n").index("PORT = 1") == PORT.split("\n").index("PORT = 1")


def test_a_box_holds_no_promise() -> None:
    sources = modules(FIRMWARE)

    assert any("raise NotImplementedError" in source for source in sources.values())
    assert not any("raise NotImplementedError" in compiling.kept(source) for source in sources.values())
