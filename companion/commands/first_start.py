"""``first-start``: a table without a network opens one, in which a phone says what it needs."""

from __future__ import annotations

import argparse
import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.games import find_game, games
from companion.machine.settings_file import SettingsFile
from companion.machine.wireless import ADDRESS, Wireless
from companion.rules import CompanionError, HardwareFault, say
from companion.runtime.locations import data_folder
from hardware.machine import Machine

STARTING = 20.0
"""Seconds that a network which is known already has to come by itself."""
PARTING = 3.0
"""Seconds for which a phone may still be answered, and ask whether all is well."""
LOOK = 5.0
"""Seconds between two looks whether a network has come by a cable."""
ASIDE = "etc/default/companion"
DONE = "first-start.done"
"""The file in the data folder that says that nothing has to be asked any more."""
PASSWORD = "SETUP_PASSWORD"
"""The variable of the environment with our own network's password: what a program is given as an
argument every user of the machine reads."""
CAMERAS = {
    "simulated": say("none: a simulated table"),
    "picamera": say("on the ribbon cable"),
    "v4l2:0": say("a webcam"),
}
LIGHTS = {
    "simulated": say("none"),
    "auto": say("a strip on this machine"),
}


def run_first_start(arguments: argparse.Namespace) -> int:
    """Open the table's own network until a phone has said what is needed, a network has come by
    itself, or the time is over."""
    setup = NetworkSetUp(Wireless(), Machine(), arguments.data or data_folder(), arguments.minutes)
    return setup.run(arguments.name, os.environ.get(PASSWORD, ""), arguments.port)


class NetworkSetUp:
    """One first start on ``machine``; the settings are kept in the folder ``data``."""

    def __init__(
        self,
        wireless: Wireless,
        machine: Machine,
        data: Path,
        minutes: float,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
        host: str = ADDRESS,
    ) -> None:
        self._wireless, self._machine, self._data = wireless, machine, data
        self._minutes, self._clock, self._wait, self._host = minutes, clock, wait, host

    def run(self, name: str, password: str, port: int) -> int:
        """Return 0: with or without an answer the table starts after that.

        Raises:
            HardwareFault: there is no Wi-Fi, or no network of our own can be opened.
        """
        from waitress import create_server, wasyncore

        from web.first_start import FirstStart, first_start_app

        if self._comes_by_itself():
            self._over()
            return 0
        where = f"http://{self._host}" + ("" if port == 80 else f":{port}")
        first = FirstStart(
            self._wireless.in_reach(), [find_game(one) for one in games()], CAMERAS, LIGHTS, where
        )
        self._wireless.open(name, password)
        lines: dict[int, Any] = {}
        server: Any = create_server(
            first_start_app(first), map=lines, host=self._host, port=port, threads=4, ident=None
        )
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                wasyncore.loop(LOOK, use_poll=True, map=lines, count=1)

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        try:
            self._ask(first, name, password)
        finally:
            # Lines are closed only once nobody listens to them any more.
            over.set()
            server.pull_trigger()
            serving.join()
            server.close()
        return 0

    def _comes_by_itself(self) -> bool:
        until, never = self._clock() + STARTING, threading.Event()
        while not self._wireless.connected():
            if self._clock() >= until:
                return False
            self._wait(never, 1.0)
        return True

    def _ask(self, first: Any, name: str, password: str) -> None:
        """Wait for answers until one leads to a network, or none is wanted any more."""
        until = self._clock() + 60 * self._minutes
        while self._clock() < until:
            if not self._wait(first.answered, LOOK):
                if self._wireless.connected():
                    self._over()
                    break
                continue
            self._wait(threading.Event(), PARTING)
            chosen = first.chosen
            if not chosen.network:
                self._wireless.keep()
                self._keep(chosen)
                return
            self._wireless.close()
            try:
                self._wireless.join(chosen.network, chosen.password)
            except CompanionError as error:
                self._wireless.open(name, password)
                first.again(error.sentence)
                continue
            self._keep(chosen)
            return
        self._wireless.close()

    def _keep(self, chosen: Any) -> None:
        """Keep what was chosen where the service looks for it.

        Raises:
            HardwareFault: it cannot be written.
        """
        settings = {"play.camera": chosen.camera, "play.lights": chosen.lights}
        if chosen.name:
            settings["club.name"] = chosen.name
        file = SettingsFile(self._data)
        file.change(settings)
        text = self._machine.read(ASIDE)
        line = f"GAME={chosen.game}"
        fresh, found = re.subn(r"(?m)^GAME=.*$", line, text)
        path = self._machine.path(ASIDE)
        try:
            # The service is another user than the one who may open networks.
            owner = self._data.stat()
            os.chown(file.path, owner.st_uid, owner.st_gid)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{fresh}\n" if found else f"{text}\n{line}\n", encoding="utf-8")
        except OSError as error:
            raise HardwareFault(f"{path} cannot be written: {error.strerror}") from error
        self._over()

    def _over(self) -> None:
        """Note that nothing has to be asked at the next start."""
        try:
            (self._data / DONE).touch()
        except OSError as error:
            raise HardwareFault(f"{self._data / DONE}: {error.strerror}") from error
