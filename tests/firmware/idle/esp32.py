"""A chip with memory left."""

HEAP_DATA = 4


def idf_heap_info(capabilities: int) -> list[tuple[int, int, int, int]]:
    return [(160000, 110000, 65536, 100000)]
