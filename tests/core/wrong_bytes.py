"""Bytes that are no frame, packet or record are refused, on both interpreters."""

from moveclock import wire


def refused(read: object, *arguments: object) -> bool:
    return complaint(read, *arguments) is not None


def complaint(read: object, *arguments: object) -> str | None:
    """The sentence with which they are refused; None if they are not."""
    try:
        read(*arguments)  # type: ignore[operator]  # a function, spelled without typing
    except wire.WireError as error:
        return str(error)
    return None
