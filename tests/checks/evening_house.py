"""A whole table in a process of its own, for the random evenings of soak_evening.py: the real
stage with its simulated table, and a pipe through which the world is told what to do to it.

    python -m tests.checks.evening_house JOURNAL GAME [PORT]

Each line on standard input is one JSON object, ``{"do": NAME, ...}``; each is answered with one
line on standard output. The world can pull the camera's plug, break the lights, let either fail
with an error nobody foresaw, and set the time of day. What is logged as an error is counted.
"""

from __future__ import annotations

import json
import logging
import random
import sqlite3
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from companion.commands.common import print_json
from companion.games import find_game
from companion.live.composition import Composition, PlayRequest
from companion.live.environment import Environment
from companion.rules import BadInput, HardwareFault
from companion.runtime.timekeeper import Timekeeper
from companion.simulation.recorded_game import perform
from companion.simulation.screenplay import Screenplay, refused
from hardware.strip import Pixels, Strip
from vision.frames import Frame, Source

SPEED = 5.0
"""How much faster time passes at this table."""
SETTLED = 12
"""Pictures after the last hand in which what lies still has been read."""
PATIENCE = 60.0
"""Seconds after which a table that has not settled never will."""
ALWAYS = frozenset({"camera", "pages"})
"""The threads without which there is no table."""


class Plug:
    """What can be pulled, or fail as nobody foresaw."""

    def __init__(self, what: str) -> None:
        self._what, self.how = what, "plugged"

    def check(self) -> None:
        """Let nothing through but what is plugged in."""
        if self.how == "unplugged":
            raise HardwareFault(f"the {self._what} does not answer; plug it in again")
        if self.how == "unforeseen":
            raise ZeroDivisionError(f"nobody thought of this in the {self._what}")


class Camera:
    """A source of frames on a plug."""

    def __init__(self, source: Source, plug: Plug) -> None:
        self._source, self._plug = source, plug

    @property
    def busy(self) -> bool:
        """Tell whether hands are still to be shown; dice lie where they were thrown at once."""
        return bool(getattr(self._source, "busy", False))

    def read(self) -> Frame | None:
        """Return the next frame of the source."""
        frame = self._source.read()
        self._plug.check()
        return frame

    def close(self) -> None:
        """Close the source."""
        self._source.close()


class Lights:
    """A strip of LEDs on a plug."""

    def __init__(self, strip: Strip, plug: Plug) -> None:
        self._strip, self._plug = strip, plug

    def show(self, pixels: Pixels) -> None:
        """Light the strip."""
        self._plug.check()
        self._strip.show(pixels)

    def close(self) -> None:
        """Close the strip."""
        self._strip.close()


class Faults(logging.Handler):
    """Keeps the errors that are logged, but for those that were made on purpose."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep ``record``."""
        if not (record.exc_info and record.exc_info[0] is ZeroDivisionError):
            self.told.append(self.format(record))


