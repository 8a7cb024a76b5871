"""Play goes on beside what lies on the board, whatever that looks like and however small it is."""

from __future__ import annotations

import pytest

from tests.checks.recordings import OTHERS, OURS
from tests.soak.soak_light import judge
from tests.vision.test_leftovers import MOVED, Errors, read


def test_who_plainly_left_went_where_the_rules_let_him_and_not_where_it_looks_so_as_well() -> None:
    told, decoded, left = read({**MOVED, "i7": {None: 0.35, "red white E": 0.02}})
    assert (told, left) == (["g1-g3"], {"i7"})
    assert decoded.trust <= 0.95
    stays = {"red white E": 0.06, None: 0.05}
    assert read({**MOVED, "g1": stays, "i7": {None: 0.35, "red white E": 0.02}})[0] == []


def test_what_plainly_did_not_come_is_no_rival_of_what_did() -> None:
    """Two pieces next to each other are gone: neither was moved to where the other stood."""
    gone: Errors = {"j1": {"red white H": 2.0, None: 0.01}, "j2": {"red black U": 2.0, None: 0.01}}
    told, _, left = read({**MOVED, **gone})
    assert (told, left) == (["g1-g3"], set(gone))


def test_a_token_that_stands_where_it_stood_is_not_what_a_strange_spot_shows() -> None:
    strange: Errors = {"m1": {None: 0.9, "red half Q": 0.2}}
    there: Errors = {"l1": {"red half Q": 0.01, None: 2.0}}
    assert read({**MOVED, **strange, **there})[0] == ["g1-g3"]
    gone: Errors = {"l1": {"red half Q": 2.0, None: 0.25}}
    assert read({**MOVED, **strange, **gone})[0] == [], "it may have gone there"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed"), [("invictus-1", 203), ("invictus-2", 95), ("chess-1", 501)]
)
def test_a_recorded_game_is_read_whole_beside_a_phone_that_is_laid_on_the_board(
    name: str, seed: int
) -> None:
    """It covers dice, or bare spots on which it looks like men."""
    counts = judge(next(at / name for at in (OTHERS, OURS) if (at / name).is_dir()), "thing", seed)
    assert counts["right"] + counts["waited"] == counts["stills"]
    assert (counts["told"], counts["false"], counts["asked"]) == (counts["events"], 0, 0)
