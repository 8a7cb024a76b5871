"""A club's own broker and database: Debian's Mosquitto and PostgreSQL, kept in the club's folder,
as processes without privileges."""

from __future__ import annotations

import hashlib
import os
import pwd
import secrets
import shutil
import signal
import ssl
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote

from companion.club.home import BIRTH, PREFIX
from companion.club.messages import MOST_BYTES, ROOT, hashed
from companion.rules import BadInput, HardwareFault
from companion.runtime.files import alone
from companion.runtime.programs import run

LACKING = "the club's machine needs Mosquitto and PostgreSQL: apt install mosquitto postgresql"
OWN, HOME = "club", "home"
"""As whom the club's own service comes in, at broker and database; and as whom Home Assistant."""
LONGEST_SOCKET = 90
"""Letters of a folder in which a socket of PostgreSQL has room for its name."""
QUEUED, QUEUED_BYTES, IN_FLIGHT = 1000, 16_000_000, 200
"""Messages, and their bytes, that the broker keeps for the club while its service is away; tables
send again what is beyond them. So many are on the way to it at once."""

RIGHTS = f"""user {OWN}
topic readwrite {ROOT}/#

user {HOME}
topic read {PREFIX}/#
topic write {BIRTH}
topic read {ROOT}/+/+/state
topic read {ROOT}/+/+/home
topic write {ROOT}/+/+/home/set/+

pattern write {ROOT}/+/%u/home
pattern read {ROOT}/+/%u/home/set/+
pattern write {PREFIX}/device/companion_%u/config
pattern read {BIRTH}
pattern write {ROOT}/+/%u/events
pattern write {ROOT}/+/%u/photograph
pattern write {ROOT}/+/%u/password
pattern read {ROOT}/+/%u/kept
pattern write {ROOT}/+/%u/state
pattern read {ROOT}/+/%u/stored

pattern write {ROOT}/+/+/asks/%u
pattern read {ROOT}/+/+/told/%u
pattern read {ROOT}/+/%u/asks/+
pattern write {ROOT}/+/%u/told/+
"""
"""Who may do what at the broker: a table comes in by its own id, and reaches its own topics. To
another table it speaks under its own id alone, and hears what is for it."""


class Served(NamedTuple):
    """A process to be kept: what it is called, its command, as whom it runs if not as we do, and by
    what it is told to end."""

    name: str
    command: tuple[str, ...]
    user: str | None = None
    told: signal.Signals = signal.SIGTERM


