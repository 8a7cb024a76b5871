"""What holds of every state and every action of every game, whatever its rules.

Used by the short tests (games/test_all_games.py) and at length by soak/soak_rules.py.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.games.invictus.state import pips
from companion.games.victory_honor.play import accounted
from companion.rules import Action, BadInput, Setup, read_record, write_record

DECORATION = (" frozen", "+")


def plain(token: str | None) -> str | None:
    """Return a token without the marks that players put on and take off between moves."""
    for mark in DECORATION:
        token = token.removesuffix(mark) if token else token
    return token


def random_setup(game: Any, rng: random.Random) -> Setup:
    """Draw seats and, every second time, options; what cannot be played is drawn again."""
    while True:
        options = {}
        if rng.random() < 0.5:
            drawn = [option for option in game.options if option.choices and rng.random() < 0.3]
            options = {option.name: rng.choice(option.choices) for option in drawn}
        seats = rng.sample(game.seats, rng.randint(min(2, len(game.seats)), len(game.seats)))
        try:
            return game.setup(None if rng.random() < 0.3 else seats, options)
        except BadInput:
            continue


# -- what is never lost ---------------------------------------------------------------------


def victorus_pieces(game: Any, setup: Setup, state: Any) -> None:
    """Twelve pieces for each player: board, scorecards, waiting royals, removed armies."""
    tally = game.dump(state)["tally"]
    held = sum(len(box.tokens) for card in game.scorecards(state) for box in card.fields)
    total = len(game.expect(state)) + held + len(tally["waiting"]) + len(tally["removed"])
    assert total == 12 * len(setup.seats)


def invictus_pips(game: Any, setup: Setup, state: Any) -> None:
    """Each player's 63 pips: board, Home, lost to captures."""
    assert [sum(pips(state, seat)) for seat in (0, 1)] == [63, 63]


def chess_men(game: Any, setup: Setup, state: Any) -> None:
    """Thirty-two men on the board and captured, one King each."""
    men = Counter(game.expect(state).values())
    held = sum(len(box.tokens) for card in game.scorecards(state) for box in card.fields)
    assert sum(men.values()) + held == 32
    assert men["white K"] == men["black K"] == 1


def forty_cards(game: Any, setup: Setup, state: Any) -> None:
    """Forty cards: in hands, on the boards, in spoils, lost, shown as reserves."""
    assert accounted(state) == 40


def heximeros_pieces(game: Any, setup: Setup, state: Any) -> None:
    """156 pieces: on the board, captured, taken off, or turned into others by promotion; one
    Sovereign of a colour at most, and an army is in play exactly while it has one."""
    there = Counter(t for t in game.expect(state).values() if t != "token")
    tally = state.tally
    gone = Counter(t for card in game.scorecards(state) for t in card.fields[1].tokens)
    new = sum(len(card.fields[2].tokens) for card in game.scorecards(state))
    used = 78 - sum(n for t, n in (there + gone).items() if t.endswith((" M", "M+")))
    assert there.total() == 156 - gone.total() - len(tally.removed) - used + new
    for army, colour in enumerate(game.seats):
        assert there[f"{colour} S"] == tally.live >> army & 1


def seventeen_dice(game: Any, setup: Setup, state: Any) -> None:
    """Seventeen unit dice over all zones and enemies."""
    assert game.check(state) == ()


KEPT: dict[str, Callable[[Any, Setup, Any], None]] = {
    "victorus": victorus_pieces,
    "invictus": invictus_pips,
    "chess": chess_men,
    "heximeros": heximeros_pieces,
    "victory_honor": forty_cards,
    "hoplomachus": seventeen_dice,
}


# -- a state ----------------------------------------------------------------------------------


def check_state(game: Any, setup: Setup, state: Any, legal: list[Action]) -> None:
    """Check what is cheap enough for every state."""
    outcome = game.outcome(state)
    assert bool(legal) == (outcome is None), "legal is empty exactly when the game is over"
    assert len(set(legal)) == len(legal), "a legal action is listed twice"
    mover = game.to_move(state)
    assert (mover is None) == (outcome is not None)
    assert mover is None or mover in setup.seats
    if outcome:
        assert set(outcome.winners) <= set(setup.seats)
        assert outcome.rule in game.rules
    assert tuple(card.seat for card in game.scorecards(state)) == setup.seats
    if game.name in KEPT:
        KEPT[game.name](game, setup, state)


def check_texts(game: Any, setup: Setup, state: Any, legal: list[Action]) -> None:
    """Check that everything survives being written down, and what a camera is told."""
    assert game.setup_of(state) == setup
    copied = game.load(json.loads(json.dumps(game.dump(state))))
    assert copied == state
    assert hash(copied) == hash(state)
    assert list(game.legal(copied)) == legal
    for action in legal:
        assert game.parse(setup, game.format(action)) == action
    assert game.two_plies(state) == sum(len(game.legal(game.advance(state, a))) for a in legal)
    board, expected = game.board(setup), game.expect(state)
    assert set(expected) <= set(board)
    for spot in board:
        assert game.accepts(state, spot)[0] == expected.get(spot)
    for spots in game.highlights(state).values():
        assert set(spots) <= set(board)
    assert all(problem.rule in game.rules for problem in game.check(state))


