"""Reads the options of command lines, and says what is wrong with those it cannot read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from companion.rules import quoted, whole_number

PORTS = 65535
"""The greatest port number; 0 stands for any free one."""

LINE = 700
"""Characters of a complaint at most; the middle of a longer one is left out."""


class Parser(argparse.ArgumentParser):
    """A parser that says in one sentence what it does not understand."""

    def error(self, message: str, command: str = "") -> NoReturn:
        """End with status 2 and the sentence on stderr; ``command`` is the one whose words were
        not understood, where a parser of its own did not notice."""
        asked = f"{self.prog} {command}".rstrip()
        complain(f"{message}; `{asked} --help` lists what there is", asked)
        self.exit(2)

    def print_help(self, file: Any = None) -> None:
        """Print the help; unlike argparse's own this fails where it cannot be printed."""
        print(self.format_help(), end="", file=file)


def complain(sentence: str, who: str = "companion") -> None:
    """Print on stderr, in one line, what went wrong. If even that cannot be written, nothing is
    raised."""
    line = " ".join(sentence.split())
    # A name may hold what would colour the terminal, or clear it.
    line = "".join(letter if letter.isprintable() else "\ufffd" for letter in line)
    if len(line) > LINE:
        line = f"{line[: LINE // 2]} … {line[-LINE // 2 :]}"
    with suppress(OSError):
        print(f"{who}: {line}", file=sys.stderr, flush=True)


class Version(argparse.Action):
    """``--version``: prints the version that is installed and whether it is compiled, and ends."""

    def __init__(self, option_strings: list[str], dest: str, **given: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **given)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print it."""
        from importlib.metadata import version

        from companion.runtime.native import build_kind

        print(f"{parser.prog} {version('tabletop-companion')} ({build_kind()})")
        parser.exit()


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        number = whole_number(text)
        if number is None or number < least or (most is not None and number > most):
            span = f"from {least} up" if most is None else f"from {least} to {most}"
            raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number {span}")
        return number

    return read


def seconds(text: str) -> float:
    """Return the number of seconds, 0 or more, that ``text`` gives."""
    try:
        span = float(text)
    except ValueError:
        span = -1.0
    if not 0 <= span <= 86_400:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no number of seconds from 0 up")
    return span


def named(text: str) -> Path:
    """Return ``text`` as the path of a file, or of a folder to be made: one that ends in a name."""
    if Path(text).name in ("", ".."):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no name of a file")
    return Path(text)


port = whole(0, PORTS)
