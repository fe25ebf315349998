"""The page plays the core itself: what a board gets, on the machine in which every test of the core runs, and in each
engine's own WebAssembly it keeps to the vectors and to the tests of journal, frames and seal.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest
from aiohttp import web

from dalej.boxes.firmware.tree import compiled, sources
from dalej.boxes.page.onefile import one_file
from tests.compiledcore import PLAYED, compiled_board, core_run
from tests.vm import machine
from tests.vm.collect import failures
from tests.web.engines import Driven
from tests.web.person import Person

PACKAGE: Final = machine.HERE / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
RUNNER: Final = """<!doctype html><title>core</title><script type="module">
import { loadMicroPython } from "/micropython.mjs";
const job = await (await fetch("/job.json")).json();
let output = "";
try {
  const stdout = (line) => { output += line + "\\n"; };
  const python = await loadMicroPython({ url: "/micropython.wasm", heapsize: job.heap, linebuffer: true, stdout });
  for (const [path, text] of job.files) {
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)));
  }
  python.runPython(`import sys\\nsys.path[:] = ["/firmware/lib"]`);
  for (const step of job.steps) {
    python.runPython(step);
    python.runPython("__import__('gc').collect()");
    await new Promise((done) => setTimeout(done, 0));
  }
} catch (error) { window.trouble = String(error); }
window.output = output;
</script>"""


@pytest.fixture(scope="module")
def board() -> Iterator[Path]:
    with compiled_board() as folder:
        yield folder


@asynccontextmanager
async def served(job: str) -> AsyncIterator[str]:
    """A page that runs that job on the page's own machine."""
    own = files("dalej.boxes.page") / "machine"

    answers: dict[str, tuple[str, bytes]] = {
        "/": ("text/html", RUNNER.encode()),
        "/job.json": ("application/json", job.encode()),
        "/micropython.mjs": ("text/javascript", (own / "micropython.mjs").read_bytes()),
        "/micropython.wasm": ("application/wasm", (own / "micropython.wasm").read_bytes()),
    }

    async def answer(request: web.Request) -> web.Response:
        kind, body = answers[request.path]
        return web.Response(body=body, content_type=kind)

    app = web.Application()
    app.add_routes([web.get(path, answer) for path in answers])
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("part", ["micropython.mjs", "micropython.wasm"])
def test_the_page_has_the_machine_in_which_the_tests_of_the_core_run(part: str) -> None:
    assert (files("dalej.boxes.page") / "machine" / part).read_bytes() == (PACKAGE / part).read_bytes()


def test_the_page_gets_the_files_that_a_board_gets(board: Path) -> None:
    page = one_file(compiled(sources()))
    core = page.partition('<script id="core" type="application/json">')[2].partition("</script>")[0]
    shown = json.loads(core)

    of_board = {file.relative_to(board).as_posix(): file.read_bytes() for file in (board / "lib").rglob("*.mpy")}
    same = {path for path, data in of_board.items() if shown.get(path) == b64encode(data).decode()}
    assert {path for path in shown if path.endswith(".mpy")} <= same
    assert {"lib/moveclock/clock.mpy", "lib/moveclock/view.mpy"} <= same


@pytest.mark.parametrize("name", PLAYED)
def test_the_tests_of_the_core_pass_in_each_engine(driven: Driven, name: str, board: Path) -> None:
    async def story() -> None:
        with core_run(name, board) as run:
            every = [file for folder in (machine.LIBRARY, *run.folders) for file in sorted(folder.rglob("*"))]
            held = [[machine.inside(one), b64encode(one.read_bytes()).decode()] for one in every if one.is_file()]
            job = json.dumps({"heap": machine.HEAP, "files": held, "steps": list(run.steps)})
            async with served(job) as url, driven.engine.tab() as tab:
                await tab.goto(url)
                await Person(tab, url, "touch").until("window.output !== undefined", "the end of the core's tests")
                failed = failures(
                    await tab.evaluate("window.output"), run.due, str(await tab.evaluate("window.trouble ?? ''"))
                )
            assert run.due
            assert not failed, "\n".join(failed.values())

    driven.run(story())
