"""Which of the modules that may be compiled are: a compiled wheel brings them as native code."""

from __future__ import annotations

import os
import tomllib
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from companion.rules import HardwareFault

SETTING = "COMPANION_COMPILED"
"""The environment variable that, where it is 1, has a wheel built with native code, and makes it an
error to run without."""
PACKAGE = Path(__file__).parent.parent


def pure_modules() -> tuple[str, ...]:
    """Return those of the modules in ``native.toml`` that run as Python."""
    return tuple(name for name in _listed() if not _is_native(PACKAGE / name))


def _listed() -> list[str]:
    listed: list[str] = tomllib.loads((PACKAGE / "native.toml").read_text("utf-8"))["modules"]
    return listed


def _is_native(module: Path) -> bool:
    # Python takes native code for a module before it looks for its source.
    return any(module.with_name(module.name + suffix).exists() for suffix in EXTENSION_SUFFIXES)


def build_kind() -> str:
    """Return ``compiled`` or ``pure``, or which modules of a compiled build are missing."""
    pure = pure_modules()
    if not pure:
        return "compiled"
    return "pure" if len(pure) == len(_listed()) else f"compiled but for {', '.join(pure)}"


def demand_native() -> None:
    """Hold this installation to native code where ``COMPANION_COMPILED=1`` asks for it.

    Raises:
        HardwareFault: a module would run as Python.
    """
    if os.environ.get(SETTING) == "1" and (pure := pure_modules()):
        raise HardwareFault(
            f"{SETTING}=1 asks for native code, and {', '.join(pure)} of {PACKAGE} run as Python: "
            "install a wheel that was built with this setting"
        )
