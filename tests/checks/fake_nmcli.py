"""A stand-in for NetworkManager's command line: it keeps its networks in a file beside it, and
writes down what it was asked."""

from __future__ import annotations

import fcntl
import json
import sys
from pathlib import Path

PROGRAM = """\
#!{python}
import fcntl, json, sys
from pathlib import Path
path = Path({state!r})
file = path.open("r+")
fcntl.flock(file, fcntl.LOCK_EX)
state = json.load(file)
words = sys.argv[1:]
state["asked"].append(words)
code, said, trouble = 0, "", ""
if words[-2:] == ["device", "status"]:
    said = "".join(f"{{line}}\\n" for line in state["devices"])
elif "list" in words:
    said = "".join(f"{{line}}\\n" for line in state["reach"])
elif words[:2] == ["connection", "up"]:
    state["open"] = True
    code, trouble = state["up"]
elif words[:2] == ["connection", "delete"]:
    code = 0 if state["open"] else 10
    state["open"] = False
elif words[:3] == ["device", "wifi", "connect"]:
    known = state["networks"].get(words[3])
    given = words[words.index("password") + 1] if "password" in words else ""
    if known is None:
        code, trouble = 10, f"Error: No network with SSID '{{words[3]}}' found."
    elif known != given:
        code = 4
        trouble = "Error: Connection activation failed: (7) "
        trouble += "Secrets were required, but not provided."
file.seek(0)
file.truncate()
file.write(json.dumps(state))
file.close()
sys.stdout.write(said)
sys.stderr.write(trouble)
sys.exit(code)
"""


class FakeNmcli:
    """The program at ``path``; ``networks`` can be joined, each by its password."""

    def __init__(self, folder: Path, networks: dict[str, str] | None = None) -> None:
        self.path, self._state = folder / "nmcli", folder / "nmcli.json"
        self.path.write_text(PROGRAM.format(python=sys.executable, state=str(self._state)))
        self.path.chmod(0o755)
        self.write(
            asked=[], open=False, up=[0, ""], networks=networks or {},
            devices=["wlan0:wifi:disconnected:", "lo:loopback:connected (externally):lo"],
            reach=[
                r"Caf\:e:40:WPA2", "Home:80:WPA2 WPA3", "Home:55:WPA2", ":90:WPA2", "Free:20:--",
            ],
        )  # fmt: skip

    def read(self) -> dict[str, object]:
        """Return its state."""
        with self._state.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            told: dict[str, object] = json.load(file)
        return told

    def write(self, **changes: object) -> None:
        """Change its state."""
        with self._state.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            before = json.loads(file.read() or "{}")
            file.truncate(0)
            file.write(json.dumps({**before, **changes}))

    @property
    def asked(self) -> list[str]:
        """Return what it was asked, each as one line."""
        return [" ".join(words) for words in self.read()["asked"]]  # type: ignore[attr-defined]
