"""Victorus as the companion sees it: effects, looks, problems, saving, counting, the docs."""

from __future__ import annotations

import json
import random

import pytest

from companion.games.victorus import GAME
from companion.games.victorus import geometry as g
from companion.games.victorus.state import VictorusState
from companion.rules import Action, BadInput, IllegalAction, Limits, perft, read_action
from tests.checks.loops import some


def some_states(seed: int, games: int, moves: int, eager: float = 0.5) -> list[VictorusState]:
    """Return states of seeded random play over all variants and odd options; captures are
    taken with probability ``eager``."""
    rng, found = random.Random(seed), []
    choices = {o.name: o.choices for o in GAME.options if o.choices}
    for name in ("order", "variant", "placement", "ring1", "wall_tip"):
        del choices[name]
    for number in range(games):
        variant = ("basic", "quick", "allied")[number % 3]
        odd = {k: rng.choice(v) if rng.random() < 0.3 else v[0] for k, v in choices.items()}
        seats = None if variant == "allied" or number % 2 else ("red", "orange", "blue")
        state = GAME.start(GAME.setup(seats, {**odd, "variant": variant}))
        for _ in range(moves):
            actions = GAME.legal(state)
            if not actions:
                break
            hits = [a for a in actions if a.verb == "move" and state.board[g.INDEX[a.target]]]
            state = GAME.advance(
                state, rng.choice(hits if hits and rng.random() < eager else actions)
            )
            found.append(state)
    return found


# -- the law -------------------------------------------------------------------------------------


def test_judge_and_legal_agree_for_every_piece_and_every_cell() -> None:
    rng = random.Random(1)
    states = some_states(5, 9, 150)
    assert {state.turn.stage for state in states} == {"fresh", "second", "pivot", "bonus"}
    for state in states[::3]:
        allowed = {*GAME.legal(state), *GAME.claims(state)}
        asked = {*allowed, *(read_action(w) for w in ("end", "forfeit", "time", "*h1=K", "*a2=Q"))}
        origins = [cell for cell in range(g.COUNT) if state.board[cell]]
        pairs = [(c, t) for c in rng.sample(origins, min(4, len(origins))) for t in range(g.COUNT)]
        asked |= {g.move_action(c, t) for c, t in rng.sample(pairs, 40)}
        for action in asked:
            ruling = GAME.judge(state, action)
            assert ruling.allowed == (action in allowed), (action, ruling)
            assert ruling.rule in GAME.rules
            assert set(ruling.spots) <= set(g.NAMES)


def test_pieces_are_never_lost() -> None:
    for state in some(some_states(6, 6, 200)):
        tally = state.tally
        held = sum(len(field) for card in tally.cards for field in card)
        board = sum(1 for code in state.board[: g.COUNT] if code)
        total = board + held + len(tally.waiting) + len(tally.removed)
        assert total == 12 * len(state.arena.order)


@pytest.mark.parametrize(("seats", "nodes"), [(("red", "purple"), 59435), (None, 20776)])
def test_counting_reaches_the_published_counts(seats: tuple[str, ...] | None, nodes: int) -> None:
    assert perft(GAME, GAME.start(GAME.setup(seats)), 3) == nodes


def test_an_illegal_action_carries_its_ruling() -> None:
    with pytest.raises(IllegalAction, match=r"VIC-4\.7"):
        GAME.apply(GAME.start(GAME.setup()), Action("end"))


# -- saving --------------------------------------------------------------------------------------


def test_a_state_survives_json() -> None:
    for state in some(some_states(8, 6, 150)[::7]):
        again = GAME.load(json.loads(json.dumps(GAME.dump(state))))
        assert again == state
        assert hash(again) == hash(state)
        assert again.setup == state.setup


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.pop("seats"),
        lambda data: data.pop("turn"),
        lambda data: data["turn"].update(nonsense=1),
        lambda data: data["tally"].update(cards=3),
        lambda data: data["board"].update(z9="red white T"),
    ],
)
def test_a_spoilt_state_is_refused(spoil: object) -> None:
    data = GAME.dump(GAME.start(GAME.setup()))
    spoil(data)  # type: ignore[operator]
    with pytest.raises(BadInput):
        GAME.load(data)


