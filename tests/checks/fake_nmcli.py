"""A stand-in for NetworkManager's command line: it keeps its networks in a file beside it, and
writes down what it was asked."""

from __future__ import annotations

import fcntl
import json
import sys
from pathlib import Path

PROGRAM = """\
#!{python}
import configparser, fcntl, json, sys
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
elif words[:3] == ["--offline", "connection", "add"]:
    given = dict(zip(words[3::2], words[4::2]))
    kind = "\\n[wifi-security]\\nkey-mgmt=wpa-psk\\n" if any("key-mgmt" in w for w in given) else ""
    said = f"[connection]\\nid={{given['con-name']}}\\nuuid={{len(state['asked'])}}\\ntype=wifi\\n"
    said += "autoconnect=false\\n" if given.get("autoconnect") == "no" else ""
    said += f"\\n[wifi]\\nmode={{given.get('802-11-wireless.mode', 'infrastructure')}}\\n"
    said += f"ssid={{given['ssid']}}\\n{{kind}}"
elif words[:2] == ["connection", "load"]:
    kept = configparser.RawConfigParser()
    kept.read(words[2])
    if Path(words[2]).stat().st_mode & 0o077:
        code, trouble = 2, "Error: others may read it."
    given = kept.get("wifi-security", "psk", fallback="").replace(r"\\s", " ")
    state["kept"][kept["connection"]["uuid"]] = [
        kept["wifi"]["mode"] == "ap", kept["wifi"]["ssid"], given]
elif words[:2] == ["connection", "up"]:
    own, name, given = state["kept"][words[3]]
    known = state["networks"].get(name)
    if own:
        state["open"] = True
        code, trouble = state["up"]
    elif known is None:
        code, trouble = 4, "Error: Connection activation failed: "
        trouble += "The Wi-Fi network could not be found"
    elif known != given:
        code, trouble = 4, "Error: Connection activation failed: "
        trouble += "Secrets were required, but not provided"
elif words[:2] == ["connection", "delete"]:
    if words[2] == "id":
        code = 0 if state["open"] else 10
        state["open"] = False
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
            asked=[], kept={}, open=False, up=[0, ""], networks=networks or {},
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
