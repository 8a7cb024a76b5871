"""Our own games undergo the conformance kit, as everybody's do, and are held to gold.

Their evidence lies here: ``data/GAME*.perft`` and ``golden/GAME_*.txt``; their manual is
``docs/games/GAME.md``. How both are written: ``companion/conformance/proof.py``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from companion.conformance.checks import SILVER, Check, CheckedGame
from companion.conformance.evidence import Evidence, exemptions_of
from companion.conformance.kit import checks_of
from companion.games import find_game

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OURS = tuple(sorted(path.parent.name for path in (ROOT / "companion/games").glob("*/__init__.py")))
LONGEST = ("heximeros", "random_games_keep_the_contract")
LONG = {
    ("heximeros", "a_camera_reads_it"),
    ("invictus", "a_camera_reads_it"),
    ("victory_honor", "a_camera_reads_it"),
}
"""What takes seconds: the largest board, dice, and a deck that is shown card by card."""


def marks(name: str, check: Check) -> tuple[pytest.MarkDecorator, ...]:
    """Leave unmeasured what plays whole games, or looks: other tests prove line by line."""
    played = check.level == SILVER or check.name == "random_games_keep_the_contract"
    long = (pytest.mark.thorough,) if (name, check.name) in LONG else ()
    if (name, check.name) == LONGEST:
        long = (pytest.mark.slow,)
    return (pytest.mark.no_cover, *long) if played else long


CASES = [
    pytest.param(name, check, marks=marks(name, check), id=f"{name}-{check.name}")
    for name in OURS
    for check in checks_of(find_game(name))
]


@cache
def candidate(name: str) -> CheckedGame:
    """Return a game of ours with its evidence."""
    evidence = Evidence(
        counts=tuple(sorted((HERE / "data").glob(f"{name}*.perft"))),
        games=tuple(sorted((HERE / "golden").glob(f"{name}_*.txt"))),
        manual=ROOT / "docs" / "games" / f"{name}.md",
        package=ROOT / "companion" / "games" / name,
    )
    return CheckedGame(find_game(name), evidence, exemptions_of(find_game(name)))


@pytest.mark.parametrize(("name", "check"), CASES)
def test_every_game_conforms(name: str, check: Check) -> None:
    check.of(candidate(name))


def test_six_games_are_checked_and_none_is_exempt() -> None:
    assert len(OURS) == 6
    assert all(not candidate(name).exempt for name in OURS)
    assert len(CASES) > 6 * 20


def test_every_file_of_evidence_belongs_to_a_game() -> None:
    used = {file for name in OURS for file in candidate(name).evidence.counts}
    used |= {file for name in OURS for file in candidate(name).evidence.games}
    assert used == {*(HERE / "data").glob("*.perft"), *(HERE / "golden").glob("*.txt")}
