# mypy: ignore-errors
# ruff: noqa: A002, BLE001, PLC0206, PYI034, T201
"""Stands in for `bluetooth` on an ESP32 with NimBLE, the peripheral's half: read from modbluetooth{,_nimble}.c, and
compared with the real one by tests/nimble/test_bindings.py.

What it holds to, each with a test: an attribute holds 20 bytes until `gatts_set_buffer` and longer writes are cut
without a word; the second of two writes wins; `gatts_notify` asks no one whether they listen, cuts to the MTU, and is
ENOMEM when the blocks of unsent packets are used up, of which a long one takes two; nobody tells of a subscription; at
most 4 connections; advertising is 31 + 31 bytes, ends with a connection, and as connectable is ENOMEM while there are
4; an exception that escapes the handler takes the handler away for good; there is no `rxbuf`; callbacks of pins wait
while the handler runs; off and on forgets links without an event, makes the MTU 256 again and asks a handler that is
there for secrets. A controller that does not answer costs 2 s a command: 4 s to switch off and 4 to switch on. One that
hangs takes Ctrl-C with it: only a watchdog helps.
"""

import errno

import outside
from machine_parts import part
from outside import hear, say, trouble

FLAG_READ = 0x0002
FLAG_WRITE_NO_RESPONSE = 0x0004
FLAG_WRITE = 0x0008
FLAG_NOTIFY = 0x0010
FLAG_INDICATE = 0x0020

_CENTRAL_CONNECT = 1
_CENTRAL_DISCONNECT = 2
_GATTS_WRITE = 3
_GATTS_READ_REQUEST = 4
_MTU_EXCHANGED = 21
_GET_SECRET = 29
_SET_SECRET = 30

_MOST_CONNECTIONS = 4
_MOST_SERVICES = 8
_ATTRIBUTE = 20
_BLOCKS = 12
_BLOCK = 256
_HEADERS = 31  # of a block and its packet (24), of L2CAP and ATT
_ADVERTISEMENT = 31
_MTU = 256
_COMMAND_US = 2000000  # so long the host waits for its controller
_EMSGSIZE = -18  # errors of the host for which MicroPython has no number of its own
_ETIMEOUT_HCI = -19
_EALREADY = 114
_ENOTCONN = 107
_EBUSY = 16


class UUID:
    """16 bits from an int, else the little-endian bytes or the usual text."""

    def __init__(self, value: object) -> None:
        if isinstance(value, int):
            if value > 65535:
                raise ValueError("invalid UUID")
            self._bytes = value.to_bytes(2, "little")
        elif isinstance(value, str):
            digits = value.replace("-", "")
            if len(digits) > 32:
                raise ValueError("UUID too long")
            if len(digits) < 32:
                raise ValueError("UUID too short")
            self._bytes = bytes(reversed(bytes.fromhex(digits)))
        else:
            self._bytes = bytes(value)
            if len(self._bytes) not in (2, 4, 16):
                raise ValueError("invalid UUID")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UUID) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __bytes__(self) -> bytes:
        return self._bytes

    def __repr__(self) -> str:
        digits = bytes(reversed(self._bytes)).hex()
        if len(digits) < 32:
            return "UUID(0x" + digits + ")"
        return "UUID('" + "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]]) + "')"


class _Attribute:
    def __init__(self) -> None:
        self.room = _ATTRIBUTE
        self.data = b""
        self.append = False


class _Radio:
    """The state that one `BLE` has, whoever asks for it."""

    def __init__(self) -> None:
        self.handler = None
        self.off()
        self.name = b"MPY ESP32"
        self.reads_that_fail = 0
        self.deaf = False  # the controller does not answer
        self.hangs = False  # ... and is waited for without an end

    def off(self) -> None:
        self.on = False
        self.advertising = None  # connectable?, while it advertises
        self.advert = [b"", b""]
        self.links = {}  # connection -> [mtu, address type, address, ends]
        self.attributes = {}
        self.unsent = []  # blocks of each packet
        self.mtu = _MTU

    def command(self, count: int = 1) -> None:
        """So many commands to the controller, each waited for."""
        if self.deaf:
            outside.sleep(count * _COMMAND_US)

    def event(self, number: int, *data: object) -> object:
        if self.handler is None:
            return None
        outside.lock()
        try:
            return self.handler(number, data)
        except BaseException as error:
            print("Unhandled exception in IRQ callback handler")
            self.handler = None
            trouble("bluetooth handler", error)
            return None
        finally:
            outside.unlock()


_radio = _Radio()


