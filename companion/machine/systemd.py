"""The companion as a systemd service: its unit, its user, and what has to be run to install it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.rules import BadInput, quoted
from hardware.machine import Machine

NAME = "companion"
UNIT = Path("etc/systemd/system/companion.service")
DATA = "/var/lib/companion"
GROUPS = ("video", "render", "audio", "gpio", "spi", "i2c", "dialout")
"""Groups of Raspberry Pi OS for camera, sound, pins, LEDs and serial boards; those that exist
are taken."""
WATCHDOG_SECONDS = 60
_TEMPLATE = """\
[Unit]
Description=Tabletop companion: {game}
# Once the clock is set, where this machine waits for it anyway; nothing is asked to wait, and
# without a network the table starts as fast: it finds its address and the time when they come.
After=network.target time-set.target time-sync.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
WatchdogSec={watchdog}
ExecStart={command}
Restart=always
RestartSec=2
TimeoutStopSec=15
User={user}
{groups}StateDirectory=companion
StateDirectoryMode=0700
UMask=0077
RuntimeDirectory=companion
WorkingDirectory=/run/companion
Environment=HOME={data} XDG_DATA_HOME={data} LG_WD=/run/companion
Environment=GPIOZERO_PIN_FACTORY=lgpio PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# Nothing but the games is written: a read-only root needs {data} alone to be writable.
ProtectSystem=strict
ProtectHome={home}
PrivateTmp=yes
NoNewPrivileges=yes
{walls}{port}
[Install]
WantedBy=multi-user.target
"""
_WALLS = """\
# What a table never does. Devices stay open: cameras, pins and serial boards are many, and its user
# and groups say which of them it may use.
CapabilityBoundingSet={capabilities}
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
# Whether a time server keeps the clock is asked; without a right to, nobody sets it so.
SystemCallFilter=adjtimex clock_adjtime
SystemCallErrorNumber=EPERM
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectProc=invisible
RemoveIPC=yes
KeyringMode=private
"""


@dataclass(frozen=True)
class ServiceUnit:
    """What is to be installed: the ``game``, the ``options`` of ``companion play``, who it runs
    as, and the ``program`` that runs it."""

    game: str
    options: tuple[str, ...]
    user: str
    program: str

    def __post_init__(self) -> None:
        for option in ("--journal", "--json"):
            if option in self.options:
                raise BadInput(f"{option} is set by the service itself; leave it away")
        if not self.user.replace("-", "").replace("_", "").isalnum():
            raise BadInput(f"{quoted(self.user)} is no name of a user")
        parts = Path(self.program).parts
        owner = parts[2] if parts[:2] == ("/", "home") else "root" if "root" in parts[:2] else ""
        if owner and owner != self.user:
            raise BadInput(
                f"{self.program} lies in the home folder of {owner}, where {self.user} may not go; "
                f"install the companion under /opt, or say --user {owner}"
            )

    @property
    def needs_root(self) -> bool:
        """Tell whether the LEDs are fed by DMA, which only root may do."""
        asked = [value for _, value in self._values("--lights") if value.startswith("ws281x")]
        return any(value != "ws281x:10" for value in asked)

    @property
    def port(self) -> int:
        """Return the port of the pages."""
        given = [value for _, value in self._values("--port") if value.isdecimal()]
        return int(given[-1]) if given else 8000

    def _values(self, name: str) -> list[tuple[str, str]]:
        found = []
        for place, option in enumerate(self.options):
            if option == name and place + 1 < len(self.options):
                found.append((name, self.options[place + 1]))
            elif option.startswith(f"{name}="):
                found.append((name, option.partition("=")[2]))
        return found

    def unit(self, machine: Machine) -> str:
        """Return the unit file for ``machine``."""
        journal = f"{DATA}/{self.game}.sqlite3"
        words = [self.program, "play", self.game, "--journal", journal, *self.options]
        groups = groups_of(machine)
        needed = "CAP_NET_BIND_SERVICE" if self.port < 1024 else ""
        low = f"AmbientCapabilities={needed}\n" if needed else ""
        # Who feeds LEDs by DMA reaches into the machine's memory: nothing of this is for him.
        walls = "" if self.needs_root else _WALLS.format(capabilities=needed)
        return _TEMPLATE.format(
            game=self.game,
            command=command_line(words),
            user="root" if self.needs_root else self.user,
            groups=f"SupplementaryGroups={' '.join(groups)}\n" if groups else "",
            data=DATA,
            home="read-only" if self.program.startswith(("/home/", "/root/")) else "yes",
            walls=walls,
            port=low,
            watchdog=WATCHDOG_SECONDS,
        )

    def commands(self, machine: Machine) -> tuple[tuple[str, ...], ...]:
        """Return what has to be run, in order, once the unit is written."""
        listed = machine.read("etc/passwd").splitlines()
        known = any(line.startswith(f"{self.user}:") for line in listed)
        create = (
            "useradd", "--system", "--home-dir", DATA, "--shell", "/usr/sbin/nologin", self.user,
        )  # fmt: skip
        return (
            *(() if known or self.needs_root else (create,)),
            ("systemctl", "daemon-reload"),
            ("systemctl", "enable", f"{NAME}.service"),
            ("systemctl", "restart", f"{NAME}.service"),
        )


def groups_of(machine: Machine) -> tuple[str, ...]:
    """Return those of :data:`GROUPS` that the machine has."""
    there = {line.partition(":")[0] for line in machine.read("etc/group").splitlines()}
    return tuple(name for name in GROUPS if name in there)


def command_line(words: Sequence[str]) -> str:
    """Return a command as systemd reads it: quoted, percent signs and dollars doubled."""
    return shlex.join(words).replace("%", "%%").replace("$", "$$")
