"""Random games, and what holds of every state and every action, whatever the rules."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.rules import (
    Action,
    Arrangements,
    BadInput,
    Conservation,
    Game,
    Marked,
    OwnCards,
    SavedStates,
    Setup,
    accepted,
    claims_of,
    highlights_of,
    quoted,
    read_record,
    setup_then,
    write_record,
)

NO_WORD = "dance"
"""What nobody can say in any game."""

ALIEN = ("end", "pass", "time", "forfeit", "resign")
"""Words that some games know."""
DRAWN = 100
"""How often seats and options are drawn before the usual ones are taken."""


def plain(game: Any, token: str | None) -> str | None:
    """Return a token without the marks that players put on and take off between moves."""
    return game.unmarked(token) if token and isinstance(game, Marked) else token


def random_setup(game: Game[Any], rng: random.Random) -> Setup:
    """Draw seats and, every second time, options; what cannot be played is drawn again."""
    for _ in range(DRAWN):
        options = {}
        if rng.random() < 0.5:
            drawn = [option for option in game.options if option.choices and rng.random() < 0.3]
            options = {option.name: rng.choice(option.choices) for option in drawn}
        seats = rng.sample(game.seats, rng.randint(min(2, len(game.seats)), len(game.seats)))
        try:
            setup = game.setup(None if rng.random() < 0.3 else seats, options)
        except BadInput:
            continue
        # Cards of an owner may lack.
        if not (isinstance(game, OwnCards) and game.lacking(setup.options)):
            return setup
    return game.setup()


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
    check_invariants(game, state)


def check_invariants(game: Any, state: Any) -> None:
    """Check that nothing is lost that the game says is kept."""
    if isinstance(game, Conservation):
        lost = [told for told, holds in game.invariants(state).items() if not holds]
        assert not lost, f"does not hold: {lost}"


def check_texts(game: Any, setup: Setup, state: Any, legal: list[Action]) -> None:
    """Check that everything survives being written down, and what a camera is told."""
    assert state.setup == setup, "a state knows the set-up that its game was begun with"
    check_saved(game, state, legal)
    for action in legal:
        text = game.format(action)
        assert game.parse(setup, text) == action, f"{text} is not read as the {action} it was"
    board, expected = game.board(setup), game.expect(state)
    assert set(expected) <= set(board), f"no spots of the board: {set(expected) - set(board)}"
    for spot in board:
        shown = accepted(game, state, spot)
        assert shown[0] == expected.get(spot), f"{spot}: accepted first is {shown[0]}"
    for mark, spots in highlights_of(game, state).items():
        assert set(spots) <= set(board), f"{mark} marks no spots of the board: {spots}"
    rules = game.rules
    if isinstance(game, Arrangements):
        assert all(problem.rule in rules for problem in game.check(state)), "a rule that is none"


def check_saved(game: Any, state: Any, legal: list[Action]) -> None:
    """Check that a state survives being saved."""
    saved: Any = game
    if not isinstance(game, SavedStates):
        return
    copied = saved.load(json.loads(json.dumps(saved.dump(state))))
    assert copied == state, "what was dumped and loaded is another state"
    assert hash(copied) == hash(state), "equal states have different hashes"
    assert list(saved.legal(copied)) == legal, "other actions are legal after dump and load"


def check_played(game: Any, state: Any, action: Action, after: Any) -> None:
    """Check that the hand's changes are what the table then shows; what players turn over,
    turn round or take off without being asked may differ in its marks."""
    changes = game.effect(state, action).changes
    then, now = game.expect(state), game.expect(after)
    for spot, token in changes.items():
        shown = now.get(spot)
        army_gone = shown is None and game.outcome(after) is not None
        assert (
            plain(game, token) == plain(game, shown)
            or token in accepted(game, after, spot)
            or army_gone
        ), f"{action}: the hand leaves {quoted(token)} on {spot}, expected is {quoted(shown)}"
    if action.verb == "move":
        assert action.origin in changes
        assert action.target in changes
    elsewhere = () if game.tidies else (then.keys() | now.keys()) - changes.keys()
    for spot in elsewhere:
        before, shown = plain(game, then.get(spot)), plain(game, now.get(spot))
        assert before == shown, f"{action}: {spot} changed"


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


def some_others(
    board: list[str], rng: random.Random, count: int, words: tuple[str, ...] = ALIEN
) -> Iterator[Action]:
    """Yield ``count`` actions drawn at random: moves from anywhere, placings, words."""
    for _ in range(count):
        luck = rng.random()
        if luck < 0.8:
            yield Action("move", rng.choice(board), rng.choice(board))
        elif luck < 0.9:
            yield Action("place", None, rng.choice(board), rng.choice(("", "K", "Q")))
        else:
            yield Action(rng.choice((*words, NO_WORD)))


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
            allowed = {*legal, *claims_of(game, state)}
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
    assert setup_then(game, record.seats, record.options, record.rules) == setup
    assert [game.parse(setup, text) for text in record.actions] == played