class BLE:
    """The one radio."""

    _one = None

    def __new__(cls) -> "BLE":
        if cls._one is None:
            cls._one = object.__new__(cls)
        return cls._one

    def active(self, *on: object) -> bool:
        if on:
            if _radio.hangs or part.get("radio_hangs"):
                outside.stand_still()
            if _radio.on:
                _radio.command(2)
                say("radio", False)
            _radio.off()
            if on[0]:
                _radio.command(2)
                if _radio.deaf:
                    raise OSError(errno.ETIMEDOUT)
                if part.get("radio_fails"):
                    part["radio_fails"] -= 1
                    raise OSError(errno.ETIMEDOUT)
                _radio.on = True
                say("radio", True)
                for number in (_GET_SECRET, _GET_SECRET, _SET_SECRET):
                    _radio.event(number, 0, 0, None)
        return _radio.on

    def config(self, *ask: str, **tell: object) -> object:
        if not tell:
            if len(ask) != 1:
                raise TypeError("must query one param")
            if ask[0] == "gap_name":
                return _radio.name
            _must_be_on()
            if ask[0] == "mac":
                return (0, bytes(part["uid"]))
            if ask[0] == "mtu":
                return _radio.mtu
            raise ValueError("unknown config param")
        if ask:
            raise TypeError("can't specify pos and kw args")
        for name in tell:
            value = tell[name]
            if name == "gap_name":
                _radio.name = bytes(value.encode() if isinstance(value, str) else value)
            elif name == "mtu":
                _must_be_on()
                if not 23 <= value <= 527:
                    raise OSError(errno.EINVAL)
                _radio.mtu = value
            elif name not in ("addr_mode", "bond", "mitm", "le_secure", "io"):
                raise ValueError("unknown config param")
        return None

    def irq(self, handler: object) -> None:
        if handler is not None and not callable(handler):
            raise ValueError("invalid handler")
        _radio.handler = handler

    def gap_advertise(
        self,
        interval_us: int | None = 500000,
        adv_data: object = None,
        *,
        resp_data: object = None,
        connectable: object = True,
    ) -> None:
        if interval_us is None:
            self._silent()
            return
        _must_be_on()
        self._silent()
        _radio.command()
        if _radio.deaf:
            raise OSError(_ETIMEOUT_HCI)
        for place, data, too_long in ((0, adv_data, _EMSGSIZE), (1, resp_data, errno.EINVAL)):
            if data is not None:
                if len(data) > _ADVERTISEMENT:
                    raise OSError(too_long)
                _radio.advert[place] = bytes(data)
        if interval_us // 625 < 0x20 or interval_us // 625 > 0x4000:
            raise OSError(errno.EIO)
        if connectable and len(_radio.links) >= _MOST_CONNECTIONS:
            raise OSError(errno.ENOMEM)
        _radio.advertising = bool(connectable)
        say("advertise", _radio.advert[0].hex(), _radio.advert[1].hex(), bool(connectable), interval_us)

    def _silent(self) -> None:
        if _radio.advertising is not None:
            _radio.advertising = None
            say("advertise", None, None, False, 0)

    def gap_disconnect(self, conn_handle: int) -> bool:
        _must_be_on()
        link = _radio.links.get(conn_handle)
        if link is None:
            return False
        if link[3]:
            raise OSError(_EALREADY)
        _radio.command()
        if _radio.deaf:
            raise OSError(_ETIMEOUT_HCI)
        link[3] = True
        say("disconnect", conn_handle)
        return True

    def gatts_register_services(self, services_definition: object) -> tuple:
        _must_be_on()
        if _radio.advertising is not None or _radio.links:
            raise OSError(_EBUSY)
        if len(services_definition) > _MOST_SERVICES:
            raise OSError(7)
        _radio.attributes = {}
        handle = 15  # those of the services that NimBLE has of its own are below
        told, answer = [], []
        for uuid, characteristics in services_definition:
            if not isinstance(uuid, UUID):
                raise ValueError("invalid service UUID")
            handle += 1
            values, handles = [], []
            for characteristic in characteristics:
                if not isinstance(characteristic[0], UUID):
                    raise ValueError("invalid characteristic UUID")
                flags = characteristic[1]
                handle += 2
                _radio.attributes[handle] = _Attribute()
                handles.append(handle)
                values.append([_text(characteristic[0]), flags, handle])
                if flags & (FLAG_NOTIFY | FLAG_INDICATE):
                    handle += 1  # the subscriptions, which no one here gets to see
                for _descriptor in characteristic[2] if len(characteristic) > 2 else ():
                    handle += 1
                    _radio.attributes[handle] = _Attribute()
                    handles.append(handle)
            told.append([_text(uuid), values])
            answer.append(tuple(handles))
        say("register", told)
        return tuple(answer)

    def gatts_read(self, value_handle: int) -> bytes:
        if _radio.reads_that_fail:
            _radio.reads_that_fail -= 1
            raise MemoryError("memory allocation failed, allocating 256 bytes")
        attribute = _radio.attributes.get(value_handle)
        if attribute is None:
            return b""
        data = attribute.data
        if attribute.append:
            attribute.data = b""
        return data

    def gatts_write(self, value_handle: int, data: object, send_update: object = False) -> int:
        _must_be_on()
        attribute = _attribute(value_handle)
        attribute.room = max(attribute.room, len(data))
        attribute.data = bytes(data)
        say("value", value_handle, attribute.data.hex())
        if send_update:
            raise NotImplementedError  # it goes to those who have subscribed, of whom this stand-in knows nothing
        return len(data)

    def gatts_notify(self, conn_handle: int, value_handle: int, data: object = None) -> None:
        _must_be_on()
        sent = _attribute(value_handle).data if data is None else bytes(data)
        blocks = 1 + (len(sent) + _HEADERS) // _BLOCK
        if sum(_radio.unsent) + blocks > _BLOCKS:
            raise OSError(errno.ENOMEM)
        link = _radio.links.get(conn_handle)
        if link is None:
            raise OSError(_ENOTCONN)
        _radio.unsent.append(blocks)
        say("notify", conn_handle, value_handle, sent[: link[0] - 3].hex())

    def gatts_indicate(self, conn_handle: int, value_handle: int, data: object = None) -> None:
        raise NotImplementedError  # an indication says nothing about what was stored: boxes do not use it

    def gatts_set_buffer(self, value_handle: int, len: int, append: object = False) -> None:
        _must_be_on()
        attribute = _attribute(value_handle)
        attribute.room = len
        attribute.data = b""
        attribute.append = bool(append)


