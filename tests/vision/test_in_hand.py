"""A token in the hand, while light or shadow spoil other spots, is a token in the hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.games import find_game
from companion.rules import read_action
from tests.checks.victorus_tables import table
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded
from vision.decoding.differences import Spoilt, hides, moved_spots, stirred
from vision.decoding.scene import Scene
from vision.tokens.eye import Glimpse, Seen
from vision.tokens.likelihood import log_likelihood

VICTORUS = find_game("victorus")
Errors = Mapping[str, Mapping[str | None, float]]


class Told(Seen):
    """What spots show, by a table of errors; what is not told of fits badly."""

    def __init__(self, errors: Errors) -> None:
        self._errors = errors

    def error(self, spot: str, token: str | None) -> float:
        return self._errors[spot].get(token, 1.2 if token else 1.9)

    def shows(self, spot: str, token: str | None) -> bool:
        error = self.error(spot, token)
        if error <= 0.3 or token is None:
            return error <= 0.3
        return error < 0.8 and error < 0.33 * self.error(spot, None)

    nats = staticmethod(log_likelihood)

    def told_apart(self, one: str, other: str) -> bool:
        return one != other

    def known(self, token: str) -> bool:
        return not token.endswith("+")


def read(errors: Errors) -> Decoded[Any]:
    game: Any = VICTORUS
    state = game.start(game.setup(("red", "orange", "blue")))
    spots = frozenset(errors)
    return Decoder(game, Scene(Told(errors), game.expect(state), spots, spots)).decode(
        (state,), (), ()
    )


def test_a_man_taken_off_before_its_captor_moves_is_no_capture_and_way_back() -> None:
    game: Any = find_game("chess")
    state = game.read_position(game.setup(), "4k3/8/7b/8/5p2/4P3/8/4K3 w - - 0 1")
    errors: Errors = {
        "e3": {"white P": 0.1, None: 2.0}, "f4": {"black P": 2.0, None: 0.02, "white P": 1.5}
    }  # fmt: skip
    spots = frozenset(errors)
    decoder = Decoder(game, Scene(Told(errors), game.expect(state), spots, spots, stirred=spots))
    assert decoder.decode((state,), (), ()).best is None


def test_what_left_a_spot_that_is_left_out_is_not_taken_for_something_else_where_it_came() -> None:
    """Castling by halves: the king stands on ``g8``, the rook is in the hand."""
    game: Any = find_game("chess")
    state = game.read_position(game.setup(), "4k2r/8/8/8/8/8/8/4K3 b k - 0 1")
    errors: Errors = {
        "e8": {"black K": 2.0, None: 0.1},
        "g8": {"black K": 0.1, "black R": 0.7, None: 1.9},
        "h8": {"black R": 2.0, None: 0.02},
    }
    checked, spots = frozenset(errors), frozenset({"g8", "h8"})
    decoder = Decoder(game, Scene(Told(errors), game.expect(state), spots, checked))
    assert decoder.decode((state,), (), ()).best is None


@pytest.mark.parametrize(("opened", "expected"), [([], 2), (["d6"], None)])
def test_what_left_first_was_not_moved_last(opened: list[str], expected: int | None) -> None:
    """A pawn was seen gone from ``d6`` with the queen, now in the hand, yet on ``e7``: it is the
    one that is taken, and takes none on ``e5``."""
    game: Any = find_game("chess")
    state = game.read_position(game.setup(), "7k/4Q3/3p4/4p3/8/8/8/4K3 w - - 0 1")
    errors: Errors = {
        "d6": {"black P": 2.0, None: 0.02}, "e7": {"white Q": 2.0, None: 0.02},
        "e5": {"black P": 0.02, None: 2.0},
    }  # fmt: skip
    spots, before = frozenset({"d6", "e7"}), frozenset(opened)
    decoder = Decoder(
        game, Scene(Told(errors), game.expect(state), spots, frozenset(errors), opened=before)
    )
    best = decoder.decode((state,), (), ()).best
    assert (best and best.story.moves) == expected


def test_a_lifted_token_does_not_land_on_one_that_a_light_spoilt_a_little() -> None:
    """The light round ``g1`` lets it look a little like ``d10``, and far more like itself."""
    gone: Errors = {"d10": {"orange white E": 2.0, None: 0.02}}
    spoilt: Errors = {"g1": {"red white E": 0.07, "orange white E": 0.58}}
    assert read({**gone, **spoilt}).best is None


@pytest.mark.parametrize(
    ("bare", "token", "expected"), [(0.05, 0.28, None), (2.0, 0.28, ["g1-g3"])]
)
def test_a_bare_spot_on_which_a_shadow_lies_is_no_landing(
    bare: float, token: float, expected: list[str] | None
) -> None:
    left: Errors = {"g1": {"red white E": 2.0, None: 0.02}}
    decoded = read({**left, "g3": {None: bare, "red white E": token}})
    told = [str(step.action) for step in decoded.best.story.steps] if decoded.best else None
    assert told == expected


def test_a_single_refused_move_is_likelier_than_two_moves_with_a_stop_nobody_saw() -> None:
    game: Any = VICTORUS
    state = game.start(game.setup(("red", "orange", "blue")))
    token = game.expect(state)["g1"]
    decoded = read({"g1": {token: 2.0, None: 0.01}, "g6": {None: 2.0, token: 0.01}})
    assert decoded.best is not None
    assert [str(step.action) for step in decoded.best.story.steps] == ["g1-g6"]
    assert decoded.best.story.illegal == 1


def test_a_table_off_which_nineteen_tokens_were_taken_is_explained_by_nothing() -> None:
    state = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    gone = list(VICTORUS.expect(state).items())[:19]
    decoded = read({spot: {token: 2.0, None: 0.02} for spot, token in gone})
    assert decoded.best is None


def test_a_turn_is_not_ended_because_a_knight_fits_a_little_better_turned_over() -> None:
    state = table({"i4": "red white T", "i6": "purple white U+"})
    errors: Errors = {
        "i4": {"red white T": 2.0, None: 0.02},
        "i6": {"purple white U+": 1.2, "red white T frozen": 0.12, "red white T+": 0.08},
    }
    spots = frozenset(errors)
    decoder = Decoder(VICTORUS, Scene(Told(errors), VICTORUS.expect(state), spots, spots))
    decoded = decoder.decode((state,), (), ())
    assert decoded.best is not None
    assert [str(step.action) for step in decoded.best.story.steps] == ["i4-i6"]


def test_a_turn_is_not_ended_because_a_captor_was_brushed_beside_a_refused_move() -> None:
    state = table({"i4": "red white T", "i6": "purple white U", "e4": "red white E"})
    state = VICTORUS.advance(state, read_action("i4-i6"))
    errors: Errors = {
        "i6": {"red white T frozen": 0.116, "red white T": 0.121},
        "e4": {"red white E": 2.0, None: 0.02},
        "p5": {"red white E": 0.05},
    }
    spots, belief = frozenset(errors), VICTORUS.expect(state)
    decoder = Decoder(VICTORUS, Scene(Told(errors), belief, spots, spots, stirred=spots))
    decoded = decoder.decode((state,), (), ())
    assert decoded.best is not None
    assert [str(step.action) for step in decoded.best.story.steps] == ["e4-p5"]


def test_a_stop_where_a_light_lies_is_no_reason_to_call_two_moves_a_refused_one() -> None:
    """``g2`` looks ill in the sun, whether somebody stopped there or not."""
    state = table({"f1": "red black H"})
    errors: Errors = {
        "f1": {"red black H": 2.0, None: 0.02},
        "g2": {None: 0.25, "red black H": 1.9},
        "f3": {"red black H": 0.02, None: 2.0},
    }
    spots, checked = frozenset({"f1", "f3"}), frozenset(errors)
    decoder = Decoder(VICTORUS, Scene(Told(errors), VICTORUS.expect(state), spots, checked))
    best = decoder.decode((state,), (), ()).best
    assert best is not None
    assert [str(step.action) for step in best.story.steps] == ["f1-g2", "g2-f3"]


def test_a_shadow_on_a_bare_spot_is_no_stop_on_the_way() -> None:
    state = table({"h2": "purple white U"})
    errors: Errors = {
        "h1": {"red half K": 2.0, None: 0.01},
        "h2": {"red half K": 0.07, "purple white U": 1.7},
        "i1": {None: 0.1},
    }
    spots = frozenset(errors)
    decoder = Decoder(
        VICTORUS, Scene(Told(errors), VICTORUS.expect(state), spots, spots, stirred=spots)
    )
    decoded = decoder.decode((state,), (), ())
    assert decoded.sure
    assert decoded.best is not None
    assert [str(step.action) for step in decoded.best.story.steps] == ["h1-h2"]


def test_a_token_that_left_may_have_taken_one_that_looks_almost_alike() -> None:
    table = {"a1": "red white E", "a2": "orange white E"}
    seen = Told({
        "a1": {"red white E": 2.0, None: 0.01},
        "a2": {"orange white E": 0.04, "red white E": 0.02},
    })  # fmt: skip
    own = {"a1": 2.0, "a2": 0.04}
    assert moved_spots(seen, table, own, {}) == {"a1", "a2"}
    kept = {**own, "a2": 0.01}
    assert moved_spots(seen, table, kept, {}) == {"a1"}


def test_what_looks_a_little_wrong_is_no_part_of_a_move_if_nothing_that_moved_may_lie_there():
    errors = {"g1": {"red white E": 0.7, None: 0.03}, "d10": {None: 0.9, "red white E": 0.03}}
    ill = {f"a{number}": {"red black B": 0.1, None: 0.8, "red white E": 0.6} for number in (1, 2)}
    pale = {"a3": {"red black B": 0.1, None: 0.8, "red white E": 0.15}}
    table = {"g1": "red white E", **dict.fromkeys((*ill, *pale), "red black B")}
    own = {"g1": 0.7, "d10": 0.9, **dict.fromkeys((*ill, *pale), 0.1)}
    seen = Told({**errors, **ill, **pale})
    assert moved_spots(seen, table, own, {}) == {"g1", "d10", "a3"}


def test_a_torn_picture_is_no_disorder_until_a_second_one_shows_the_same() -> None:
    spoilt = Spoilt()
    many = frozenset(f"a{number}" for number in range(20))
    assert spoilt.picture(many)
    assert not spoilt.picture(many)
    assert not spoilt.picture(frozenset({"a1", "a2"}))
    assert spoilt.picture(many)


def test_where_a_picture_differs_a_token_in_the_hand_rather_landed_than_stays_there() -> None:
    """Two pale tokens: one left, and where the other lay something is a little different."""
    errors: Errors = {
        "g1": {"red white E": 0.7, None: 0.03},
        "d10": {"orange white E": 0.05, "red white E": 0.1},
    }
    table = {"g1": "red white E", "d10": "orange white E"}
    own = {"g1": 0.7, "d10": 0.05}
    assert moved_spots(Told(errors), table, own, {}) == {"g1"}
    assert moved_spots(Told(errors), table, own, {}, frozenset(table)) == set(table)


def test_many_spots_that_look_different_at_once_were_touched_by_the_light_only() -> None:
    assert stirred(Glimpse(changed=("g1", "g3"))) == {"g1", "g3"}
    assert stirred(Glimpse(changed=tuple(f"a{number}" for number in range(9)))) == frozenset()


def test_a_token_that_a_refused_move_carried_off_does_not_move_twice() -> None:
    """A torn picture lets ``l1`` look a little like the token that stands on ``g3`` now."""
    errors: Errors = {
        "g1": {"red white E": 2.0, None: 0.01},
        "g3": {"red white E": 0.01, None: 2.0},
        "i7": {"red white E": 0.25, None: 0.5},
    }
    best = read(errors).best
    assert best is None or [str(step.action) for step in best.story.steps] == ["g1-g3"]


def test_nothing_is_refused_while_another_token_seems_to_have_left_too() -> None:
    """Where it landed a light lies on it: it may have been the move that came first."""
    refused: Errors = {
        "g1": {"red white E": 2.0, None: 0.01},
        "i7": {"red white E": 0.01, None: 2.0},
    }
    best = read(refused).best
    assert best is not None
    assert best.story.illegal
    other = VICTORUS.expect(VICTORUS.start(VICTORUS.setup(("red", "orange", "blue"))))["h1"]
    assert read({**refused, "h1": {other: 0.26, None: 0.012}}).best is None
    dim = read({**refused, "h1": {other: 0.05, None: 0.02}}).best
    assert dim is not None
    assert dim.story.illegal, "it only fits a little badly"


def test_a_token_is_not_refused_where_another_one_of_the_table_fits_far_better() -> None:
    """A token that was nudged leans over ``i7``, and the one from ``g1`` was taken off."""
    left: Errors = {"g1": {"red white E": 2.0, None: 0.01}}
    alike = {"red white E": 0.15, None: 2.0}
    told = read({**left, "i7": alike}).best
    assert told is not None
    assert told.story.illegal
    other = VICTORUS.expect(VICTORUS.start(VICTORUS.setup(("red", "orange", "blue"))))["h1"]
    assert read({**left, "i7": {**alike, other: 0.05}}).best is None


def test_the_next_seat_moves_once_a_turn_was_ended_though_its_pale_token_is_hardly_seen() -> None:
    """Told of before nor after does any spot look quite wrong: all that lies there is pale."""
    pieces = {"i4": "red white T", "i6": "purple white U", "e4": "red white E"}
    state = table({**pieces, "i12": "purple white E"})
    state = VICTORUS.advance(state, read_action("i4-i6"))
    assert not VICTORUS.judge(state, read_action("i12-i10")).allowed, "red may go on"
    errors: Errors = {
        "i12": {"purple white E": 0.108, None: 0.019},
        "i10": {"purple white E": 0.016, None: 0.11},
        "i6": {"red white T frozen": 0.0, "red white T": 0.0},
    }
    spots = frozenset({"i10", "i12"})
    decoder = Decoder(VICTORUS, Scene(Told(errors), VICTORUS.expect(state), spots, spots | {"i6"}))
    decoded = decoder.decode((state,), (), ())
    assert decoded.best is not None
    assert [str(step.action) for step in decoded.best.story.steps] == ["end", "i12-i10"]


def test_a_back_never_seen_among_tokens_that_moved_side_by_side_hides_nothing() -> None:
    table = {"g1": "red white T+", "i1": "red white E"}
    plain: Errors = {"g1": {"red white T+": 0.22}, "h1": {None: 0.02}, "i1": {"red white E": 0.01}}
    assert not hides(Told(plain), table, {"g1", "h1", "i1"})
    assert hides(Told(plain), table, {"g1"}), "it may as well be a hand"
    assert hides(Told({**plain, "h1": {None: 0.2}}), table, {"g1", "h1", "i1"})
