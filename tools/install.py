"""Installs the companion into an environment and says what it is doing.

    python3 tools/install.py .venv [--extra test] [--opencv auto|desktop|headless|none]

`make play` and `make test` begin so. It needs nothing but Python; an environment that is there is
kept. OpenCV is chosen by where it runs: the system's own where the environment sees it (the camera
package of a Pi needs that one, and the NumPy it was made for), else the one that is there, else
pip's, with windows where there is a screen.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes.util
import importlib.util
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)
OLDEST_SYSTEM, OLDEST_WHEEL = (4, 6), (4, 8, 1, 78)
"""OpenCV of Bookworm; the first wheel without the hole in its WebP."""
WHEELS = {"desktop": "opencv-python", "headless": "opencv-python-headless"}
OTHERS = ("opencv-contrib-python", "opencv-contrib-python-headless")
SILENCE = 4.0
"""Seconds after which it is said that the work goes on."""
PACKAGE = re.compile(
    r"\s*(?:Downloading|Using cached|Processing) (?:\S*/)?([^-/\s]+)-([\w.+!]+?)"
    r"(?:-\S*)?\.(?:whl|tar\.gz)(?: \(([\d.]+ .?B)\))?(?:\s|$)"
)
LOOK = """
import importlib.metadata as packages, json, sys
own = {p.metadata["Name"].lower(): p.version for p in packages.distributions(path=sys.path)
       if str(p.locate_file("")).startswith(sys.prefix) and p.metadata["Name"]}
seen = {"base": sys._base_executable, "own": own, "numpy": "", "cv2": ""}
try:
    import numpy
    seen["numpy"] = numpy.__version__
    import cv2
    seen["cv2"] = cv2.__version__
except Exception:
    pass
print(json.dumps(seen))
"""
"""What a Python sees: the packages of its own, and the OpenCV and NumPy that can be imported."""


class Failed(Exception):
    """The installation cannot go on; the message says what to do."""


def main(argv=None):
    """Install; return 0, or 1 after a sentence on stderr."""
    parser = argparse.ArgumentParser(description="install the companion into an environment")
    parser.add_argument("environment", type=Path)
    parser.add_argument("--extra", action="append", default=[], help="such as test or mdns")
    parser.add_argument("--opencv", default="auto", choices=("auto", *WHEELS, "none"))
    arguments = parser.parse_args(argv)
    try:
        install(arguments.environment.resolve(), arguments.extra, arguments.opencv)
    except Failed as error:
        print(f"install: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def install(environment, extras, wanted):
    """Make the environment if there is none, choose an OpenCV, and let pip do the rest."""
    if sys.version_info < OLDEST_PYTHON:
        raise Failed("this Python is too old; name one of 3.11 or newer: make play PYTHON=…")
    began = time.monotonic()
    python = made(environment)
    chosen = opencv(python, environment) if wanted == "auto" else wanted
    if chosen in WHEELS:
        extras = [*extras, chosen]
        put_away(python, [name for name in (*WHEELS.values(), *OTHERS) if name != WHEELS[chosen]])
    tell("Installing the companion and what it needs; the first time that takes minutes")
    pip(python, "install", "--editable", f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT))
    tell(f"Installed in {time.monotonic() - began:.0f} seconds")


def made(environment):
    """Return the environment's Python; the environment is made if it is not there."""
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    if python.exists():
        return python
    # The camera of a Pi comes with the system alone.
    shared = ["--system-site-packages"] if importlib.util.find_spec("picamera2") else []
    tell(f"Creating the environment {environment}" + (", with the system's packages" * len(shared)))
    status, said = run(sys.executable, "-m", "venv", *shared, str(environment))
    if status:
        with contextlib.suppress(OSError):
            python.unlink()  # half an environment is none
        if any("ensurepip" in line for line in said):
            raise Failed("Python's venv is missing; say: sudo apt install python3-venv")
        raise Failed(f"the environment {environment} cannot be made: {' '.join(said[-1:])}")
    return python