@pytest.mark.parametrize(
    ("position", "to_move", "message"),
    [
        ({"z9": "red white T"}, None, "no spot “z9”"),
        ({"i4": "red pink T"}, None, "no piece of Victorus"),
        ({"i4": "white white T"}, None, "no piece of Victorus"),
        ({"i4": "black white T"}, None, "no piece of Victorus"),
        ({"i4": "red white T"}, "black", "no seat “black”"),
    ],
)
def test_a_position_with_something_unknown_is_refused(
    position: dict[str, str], to_move: str | None, message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        GAME.arrange(GAME.setup(("red", "purple")), position, to_move)


def test_the_start_position_can_be_arranged() -> None:
    setup = GAME.setup()
    start = GAME.start(setup)
    assert GAME.arrange(setup, GAME.expect(start)) == start


# -- seeing --------------------------------------------------------------------------------------


def test_an_illegal_move_still_carries_a_token_and_takes_what_stood_there() -> None:
    start = GAME.start(GAME.setup())
    effect = GAME.effect(start, read_action("g13-k11"))
    assert (effect.seat, effect.piece) == ("purple", "purple white B")
    assert effect.changes == {"g13": None, "k11": "purple white B"}
    hit = GAME.effect(start, read_action("g13-g1"))
    assert hit.captures == ("red white E",)
    assert GAME.effect(start, read_action("i7-i8")).piece is None
    assert GAME.effect(start, Action("end")).changes == {}


def test_a_captor_not_yet_turned_back_is_accepted() -> None:
    start = GAME.start(GAME.setup())
    assert GAME.accepts(start, "h2") == ("red black T", "red black T frozen")
    assert GAME.accepts(start, "h3") == (None,)


def test_a_legal_move_changes_two_cells() -> None:
    effect = GAME.effect(GAME.start(GAME.setup()), read_action("h2-h4"))
    assert (effect.seat, effect.piece, effect.captures) == ("red", "red black T", ())
    assert effect.changes == {"h2": None, "h4": "red black T"}


def test_a_frozen_captor_is_the_same_face_turned_round() -> None:
    assert GAME.look("red white T frozen").face == GAME.look("red white T").face
    assert (GAME.look("red white T frozen").turn, GAME.look("red white T").turn) == (180.0, 0.0)


def test_no_two_faces_are_drawn_alike_and_owners_see_theirs_upright() -> None:
    setup = GAME.setup()
    tokens = set(GAME.expect(GAME.start(setup)).values())
    tokens |= {f"{token}+" for token in tokens if token[-1] in "TUBE"}
    drawings = {GAME.draw(setup, token) for token in tokens}
    assert len(drawings) == len(tokens) == 72 + 48
    up = GAME.draw(setup, "red half K")[0].points
    down = GAME.draw(setup, "purple half K")[0].points
    assert down[0] == pytest.approx((-up[0][0], -up[0][1]))
    frozen = GAME.draw(setup, "red half K frozen")[0].points
    assert frozen[0] == pytest.approx((-up[0][0], -up[0][1]))
    with pytest.raises(BadInput, match="no piece of Victorus"):
        GAME.draw(setup, "red half T")


@pytest.mark.parametrize(
    ("position", "rule", "spots"),
    [
        ({"i7": "red white T"}, "VIC-3.4", ("i7",)),
        ({"i3": "red white T"}, "VIC-3.2", ("i3",)),
        ({"i4": "red white T", "i6": "red white T+"}, "VIC-1.1", ("i4", "i6")),
        ({"i4": "purple white T"}, "VIC-7.4", ()),
        ({"h2": "red half K"}, "VIC-1.1", ("h1", "h2")),
    ],
)
def test_a_position_that_cannot_be_says_why(
    position: dict[str, str], rule: str, spots: tuple[str, ...]
) -> None:
    setup = GAME.setup(("red", "purple"))
    royals = {"h1": "red half K", "f14": "purple half Q"}
    if rule == "VIC-7.4":
        del royals["f14"]
    problems = GAME.check(GAME.arrange(setup, {**royals, **position}))
    assert [(problem.rule, problem.spots) for problem in problems] == [(rule, spots)]


def test_a_royal_knight_needs_captures() -> None:
    setup = GAME.setup(("red", "purple"))
    start = dict(GAME.expect(GAME.start(setup)))
    royal = {**start, "h2": "red black T+"}
    (problem,) = GAME.check(GAME.arrange(setup, royal))
    assert (problem.rule, problem.spots) == ("VIC-6.1", ("h2",))
    assert problem.reason == "Red has a royal knight, and no enemy's piece is captured."
    del royal["h13"]
    assert GAME.check(GAME.arrange(setup, royal)) == ()
    (problem,) = GAME.check(GAME.arrange(setup, {**royal, "j2": "red black U+"}))
    assert (problem.rule, problem.spots) == ("VIC-6.1", ("h2", "j2"))
    assert "2 royal knights, and no more than 1" in problem.reason


def test_a_king_out_of_its_kingdom_needs_three_captures() -> None:
    setup = GAME.setup(("red", "purple"))
    start = dict(GAME.expect(GAME.start(setup)))
    start["i5"] = start.pop("h1")
    (problem,) = GAME.check(GAME.arrange(setup, start))
    assert (problem.rule, problem.spots) == ("VIC-4.6", ("i5",))
    for spot in ("h13", "g13", "i13"):
        del start[spot]
    assert GAME.check(GAME.arrange(setup, start)) == ()


def test_the_quick_game_has_the_times_that_were_agreed() -> None:
    agreed = {"variant": "quick", "game_minutes": "45", "move_seconds": "60"}
    assert GAME.limits(GAME.setup(options=agreed)) == Limits(game=2700.0, begin=60.0)
    assert not GAME.limits(GAME.setup())
