"""The kit as a plug-in of pytest: ``pytest --companion-game NAME`` checks an installed game.

pytest loads this module wherever the companion is installed; so it imports nothing else until a
game is named.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SUITE = Path(__file__).with_name("suite.py")

pytest.register_assert_rewrite(
    *(f"companion.conformance.{name}" for name in ("proof", "random_play", "rules", "seen"))
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names a game."""
    parser.getgroup("companion", "conformance of games").addoption(
        "--companion-game",
        action="append",
        default=[],
        metavar="NAME",
        help="check that an installed game keeps the companion's contract",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Add the checks to what is collected, and the result to what is told."""
    if not config.getoption("--companion-game"):
        return
    if str(SUITE) not in config.args:
        config.args.append(str(SUITE))
    from companion.conformance.verdicts import Verdicts

    if not any(isinstance(one, Verdicts) for one in config.pluginmanager.get_plugins()):
        config.pluginmanager.register(Verdicts(), "companion-verdicts")
