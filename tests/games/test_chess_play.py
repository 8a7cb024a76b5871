"""Whole games: the recorded ones, and many at random under the law of the house."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.chess import GAME, san, to_fen, write_pgn
from companion.games.chess.geometry import MEN, SEATS, SPOTS
from companion.rules import Action, read_record, setup_then, write_record

SETUP = GAME.setup()
GOLDEN = sorted((Path(__file__).parent / "golden").glob("chess_*.txt"))
EVERY_MOVE = [
    Action("move", origin, target, detail)
    for origin in SPOTS
    for target in SPOTS
    for detail in ("", "Q")
]

BUSY = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
)


def follow(path):
    record = read_record(path.read_text(encoding="utf-8"))
    setup = setup_then(GAME, record.seats, record.options, record.rules)
    states, actions = [GAME.start(setup)], []
    for line in record.actions:
        actions.append(GAME.parse(setup, line))
        states.append(GAME.apply(states[-1], actions[-1]))
    return setup, states, actions


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_recorded_game_ends_as_it_is_written(path):
    setup, states, actions = follow(path)
    over = GAME.outcome(states[-1])
    text = path.read_text(encoding="utf-8")
    assert f"# result: {over.rule} {'-'.join(over.winners) or 'draw'}" in text.splitlines()
    assert all(GAME.outcome(state) is None for state in states[:-1])
    again = read_record(write_record(GAME, setup, actions))
    assert again == read_record(text)._replace(lines=again.lines)


def test_there_are_recorded_games_of_many_endings():
    endings = {
        path.read_text(encoding="utf-8").split("# result: ")[1].split()[0] for path in GOLDEN
    }
    assert len(endings) >= 6


def test_a_famous_game_is_written_as_it_is_printed():
    path = next(path for path in GOLDEN if path.stem == "chess_opera")
    _, states, actions = follow(path)
    text = " ".join(write_pgn(states[0], actions).split("\n\n")[1].split())
    assert text == (
        "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 "
        "9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 "
        "15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0"
    )


def every_ruling_agrees(state, attempts):
    allowed = {*GAME.legal(state), *GAME.claims(state)}
    for action in attempts:
        ruling = GAME.judge(state, action)
        assert ruling.allowed == (action in allowed), (to_fen(state), str(action), ruling)
        assert ruling.rule in GAME.rules
        assert set(ruling.spots) <= set(SPOTS)
    for action in allowed:
        assert GAME.judge(state, action).allowed


def the_effect_is_what_happens(state, action, after):
    table = dict(GAME.expect(state))
    for spot, token in GAME.effect(state, action).changes.items():
        table.pop(spot, None)
        if token:
            table[spot] = token
    assert table == GAME.expect(after)


@pytest.mark.no_cover  # whole games: other tests prove line by line
@settings(max_examples=3)
@given(st.integers(0, 2**32))
def test_a_random_game_keeps_the_law_of_the_house(seed):
    chance = random.Random(seed)
    state = GAME.start(SETUP)
    for _ in range(120):
        legal = GAME.legal(state)
        assert (not legal) == (GAME.outcome(state) is not None)
        assert len(set(legal)) == len(legal)
        every_ruling_agrees(state, chance.sample(EVERY_MOVE, 20))
        assert GAME.load(GAME.dump(state)) == state
        if not legal:
            break
        if chance.random() < 0.1:
            assert len({san(state, action) for action in legal}) == len(legal)
        action = chance.choice(legal)
        after = GAME.apply(state, action)
        the_effect_is_what_happens(state, action, after)
        state = after
        assert GAME.check(state) == ()
        assert len(GAME.expect(state)) + len(state.captured) == 32


@pytest.mark.parametrize("seed", range(12))
def test_the_law_holds_in_any_jumble_of_men(seed):
    chance = random.Random(seed)
    position = {
        spot: chance.choice(list(MEN)) for spot in chance.sample(SPOTS, chance.randint(1, 30))
    }
    if seed % 2:
        position |= {"e1": "white K", "a1": "white R", "h1": "white R", "e8": "black K"}
        for spot in ("b1", "c1", "d1", "f1", "g1"):
            position.pop(spot, None)
    state = GAME.arrange(SETUP, position, chance.choice(SEATS))
    assert (not GAME.legal(state)) == (GAME.outcome(state) is not None)
    every_ruling_agrees(state, chance.sample(EVERY_MOVE, 800))


@pytest.mark.no_cover  # other tests prove line by line
@pytest.mark.parametrize("fen", BUSY)
def test_every_man_to_every_square_is_ruled_on_in_a_busy_position(fen):
    state = GAME.read_position(SETUP, fen)
    men = GAME.expect(state)
    attempts = [action for action in EVERY_MOVE if action.origin in men]
    every_ruling_agrees(state, attempts)


def test_a_state_can_be_kept_in_a_set_and_is_never_changed():
    state = GAME.start(SETUP)
    before = to_fen(state)
    seen = {state, GAME.start(SETUP)}
    for action in GAME.legal(state):
        seen.add(GAME.apply(state, action))
    assert len(seen) == 21
    assert to_fen(state) == before
