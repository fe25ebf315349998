"""Which Dalej this is: desk, firmware and protocol are one package, whose metadata holds the version."""

from __future__ import annotations

from importlib import metadata

from dalej.errors import Refused
from dalej.words import N_, _
from moveclock.box import FIRMWARE
from moveclock.wire import PROTOCOL


def version() -> str:
    """All three, in words; Refused if nobody installed this copy."""
    try:
        installed = metadata.version("dalej")
    except metadata.PackageNotFoundError as error:
        raise Refused(N_("this Dalej was copied and not installed, so it has no version: install it")) from error
    return _("dalej {version} (firmware {firmware}, protocol {protocol})").format(
        version=installed, firmware=FIRMWARE, protocol=PROTOCOL
    )
