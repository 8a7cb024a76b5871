"""Men without faces look alike: stories that leave the same picture are told apart, or asked."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.games.chess import from_fen
from tests.vision.test_in_hand import Errors, Told
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded

CHESS: Any = find_game("chess")
WHITE, BLACK = ("white K", "white Q", "white R", "white B", "white N", "white P"), ("black K",)


def read(fen: str, changes: dict[str, tuple[str, ...]]) -> Decoded[Any]:
    """Return what explains a picture in which each spot of ``changes`` shows one of these tokens,
    nobody knows which, or nothing."""
    state = from_fen(CHESS.setup(), fen)
    table, spots = CHESS.expect(state), frozenset(changes)
    every = {*table.values(), *WHITE}
    errors: Errors = {
        spot: {
            **{token: 0.02 if token in there else 1.0 for token in every},
            None: 1.0 if there else 0.02,
        }
        for spot, there in changes.items()
    }
    return Decoder(CHESS, Told(errors), table, spots, spots).decode((state,), (), ())


def moves(told: Any) -> str:
    return " ".join(str(step.action) for step in told.story.steps)


def test_what_a_pawn_became_is_asked_where_it_cannot_be_seen() -> None:
    decoded = read("4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", {"g7": (), "g8": WHITE})
    assert decoded.best is not None
    assert not decoded.sure
    asked = {moves(told) for told in (decoded.best, *decoded.others)}
    assert asked == {"g7-g8=Q", "g7-g8=R", "g7-g8=B", "g7-g8=N"}


@pytest.mark.parametrize("kind", "QRBN")
def test_what_a_pawn_became_is_told_where_it_is_seen(kind: str) -> None:
    decoded = read("4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", {"g7": (), "g8": (f"white {kind}",)})
    assert decoded.best is not None
    assert decoded.sure
    assert moves(decoded.best) == f"g7-g8={kind}"


def test_where_play_goes_on_nobody_is_asked_what_a_pawn_became() -> None:
    changes = {"g7": (), "g8": WHITE, "a7": (), "a6": ("black P",)}
    decoded = read("8/p2k2P1/8/8/8/8/8/4K3 w - - 0 1", changes)
    assert decoded.best is not None
    assert decoded.sure
    assert moves(decoded.best) == "g7-g8=Q a7-a6"


def test_castling_and_a_king_who_walks_home_the_other_way_look_alike_and_are_asked() -> None:
    changes = {"e1": (), "h1": (), "g1": WHITE, "d1": WHITE, "f8": (), "d6": ("black B",)}
    decoded = read("4kb2/8/8/8/8/8/8/4K2R w K - 0 1", changes)
    assert decoded.best is not None
    assert not decoded.sure
    asked = {moves(told) for told in (decoded.best, *decoded.others)}
    assert {"e1-g1 f8-d6 f1-d1", "e1-d1 f8-d6 h1-g1"} <= asked
