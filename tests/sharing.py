"""How `-n` shares the tests out among workers, and what becomes of those of a worker that has died."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# What their tests share takes longer to make than to look at: a printed piece, a compiled firmware.
MADE_ONCE: Final = {
    "tests/hardware/test_pictures.py": "the modeller",
    "tests/hardware/test_printing.py": "the modeller",
    "tests/test_firmware_build.py": "the compiler",
    "tests/hardware/flat/test_board.py": "the flat box's board",
    "tests/hardware/flat/test_case.py": "the flat box's case",
    "tests/hardware/flat/test_case_fit.py": "the flat box's case",
    "tests/hardware/flat/test_case_pictures.py": "the flat box's case",
    "tests/hardware/flat/test_making.py": "the flat box's case",
}


class FilesTogether(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Shares tests out one by one, but the MicroPython tests of one file to one worker, and so to one machine; and
    so those for which something is made once.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return MADE_ONCE.get(file) or (file if nodeid.endswith("[micropython]") else nodeid)

    def remove_node(self, node: WorkerController) -> str | None:
        """What is left of a worker's tests goes to others; xdist would play what it died of again."""
        unfinished = {scope: [test for test, done in unit.items() if not done]
                      for scope, unit in self.assigned_work.pop(node).items()}  # fmt: skip
        left = [(scope, test) for scope, tests in unfinished.items() for test in tests]
        if not left:
            return None
        for scope, test in left[1:]:
            self.workqueue.setdefault(scope, {})[test] = False
        for other in self.assigned_work:
            self._reschedule(other)
        died_of: str = left[0][1]
        return died_of

    def _assign_work_unit(self, node: WorkerController) -> None:
        """To one that has just died too, of which nobody knows yet: `remove_node` gives that to others."""
        with suppress(OSError):
            super()._assign_work_unit(node)

    def _reschedule(self, node: WorkerController) -> None:
        """Nothing yet for a worker that came for one that died and has not looked what there is: xdist would break.
        After that two tests, or that none follows: with a single one it would wait for ever for the next.
        """
        if node not in self.registered_collections:
            return
        super()._reschedule(node)
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            super()._reschedule(node)
