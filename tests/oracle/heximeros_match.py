"""The engine and the naive oracle of HexiMeros play the same random game and must never differ.

Wherever the Token has just come: the same moves, and the same men on the board after the one that
is drawn. Wherever a hat may be promoted: the same pieces on the same spaces. Always: the same
armies in play under the same players, the same army to move, the same winner.
"""

from __future__ import annotations

import random
from typing import Any

from companion.games import find_game
from companion.games.heximeros import geometry as g
from companion.games.heximeros.pieces import CARRIED, COLOURS, OWNER, SUB, kind_of
from companion.games.heximeros.state import FRESH, HexiMerosState
from companion.rules import Action, Setup
from tests.oracle import heximeros_oracle as oracle

UNPLAYED = ("scoring", "token", "no_move", "check")
Placing = tuple[oracle.Cell, int, str]


def naive(state: HexiMerosState) -> oracle.Position:
    """Return the oracle's picture of a position."""
    pieces = men(state)
    live, masters = state.tally.live, state.tally.masters
    own = frozenset(a for a in range(6) if live >> a & 1 and masters[a] == state.player)
    prey = frozenset(a for a in range(6) if live >> a & 1 or state.arena.fallen_prey) - own
    codes = {g.AXIAL[cell]: code for cell, code in enumerate(state.board[: g.COUNT]) if code}
    return oracle.Position(
        pieces,
        state.arena.places,
        frozenset(cell for cell, code in codes.items() if CARRIED[SUB[code]] != SUB[code]),
        own,
        prey,
        straight=state.setup["ground_zero"] == "straight",
        six=state.setup["doubling"] == "six",
    )


def men(state: HexiMerosState) -> dict[oracle.Cell, tuple[int, str]]:
    """Return what stands where, by coordinates."""
    return {
        g.AXIAL[cell]: (OWNER[code], kind_of(code))
        for cell, code in enumerate(state.board[: g.COUNT])
        if code
    }


def move_of(action: Action) -> oracle.Move:
    """Return a move of a piece by coordinates."""
    detail = action.detail
    if detail.startswith("*"):
        q, r = g.AXIAL[g.INDEX[detail[1:]]]
        detail = f"*{q},{r}"
    return g.AXIAL[g.INDEX[action.origin]], g.AXIAL[g.INDEX[action.target]], detail


def engine(game: Any, state: HexiMerosState) -> set[oracle.Move]:
    """Return the engine's moves by coordinates."""
    return {move_of(action) for action in game.legal(state) if action.origin in g.INDEX}


def placing_of(state: HexiMerosState, action: Action) -> Placing:
    """Return a placing by coordinates."""
    colour, _, kind = action.detail.rpartition(" ")
    army = COLOURS.index(colour) if colour else state.army
    return g.AXIAL[g.INDEX[action.target]], army, kind


def placed(game: Any, state: HexiMerosState) -> set[Placing]:
    """Return the engine's placings by coordinates."""
    return {placing_of(state, action) for action in game.legal(state) if action.verb == "place"}


def expected(state: HexiMerosState, hat: oracle.Cell, first: int | None) -> set[Placing]:
    """Return the oracle's placings for the hat on ``hat``, or after a first of army ``first``."""
    live = {army for army in range(6) if state.tally.live >> army & 1}
    both = state.setup["two_capitals"] == "active"
    return oracle.placings(set(men(state)), state.arena.places, live, state.army, hat, first, both)


def random_setup(game: Any, rng: random.Random) -> Setup:
    """Draw options, every second time."""
    options = {}
    if rng.random() < 0.5:
        for option in game.options:
            if option.name not in UNPLAYED and rng.random() < 0.4:
                options[option.name] = rng.choice(option.choices)
    setup: Setup = game.setup(None, options)
    return setup


def choose(game: Any, state: HexiMerosState, legal: list[Action], rng: random.Random) -> Action:
    """Prefer captures, promotions and what goes to or from the middle, so that games get on."""
    luck = rng.random()
    liked: list[Action] = []
    if luck < 0.35:
        liked = [a for a in legal if a.target in g.INDEX and state.board[g.INDEX[a.target]]]
    elif luck < 0.55:
        liked = [a for a in legal if g.NAMES[g.GROUND_ZERO] in (a.origin, a.target)]
    elif luck < 0.75:
        liked = [
            a
            for a in legal
            if a.origin in g.INDEX and state.board[g.INDEX[a.origin]] and _militant(state, a)
        ]
    if any(a.verb == "place" for a in legal) and rng.random() < 0.8:
        liked = [a for a in legal if a.verb == "place"]
    return rng.choice(liked or legal)


def _militant(state: HexiMerosState, action: Action) -> bool:
    kind = kind_of(state.board[g.INDEX[action.origin]])
    return kind in ("M", "M+") and action.target in g.INDEX


