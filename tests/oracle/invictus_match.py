"""The engine and the naive oracle of Invictus play the same random game and must never differ.

At every position: the same legal actions, dice, seat to move, trays, points and end; and of actions
drawn at random the engine refuses the same ones, by a rule that does refuse them.
"""

from __future__ import annotations

import random
from typing import Any

from companion.games import find_game
from companion.rules import Action
from tests.oracle.invictus_oracle import BOARD, SIDES, SPACE, Game, Space, name, own_row

SPACES = list(BOARD)
ASKED = 8
"""Actions drawn at random in each position."""


def random_start(rng: random.Random) -> dict[Space, tuple[str, int]]:
    """Draw a set-up; every third time few dice stand anywhere, so that games end in every way."""
    if rng.random() < 0.67:
        dice: dict[Space, tuple[str, int]] = {}
        for side in SIDES:
            values = [value for value in range(1, 7) for _ in range(3)]
            rng.shuffle(values)
            places = [space for space in BOARD if own_row(side, space) in (2, 3)]
            dice |= {space: (side, value) for space, value in zip(places, values, strict=True)}
        return dice
    width, deep = rng.randint(2, 9), rng.choice((1, 2, 8))
    room = [space for space in BOARD if space[0] <= width]
    strong = rng.choice(SIDES)
    dice = {}
    for side in SIDES:
        here = [s for s in room if own_row(side, s) < 9 and s not in dice]
        low = [s for s in here if own_row(side, s) >= 9 - deep] or here
        most = 12 if side == strong else rng.randint(1, 4)
        for space in rng.sample(low, min(most, len(low))):
            dice[space] = (side, rng.randint(3, 6) if side == strong else rng.randint(1, 3))
    if {side for side, _ in dice.values()} != set(SIDES):
        return random_start(rng)
    return dice


def asked(rng: random.Random, game: Game) -> str:
    """Draw an action, mostly one that begins on a die and goes near."""
    luck = rng.random()
    if luck < 0.05:
        return "pass"
    if luck < 0.2:
        return "*" + name(rng.choice(SPACES))
    start = rng.choice(sorted(game.dice) if luck < 0.95 else SPACES)
    near = [s for s in BOARD if abs(s[0] - start[0]) <= 1 and abs(s[1] - start[1]) <= 1]
    return f"{name(start)}-{name(rng.choice(near if luck < 0.8 else SPACES))}"


def rulings(game: Any, state: Any, naive: Game, rng: random.Random, where: str) -> None:
    """Ask both of some actions.

    Raises:
        AssertionError: only one of them refuses an action, or the engine by a rule that does not.
    """
    for _ in range(ASKED):
        text = asked(rng, naive)
        ruling = game.judge(state, game.parse(state.setup, text))
        broken = naive.refused_by(text)
        assert ruling.allowed == (not broken), f"{where}: {text}: {ruling} {broken}"
        if broken:
            assert ruling.rule in broken[0], f"{where}: {text}: {ruling} {broken}"


def alike(game: Any, state: Any, naive: Game, where: str) -> None:
    """Check that both see the same position.

    Raises:
        AssertionError: they do not.
    """
    outcome = game.outcome(state)
    assert {game.format(action) for action in game.legal(state)} == naive.legal(), where
    dice = {name(space): f"{side} {value}" for space, (side, value) in naive.dice.items()}
    assert dict(game.expect(state)) == dice, where
    assert game.to_move(state) == (None if naive.over else naive.turn), where
    assert (outcome.rule if outcome else "") == naive.over, where
    for card in game.scorecards(state):
        tray = naive.trays[card.seat]
        assert card.score == naive.score(card.seat), f"{where}: {card}"
        home, prisoners = card.fields[:2]
        assert sorted(home.tokens) == sorted(f"{card.seat} {v}" for v in tray.home), where
        assert len(prisoners.tokens) == tray.prisoners, f"{where}: {card}"
    if outcome:
        assert outcome.winners == naive.winners(), where


def choose(rng: random.Random, naive: Game, style: str) -> str:
    """Draw a legal action: any, or captures, the way ahead or sideways first."""
    legal = sorted(naive.legal())
    moves = [action.split("-") for action in legal if "-" in action]
    if style == "captures":
        liked = [f"{a}-{b}" for a, b in moves if SPACE[b] in naive.dice]
    elif style == "ahead":
        liked = [f"{a}-{b}" for a, b in moves if a[1] != b[1]]
    else:
        liked = [f"{a}-{b}" for a, b in moves if a[1] == b[1]] if style == "sideways" else []
    return rng.choice(liked or legal)


def compare(seed: int, limit: int) -> int:
    """Play one game in both; return the number of positions that were alike.

    Raises:
        AssertionError: they differ; the message has all that is needed to play it again.
    """
    rng = random.Random(f"invictus oracle {seed}")
    game: Any = find_game("invictus")
    options = {"no_progress": str(rng.choice((2, 10, 40, 40))), "divide_scores": "no"}
    if rng.random() < 0.3:
        options["divide_scores"] = "yes"
    setup = game.setup(None, options)
    turn = rng.choice(SIDES)
    dice = random_start(rng)
    naive = Game(
        dice, turn, limit=int(options["no_progress"]), divide=options["divide_scores"] == "yes"
    )
    tokens = {name(space): f"{side} {value}" for space, (side, value) in dice.items()}
    state = game.arrange(setup, tokens, turn)
    style = rng.choice(("any", "captures", "ahead", "sideways"))
    played: list[str] = []
    for count in range(limit):
        where = f"seed {seed}: {options} {turn} {tokens} after {' '.join(played)}"
        alike(game, state, naive, where)
        rulings(game, state, naive, rng, where)
        claims = {Action("agree")} if not naive.over and naive.hand is None else set()
        assert set(game.claims(state)) == claims, where
        if naive.over:
            return count
        played.append(choose(rng, naive, style if rng.random() < 0.8 else "any"))
        state = game.apply(state, game.parse(setup, played[-1]))
        naive = naive.after(played[-1])
    return limit
