"""Victory & Honor beside other card games, in one process and in interleaved slices: only ratios
count. A step is: list the legal actions, draw one, play it.

Run ``python tests/bench/bench_cards.py``; it prints one JSON object. The peers are no part of the
product: one that is not installed (``pip install open_spiel endplay rlcard``) is left out.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from companion.games.victory_honor import GAME
from companion.games.victory_honor.state import SCORED, VictoryHonorState
from companion.runtime.native import build_kind

SLICES = 15
STEPS = 600
Playout = Callable[[random.Random], int]


def playout(state: VictoryHonorState, rng: random.Random) -> int:
    """Play a round to its end; return the steps."""
    steps = 0
    while state.stage != SCORED:
        actions = GAME.legal(state)
        if not actions or state.beginning.round > 1:
            break
        state = GAME.advance(state, rng.choice(actions))
        steps += 1
    return steps


def unseen(rng: random.Random) -> int:
    """Play as a camera's table does: hands unknown, legal is what some hand allows."""
    return playout(GAME.start(GAME.setup()), rng)


def known(rng: random.Random) -> int:
    """Play with hands that were dealt by a seed."""
    return playout(GAME.read_position(GAME.setup(), f"hands {rng.randrange(10**6)}"), rng)


def hearts() -> Playout:
    """Return OpenSpiel's hearts, dealing and passing included."""
    game = import_module("pyspiel").load_game("hearts")

    def play(rng: random.Random) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def endplay_bridge() -> Playout:
    """Return the play of a bridge deal by endplay."""
    types, dealer = import_module("endplay.types"), import_module("endplay.dealer")

    def play(rng: random.Random) -> int:
        deal = dealer.generate_deal(seed=rng.randrange(10**6))
        deal.trump, deal.first = types.Denom.spades, types.Player.north
        for _ in range(52):
            deal.play(rng.choice(list(deal.legal_moves())))
        return 52

    return play


def rlcard_bridge() -> Playout:
    """Return rlcard's bridge, bidding and play."""
    game_class = import_module("rlcard.games.bridge").Game
    numpy = import_module("numpy")

    def play(rng: random.Random) -> int:
        game, steps = game_class(), 0
        game.np_random = numpy.random.RandomState(rng.randrange(10**6))
        game.init_game()
        while not game.is_over():
            game.step(rng.choice(game.judger.get_legal_actions()))
            steps += 1
        return steps

    return play


PEERS: dict[str, Callable[[], Playout]] = {
    "open_spiel_hearts": hearts,
    "endplay_bridge": endplay_bridge,
    "rlcard_bridge": rlcard_bridge,
}


def rate(play: Playout, rng: random.Random) -> float:
    """Return steps a second over at least ``STEPS`` steps."""
    steps, begun = 0, time.process_time()
    while steps < STEPS:
        steps += play(rng)
    return steps / (time.process_time() - begun)


def main() -> None:
    """Measure and print."""
    contestants: dict[str, Playout] = {"hands_known": known, "hands_unseen": unseen}
    missing = []
    for name, make in PEERS.items():
        try:
            contestants[name] = make()
        except ImportError:
            missing.append(name)
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(SLICES):
        for name, play in contestants.items():
            rates[name].append(rate(play, random.Random(number)))
    told: dict[str, Any] = {
        f"{name}_steps_per_second": round(statistics.median(found)) for name, found in rates.items()
    }
    for name in contestants.keys() & PEERS.keys():
        ratios = [a / b for a, b in zip(rates["hands_known"], rates[name], strict=True)]
        told[f"hands_known_times_{name}"] = round(statistics.median(ratios), 3)
    print(json.dumps({"build": build_kind(), **told, "not_installed": missing}))


if __name__ == "__main__":
    main()
