"""What an ST7789 is told of its corner, on a board with two USB ports. Nobody has tried it yet."""

TURNED = 0x68  # rows and columns exchanged, from the other side, blue first
CONTROL = b"\x0c"  # of 0xC0: its default, 0x2C, would exchange red and blue once more
