"""How fast the desk writes to a box on a cable: never more than its buffer holds while its flash is being erased."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dalej.link.plug import BURST, PER_2_MS, Pace

BUFFER = 259  # bytes that MicroPython keeps
ERASE_MS = 80

WRITES = st.lists(st.tuples(st.integers(1, BURST), st.integers(0, 300)), min_size=1, max_size=40)


@given(WRITES)
def test_in_any_80_ms_less_is_written_than_a_box_that_does_not_read_can_keep(writes: list[tuple[int, int]]) -> None:
    now, pace, written = 0, Pace(0), list[tuple[int, int]]()
    for size, later in writes:
        now += later
        now += pace.wait_ms(size, now)
        written.append((now, size))

    for start, _ in written:
        assert sum(size for at, size in written if start <= at < start + ERASE_MS) <= BUFFER


def test_a_burst_after_a_pause_waits_for_nothing() -> None:
    pace = Pace(0)
    assert pace.wait_ms(BURST, 0) == 0
    assert pace.wait_ms(BURST, 1000) == 0
    assert pace.wait_ms(31, 1000) == 2 * 31 // PER_2_MS + 1
