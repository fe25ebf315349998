# mypy: ignore-errors
"""Stands in for `esp32`: the heap that MicroPython has from the system, as a table box might ask for it."""

HEAP_DATA = 4
HEAP_EXEC = 1


def idf_heap_info(capabilities: int) -> list:
    """(total, free, largest free block, least free ever) of each region."""
    return [(160000, 110000, 65536, 100000)]
