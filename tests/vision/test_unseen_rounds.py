"""A camera that was covered for a round: what was played meanwhile is found all at once."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import find_game
from tests.vision.test_in_hand import Told as Shown
from vision.decoding.decode import PLENTY, Decoder
from vision.decoding.decoded import Decoded
from vision.decoding.scene import Scene

VICTORUS: Any = find_game("victorus")
CHESS: Any = find_game("chess")
INVICTUS: Any = find_game("invictus")
SEATS = ("red", "black", "orange", "purple", "blue", "green")


class Alike(Shown):
    """Tokens that nobody can tell from others of their colour."""

    def told_apart(self, one: str, other: str) -> bool:
        return one.split()[0] != other.split()[0]


def played(game: Any, setup: Any, count: int, seed: int) -> tuple[Any, Any, list[str]]:
    """Return the start, the state after ``count`` moves by chance, and the moves."""
    chance, start = random.Random(seed), game.start(setup)
    state, moves = start, []
    while len(moves) < count:
        action = chance.choice(game.legal(state))
        state = game.advance(state, action)
        moves += [str(action)] if action.target else []
    return start, state, moves


def read(game: Any, start: Any, then: Any, kind: type[Shown] = Shown) -> Decoded[Any]:
    """Return what explains a picture of ``then`` where ``start`` was seen last."""
    before, after = game.expect(start), game.expect(then)
    spots = frozenset(s for s in {*before, *after} if before.get(s) != after.get(s))
    every = {None, *before.values(), *after.values()}
    shown = kind({s: {t: 0.02 if t == after.get(s) else 1.0 for t in every} for s in spots})
    return Decoder(game, Scene(shown, before, spots, spots)).decode((start,), (), ())


def test_nine_moves_that_nobody_saw_are_told_at_once() -> None:
    start, then, moves = played(VICTORUS, VICTORUS.setup(SEATS), 9, 3)
    decoded = read(VICTORUS, start, then)
    assert decoded.best is not None
    told = [str(step.action) for step in decoded.best.story.steps if step.action.target]
    assert sorted(told) == sorted(moves)


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), count=st.integers(PLENTY + 1, 9))
def test_what_is_told_of_an_unseen_round_leads_to_what_is_seen(seed: int, count: int) -> None:
    start, then, _ = played(VICTORUS, VICTORUS.setup(SEATS), count, seed)
    decoded = read(VICTORUS, start, then)
    assert decoded.best is None or dict(decoded.best.table) == dict(VICTORUS.expect(then))


def test_an_unseen_round_of_men_that_look_alike_is_not_told() -> None:
    start, then, _ = played(CHESS, CHESS.setup(), 8, 3)
    assert read(CHESS, start, then).best is not None
    assert read(CHESS, start, then, Alike).best is None


def test_which_of_two_dice_alike_went_where_in_an_unseen_round_is_in_doubt() -> None:
    start = state = INVICTUS.start(INVICTUS.setup())
    for move in ("f3-g4", "g7-g6", "b3-c4", "d7-c6", "c3-b4", "e7-f6"):
        state = INVICTUS.advance(state, next(a for a in INVICTUS.legal(state) if str(a) == move))
    decoded = read(INVICTUS, start, state)
    assert decoded.best is None or not decoded.sure
