"""What an ILI9341 is told of its colours and its corner, on a board with one USB port. Nobody has tried it yet."""

INVERTED = False
TURNED = 0x28  # rows and columns exchanged, blue first
