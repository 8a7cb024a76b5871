"""Whole games: random play, an independent reading of the rules, perft, recorded games."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games.invictus import GAME
from companion.games.invictus.state import pips
from companion.rules import Action, perft, read_record, setup_then, write_record
from tests.checks.loops import some

HERE = Path(__file__).parent
FILES = "abcdefghi"


def play(seed, watch=lambda before, action, after: None, **options):
    """Play at random to the end; a third of the games favour captures, a third the way ahead."""
    dice = random.Random(seed)
    state, actions = GAME.start(GAME.setup(options=options)), []
    while legal := GAME.legal(state):
        if seed % 3 == 1:
            captures = [a for a in legal if GAME.effect(state, a).captures]
            legal = captures or legal
        if seed % 3 == 2:
            legal = [a for a in legal if a.origin and a.origin[1] != a.target[1]] or legal
        action = dice.choice(legal)
        after = GAME.advance(state, action)
        watch(state, action, after)
        state = after
        actions.append(action)
        assert len(actions) < 2000
    return state, actions


def identity_holds(before, action, after):
    for seat in (0, 1):
        assert sum(pips(after, seat)) == 63
    assert GAME.check(after) == ()


def by_the_book(state):
    """The legal actions read a second time from the rules, spot by spot and token by token."""
    seat = GAME.to_move(state)
    seen = GAME.expect(state)
    if seat is None:
        return set()
    first, onward = (1, 1) if seat == "black" else (9, -1)
    rows = [first + onward * k for k in range(9)]
    if state.pending:
        spots = [f + str(row) for f in FILES for row in rows[:4]]
        return {f"*{spot}" for spot in spots if spot not in seen}
    found = set()
    for spot, token in seen.items():
        owner, value = token.split()
        if owner != seat:
            continue
        column, row = FILES.index(spot[0]), int(spot[1])
        for right in (-1, 0, 1):
            for ahead in (0, onward):
                to_column, to_row = column + right, row + ahead
                if (right, ahead) == (0, 0) or to_column not in range(9) or to_row not in rows:
                    continue
                target = FILES[to_column] + str(to_row)
                other = seen.get(target)
                takes = (
                    other is not None
                    and other.split()[0] != seat
                    and right != 0
                    and ahead != 0
                    and int(other.split()[1]) <= int(value)
                )
                if other is None or takes:
                    found.add(f"{spot}-{target}")
    return found or {"pass"}


def test_black_has_twenty_five_first_actions():
    state = GAME.start(GAME.setup())
    actions = GAME.legal(state)
    assert len(actions) == len(set(actions)) == 25
    assert {a.origin[1] for a in actions} == {"3"}
    assert {a.target[1] for a in actions} == {"4"}
    assert sum(a.origin[0] == a.target[0] for a in actions) == 9
    assert sum(a.origin[0] > a.target[0] for a in actions) == 8


@pytest.mark.no_cover  # whole games: other tests prove line by line
def test_random_games_end_by_themselves_and_keep_the_63_pips():
    endings = {GAME.outcome(play(seed, identity_holds)[0]).rule for seed in range(24)}
    assert "INV-7.1" in endings


@pytest.mark.slow
def test_three_hundred_random_games_end_and_keep_the_63_pips():
    for seed in range(300):
        state, _ = play(seed, identity_holds)
        assert GAME.outcome(state) is not None


def test_a_shorter_sideways_limit_ends_games_early():
    rules = {GAME.outcome(play(seed, no_progress="2")[0]).rule for seed in range(12)}
    assert "INV-7.3" in rules


@pytest.mark.no_cover  # whole games: other tests prove line by line
def test_legal_actions_agree_with_an_independent_reading_of_the_rules():
    def compare(before, action, after):
        assert {str(a) for a in GAME.legal(after)} == by_the_book(after)

    for seed in range(9):
        play(seed, compare)


def conceivable():
    spots = list(GAME.board(GAME.setup()))
    yield from (Action("move", a, b) for a in spots for b in spots)
    yield from (Action("place", None, spot) for spot in spots)
    yield from (Action(word) for word in ("pass", "agree", "end", "resign"))


@pytest.mark.no_cover  # whole games: other tests prove line by line
def test_judge_allows_exactly_what_is_legal_or_claimed():
    everything = list(conceivable())
    sampled = []

    def sample(before, action, after):
        if after.pending or len(sampled) % 97 == 0:
            sampled.append(after)
        else:
            sampled.append(None)

    play(4, sample)
    states = [state for state in sampled if state is not None][:12]
    assert any(state.pending for state in states)
    for state in states:
        allowed = {a for a in everything if GAME.judge(state, a).allowed}
        assert allowed == set(GAME.legal(state)) | set(GAME.claims(state))


def test_every_ruling_names_a_rule_of_the_book_and_spots_of_the_board():
    board = GAME.board(GAME.setup())
    state = GAME.start(GAME.setup())
    for action in some(conceivable()):
        ruling = GAME.judge(state, action)
        assert ruling.rule in GAME.rules
        assert ruling.reason.endswith(".")
        assert all(spot in board for spot in ruling.spots)


def test_a_state_comes_back_from_its_dump():
    def back(before, action, after):
        again = GAME.load(GAME.dump(after))
        assert again == after
        assert hash(again) == hash(after)

    play(7, back, divide_scores="yes")


def test_what_an_action_does_to_the_table_is_what_is_expected_next():
    def same(before, action, after):
        seen = dict(GAME.expect(before))
        for spot, token in GAME.effect(before, action).changes.items():
            seen.pop(spot, None)
            if token is not None:
                seen[spot] = token
        assert seen == GAME.expect(after)

    for seed in range(6):
        play(seed, same)


def perft_lines():
    for line in (HERE / "data" / "invictus.perft").read_text().splitlines():
        if line and not line.startswith("#"):
            moves, _, counts = line.partition(":")
            yield pytest.param(moves.split(), [int(n) for n in counts.split()], id=moves.strip())


@pytest.mark.no_cover  # other tests prove line by line
@pytest.mark.parametrize(("moves", "counts"), list(perft_lines()))
def test_perft(moves, counts):
    setup = GAME.setup()
    state = GAME.start(setup)
    for text in moves:
        if text != "start":
            state = GAME.apply(state, GAME.parse(setup, text))
    found = [perft(GAME, state, depth) for depth in range(1, len(counts) + 1)]
    assert found == counts


def golden_games():
    return sorted((HERE / "golden").glob("invictus_*.txt"))


@pytest.mark.parametrize("path", golden_games(), ids=lambda path: path.stem)
def test_a_recorded_game_ends_as_it_is_written(path):
    text = path.read_text()
    record = read_record(text)
    setup = setup_then(GAME, record.seats, record.options, record.rules)
    state, actions = GAME.start(setup), []
    for line in record.actions:
        actions.append(GAME.parse(setup, line))
        state = GAME.apply(state, actions[-1])
    scores = {card.seat: card.score for card in GAME.scorecards(state)}
    result = f"# result: {GAME.outcome(state).rule} black {scores['black']} white {scores['white']}"
    assert result in text.splitlines()
    again = read_record(write_record(GAME, setup, actions))
    assert again == record._replace(lines=again.lines)


def test_there_are_golden_games_of_several_endings():
    endings = {path.read_text().split("# result: ")[1].split()[0] for path in golden_games()}
    assert {"INV-7.1", "INV-7.3"} <= endings
