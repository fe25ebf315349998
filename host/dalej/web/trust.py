"""How a device comes to trust the hall's authority: a page for each system, and the authority itself. Whoever does not
trust it yet asks over http, where others could answer instead: what is handed out is compared with the fingerprint on
the organiser's own screen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from dalej.web.pages import Pages
from dalej.words import N_, _

FILE: Final = "/trust/dalej.crt"


@dataclass(frozen=True, slots=True)
class System:
    """Its name, and what is done there, in order."""

    title: str
    steps: tuple[str, ...]


SYSTEMS: Final[Mapping[str, System]] = {
    "windows": System("Windows", (
        N_("In PowerShell type: Get-FileHash Downloads\\dalej.crt. Compare what it shows with the organiser's screen."),
        N_("Open dalej.crt, choose “Install Certificate”, then “Current User”."),
        N_("Choose “Place all certificates in the following store”, then “Trusted Root Certification Authorities”."),
        N_("Confirm, and start the browser anew."),
    )),
    "macos": System("macOS", (
        N_("Open dalej.crt: Keychain Access adds it to the login keychain."),
        N_("Open it there by its name, Dalej with a date, and compare its SHA-256 fingerprint with the organiser's "
           "screen."),
        N_("Under “Trust” choose “Always Trust”, close the window and confirm with your password."),
    )),
    "ios": System("iPhone, iPad", (
        N_("Use Safari for the download, and allow the profile."),
        N_("In Settings open “Profile Downloaded”, then “More Details”: compare the SHA-256 fingerprint with the "
           "organiser's screen, then install it."),
        N_("In Settings open General, About, Certificate Trust Settings, and switch Dalej on."),
    )),
    "android": System("Android", (
        N_("In Settings search for “CA certificate”, choose “Install anyway” and then dalej.crt."),
        N_("In Settings search for “Trusted credentials”, open Dalej under “User”, and compare its SHA-256 fingerprint "
           "with the organiser's screen. If it is another one, remove it."),
        N_("Use Chrome: Firefox on Android does not look there."),
    )),
    "linux": System("Linux, Firefox", (
        N_("In a terminal type: sha256sum dalej.crt. Compare what it shows with the organiser's screen."),
        N_("Firefox: Settings, Privacy & Security, View Certificates, Authorities, Import; trust it to identify "
           "websites."),
        N_("Chromium: open chrome://certificate-manager, and import it under “Installed by you”, “Trusted "
           "Certificates”."),
    )),
}  # fmt: skip


class TrustPages:
    """`/trust`. `authority`: DER."""

    def __init__(self, pages: Pages, authority: bytes) -> None:
        self._pages = pages
        self._authority = authority
        self._fingerprint = hashlib.sha256(authority).hexdigest().upper()

    def routes(self) -> list[web.RouteDef]:
        """What it answers, to anybody."""
        return [
            web.get("/trust", self._choose), web.get(FILE, self._hand_out), web.get("/trust/{system}", self._explain),
        ]  # fmt: skip

    async def _choose(self, request: web.Request) -> web.StreamResponse:
        return self._shown(request, "")

    async def _explain(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["system"] not in SYSTEMS:
            raise web.HTTPNotFound
        return self._shown(request, request.match_info["system"])

    async def _hand_out(self, _request: web.Request) -> web.StreamResponse:
        """Of that type iPhones and Firefox know what it is; others keep the file."""
        return web.Response(body=self._authority, content_type="application/x-x509-ca-cert")

    def _shown(self, request: web.Request, system: str) -> web.Response:
        steps = [_(one) for one in SYSTEMS[system].steps] if system else []
        pairs = [self._fingerprint[at : at + 2] for at in range(0, len(self._fingerprint), 2)]
        text = self._pages.page(
            "trust.html", system=system, steps=steps, file=FILE, here=request.path,
            systems=[(name, one.title, name == system) for name, one in SYSTEMS.items()],
            fingerprint=":".join(pairs), way_in=f"https://{request.host}/",
        )  # fmt: skip
        return web.Response(text=text, content_type="text/html", charset="utf-8")
