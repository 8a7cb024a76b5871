"""``club invite`` and ``withdraw`` where the broker is a cluster of RabbitMQ."""

from __future__ import annotations

import argparse
import secrets
import shlex

from companion.club.cluster import ClusterRights
from companion.club.invitations import Invitation, Invitations
from companion.club.servers import OWN
from companion.commands.common import print_json
from companion.runtime.files import alone, private_folder


def invite(arguments: argparse.Namespace) -> int:
    """Let a table in, and tell how it comes in; at the first time the club's service, too."""
    folder, name = arguments.data / "cluster", arguments.table or ""
    private_folder(folder)
    rights = ClusterRights(folder)
    own = None if rights.file.exists() else Invitation(OWN, secrets.token_urlsafe(18), "")
    invitation = Invitations(folder, rights).invite(name, hours=None)
    address = invitation.at_cluster(arguments.cluster)
    told = {"table": invitation.table, "broker": address, "definitions": str(rights.file)}
    if own is not None:
        with alone(folder):
            rights.admit(*own[:2])
        told["service"] = own.at_cluster(arguments.cluster)
    if arguments.json:
        print_json(told)
        return 0
    print(f"At any node:   rabbitmqctl import_definitions {rights.file}")
    if own is not None:
        print(f"The service:   companion club serve --broker {told['service']} --ca FILE")
    print(f"The table {name}, once:")
    setting = shlex.quote(f"club.name={name}")
    print(f"  companion settings club.broker={address} club.ca=FILE {setting}")
    return 0


def withdraw(arguments: argparse.Namespace) -> int:
    """Let a table in no more, and tell how the cluster hears of it."""
    folder, name = arguments.data / "cluster", arguments.table or ""
    invitations = Invitations(folder, ClusterRights(folder))
    table = invitations.tables.get(name, "")
    invitations.withdraw(name)
    print(f"At any node, which cuts its line:   rabbitmqctl delete_user {table}")
    return 0
