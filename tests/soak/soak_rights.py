"""Who may do what at a cluster of brokers: TLS, a password and rights of its own for each table,
against real nodes of RabbitMQ; the service and each table come in at another.

    python -m tests.soak.soak_rights --nodes 3

Each line is one attempt and whether it went as it has to. Where Debian's rabbitmq-server is not
installed it says so and ends well.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

from companion.cli import main as companion
from companion.club.distant import asks_topic, told_topic
from companion.club.link import MqttLink, read_address
from companion.club.messages import topic
from companion.rules import HardwareFault
from tests.checks.club_servers import end_when_told, free_port
from tests.checks.cluster_servers import NODES, RabbitNode, installed, names_at

PATIENCE = 30.0
QUIET = 2.0
"""Seconds after which what has not come was not let through."""


class Line:
    """Somebody's line to a node, and what came over it."""

    def __init__(self, address: str, ca: str, name: str, topics: list[str]) -> None:
        self.link = MqttLink(read_address(address, ca), name, topics)
        self.heard: list[tuple[str, bytes]] = []
        self.link.open()
        self.until(lambda: self.link.up)

    def until(self, so: Callable[[], object], seconds: float = PATIENCE) -> bool:
        """Take turns until it is ``so``; tell whether it came to be."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.heard += self.link.turn(0.05)
            if so():
                return True
        return False


def refused(does: Callable[[], object]) -> bool:
    """Tell whether the broker refuses: it cuts the line, or does not let in."""
    try:
        does()
    except HardwareFault:
        return True
    return False


def told(*arguments: str) -> dict[str, str]:
    """Return what a command of the companion tells as JSON."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert companion(["club", *arguments, "--json"]) == 0
    return dict(json.loads(said.getvalue()))


@contextmanager
def cluster(
    folder: Path, count: int
) -> Iterator[tuple[RabbitNode, dict[str, dict[str, str]], Path]]:
    """Yield one of so many nodes that run, how three tables come in, and their certificate."""
    key, certificate = folder / "key", folder / "certificate"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost",
         "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    common = ("--data", str(folder), "--cluster", "localhost")
    tables = {name: told("invite", name, *common) for name in ("Mine", "Yours", "Third")}
    definitions = Path(tables["Mine"]["definitions"])
    rights = {"definitions": definitions, "certificate": certificate, "key": key}
    names = names_at(free_port())
    inside = [*(free_port() for _ in range(count)), names.port]
    nodes = [RabbitNode(folder / f"node{n}", n, inside, rights) for n in range(count)]
    with ExitStack() as ends:
        ends.callback(names.kill)
        names.start()
        for one in nodes:
            ends.callback(one.kill)
            one.begin()
        for one in nodes:
            one.wait()
            # Its port is open before it is one of the cluster.
            one.control("await_online_nodes", str(count))
        for number, table in enumerate(tables.values(), 1):
            table["broker"] += f":{nodes[number % count].port}"
        tables["Mine"]["service"] += f":{nodes[0].port}"
        yield nodes[0], tables, certificate