def _text(uuid: UUID) -> str:
    return repr(uuid)[5:-1].strip("'")


def _must_be_on() -> None:
    if not _radio.on:
        raise OSError(errno.ENODEV)


def _attribute(handle: int) -> _Attribute:
    if handle not in _radio.attributes:
        raise OSError(errno.EINVAL)
    return _radio.attributes[handle]


# --- what comes over the air -----


def _connected(connection: int, kind: int, address: str) -> None:
    if not _radio.on or not _radio.advertising or len(_radio.links) >= _MOST_CONNECTIONS:
        say("refused", connection)
        return
    _radio.advertising = None
    _radio.links[connection] = [23, kind, bytes.fromhex(address), False]
    _radio.event(_CENTRAL_CONNECT, connection, kind, memoryview(bytes.fromhex(address)))


def _disconnected(connection: int) -> None:
    link = _radio.links.pop(connection, None)
    if link is not None:
        _radio.event(_CENTRAL_DISCONNECT, connection, link[1], memoryview(link[2]))


def _mtu(connection: int, mtu: int) -> None:
    link = _radio.links.get(connection)
    if link is not None:
        link[0] = min(mtu, _radio.mtu)
        _radio.event(_MTU_EXCHANGED, connection, link[0])


def _written(connection: int, handle: int, data: str) -> None:
    attribute = _radio.attributes.get(handle)
    if attribute is None or connection not in _radio.links:
        return
    before = attribute.data if attribute.append else b""
    attribute.data = (before + bytes.fromhex(data))[: attribute.room]
    _radio.event(_GATTS_WRITE, connection, handle)


def _read(connection: int, handle: int) -> None:
    answer = _radio.event(_GATTS_READ_REQUEST, connection, handle)
    denied = answer if isinstance(answer, int) else 0
    say("value", handle, _radio.attributes[handle].data.hex(), int(denied))


def _sent(count: int) -> None:
    del _radio.unsent[:count]


def _forgotten(connection: int) -> None:
    """The stack loses a link, and nobody is told."""
    _radio.links.pop(connection, None)


def _deaf(deaf: bool) -> None:
    _radio.deaf = deaf


def _hangs() -> None:
    _radio.hangs = True


def _no_memory(count: int) -> None:
    _radio.reads_that_fail = count


hear("no_memory", _no_memory)
hear("connected", _connected)
hear("disconnected", _disconnected)
hear("forgotten", _forgotten)
hear("deaf", _deaf)
hear("radio_hangs", _hangs)
hear("mtu", _mtu)
hear("written", _written)
hear("read", _read)
hear("sent", _sent)
