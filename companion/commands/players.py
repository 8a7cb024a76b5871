"""``match``, ``advise``, ``analyse``: players that are machines, from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from companion.commands.common import (
    chosen_setup,
    chosen_state,
    played,
    print_json,
    state_given,
)
from companion.games import find_game
from companion.players import analysis
from companion.players.advice import advise, as_json
from companion.players.analysis import Reviewed
from companion.players.budget import Budget
from companion.players.match import Match, Tally
from companion.rules import Action, ActionRemark, BadInput, Game, TimedExports, quoted, say


def run_match(arguments: argparse.Namespace) -> int:
    """Play games between players that are machines, and tell who won how often."""
    game = find_game(arguments.game)
    setup = chosen_setup(game, arguments)
    budget = Budget(nodes=arguments.nodes, seconds=arguments.seconds)
    match = Match(game, setup, tuple(arguments.names), budget)
    tally = match.play(arguments.games, arguments.seed)
    if arguments.json:
        print_json(tally.as_json())
        return 0
    for name, wins in tally.wins.most_common():
        points = f", {tally.points[name]} points" if tally.points else ""
        print(f"{name:24} won {wins} of {tally.games}{points}{_ahead(tally, name)}")
    print(f"{tally.draws} drawn, {tally.seconds:.1f} s")
    return 0


def _ahead(tally: Tally, name: str) -> str:
    """Return by how much ``name`` is ahead, as part of a line; nothing where nothing is dealt."""
    ahead = tally.ahead(name)
    if ahead is None:
        return ""
    gap, half = ahead
    return f", ahead by {gap:.1f} a deal (95 %: {gap - half:.1f} to {gap + half:.1f})"


@state_given
def run_advise(arguments: argparse.Namespace) -> int:
    """Tell what a machine would do after the given actions, the best idea first."""
    game, state = played(arguments)
    ideas = advise(game, state, arguments.level, arguments.ideas)
    if arguments.json:
        print_json(as_json(game, ideas))
        return 0
    if not ideas:
        over = game.to_move(state) is None
        print("The game is over." if over else "Now chance decides: there is nothing to weigh.")
    for idea in ideas:
        line = " ".join(game.format(action) for action in idea.line[1:])
        print(f"{game.format(idea.action):12} {100 * idea.expected:5.1f} %  {idea.reason}")
        if line:
            print(f"{'':12} then {line}")
    return 0


@state_given
def run_analyse(arguments: argparse.Namespace) -> int:
    """Tell of each of the given actions what its seat could expect, and what was better."""
    game, setup, start = chosen_state(arguments)
    actions, state = [game.parse(setup, text) for text in arguments.actions], start
    for action in actions:
        state = game.apply(state, action)
    moments = list(analysis.analysed(game, start, actions, arguments.level))
    if arguments.notation:
        print(_written(game, start, actions, moments, arguments.notation), end="")
        return 0
    told = analysis.as_json(game, moments)
    if arguments.json:
        print_json(told)
        return 0
    for number, (one, moment) in enumerate(zip(told["actions"], moments, strict=True), start=1):
        share = 100 * moment.shares[moment.seat]
        better = f"  {one['best']} was better by {100 * moment.lost:.0f} %"
        print(f"{number:4} {moment.seat:8} {one['action']:12} {share:5.1f} %"
              f"{better if moment.blunder else ''}")  # fmt: skip
    for seat, own in told["seats"].items():
        print(f"{seat}: {own['actions']} actions, {own['blunders']} blunders, "
              f"{own['captures']} captured, {100 * own['lost']:.1f} % given away each")  # fmt: skip
    return 0


def _written(
    game: Game[Any], start: Any, actions: Sequence[Action], moments: Sequence[Reviewed], name: str
) -> str:
    """Return the game in the notation ``name``, with what the first seat could expect."""
    if not isinstance(game, TimedExports) or name not in game.notations:
        known = ", ".join(game.notations) if isinstance(game, TimedExports) else "none"
        raise BadInput(
            say(
                "{game} is written with evaluations in: {known}; not in {name}",
                game=game.title, known=known, name=quoted(name),
            )
        )  # fmt: skip
    first, shares = start.setup.seats[0], {one.at: one.shares for one in moments}
    remarks = [
        ActionRemark(expected=shares[at][first]) if at in shares else ActionRemark()
        for at in range(len(actions))
    ]
    return game.notate_timed(name, start, actions, {}, remarks)
