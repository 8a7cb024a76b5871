"""Bronze: machines can play what says that they can."""

from __future__ import annotations

import random
from typing import Any

from companion.conformance.checks import BRONZE, CheckedGame, check
from companion.conformance.rules import PLIES, walk
from companion.rules import Alone, Evaluation, HandPlays, Rivals, UciNotation


@check(BRONZE, Evaluation)
def machines_can_think_ahead(candidate: CheckedGame) -> None:
    """Every seat's standing is estimated, who decides is told, lively actions are legal."""
    game: Any = candidate.game
    for state in walk(game):
        seats, mover = state.setup.seats, game.to_move(state)
        assert len(game.evaluate(state)) == len(seats), "not a number for each seat"
        hash(game.position_key(state))
        if mover is not None:
            told = seats[game.decides(state)]
            assert told == mover, f"{told} decides, but {mover} is to move"
        strange = set(game.lively(state)) - set(game.legal(state))
        assert not strange, f"lively, but not legal: {sorted(map(str, strange))[:3]}"


@check(BRONZE, Rivals)
def what_others_could_take_can_be_imagined(candidate: CheckedGame) -> None:
    """A turn of any seat can be imagined, and what it threatens may be taken by the rules."""
    game: Any = candidate.game
    for state in walk(game):
        for seat in range(len(state.setup.seats)):
            mine = game.turn_of(state, seat)
            assert mine is None or game.decides(mine) == seat, f"not the turn of seat {seat}"
            for there, action in game.threats(state, (seat,)):
                assert game.decides(there) != seat, f"{action} threatens who makes it"
                assert action in game.legal(there), f"{action} is no threat, but illegal"


@check(BRONZE, HandPlays)
def own_cards_are_played_by_the_rules(candidate: CheckedGame) -> None:
    """Own cards are played legally, what is shown later proves it, and worlds can be imagined."""
    game: Any = candidate.game
    chance = random.Random(1)
    hands = game.own_hands(game.setup(), chance)
    for _ in range(PLIES):
        seat = hands.asked
        if seat is None:
            break
        known = hands.known(seat)
        play = chance.choice(list(game.hand_plays(known)))
        assert game.judge(known.state, play.action).allowed, f"{play.action} is not legal"
        _, nodes = game.prospect(known, game.world(known, chance), play, chance)
        assert nodes > 0, "nothing was played out"
        game.at_once(known, play)
        assert set(game.rack_after(known, play).cards) <= set(known.rack.cards), (
            "cards from nowhere"
        )
        hands.do(seat, play)
        assert not game.breaches(hands.state), "its own cards were played against the rules"


@check(BRONZE, Alone)
def what_one_player_may_do_is_weighed(candidate: CheckedGame) -> None:
    """Either chance decides or the player, both by the rules, and worlds can be imagined."""
    game: Any = candidate.game
    chance, state = random.Random(1), game.start(game.setup())
    for _ in range(PLIES):
        if game.to_move(state) is None:
            break
        action, plays = game.by_chance(state, chance), list(game.hand_plays(state))
        assert (action is None) == bool(plays), "both chance and the player decide, or neither"
        if plays:
            play = chance.choice(plays)
            action, world = play.action, game.world(state, chance)
            _, nodes = game.prospect(state, world, play, chance)
            assert nodes > 0, "nothing was played out"
            game.at_once(state, play)
            game.why(state, action)
        assert action in game.legal(state), f"{action} is not legal"
        state = game.advance(state, action)


@check(BRONZE, UciNotation)
def other_programs_can_play(candidate: CheckedGame) -> None:
    """A position is told to programs of others, and nonsense is no move of theirs."""
    game: Any = candidate.game
    for state in walk(game, plies=5):
        assert game.uci_position(state), "a position is told in no words"
        assert game.uci_action(state, "nonsense") is None, "nonsense is a move"
