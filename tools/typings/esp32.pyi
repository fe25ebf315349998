# What the firmware uses of MicroPython's `esp32`; see machine.pyi.

HEAP_DATA: int

def idf_heap_info(capabilities: int) -> list[tuple[int, int, int, int]]: ...
