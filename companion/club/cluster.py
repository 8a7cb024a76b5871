"""Who may do what at a cluster of RabbitMQ: the same rights as at a club's own Mosquitto, as
definitions that any node takes (``rabbitmqctl import_definitions``)."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.club.servers import HOME, OWN, RIGHTS
from companion.runtime.files import read_json, write_private

FILE = "rabbitmq.json"
_SESSION = {OWN: "(club-.*|admission)", HOME: "(?!table-|club-|admission).*"}
"""Under which ids the club's service and Home Assistant speak; a table under its own alone."""


class ClusterRights:
    """Who comes in at the cluster of the club in ``folder``, kept there as ``rabbitmq.json``: a
    :class:`companion.club.invitations.Doorkeeper`, for one process at a time. Nodes are known by
    who signed for them."""

    pin = ""

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE

    def admit(self, name: str, password: str) -> None:
        """Let ``name`` in by ``password`` from now on, and by no other."""
        salt = secrets.token_bytes(4)
        digest = hashlib.sha512(salt + password.encode()).digest()
        user = {
            "name": name, "tags": "", "password_hash": base64.b64encode(salt + digest).decode(),
            "hashing_algorithm": "rabbit_password_hashing_sha512",
        }  # fmt: skip
        self._keep([user], name)

    def shut_out(self, name: str) -> None:
        """Let ``name`` in no more; ``rabbitmqctl delete_user`` tells the cluster."""
        self._keep([], name)

    def _keep(self, users: Iterable[Mapping[str, Any]], name: str) -> None:
        kept = read_json(self.file)["users"] if self.file.exists() else []
        every = [*(one for one in kept if one["name"] != name), *users]
        write_private(self.file, json.dumps(definitions(every), indent=1))


def definitions(users: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return what RabbitMQ has to know of these ``users``, each as it keeps them."""
    users = list(users)
    return {
        "vhosts": [{"name": "/"}],
        "users": users,
        "permissions": [_queues(one["name"]) for one in users],
        "topic_permissions": [
            {"user": one["name"], "vhost": "/", "exchange": "amq.topic", **topics_of(one["name"])}
            for one in users
        ],
    }


def _queues(name: str) -> Mapping[str, str]:
    """Return which queues are those of the sessions of ``name``: nobody reaches another's."""
    mine = rf"mqtt-subscription-{_SESSION.get(name, f'table-{re.escape(name)}')}qos[01]"
    both = rf"^({mine}|amq\.topic)$"
    return {"user": name, "vhost": "/", "configure": f"^{mine}$", "write": both, "read": both}


def topics_of(name: str) -> Mapping[str, str]:
    """Return the expressions of the topics to which ``name`` may ``write``, and those it may
    ``read``, with RabbitMQ's dots for slashes."""
    found: dict[str, list[str]] = {"write": [], "read": []}
    speaker = ""
    for line in RIGHTS.splitlines():
        match line.split():
            case ["user", who]:
                speaker = who
            case [kind, may, topic] if speaker == name if kind == "topic" else name not in _SESSION:
                for does in ("write", "read") if may == "readwrite" else (may,):
                    found[does].append(_expression(topic, name))
    return {does: f"^({'|'.join(every)})$" if every else "^$" for does, every in found.items()}


def _expression(topic: str, name: str) -> str:
    """Return a topic of Mosquitto's as an expression. Who subscribes to ``+`` or ``#`` is asked for
    ``*`` or ``#``: the latter is in it only where all below is."""
    parts = topic.removesuffix("/#").split("/")
    words = [
        r"[^.#]+" if part == "+" else re.escape(part).replace("%u", re.escape(name))
        for part in parts
    ]
    return r"\.".join(words) + (r"(\..*)?" if topic.endswith("/#") else "")
