"""A radio that nobody hears. It takes of the heap what the real one does: extmod/modbluetooth.c keeps there each
service, characteristic and value, 20 bytes of them or what `gatts_set_buffer` asks for.
"""

FLAG_READ = 2
FLAG_WRITE = 8
FLAG_NOTIFY = 16


class UUID:
    def __init__(self, text: str) -> None:
        pass


class BLE:
    made: "BLE"

    def __init__(self) -> None:
        BLE.made = self
        self.sent: list[bytes] = []
        self.written = b""
        self.kept = [bytearray(1024)]

    def active(self, *on: bool) -> bool:
        return True

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
        self.kept.append(bytearray(size))

    def gatts_write(self, handle: int, data: bytes) -> None:
        pass

    def gatts_read(self, handle: int) -> bytes:
        return self.written

    def gatts_notify(self, link: int, handle: int, data: bytes) -> None:
        self.sent.append(data)
        del self.sent[16:]
