"""Every game keeps the contract: random play, rulings, notation, counts, games written down.

``data/GAME*.perft``: a line is ``POSITION: NODES NODES …`` for depth 1, 2, 3 …; POSITION is
``start``, the actions that lead there, or the game's own one-line notation. Lines ``seats: A, B``
and ``option: NAME = VALUE`` hold for what follows; a line that begins with # names the source.

``golden/GAME_*.txt``: a record. Its remarks may say what has to hold where they stand:
``# expect: to move red``, ``# expect: h4 is red white T``, ``# expect: h4 is empty``,
``# expect: refused h2-h9 VIC-3.2``, ``# expect: allowed h2-h4 VIC-4.1``; and of the whole game
``# result: RULE WINNER …``, ``# result: RULE draw`` or ``# result: RULE SEAT SCORE …``.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.games import find_game, games
from companion.rules import BadInput, Conservation, Setup, perft, read_action, read_record
from tests.checks.loops import some

HERE = Path(__file__).parent
PERFT_FILES = sorted((HERE / "data").glob("*.perft"))
GOLDEN_FILES = sorted((HERE / "golden").glob("*.txt"))
AFFORDABLE = 30_000  # nodes counted in the normal run


@pytest.mark.no_cover  # whole games: other tests prove line by line
@pytest.mark.parametrize("name", games())
def test_random_games_keep_the_contract(name: str, checks: ModuleType) -> None:
    total = checks.Counted()
    for seed in range(3):
        total.add(checks.play(find_game(name), seed, 60, frozenset({0, 17 + 9 * seed})))
    assert total.records == 3
    assert total.whole >= 4


@pytest.mark.parametrize("name", games())
def test_something_is_conserved_in_every_game(name: str) -> None:
    game = find_game(name)
    assert isinstance(game, Conservation)
    assert all(game.invariants(game.start(game.setup())).values())
    assert game.invariants(game.start(game.setup()))


@pytest.mark.parametrize("name", games())
def test_options_and_seats_are_described(name: str) -> None:
    game = find_game(name)
    assert game.name == name
    assert len(set(game.seats)) == len(game.seats) >= 1
    for option in game.options:
        assert option.rule in game.rules, option
        assert option.problem(option.default) is None, option
        assert option.about, option


@pytest.mark.parametrize("name", games())
def test_rule_texts_are_complete(name: str) -> None:
    rules = find_game(name).rules
    assert len(rules) > 3
    for rule_id, rule in rules.items():
        assert rule.id == rule_id
        assert rule.title, rule_id
        assert rule.text.endswith("."), rule_id


@pytest.mark.parametrize("name", games())
def test_nonsense_is_refused_as_bad_input(name: str) -> None:
    game = find_game(name)
    setup = game.setup()
    state = game.start(setup)
    for text in ("", "z99-z98", "*z99", "a1-", "!"):
        with pytest.raises(BadInput):
            game.parse(setup, text)
    for data in ({}, {"seats": 3}, {**game.dump(state), "to_move": "nobody", "fen": "nothing"}):
        with pytest.raises(BadInput):
            game.load(data)
    spot = next(iter(game.board(setup)))
    with pytest.raises(BadInput):
        game.arrange(setup, {spot: "a purple cow"})
    with pytest.raises(BadInput):
        game.arrange(setup, {"z99": next(iter(game.expect(state).values()), "back")})
    with pytest.raises(BadInput):
        game.arrange(setup, {}, "nobody")


# -- counts ---------------------------------------------------------------------------------


def at(game: Any, setup: Setup, where: str) -> Any:
    """Return the state that ``where`` names."""
    if where == "start":
        return game.start(setup)
    try:
        actions = [read_action(text) for text in where.split()]
    except BadInput:
        return game.read_position(setup, where)
    state = game.start(setup)
    for action in actions:
        state = game.apply(state, action)
    return state


def perft_lines(path: Path) -> list[tuple[Setup, str, list[int]]]:
    """Return set-up, position and counts of every line of a perft file."""
    game = find_game(game_of(path))
    seats: list[str] | None = None
    options: dict[str, str] = {}
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        where, _, rest = line.partition("#")[0].rpartition(":")
        if where == "seats":
            seats, options = [seat.strip() for seat in rest.split(",")], {}
        elif where == "option":
            name, _, value = rest.partition("=")
            options[name.strip()] = value.strip()
        elif where:
            found.append((game.setup(seats, options), where, [int(n) for n in rest.split()]))
    return found


def game_of(path: Path) -> str:
    """Return the game whose name the file's name begins with."""
    return next(name for name in games() if path.name.startswith(name))


@pytest.mark.parametrize("path", PERFT_FILES, ids=lambda path: path.name)
def test_counts_of_sequences_are_right(path: Path) -> None:
    game, lines = find_game(game_of(path)), perft_lines(path)
    assert lines
    for setup, where, counts in lines:
        state = at(game, setup, where)
        for depth, nodes in enumerate(counts, start=1):
            if nodes <= AFFORDABLE:
                assert perft(game, state, depth) == nodes, (path.name, where, depth)


# -- games written down -------------------------------------------------------------------------


def holds(game: Any, setup: Setup, state: Any, claim: str) -> bool:
    """Tell whether an ``expect:`` remark holds."""
    word, *rest = claim.split()
    if word in ("allowed", "refused"):
        ruling = game.judge(state, game.parse(setup, rest[0]))
        return (ruling.allowed, ruling.rule) == (word == "allowed", rest[1])
    if (word, rest[0]) == ("to", "move"):
        return game.to_move(state) == rest[1]
    assert rest[0] == "is", f"the remark cannot be read: {claim}"
    token = " ".join(rest[1:])
    return game.expect(state).get(word) == (None if token == "empty" else token)


def result_holds(game: Any, state: Any, claim: str) -> bool:
    """Tell whether a ``result:`` remark holds."""
    rule, *rest = claim.split()
    outcome = game.outcome(state)
    if outcome is None or outcome.rule != rule:
        return False
    if rest == ["draw"]:
        return outcome.winners == ()
    if any(word.lstrip("-").isdecimal() for word in rest):
        scores = {card.seat: str(card.score) for card in game.scorecards(state)}
        return scores == dict(zip(rest[::2], rest[1::2], strict=True))
    return set(outcome.winners) == set(rest)


@pytest.mark.parametrize("path", GOLDEN_FILES, ids=lambda path: path.stem)
def test_whole_games_go_as_they_are_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_record(text)
    game = find_game(record.game)
    setup = game.setup(record.seats or None, record.options)
    state, results, left = game.start(setup), [], list(record.actions)
    if record.position:
        state = game.arrange(setup, record.position, record.to_move)
    for number, line in enumerate(text.splitlines(), start=1):
        action, _, remark = line.partition("#")
        if left and action.strip() == left[0]:
            state = game.apply(state, game.parse(setup, left.pop(0)))
        key, _, claim = remark.strip().partition(":")
        if key == "expect":
            assert holds(game, setup, state, claim), f"{path.name} line {number}: {line}"
        if key == "result":
            results.append(claim)
    assert not left
    assert results, f"{path.name} says nothing of its result"
    for claim in results:
        assert result_holds(game, state, claim), (claim, game.outcome(state))


def test_every_game_has_counts_and_whole_games() -> None:
    for name in some(games()):
        assert any(path.name.startswith(name) for path in PERFT_FILES), name
        assert any(path.name.startswith(name) for path in GOLDEN_FILES), name
