"""Firefox and WebKit, each as Debian has it, and Chromium: the same few verbs for all three.

Firefox speaks WebDriver BiDi itself (package firefox-esr), WebKit classic WebDriver through its WebKitWebDriver, in a
window that Xvfb shows (packages webkit2gtk-driver, xvfb). Both are spoken to here: playwright's own builds of them
are in no package registry, and Debian's Firefox lacks a command that playwright cannot do without.
WebKitGTK knows no fingers: there a touch is a click.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse
from playwright.async_api import Browser as PlayedBrowser
from playwright.async_api import Error, Page

from tests.web.rig import DEADLINE_S, held_port

WIDTH, HEIGHT = 390, 844  # of a phone, in CSS pixels
FIREFOX: Final = shutil.which("firefox-esr") or shutil.which("firefox")
WEBKIT: Final = shutil.which("WebKitWebDriver")
XVFB: Final = shutil.which("Xvfb")
_KEYS: Final = {"Tab": "\ue004", "Enter": "\ue007", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Space": " "}
BACK: Final = "Shift+Tab"
_SHIFT: Final = "\ue008"
_QUIET: Final[dict[str, object]] = {
    "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False, "dom.w3c_touch_events.enabled": 1,
    "datareporting.policy.dataSubmissionEnabled": False, "intl.accept_languages": "en-GB",
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "apz.max_tap_time": 60_000,  # a busy machine holds a finger down for longer than 300 ms
}  # fmt: skip


class Unanswered(Exception):
    """The browser did not do it: its page is just going away, or the script has failed."""


class Tab(Protocol):
    """A page with cookies of its own. `problems`: what its scripts complained of, where the engine tells."""

    problems: list[str]

    async def goto(self, url: str) -> None:
        """Until it is loaded."""

    async def evaluate(self, expression: str) -> Any:
        """Its value, as JSON has it; Unanswered."""

    async def tap(self, x: float, y: float) -> None:
        """With a finger, in CSS pixels of the window."""

    async def press(self, *keys: str) -> None:
        """One after the other: a letter, or a key's name."""


class Engine(Protocol):
    """A browser that has been started, and opens pages."""

    def tab(self) -> AbstractAsyncContextManager[Tab]:
        """A page that knows nothing of any other."""


@dataclass(frozen=True, slots=True)
class Driven:
    """An engine by its name, and the loop in which it lives."""

    name: str
    runner: asyncio.Runner
    engine: Engine

    def run(self, story: Coroutine[Any, Any, None]) -> None:
        """The story, in the engine's loop."""
        self.runner.run(story)


def _touched(x: float, y: float, kind: str) -> list[dict[str, object]]:
    steps = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
             {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]  # fmt: skip
    return [{"type": "pointer", "id": "finger", "parameters": {"pointerType": kind}, "actions": steps}]


def _pressed(keys: tuple[str, ...]) -> list[dict[str, object]]:
    steps: list[dict[str, object]] = []
    for key in keys:
        with_shift, meant = key == BACK, "Tab" if key == BACK else key
        steps += [{"type": "keyDown", "value": _SHIFT}] if with_shift else []
        steps += [{"type": way, "value": _KEYS.get(meant, meant)} for way in ("keyDown", "keyUp")]
        steps += [{"type": "keyUp", "value": _SHIFT}] if with_shift else []
    return [{"type": "key", "id": "keys", "actions": steps}]


# --- Chromium -----


@dataclass
class ChromiumTab:
    page: Page
    problems: list[str] = field(default_factory=list)

    async def goto(self, url: str) -> None:
        await self.page.goto(url)

    async def evaluate(self, expression: str) -> Any:
        try:
            return json.loads(await self.page.evaluate(f"JSON.stringify({expression}) ?? 'null'"))
        except Error as error:
            raise Unanswered(str(error)) from error

    async def tap(self, x: float, y: float) -> None:
        await self.page.touchscreen.tap(x, y)

    async def press(self, *keys: str) -> None:
        for key in keys:
            if key in _KEYS or key == BACK:
                await self.page.keyboard.press(key)
            else:
                await self.page.keyboard.type(key)  # any letter, those of no keyboard too