class World:
    """Everything round a table that is no part of it. ``do_…`` are what a line can ask."""

    def __init__(self) -> None:
        self.faults = Faults()
        self._plugs = {"camera": Plug("camera"), "lights": Plug("lights")}
        self._jumped = 0.0
        self._camera: Camera | None = None
        self.outside = Environment(
            clock=lambda: SPEED * time.monotonic(),
            time=Timekeeper(wall=lambda: time.time() + self._jumped, network=lambda: None),
            wait=lambda event, seconds: event.wait(seconds / SPEED),
            camera=self._plugged,
            strip=lambda strip: Lights(strip, self._plugs["lights"]),
        )

    def open(self, play_request: PlayRequest) -> Composition:
        """Set the stage."""
        self._stage = Composition(play_request, self.outside)
        return self._stage

    def _plugged(self, source: Source) -> Camera:
        self._camera = Camera(source, self._plugs["camera"])
        return self._camera

    def do_code(self) -> str:
        """Return a fresh join code."""
        return self._stage.invitation().partition("#")[2]

    def do_plug(self, what: str, how: str) -> None:
        """Pull a plug, or put it in."""
        self._plugs[what].how = how

    def do_routes(self) -> dict[str, list[str]]:
        """Return the addresses without parameters that can be read, and those to post to."""
        rules = [rule for rule in self._stage._app.url_map.iter_rules() if not rule.arguments]
        found = {
            method: sorted(rule.rule for rule in rules if method in (rule.methods or ()))
            for method in ("GET", "POST")
        }
        found["GET"].remove("/api/events")  # it never ends
        return found

    def do_jump(self, seconds: float) -> None:
        """Set the time of day."""
        self._jumped += seconds

    def do_news(self, after: int) -> list[Any]:
        """Return what another program finds in the journal after event ``after``."""
        return self._rows(
            "SELECT seq, kind, actor, action FROM event WHERE seq > ? ORDER BY seq", after
        )

    def do_photographs(self) -> int:
        """Return how many photographs are kept."""
        return int(self._rows("SELECT count(*) FROM evidence")[0][0])

    def _rows(self, query: str, *values: int) -> list[Any]:
        with closing(sqlite3.connect(self._stage.table.journal.path)) as journal:
            return journal.execute(query, values).fetchall()

    def do_health(self) -> dict[str, Any]:
        """Tell which threads are not alive, and what was logged as an error since."""
        alive = {thread.name for thread in threading.enumerate()}
        told, self.faults.told = self.faults.told, []
        return {"dead": sorted(ALWAYS - alive), "errors": told}

    # -- hands -----------------------------------------------------------------------

    def do_settle(self) -> bool:
        """Wait until all hands are gone and what lies there has been read; tell whether it is."""
        end, looks = time.monotonic() + PATIENCE, self._stage.progress
        while time.monotonic() < end and self._plugs["camera"].how == "plugged":
            if self._camera is not None and self._camera.busy:
                looks = self._stage.progress
            elif self._stage.progress >= looks + SETTLED:
                return True
            time.sleep(0.005)
        return False

    def do_tidy(self) -> None:
        """Set the table as the game stands."""
        table, scene = self._stage.table, self._stage.equipment
        if scene.hands is not None:
            scene.hands.lay(table.game.expect(table.state))

    def do_hand(self, seed: int, cheat: bool) -> dict[str, Any] | None:
        """Carry out an action by hand, a refused one if it is to ``cheat``; return which, None
        where there is none or nobody would look."""
        table, scene = self._stage.table, self._stage.equipment
        game, state = table.game, table.state
        if scene.hands is None or scene.dice is not None or table.paused or table.outcome:
            return None
        chance, play = random.Random(seed), Screenplay(game, state)
        if cheat:
            action = refused(game, state, chance)
            does = play.cheat(action)[0].does if action else ()
        else:
            moves = [a for a in game.legal(state) if a.verb in ("move", "place") and a.target]
            action = chance.choice(moves) if moves else None
            does = play.play(action).does if action else ()
        if action is None:
            return None
        for line in does:
            perform(scene.hands, line)
        return {"action": game.format(action), "legal": not cheat, "does": does}

    def do_legal(self, seed: int) -> dict[str, Any] | None:
        """Return an action that would stand now, None where the game is over."""
        table = self._stage.table
        legal = table.game.legal(table.state)
        if not legal:
            return None
        action = random.Random(seed).choice(legal)
        spoken = action.origin is None and action.target is None
        return {"action": table.game.format(action), "spoken": spoken}

    def do_mess(self, seed: int) -> None:
        """Do with what lies on the table what nobody would."""
        chance, scene = random.Random(seed), self._stage.equipment
        for _ in range(chance.randint(1, 4)):
            with suppress(BadInput):
                if scene.dice is not None:
                    self._throw(scene.dice, chance)
                elif scene.hands is not None:
                    spots = sorted(scene.hands.board.spots)
                    lying = sorted(scene.hands.position) or spots
                    verb = chance.choice(("move {} {}", "remove {}", "turn {}", "lift {}"))
                    perform(scene.hands, verb.format(chance.choice(lying), chance.choice(spots)))

    @staticmethod
    def _throw(dice: Any, chance: random.Random) -> None:
        number = chance.randrange(len(dice.colours))
        match chance.randrange(3):
            case 0:
                dice.throw([number])
            case 1:
                dice.carry(number, chance.choice(sorted(dice.mat.zones)))
            case _:
                dice.tip(number)


def main() -> None:
    """Serve the table until standard input ends."""
    path, name, *port = sys.argv[1:]
    world = World()
    logging.getLogger().addHandler(world.faults)
    play_request = PlayRequest(
        game=find_game(name), setup=None, journal=Path(path), new=False, camera="simulated",
        table_file=None, lights="simulated", wiring=None, host="127.0.0.1",
        port=int(port[0]) if port else 0, address="127.0.0.1",
    )  # fmt: skip
    with world.open(play_request) as stage:
        stage.start()
        host, code = (stage.invitation(host=one).partition("#")[2] for one in (True, False))
        print_json({"port": stage.port, "host": host, "code": code})
        for line in sys.stdin:
            told = json.loads(line)
            print_json(getattr(world, f"do_{told.pop('do')}")(**told))


if __name__ == "__main__":
    main()
