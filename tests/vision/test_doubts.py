"""A doubt that one picture leaves is settled by what is played after it."""

from __future__ import annotations

from typing import Any

from companion.games import find_game
from companion.games.chess import from_fen
from tests.vision.test_in_hand import Errors, Told
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded
from vision.decoding.scene import Scene

CHESS: Any = find_game("chess")
WHITE = tuple(f"white {man}" for man in "KQRBNP")
BLACK = tuple(f"black {man}" for man in "KQRBNP")
KNIGHTS = "r3k3/8/8/8/8/8/8/4K1N1 w q - 0 1"
MAYBE = (*WHITE, None)
"""What a spot shows on which a shadow may lie, or a white man stand."""


class Men(Told):
    """What spots of men without faces show: men of one side are not told apart."""

    def told_apart(self, one: str, other: str) -> bool:
        return one.split()[0] != other.split()[0]


def see(fen: str, before: Decoded[Any] | None, **shown: tuple[str | None, ...]) -> Decoded[Any]:
    """Return what explains a picture in which each spot ``shown`` shows one of these, nobody knows
    which; ``before`` is what an earlier picture left in doubt."""
    state = from_fen(CHESS.setup(), fen)
    table, spots = CHESS.expect(state), frozenset(shown)
    errors: Errors = {
        spot: {token: 0.02 if token in there else 1.0 for token in (*WHITE, *BLACK, None)}
        for spot, there in shown.items()
    }
    asked = () if before is None else before.doubted
    decoder = Decoder(CHESS, Scene(Men(errors), table, spots, spots))
    return decoder.decode((state,), (), (), asked=asked)


def moves(told: Any) -> str:
    return " ".join(str(step.action) for step in told.story.steps)


def asked(decoded: Decoded[Any]) -> set[str]:
    assert decoded.best is not None
    assert not decoded.sure
    return {moves(told) for told in (decoded.best, *decoded.others)}


def test_a_lawful_move_that_a_strange_spot_contradicts_is_asked_about_too() -> None:
    fen = "4k3/8/2n5/8/3P4/8/8/4K3 b - - 0 1"
    errors: Errors = {"c6": {"white P": 0.02, None: 0.13}, "d4": {"black N": 0.02}}
    state = from_fen(CHESS.setup(), fen)
    decoder = Decoder(
        CHESS, Scene(Men(errors), CHESS.expect(state), frozenset(errors), frozenset(errors))
    )
    decoded = decoder.decode((state,), (), ())
    assert not decoded.sure
    assert moves(decoded.rivals[0]) == "c6-d4"


def landing() -> Decoded[Any]:
    """Return the doubt whether a knight went to f3 or to e2."""
    return see(KNIGHTS, None, g1=(None,), f3=MAYBE, e2=MAYBE)


def test_a_knight_that_may_have_gone_to_either_of_two_spots_is_asked_about() -> None:
    assert asked(landing()) == {"g1-f3", "g1-e2"}


def test_the_same_doubt_in_the_next_picture_is_no_smaller() -> None:
    again = see(KNIGHTS, landing(), g1=(None,), f3=MAYBE, e2=MAYBE)
    assert asked(again) == {"g1-f3", "g1-e2"}
    assert again.p == landing().p


def test_what_is_played_meanwhile_is_part_of_the_doubt() -> None:
    replied = see(KNIGHTS, landing(), g1=(None,), f3=MAYBE, e2=MAYBE, a8=(None,), a5=BLACK)
    assert asked(replied) == {"g1-f3 a8-a5", "g1-e2 a8-a5"}


def test_a_doubt_is_settled_when_the_man_goes_on() -> None:
    replied = see(KNIGHTS, landing(), g1=(None,), f3=MAYBE, e2=MAYBE, a8=(None,), a5=BLACK)
    went_on = see(KNIGHTS, replied, g1=(None,), e2=MAYBE, a8=(None,), a5=BLACK, g5=WHITE)
    assert went_on.best is not None
    assert went_on.sure
    assert moves(went_on.best) == "g1-f3 a8-a5 f3-g5"


def test_a_doubt_lasts_for_more_moves_than_are_searched_at_once() -> None:
    shown: dict[str, tuple[str | None, ...]] = {"g1": (None,), "f3": MAYBE, "e2": MAYBE}
    decoded = landing()
    for black, white in (("a8 a5", "e1 d1"), ("a5 a4", "d1 c1"), ("a4 a3", "c1 b1")):
        for move, side in ((black, BLACK), (white, WHITE)):
            start, end = move.split()
            shown |= {start: (None,), end: side}
            decoded = see(KNIGHTS, decoded, **shown)
            assert not decoded.sure
    settled = see(KNIGHTS, decoded, **{**shown, "e2": (None,)})
    assert settled.best is not None
    assert settled.sure
    assert moves(settled.best) == "g1-f3 a8-a5 e1-d1 a5-a4 d1-c1 a4-a3 c1-b1"


def test_a_man_may_stand_where_another_of_his_side_stood_before_the_doubt() -> None:
    """The king who castles stands where a knight stood who left during the doubt: there nothing
    seems to have changed."""
    fen = "4k1nr/8/8/8/8/8/8/4K1N1 w k - 0 1"
    first = see(fen, None, g1=(None,), f3=MAYBE, e2=MAYBE)
    left = see(fen, first, g1=(None,), f3=MAYBE, e2=MAYBE, g8=(None,), e7=BLACK)
    shown: dict[str, tuple[str | None, ...]] = {"g1": (None,), "e2": MAYBE, "f3": MAYBE}
    king = see(fen, left, **shown, e7=BLACK, g8=(None,), e1=(None,), d1=WHITE)
    castled = see(
        fen, king, **shown, e7=BLACK, e1=(None,), d1=WHITE, e8=(None,), h8=(None,), f8=BLACK
    )
    assert {f"{one} g8-e7 e1-d1 e8-g8" for one in ("g1-f3", "g1-e2")} <= asked(castled)


def test_play_does_not_go_on_from_a_refused_move_in_doubt() -> None:
    """A picture that shows a refused move, and is doubtful, may show anything."""
    shown = see(KNIGHTS, None, g1=(None,), g2=WHITE, h3=MAYBE)
    assert shown.best is not None
    assert shown.best.story.illegal
    assert not shown.doubted
