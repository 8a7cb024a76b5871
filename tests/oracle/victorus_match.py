"""The engine and the naive oracle play the same random game and must never differ.

At every state: the same legal actions, the same tokens on the board, the same seat to move, the
same end. Seats, options and variants are drawn at random.
"""

from __future__ import annotations

import random
from typing import Any

from companion.games import find_game
from companion.rules import BadInput, Setup
from tests.oracle.victorus_oracle import CENTRE, NAME, Oracle

UNPLAYED = ("game_minutes", "move_seconds", "edge", "tie", "seats", "variant")


def random_setup(game: Any, rng: random.Random) -> Setup:
    """Draw seats, a variant and, every second time, some house rules."""
    choices = {option.name: option.choices for option in game.options}
    while True:
        options = {"variant": rng.choice(("basic", "basic", "quick", "allied"))}
        if rng.random() < 0.5:
            for name in sorted(choices.keys() - UNPLAYED):
                if rng.random() < 0.3:
                    options[name] = rng.choice(choices[name])
        if rng.random() < 0.3:
            options["seats"] = "-".join(rng.sample(game.seats, len(game.seats)))
        seats = rng.sample(game.seats, rng.randint(2, 6))
        try:
            return game.setup(seats, options)
        except BadInput:  # these seats do not play together: draw again
            continue


def choose(rng: random.Random, actions: list[str], position: dict[str, str]) -> str:
    """Prefer captures, and now and then a King or Queen, so that games get somewhere."""
    moves = [action for action in actions if "-" in action]
    captures = [action for action in moves if action.split("-")[1] in position]
    royal = [action for action in moves if position[action.split("-")[0]].split()[2] in "KQ"]
    luck = rng.random()
    if captures and luck < 0.6:
        return rng.choice(captures)
    if royal and luck < 0.7:
        return rng.choice(royal)
    return rng.choice(moves or actions) if rng.random() < 0.5 else rng.choice(actions)


def walk(oracle: Oracle, legal: set[str]) -> str | None:
    """Return the action that takes a King or Queen of the first seat furthest on its way round."""
    position = oracle.position()
    gains = []
    for action in sorted(legal):
        origin, _, target = action.partition("-")
        piece = position.get(origin, "red white T").split()
        if target == NAME[CENTRE]:
            return action
        if piece[0] == oracle.seats[0] and piece[2] in "KQ":
            key = (piece[0], piece[1], piece[2])
            way = oracle.apply(action).winding[key] - oracle.winding[key]
            gains.append((way if piece[2] == "K" else -way, action))
    return max(gains)[1] if gains and max(gains)[0] > 0 else None


def unmarked(position: dict[str, str]) -> dict[str, str]:
    """Return the position without the marks of royal and frozen pieces."""
    return {spot: token.split("+")[0].split(" frozen")[0] for spot, token in position.items()}


def compare(seed: int, limit: int) -> int:
    """Play one game in both; return the number of positions that were alike.

    Raises:
        AssertionError: they differ; the message has all that is needed to play it again.
    """
    rng = random.Random(f"oracle {seed}")
    game = find_game("victorus")
    setup = random_setup(game, rng)
    options = dict(setup.options)
    state = game.start(setup)
    oracle = Oracle(setup.seats, options, tuple(options["seats"].split("-")))
    played: list[str] = []
    for count in range(limit):
        outcome = game.outcome(state)
        where = f"seed {seed}: {setup.seats} {options} after {' '.join(played)}"
        assert (set(outcome.winners) if outcome else None) == oracle.winners, where
        assert game.to_move(state) == oracle.to_move(), where
        legal = oracle.legal()
        assert {game.format(action) for action in game.legal(state)} == legal, where
        position = dict(game.expect(state))
        if outcome:  # marks may differ: nobody says whether the last turn still ends
            assert unmarked(position) == unmarked(oracle.position()), where
            return count
        assert position == oracle.position(), where
        action = walk(oracle, legal) if seed % 4 == 3 and rng.random() < 0.7 else None
        played.append(action or choose(rng, sorted(legal), position))
        state = game.apply(state, game.parse(setup, played[-1]))
        oracle = oracle.apply(played[-1])
    return limit