def check_played(game: Any, before: Any, action: Action, after: Any) -> None:
    """Check that the hand's changes are what the table then shows; what players turn over,
    turn round or take off without being asked may differ in its marks."""
    changes = game.effect(before, action).changes
    then, now = game.expect(before), game.expect(after)
    for spot, token in changes.items():
        shown = now.get(spot)
        army_gone = shown is None and game.outcome(after) is not None
        assert plain(token) == plain(shown) or token in game.accepts(after, spot) or army_gone, (
            f"{action}: the hand leaves {token!r} on {spot}, expected is {shown!r}"
        )
    if action.verb == "move":
        assert action.origin in changes
        assert action.target in changes
    for spot in (then.keys() | now.keys()) - changes.keys():
        if game.name != "victorus":  # there armies fall and royals come home by themselves
            assert plain(then.get(spot)) == plain(now.get(spot)), f"{action}: {spot} changed"


# -- rulings ------------------------------------------------------------------------------------


def check_ruling(game: Any, state: Any, action: Action, allowed: set[Action]) -> None:
    """Check that the ruling says what the rules do, quotes a rule and gives one sentence."""
    ruling = game.judge(state, action)
    assert ruling.allowed == (action in allowed), f"{action}: {ruling}"
    assert ruling.rule in game.rules, f"{action}: {ruling}"
    reason = ruling.reason
    assert reason.strip() == reason, f"{action}: {ruling}"
    assert reason.endswith("."), f"{action}: {ruling}"
    assert "\n" not in reason, f"{action}: {ruling}"
    assert not any(". " + letter in reason for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), reason


def every_piece_to_every_spot(game: Any, setup: Setup, state: Any) -> Iterator[Action]:
    """Yield each conceivable move of each token on the board."""
    board = list(game.board(setup))
    for origin in game.expect(state):
        for target in board:
            yield Action("move", origin, target)


def some_others(board: list[str], rng: random.Random, count: int) -> Iterator[Action]:
    """Yield ``count`` actions drawn at random: moves from anywhere, placings, words."""
    for _ in range(count):
        luck = rng.random()
        if luck < 0.8:
            yield Action("move", rng.choice(board), rng.choice(board))
        elif luck < 0.9:
            yield Action("place", None, rng.choice(board), rng.choice(("", "K", "Q")))
        else:
            yield Action(rng.choice(("end", "pass", "time", "forfeit", "resign", "dance")))


# -- a game ---------------------------------------------------------------------------------------


@dataclass
class Counted:
    """What a random game has shown; ``whole`` states were judged for every piece and spot."""

    states: int = 0
    judged: int = 0
    whole: int = 0
    ended: int = 0
    records: int = 0
    seats: Counter[int] = field(default_factory=Counter)

    def add(self, other: Counted) -> None:
        """Add another game's figures."""
        self.states += other.states
        self.judged += other.judged
        self.whole += other.whole
        self.ended += other.ended
        self.records += other.records
        self.seats += other.seats


def play(game: Any, seed: int, limit: int, whole_at: frozenset[int], others: int = 20) -> Counted:
    """Play a random game to its end or ``limit`` actions and check everything on the way.

    At the plies in ``whole_at`` (at the last one, if the game ends before) every piece is judged
    to every spot, elsewhere every legal action and ``others`` drawn at random.

    Raises:
        AssertionError: something does not hold; the message tells the seed.
    """
    rng = random.Random(f"{game.name} {seed}")
    setup = random_setup(game, rng)
    state, played, counted = game.start(setup), [], Counted()
    counted.seats[len(setup.seats)] += 1
    board = list(game.board(setup))
    eager = rng.random() < 0.5
    try:
        for ply in range(limit + 1):
            legal = list(game.legal(state))
            allowed = {*legal, *game.claims(state)}
            check_state(game, setup, state, legal)
            judged = [*allowed, *some_others(board, rng, others)]
            last = not legal or ply == limit
            if ply in whole_at or (last and any(later > ply for later in whole_at)):
                check_texts(game, setup, state, legal)
                judged += every_piece_to_every_spot(game, setup, state)
                counted.whole += 1
            for action in judged:
                check_ruling(game, state, action, allowed)
            counted.states += 1
            counted.judged += len(judged)
            if last:
                counted.ended += not legal
                break
            action = choose(game, state, legal, rng, eager)
            after = game.apply(state, action)
            check_played(game, state, action, after)
            state = after
            played.append(action)
        check_record(game, setup, played)
        counted.records += 1
    except AssertionError as error:
        error.add_note(
            f"{game.name}, seed {seed}: {setup.seats} {dict(setup.options)} after "
            + " ".join(map(game.format, played))
        )
        raise
    return counted


def choose(game: Any, state: Any, legal: list[Action], rng: random.Random, eager: bool) -> Action:
    """Draw an action; an eager player captures where he can, every second time."""
    if eager and rng.random() < 0.5:
        occupied = game.expect(state)
        captures = [a for a in legal if a.verb == "move" and a.target in occupied]
        return rng.choice(captures or legal)
    return rng.choice(legal)


def check_record(game: Any, setup: Setup, played: list[Action]) -> None:
    """Check that the whole game survives being written as a record."""
    record = read_record(write_record(game, setup, played))
    assert record.game == game.name
    assert game.setup(record.seats, record.options) == setup
    assert [game.parse(setup, text) for text in record.actions] == played
