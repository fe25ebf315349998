"""One browser for all tests of a module: it takes longer to start than most of them last."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import async_playwright

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
