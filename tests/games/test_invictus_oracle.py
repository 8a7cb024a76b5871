"""The engine of Invictus and the naive oracle never differ; soak/soak_oracles.py plays it at
length. The oracle itself is held against the counts and cases that the rules print."""

from __future__ import annotations

import pytest

from tests.oracle import invictus_match
from tests.oracle.invictus_oracle import SIDES, Game, Tray, own_row

pytestmark = pytest.mark.no_cover  # whole games: other tests prove line by line


@pytest.mark.parametrize("seed", range(12))
def test_engine_and_oracle_agree_on_random_games(seed: int) -> None:
    assert invictus_match.compare(seed, 400) > 0


def test_the_oracle_knows_twenty_five_first_actions() -> None:
    full = {
        space: (side, 1 + number // 3)
        for side in SIDES
        for number, space in enumerate(
            s for s in invictus_match.SPACES if own_row(side, s) in (2, 3)
        )
    }
    assert len(Game(full).legal()) == 25


def test_the_oracle_sends_a_captured_four_back_as_a_three() -> None:
    game = Game({(4, 4): ("black", 4), (5, 5): ("white", 4), (1, 9): ("white", 1)})
    after = game.after("d4-e5")
    assert (after.hand, after.turn, after.dice[5, 5]) == (3, "white", ("black", 4))
    assert "*a9" not in after.legal()
    assert after.after("*e6").dice[5, 6] == ("white", 3)
    assert game.refused_by("d4-d6") == [{"INV-4.2"}]
    strong = Game({(4, 4): ("black", 4), (5, 5): ("white", 5)})
    assert strong.refused_by("d4-e5") == [{"INV-5.2"}]


def test_the_oracle_takes_a_one_for_good_and_brings_the_captor_home() -> None:
    game = Game({(4, 8): ("black", 4), (5, 9): ("white", 1)})
    after = game.after("d8-e9")
    assert after.trays["black"] == Tray((4,), 1)
    assert (after.over, after.score("black"), after.winners()) == ("INV-7.1", 5, ("black",))
