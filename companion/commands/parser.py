"""The command line: every command with its options, and what each of them means."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from companion.commands.adding import Commands, add_command
from companion.commands.club_options import add_club_commands
from companion.commands.common import add_game_arguments, add_setup_arguments
from companion.commands.keeping_options import add_keeping_commands
from companion.games import usual
from companion.machine.options import Parser, Version, named, seconds, whole
from companion.machine.settings_file import LIGHTS, PLAY, SETTINGS, SOURCES, Setting
from companion.rules import quoted

RECORDED = "keep the pictures in which something happened, and what was read"


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; actions may stand on either side of the options, and what follows
    ``--`` is for another command (``handed_on``)."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = build_parser(words[0] if words else "")
    if not words:
        parser.print_help()
        parser.exit(2)
    cut = words.index("--") if "--" in words[1:] else len(words)
    arguments, rest = parser.parse_known_args(words[:cut])
    if hasattr(arguments, "handed_on"):
        arguments.handed_on = words[cut + 1 :]
    else:
        rest += words[cut:]
    # argparse gives a list of positionals up at the first option that stands between them.
    listed = next((name for name in ("actions", "names") if hasattr(arguments, name)), None)
    if rest and listed and not any(text.startswith("-") for text in rest):
        setattr(arguments, listed, [*getattr(arguments, listed), *rest])
    elif rest:
        parser.error(f"{quoted(' '.join(rest))} means nothing here", arguments.command)
    return arguments


def build_parser(command: str = "") -> Parser:
    """Return the parser of all commands; if ``command`` is one of them, of those that are added
    together with it."""
    parser = Parser(
        prog="companion",
        description="A camera reads a real table, a rules engine rules on every move, and every "
        "player has a scorecard on the phone.",
        epilog="Begin with `companion play`: it needs no camera, no lights and no internet.",
    )
    parser.add_argument("--version", action=Version, help="tell the version, and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in [add for add, names in FAMILIES.items() if command in names] or FAMILIES:
        add(commands)
    return parser


def add_rules_commands(commands: Commands) -> None:
    """Add games, legal, judge, lessons and perft."""
    games = add_command(
        commands, "games", "rules.run_games",
        "list the games, or the options of one",
        f"companion games {usual.NAME}",
    )  # fmt: skip
    games.add_argument("game", metavar="GAME", nargs="?")
    legal = add_command(
        commands, "legal", "rules.run_legal",
        "list the legal actions, after the actions given",
        f"companion legal {usual.NAME} {usual.MOVE} --seats {usual.SEATS}",
    )  # fmt: skip
    add_game_arguments(legal)
    first = f"played first, e.g. {usual.MOVE} {usual.TURN_END}"
    legal.add_argument("actions", metavar="ACTION", nargs="*", help=first)
    judge = add_command(
        commands, "judge", "rules.run_judge",
        "rule on each action: allowed or refused, by which rule, proved by which spots",
        f"companion judge {usual.NAME} {usual.MOVE} {usual.OTHER_MOVE}",
    )  # fmt: skip
    add_game_arguments(judge)
    judge.add_argument(
        "actions", metavar="ACTION", nargs="*", help="judged in order; allowed ones are played"
    )
    lessons = add_command(
        commands, "lessons", "rules.run_lessons",
        "list the lessons of a game, each with its goal",
        f"companion lessons {usual.NAME} --check",
    )  # fmt: skip
    lessons.add_argument("game", metavar="GAME", help="a name that `companion games` lists")
    lessons.add_argument("--check", action="store_true", help="tell what is wrong with them")
    add_referee(commands)
    perft = add_command(
        commands, "perft", "rules.run_perft",
        "count the sequences of DEPTH legal actions",
        f"companion perft {usual.NAME} 2 --seats {usual.SEATS}",
    )  # fmt: skip
    add_game_arguments(perft)
    perft.add_argument("depth", metavar="DEPTH", type=whole(0))
    perft.add_argument("--divide", action="store_true", help="count below each first action too")


def add_player_commands(commands: Commands) -> None:
    """Add match, advise and analyse."""
    match = add_command(
        commands, "match", "players.run_match",
        "let machines play each other, with seats rotated, and tell who won how often",
        f"companion match {usual.NAME} level:4 greedy --seats {usual.SEATS} --games 10",
    )  # fmt: skip
    match.add_argument("game", metavar="GAME", help="a name that `companion games` lists")
    match.add_argument(
        "names",
        metavar="PLAYER",
        nargs="+",
        help="level:1 to level:6, greedy, random, or uci:PROGRAM (with @ELO for its strength)",
    )
    add_setup_arguments(match)
    match.add_argument("--games", metavar="N", type=whole(1), default=10, help="[10]")
    match.add_argument("--seed", metavar="S", type=whole(0), default=1, help="of chance [1]")
    limit = match.add_mutually_exclusive_group()
    limit.add_argument(
        "--nodes",
        metavar="N",
        type=whole(1),
        help="positions level 6 looks at for an action, each lower level a quarter of the next",
    )
    limit.add_argument("--seconds", metavar="T", type=seconds, help="the same in seconds")
    advise = add_command(
        commands, "advise", "players.run_advise",
        "tell what a machine would do after the given actions, and why",
        f"companion advise {usual.NAME} --seats {usual.SEATS}",
    )  # fmt: skip
    add_game_arguments(advise)
    first = f"played first, e.g. {usual.MOVE} {usual.TURN_END}"
    advise.add_argument("actions", metavar="ACTION", nargs="*", help=first)
    advise.add_argument("--level", metavar="L", type=whole(1, 6), default=4, help="1 to 6 [4]")
    advise.add_argument("--ideas", metavar="N", type=whole(1, 20), default=3, help="how many [3]")
    analyse = add_command(
        commands, "analyse", "players.run_analyse",
        "look at a game again: what each seat could expect, what was better, who blundered",
        f"companion analyse {usual.NAME} {usual.MOVE} --seats {usual.SEATS}",
    )  # fmt: skip
    add_game_arguments(analyse)
    analyse.add_argument("actions", metavar="ACTION", nargs="+", help="the game, in its order")
    analyse.add_argument("--level", metavar="L", type=whole(1, 6), default=2, help="1 to 6 [2]")
    analyse.add_argument(
        "--notation", metavar="NAME", help="write the game for other programs, with evaluations"
    )


def add_referee(commands: Commands) -> None:
    """Add referee."""
    referee = add_command(
        commands, "referee", "referee.run_referee",
        "write a ruling as one HTML file to send or print: board, rule, proof",
        f"companion referee {usual.NAME} {usual.MOVE} --position position.json",
    )  # fmt: skip
    add_game_arguments(referee)
    referee.add_argument(
        "actions", metavar="ACTION", nargs="+", help="judged in order; allowed ones are played"
    )
    referee.add_argument(
        "--html", metavar="FILE", type=named, default="ruling.html", help="[ruling.html]"
    )
    referee.add_argument("--language", choices=("en", "it", "fr", "es"), default="en")


def add_writing_commands(commands: Commands) -> None:
    """Add new-game and check-game."""
    new = add_command(
        commands, "new-game", "new_game.run_new_game",
        "write the skeleton of a game of your own: a package that can be installed and played",
        "companion new-game fox",
    )  # fmt: skip
    new.add_argument("name", metavar="NAME", help="small letters, digits, - and _")
    new.add_argument("--folder", metavar="FOLDER", type=named, help="a new folder [NAME]")
    check = add_command(
        commands, "check-game", "check_game.run_check_game",
        "check that a game keeps the contract: bronze, silver or gold, and what is missing",
        "companion check-game fox",
    )  # fmt: skip
    check.add_argument(
        "game", metavar="GAME|FOLDER", help="a game that is installed, or the folder of its package"
    )


def add_replay(commands: Commands) -> None:
    """Add replay."""
    replay = add_command(
        commands,
        "replay",
        "recorded.run_replay",
        "read a recorded game: a folder of numbered pictures with table.json, or a video",
        "companion replay my-recording --json",
    )
    replay.add_argument("recording", metavar="FOLDER|VIDEO", type=Path)
    replay.add_argument(
        "--table",
        metavar="FILE",
        type=named,
        help="the table file; default: table.json in the folder",
    )
    replay.add_argument(
        "--journal",
        metavar="FILE",
        type=named,
        help="keep the game in this journal, for `audit` and `play`",
    )
    replay.add_argument(
        "--why",
        metavar="FRAME",
        help="tell how this picture was read, instead of all lines: 0015.jpg or 0015",
    )
    replay.add_argument(
        "--html",
        metavar="FILE",
        type=named,
        help="with --why: write it with the picture as one page",
    )


def add_recorded_commands(commands: Commands) -> None:
    """Add replay, look, dice and audit."""
    add_replay(commands)
    look = add_command(
        commands,
        "look",
        "recorded.run_look",
        "tell from one photograph whether the board is empty, set up, or what stands where",
        "companion look photo.jpg --table table.json",
    )
    look.add_argument("photo", metavar="PHOTO", type=named)
    look.add_argument(
        "--table",
        metavar="FILE",
        type=named,
        help="the table file; default: the photo's name with .table.json",
    )
    dice = add_command(
        commands, "dice", "dice.run_dice",
        "find the dice with pips in any photograph: value and middle of each, in pixels",
        "companion dice photo.jpg --json",
    )  # fmt: skip
    dice.add_argument("photo", metavar="PHOTO", type=named, help="any picture, any dice with pips")
    audit = add_command(
        commands, "audit", "audit.run_audit",
        "replay a whole record, journal or PGN and list what did not stand, with the rule",
        "companion audit game.txt",
    )  # fmt: skip
    audit.add_argument("record", metavar="FILE", type=named, help="a record (text), PGN or journal")


def add_live_commands(commands: Commands) -> None:
    """Add play, host-link and doctor."""
    play = add_command(
        commands,
        "play",
        "live.run_play",
        "start the service: by default on a simulated table in the browser",
        f"companion play {usual.NAME} --seats {usual.SEATS}",
    )
    play.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help=f"a name that `companion games` lists [what was played last, else {usual.NAME}]",
    )
    add_setup_arguments(play)
    add_serving(play)
    link = add_command(
        commands,
        "host-link",
        "link.run_host_link",
        "show a new link that makes a phone the host's, of the table that runs on this machine",
        "companion host-link",
    )
    add_setting(link, SETTINGS["play.port"])
    add_doctor(commands)


def add_serving(play: argparse.ArgumentParser) -> None:
    """Add where the pages are served, where the game is kept, and what is attached."""
    for setting in PLAY:
        add_setting(play, setting)
    play.add_argument(
        "--journal",
        metavar="FILE",
        type=named,
        help="where the game is kept [in the user's data folder]",
    )
    begun = play.add_mutually_exclusive_group()
    begun.add_argument("--new", action="store_true", help="begin a new game instead of resuming")
    begun.add_argument(
        "--resume",
        action="store_true",
        help="go on with whatever was played last, also another game that was begun on a phone: "
        "what the service does",
    )
    play.add_argument(
        "--players",
        metavar="SEAT=PLAYER,…",
        help="who plays: level:1 to level:6, greedy, uci:PROGRAM, or person; e.g. "
        f"{usual.FIRST_SEAT}=person,{usual.SEATS.rpartition(',')[2]}=level:4",
    )
    play.add_argument("--record", metavar="FOLDER", type=named, help=RECORDED)
    play.add_argument("--table", metavar="FILE", type=named, help="the table file of a real camera")


def add_setting(parser: argparse.ArgumentParser, setting: Setting) -> None:
    """Add the flag of a setting. Left away it is None: the file has its say, and the default."""
    flag = f"--{setting.option.replace('_', '-')}"
    if isinstance(setting.default, bool):
        parser.add_argument(flag, action=argparse.BooleanOptionalAction, help=setting.about)
        return
    default = f" [{setting.default}]" if setting.default != "" else ""
    about = f"{setting.about}{default}".replace("%", "%%")
    parser.add_argument(flag, metavar=setting.metavar, type=setting.flag, help=about)


def add_doctor(commands: Commands) -> None:
    """Add doctor."""
    doctor = add_command(
        commands,
        "doctor",
        "doctor.run_doctor",
        "check this machine: packages, camera, lights, disk, and what to do about each",
        "companion doctor",
    )
    doctor.add_argument(
        "--root", metavar="FOLDER", type=Path, help="look at the system files of another machine"
    )


def add_camera_commands(commands: Commands) -> None:
    """Add record and calibrate."""
    record = add_command(
        commands, "record", "record.run_record",
        "write a camera's pictures as a recorded game, which `replay` reads",
        "companion record v4l2:0 my-recording --table table.json",
    )  # fmt: skip
    record.add_argument("source", metavar="SOURCE", help=SOURCES)
    record.add_argument("folder", metavar="FOLDER", type=named, help="a new folder")
    record.add_argument(
        "--table",
        metavar="FILE",
        type=named,
        help="the table file: the game is read while it is recorded",
    )
    record.add_argument(
        "--every", metavar="SECONDS", type=seconds, default=0.5, help="between two pictures [0.5]"
    )
    record.add_argument("--frames", metavar="N", type=whole(1), help="end after so many pictures")
    add_setting(record, SETTINGS["play.record_megabytes"])
    calibrate = add_command(
        commands,
        "calibrate",
        "calibrate.run_calibrate",
        "find the board in a camera's picture, by itself or with you, and write the table file",
        f"companion calibrate v4l2:0 {usual.NAME} --out table.json",
    )
    calibrate.add_argument("source", metavar="SOURCE", help=SOURCES)
    calibrate.add_argument("game", metavar="GAME", help="a name that `companion games` lists")
    add_setup_arguments(calibrate)
    calibrate.add_argument(
        "--out", metavar="FILE", type=named, default=Path("table.json"), help="[table.json]"
    )
    add_setting(calibrate, SETTINGS["play.port"])


def add_box_commands(commands: Commands) -> None:
    """Add what builds a table: print, lights, wire, install-service, backup and restore."""
    printing = add_command(
        commands, "print", "printing.run_print",
        "make a PDF at true size: the board with corner markers, pieces, LED template, wiring plan",
        f"companion print {usual.NAME} --what board,tokens --paper a4",
    )  # fmt: skip
    printing.add_argument("game", metavar="GAME", help="a name that `companion games` lists")
    add_setup_arguments(printing)
    printing.add_argument(
        "--what",
        metavar="A,B",
        help="board, tokens (pieces, fronts and backs), mat (for dice), markers, leds, wiring, "
        "leaflet (the game on a page) [board, and flat pieces]",
    )
    printing.add_argument(
        "--language", choices=("en", "it", "fr", "es"), default="en", help="of the leaflet [en]"
    )
    printing.add_argument(
        "--paper", default="a4", help="a4, letter, a3, tabloid, a2, a1 or a0 [a4]"
    )
    printing.add_argument(
        "--cell", metavar="MM", type=float, help="size of a cell [the game's own]"
    )
    printing.add_argument(
        "--fit", action="store_true", help="shrink the board, and pieces with it, to one page"
    )
    printing.add_argument(
        "--plain", action="store_true", help="no letters, numbers, names of places and ornament"
    )
    printing.add_argument(
        "--no-letters", action="store_true", help="no letters, numbers and names of places"
    )
    printing.add_argument("--wiring", metavar="FILE", type=named, help="of leds and wiring")
    printing.add_argument(
        "--out", metavar="FILE", type=named, help="the PDF, or NAME.svg [GAME.pdf]"
    )
    printing.add_argument(
        "--parts", metavar="FILE", type=named, help="what the table takes, too, as CSV"
    )
    printing.add_argument(
        "--frame", metavar="FILE", type=named, help="frame and stand, too, for OpenSCAD"
    )
    add_light_commands(commands)
    add_keeping_commands(commands)


def add_light_commands(commands: Commands) -> None:
    """Add lights and wire."""
    lights = add_command(
        commands,
        "lights",
        "wire.run_lights",
        "tell what the lights mean and draw, and set what is lit and how bright",
        f"companion lights {usual.NAME} --brightness 60 --night 22:00-07:00",
    )
    lights.add_argument("game", metavar="GAME", help="a name that `companion games` lists")
    add_setup_arguments(lights)
    lights.add_argument("--journal", metavar="FILE", type=named, help="whose table's lights")
    lights.add_argument("--wiring", metavar="FILE", type=named, help="strips and their limits")
    lights.add_argument("--level", metavar="LEVEL", help="full, errors or off")
    lights.add_argument("--brightness", metavar="PERCENT", type=whole(0, 100))
    lights.add_argument("--night", metavar="FROM-TILL", help="such as 22:00-07:00, on, or empty")
    lights.add_argument("--night-brightness", metavar="PERCENT", type=whole(0, 100))
    wire = add_command(
        commands, "wire", "wire.run_wire",
        "light LED after LED, ask which cell is lit, and write the wiring file",
        f"companion wire {usual.NAME} --lights spi:0.0 --out wiring.toml",
    )  # fmt: skip
    wire.add_argument("game", metavar="GAME", help="a name that `companion games` lists")
    add_setup_arguments(wire)
    wire.add_argument("--lights", metavar="DRIVER", default="terminal", help=f"{LIGHTS} [terminal]")
    wire.add_argument(
        "--leds", metavar="N", type=whole(1, 100_000), help="LEDs of the strip [one a cell]"
    )
    wire.add_argument(
        "--pretend", metavar="FILE", type=named, help="how the terminal's strip runs, to practise"
    )
    wire.add_argument(
        "--out", metavar="FILE", type=named, default=Path("wiring.toml"), help="[wiring.toml]"
    )


FAMILIES: Mapping[Callable[[Commands], None], tuple[str, ...]] = {
    add_rules_commands: ("games", "legal", "judge", "lessons", "referee", "perft"),
    add_player_commands: ("match", "advise", "analyse"),
    add_writing_commands: ("new-game", "check-game"),
    add_recorded_commands: ("replay", "look", "dice", "audit"),
    add_live_commands: ("play", "host-link", "doctor"),
    add_camera_commands: ("record", "calibrate"),
    add_box_commands: (
        "print", "lights", "wire", "settings", "install-service", "backup", "restore", "token",
        "first-start", "log",
    ),
    add_club_commands: ("club",),
}  # fmt: skip
"""What adds commands, in the order of the help, and the names of those."""
