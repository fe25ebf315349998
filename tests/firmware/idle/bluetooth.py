"""A radio that nobody hears."""

FLAG_READ = 2
FLAG_WRITE = 8
FLAG_NOTIFY = 16


class UUID:
    def __init__(self, text: str) -> None:
        pass


class BLE:
    def active(self, on: bool) -> None:
        pass

    def config(self, **what: int) -> None:
        pass

    def irq(self, handler: object) -> None:
        self.handler = handler

    def gap_advertise(self, interval: int, **what: object) -> None:
        pass

    def gap_disconnect(self, link: int) -> bool:
        return False

    def gatts_register_services(self, services: tuple[object, ...]) -> tuple[object, ...]:
        return ((1, 2, 3),)

    def gatts_set_buffer(self, handle: int, size: int) -> None:
        pass

    def gatts_write(self, handle: int, data: bytes) -> None:
        pass

    def gatts_read(self, handle: int) -> bytes:
        return b""

    def gatts_notify(self, link: int, handle: int, data: bytes) -> None:
        pass
