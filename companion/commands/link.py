"""``host-link``: a new link for the host, from the table that runs on this machine."""

from __future__ import annotations

import argparse
import json
import secrets
import urllib.request

import segno

from companion.commands.common import print_json, settle
from companion.rules import BadInput
from companion.runtime.locations import data_folder

PATIENCE = 10.0
"""Seconds that the running table may take to answer."""


def run_host_link(arguments: argparse.Namespace) -> int:
    """Ask the running table for a link and print it."""
    settle(arguments, data_folder())
    link = asked_for(arguments.port)
    if arguments.json:
        print_json({"host": link})
        return 0
    print(f"The host's link: {link}")
    segno.make(link, error="l").terminal(compact=True)
    print("It makes one phone the host's, within ten minutes.")
    return 0


def asked_for(port: int) -> str:
    """Return a new link from the table at ``port`` of this machine.

    Raises:
        BadInput: no table runs there.
    """
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/host",
        json.dumps({"key": secrets.token_urlsafe(16)}).encode(),
        {"Content-Type": "application/json"},
    )
    # Whoever set a proxy for the world did not mean this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=PATIENCE) as answer:
            return str(json.load(answer)["link"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(
            f"no table answers at port {port} of this machine; start one with `companion play`, "
            "or name its --port"
        ) from error
