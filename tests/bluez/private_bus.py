"""A D-Bus daemon of the test's own: its socket and its configuration lie in a folder that goes with it.

Nothing here ever speaks to the machine's buses.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.processes import bounded

_CONFIGURATION: Final = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
"""


def missing() -> str | None:
    """What this computer lacks for a private bus, in words."""
    if sys.platform != "linux":
        return "BlueZ is Linux's: other systems have another Bluetooth"
    if shutil.which("dbus-daemon") is None:
        return "needs dbus-daemon (Debian and Ubuntu: the package dbus)"
    return None


@contextmanager
def private_bus() -> Iterator[str]:
    """The address of a bus that is there until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="dalej-bus-") as name:  # a short path: sockets take 107 letters
        folder = Path(name)
        configuration = folder / "bus.conf"
        configuration.write_text(_CONFIGURATION.format(socket=folder / "bus"))
        command = ["dbus-daemon", "--nofork", "--nopidfile", "--print-address", f"--config-file={configuration}"]
        clean = {name: value for name, value in os.environ.items() if not name.startswith("DBUS_")}
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=clean
        ) as daemon:
            try:
                assert daemon.stdout is not None
                with bounded(daemon):
                    address = daemon.stdout.readline().decode().strip()  # printed when it listens
                assert address.startswith("unix:path="), "dbus-daemon did not start"
                yield address
            finally:
                daemon.kill()
