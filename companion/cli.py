"""The ``companion`` command: parse, dispatch, and one clear sentence for what goes wrong."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from companion.commands.common import Run
from companion.commands.parser import parse
from companion.live.own_files import OwnFiles
from companion.machine.findings import lacking
from companion.machine.options import complain
from companion.rules import CompanionError, Uncertain
from companion.rules.own import furnish
from companion.runtime.locations import data_folder
from companion.runtime.native import demand_native

THREADS = "OPENBLAS_NUM_THREADS"
"""The environment variable that tells OpenBLAS how many threads NumPy multiplies with; read when
NumPy is first imported. Our matrices are small: beside a browser or a second game more than one
thread makes reading a die three times as slow."""
OPENCV = {"OPENCV_LOG_LEVEL": "OFF", "OPENCV_FFMPEG_LOGLEVEL": "-8"}
"""Environment variables that silence OpenCV: a camera's fault is told by us, in one sentence."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0; another one by which the command itself tells
    something, such as 1 where ``doctor`` finds a fault; or 2 with one sentence on stderr."""
    os.environ.setdefault(THREADS, "1")
    for name, quiet in OPENCV.items():
        os.environ.setdefault(name, quiet)
    ready_streams()
    try:
        try:
            return run(argv)
        finally:
            # Now, and not when Python exits, when nobody could say that the disk is full.
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong.
        discard_output()
        return 0
    except OSError as error:
        discard_output()
        where = error.filename or "the output"
        complain(f"{where} cannot be used: {error.strerror}")
        return 2
    except KeyboardInterrupt:
        return 130


def run(argv: Sequence[str] | None) -> int:
    """Run the command named in ``argv``; print one sentence for what goes wrong."""
    arguments = parse(argv)
    furnish(OwnFiles(data_folder()).owned)
    try:
        demand_native()
        act = command(arguments.run)
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        return act(arguments)
    except Uncertain as doubt:
        complain(str(doubt), "companion is not sure")
        return 2
    except CompanionError as error:
        complain(str(error))
        return 2


def ready_streams() -> None:
    """Make output safe to write: streams that were closed lead nowhere, and what a terminal cannot
    show is written as its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Lead stdout nowhere, or Python would complain once more when it flushes at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def command(name: str) -> Run:
    """Return the function of a command. Only its own module is imported: ruling on an action
    must not wait for camera and pages to be loaded.

    Raises:
        HardwareFault: it needs a package that is missing.
    """
    module, _, function = name.partition(".")
    try:
        run: Run = getattr(import_module(f"companion.commands.{module}"), function)
    except ImportError as error:
        raise lacking(error) from error
    return run


if __name__ == "__main__":
    sys.exit(main())
