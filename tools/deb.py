"""Builds a Debian package of the companion: Bookworm's Python, NumPy, OpenCV and Pillow, and beside
them what Bookworm has not, as pure Python, in a folder of the package's own.

    python3 tools/deb.py [--out dist] [--version 0.2.0]

Its version is the project's with the time of the checkout's last change, 0.2.0+20261127100000. It
needs pip with setuptools, and dpkg-deb. The package is the same for every architecture.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "tabletop-companion"
LIBRARY = Path("usr/lib") / NAME
SYSTEM = {"numpy": "python3-numpy", "pillow": "python3-pil", "markupsafe": "python3-markupsafe"}
"""What Bookworm's own packages are used for; they are compiled, or OpenCV was made for them."""
INDIRECT = (
    "blinker", "click", "defusedxml", "fonttools", "itsdangerous", "jinja2", "werkzeug",
)  # fmt: skip
"""What those need that the project names."""
PURE = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
CONTROL = """\
Package: {name}
Version: {version}
Section: games
Priority: optional
Architecture: all
Maintainer: The tabletop companion authors <nobody@tabletop-companion.example>
Installed-Size: {kilobytes}
Depends: python3 (>= 3.11), python3-markupsafe, python3-numpy, python3-opencv, python3-pil, adduser
Suggests: network-manager, python3-gpiozero, python3-lgpio, python3-picamera2, python3-serial,
 python3-spidev
Homepage: https://tabletop-companion.example/
Description: referee and scorekeeper for real board games
 A camera reads a real board-game table, a rules engine rules on every move,
 LEDs light the legal cells and every player has a scorecard on his phone.
 .
 The service begins with a simulated table on port 8000; /etc/default/companion
 says which game is played and with which camera and lights. Removing the
 package keeps the games in /var/lib/companion, purging it deletes them.
"""
DEFAULTS = """\
# What the service plays: a name that `companion games` lists, and the options of `companion play`,
# such as: --camera picamera --lights auto --panel usual --port 80
GAME=victorus
OPTIONS=
"""
LAUNCHER = """\
#!/bin/sh
PYTHONPATH=/{library}${{PYTHONPATH:+:$PYTHONPATH}}
export PYTHONPATH
exec /usr/bin/python3 -m companion "$@"
"""
FIRST_START = """\
[Unit]
Description=Tabletop companion: the first start by phone
After=NetworkManager.service
Wants=NetworkManager.service
Before=companion.service
ConditionPathExists=!/var/lib/companion/first-start.done

[Service]
Type=oneshot
EnvironmentFile=-/etc/default/companion-first-start
ExecStart=/usr/bin/companion first-start --data /var/lib/companion $OPTIONS
TimeoutStartSec=infinity
UMask=0022
RuntimeDirectory=companion-first-start
Environment=HOME=/run/companion-first-start XDG_DATA_HOME=/run/companion-first-start
Environment=XDG_CACHE_HOME=/run/companion-first-start PYTHONDONTWRITEBYTECODE=1
# It asks NetworkManager for networks, and writes what was chosen: for its pages a low port, for the
# service's settings their owner.
ProtectSystem=strict
ReadWritePaths=/var/lib/companion /etc/default -/etc/NetworkManager
CapabilityBoundingSet=CAP_NET_BIND_SERVICE CAP_CHOWN CAP_DAC_OVERRIDE
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallFilter=@chown
SystemCallErrorNumber=EPERM
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
NoNewPrivileges=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectClock=yes
ProtectProc=invisible
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private

[Install]
WantedBy=multi-user.target
"""
"""It may write the networks, so that it runs as root; only an image enables it."""
AFTER_INSTALLING = """\
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    adduser --quiet --system --group --home /var/lib/companion --no-create-home companion
    for group in {groups}; do
        ! getent group "$group" >/dev/null || adduser --quiet companion "$group"
    done
    mkdir -p /var/lib/companion
    chown companion:companion /var/lib/companion
    chmod 700 /var/lib/companion
    python3 -m compileall -q -j 0 /{library}
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        systemctl enable --quiet companion.service
        systemctl restart companion.service
    fi
fi
"""
BEFORE_REMOVING = """\
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl disable --now --quiet companion.service companion-first-start.service
fi
find /{library} -name __pycache__ -type d -prune -exec rm -r {{}} +
"""
AFTER_REMOVING = """\
#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /var/lib/companion
    ! command -v deluser >/dev/null || deluser --quiet --system companion || true
fi
[ ! -d /run/systemd/system ] || systemctl daemon-reload
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder [dist]")
    parser.add_argument("--version", default=usual_version(), help="the package's version")
    chosen = parser.parse_args()
    if not re.fullmatch(r"\d[\w.+~-]*", chosen.version):
        parser.error(f"{chosen.version} is no version of a Debian package: it begins with a digit")
    if shutil.which("dpkg-deb") is None:
        parser.error("there is no dpkg-deb on this machine: install the package dpkg")
    chosen.out.mkdir(parents=True, exist_ok=True)
    package = chosen.out / f"{NAME}_{chosen.version}_all.deb"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        bundled(tree / LIBRARY)
        files(tree, chosen.version)
        command = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", str(tree), str(package)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(package)
    return 0


def project() -> dict[str, str]:
    """Return what the project says of itself."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, str] = tomllib.loads(text)["project"]
    return found


