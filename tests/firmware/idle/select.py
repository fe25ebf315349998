"""A port at which nothing comes in."""

POLLIN = 1


class poll:
    _nothing: list[object] = []

    def register(self, stream: object, mask: int) -> None:
        pass

    def poll(self, timeout: int) -> list[object]:
        return self._nothing
