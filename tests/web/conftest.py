"""One browser for all tests of a module: it takes longer to start than most of them last."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import async_playwright

from tests.web import engines
from tests.web.engines import ChromiumEngine, Driven
from tests.web.reading import CHROMIUM, FLAGS, Chromium


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """Headless; every page of it has its own cookies. Debian has it in the package chromium."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here (Debian: apt-get install chromium)")
    with asyncio.Runner() as runner:
        playing = runner.run(async_playwright().start())
        browser = runner.run(playing.chromium.launch(executable_path=CHROMIUM, args=FLAGS))
        yield Chromium(runner, browser)
        runner.run(browser.close())
        runner.run(playing.stop())


@pytest.fixture(scope="module", params=["Chromium", "Firefox", "WebKit"])
def driven(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driven]:
    """Each engine in its turn."""
    if request.param == "Chromium":
        chromium: Chromium = request.getfixturevalue("chromium")
        yield Driven("Chromium", chromium.runner, ChromiumEngine(chromium.browser))
        return
    if request.param == "Firefox" and engines.FIREFOX is None:
        pytest.skip("there is no Firefox here (Debian: apt-get install firefox-esr)")
    if request.param == "WebKit" and None in (engines.WEBKIT, engines.XVFB):
        pytest.skip("there is no WebKit to be driven here (Debian: apt-get install webkit2gtk-driver xvfb)")
    opened = {"Firefox": engines.firefox, "WebKit": engines.webkit}[request.param]
    with asyncio.Runner() as runner:
        engine = opened(tmp_path_factory.mktemp(request.param))
        yield Driven(request.param, runner, runner.run(engine.__aenter__()))
        runner.run(engine.__aexit__(None, None, None))
