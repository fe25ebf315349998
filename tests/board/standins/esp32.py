# mypy: ignore-errors
"""Stands in for `esp32`: the heap that MicroPython has from the system, as a table box might ask for it."""

HEAP_DATA = 4
HEAP_EXEC = 1

LEFT = 110000
PIECE = 65536  # the largest block of it
FREE = 20000  # in the heap


def mem_free() -> int:
    """What `gc.mem_free` of a board says: its heap may still grow by that block, so it counts as free."""
    return FREE + PIECE


def idf_heap_info(capabilities: int) -> list:
    """(total, free, largest free block, least free ever) of each region."""
    return [(160000, LEFT, PIECE, 100000)]
