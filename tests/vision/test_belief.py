"""What is believed to stand on the table, and where a picture or a phone puts it right."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.rules import read_action
from tests.checks.victorus_tables import table
from vision.decoding.belief import Belief
from vision.decoding.decoded import Told
from vision.decoding.differences import nearby
from vision.decoding.reader import Reader
from vision.decoding.scene import Scene
from vision.decoding.story import Story
from vision.tokens.eye import Glimpse, Seen
from vision.tokens.likelihood import log_likelihood

VICTORUS: Any = find_game("victorus")
SETUP = VICTORUS.setup(("red", "orange", "blue"))
START: Any = VICTORUS.start(SETUP)
BOARD = VICTORUS.board(SETUP)


class Showing(Seen):
    """A picture that plainly shows ``table``, and what is ``dim`` less plainly."""

    def __init__(self, table: dict[str, str], dim: frozenset[str] = frozenset()) -> None:
        self.table, self.dim = table, dim

    def error(self, spot: str, token: str | None) -> float:
        if self.table.get(spot) != token:
            return 1.0
        return 0.1 if spot in self.dim else 0.0

    def shows(self, spot: str, token: str | None) -> bool:
        return self.error(spot, token) < 0.3

    nats = staticmethod(log_likelihood)

    def told_apart(self, one: str, other: str) -> bool:
        return one != other

    def known(self, token: str) -> bool:
        return True


def begun() -> Belief[Any]:
    belief: Belief[Any] = Belief(VICTORUS, BOARD)
    belief.begin(VICTORUS.expect(START), START)
    return belief


def test_a_move_that_was_chosen_on_a_phone_is_looked_for_on_the_table() -> None:
    belief = begun()
    assert belief.doubtful(START) == frozenset()
    move = next(action for action in VICTORUS.legal(START) if action.target)
    after = VICTORUS.apply(START, move)
    assert {move.origin, move.target} <= belief.doubtful(after)
    belief.agrees(after)
    assert belief.doubtful(after) == frozenset(), "the table was seen since"


def test_spots_that_plainly_show_what_stands_there_are_hidden_by_nothing() -> None:
    belief = begun()
    some = frozenset({"g1", "h1", "i7"})
    shown = {spot: token for spot, token in belief.table.items() if spot != "h1"}
    assert belief.plain(Showing(shown), some) == {"g1", "i7"}
    assert belief.plain(Showing(shown, dim=frozenset({"g1"})), some) == {"i7"}


class Strange(Showing):
    """The same, but for one bare spot that looks like nothing at all, or a little like a token."""

    def __init__(self, table: dict[str, str], spot: str, like: float) -> None:
        super().__init__(table)
        self.spot, self.like = spot, like

    def error(self, spot: str, token: str | None) -> float:
        if spot != self.spot:
            return super().error(spot, token)
        return 0.7 if token is None else self.like


def test_beside_a_thing_what_plainly_shows_nothing_or_another_token_is_seen() -> None:
    belief = begun()
    some = frozenset({"g1", "h1", "i7"})
    moved = {spot: token for spot, token in belief.table.items() if spot != "h1"}
    assert belief.unclear(Showing({**moved, "g1": belief.table["h1"]}), some) == frozenset()
    assert belief.unclear(Strange(moved, "h1", 0.6), some) == {"h1"}


def test_what_plainly_shows_any_token_of_the_table_is_under_nothing() -> None:
    belief = begun()
    some = frozenset({"g1", "h1", "i7", "j7"})
    moved = {"i7": belief.table["h1"], "g1": belief.table["g1"]}
    assert belief.seen_to_hold(Showing(moved), some) == {"i7", "g1"}
    assert belief.seen_to_hold(Showing(moved, dim=frozenset({"i7"})), some) == {"g1"}


@pytest.mark.parametrize(
    ("moves", "dim", "held"),
    [(("g1-g3",), "g3", True), (("g1-g3",), "", False), (("g1-g3", "d10-f10"), "g3", False)],
)
def test_fingers_at_the_edge_may_hold_what_moved_last_and_is_not_seen_well(
    moves: tuple[str, ...], dim: str, held: bool
) -> None:
    reader: Reader[Any] = Reader(VICTORUS, SETUP, {})
    table = VICTORUS.expect(START)
    reader.belief.begin(table, START)
    shown = dict(table)
    for origin, target in (move.split("-") for move in moves):
        shown[target] = shown.pop(origin)
    glance = Glimpse(loose=True, over=("g1", "g3"), edge=True)
    spots = frozenset({"g1", "g3", "d10", "f10"})
    scene = Scene(Showing(shown, frozenset({dim})), table, frozenset(), spots)
    assert reader._strange(scene, glance, [START]) is held


def test_a_token_pushed_about_may_lean_over_the_bare_spot_beside_it() -> None:
    belief = begun()
    spot, beside = next(
        (near, spot)
        for spot in sorted(belief.table)
        for near in BOARD.spots
        if near not in belief.table and nearby(BOARD, [spot], [near])
    )
    checked, pushed = frozenset({spot, beside}), frozenset({beside})
    leant = Strange(belief.table, spot, like=0.55)
    assert belief.changed(leant, START, checked, pushed) == frozenset()
    assert belief.changed(leant, START, checked, frozenset()) == {spot}, "nobody pushed it"
    came = Strange(belief.table, spot, like=0.1)
    assert belief.changed(came, START, checked, pushed) == {spot}, "it looks like a token"


class Eye:
    """Notes what it is told to learn."""

    def __init__(self) -> None:
        self.learned: list[tuple[str, str]] = []

    def learn(self, spot: str, token: str) -> None:
        self.learned.append((spot, token))


class Unturned(Showing):
    """A picture in which nobody has seen the other side of a knight yet."""

    def known(self, token: str) -> bool:
        return "+" not in token

    def error(self, spot: str, token: str | None) -> float:
        return 0.22 if token and "+" in token else super().error(spot, token)


@pytest.mark.parametrize("back", [True, False])
def test_what_was_captured_and_put_back_is_not_the_other_side_of_its_captor(back: bool) -> None:
    state = table({"h3": "red white E", "h5": "purple half Q"})
    after = VICTORUS.apply(state, read_action("h3-h5"))
    belief: Belief[Any] = Belief(VICTORUS, VICTORUS.board(state.setup))
    belief.begin(VICTORUS.expect(state), state)
    story = Story(after, VICTORUS.expect(after), (), touched=frozenset({"h3", "h5"}))
    took, eye = dict(VICTORUS.expect(after)), Eye()
    scene = Scene(Showing(took), took, frozenset({"h3", "h5"}), frozenset({"h3", "h5"}))
    belief.take(eye, scene, Told(story, took, 0.0, ()))  # type: ignore[arg-type]
    eye.learned.clear()
    shown = Unturned({**took, "h5": "purple half Q" if back else "nobody knows what"})
    belief.adopt(eye, shown, after, frozenset({"h5"}))  # type: ignore[arg-type]
    assert bool(eye.learned) != back


def test_a_knight_may_be_turned_over_in_the_picture_that_shows_the_end_of_the_turn() -> None:
    state = table({"h3": "red white E", "h5": "purple half Q"})
    after = VICTORUS.apply(state, read_action("h3-h5"))
    stands = dict(VICTORUS.expect(after))
    belief: Belief[Any] = Belief(VICTORUS, VICTORUS.board(state.setup))
    belief.begin(stands, state)
    told = Told(Story(after, stands, (), touched=frozenset({"h3"})), stands, 0.0, ())
    shown, ends, eye = Unturned({**stands, "h5": "its back"}), frozenset({"h3", "h5"}), Eye()
    belief.take(eye, Scene(shown, stands, ends, ends), told)  # type: ignore[arg-type]
    assert [spot for spot, token in eye.learned if "+" in token] == ["h5"]
    assert "+" in belief.table["h5"]
