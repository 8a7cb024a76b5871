"""What is strange on the table and belongs to no story hides no move and is no part of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games import find_game
from companion.rules import Action
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded
from vision.decoding.differences import moved_spots
from vision.decoding.missed import landed_or_left, unseen
from vision.decoding.puzzle import Backs
from vision.decoding.scene import Scene
from vision.tokens.eye import Seen
from vision.tokens.likelihood import log_likelihood
from vision.watching.glance import Glance, in_shade

Errors = Mapping[str, Mapping[str | None, float]]
VICTORUS: Any = find_game("victorus")
INVICTUS: Any = find_game("invictus")
START: Any = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
MOVED: Errors = {"g1": {"red white E": 2.0, None: 0.01}, "g3": {"red white E": 0.01, None: 2.0}}


class Told(Seen):
    """What spots show, by a table of errors; what is not told of fits badly."""

    def __init__(self, errors: Errors) -> None:
        self.errors = errors

    def error(self, spot: str, token: str | None) -> float:
        return self.errors[spot].get(token, 1.2)

    def shows(self, spot: str, token: str | None) -> bool:
        return self.error(spot, token) <= 0.3

    nats = staticmethod(log_likelihood)

    def told_apart(self, one: str, other: str) -> bool:
        return one != other

    def known(self, token: str) -> bool:
        return True


def scene(seen: Told, table: Any, changed: frozenset[str]) -> Scene:
    return Scene(seen, table, changed, changed)


def read(
    errors: Errors,
    stale: str = "",
    game: Any = VICTORUS,
    state: Any = None,
    opened: str = "",
    played: Sequence[Action] = (),
) -> tuple[list[str], Decoded[Any], frozenset[str]]:
    """Return what is told of a picture, how, and what is left unexplained; ``played`` were the
    actions before it."""
    past = [state or game.start(game.setup(("red", "orange", "blue")))]
    for action in played:
        past.append(game.advance(past[-1], action))
    table, seen, spots = game.expect(past[-1]), Told(errors), frozenset(errors)
    same = frozenset(stale.split())
    before = same.union(opened.split())
    found = Decoder(game, Scene(seen, table, spots, spots, opened=before, stale=same)).decode(
        past, played, ()
    )
    best = found.best
    return [str(s.action) for s in best.story.steps] if best else [], found, found.left


def test_a_move_is_told_though_a_light_looks_like_a_token_from_nowhere() -> None:
    told, decoded, left = read({**MOVED, "i7": {None: 0.6, "red white E": 0.4}})
    assert told == ["g1-g3"]
    assert left == {"i7"}
    assert decoded.trust <= 0.95


def test_a_move_is_told_beside_a_token_that_was_nudged_so_far_that_it_fits_badly() -> None:
    stays: Errors = {"m1": {"red black B": 0.34, None: 0.84, "red white T": 0.24}}
    goes: Errors = {"m1": {"red black B": 0.34, None: 0.84, "red white T": 0.07}}
    other: Errors = {"l2": {"red white T": 0.13, None: 0.9}}
    told, decoded, left = read({**MOVED, **other, **stays})
    assert told == ["g1-g3"]
    assert left == {"m1"}
    assert decoded.trust <= 0.95
    assert read({**MOVED, **other, **goes})[0] == [], "another one may have come there"


def test_no_move_is_told_beside_a_spot_to_which_it_may_as_well_have_gone() -> None:
    """Light may change several spots alike, and one that a token may have left."""
    alike: Errors = {**MOVED, "g5": {None: 0.35, "red white E": 0.02}}
    assert read(alike)[0] == []
    assert read({**alike, "g5": {None: 0.35, "red black B": 0.2}})[0] == ["g1-g3"]


def test_what_comes_to_a_spot_that_was_strange_before_is_plain_there() -> None:
    strange: Errors = {"i7": {None: 0.6, "red white E": 0.4}}
    poor: Errors = {**MOVED, "g3": {"red white E": 0.25, None: 2.0}}
    assert read({**poor, **strange}, opened="i7")[0] == ["g1-g3"]
    assert read({**poor, **strange}, opened="g3 i7")[0] == []
    assert read({**MOVED, **strange}, opened="g3 i7")[0] == ["g1-g3"]


def test_a_refused_move_is_told_beside_something_strange() -> None:
    far: Errors = {"g1": MOVED["g1"], "m12": MOVED["g3"]}
    strange: Errors = {"i7": {None: 0.6, "red white E": 0.4}}
    told, decoded, left = read({**far, **strange})
    assert (told, left) == (["g1-m12"], {"i7"})
    assert decoded.best is not None
    assert decoded.best.story.illegal
    came: Errors = {"i7": {None: 1.2, "red white E": 0.02}}
    assert read({**far, **came})[0] == [], "it may have come there"


def test_no_lawful_move_is_told_beside_something_strange_where_a_refused_one_is_likelier() -> None:
    came: Errors = {"m12": {"red white E": 0.01, "red black B": 0.2, None: 1.2}}
    left: Errors = {"g1": {"red white E": 2.0, None: 0.01}}
    strange: Errors = {"i7": {None: 0.6, "red white E": 0.25}}
    told, _, _ = read({**left, **came, **strange})
    assert told == []


def test_a_refused_move_is_told_where_a_lawful_one_only_just_explains_the_picture() -> None:
    ill: Errors = {
        "g1": {"red white E": 0.1, None: 0.1},
        "h2": {"red black T": 0.1, None: 0.02},
        "g5": {"red black T": 0.01, "red white E": 0.12, None: 1.2},
    }
    assert read(ill)[0] == ["h2-g5"]


def test_nothing_is_taken_back_beside_something_that_is_not_understood() -> None:
    there = next(a for a in VICTORUS.legal(START) if a.origin == "g1" and a.target == "g3")
    back: Errors = {
        "g1": {"red white E": 0.01, None: 2.0},
        "g3": {"red white E": 2.0, None: 0.01},
    }
    assert read(back, played=[there])[0] == ["g3-g1"]
    strange = {**back, "i7": {None: 0.6, "red white E": 0.4}}
    assert read(strange, played=[there])[0] == []
    assert read(strange, played=[there], opened="i7")[0] == ["g3-g1"], "it was strange before"


def test_what_lay_strangely_before_is_no_landing_of_what_stood_elsewhere_then() -> None:
    errors: Errors = {
        "g1": {"red white E": 2.0, None: 0.01},
        "i7": {None: 0.6, "red white E": 0.2},
    }
    assert read(errors)[0] == ["g1-i7"]
    assert read(errors, stale="i7")[0] == [], "the token is in the hand"
    assert read(errors, stale="i7", opened="g1")[0] == ["g1-i7"], "it had left by then"
    told, decoded, left = read({**errors, "g3": MOVED["g3"]}, stale="i7")
    assert told == ["g1-g3"]
    assert left == {"i7"}
    assert decoded.trust <= 0.95


def test_a_move_after_one_that_was_not_understood_is_not_refused() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table = VICTORUS.expect(start)
    red = next(a for a in VICTORUS.legal(start) if a.origin == "g1" and a.target == "g3")
    after = VICTORUS.advance(start, red)
    moves = (a for a in VICTORUS.legal(after) if a.target and a.target not in table)
    orange = next(a for a in moves if a.origin)
    token = table[orange.origin]
    # Red's token on g3 is hard to tell; that of orange is not.
    errors: Errors = {
        "g1": {"red white E": 2.0, None: 0.01},
        "g3": {None: 1.0, "red white E": 0.7},
        orange.origin: {token: 2.0, None: 0.01},
        orange.target: {token: 0.01, None: 2.0},
    }
    told, decoded, _ = read(errors, stale="g1 g3")
    assert told == ["g1-g3", str(orange)]
    assert not decoded.refused
    told, _, _ = read({**errors, "g3": {None: 1.0, "red white E": 0.9}}, stale="g1 g3")
    assert told == [], "what came to g3 cannot be told at all"


def test_a_token_lifted_before_lands_from_where_it_was_missed() -> None:
    told, decoded, left = read(MOVED, stale="g1")
    assert told == ["g1-g3"]
    assert left == frozenset()
    assert decoded.trust > 0.95


def test_a_pale_token_that_left_is_sought_where_it_may_have_gone() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table, gone = VICTORUS.expect(start), frozenset({"g1"})
    pale = Told({"g1": {"red white E": 0.2, None: 0.02}, "g3": {"red white E": 0.03, None: 0.05},
                 "f3": {"red white E": 0.2, None: 0.02}})  # fmt: skip
    where = unseen(VICTORUS, start, (), scene(pale, table, gone))
    assert {a.target for a in VICTORUS.legal(start) if a.origin == "g1"} <= where
    assert landed_or_left(scene(pale, table, gone), frozenset({"g3", "f3"})) == {"g3"}
    come = Told({**pale.errors, "f3": {"red white E": 0.02, None: 0.4}})
    assert unseen(VICTORUS, start, (), scene(come, table, gone | {"f3"})) == frozenset()


def test_it_is_sought_though_other_spots_look_a_little_odd_or_something_else_came() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table, gone = VICTORUS.expect(start), frozenset({"g1", "d10"})
    left: Errors = {spot: {table[spot]: 0.2, None: 0.02} for spot in gone}
    odd = Told({**left, "i7": {None: 0.09}})
    assert unseen(VICTORUS, start, (), scene(odd, table, gone | {"i7"}))
    came = Told({**left, "i7": {None: 0.6}})
    assert unseen(VICTORUS, start, (), scene(came, table, gone | {"i7"})), "two left, and one came"


def test_a_dark_token_that_came_is_sought_where_it_may_have_stood() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table, come = VICTORUS.expect(start), frozenset({"g3"})
    dark = Told({"g3": MOVED["g3"], "g1": {"red white E": 0.2, None: 0.02},
                 "h2": {"red black T": 0.02, None: 0.2}})  # fmt: skip
    where = unseen(VICTORUS, start, (), scene(dark, table, come))
    assert {a.origin for a in VICTORUS.legal(start) if a.target == "g3"} <= where
    assert landed_or_left(scene(dark, table, come), frozenset({"g1", "h2"})) == {"g1"}
    either = Told({**dark.errors, "g1": {"red white E": 0.06, None: 0.05}})
    assert landed_or_left(scene(either, table, come), frozenset({"g1", "h2"})) == {"g1"}, (
        "or never there"
    )


def test_a_token_that_came_against_the_rules_is_sought_where_its_like_stood() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table, come = VICTORUS.expect(start), frozenset({"i7"})
    seen = Told({"i7": {"red white E": 0.02, None: 0.6}})
    where = unseen(VICTORUS, start, (), scene(seen, table, come))
    assert {spot for spot, token in table.items() if token == "red white E"} <= where
    hazy = Told({"i7": {"red white E": 0.2, None: 0.6}})
    assert "g1" not in unseen(VICTORUS, start, (), scene(hazy, table, come))


def test_a_pale_token_that_came_beside_a_plain_move_is_sought_where_its_like_stood() -> None:
    table = VICTORUS.expect(START)
    plain = {**MOVED, "g1": {**MOVED["g1"], "red white T": 0.05}}
    seen = Told({**plain, "i7": {"red black B": 0.02, None: 0.28}})
    where = unseen(VICTORUS, START, (), scene(seen, table, frozenset(seen.errors)))
    assert {spot for spot, token in table.items() if token == "red black B"} <= where
    assert unseen(VICTORUS, START, (), scene(Told(plain), table, frozenset(plain))) == frozenset()


def test_who_took_a_token_unseen_to_leave_is_sought_where_his_like_stood() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table, taken = VICTORUS.expect(start), frozenset({"d10"})
    seen = Told({"d10": {table["d10"]: 0.2, "red white E": 0.02, None: 0.25}})
    assert "g1" in unseen(VICTORUS, start, (), scene(seen, table, taken))
    left = Told({"d10": {table["d10"]: 0.2, None: 0.02}})
    assert "g1" not in unseen(VICTORUS, start, (), scene(left, table, taken))


def test_a_spot_that_shows_what_stood_on_another_touched_one_has_changed() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table, touched = VICTORUS.expect(start), frozenset({"g1", "i7"})
    seen = Told({"g1": {"red white E": 0.04, None: 0.01}, "i7": {"red white E": 0.01, None: 0.28}})
    own = {spot: seen.error(spot, table.get(spot)) for spot in touched}
    assert moved_spots(seen, table, own, {}, touched) == {"i7"}
    assert moved_spots(seen, table, own, {}) == frozenset(), "a shadow may look so"


def test_a_pale_token_may_have_gone_back_where_it_came_from() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    move = Action("move", "g1", "g3")
    after = VICTORUS.apply(start, move)
    seen = Told({"g3": {"red white E": 0.2, None: 0.02}})
    where = unseen(VICTORUS, after, (move,), scene(seen, VICTORUS.expect(after), frozenset({"g3"})))
    assert "g1" in where


def test_a_bad_fit_is_less_probable_though_nothing_else_was_told() -> None:
    def p(error: float, target: str) -> float:
        left: Errors = {"g1": {"red white E": 2.0, None: 0.01}}
        return read({**left, target: {"red white E": error, None: 2.0}})[1].trust

    assert p(0.05, "g3") > 0.99
    assert p(0.05, "g6") > 0.99, "refused, and plain to see"
    assert p(0.25, "g3") < 0.99
    assert p(0.25, "g6") < p(0.25, "g3")


def test_a_die_put_back_with_a_wrong_value_keeps_its_capture_waiting() -> None:
    start = INVICTUS.start(INVICTUS.setup())
    state, capture = _capture(start)
    before = INVICTUS.expect(state)
    origin, target = str(capture.origin), str(capture.target)
    mover, taken = before[origin], before[target]
    place = str(INVICTUS.legal(INVICTUS.apply(state, capture))[0].target)
    wrong = f"{taken.split()[0]} 6"
    shown: Errors = {
        origin: {None: 0.01},
        target: {mover: 0.01},
        place: {wrong: 0.01, None: 1.0},
    }
    assert wrong not in (taken, INVICTUS.expect(INVICTUS.apply(state, capture)).get(place))
    told, decoded, left = read(shown, game=INVICTUS, state=state)
    assert told == []
    assert decoded.best is None
    assert left == frozenset()


def _capture(state: Any) -> tuple[Any, Action]:
    """Return a state in which a die of three or four can be captured, and such a capture."""
    while True:
        position = INVICTUS.expect(state)
        for action in INVICTUS.legal(state):
            if action.target in position and position[action.target].split()[1] in "34":
                return state, action
        state = INVICTUS.apply(state, max(INVICTUS.legal(state), key=lambda a: str(a.target)[1]))


def test_a_shadow_explains_no_arm_of_which_something_large_is_left_beside_the_board() -> None:
    arm: Any = Glance((), True, False, None, None, None, None, None)  # type: ignore[arg-type]
    none, left = replace(arm, hand=False), replace(arm, loose=True)
    assert in_shade(arm, none)
    assert not in_shade(arm, arm)
    assert not in_shade(arm, left)
    assert in_shade(arm, replace(left, over=("h2",))), "tokens that moved side by side"
    assert in_shade(left, left), "no arm was seen"


def test_nothing_lands_on_what_a_refused_move_left_astray() -> None:
    # The Queen only looks a little as if she were gone: she was pushed to the rim of her cell.
    queen = "red half Q"
    home = next(s for s, t in VICTORUS.expect(START).items() if t == queen)
    errors: Errors = {**MOVED, home: {None: 0.2, queen: 0.6}}
    told, decoded, left = read(errors, stale=home)
    assert told == ["g1-g3"]
    assert left == {home}
    assert decoded.best is not None
    assert not decoded.best.story.illegal


def test_a_token_that_surely_left_came_where_something_strange_lies() -> None:
    gone: Errors = {"g1": {"red white E": 2.0, None: 0.01}}
    told, decoded, left = read({**gone, "g3": {"red white E": 0.6, None: 1.0}})
    assert (told, left) == (["g1-g3"], frozenset())
    assert decoded.trust <= 0.95
    told, _, _ = read({**gone, "g3": {"red white E": 0.9, None: 1.0}})
    assert not told, "it may be anything"


def test_a_token_that_surely_came_left_a_spot_that_a_neighbour_leans_over() -> None:
    came: Errors = {"g3": {"red white E": 0.2, None: 1.3}}
    told, decoded, _ = read({**came, "g1": {"red white E": 0.42, None: 0.32}})
    assert told == ["g1-g3"]
    assert decoded.trust <= 0.95
    told, _, _ = read({**came, "g1": {"red white E": 0.42, None: 0.45}})
    assert not told, "it may still stand there, and something else lie elsewhere"


def test_no_refused_move_is_told_where_a_lawful_one_beside_something_strange_is_likelier() -> None:
    chess: Any = find_game("chess")
    state = chess.start(chess.setup())
    for move in (Action("move", "e2", "e4"), Action("move", "d7", "d5")):
        state = chess.advance(state, move)
    takes: Errors = {
        "e4": {"white P": 2.0, None: 0.01},
        "d5": {"white P": 0.01, "black P": 2.0, None: 2.0},
    }
    faint = {**takes, "a3": {None: 0.15, "black P": 0.02}}
    told, _, left = read(faint, game=chess, state=state)
    assert told == ["e4-d5"]
    assert left == {"a3"}
    plain = {**takes, "a3": {None: 1.2, "black P": 0.02}}
    assert read(plain, game=chess, state=state)[0] == ["d5-a3", "e4-d5"]


def test_a_refused_move_must_be_plain_to_see() -> None:
    faint: Errors = {"g1": {"red white E": 0.5, None: 0.01}, "i7": {"red white E": 0.2, None: 0.3}}
    told, _, _ = read(faint)
    assert not told
    told, _, _ = read({**faint, "i7": {"red white E": 0.1, None: 0.02}})
    assert not told, "it rather looks bare"
    plain: Errors = {**faint, "i7": {"red white E": 0.1, None: 0.3}}
    told, decoded, _ = read(plain)
    assert told == ["g1-i7"]
    assert decoded.best is not None
    assert decoded.best.story.illegal


def test_moves_are_told_though_a_neighbour_leans_over_what_one_token_left() -> None:
    table, red = VICTORUS.expect(START), Action("move", "g1", "g3")
    after = VICTORUS.apply(START, red)
    moves = (a for a in VICTORUS.legal(after) if a.target and a.target not in table)
    orange = next(a for a in moves if a.origin)
    token = table[orange.origin]
    shown: Errors = {
        **MOVED,
        orange.origin: {token: 2.4, None: 0.83},
        orange.target: {token: 0.04, None: 1.9},
    }
    told, decoded, left = read(shown)
    assert told == ["g1-g3", str(orange)]
    assert left == frozenset()
    assert decoded.trust <= 0.95
    told, _, _ = read({**shown, "g1": {"red white E": 2.4, None: 0.83}})
    assert told == ["g1-g3", str(orange)], "the other ends of both moves are plain"


def test_what_was_strange_before_hides_no_move_of_which_one_end_is_strange() -> None:
    shown: Errors = {
        "g1": {"red white E": 0.6, None: 0.47},
        "g3": {"red white E": 0.07, None: 2.0},
        "i7": {None: 0.36},
    }
    told, decoded, left = read(shown, stale="i7")
    assert told == ["g1-g3"]
    assert left == {"i7"}
    assert decoded.trust <= 0.95


def test_what_was_refused_landed_more_plainly_than_what_was_allowed() -> None:
    left: Errors = {"g1": {"red white E": 0.9, None: 0.01}}
    came = {"red white E": 0.25, None: 0.9}
    assert read({**left, "g3": came})[0] == ["g1-g3"]
    assert read({**left, "i7": came})[0] == []
    assert read({**left, "i7": {**came, "red white E": 0.15}})[0] == ["g1-i7"]


def test_a_refused_step_to_the_next_spot_is_told_like_one_to_any_other() -> None:
    left: Errors = {"d10": {"orange black T": 0.22, None: 0.03}}
    for spot in ("e11", "i7"):
        told, _, _ = read({**left, spot: {"orange black T": 0.01, None: 0.7}})
        assert told == [f"d10-{spot}"]


def test_a_move_that_hardly_shows_is_told_beside_one_that_is_plain() -> None:
    table = VICTORUS.expect(VICTORUS.start(VICTORUS.setup(("red", "orange", "blue"))))
    pale = table["d10"]
    hardly: Errors = {"d10": {pale: 0.089, None: 0.011}, "f10": {pale: 0.013, None: 0.116}}
    assert read({**MOVED, **hardly})[0] == ["g1-g3", "d10-f10"]


def test_what_fits_hardly_better_than_the_bare_spot_made_no_refused_move() -> None:
    left: Errors = {"d10": {"orange black T": 2.0, None: 0.0}}
    hardly = {"orange black T": 0.067, None: 0.091, "orange white E": 0.8}
    assert not read({**left, "d11": hardly})[0]
    assert read({**left, "d11": {**hardly, None: 0.3}})[0] == ["d10-d11"]


def test_a_token_whose_back_is_due_was_turned_over_if_its_front_fits_worse_than_before() -> None:
    front, back = "red white E", "red white E+"
    backs = Backs(lambda token: token)

    def turned(error: float, other: float = 1.2, were: Sequence[str] = ()) -> bool:
        seen = Told({"g1": {front: error, "red black U": other, None: 1.0}, "i7": {None: 0.0}})
        table = {"g1": front, "c3": "red black U"}
        return backs.turned(seen, table, "g1", front, {"g1": were}, frozenset({"g1"}))

    class Fronts(Told):
        def known(self, token: str) -> bool:
            return token == front

    assert backs.due(Fronts({}), front, (front, back)) == back
    assert backs.due(Told({}), front, (front, back)) is None, "a back that was seen is told by it"
    assert not turned(0.02)
    assert not turned(0.03), "it was only pushed"
    assert turned(0.15)
    backs.landed(Told({"g1": {front: 0.15}}), "g1", front)
    assert not turned(0.16), "no worse than before"
    assert turned(0.16, other=0.12), "it looks like another token, which stands elsewhere"
    assert not turned(0.03, other=0.02), "faces that are much alike, and it fits well"
    assert turned(0.4, other=0.1)
    assert not turned(0.4, other=0.1, were=["red black U"]), "it is put back where it was taken"
    assert turned(0.4)


def test_a_token_that_came_fitting_badly_was_not_turned_over_for_it() -> None:
    front = "red white E"

    def turned(came: float, error: float) -> bool:
        backs, hands = Backs(lambda token: token.split(" frozen")[0]), frozenset({"g1"})
        backs.landed(Told({"g1": {front: came}}), "g1", front)
        marked = f"{front} frozen"
        seen = Told({"g1": {marked: error, None: 1.0}})
        return backs.turned(seen, {"g1": marked}, "g1", marked, {}, hands)

    assert not turned(0.059, 0.061), "as it was put down, but for the mark of a captor"
    assert turned(0.02, 0.061)
