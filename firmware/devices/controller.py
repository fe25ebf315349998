"""What an ILI9341 is told of its corner, on a board with one USB port. Nobody has tried it yet."""

TURNED = 0x28  # rows and columns exchanged, blue first
CONTROL = b""  # 0xC0 is about its power, and stays as it is
