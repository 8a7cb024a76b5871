"""``games``, ``legal``, ``judge``, ``perft``: the rules engine from the command line."""

from __future__ import annotations

import argparse
import time
from typing import Any

from companion.commands.common import (
    chosen_state,
    describe,
    played,
    print_json,
    ruled,
    state_given,
)
from companion.games import find_game, games, unplayable
from companion.machine.options import complain
from companion.referee.lessons import lessons_of, problems
from companion.rules import OrderOption, perft


def run_games(arguments: argparse.Namespace) -> int:
    """List the games, or one game's seats and options; what is installed and cannot be played is
    told with the reason."""
    listed, broken = [describe_game(name) for name in games()], unplayable()
    if arguments.game:
        listed, broken = [describe_game(find_game(arguments.game).name)], ()
    if arguments.json:
        print_json(listed)
        for one in broken:
            complain(one.reason)
        return 0
    for game in listed:
        print(f"{game['name']:14} {game['title']}; seats {', '.join(game['seats'])}")
        for option in game["options"] if arguments.game else ():
            order = ",".join(option["order"])
            values = "|".join(option["choices"]) or "number"
            values = f"{order} in any order" if order else values
            name = f"{option['name']}={values} [{order or option['default']}]"
            print(f"  {name}\n      {option['about']} ({option['rule']})")
    for one in broken:
        print(f"{one.name:14} {one.reason}")
    return 0


def describe_game(name: str) -> dict[str, Any]:
    """Return a game's name, title, seats and options as JSON values."""
    game = find_game(name)
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "choices": list(option.choices),
                "order": list(option.things) if isinstance(option, OrderOption) else [],
                "rule": option.rule,
                "about": option.about,
            }
            for option in game.options
        ],
    }


def run_lessons(arguments: argparse.Namespace) -> int:
    """List the lessons of a game; with --check also what is wrong with them, which is status 1."""
    game = find_game(arguments.game)
    listed: list[dict[str, Any]] = []
    for lesson in lessons_of(game):
        text = lesson.text("en")
        wrong = {"problems": problems(game, lesson)} if arguments.check else {}
        listed.append({"name": lesson.name, "title": text.title, "goal": text.goal, **wrong})
    if arguments.json:
        print_json(listed)
    else:
        for number, one in enumerate(listed, start=1):
            print(f"{number:2} {one['name']:14} {one['goal']}")
            for problem in one.get("problems", ()):
                print(f"   {'':14} {problem}")
    return int(any(one.get("problems") for one in listed))


@state_given
def run_legal(arguments: argparse.Namespace) -> int:
    """List the legal actions after the given ones."""
    game, state = played(arguments)
    listed = [describe(game, state, action) for action in game.legal(state)]
    if arguments.json:
        print_json(listed)
        return 0
    print(f"{game.to_move(state) or 'nobody'} to move, {len(listed)} legal actions")
    for entry in listed:
        taken = f"  takes {entry['captures']}" if entry["captures"] else ""
        print(f"  {entry['action']:10} {entry['piece'] or ''}{taken}")
    return 0


@state_given
def run_judge(arguments: argparse.Namespace) -> int:
    """Rule on each action in turn; a refused one is not played."""
    ruled(arguments, chosen_state(arguments))
    return 0


@state_given
def run_perft(arguments: argparse.Namespace) -> int:
    """Count the sequences of DEPTH legal actions."""
    game, setup, state = chosen_state(arguments)
    if arguments.divide and arguments.depth:
        for action in game.legal(state):
            nodes = perft(game, game.advance(state, action), arguments.depth - 1)
            print(f"{game.format(action)}: {nodes}")
    begun = time.perf_counter()
    nodes = perft(game, state, arguments.depth)
    seconds = round(time.perf_counter() - begun, 3)
    if arguments.json:
        print_json({"depth": arguments.depth, "nodes": nodes, "seconds": seconds})
    else:
        print(f"{game.name}, {len(setup.seats)} seats, depth {arguments.depth}: {nodes} nodes")
    return 0
