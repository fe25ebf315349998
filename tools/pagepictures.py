"""How every page looks: `python -m tools.pagepictures` takes each in three sizes, three looks and three languages.

It says which pages are not as tests/web/pictures.txt has them; `--update` writes that file, once the pictures have been
looked at: `--into FOLDER` writes them there, side by side, a sheet for each page. What is kept of a picture is its
light in a grid, from 0 (black) to f (white), row by row: no two browsers paint letters alike, but where something
stands, wraps or is missing they agree, if they have the same letters to paint with. So the browser gets one family,
DejaVu (Debian: fonts-dejavu-core), and the hall is the one of tools/pictures.py at its instant.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from tests.web.reading import CHROMIUM, FLAGS, Seen, page_of
from tools.browser import NAME, served_evening

KEPT: Final = Path(__file__).parents[1] / "tests" / "web" / "pictures.txt"
LETTERS: Final = Path("/usr/share/fonts/truetype/dejavu")
COLUMNS, ROWS, SHADES = 12, 12, 16
NEAR: Final = 3  # shades that one place of the grid may be away, as between two versions of a browser
SIZES: Final[Mapping[str, ViewportSize]] = {
    "phone": {"width": 390, "height": 844}, "tablet": {"width": 1024, "height": 768},
    "desktop": {"width": 1440, "height": 900},
}  # fmt: skip
LOOKS: Final = ("light", "dark", "contrast")
LANGUAGES: Final = {"en": "en-GB", "pl": "pl-PL", "it": "it-IT"}
OF_ANYBODY: Final = ("/login", "/trust", "/trust/android")
OF_PUBLIC: Final = ("/find", "/me/1", "/standings", "/wall")
OF_ORGANISER: Final = (
    "/hall", "/table/1", "/answer/2/dispute", "/answer/4/time_out", "/answer/6/early_click", "/results", "/results/1",
    "/seating", "/papers", "/lists/players", "/players", "/players/1", "/settings", "/acts", "/act/sign_up",
    "/act/rule", "/phones", "/people", "/nowhere",
)  # fmt: skip
READY_MS: Final = 60_000
# What does not fit is a fault at once, whatever was kept: wider than its window, cut off and nowhere to be read,
# or squeezed to a letter a line.
_TOO_WIDE: Final = "() => document.documentElement.scrollWidth - window.innerWidth"
_CUT: Final = """() => [...document.querySelectorAll('main *, header *, nav *')].filter(one => {
  const style = getComputedStyle(one);
  return style.overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1
    && style.textOverflow !== 'ellipsis' && one.textContent.trim();
}).map(one => one.outerHTML.slice(0, 120))"""
_SQUEEZED: Final = """() => [...document.querySelectorAll('main *, header *, nav *')].filter(one => {
  const box = one.getBoundingClientRect(), letters = one.textContent.trim().length;
  return !one.children.length && letters > 4 && box.width > 1 && box.width < 24 && box.height > 60;
}).map(one => one.outerHTML.slice(0, 120))"""
_FONTS: Final = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{letters}</dir><cachedir>{cache}</cachedir>
<match><edit name="family" mode="prepend" binding="strong"><string>DejaVu Sans</string></edit></match></fontconfig>
"""


class Shown(NamedTuple):
    """One page in one of its dresses."""

    path: str
    size: str
    look: str
    language: str

    def __str__(self) -> str:
        return " ".join(self)


class Taken(NamedTuple):
    """`faults`: what does not fit, in words."""

    shown: Shown
    png: bytes
    faults: tuple[str, ...]


def light(png: bytes) -> str:
    """Of a picture: `ROWS` × `COLUMNS` digits."""
    with Image.open(BytesIO(png)) as picture:
        grid = picture.convert("L").resize((COLUMNS, ROWS), Image.Resampling.BOX)
    return "".join(f"{shade * SHADES // 256:x}" for shade in grid.tobytes())


def apart(one: str, other: str) -> int:
    """By how many shades two pictures differ where they differ most."""
    return max(abs(int(a, SHADES) - int(b, SHADES)) for a, b in zip(one, other, strict=True))


def kept() -> dict[Shown, str]:
    """What was looked at and found good."""
    lines = (line.split() for line in KEPT.read_text(encoding="utf-8").splitlines())
    return {Shown(*shown): grid for *shown, grid in lines}


async def taken(looks: Iterable[str] = LOOKS, languages: Iterable[str] = tuple(LANGUAGES)) -> AsyncIterator[Taken]:
    """Every page in every size, in these looks and languages, each time of a server that nobody has visited before."""
    with tempfile.TemporaryDirectory() as folder:
        fonts = Path(folder) / "fonts.conf"
        fonts.write_text(_FONTS.format(letters=LETTERS, cache=f"{folder}/cache"), encoding="utf-8")
        async with async_playwright() as play:
            browser = await play.chromium.launch(
                executable_path=CHROMIUM, args=FLAGS, env={**os.environ, "FONTCONFIG_FILE": str(fonts)}
            )
            for language, look in product(languages, looks):
                here = Path(folder) / f"{language}-{look}"
                here.mkdir()
                async for one in _dressed(browser, here, look, language):
                    yield one
            await browser.close()


