"""Debian's NetworkManager in a network of its own, in which there is no Wi-Fi: what it makes of the
networks that ``Wireless`` adds. ``python -m tests.checks.network_manager FOLDER UNPACKED`` tells it
as JSON; it is run by ``unshare``, so that the machine's own networks are never touched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from companion.machine.wireless import CONNECTIONS, KEPT, OWN, Wireless

BUS = """\
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
<allow send_type="method_call"/><allow send_type="signal"/><allow receive_type="method_call"/>
<allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
</policy></busconfig>
"""
SETTINGS = """\
[main]
plugins=keyfile
auth-polkit=false
[keyfile]
path={path}
"""
# There is no Wi-Fi here: a device and its connecting are all that is not NetworkManager's own.
PROGRAM = """\
#!/bin/sh
export LD_LIBRARY_PATH={libraries}
case "$*" in
    *"device status") echo wlan0:wifi:disconnected: ;;
    "connection up "*) ;;
    *) exec {nmcli} "$@" ;;
esac
"""
NETWORKS = {
    "Home": "correct horse",
    "Caf:e; \\né #1": " a;b\\sc\\\\d\"'$é= ",
    "key-mgmt=wpa-psk": "#=;[wifi]",
    "Free": "",
}

JOINED = "802-11-wireless.ssid", "802-11-wireless-security.psk", "802-11-wireless.hidden"
OPENED = (
    "802-11-wireless.ssid", "802-11-wireless.mode", "802-11-wireless-security.psk",
    "ipv4.method", "ipv4.addresses", "connection.autoconnect",
)  # fmt: skip


class Apart:
    """The servers, and NetworkManager's program, as Debian's package in ``unpacked`` has them."""

    def __init__(self, folder: Path, unpacked: Path) -> None:
        self._folder, self.nmcli = folder, folder / "nmcli"
        search = f"{unpacked}/usr/sbin:{unpacked}/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        libraries = ":".join(
            str(one) for one in unpacked.glob("**/lib/*-linux-gnu*") if one.is_dir()
        )
        self._environment = {"PATH": search, "LD_LIBRARY_PATH": libraries, "LC_ALL": "C.UTF-8"}
        nmcli = shutil.which("nmcli", path=search)
        self.nmcli.write_text(PROGRAM.format(libraries=libraries, nmcli=nmcli))
        self.nmcli.chmod(0o755)

    def start(self) -> None:
        """Start D-Bus, then NetworkManager, and return once it answers."""
        for place in ("/run", "/var/lib"):
            subprocess.run(["mount", "-t", "tmpfs", "none", place], check=True)
        for place in ("/run/dbus", "/run/NetworkManager", "/var/lib/NetworkManager"):
            os.mkdir(place)
        bus, settings = self._folder / "bus.conf", self._folder / "NetworkManager.conf"
        bus.write_text(BUS)
        settings.write_text(SETTINGS.format(path=self._folder / CONNECTIONS))
        self._run("dbus-daemon", f"--config-file={bus}", "--nofork")
        while not Path("/run/dbus/system_bus_socket").exists():
            time.sleep(0.05)
        self._run("NetworkManager", "--no-daemon", f"--config={settings}")
        while "disconnected" not in self.show("-t", "-f", "STATE", "general"):
            time.sleep(0.1)

    def show(self, *words: str) -> str:
        """Return what NetworkManager's program says, its complaints as well."""
        return subprocess.run(
            [self.nmcli, *words],
            env=self._environment, text=True, check=False, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ).stdout.removesuffix("\n")  # fmt: skip

    def shown(self, fields: Sequence[str], which: str) -> list[str]:
        """Return what NetworkManager keeps of the connection ``which``, secrets as well."""
        words = ("-s", "-e", "no", "-g")
        return [self.show(*words, field, "connection", "show", which) for field in fields]

    def _run(self, *command: str) -> None:
        with (self._folder / "log").open("a") as log:
            subprocess.Popen(command, env=self._environment, stdout=log, stderr=log)


def main(folder: Path, unpacked: Path) -> None:
    """Add networks, and print what NetworkManager says of them."""
    path = folder / CONNECTIONS
    path.mkdir(parents=True)
    apart = Apart(folder, unpacked)
    apart.start()
    wireless = Wireless(folder, str(apart.nmcli))
    told: dict[str, object] = {}
    for name, password in NETWORKS.items():
        wireless.join(name, password)
    wireless.join("Home", "another horse")
    for line in apart.show("-t", "-f", "UUID,TYPE", "connection").splitlines():
        uuid, _, kind = line.partition(":")
        if "wireless" in kind:
            name, *rest = apart.shown(JOINED, uuid)
            told[name] = rest
    wireless.open("Companion", "on the label")
    told["own"] = apart.shown(OPENED, OWN)
    wireless.keep()
    told["kept"] = apart.shown(OPENED, KEPT)
    told["modes"] = sorted({oct(one.stat().st_mode & 0o777) for one in path.iterdir()})
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
