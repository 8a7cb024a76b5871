"""Whole games of HexiMeros between greedy players, to the end: nothing is lost on the way."""

from __future__ import annotations

import random
from collections import Counter
from types import ModuleType
from typing import Any

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros.pieces import CAPTURE
from companion.games.heximeros.state import NOWHERE
from companion.rules import Action

pytestmark = pytest.mark.no_cover  # whole games: other tests prove line by line


def worth(state: Any, action: Action) -> int:
    """Return what a greedy player gives for ``action``."""
    if action.verb == "place":
        return 200 if action.detail.endswith(" S") else 20
    if action.target is None or state.turn.stage != "fresh":
        return 0
    taken = sum(CAPTURE[token.split()[1]] for token in GAME.effect(state, action).captures)
    return taken + 10 * (action.detail == "R")


def chosen(state: Any, legal: list[Action], rng: random.Random, greed: float) -> Action:
    """Draw an action, the best one with the probability ``greed``."""
    if rng.random() > greed or (state.turn.stage != "fresh" and state.turn.hat == NOWHERE):
        return rng.choice(legal)
    values = [worth(state, action) for action in legal]
    best = max(values)
    return rng.choice([a for a, value in zip(legal, values, strict=True) if value == best])


def played(checks: ModuleType, seed: int, limit: int) -> tuple[Any, Counter[str]]:
    """Play a game; check on the way what is conserved, and rulings on sampled positions."""
    rng = random.Random(seed)
    options = {"scoring": "yes", "fallen": rng.choice(("prey", "block"))}
    setup = GAME.setup(None, options)
    state, seen = GAME.start(setup), Counter[str]()
    board, greed = list(GAME.board(setup)), rng.choice((0.5, 0.7, 0.9))
    while (legal := list(GAME.legal(state))) and seen["actions"] < limit:
        seen["actions"] += 1
        if seen["actions"] % 40 == 0:
            checks.check_invariants(GAME, state)
            allowed = {*legal, *GAME.claims(state)}
            for action in [*allowed, *checks.some_others(board, rng, 40)]:
                checks.check_ruling(GAME, state, action, allowed)
        action = chosen(state, legal, rng, greed)
        seen[action.verb] += 1
        seen["resurrected"] += action.verb == "place" and action.detail.endswith(" S")
        state = GAME.advance(state, action)
    checks.check_invariants(GAME, state)
    return state, seen


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 4])
def test_greedy_games_come_to_their_end(checks: ModuleType, first: int) -> None:
    total: Counter[str] = Counter()
    for seed in range(first, first + 4):
        state, seen = played(checks, seed, 4000)
        outcome = GAME.outcome(state)
        assert outcome is not None, seed
        (winner,) = outcome.winners
        cards = {card.seat: card for card in GAME.scorecards(state)}
        assert cards[winner].status == "won"
        assert sum(card.status == "out" for card in cards.values()) == 5
        lost = [card.fields[3].value for card in cards.values() if card.fields[3].value]
        assert len(", ".join(lost).split(", ")) == len(state.tally.outs) >= 5
        total += seen
    assert total["token"] > 200


def with_hats(hx: ModuleType, rng: random.Random) -> Any:
    """Return a position in which hats stand before Base Lines and armies are out of play."""
    g = hx.g
    near = [c for c in range(g.COUNT) if any(22 <= g.depth(c, place) <= 26 for place in range(6))]
    cells = rng.sample(near, 40)
    text = "; ".join(
        f"{rng.choice(GAME.seats)} {rng.choice(('M+', 'M+', 'M', 'R', 'As', 'D', 'P'))} {q} {r}"
        for q, r in (g.AXIAL[cell] for cell in cells)
    )
    out = " ".join(rng.sample(GAME.seats[1:], rng.choice((1, 2, 3))))
    option = rng.choice(("said", "seen")), rng.choice(("noted", "binding"))
    return hx.lay(text, out=out, token=option[0], check=option[1], scoring="yes")


@pytest.mark.thorough
def test_hats_and_fallen_armies_keep_the_contract(hx: ModuleType, checks: ModuleType) -> None:
    placed: Counter[str] = Counter()
    for seed in range(6):
        rng = random.Random(seed)
        state = with_hats(hx, rng)
        setup = state.setup
        board = list(GAME.board(setup))
        for ply in range(24):
            legal = list(GAME.legal(state))
            if not legal:
                break
            claims = list(GAME.claims(state))
            if ply % 12 == 5:
                checks.check_texts(GAME, setup, state, legal)
            allowed = {*legal, *claims}
            some = rng.sample(sorted(allowed, key=str), min(30, len(allowed)))
            for action in [*some, *checks.some_others(board, rng, 30)]:
                checks.check_ruling(GAME, state, action, allowed)
            places = [a for a in legal if a.verb == "place"]
            ups = [a for a in places if a.detail.endswith(" S")]
            checked = [a for a in claims if a.verb == "check"]
            tokens, ends = GAME.expect(state), {hx.g.NAMES[cell] for cell in hx.g.BASE_OF}
            hats = [a for a in legal if a.target in ends and tokens.get(a.origin, "")[-1:] == "+"]
            some_of = [x for x in (ups, places, checked, hats, legal) if x]
            action = rng.choice(rng.choice(some_of))
            after = GAME.apply(state, action)
            checks.check_played(GAME, state, action, after)
            placed[action.verb] += 1
            placed["resurrected"] += action in ups
            state = after
    assert placed["place"] > 12
    assert placed["check"] > 3
    assert placed["resurrected"] > 0