class Attempts:
    """What three tables, of which one has to do with another, and a service try at nodes, one of
    which is ``running``."""

    def __init__(self, running: RabbitNode, tables: dict[str, dict[str, str]], ca: Path) -> None:
        self.running, self.ca = running, str(ca)
        self.mine, self.yours, self.third = (one["table"] for one in tables.values())
        self.at = {one["table"]: one["broker"] for one in tables.values()}
        heard = ["companion/1/+/+/events"]
        self.service = Line(tables["Mine"]["service"], self.ca, "club-1-of-1", heard)
        self.me = self.line(self.mine, topic(self.mine, "stored"), asks_topic(self.mine, "+"))

    def line(self, table: str, *topics: str) -> Line:
        """Return a line of ``table`` by its own password and under its own name."""
        return Line(self.at[table], self.ca, f"table-{table}", list(topics))

    def own(self) -> Iterator[tuple[str, bool]]:
        """Yield what a table may do."""
        mine, third, me, service = self.mine, self.third, self.me, self.service
        me.link.publish(topic(mine, "events"), b"mine")
        yield "a table's events reach the club", service.until(lambda: service.heard)
        service.link.publish(topic(mine, "stored"), b"stored")
        yield "what is stored reaches the table", me.until(lambda: me.heard)
        other = self.line(third, told_topic(mine, third))
        other.link.publish(asks_topic(mine, third), b"asked")
        yield "a table asks another under its own id", me.until(lambda: len(me.heard) == 2)
        me.link.publish(told_topic(mine, third), b"told")
        yield "and is answered", other.until(lambda: other.heard)

    def others(self) -> Iterator[tuple[str, bool]]:
        """Yield what a table tries to write and to hear of others."""
        mine, yours, third = self.mine, self.yours, self.third
        before = len(self.service.heard) + len(self.me.heard)
        for what, name in (
            ("write another's events", topic(mine, "events")),
            ("say what is stored", topic(yours, "stored")),
            ("ask under another's id", asks_topic(mine, third)),
        ):
            you = self.line(yours)
            you.link.publish(name, b"forged")
            yield f"a table may not {what}", refused(partial(you.until, lambda: False, QUIET))
        self.service.until(lambda: False, QUIET)
        self.me.until(lambda: False, QUIET)
        yield "nor did any arrive", len(self.service.heard) + len(self.me.heard) == before
        for heard in ("companion/#", "#", topic(mine, "events"), "companion/1/+/+/stored",
                      asks_topic(mine, "+"), f"companion/1/+/{mine}/#"):  # fmt: skip
            yield f"a table may not hear {heard}", refused(partial(self.line, yours, heard))

    def strangers(self) -> Iterator[tuple[str, bool]]:
        """Yield who tries to come in that may not."""
        address, name = self.at[self.yours], f"table-{self.yours}"
        heard = [topic(self.yours, "stored")]
        guessed = re.sub(":[^:@]*@", ":guessed@", address)
        for who, at, ca, called in (
            ("a guessed password", guessed, self.ca, name),
            ("another's session", address, self.ca, f"table-{self.third}"),
            ("nobody", re.sub("//.*@", "//", address), self.ca, name),
            ("without TLS", address.replace("mqtts", "mqtt"), self.ca, name),
            ("an authority that is not ours", address, "", name),
        ):
            yield who, refused(partial(Line, at, ca, called, heard))

    def withdrawn(self, folder: Path) -> Iterator[tuple[str, bool]]:
        """Yield what becomes of a table that is withdrawn while it is connected."""
        other = self.line(self.third)
        with contextlib.redirect_stdout(io.StringIO()):
            companion(
                ["club", "withdraw", "Third", "--data", str(folder), "--cluster", "localhost"]
            )
        self.running.control("delete_user", self.third)
        yield "a withdrawn table is cut", refused(partial(other.until, lambda: False))
        yield "and stays out", refused(partial(self.line, self.third))
        self.me.link.publish(topic(self.mine, "events"), b"again")
        heard = self.service.heard
        yield "the others play on", self.service.until(lambda: heard[-1][1] == b"again")


def main() -> int:
    """Return 1 if one attempt went as it must not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=NODES)
    chosen = parser.parse_args()
    if not installed("rabbitmq"):
        print("left out: Debian's rabbitmq-server is not installed")
        return 0
    end_when_told()
    wrong = 0
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        folder = Path(name)
        with cluster(folder, chosen.nodes) as (running, tables, certificate):
            tried = Attempts(running, tables, certificate)
            all_of_it = tried.own(), tried.others(), tried.strangers(), tried.withdrawn(folder)
            for what, right in chain(*all_of_it):
                wrong += not right
                print(f"{'as it has to be' if right else 'WRONG':16} {what}", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
