"""``token``: which programs may come in, and what each may do."""

from __future__ import annotations

import argparse
import time

from companion.commands.common import print_json
from companion.machine.tokens import Tokens
from companion.rules import BadInput
from companion.runtime.locations import data_folder


def run_token(arguments: argparse.Namespace) -> int:
    """Make or withdraw a token, or list them all."""
    tokens, name = Tokens(arguments.data or data_folder()), arguments.name
    if arguments.what == "list":
        return _listed(tokens, arguments.json)
    if not name:
        raise BadInput(f"name the token: companion token {arguments.what} NAME")
    if arguments.what == "withdraw":
        tokens.withdraw(name)
        if arguments.json:
            print_json({"name": name, "withdrawn": True})
        else:
            print(f"{name} may not come in any more.")
        return 0
    secret = tokens.make(name, arguments.scope, arguments.seat, time.time())
    if arguments.json:
        print_json({"name": name, "scope": arguments.scope, "token": secret})
    else:
        print(f"{secret}\nThis is the token of {name}. Nobody is told it again.")
    return 0


def _listed(tokens: Tokens, as_json: bool) -> int:
    kept = tokens.all().values()
    for one in kept:
        if as_json:
            print_json({"name": one.name, "scope": one.scope, "seats": one.seats, "made": one.made})
        else:
            day = time.strftime("%Y-%m-%d", time.localtime(one.made))
            print(f"{one.name}: {one.scope}, {', '.join(one.seats) or 'all seats'}, since {day}")
    if not (kept or as_json):
        print("No program may come in; companion token make NAME lets one.")
    return 0
