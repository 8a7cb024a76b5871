"""The checks as tests: one for each check that follows from what a game declares."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.conformance.checks import Check, CheckedGame, Exempt, Missing
from companion.conformance.evidence import evidence_of, exemptions_of
from companion.conformance.kit import checks_of
from companion.conformance.verdicts import EXEMPT, MISSING, PASSED, PROPERTY
from companion.games import find_game
from companion.rules import CompanionError

Case = tuple[CheckedGame, Check]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of every check of every game that is named."""
    cases: dict[str, Case] = {}
    for name in metafunc.config.getoption("--companion-game"):
        try:
            game = find_game(name)
            candidate = CheckedGame(game, evidence_of(game), exemptions_of(game))
        except CompanionError as error:
            raise pytest.UsageError(str(error)) from error
        for one in checks_of(game):
            cases[f"{game.name}: {one.name}"] = (candidate, one)
    metafunc.parametrize("case", cases.values(), ids=cases)


def test_conformance(case: Case, record_property: Callable[[str, object], None]) -> None:
    """The game passes the check, or says why it need not."""
    candidate, one = case
    name = candidate.game.name

    def tell(status: str, why: str = "") -> None:
        record_property(PROPERTY, (name, one.name, one.level, status, why))

    tell(PASSED)
    try:
        one.of(candidate)
    except Missing as missing:
        tell(MISSING, str(missing))
        pytest.skip(f"missing for {one.level}: {missing}")
    except Exempt as exempt:
        tell(EXEMPT, str(exempt))
        pytest.skip(f"exempt: {exempt}")
    except AssertionError as error:
        if not error.args:
            raise
        told = [str(error), *getattr(error, "__notes__", ())]
        pytest.fail("\n".join(told), pytrace=False)
