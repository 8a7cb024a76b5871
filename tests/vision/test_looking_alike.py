"""Men without faces look alike: stories that leave the same picture are told apart, or asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.games.chess import from_fen
from companion.rules import Action, read_action
from tests.checks.carved import CARVED
from tests.checks.evenings import Evening, Plan
from tests.checks.victorus_tables import after, opened, table
from tests.vision.test_in_hand import Errors
from tests.vision.test_in_hand import Told as Shown
from tests.vision.test_tall_men import BOARD, drawn, silhouettes
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded, Told
from vision.decoding.missed import halfway, overtaken
from vision.decoding.reader import Reader
from vision.decoding.scene import HELD, Effort, Scene
from vision.decoding.story import Story, refused
from vision.tokens.bodies import Bodies
from vision.tokens.body_sight import BodyObservation
from vision.tokens.ground import DISC

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
    return Decoder(CHESS, Scene(Shown(errors), table, spots, spots)).decode((state,), (), ())


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


def refusal(fen: str, move: str, unsure: set[str]) -> bool:
    """Return whether the refused ``move`` may be by the rules after one that nobody saw."""
    state = from_fen(CHESS.setup(), fen)
    origin, _, target = move.partition("-")
    story = refused(CHESS, Story(state, CHESS.expect(state)), origin, target)
    assert story is not None
    best = Told(story, story.table, 0.0, ())
    return overtaken(CHESS, [state], (), best, lambda a: {*a.ends} <= unsure, frozenset())


def never(move: Action) -> bool:
    return False


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_a_move_out_of_turn_may_follow_one_that_nobody_saw() -> None:
    assert refusal(START, "e7-e5", {"c2", "c4"})
    assert refusal(START, "e7-e5", {"b1", "c3", "h7"})
    assert not refusal(START, "e7-e5", {"c2"}), "he would be seen where he went"
    assert not refusal(START, "e7-e5", {"c7", "c5"}), "it is not for black to move"


def test_a_move_out_of_turn_may_follow_one_taken_back_that_is_not_understood() -> None:
    start = from_fen(CHESS.setup(), START)
    gone = read_action("e2-e4")
    past = [start, CHESS.advance(start, gone)]
    story = refused(CHESS, Story(past[-1], CHESS.expect(past[-1])), "d2", "d4")
    assert story is not None
    best = Told(story, story.table, 0.0, ())
    assert overtaken(CHESS, past, [gone], best, never, frozenset({"e4", "d2", "d4"}))
    assert not overtaken(CHESS, past, [gone], best, never, frozenset({"d2", "d4"}))


def test_a_move_out_of_turn_may_follow_one_after_which_something_was_said() -> None:
    game: Any = find_game("heximeros")
    state = game.start(game.setup())
    first = next(a for a in game.legal(state) if a.target)
    after = game.advance(state, first)
    passes = next(a for a in game.legal(after) if a.target is None)
    then = game.advance(after, passes)
    later = next(a for a in game.legal(then) if a.target and not game.judge(after, a).allowed)
    story = refused(game, Story(state, game.expect(state)), str(later.origin), str(later.target))
    assert story is not None
    best = Told(story, story.table, 0.0, ())
    assert overtaken(game, [state], (), best, lambda a: a == first, frozenset())
    assert not overtaken(game, [state], (), best, never, frozenset())


def test_what_no_move_that_was_missed_would_allow_is_refused() -> None:
    assert not refusal(START, "e7-e4", {"c2", "c4"})
    assert not refusal(START, "e2-e5", {"c2", "c4", "e7", "e5"})


def test_a_move_is_waited_for_that_brings_back_what_does_not_lie_there_yet() -> None:
    """The Excalibur took a Queen, and two Queens return: that somebody said *end* and then played
    on does not explain it better."""
    game: Any = find_game("victorus")
    queens = {"h1": "red half K", "j3": "red half Q", "j14": "purple half K", "h5": "purple half Q"}
    pieces = {"h3": "red white E+", "j8": "purple white E+"}
    state = after(table(pieces, royals=queens), "h3-h5", "end", "j8-j10")
    errors: Errors = {
        "j10": {"purple white E+": 2.0, None: 0.02},
        "j3": {"purple white E+": 0.02, "red half Q": 2.0},
    }
    spots = frozenset(errors)
    best = (
        Decoder(game, Scene(Shown(errors), game.expect(state), spots, spots))
        .decode((state,), (), ())
        .best
    )
    assert best is not None
    assert moves(best) == "end j10-j3"
    assert halfway(game, (state,), (), best, spots)
    assert not halfway(game, (after(state, "end"),), (), best, spots), "it is for red to move"


def test_a_capture_is_waited_for_where_a_king_it_frees_is_yet_to_be_put_on_the_space_it_left() -> (
    None
):
    game: Any = find_game("victorus")
    royals = {
        "h1": "red half K",
        "h4": "red half Q",
        "l13": "purple half K",
        "f14": "purple half Q",
    }
    state = table({"c9": "purple white E", "h2": "red black T"}, royals=royals)
    state = after(opened(state), "h4-l6", "l6-l13", "end", "f14-j14")
    errors: Errors = {
        "j14": {"purple half Q": 2.0, None: 0.02},
        "l13": {"purple half Q": 0.05, "red half Q": 2.0},
    }
    spots = frozenset(errors)
    decoder = Decoder(game, Scene(Shown(errors), game.expect(state), spots, spots))
    best = decoder.decode((state,), (), ()).best
    assert best is not None
    assert moves(best) == "end j14-l13"
    assert halfway(game, (state,), (), best, spots)


def undone(*moves: str) -> tuple[Told[Any], bool]:
    """Return the best story of a picture in which the pawn that made the first of ``moves``, and
    the king that made the second, stand where they stood before, and whether it is half made."""
    past = [from_fen(CHESS.setup(), "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")]
    actions = [read_action(move) for move in moves]
    for action in actions:
        past.append(CHESS.apply(past[-1], action))
    errors: Errors = {}
    for token, action in zip(("white P", "black K"), actions, strict=False):
        errors[str(action.target)] = {token: 2.0, None: 0.02}
        errors[str(action.origin)] = {token: 0.02, None: 2.0}
    spots = frozenset(errors)
    seen = Decoder(CHESS, Scene(Shown(errors), CHESS.expect(past[-1]), spots, spots))
    best = seen.decode(past, actions, ()).best
    assert best is not None
    return best, halfway(CHESS, past, actions, best, spots)


@pytest.mark.parametrize("moves", [("e4-d5",), ("e4-d5", "e8-e7")])
def test_a_captor_put_back_is_no_refused_move_while_what_it_took_is_in_the_hand(
    moves: tuple[str, ...],
) -> None:
    best, half = undone(*moves)
    assert best.story.illegal
    assert half


def test_a_move_that_took_nothing_is_taken_back_at_once() -> None:
    best, half = undone("e4-e5")
    assert best.story.steps[0].takeback == 1
    assert not half


def test_a_sound_first_picture_is_not_given_up_for_one_in_which_a_pale_man_has_moved() -> None:
    evening = Evening(CHESS, Plan(72001, art=CARVED))
    frame, camera = evening.read(), evening.camera
    assert frame is not None
    state = CHESS.start(evening.setup)
    reader: Reader[Any] = Reader(CHESS, evening.setup, camera.table_file())
    reader.read(frame, (state,))
    camera.table.move("c2", "c4")
    told: list[str] = []
    while not told and (frame := camera.read()) is not None:
        told += [str(step.action) for step in reader.read(frame, (state,)).steps]
        if not camera.busy:
            break
    assert told == ["c2-c4"]


def test_a_picture_is_not_searched_for_longer_than_all_its_searches_may_take_together() -> None:
    state = CHESS.start(CHESS.setup())
    table, after = CHESS.expect(state), dict(CHESS.expect(state))
    for origin, target in (("e2", "e4"), ("d7", "d5"), ("g1", "f3")):
        after[target] = after.pop(origin)
    spots = frozenset({"e2", "e4", "d7", "d5", "g1", "f3"})
    every = {None, *table.values()}
    shown = Shown({s: {t: 0.02 if t == after.get(s) else 1.0 for t in every} for s in spots})

    def searched(effort: Effort) -> Decoded[Any]:
        decoder = Decoder(CHESS, Scene(shown, table, spots, spots, effort=effort))
        return decoder.decode((state,), (), ())

    effort = Effort()
    assert sorted(moves(searched(effort).best).split()) == ["d7-d5", "e2-e4", "g1-f3"]
    took, effort.left = HELD - effort.left, len(spots)
    assert took > 2 * len(spots)
    for _ in range(2):
        assert searched(effort).best is None
    assert effort.left > -took


def test_who_was_missing_and_is_there_again_was_put_back_and_not_taken() -> None:
    shapes, ground = silhouettes(south=500.0)
    table = dict(CHESS.expect(CHESS.start(CHESS.setup())))
    bodies = Bodies(BOARD, ground, CHESS.look, drawn(shapes, ground, table), table)
    missing = {spot: token for spot, token in table.items() if spot != "g1"}
    seen = BodyObservation(bodies, ground, drawn(shapes, ground, missing), table)
    assert not seen.settle(table)
    back = drawn(shapes, ground, {spot: token for spot, token in table.items() if spot != "a1"})
    disc = np.linalg.norm(ground.grid - BOARD["g1"].centre, axis=-1) < DISC * BOARD.pitch
    back[disc] += 0.05
    seen = BodyObservation(bodies, ground, back, table)
    assert "a1" in seen.changed
    assert "g1" not in seen.other_ends(frozenset({"a1"}))


@pytest.mark.parametrize("fits", [0.05, 0.14])
def test_a_pawn_that_takes_its_like_is_refused_where_that_no_longer_looks_like_itself(
    fits: float,
) -> None:
    state = from_fen(CHESS.setup(), "4k3/8/8/8/8/6P1/P7/4K3 w - - 0 1")
    table, spots = CHESS.expect(state), frozenset({"a2", "g3"})
    errors: Errors = {
        "a2": {"white P": 0.3, "white K": 0.3, "black K": 1.0, None: 0.0},
        "g3": {"white P": fits, "white K": 0.0, "black K": 1.0, None: 0.4},
    }

    class Alike(Shown):
        def told_apart(self, one: str, other: str) -> bool:
            return one.split()[0] != other.split()[0]

    best = Decoder(CHESS, Scene(Alike(errors), table, spots, spots)).decode((state,), (), ()).best
    assert ([moves(best)] if best else []) == (["a2-g3"] if fits > 0.1 else [])


@pytest.mark.parametrize("left", ["e2", "d7", "g1"])
def test_a_light_that_is_bared_by_who_leaves_is_nobody(left: str) -> None:
    shapes, ground = silhouettes(south=500.0)
    table = dict(CHESS.expect(CHESS.start(CHESS.setup())))
    bodies = Bodies(BOARD, ground, CHESS.look, drawn(shapes, ground, table), table)
    shown = drawn(shapes, ground, {s: token for s, token in table.items() if s != left})
    for spot in ("a4", "c5", "h4", left):
        off = np.linalg.norm(ground.grid - BOARD[spot].centre, axis=-1) / BOARD.pitch
        shown += 1.6 * np.exp(-((off / 0.2) ** 2))[..., None]
    seen = BodyObservation(bodies, ground, shown, table)
    assert left in seen.changed
    assert seen.error(left, None) < 0.02
    assert not {*seen.changed} & {"a4", "c5", "h4"}


def test_a_light_that_nobody_told_of_is_not_what_a_bare_square_looks_like() -> None:
    shapes, ground = silhouettes(south=500.0)
    table = dict(CHESS.expect(CHESS.start(CHESS.setup())))
    dark = drawn(shapes, ground, table)
    bodies = Bodies(BOARD, ground, CHESS.look, dark, table)
    off = np.linalg.norm(ground.grid - BOARD["d4"].centre, axis=-1) / BOARD.pitch
    lit = dark + 1.6 * np.exp(-((off / 0.2) ** 2))[..., None]
    assert BodyObservation(bodies, ground, lit, table).settle(table)
    assert np.abs(bodies.points(bodies.bare, "d4")).max() < 0.1
