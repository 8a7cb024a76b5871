"""Games that outsiders wrote for older versions of the contract go on: none of them is broken."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from companion.conformance.checks import CheckedGame
from companion.conformance.evidence import evidence_of, exemptions_of
from companion.conformance.kit import checks_of
from companion.conformance.running import offered
from companion.games import find_game
from tests.checks.loops import some

FROZEN = Path(__file__).parent / "frozen"
DIGESTS = {"geese_0_2": "575409afe7f2a2d6"}
"""Of the code of each: what is frozen is not mended here."""


def digest(folder: Path) -> str:
    code = sorted(folder.glob("companion_*/**/*.*"))
    kept = [file for file in code if "__pycache__" not in file.parts]
    return hashlib.sha256(b"".join(map(Path.read_bytes, kept))).hexdigest()[:16]


def test_what_is_frozen_was_not_changed() -> None:
    found = {folder.name: digest(folder) for folder in FROZEN.iterdir() if folder.is_dir()}
    assert found == DIGESTS


@pytest.mark.parametrize("name", DIGESTS)
def test_a_game_of_an_older_version_is_gold_still(name: str) -> None:
    with offered(str(FROZEN / name)) as found:
        game = find_game(found)
        candidate = CheckedGame(game, evidence_of(game), exemptions_of(game))
        for check in some(checks_of(game)):
            check.of(candidate)