class Servers:
    """The broker and the database of the club in ``folder``.

    Raises:
        HardwareFault: they are not installed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        mosquitto = _program("mosquitto", ("/usr/sbin", "/usr/local/sbin"))
        bins = sorted(str(path) for path in Path("/usr/lib/postgresql").glob("*/bin"))
        postgres = _program("postgres", reversed(bins))
        if not (mosquitto and postgres and _program("openssl", ())):
            raise HardwareFault(LACKING)
        self._mosquitto, self._postgres = mosquitto, Path(postgres)

    @property
    def database(self) -> str:
        """Return where the database is: a socket in the folder, nothing in the network."""
        return f"postgresql://{OWN}@/postgres?host={quote(str(self._folder / 'database'), safe='')}"

    def prepare_database(self) -> Served:
        """Make the database if there is none yet; return its process.

        Raises:
            BadInput: the folder will not do.
        """
        place, user = self._folder / "database", _unprivileged("postgres")
        if len(str(place)) > LONGEST_SOCKET:
            raise BadInput(f"{self._folder} is too long a name for a database; use --data")
        self._own(place, user)
        data = place / "data"
        if not (data / "PG_VERSION").exists():
            initdb = (str(self._postgres.with_name("initdb")), "-D", str(data), "-U", OWN)
            run((*initdb, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"), user)
        command = (str(self._postgres), "-D", str(data), "-h", "", "-k", str(place))
        # By SIGTERM, it would wait for whoever is connected.
        return Served("database", (*command, "-c", "shared_buffers=32MB"), user, signal.SIGINT)

    def prepare_broker(self, host: str, port: int, own_port: int) -> Served:
        """Write what the broker goes by; return its process. Tables come in at ``host`` and
        ``port``, the club's service at ``own_port`` of this machine.

        Raises:
            BadInput: the folder will not do.
        """
        place, user = self._folder / "broker", _unprivileged("mosquitto")
        self._own(place, user)
        # A table cannot take another's place: its id at the broker is what it came in as.
        lines = [
            "per_listener_settings false", "allow_anonymous false", "persistence true",
            "autosave_interval 60", f"persistence_location {place}/",
            f"password_file {place / 'passwords'}", f"acl_file {place / 'rights'}",
            f"max_packet_size {2 * MOST_BYTES}", f"max_queued_messages {QUEUED}",
            f"max_queued_bytes {QUEUED_BYTES}", f"max_inflight_messages {IN_FLIGHT}",
            f"listener {port} {host}", "use_username_as_clientid true", "tls_version tlsv1.2",
            f"certfile {place / 'certificate'}", f"keyfile {place / 'key'}",
            f"listener {own_port} 127.0.0.1",
        ]  # fmt: skip
        self._certify(place)
        self._write("mosquitto.conf", "\n".join(lines) + "\n")
        self._write("rights", RIGHTS)
        if not (place / "passwords").exists():
            self._write("passwords", "")
        return Served("broker", (self._mosquitto, "-c", str(place / "mosquitto.conf")), user)

    @property
    def pin(self) -> str:
        """Return by what tables know the broker: the SHA-256 of its certificate."""
        certificate = (self._folder / "broker" / "certificate").read_text("ascii")
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).hexdigest()

    def _certify(self, place: Path) -> None:
        """Make the broker's key and the certificate it shows, unless they are there."""
        if (place / "certificate").exists():
            return
        with TemporaryDirectory() as folder:
            key, certificate = Path(folder) / "key", Path(folder) / "certificate"
            kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
            about = ("-days", "36500", "-subj", "/CN=companion-club")
            files = ("-keyout", str(key), "-out", str(certificate))
            run(("openssl", "req", "-x509", *kind, *about, *files))
            self._write("key", key.read_text("ascii"))
            self._write("certificate", certificate.read_text("ascii"))

    # -- who may come in -----------------------------------------------------------------

    def admit(self, name: str, password: str) -> None:
        """Let ``name`` in by ``password``, plain or hashed, from now on, and by no other."""
        told = password if password.startswith("$") else hashed(password, secrets.token_bytes(12))
        self._let_in(name, f"{name}:{told}\n")

    def shut_out(self, name: str) -> None:
        """Let ``name`` in no more, and cut its line if it is in."""
        self._let_in(name, "")

    def _let_in(self, name: str, line: str) -> None:
        with alone(self._folder / "broker"):
            self._write("passwords", "".join([*self._others(name), line]))
        self._tell()

    def knows(self, name: str) -> bool:
        """Tell whether ``name`` may come in."""
        return len(self._others(name)) < len(self._others(""))

    def began(self, broker: int) -> None:
        """Keep which process the broker is, so that it can be told who may come in."""
        self._write("process", str(broker))

    def _others(self, name: str) -> list[str]:
        passwords = self._folder / "broker" / "passwords"
        lines = passwords.read_text("utf-8").splitlines(keepends=True) if passwords.exists() else []
        return [line for line in lines if not line.startswith(f"{name}:")]

    def _tell(self) -> None:
        """Have a broker that runs read again who may come in."""
        place = self._folder / "broker"
        with suppress(OSError, ValueError):
            process = int((place / "process").read_text("utf-8"))
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            if str(place / "mosquitto.conf").encode() in command:
                os.kill(process, signal.SIGHUP)

    # -- files ---------------------------------------------------------------------------

    def _own(self, place: Path, user: str | None) -> None:
        """Make the folder ``place``, which ``user`` alone can read.

        Raises:
            BadInput: it cannot be made, or ``user`` does not come so far.
        """
        try:
            place.mkdir(parents=True, exist_ok=True)
            place.chmod(0o700)
            if user is None:
                return
            shutil.chown(place, user)
            self._folder.chmod(0o711)
        except OSError as error:
            raise BadInput(f"a club cannot be kept in {place}: {error.strerror}") from error
        try:
            run(("test", "-w", str(place)), user)
        except HardwareFault as fault:
            raise BadInput(
                f"{place} is out of reach for {user}, as whom a server runs that refuses to be "
                "root; name another folder with --data"
            ) from fault

    def _write(self, name: str, text: str) -> None:
        """Write a file of the broker's, whole, and readable by it alone."""
        place, user = self._folder / "broker", _unprivileged("mosquitto")
        new = place / f"{name}.tmp"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
        if user is not None:
            shutil.chown(new, user)
        new.replace(place / name)


def _program(name: str, places: Iterable[str]) -> str | None:
    """Return where a program is: servers lie in nobody's path."""
    return shutil.which(name, path=os.pathsep.join([*places, os.environ.get("PATH", "")]))


def _unprivileged(name: str) -> str | None:
    """Return as whom a server runs that refuses to be root; None for whoever we are."""
    if os.getuid():
        return None
    with suppress(KeyError):
        return pwd.getpwnam(name).pw_name
    return "nobody"
