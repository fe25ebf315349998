"""The pinned bytes and runs in tests/vectors, which both interpreters read."""

import binascii
import json


def load(name: str) -> dict:  # type: ignore[type-arg]  # what JSON holds; there is no typing to spell it with
    """The contents of one file of vectors."""
    folder = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/vectors/"
    with open(folder + name, encoding="utf-8") as file:  # noqa: PTH123 - there is no pathlib on a box
        return dict(json.load(file))


def of_hex(text: str) -> bytes:
    return binascii.unhexlify(text)


def in_hex(data: bytes) -> str:
    return binascii.hexlify(data).decode()
