"""Men of one colour look alike from above: where one took the place of another against the rules,
it may have taken that of a third."""

from __future__ import annotations

import pytest

from companion.games import find_game
from vision.decoding.decoded import Decoded, Told
from vision.decoding.puzzle import in_place_of_its_like
from vision.decoding.reading import Step
from vision.decoding.scene import Scene
from vision.decoding.story import Story, refused

CHESS = find_game("chess")
STATE = CHESS.start(CHESS.setup())
TABLE = {**CHESS.expect(STATE), "c4": "black P"}
TOOK_THE_ROOK = Decoded(Told(refused(CHESS, Story(STATE, TABLE), "c4", "h8"), {}, 0.0, ()), 1.0)


class Men:
    """An eye that tells men apart by colour alone. Those on the spots ``anew`` seem to be others
    than before, by so many nats."""

    def __init__(self, **anew: float) -> None:
        self.anew = anew

    @staticmethod
    def nats(error: float) -> float:
        return -error

    def error(self, spot: str, token: str | None) -> float:
        return self.anew.get(spot, -9.0) if token == TABLE.get(spot) else 0.0

    def told_apart(self, one: str, other: str) -> bool:
        return one.split()[0] != other.split()[0]


def doubted(eye: Men, *changed: str, decoded: Decoded = TOOK_THE_ROOK) -> Decoded:
    spots = frozenset({"c4", "h8", *changed})
    return in_place_of_its_like(CHESS, decoded, Scene(eye, TABLE, spots, spots), STATE)


def test_a_pawn_that_seems_to_have_taken_its_rook_may_have_taken_its_pawn() -> None:
    asked = doubted(Men(h8=5, g7=6), "g7")
    assert not asked.sure
    [step] = asked.others[0].story.steps
    assert str(step.action) == "c4-g7"
    assert asked.p == pytest.approx(1 / (1 + 2.718), abs=1e-3), "by what both spots show"


def test_it_is_told_where_the_pawn_is_the_one_that_stood_there() -> None:
    told = doubted(Men(h8=9, g7=1), "g7")
    assert told.sure
    assert not told.others
    assert doubted(Men(h8=5)).sure, "nothing else changed"


def test_whom_one_can_tell_from_the_captor_is_told() -> None:
    took = refused(CHESS, Story(STATE, TABLE), "c4", "h1")
    decoded = Decoded(Told(took, {}, 0.0, ()), 1.0)
    assert doubted(Men(h1=5, g7=6), "g7", decoded=decoded).sure


def test_a_move_by_the_rules_is_told() -> None:
    action = next(a for a in CHESS.legal(STATE) if str(a) == "e2-e4")
    story = Story(STATE, TABLE, (Step(action, 1.0, CHESS.judge(STATE, action)),))
    assert doubted(Men(g7=6), "g7", decoded=Decoded(Told(story, {}, 0.0, ()), 1.0)).sure