def opencv(python, environment):
    """Return where OpenCV comes from: the ``system``, ``here`` already, or pip's ``desktop`` or
    ``headless``. What pip laid over the system's is put away."""
    seen = look(python)
    if shares(environment):
        system = look(seen["base"])
        if number(system["cv2"]) >= OLDEST_SYSTEM:
            put_away(python, [*WHEELS.values(), *OTHERS, "numpy"])
            tell(f"OpenCV {system['cv2']} and NumPy {system['numpy']} are the system's")
            keep(environment, system["numpy"])
            return "system"
    wheels = [seen["own"][name] for name in (*WHEELS.values(), *OTHERS) if name in seen["own"]]
    if seen["cv2"] and all(number(version) >= OLDEST_WHEEL for version in wheels):
        tell(f"OpenCV {seen['cv2']} is here already")
        return "here"
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    windows = bool(screen and ctypes.util.find_library("GL")) or sys.platform in ("darwin", "win32")
    tell(f"OpenCV comes from pip, {'for a desktop' if windows else 'without windows'}")
    return "desktop" if windows else "headless"


def shares(environment):
    """Tell whether the environment sees the system's packages."""
    settings = (environment / "pyvenv.cfg").read_text(encoding="utf-8").lower()
    return re.search(r"include-system-site-packages\s*=\s*true", settings) is not None


def look(python):
    """Return what a Python sees, see ``LOOK``."""
    done = subprocess.run([str(python), "-I", "-c", LOOK], capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{python} does not run; remove its environment and begin again")
    return json.loads(done.stdout.splitlines()[-1])


def number(version):
    """Return a version as numbers to compare; of none the least."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def put_away(python, names):
    """Uninstall those of the packages that are the environment's own."""
    own = look(python)["own"]
    if found := [name for name in names if name in own]:
        tell(f"Putting {' and '.join(found)} away, so that there is one OpenCV")
        pip(python, "uninstall", "--yes", *found)


def keep(environment, numpy):
    """Have every later call of the environment's pip keep the system's NumPy, too: OpenCV and the
    camera package are made for that one, and pip does not know them."""
    kept, settings = environment / "kept.txt", environment / "pip.conf"
    kept.write_text(f"numpy=={numpy}\n", encoding="utf-8")
    if not settings.exists():
        settings.write_text(f"[install]\nconstraint = {kept}\n", encoding="utf-8")


def pip(python, what, *arguments):
    """Run pip and tell what it does.

    Raises:
        Failed: it could not; with its own words for why.
    """
    quiet = ("--disable-pip-version-check", "--no-input")
    bar = ("--progress-bar", "off") if what == "install" else ()
    status, said = run(str(python), "-m", "pip", what, *quiet, *bar, *arguments)
    if status:
        errors = [line for line in said if "error:" in line.lower()] or said
        raise Failed(f"pip could not {what}; is the network there? {' '.join(errors[-1:])}")


def run(*command):
    """Run a command, tell what it says that matters, and that it goes on where it says nothing;
    return its status and its lines."""
    lines, said, began = queue.Queue(), [], time.monotonic()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        threading.Thread(target=follow, args=(process.stdout, lines), daemon=True).start()
        while True:
            try:
                line = lines.get(timeout=SILENCE)
            except queue.Empty:
                tell(f"  … {time.monotonic() - began:.0f} seconds")
                continue
            if line is None:
                return process.wait(), said
            said.append(line)
            if news := matters(line):
                tell(f"  {news}")


def follow(stream, lines):
    """Put every line of the stream into the queue, and None at its end."""
    for line in stream:
        lines.put(line.rstrip())
    lines.put(None)


def matters(line):
    """Return what of a line of pip's is told to people, empty if nothing is."""
    if found := PACKAGE.match(line):
        name, version, size = found.groups()
        return f"{name} {version}" + (f", {size}" if size else "")
    if found := re.match(r"Installing collected packages: (.*)", line):
        return f"unpacking {found[1].count(',') + 1} packages"
    return ""


def tell(text):
    """Print a line at once, also into a pipe."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
