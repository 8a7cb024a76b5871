"""What several commands share: choosing a game, its set-up and the position to begin with."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.commands.weight import weigh
from companion.games import find_game, usual
from companion.live.reading_entries import captures
from companion.machine.options import complain
from companion.machine.settings_file import PLAY, SettingsFile
from companion.rules import (
    Action,
    BadInput,
    CompanionError,
    Game,
    OneLineNotation,
    SavedStates,
    Setup,
    arrangements,
    quoted,
    say,
)
from companion.rules.unknown import ODD
from companion.runtime.files import read_json

MEANINGLESS = (*ODD, AssertionError, MemoryError)
"""The exceptions that a game may raise over a state that it could never reach."""
Run = Callable[[argparse.Namespace], int]


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """Add GAME and what chooses seats, options and the first position."""
    parser.add_argument("game", metavar="GAME", help="a name that `companion games` lists")
    add_setup_arguments(parser)
    parser.add_argument(
        "--position",
        metavar="FILE",
        type=Path,
        help='begin with the position in FILE: JSON, either {"position": '
        f'{{"{usual.SPOT}": "{usual.TOKEN}", …}}, "to_move": "{usual.FIRST_SEAT}"}} '
        "or a whole state",
    )
    parser.add_argument(
        "--fen", metavar="TEXT", help="begin with a position in the game's own one-line notation"
    )


def settle(arguments: argparse.Namespace, folder: Path) -> None:
    """Give the flags of ``companion play`` that were left away what the settings file in
    ``folder`` says, else their defaults.

    Raises:
        BadInput: the file cannot be read, or something in it is no setting.
    """
    given = SettingsFile(folder).given()
    for setting in PLAY:
        if getattr(arguments, setting.option, ...) is None:
            setattr(arguments, setting.option, given.get(setting.name, setting.default))


def add_setup_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --seats and --option."""
    parser.add_argument(
        "--seats", metavar="A,B", help=f"who plays, in order of play, e.g. {usual.SEATS}"
    )
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a house rule; may be given several times; `companion games GAME` lists them",
    )


def chosen_setup(game: Game[Any], arguments: argparse.Namespace) -> Setup:
    """Return the set-up that --seats and --option describe."""
    options = {}
    for text in arguments.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--option {quoted(text)} has no “=”; write it as “NAME=VALUE”")
        options[name] = value
    seats = arguments.seats.split(",") if arguments.seats else None
    return game.setup(seats, options)


def chosen_state(arguments: argparse.Namespace) -> tuple[Game[Any], Setup, Any]:
    """Return the game, its set-up and the state to begin with. Say why a position that was given
    cannot come about, if it cannot; it is ruled on as it stands."""
    game = find_game(arguments.game)
    setup = chosen_setup(game, arguments)
    if not (arguments.fen or arguments.position):
        return game, setup, game.start(setup)
    state = _given_state(game, setup, arguments)
    if problems := arrangements(game).check(state):
        why = "; ".join(f"{problem.reason.rstrip('.')} ({problem.rule})" for problem in problems)
        complain(f"the position cannot come about, and is ruled on as it stands: {why}")
    return game, setup, state


def _given_state(game: Game[Any], setup: Setup, arguments: argparse.Namespace) -> Any:
    """Return the state of ``--fen`` or ``--position``."""
    if arguments.fen and arguments.position:
        raise BadInput("--fen and --position both name a position; give one of them")
    if arguments.fen:
        if not isinstance(game, OneLineNotation):
            raise BadInput(
                say("positions of {game} are not written on one line; use a file", game=game.title)
            )
        return game.read_position(setup, arguments.fen)
    position = read_json(arguments.position)
    try:
        weigh(position)
    except BadInput as error:
        raise BadInput(f"cannot read {arguments.position}: {error}") from error
    return read_state(game, setup, position)


def read_state(game: Game[Any], setup: Setup, data: Mapping[str, Any]) -> Any:
    """Return the state that a position file describes: a position, or a whole dump.

    Raises:
        BadInput: it describes neither.
    """
    board = game.board(setup)
    if "position" not in data and data and all(key in board for key in data):
        data = {"position": data}
    if "position" not in data:
        if not isinstance(game, SavedStates):
            raise BadInput(say("whole states of {game} are not kept in files", game=game.title))
        return game.load(data)
    position, to_move = data["position"], data.get("to_move")
    if not isinstance(position, dict) or not all(isinstance(t, str) for t in position.values()):
        shown = f'“{{"{usual.SPOT}": "{usual.TOKEN}"}}”'
        raise BadInput(f"“position” gives a token for each spot, as in {shown}")
    if to_move is not None and to_move not in setup.seats:
        raise BadInput(f"“to_move” is one of {', '.join(setup.seats)}, not {quoted(to_move)}")
    return arrangements(game).arrange(setup, position, to_move)


def state_given(run: Run) -> Run:
    """Return a command that takes --position. A whole state is what the companion wrote itself
    and is taken as it is; one that was changed may mean nothing anywhere in its game."""

    def guarded(arguments: argparse.Namespace) -> int:
        try:
            return run(arguments)
        except CompanionError:
            raise
        except MEANINGLESS as error:
            if not arguments.position:
                raise
            raise BadInput(
                f"{arguments.position} holds no state that {arguments.game} can be played from; "
                "give a position as in the help, or a state as the companion wrote it"
            ) from error

    return guarded


def describe(game: Game[Any], state: Any, action: Action) -> dict[str, Any]:
    """Return one action as ``legal`` prints it; fields that do not apply are None."""
    effect = game.effect(state, action)
    return {
        "action": game.format(action),
        "seat": effect.seat,
        "piece": effect.piece,
        "from": action.origin,
        "to": action.target,
        "captures": captures(effect),
    }


def played(arguments: argparse.Namespace) -> tuple[Game[Any], Any]:
    """Return the game and its state after the actions given."""
    game, setup, state = chosen_state(arguments)
    for text in arguments.actions:
        state = game.apply(state, game.parse(setup, text))
    return game, state


def ruled(arguments: argparse.Namespace, chosen: tuple[Game[Any], Setup, Any], **also: Any) -> None:
    """Rule on each action given in turn, from the ``chosen`` state on, and tell it; a refused one
    is not played. ``also`` is added to each ruling that is printed as JSON."""
    game, setup, state = chosen
    for text in arguments.actions:
        action = game.parse(setup, text)
        ruling = game.judge(state, action)
        if arguments.json:
            print_json(
                {
                    "action": game.format(action),
                    "allowed": ruling.allowed,
                    "rule": ruling.rule,
                    "reason": ruling.reason,
                    "spots": list(ruling.spots),
                    **also,
                }
            )
        else:
            verdict = "allowed" if ruling.allowed else "REFUSED"
            print(f"{text}: {verdict} by {ruling.rule}: {ruling.reason}")
        if ruling.allowed:
            state = game.apply(state, action)


def print_json(value: Any) -> None:
    """Print one JSON value on one line, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()
