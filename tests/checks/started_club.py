"""A club that was started as its own process."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

from companion.cli import main
from companion.runtime.programs import mortal

PATIENCE = 60


class StartedClub:
    """``companion club start`` as its own process, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.begin()

    def begin(self, *more: str) -> None:
        command = [sys.executable, "-m", "companion", "club", "start", "--data", str(self.folder)]
        command += ["--host", "127.0.0.1", "--port", "0", "--broker-port", "0", *more]
        command = mortal(command, signal.SIGTERM)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C" in line:
                return
        raise AssertionError(f"the club did not start: {self.said}")

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        left = self.process.communicate(timeout=PATIENCE)[0]
        self.said += left
        return self.process.returncode

    @property
    def wall(self) -> str:
        return re.search(r"http://\S+", self.said)[0]

    def tiles(self) -> list[str]:
        with suppress(OSError):
            every = ",".join(f"{one}." for one in self.told(""))
            return [one["html"] for one in self.told(f"?tables={every}")]
        return []

    def told(self, asked: str) -> list:
        with urllib.request.urlopen(f"{self.wall}api/wall{asked}", timeout=PATIENCE) as told:
            return json.load(told)["tables"]

    def invite(self, name: str, capsys) -> str:
        capsys.readouterr()
        assert main(["club", "invite", name, "--data", str(self.folder), "--json"]) == 0
        # The printed address is that of the network, where this club does not listen.
        address = json.loads(capsys.readouterr().out)["broker"]
        return re.sub(r"@[^:]+:", "@127.0.0.1:", address)

    def broker(self) -> int:
        return int((self.folder / "broker" / "process").read_text())