def usual_version() -> str:
    """Return the project's version, in a checkout with when it was last changed: apt leaves alone
    what it has in the same version, whatever is in the package."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return project()["version"]
    asked = [
        "git",
        "-C",
        str(ROOT),
        "log",
        "-1",
        "--format=%cd",
        "--date=format-local:%Y%m%d%H%M%S",
    ]
    told = subprocess.run(
        asked, env={**os.environ, "TZ": "UTC"}, capture_output=True, text=True, check=False
    )
    # A folder that root builds in may be another's: git then says nothing of it.
    return "+".join([project()["version"], *told.stdout.split()])


def requirements() -> list[str]:
    """Return what is put beside the companion: all that it needs but :data:`SYSTEM`."""
    named = [re.match(r"[\w-]+", line) for line in project()["dependencies"]]
    own = [
        line
        for line, name in zip(project()["dependencies"], named, strict=True)
        if name is not None and name[0] not in SYSTEM
    ]
    return [*own, *INDIRECT]


def bundled(library: Path) -> None:
    """Put the companion and what Bookworm lacks into ``library``."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    place = [*pip, "install", "--no-deps", "--no-compile", "--target", str(library)]
    with tempfile.TemporaryDirectory() as wheels:
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, str(ROOT)], check=True)
        subprocess.run([*place, *map(str, Path(wheels).glob("*.whl"))], check=True)
    subprocess.run([*place, "--python-version=3.11", *PURE, *requirements()], check=True)
    # Programs of these packages would begin with the Python that built this.
    shutil.rmtree(library / "bin", ignore_errors=True)


def files(tree: Path, version: str) -> None:
    """Write all but the library into ``tree``, the package's root."""
    sys.path.insert(0, str(ROOT))
    from companion.machine.systemd import GROUPS

    texts = {"library": LIBRARY.as_posix(), "groups": " ".join(GROUPS)}
    write(tree / "usr/bin/companion", LAUNCHER.format(**texts), 0o755)
    write(tree / "etc/default/companion", DEFAULTS)
    write(tree / "lib/systemd/system/companion.service", unit())
    write(tree / "lib/systemd/system/companion-first-start.service", FIRST_START)
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    write(tree / "usr/share/doc" / NAME / "copyright", licence)
    write(tree / "DEBIAN/conffiles", "/etc/default/companion\n")
    write(tree / "DEBIAN/postinst", AFTER_INSTALLING.format(**texts), 0o755)
    write(tree / "DEBIAN/prerm", BEFORE_REMOVING.format(**texts), 0o755)
    write(tree / "DEBIAN/postrm", AFTER_REMOVING, 0o755)
    kilobytes = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
    control = CONTROL.format(name=NAME, version=version, kilobytes=kilobytes)
    write(tree / "DEBIAN/control", control)


def unit() -> str:
    """Return the service's unit: that of ``companion install-service``, told by a file what to
    play; its user is in the groups that the machine has."""
    from companion.machine.systemd import DATA, ServiceUnit
    from hardware.machine import Machine

    # A port below 1024 may be asked for later.
    usual = ServiceUnit("victorus", ("--port", "80"), "companion", "/usr/bin/companion").unit(
        Machine(Path("/nowhere"))
    )
    command = f"/usr/bin/companion play $GAME --journal {DATA}/${{GAME}}.sqlite3 $OPTIONS"
    told = re.sub(
        r"(?m)^ExecStart=.*$", f"EnvironmentFile=/etc/default/companion\nExecStart={command}", usual
    )
    return told.replace(
        "Description=Tabletop companion: victorus", "Description=Tabletop companion"
    )


def write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.chmod(path, mode)


if __name__ == "__main__":
    sys.exit(main())
