"""What an ST7789 is told of its colours and its corner, on a board with two USB ports. Nobody has tried it yet."""

INVERTED = False  # on a screen of its kind that would show colours the other way round
TURNED = 0x68  # rows and columns exchanged, from the other side, blue first
