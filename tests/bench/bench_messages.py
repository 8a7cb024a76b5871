"""How many bytes a move's message to a phone has: whole games at random, every language and role.

    python tests/bench/bench_messages.py [--games 3] [--actions 300] [--language fr]

A row for each game and role: bytes of the first snapshot, and of the updates at the median, at the
95th percentile and at most. The player has one seat; the guest has none; the host has all.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import defaultdict
from typing import Any
from unittest.mock import patch

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.table import Table
from companion.table.evening import Evening
from web.access.seats import Door, Person
from web.updates import UpdateTeller


def people(seats: tuple[str, ...]) -> dict[str, Person]:
    """Return who listens."""
    return {
        "guest": Person(),
        "player": Person("a", True, seats[:1], "ann", "Ann", acts=seats[:1]),
        "host": Person("b", True, seats, "ben", "Ben", host=True, acts=seats),
    }


def played(name: str, actions: int, seed: int, language: str) -> dict[str, list[int]]:
    """Play a game at random; return for each role the bytes of its messages, the first first."""
    game, chance = find_game(name), random.Random(seed)
    table = Table.create(Journal(), game, game.setup())
    app = web.create_app(Evening(table), config=web.Config())
    house = app.extensions["context"]
    known = people(table.setup.seats)
    with app.test_request_context("/", headers={"Accept-Language": language}):
        tellers = {role: UpdateTeller(house, html=True, seen=None) for role in known}
    sizes: dict[str, list[int]] = defaultdict(list)

    def tell() -> None:
        for role, person in known.items():
            with (
                patch.object(Door, "person", lambda door, *about, person=person: person),
                app.test_request_context("/", headers={"Accept-Language": language}),
            ):
                sizes[role].append(len(tellers[role].tell().text.encode()))

    tell()
    for _ in range(actions):
        legal: Any = game.legal(table.state)
        if not legal:
            break
        moves = [action for action in legal if action.origin and action.target]
        table.play(chance.choice(moves or legal), "camera")
        tell()
    return sizes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--language", default="fr", choices=("en", "it", "fr", "es"))
    chosen = parser.parse_args()
    print(
        f"{'game':14} {'role':7} {'updates':>7} {'first':>7} {'median':>7} {'p95':>7} {'most':>7}"
    )
    for name in games():
        firsts: dict[str, list[int]] = defaultdict(list)
        later: dict[str, list[int]] = defaultdict(list)
        for seed in range(chosen.games):
            for role, sizes in played(name, chosen.actions, seed, chosen.language).items():
                firsts[role].append(sizes[0])
                later[role] += sizes[1:]
        for role, found in later.items():
            ordered = sorted(found)
            print(
                f"{name:14} {role:7} {len(found):7} {statistics.median(firsts[role]):7.0f} "
                f"{statistics.median(found):7.0f} {ordered[int(0.95 * len(ordered))]:7} "
                f"{ordered[-1]:7}"
            )


if __name__ == "__main__":
    main()
