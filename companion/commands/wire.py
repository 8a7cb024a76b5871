"""``lights`` and ``wire``: what the lights mean and draw, how they shall be, and how they run."""

from __future__ import annotations

import argparse
import dataclasses
import sys
import threading
import time
from collections.abc import Callable

from companion.commands.common import chosen_setup, print_json
from companion.games import find_game
from companion.live.lighting import light_settings
from companion.machine.settings_file import Section, SettingsFile
from companion.rules import BadInput, HardwareFault
from companion.runtime.locations import data_folder
from hardware.budget import budgets
from hardware.finding import Walk, colour_test, colours_seen
from hardware.lights import MEANINGS
from hardware.opening import UNREAL, open_lights
from hardware.settings import LightSettings
from hardware.strip import Pixels, Strip
from hardware.terminal import TerminalStrip, colourful
from hardware.wiring import COLOURS, default_wiring, load_wiring, write_wiring

HOLD = 0.5
"""Seconds after which an LED is lit again while a person thinks, because controllers forget."""
HELP = """Look at the board and type what is lit: its cell (several, if you know what comes next),
Enter for the cell in brackets, - for none, b to go back, q to stop."""


def run_lights(arguments: argparse.Namespace) -> int:
    """Keep the settings that are given, and tell what is lit and what it draws."""
    game = find_game(arguments.game)
    setup = chosen_setup(game, arguments)
    board = game.board(setup)
    wiring = load_wiring(arguments.wiring, board) if arguments.wiring else default_wiring(board)
    journal = arguments.journal or data_folder() / f"{game.name}.sqlite3"
    kept = Section(SettingsFile(journal.parent), "lights")
    names = [field.name for field in dataclasses.fields(LightSettings)]
    given = {n: getattr(arguments, n) for n in names if getattr(arguments, n) is not None}
    settings = dataclasses.replace(light_settings(kept, journal), **given)
    if given:
        kept.save(given)
    drawn = budgets(game, setup, wiring, settings)
    if arguments.json:
        strips = [dataclasses.asdict(one) | {"supply_a": one.supply_a} for one in drawn]
        meanings = {name: [light.effect, light.words] for name, light in MEANINGS.items()}
        print_json(
            {"settings": dataclasses.asdict(settings), "strips": strips, "meanings": meanings}
        )
        return 0
    for name, light in MEANINGS.items():
        print(f"{name:12} {light.effect:7} {light.words}")
    for name, value in dataclasses.asdict(settings).items():
        print(f"{name} = {value}")
    for number, one in enumerate(drawn, start=1):
        print(
            f"strip {number}: {one.leds} LEDs; dark {one.idle:.0f} mA, brightest frame at the "
            f"start {one.brightest:.0f} mA, all white {one.white:.0f} mA; limited to "
            f"{one.limit:.0f} mA: a 5 V supply of {one.supply_a:.1f} A or more"
        )
    return 0


def run_wire(arguments: argparse.Namespace) -> int:
    """Light LED after LED, ask which cell is lit, and write the wiring."""
    game = find_game(arguments.game)
    board = game.board(chosen_setup(game, arguments))
    usual = default_wiring(board)
    pretended = load_wiring(arguments.pretend, board) if arguments.pretend else usual
    count = arguments.leds or (pretended.count if arguments.lights in UNREAL else usual.count)
    wiring = dataclasses.replace(pretended, count=count, strips=())
    strip: Strip
    if arguments.lights == "terminal":
        strip = TerminalStrip(board, wiring, sys.stderr, False, colourful(sys.stderr))
    else:
        strip = open_lights(arguments.lights, wiring, board, time.monotonic)
    lamp = Lamp(strip, hold=arguments.lights not in UNREAL)
    try:
        print(HELP, file=sys.stderr)
        colours = COLOURS if arguments.lights in UNREAL else ask_colours(lamp, count, asked)
        walk = walked(Walk(board, count), lamp, asked)
    finally:
        lamp.close()
    address = "" if arguments.lights in UNREAL else arguments.lights
    found = walk.wiring(colours, address)
    try:
        arguments.out.write_text(write_wiring(found), encoding="utf-8")
    except OSError as error:
        raise HardwareFault(f"{arguments.out} cannot be written: {error.strerror}") from error
    if arguments.json:
        print_json({"wiring": str(arguments.out), "leds": found.count, "colours": colours})
    else:
        print(f"{arguments.out}: {found.count} LEDs under {len(found.leds)} spots")
        print(f"Use it: companion play {game.name} --wiring {arguments.out}")
    return 0


def asked(question: str) -> str:
    """Ask at the terminal; the question goes where results do not.

    Raises:
        BadInput: the answers have ended.
    """
    print(question, end=" ", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise BadInput("the walk-through was left before its end; no wiring was written")
    return line.strip().lower()


class Lamp:
    """Keeps a strip showing something while a person thinks."""

    def __init__(self, strip: Strip, hold: bool) -> None:
        self._strip, self._stop = strip, threading.Event()
        self._pixels: Pixels = ()
        self._fault: Exception | None = None
        self._guard = threading.Lock()
        self._thread = threading.Thread(target=self._hold, daemon=True)
        if hold:
            self._thread.start()

    def show(self, pixels: Pixels) -> None:
        """Light the LEDs until something else is shown.

        Raises:
            HardwareFault: the strip is gone, or was meanwhile.
        """
        if self._fault is not None:
            raise self._fault
        with self._guard:
            self._pixels = pixels
            self._strip.show(pixels)

    def _hold(self) -> None:
        while not self._stop.wait(HOLD):
            try:
                with self._guard:
                    if self._pixels:
                        self._strip.show(self._pixels)
            except Exception as error:  # it meets the person with the next LED
                self._fault = error
                return

    def close(self) -> None:
        """Put all LEDs out."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._strip.close()


def ask_colours(lamp: Lamp, count: int, ask: Callable[[str], str]) -> str:
    """Return the order in which the LEDs take their colours; a person looks at the first three."""
    if count < 3:
        return COLOURS
    lamp.show(colour_test(count))
    while True:
        answer = ask("The colours of the first three LEDs, as r, g, b? [r g b]")
        letters = [letter for letter in answer if letter in "rgb"] or list("rgb")
        try:
            return colours_seen(*letters) if len(letters) == 3 else colours_seen("", "", "")
        except BadInput as error:
            print(error, file=sys.stderr)


def walked(walk: Walk, lamp: Lamp, ask: Callable[[str], str]) -> Walk:
    """Return the walk after every LED has been asked for.

    Raises:
        BadInput: the person stopped.
    """
    while not walk.done:
        lamp.show(walk.pixels())
        guess = walk.guess()
        offered = f" [{guess}]" if guess else ""
        answer = ask(f"LED {len(walk.answers)} of {walk.count}: which cell is lit?{offered}")
        if answer == "q":
            raise BadInput("the walk-through was left before its end; no wiring was written")
        if answer == "b":
            walk = walk.back()
            continue
        try:
            walk = answered(walk, answer.split() or ([guess] if guess else []))
        except BadInput as error:
            print(error, file=sys.stderr)
    return walk


def answered(walk: Walk, words: list[str]) -> Walk:
    """Return the walk after one answer for each word, ``-`` for no spot.

    Raises:
        BadInput: a word is no spot, or there are more than LEDs left; nothing was taken.
    """
    if len(words) > walk.count - len(walk.answers):
        raise BadInput(f"only {walk.count - len(walk.answers)} LEDs are left")
    for word in words:
        walk = walk.answer(None if word == "-" else word)
    return walk
