"""Clusters of three brokers that speak MQTT, as Debian ships them, on this machine: each node a
process without privileges, in a folder of its own. A node that is killed begins again in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType

from tests.checks.club_servers import Server, free_port, own, unprivileged

NODES = 3
NATS = shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
RABBIT = Path("/usr/lib/rabbitmq/bin")


class NatsNode(Server):
    """A node of NATS with JetStream and its MQTT listener; every stream has three replicas."""

    def __init__(self, folder: Path, number: int, inside: list[int]) -> None:
        folder.mkdir(parents=True)
        port, user = free_port(), unprivileged("nobody")
        routes = ", ".join(f'"nats://127.0.0.1:{one}"' for one in inside)
        config = folder / "nats.conf"
        config.write_text(
            f'server_name: n{number}\nlisten: "127.0.0.1:{free_port()}"\n'
            f'jetstream {{ store_dir: "{folder}/data" }}\n'
            f"cluster {{ name: club, listen: 127.0.0.1:{inside[number]}, routes: [{routes}] }}\n"
            f"mqtt {{ listen: 127.0.0.1:{port}, stream_replicas: {NODES}, "
            f"consumer_replicas: {NODES}, max_ack_pending: 1000 }}\n"
        )
        own(folder, user)
        assert NATS is not None
        super().__init__([NATS, "-c", str(config)], port, user)


class RabbitNode(Server):
    """A node of RabbitMQ with its MQTT plugin, begun as systemd would, for else a shell stands
    between us and it, which it outlives; sessions are quorum queues. Where it has ``rights``,
    which are definitions and a certificate with its key, whoever comes in needs a password."""

    def __init__(
        self,
        folder: Path,
        number: int,
        inside: list[int],
        rights: Mapping[str, Path] = MappingProxyType({}),
    ) -> None:
        folder.mkdir(parents=True)
        port, user = free_port(), unprivileged("nobody")
        nodes = [f"club{one}@localhost" for one in range(len(inside) - 1)]
        secure, names = bool(rights), ("rabbitmq.conf", "plugins", ".erlang.cookie", *rights)
        for name, file in rights.items():
            shutil.copy(file, folder / name)
        closed = [
            f"load_definitions = {folder}/definitions", "ssl_options.versions.1 = tlsv1.2",
            f"ssl_options.certfile = {folder}/certificate", f"ssl_options.keyfile = {folder}/key",
        ]  # fmt: skip
        lines = [
            "listeners.tcp.1 = 127.0.0.1:" + str(free_port()),
            f"mqtt.listeners.{'ssl' if secure else 'tcp'}.1 = 127.0.0.1:{port}",
            *(["mqtt.listeners.tcp = none", *closed] if secure else []),
            "mqtt.durable_queue_type = quorum", "mqtt.prefetch = 200", "log.console = false",
            f"mqtt.allow_anonymous = {str(not secure).lower()}",
            "cluster_formation.peer_discovery_backend = classic_config",
            *(f"cluster_formation.classic_config.nodes.{n + 1} = {node}"
              for n, node in enumerate(nodes)),
        ]  # fmt: skip
        (folder / "rabbitmq.conf").write_text("\n".join(lines) + "\n")
        (folder / "plugins").write_text("[rabbitmq_mqtt].")
        cookie = folder / ".erlang.cookie"
        cookie.write_text("cookieofaclub")
        cookie.chmod(0o400)
        self.settings = {
            "HOME": str(folder), "RABBITMQ_NODENAME": nodes[number],
            "RABBITMQ_DIST_PORT": str(inside[number]), "ERL_EPMD_PORT": str(inside[-1]),
            "ERL_EPMD_ADDRESS": "127.0.0.1", "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
            "RABBITMQ_CONF_ENV_FILE": "/dev/null", "LANG": "C.UTF-8", "RUNNING_UNDER_SYSTEMD": "y",
        }  # fmt: skip
        own(folder, user)
        for name in names:
            if user is not None:
                shutil.chown(folder / name, user)
        self._env = ["/usr/bin/env", *(f"{name}={value}" for name, value in self.settings.items())]
        super().__init__([*self._env, str(RABBIT / "rabbitmq-server")], port, user)

    def control(self, *what: str) -> None:
        """Tell it what its host would by rabbitmqctl."""
        command = [*self._env, str(RABBIT / "rabbitmqctl"), *what]
        subprocess.run(command, user=self.user, check=True, cwd="/", capture_output=True)


def names_at(port: int) -> Server:
    """Return what tells nodes of RabbitMQ where others are; left to them, it would outlive them."""
    epmd = [shutil.which("epmd") or "epmd", "-port", str(port), "-address", "127.0.0.1"]
    return Server(epmd, port, unprivileged("nobody"))


KINDS = {"nats": NatsNode, "rabbitmq": RabbitNode}


def installed(kind: str) -> bool:
    """Tell whether Debian's package of a ``kind`` of broker is here."""
    return NATS is not None if kind == "nats" else (RABBIT / "rabbitmq-server").exists()


class Cluster:
    """Three nodes of one ``kind``, in ``folder``."""

    def __init__(self, kind: str, folder: Path) -> None:
        inside = [free_port() for _ in range(NODES + 1)]
        self.nodes: list[Server] = [
            KINDS[kind](folder / f"node{number}", number, inside) for number in range(NODES)
        ]
        self.names, self.kind = names_at(inside[-1]), kind

    def start(self) -> None:
        """Start all nodes and wait until each answers; if one does not, all are ended."""
        with ExitStack() as ends:
            ends.callback(self.kill)
            if self.kind == "rabbitmq":
                self.names.start()
            for node in self.nodes:
                node.begin()
            for node in self.nodes:
                node.wait()
            ends.pop_all()

    @property
    def address(self) -> str:
        """Return how a table comes in: by any of the nodes."""
        return "mqtt://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def kill(self) -> None:
        """Kill all nodes."""
        for node in (*self.nodes, self.names):
            node.kill()
