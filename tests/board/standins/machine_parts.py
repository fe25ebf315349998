# mypy: ignore-errors
"""What the outside says of this board; `install` fills it in."""

part = {
    "cause": 1,
    "chip": "esp32",
    "uid": [0, 0, 0, 0, 0, 1],
    "freq": 160000000,
    "memory": "",
    "i2c": [],
    "levels": {},
    "millivolts": {},
}
