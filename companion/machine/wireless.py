"""The machine's Wi-Fi by NetworkManager's command line: what is there, a network of one's own, and
joining another."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.rules import BadInput, HardwareFault, quoted, say
from companion.runtime.files import write_private

OWN, KEPT = "companion-first-start", "companion-own"
"""How NetworkManager calls our own network: for the first start, and once it is to stay."""
ADDRESS = "10.42.0.1"
"""Where the machine is in its own network."""
NAMES = Path("etc/NetworkManager/dnsmasq-shared.d") / f"{OWN}.conf"
"""The file by which every name leads to us in our own network: a phone asks for its own first."""
CONNECTIONS = Path("etc/NetworkManager/system-connections")
"""Where NetworkManager keeps its networks, a file each that only root reads."""
PATIENCE = 90.0
"""Seconds that NetworkManager has for one thing."""
LEAST, MOST = 8, 63
"""Letters of a Wi-Fi's password."""


class Network(NamedTuple):
    """A Wi-Fi in reach: how it is called, how strong it is (0 to 100), whether it wants a
    password."""

    name: str
    strength: int
    closed: bool


class Wireless:
    """The Wi-Fi of this machine. ``root`` is where its files begin."""

    def __init__(self, root: Path = Path("/"), program: str = "nmcli") -> None:
        self._root, self._program = root, program

    def connected(self) -> bool:
        """Tell whether the machine is in a network that is not its own.

        Raises:
            HardwareFault: NetworkManager is not there.
        """
        return any(
            kind in ("wifi", "ethernet") and state == "connected" and name != OWN
            for _, kind, state, name in self._devices()
        )

    def in_reach(self) -> tuple[Network, ...]:
        """Return the networks in reach, the strongest first, each name once. It cannot be looked
        for while the own one is open.

        Raises:
            HardwareFault: there is no Wi-Fi here.
        """
        said = self._tell(
            "-t", "-f", "SSID,SIGNAL,SECURITY", "device", "wifi", "list",
            "ifname", self._device(), "--rescan", "yes",
        )  # fmt: skip
        best: dict[str, Network] = {}
        for name, strength, security in (_fields(line, 3) for line in said.splitlines()):
            found = Network(name, int(strength or 0), security not in ("", "--"))
            if name and (name not in best or best[name].strength < found.strength):
                best[name] = found
        return tuple(sorted(best.values(), key=lambda one: (-one.strength, one.name)))

    def open(self, name: str, password: str = "") -> None:
        """Open a network of our own, in which every name leads to us.

        Raises:
            BadInput: the password is too short or too long.
            HardwareFault: it cannot be opened.
        """
        check_password(password)
        self.close()
        path = self._root / NAMES
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"address=/#/{ADDRESS}\n", encoding="ascii")
        except OSError as error:
            raise HardwareFault(f"{path} cannot be written: {error.strerror}") from error
        added = self._add(
            OWN, password,
            "con-name", OWN, "autoconnect", "no", "ssid", name, "802-11-wireless.mode", "ap",
            "802-11-wireless.band", "bg", "ipv4.method", "shared",
            "ipv4.addresses", f"{ADDRESS}/24", "ipv6.method", "disabled",
        )  # fmt: skip
        self._tell("connection", "up", "uuid", added)

    def keep(self) -> None:
        """Let our own network stay, now and whenever the machine starts.

        Raises:
            HardwareFault: NetworkManager does not do it.
        """
        (self._root / NAMES).unlink(missing_ok=True)
        path = self._root / CONNECTIONS / f"{OWN}.nmconnection"
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise HardwareFault(f"{path} cannot be read: {error.strerror}") from error
        text = re.sub(r"(?m)^id=.*$", f"id={KEPT}", text, count=1)
        self._load(path, text.replace("\nautoconnect=false\n", "\n"))

    def close(self) -> None:
        """Close our own network; nothing happens where none is open."""
        (self._root / NAMES).unlink(missing_ok=True)
        self._ask("connection", "delete", "id", OWN)

    def join(self, name: str, password: str = "") -> None:
        """Join the network called ``name``, also one that does not tell its name, now and whenever
        the machine starts.

        Raises:
            BadInput: there is none, or the password is not its own.
            HardwareFault: NetworkManager is not there.
        """
        check_password(password)
        # Several may be joined one after the other, and a name may hold what no file's may.
        file = f"companion-{hashlib.sha256(name.encode()).hexdigest()[:12]}"
        added = self._add(
            file, password, "con-name", name, "ssid", name, "802-11-wireless.hidden", "yes"
        )
        done = self._ask("connection", "up", "uuid", added)
        if done.returncode == 0:
            return
        self._ask("connection", "delete", "uuid", added)
        if "ecrets were required" in done.stderr:
            raise BadInput(say("the password is not that of {network}", network=quoted(name)))
        if "network could not be found" in done.stderr:
            raise BadInput(say("no network called {network} is in reach", network=quoted(name)))
        why = done.stderr.strip().removeprefix("Error: ") or f"nmcli: {done.returncode}"
        raise BadInput(say("{network} cannot be joined: {why}", network=quoted(name), why=why))

    def _add(self, file: str, password: str, *words: str) -> str:
        """Add a network and return its UUID.

        NetworkManager's program writes down all but the password, which is added to its file: what
        a program is given as an argument every user of the machine reads.
        """
        secured = ("802-11-wireless-security.key-mgmt", "wpa-psk") if password else ()
        text = self._tell(
            "--offline", "connection", "add", "type", "wifi", "ifname", self._device(),
            *words, *secured,
        )  # fmt: skip
        told = re.search(r"(?m)^uuid=(\S+)$", text)
        if told is None:
            raise HardwareFault(say("NetworkManager does not do it: {why}", why=text.strip()))
        line = "\nkey-mgmt=wpa-psk\n"
        path = self._root / CONNECTIONS / f"{file}.nmconnection"
        self._load(path, text.replace(line, f"{line}psk={_in_file(password)}\n"))
        return told[1]

    def _load(self, path: Path, text: str) -> None:
        """Let NetworkManager have a network as ``text`` says it."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_private(path, text)
        except OSError as error:
            raise HardwareFault(f"{path} cannot be written: {error.strerror}") from error
        self._tell("connection", "load", str(path))

    def _device(self) -> str:
        for device, kind, _, _ in self._devices():
            if kind == "wifi":
                return device
        raise HardwareFault(say("this machine has no Wi-Fi that NetworkManager knows"))

    def _devices(self) -> Sequence[Sequence[str]]:
        said = self._tell("-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device", "status")
        return [_fields(line, 4) for line in said.splitlines()]

    def _tell(self, *words: str) -> str:
        done = self._ask(*words)
        if done.returncode:
            why = done.stderr.strip().removeprefix("Error: ")
            raise HardwareFault(say("NetworkManager does not do it: {why}", why=why))
        return done.stdout

    def _ask(self, *words: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                [self._program, *words], capture_output=True, text=True, timeout=PATIENCE,
                env={"LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, check=False,
            )  # fmt: skip
        except FileNotFoundError:
            raise HardwareFault(
                "there is no nmcli here: install the package network-manager"
            ) from None
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 3, "", "it took too long")


def check_password(password: str) -> None:
    """Check that a Wi-Fi's password may be one; none is for an open network.

    Raises:
        BadInput: it may not.
    """
    if password and not (LEAST <= len(password) <= MOST and password.isprintable()):
        raise BadInput(
            say("a Wi-Fi's password has {least} to {most} letters", least=LEAST, most=MOST)
        )


def _in_file(password: str) -> str:
    """Return the password as a key file of GLib has it."""
    return password.replace("\\", r"\\").replace(" ", r"\s")


def _fields(line: str, count: int) -> Sequence[str]:
    """Return the fields of a terse line, in which colons and backslashes stand behind one."""
    fields, escaped = [""], False
    for sign in line:
        if not escaped and sign == "\\":
            escaped = True
            continue
        if sign == ":" and not escaped:
            fields.append("")
        else:
            fields[-1] += sign
        escaped = False
    return (fields + [""] * count)[:count]