def random_start(game: Any, setup: Setup, rng: random.Random) -> HexiMerosState:
    """Draw the first position: the usual one, or few men of each army anywhere, so that Sovereigns
    fall, hats get across and games end."""
    begun: HexiMerosState = game.start(setup)
    if rng.random() < 0.3:
        return begun
    tokens: dict[str, str] = {}
    spaces = list(g.NAMES[: g.COUNT])
    rng.shuffle(spaces)
    at_home = [s for s, t in game.expect(begun).items() if t.endswith(" S") and rng.random() < 0.4]
    tokens |= {spot: game.expect(begun)[spot] for spot in at_home}
    for colour in COLOURS:
        men_of = rng.choices(("M", "M+", "M+", "R", "Al", "P", "C", "D", "As", "Ar"), k=7)
        alone = f"{colour} S" not in tokens.values()
        for kind in [*men_of, "S"] if alone else men_of:
            spot = next(spot for spot in spaces if spot not in tokens)
            tokens[spot] = f"{colour} {kind}"
    laid: HexiMerosState = game.arrange(setup, tokens, "silver")
    return laid


class Sides:
    """Who plays which army whose Sovereign is active, as the rules say it (HX-5.3, HX-5.4)."""

    def __init__(self) -> None:
        self.plays = {army: army for army in range(6)}

    def note(self, state: HexiMerosState, before: HexiMerosState) -> None:
        """Note what an action made of the Sovereigns."""
        player = self.plays[before.army]
        for army in range(6):
            had, has = ((army, "S") in men(s).values() for s in (before, state))
            if had and not has:
                del self.plays[army]
            if has and not had:
                self.plays[army] = player

    def after(self, army: int) -> int:
        """Return the army that has the Token after ``army``."""
        return next(n % 6 for n in range(army + 1, army + 7) if n % 6 in self.plays)

    def winner(self) -> int | None:
        """Return the last player with a Sovereign."""
        players = set(self.plays.values())
        return players.pop() if len(players) == 1 else None


class Match:
    """One game in both. ``hat`` is where a hat may be promoted now, ``first`` the army of the first
    capital that came for it; ``passed`` tells whether the Token has just come."""

    def __init__(self, game: Any, state: HexiMerosState) -> None:
        self.game, self.state, self.sides = game, state, Sides()
        self.hat: oracle.Cell | None = None
        self.first: int | None = None
        self.passed = False

    def over(self, where: str) -> bool:
        """Tell whether the game is over, in both; a move is made only when the Token is passed
        (HX-3.1)."""
        outcome = self.game.outcome(self.state)
        winner = self.sides.winner() if self.passed else None
        won = () if winner is None else (COLOURS[winner],)
        assert (outcome.winners if outcome else ()) == won, where
        return bool(won)

    def compare(self, where: str) -> None:
        """Compare what may be done."""
        if self.state.turn.stage == FRESH:
            assert engine(self.game, self.state) == naive(self.state).moves(self.state.army), where
        elif self.hat is not None:
            wanted = expected(self.state, self.hat, self.first)
            assert placed(self.game, self.state) == wanted, where
        else:
            assert not placed(self.game, self.state), where

    def play(self, action: Action, where: str) -> None:
        """Play ``action`` in both and compare what comes of it."""
        before, after = self.state, self.game.apply(self.state, action)
        self.state = after
        self.passed = action.origin not in g.INDEX and action.verb != "place"
        if self.passed:
            self.hat = None
        elif action.verb == "place":
            cell, army, kind = placing_of(before, action)
            assert men(after)[cell] == (army, kind), where
            again = self.first is None and kind != "S" and cell == self.hat
            self.first, self.hat = (army, self.hat) if again else (None, None)
        else:
            start, end, _ = move_of(action)
            assert men(after) == naive(before).after(move_of(action)), where
            across = any(end in oracle.base_line(arm) for arm in range(6))
            self.hat = end if across and men(before)[start][1] == "M+" else None
            self.first = None
        self.sides.note(after, before)
        if self.sides.winner() is None:
            army = self.sides.after(before.army) if self.passed else before.army
            live = {army for army in range(6) if after.tally.live >> army & 1}
            masters = {army: after.tally.masters[army] for army in live}
            assert (after.army, masters) == (army, self.sides.plays), where


def compare(seed: int, limit: int) -> int:
    """Play one game in both; return the number of positions that were alike.

    Raises:
        AssertionError: they differ; the message has all that is needed to play it again.
    """
    rng = random.Random(f"heximeros oracle {seed}")
    game: Any = find_game("heximeros")
    setup = random_setup(game, rng)
    match, played = Match(game, random_start(game, setup, rng)), []
    for count in range(limit):
        where = f"seed {seed}: {dict(setup.options)} after {' '.join(played)}"
        if match.over(where):
            return count
        match.compare(where)
        action = choose(game, match.state, list(game.legal(match.state)), rng)
        played.append(game.format(action))
        match.play(action, f"{where} {played[-1]}")
    return limit