@dataclass(frozen=True, slots=True)
class ChromiumEngine:
    browser: PlayedBrowser

    @asynccontextmanager
    async def tab(self) -> AsyncIterator[Tab]:
        viewport: Any = {"width": WIDTH, "height": HEIGHT}
        context = await self.browser.new_context(locale="en-GB", viewport=viewport, has_touch=True, is_mobile=True)
        tab = ChromiumTab(await context.new_page())
        tab.page.on("pageerror", lambda error: tab.problems.append(str(error)))
        tab.page.on("console", lambda said: tab.problems.append(said.text) if said.type == "error" else None)
        try:
            yield tab
        finally:
            await context.close()


# --- Firefox, by WebDriver BiDi -----


@dataclass
class Bidi:
    """What is asked over a socket, and heard from it. `tabs`: who is told of what went wrong, by context."""

    socket: ClientWebSocketResponse
    tabs: dict[str, list[str]] = field(default_factory=dict)
    _asked: dict[int, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    _last: int = 0

    async def ask(self, method: str, **params: object) -> dict[str, Any]:
        """What it answers; Unanswered."""
        self._last += 1
        answer = self._asked[self._last] = asyncio.get_running_loop().create_future()
        await self.socket.send_json({"id": self._last, "method": method, "params": params})
        async with asyncio.timeout(DEADLINE_S):
            said = await answer
        if said["type"] == "error":
            raise Unanswered(f"{method}: {said['message']}")
        result: dict[str, Any] = said["result"]
        return result

    async def listen(self) -> None:
        """Until it hangs up."""
        async for message in self.socket:
            said = message.json()
            if "id" in said:
                self._asked.pop(said["id"]).set_result(said)
            elif said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.tabs.get(said["params"]["source"].get("context"), []).append(str(said["params"]["text"]))


@dataclass
class FirefoxTab:
    bidi: Bidi
    context: str
    problems: list[str]

    async def goto(self, url: str) -> None:
        await self.bidi.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    async def evaluate(self, expression: str) -> Any:
        said = await self.bidi.ask(
            "script.evaluate", expression=f"JSON.stringify({expression}) ?? 'null'",
            target={"context": self.context}, awaitPromise=False,
        )  # fmt: skip
        if said["type"] != "success":
            raise Unanswered(said["exceptionDetails"]["text"])
        return json.loads(said["result"]["value"])

    async def tap(self, x: float, y: float) -> None:
        try:
            await self.bidi.ask("input.performActions", context=self.context, actions=_touched(x, y, "touch"))
        except Unanswered:  # a page was on its way
            await asyncio.sleep(0.2)
            await self.bidi.ask("input.performActions", context=self.context, actions=_touched(x, y, "touch"))

    async def press(self, *keys: str) -> None:
        await self.bidi.ask("input.performActions", context=self.context, actions=_pressed(keys))


@dataclass(frozen=True, slots=True)
class FirefoxEngine:
    bidi: Bidi

    @asynccontextmanager
    async def tab(self) -> AsyncIterator[Tab]:
        who = (await self.bidi.ask("browser.createUserContext"))["userContext"]
        context = (await self.bidi.ask("browsingContext.create", type="tab", userContext=who))["context"]
        problems = self.bidi.tabs[context] = []
        await self.bidi.ask("browsingContext.setViewport", context=context, viewport={"width": WIDTH, "height": HEIGHT})
        try:
            yield FirefoxTab(self.bidi, context, problems)
        finally:
            await self.bidi.ask("browser.removeUserContext", userContext=who)


@asynccontextmanager
async def firefox(folder: Path) -> AsyncIterator[Engine]:
    """Headless, with a profile of its own in that folder."""
    assert FIREFOX is not None
    prefs = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _QUIET.items()]
    (folder / "user.js").write_text("\n".join(prefs), encoding="utf-8")
    async with AsyncExitStack() as stack:
        await _started(stack, FIREFOX, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port",
                       "0", home=folder)  # fmt: skip
        listens = folder / "WebDriverBiDiServer.json"
        async with asyncio.timeout(DEADLINE_S):
            while not listens.exists() or not listens.read_text().endswith("}"):  # noqa: ASYNC110 -- nobody tells
                await asyncio.sleep(0.05)
        port = json.loads(listens.read_text())["ws_port"]
        client = await stack.enter_async_context(ClientSession())
        socket = await stack.enter_async_context(client.ws_connect(f"ws://127.0.0.1:{port}/session", max_msg_size=0))
        bidi = Bidi(socket)
        listening = asyncio.create_task(bidi.listen())
        stack.callback(listening.cancel)
        await bidi.ask("session.new", capabilities={})
        await bidi.ask("session.subscribe", events=["log.entryAdded"])
        yield FirefoxEngine(bidi)