async def _dressed(browser: Browser, folder: Path, look: str, language: str) -> AsyncIterator[Taken]:
    password, scheme = secrets.token_hex(8), "light" if look == "light" else "dark"
    dress = {"locale": LANGUAGES[language], "reduced_motion": "reduce", "color_scheme": scheme}
    async with (
        served_evening(folder, password) as server,
        page_of(browser, **dress) as public,
        page_of(browser, **dress) as seen,
    ):
        url = server.url("127.0.0.1").rstrip("/")
        async for one in _each(public.page, url, OF_ANYBODY, look, language):
            yield one
        for visitor, role, paths in ((public, "public", OF_PUBLIC), (seen, "organiser", OF_ORGANISER)):
            await _log_in(visitor, url, role, f"{password} {role}")
            await _wear(visitor, look)
            async for one in _each(visitor.page, url, paths, look, language):
                yield one
        async with page_of(browser, **dress) as invited:
            await invited.page.goto(await _invitation(seen.page, url))
            async for one in _sizes(invited.page, "/join", look, language):
                yield one


async def _invitation(page: Page, url: str) -> str:
    """What the code says that an organiser shows."""
    await page.goto(f"{url}/people")
    await page.locator("form[action='/people/invite'] button.does").click()
    return str(await page.locator(".code .hint").first.text_content(timeout=READY_MS)).strip()


async def _log_in(seen: Seen, url: str, role: str, password: str) -> None:
    await seen.page.goto(f"{url}/login")
    await seen.page.locator(f"label:has([value={role}])").click()
    await seen.page.locator("[name=name]").fill(NAME)
    await seen.page.locator("[name=password]").fill(password)
    await seen.page.keyboard.press("Enter")
    await seen.page.locator("nav").first.wait_for(timeout=READY_MS)


async def _wear(seen: Seen, look: str) -> None:
    await seen.page.locator(".me summary").click()
    await seen.page.locator(f"button[name=look][value={look}]").click()
    await seen.page.locator(f"html[data-look={look}]").wait_for(timeout=READY_MS)


async def _each(page: Page, url: str, paths: Iterable[str], look: str, language: str) -> AsyncIterator[Taken]:
    for path in paths:
        await page.goto(url + path)
        async for one in _sizes(page, path, look, language):
            yield one


async def _sizes(page: Page, path: str, look: str, language: str) -> AsyncIterator[Taken]:
    """The page that is open, by that name."""
    await page.locator("main").first.wait_for(timeout=READY_MS)
    for size, window in SIZES.items():
        await page.set_viewport_size(window)
        wide = await page.evaluate(_TOO_WIDE)
        faults = [f"{wide} px wider than its window"] if wide > 0 else []
        faults += [f"cut off: {one}" for one in await page.evaluate(_CUT)]
        faults += [f"squeezed: {one}" for one in await page.evaluate(_SQUEEZED)]
        yield Taken(Shown(path, size, look, language), await page.screenshot(caret="hide"), tuple(faults))


def problems(pictures: Mapping[Shown, str], good: Mapping[Shown, str]) -> Iterator[str]:
    """What is not as it was when somebody looked, a sentence each."""
    for shown, grid in pictures.items():
        if shown not in good:
            yield f"{shown}: nobody has looked at it yet"
        elif (far := apart(grid, good[shown])) > NEAR:
            yield f"{shown}: it looks otherwise than when it was looked at, by {far} of {SHADES} shades"
    gone = {one.path for one in good} - {one.path for one in pictures}
    yield from (f"{path}: there is no such page any more" for path in sorted(gone))


def sheets(pictures: Iterable[Taken], folder: Path) -> None:
    """A file for each page and size, its looks and languages side by side, half as large as they are."""
    of_page: dict[tuple[str, str], list[Taken]] = {}
    for one in pictures:
        of_page.setdefault((one.shown.path, one.shown.size), []).append(one)
    folder.mkdir(parents=True, exist_ok=True)
    for (path, size), some in of_page.items():
        width, height = SIZES[size]["width"] // 2, SIZES[size]["height"] // 2
        across = len({one.shown.look for one in some})
        sheet = Image.new("RGB", (width * across, height * -(-len(some) // across)))
        for at, one in enumerate(some):
            with Image.open(BytesIO(one.png)) as picture:
                sheet.paste(picture.resize((width, height)), (at % across * width, at // across * height))
        sheet.save(folder / f"{path.strip('/').replace('/', '-')}-{size}.png")


async def main(args: list[str]) -> int:
    """Exit code 1 if something is not as it was looked at, or does not fit."""
    pictures = [one async for one in taken()]
    if "--into" in args:
        sheets(pictures, Path(args[args.index("--into") + 1]))
    grids = {one.shown: light(one.png) for one in pictures}
    if "--update" in args:
        KEPT.write_text("".join(f"{shown} {grid}\n" for shown, grid in grids.items()), encoding="utf-8", newline="\n")
    wrong = [f"{one.shown}: {fault}" for one in pictures for fault in one.faults]
    wrong += problems(grids, kept()) if KEPT.exists() else ["tests/web/pictures.txt is not there: --update writes it"]
    print("\n".join(wrong) or f"{len(grids)} pictures are as they were looked at")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
