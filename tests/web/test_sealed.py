"""With a certificate: the cookie travels on sealed connections alone, and so does all that is live."""

from __future__ import annotations

import asyncio
import os
import ssl
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar, TCPConnector

from dalej.errors import Refused
from tests.web.certificate import certificate
from tests.web.rig import Browser, served


def test_sealed_from_the_log_in_to_what_is_live(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)

    async def run() -> None:
        async with served(tmp_path, cert=cert, key=key) as rig:
            trust = ssl.create_default_context(cafile=cert)
            connector, jar = TCPConnector(ssl=trust), CookieJar()
            async with ClientSession(connector=connector, cookie_jar=jar) as client:
                browser = Browser(client, f"https://localhost:{rig.server.port}")
                answer = await browser.log_in("referee")
                cookie = answer.headers["Set-Cookie"]
                assert cookie.startswith(f"__Host-dalej-{rig.server.port}=")
                assert "; Secure" in cookie
                async with browser.looking("/live/hall") as live:
                    assert "cup" in (await live.parts())["bar"]

                plain = await browser.ask("POST", "/logout", {"Origin": browser.url.replace("https", "http")})
                assert plain.status == 403

    asyncio.run(run())


def test_who_speaks_in_clear_is_only_led_on(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)

    async def run() -> None:
        async with served(tmp_path, cert=cert, key=key) as rig, ClientSession() as client:
            plain = f"http://127.0.0.1:{rig.server.port}"
            async with client.get(f"{plain}/login", allow_redirects=False) as led:
                assert led.headers["Location"] == f"https://127.0.0.1:{rig.server.port}/login"
            async with client.get(f"{plain}/trust/dalej.crt", allow_redirects=False) as led:
                assert led.status == 307  # whose certificate it is, whoever made it says

    asyncio.run(run())


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files apart in other ways")
@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_key_that_others_can_read_is_refused_with_what_to_do(tmp_path: Path, mode: int) -> None:
    cert, key = certificate(tmp_path)
    Path(key).chmod(mode)

    async def run() -> None:
        with pytest.raises(Refused, match=f"hall.key holds the certificate's key .* chmod 600 {key}"):
            async with served(tmp_path, cert=cert, key=key):
                raise AssertionError("it is served")

    asyncio.run(run())
