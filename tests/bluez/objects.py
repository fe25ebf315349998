"""Objects on a bus as `org.freedesktop.DBus.ObjectManager` shows them: tables of properties, and methods by name."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

MANAGER: Final = "org.freedesktop.DBus.ObjectManager"
PROPERTIES: Final = "org.freedesktop.DBus.Properties"
UNKNOWN_OBJECT: Final = "org.freedesktop.DBus.Error.UnknownObject"
UNKNOWN_METHOD: Final = "org.freedesktop.DBus.Error.UnknownMethod"

Properties = dict[str, Variant]
Interfaces = Mapping[str, Properties]
Answer = tuple[str, list[Any]]  # signature and values
Method = Callable[[str, str, list[Any]], Awaitable[Answer | None]]  # path, who calls, arguments


class Refusal(Exception):
    """A method answers with an error: its D-Bus name and its text."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name
        self.text = text


class Objects:
    """What one process shows on its bus. `methods`: (interface, member) -> what is done."""

    def __init__(self, bus: MessageBus) -> None:
        self.methods: dict[tuple[str, str], Method] = {}
        self._bus = bus
        self._objects: dict[str, dict[str, Properties]] = {}
        self._calls: set[asyncio.Task[None]] = set()
        bus.add_message_handler(self._called)

    def __contains__(self, path: str) -> bool:
        return path in self._objects

    def get(self, path: str, interface: str, name: str) -> Any:
        """The value of a property."""
        return self._objects[path][interface][name].value

    def add(self, path: str, interfaces: Interfaces) -> None:
        """A new object, and everybody is told."""
        self._objects[path] = {name: dict(properties) for name, properties in interfaces.items()}
        self._signal("/", MANAGER, "InterfacesAdded", "oa{sa{sv}}", [path, self._objects[path]])

    def remove(self, path: str) -> None:
        """The object and all below it are gone, and everybody is told."""
        for gone in sorted((one for one in self._objects if one == path or one.startswith(f"{path}/")), reverse=True):
            self._signal("/", MANAGER, "InterfacesRemoved", "oas", [gone, list(self._objects.pop(gone))])

    def change(self, path: str, interface: str, changed: Properties) -> None:
        """New values, and everybody is told, also if they are the old ones."""
        self._objects[path][interface].update(changed)
        self._signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", [interface, changed, []])

    async def close(self) -> None:
        """Calls that are not answered yet never will be."""
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)

    def _signal(self, path: str, interface: str, member: str, signature: str, body: list[Any]) -> None:
        self._bus.send(Message.new_signal(path, interface, member, signature, body))

    def _called(self, message: Message) -> bool | None:
        if message.message_type is not MessageType.METHOD_CALL:
            return None
        call = asyncio.create_task(self._answer(message))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        return True

    async def _answer(self, message: Message) -> None:
        try:
            answer = await self._do(message)
        except Refusal as refusal:
            reply = Message.new_error(message, refusal.name, refusal.text)
        else:
            signature, body = answer or ("", [])
            reply = Message.new_method_return(message, signature, body)
        self._bus.send(reply)

    async def _do(self, message: Message) -> Answer | None:
        path, interface, member = message.path or "", message.interface or "", message.member or ""
        if (interface, member) == (MANAGER, "GetManagedObjects"):
            return "a{oa{sa{sv}}}", [self._objects]
        if path not in self._objects:
            raise Refusal(UNKNOWN_OBJECT, f"there is no object {path}")
        if (interface, member) == (PROPERTIES, "Get"):
            return "v", [self._objects[path][message.body[0]][message.body[1]]]
        method = self.methods.get((interface, member))
        if method is None or interface not in self._objects[path]:
            raise Refusal(UNKNOWN_METHOD, f"{interface}.{member} is unknown at {path}")
        return await method(path, message.sender or "", message.body)
