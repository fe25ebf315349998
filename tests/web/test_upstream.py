"""What Dalej leans on in textual-serve and Textual's web driver, where neither promises it: if it moves, this fails."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import textual_serve
from textual._xterm_parser import XTermParser
from textual.drivers.web_driver import WebDriver
from textual.events import Resize
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

STATIC = Path(textual_serve.__file__).with_name("static")


async def nothing(_said: bytes | str) -> None:
    pass


async def never() -> None:
    pass


def test_the_service_is_made_and_overridden_as_before() -> None:
    service = AppService(
        "true", write_bytes=nothing, write_str=nothing, close=never, download_manager=DownloadManager()
    )

    for name in ("_process", "_task", "_stdin", "command", "remote_close"):
        assert hasattr(service, name), name
    parameters = {
        "_open_app_process": ["self", "width", "height"],
        "_build_environment": ["self", "width", "height"],
        "start": ["self", "width", "height"],
        "stop": ["self"],
        "send_bytes": ["self", "data"],
        "send_meta": ["self", "data"],
        "set_terminal_size": ["self", "width", "height"],
        "on_meta": ["self", "data"],
    }
    for name, expected in parameters.items():
        assert list(inspect.signature(getattr(AppService, name)).parameters) == expected, name
    assert "await self._open_app_process(width, height)" in inspect.getsource(AppService.start)
    assert "self.remote_close()" in inspect.getsource(AppService.on_meta)


def test_the_environment_still_chooses_the_web_driver() -> None:
    service = AppService(
        "true", write_bytes=nothing, write_str=nothing, close=never, download_manager=DownloadManager()
    )
    environment = service._build_environment(100, 30)

    assert environment["TEXTUAL_DRIVER"] == "textual.drivers.web_driver:WebDriver"
    assert (environment["COLUMNS"], environment["ROWS"]) == ("100", "30")
    assert "TEXTUAL_FPS" in environment


def test_packets_are_a_letter_four_bytes_and_a_payload() -> None:
    assert AppService.encode_packet(b"D", b"q") == b"D\x00\x00\x00\x01q"
    assert AppService.encode_packet(b"M", b"{}") == b"M\x00\x00\x00\x02{}"
    written = inspect.getsource(WebDriver)
    assert 'b"__GANGLION__\\n"' in written
    assert '{"type": "exit"}' in written
    assert 'packet_type == "quit"' in written
    assert 'packet_type == "resize"' in written
    assert 'to_bytes(4, "big")' in written


def test_files_are_handed_out_under_a_key() -> None:
    assert list(inspect.signature(DownloadManager.get_download_metadata).parameters) == ["self", "delivery_key"]
    assert inspect.isasyncgenfunction(DownloadManager.download)


def test_the_page_s_files_are_where_our_page_looks_for_them() -> None:
    for name in (
        "js/textual.js", "css/xterm.css", "fonts/RobotoMono-VariableFont_wght.ttf",
        "fonts/RobotoMono-Italic-VariableFont_wght.ttf",
    ):  # fmt: skip
        assert (STATIC / name).stat().st_size > 1_000, name


def test_the_page_s_script_says_what_our_page_answers_to() -> None:
    script = (STATIC / "js/textual.js").read_text(encoding="utf-8")

    for used in (
        "window.onload=", ".textual-terminal", "dataset.sessionWebsocketUrl", "dataset.fontSize", '"-first-byte"',
        '"-closed"', '["stdin",', '["resize",', '["ping",', '["focus"]', '["blur"]', '"?width="', "/download/",
    ):  # fmt: skip
        assert used in script, used


def test_no_file_of_the_page_asks_another_host_for_anything() -> None:
    """The hall may have no internet, and what is loaded from elsewhere sees who looks."""
    ours = Path(__file__).parents[2] / "host" / "dalej" / "web"
    for file in [*STATIC.rglob("*.css"), *ours.rglob("*.css"), *ours.rglob("*.html"), *ours.rglob("*.js")]:
        assert not re.search(r"(?:url\(|src=|href=|import\s)[\"']?(?:https?:)?//", file.read_text(encoding="utf-8")), (
            file
        )
    script = (STATIC / "js/textual.js").read_text(encoding="utf-8")
    assert not re.search(r"(?:fetch|WebSocket|import)\([\"']https?:", script)


def test_sizes_that_are_typed_come_through_the_method_that_our_driver_watches() -> None:
    written = inspect.getsource(WebDriver)
    assert "for event in parser.feed(decode(payload)):" in written
    assert "self.process_message(event)" in written
    sizes = [event for event in XTermParser().feed("\x1b[48;99999;99999;1;1t") if isinstance(event, Resize)]
    assert [event.size for event in sizes] == [(99_999, 99_999)]
