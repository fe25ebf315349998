# What the firmware uses of MicroPython's `framebuf`; see machine.pyi.

RGB565: int

class FrameBuffer:
    def __init__(self, buffer: bytearray, width: int, height: int, format: int, /) -> None: ...
    def fill(self, c: int, /) -> None: ...
