"""Bytes that are no frame, packet or record are refused, on both interpreters."""

from moveclock import wire


def refused(read: object, *arguments: object) -> bool:
    try:
        read(*arguments)  # type: ignore[operator]  # a function, spelled without typing
    except wire.WireError:
        return True
    return False
