"""Every ruling that can be had of a game: random games, and in their positions actions of every
kind, most of them refused; and positions that cannot be."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from companion.conformance.random_play import choose, random_setup
from companion.games import find_game
from companion.games.hoplomachus import notation
from companion.games.hoplomachus.cards import invented
from companion.games.hoplomachus.geometry import NAMES as CAMPS
from companion.games.hoplomachus.pieces import COLOURS, FACES
from companion.games.hoplomachus.state import ZONES
from companion.rules import Action, Text, claims_of, tokens_of

WORDS = ("end", "pass", "time", "forfeit", "resign", "dance", "agree", "draw", "flag")


def rulings(name: str, seeds: range, limit: int, asked: int) -> Iterator[Text]:
    """Yield what the game says of ``asked`` actions in each position of random games, of what it
    plays itself, of how they end, and of positions that cannot be."""
    game: Any = find_game(name)
    for seed in seeds:
        rng = random.Random(f"refusals {name} {seed}")
        setup = random_setup(game, rng)
        state, board = game.start(setup), list(game.board(setup))
        tokens = sorted({*tokens_of(game, setup), *game.expect(state).values()})
        for _ in range(limit):
            legal = list(game.legal(state))
            for action in _asked(game, state, board, tokens, rng, asked):
                yield game.judge(state, action).reason
            if outcome := game.outcome(state):
                yield outcome.reason
            if not legal:
                break
            claims = list(claims_of(game, state))
            fine = rng.random() < 0.02 and claims
            state = game.apply(state, rng.choice(claims) if fine else _lively(game, state, rng))
        yield from _problems(game, setup, board, tokens, rng)


def _lively(game: Any, state: Any, rng: random.Random) -> Action:
    return choose(game, state, list(game.legal(state)), rng, True)


def _problems(
    game: Any, setup: Any, board: list[str], tokens: list[str], rng: random.Random
) -> Iterator[Text]:
    for _ in range(4):
        some = rng.sample(board, min(len(board), rng.randint(2, 40)))
        few = rng.sample(tokens, min(len(tokens), rng.randint(1, 6)))
        try:
            state = game.arrange(setup, {spot: rng.choice(few) for spot in some})
        except ValueError:  # what cannot be laid at all
            continue
        for problem in game.check(state):
            yield problem.reason


def _asked(
    game: Any, state: Any, board: list[str], tokens: list[str], rng: random.Random, count: int
) -> Iterator[Action]:
    lying = list(game.expect(state)) or board
    for _ in range(count):
        yield _drawn(game, state, board, lying, tokens, rng)


def _drawn(
    game: Any, state: Any, board: list[str], lying: list[str], tokens: list[str], rng: random.Random
) -> Action:
    luck = rng.random()
    if game.name == "hoplomachus" and luck < 0.9:
        return _on_the_mountain(rng)
    if luck < 0.45 and game.name != "hoplomachus":
        detail = rng.choice(("", "", "", *tokens)) if luck < 0.05 else ""
        return Action("move", rng.choice(lying), rng.choice(board), detail)
    if luck < 0.55:
        # What other pieces do from elsewhere: how it moves fits, something else may not.
        legal = [a for a in game.legal(state) if a.origin]
        if legal:
            like = rng.choice(legal)
            return Action("move", rng.choice([str(like.origin), *lying]), like.target, like.detail)
    if luck < 0.7:
        return Action("place", None, rng.choice(board), rng.choice(("", *tokens)))
    if luck < 0.75:
        return Action("move", rng.choice(board), rng.choice(board), via=(rng.choice(board),))
    words = (*WORDS, *game.words)
    detail = rng.choice(("", "", *state.setup.seats, "L", "C", "none", *rng.sample(tokens, 1)))
    if luck < 0.8 and game.name == "victory_honor":
        detail = ", ".join(rng.sample(tokens, 3))
    return Action(rng.choice(words), detail=detail)


def _on_the_mountain(rng: random.Random) -> Action:
    cards = [*invented()]
    verb = rng.choice(notation.VERBS)
    die, other = rng.choices(COLOURS, k=2)
    face = rng.choice(FACES)
    drawn = {
        "engage": f"{die} {other}", "recover": f"{die}", "recruit": die,
        "roll": f"{die}={face} {other}={rng.choice(FACES)}",
        "assign": f"{die}={face}>{rng.choice(cards)}",
        "reroll": f"{die}={face}>{rng.choice(FACES)}",
        "dismiss": f"{die} {rng.choice(ZONES)}", "reinforce": f"{die} {rng.choice(ZONES)}",
        "weaken": f"{die}={face} active", "hold": f"{die}={face}",
        "shift": f"{die} {rng.choice(ZONES)}>{rng.choice(ZONES)}",
        "top": f"{rng.choice(CAMPS[:9])} {rng.choice(cards)}",
        "reveal": f"{rng.choice(cards)}>{rng.choice(cards)}",
        "tuck": f"{rng.choice(cards)}>{rng.choice(CAMPS[:9])}",
    }  # fmt: skip
    shape = notation._DETAILS[verb]
    camps = rng.choice(CAMPS) if verb == "go" else rng.choice(CAMPS[:9])
    detail = drawn.get(verb) or next(
        (text for text in (rng.choice(cards), camps, "+1", "") if re.fullmatch(shape, text)), ""
    )
    word = "move" if verb == "go" else verb
    return notation.read(f"{word} {detail}".strip())
