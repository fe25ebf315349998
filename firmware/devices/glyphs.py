"""Characters as seven segments: a in bit 0 up to g in bit 6."""

GLYPHS = "0123456789 -AbCdEFHiLnoOPrStuY"
_SEGMENTS = (
    b"\x3f\x06\x5b\x4f\x66\x6d\x7d\x07\x7f\x6f"
    b"\x00\x40\x77\x7c\x39\x5e\x79\x71\x76\x10\x38\x54\x5c\x3f\x73\x50\x6d\x78\x1c\x6e"
)
UNKNOWN = 0x08  # a low line, for what has no glyph


def glyph(character: str) -> int:
    """The segments of a character."""
    place = GLYPHS.find(character)
    return UNKNOWN if place < 0 else _SEGMENTS[place]
