"""What nobody can see, and what nobody could tell apart, is weighed and not guessed."""

from __future__ import annotations

from typing import Any

from companion.games import find_game
from companion.games.chess import from_fen
from tests.vision.test_in_hand import Errors, Told
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded
from vision.decoding.scene import Scene

CHESS: Any = find_game("chess")
PLAIN = 0.02


class Men(Told):
    """What spots show of men who are told apart by their colour alone."""

    def told_apart(self, one: str, other: str) -> bool:
        return one.split()[0] != other.split()[0]


def see(
    fen: str, shown: dict[str, str | None], concealed: str = "", stale: str = ""
) -> Decoded[Any]:
    """Return what explains a picture in which each spot plainly shows a man of this colour, or
    none."""
    state = from_fen(CHESS.setup(), fen)
    table, spots = CHESS.expect(state), frozenset(shown)
    every = (None, *(f"{side} {man}" for side in ("white", "black") for man in "KQRBNP"))
    errors: Errors = {
        spot: {t: PLAIN if (t and t.split()[0]) == colour else 1.0 for t in every}
        for spot, colour in shown.items()
    }
    same = frozenset(stale.split())
    decoder = Decoder(
        CHESS, Scene(Men(errors), table, spots, spots,
        opened=same, stale=same, concealed=frozenset(concealed.split())))  # fmt: skip
    return decoder.decode((state,), (), ())


def moves(decoded: Decoded[Any]) -> list[str]:
    return [str(step.action) for step in decoded.best.story.steps] if decoded.best else []


def test_who_left_went_to_the_one_spot_that_a_thing_hides_and_he_may_go_to() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert moves(see(fen, {"e2": None}, concealed="e4 h8")) == ["e2-e4"]
    assert moves(see(fen, {"e2": None}, concealed="h4 h8")) == [], "in a hand"


def test_who_came_was_played_from_a_spot_that_a_thing_hides() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1"
    assert moves(see(fen, {"f3": "white"}, concealed="g1")) == ["g1-f3"]


def test_a_castling_that_was_not_seen_is_weighed_against_two_other_moves() -> None:
    fen = "4k2r/5ppp/8/8/8/3B4/8/4K3 b k - 0 1"
    shown = {"e8": None, "h8": None, "f8": "black", "d3": None, "h7": "black"}
    decoded = see(fen, shown)
    some = {tuple(str(s.action) for s in told.story.steps) for told in decoded.rivals}
    assert {("e8-f8", "d3-h7", "h8-h7"), ("e8-g8", "d3-h7", "g8-h7")} <= some


def test_of_two_moves_of_one_player_nobody_is_told_which_one_is_refused() -> None:
    fen = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1"
    decoded = see(fen, {"a2": None, "a3": "white", "h2": None, "h3": "white"})
    assert not decoded.sure
    refused = {told.story.strayed for told in decoded.rivals}
    assert {frozenset({"a3"}), frozenset({"h3"})} <= refused


def test_what_was_strange_before_is_no_part_of_a_story_that_leaves_some_of_it_strange() -> None:
    fen = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1"
    fresh = {"h2": None, "h3": "white"}
    apart = see(fen, {**fresh, "c5": "black"}, stale="c5")
    assert moves(apart) == ["h2-h3"]
    assert apart.left == {"c5"}
    mixed = see(fen, {"a2": None, "a3": "white", "c5": "black"}, stale="a2 c5")
    assert moves(mixed) == []
