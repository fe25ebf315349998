"""A chain that nobody sees, with its buffer."""


class NeoPixel:
    def __init__(self, pin: object, count: int) -> None:
        self.buf = bytearray(3 * count)

    def __setitem__(self, place: int, colour: tuple[int, int, int]) -> None:
        self.buf[3 * place : 3 * place + 3] = bytes(colour)

    def write(self) -> None:
        pass