# --- WebKit, by WebDriver -----


@dataclass
class WebKitTab:
    client: ClientSession
    url: str
    problems: list[str] = field(default_factory=list)

    async def ask(self, method: str, path: str, **params: object) -> Any:
        """What it answers; Unanswered."""
        async with asyncio.timeout(DEADLINE_S):
            body = None if method == "DELETE" else params
            async with self.client.request(method, self.url + path, json=body) as answer:
                value = (await answer.json(content_type=None))["value"]
        if answer.status != 200:
            raise Unanswered(f"{path}: {value['error']}: {value['message']}")
        return value

    async def goto(self, url: str) -> None:
        await self.ask("POST", "/url", url=url)

    async def evaluate(self, expression: str) -> Any:
        said = await self.ask("POST", "/execute/sync", script=f"return JSON.stringify({expression}) ?? 'null'", args=[])
        return json.loads(said)

    async def tap(self, x: float, y: float) -> None:
        await self.ask("POST", "/actions", actions=_touched(x, y, "touch"))

    async def press(self, *keys: str) -> None:
        await self.ask("POST", "/actions", actions=_pressed(keys))


@dataclass(frozen=True, slots=True)
class WebKitEngine:
    """A driver has one page at a time, which is a browser of its own."""

    client: ClientSession
    url: str

    @asynccontextmanager
    async def tab(self) -> AsyncIterator[Tab]:
        tab = WebKitTab(self.client, f"{self.url}/session")
        begun = await tab.ask("POST", "", capabilities={})
        tab.url = f"{tab.url}/{begun['sessionId']}"
        try:
            await tab.ask("POST", "/window/rect", width=WIDTH, height=HEIGHT)
            yield tab
        finally:
            await tab.ask("DELETE", "")


@asynccontextmanager
async def webkit(folder: Path) -> AsyncIterator[Engine]:
    """On a display that nobody sees; what it keeps is in that folder."""
    assert WEBKIT is not None
    assert XVFB is not None
    async with AsyncExitStack() as stack:
        shown = await _started(stack, XVFB, "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
                               home=folder)  # fmt: skip
        assert shown.stdout is not None
        async with asyncio.timeout(DEADLINE_S):
            display = (await shown.stdout.readline()).decode().strip()
        port = stack.enter_context(held_port())
        await _started(stack, WEBKIT, f"--port={port}", home=folder, DISPLAY=f":{display}", LANG="en_GB.UTF-8")
        client = await stack.enter_async_context(ClientSession())
        engine = WebKitEngine(client, f"http://127.0.0.1:{port}")
        async with asyncio.timeout(DEADLINE_S):
            while not await _answers(engine):  # noqa: ASYNC110 -- nobody tells
                await asyncio.sleep(0.05)
        yield engine


async def _answers(engine: WebKitEngine) -> bool:
    try:
        async with engine.client.get(f"{engine.url}/status") as answer:
            return answer.status == 200
    except ClientError:
        return False


async def _started(stack: AsyncExitStack, *command: str, home: Path, **more: str) -> Process:
    """A program that ends with the stack."""
    environment = {**os.environ, "HOME": str(home), "NO_AT_BRIDGE": "1", **more}
    process = await asyncio.create_subprocess_exec(
        *command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=environment
    )

    async def end() -> None:
        if process.returncode is None:
            process.terminate()
        try:
            async with asyncio.timeout(10):
                await process.communicate()
        except TimeoutError:
            process.kill()
            async with asyncio.timeout(10):
                await process.communicate()

    stack.push_async_callback(end)
    return process
