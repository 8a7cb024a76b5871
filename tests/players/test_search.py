"""Players that think ahead: what they see, what they may cost, what they never do."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import find_game
from companion.players import search
from companion.players.advice import advise
from companion.players.budget import Budget
from companion.players.levels import LEVELS, OVERLOOKED
from companion.players.named import player_named
from companion.players.outlook import Outlook, expected, odds, own_side
from companion.players.player import Thought, noticed
from companion.players.search import Searcher
from companion.rules import Action, BadInput, Evaluation, Game
from tests.checks.loops import some

THINKERS = ("chess", "invictus", "victorus", "heximeros")


def at(fen: str) -> tuple[Any, Any]:
    game: Any = find_game("chess")
    return game, game.read_position(game.setup(), fen)


def chosen(game: Any, state: Any, nodes: int = 3000) -> Thought:
    return Searcher(game, random.Random(1)).choose(state, Budget(nodes=nodes))


def test_a_mate_in_one_is_played() -> None:
    game, state = at("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    thought = chosen(game, state)
    assert str(thought.action) == "d1-d8"
    assert thought.expected > 0.999


def test_a_mate_in_two_is_seen_with_the_answer_to_it() -> None:
    game, state = at("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    thought = chosen(game, state, 20_000)
    assert str(thought.action) == "a1-a6"
    assert len(thought.line) == 3
    assert thought.expected > 0.999


def test_the_quicker_of_two_wins_is_taken() -> None:
    game, state = at("7k/8/6K1/8/8/8/8/QQ6 w - - 0 1")
    mate = game.advance(state, chosen(game, state).action)
    assert game.outcome(mate).winners == ("white",)


def test_a_piece_that_is_protected_is_not_taken_with_a_greater_one() -> None:
    game, state = at("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1")
    assert str(chosen(game, state, 200).action) != "d2-d6"


SOVEREIGNS = {
    "q1": "silver S", "d1": "blue S", "d14": "yellow S", "q27": "orange S", "ad14": "green S",
    "ad1": "red S",
}  # fmt: skip


@pytest.mark.parametrize(
    ("mine", "bait", "protects"), [("k19", "j16", "v19"), ("r3", "r12", "v18")]
)
def test_what_the_last_of_five_others_protects_is_not_taken_with_a_greater_piece(
    mine: str, bait: str, protects: str
) -> None:
    game: Any = find_game("heximeros")
    pieces = {mine: "silver R", bait: "yellow M", protects: "red P"}
    state = game.arrange(game.setup(), {**SOVEREIGNS, **pieces}, "silver")
    taking = game.parse(state.setup, f"{mine}-{bait}")
    assert taking in game.lively(state)
    assert not game.threats(state, (0,))
    assert chosen(game, state, 240).action != taking
    alone = game.arrange(game.setup(), {**SOVEREIGNS, mine: "silver R", bait: "yellow M"}, "silver")
    assert chosen(game, alone, 240).action == taking


def test_who_is_out_of_the_game_has_no_turn() -> None:
    game: Any = find_game("heximeros")
    start = game.start(game.setup())
    gone = start._replace(tally=start.tally._replace(live=62))
    assert game.turn_of(gone, 0) is None
    assert game.turn_of(gone, 1).player == 1
    ended = gone._replace(tally=gone.tally._replace(ending="HX-5.4"))
    assert game.turn_of(ended, 1) is None


@pytest.mark.parametrize(
    ("piece", "here", "nearer"),
    [("M", "q8", "q9"), ("R", "k10", "w10"), ("C", "k10", "w10"), ("Al", "q8", "q9")],
)
def test_in_heximeros_who_comes_nearer_to_a_promotion_or_to_the_last_other_sovereign_stands_better(
    piece: str, here: str, nearer: str
) -> None:
    game: Any = find_game("heximeros")

    def worth(spot: str) -> float:
        state = game.arrange(game.setup(), {**SOVEREIGNS, spot: f"silver {piece}"}, "silver")
        alone = state._replace(tally=state.tally._replace(live=0b100001))  # silver and red
        value: float = game.evaluate(alone)[0]
        return value

    assert worth(nearer) > worth(here)


def test_the_last_two_of_heximeros_search_each_others_answers_and_the_stronger_wins_soon() -> None:
    game: Any = find_game("heximeros")
    silver = {"q1": "silver S", "k10": "silver R", "w10": "silver Al", "q9": "silver Al"}
    red = {"ad1": "red S", "ab9": "red R"}
    state = game.arrange(game.setup(), {**silver, **red}, "silver")
    assert game.turn_of(state, 1) is None
    for _ in some(range(40)):
        if game.outcome(state):
            break
        state = game.advance(state, chosen(game, state, 300).action)
    assert game.outcome(state).winners == ("silver",)


def test_in_invictus_a_great_die_takes_no_small_one_where_it_is_taken_in_turn() -> None:
    game: Any = find_game("invictus")
    dice = {"d5": "black 6", "e6": "white 2", "a1": "black 1", "i9": "white 1"}
    free = game.arrange(game.setup(), dice, "black")
    taking = game.parse(free.setup, "d5-e6")
    assert chosen(game, free, 40).action == taking
    guarded = game.arrange(game.setup(), {**dice, "f7": "white 6"}, "black")
    assert chosen(game, guarded, 40).action != taking
    back = game.lively(game.advance(guarded, taking))
    assert len(back) == 1
    assert back[0] in game.legal(game.advance(guarded, taking))


def test_a_draw_that_the_loser_can_reach_is_worth_as_much_to_both() -> None:
    game, state = at("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
    outlook = Outlook(game, state.setup, own_side(game, state.setup, 0))
    assert outlook.final(state, 1) == 0.0


def king_before_the_centre() -> tuple[Any, Any]:
    """Return Victorus of two in which the red King is round and may go home."""
    game: Any = find_game("victorus")
    setup = game.setup(("red", "purple"))
    start = game.start(setup)
    board = bytearray(start.board)
    for cell, code in enumerate(start.board[:181]):
        if code and game.look(start.arena.token(code)).face.startswith("red half K"):
            king, here = code, cell
    home = start.arena.entries[0][2]
    board[here], board[home] = 0, king
    for cell in start.arena.entries[0][:2]:
        board[cell] = 0
    laps = tuple(1 if number == 0 else lap for number, lap in enumerate(start.tally.laps))
    tally = start.tally._replace(gate=(3,) * 6, laps=laps)
    state = start._replace(board=bytes(board), tally=tally)
    return game, state


def test_in_victorus_a_king_that_is_round_goes_home_and_wins() -> None:
    game, state = king_before_the_centre()
    thought = chosen(game, state, 400)
    after = game.advance(state, thought.action)
    assert game.outcome(after) is not None
    assert game.outcome(after).winners == ("red",)
    assert advise(game, state, 1)[0].reason == "wins the game"


def test_in_victorus_that_a_king_wins_is_told_first_then_how_he_comes_before_the_centre() -> None:
    game, state = king_before_the_centre()
    told = [action for _, action in game.threats(state, (1,))]
    assert str(told[0]).endswith("-i7")
    assert [str(action)[:2] for action in told[1:]] == [str(told[0])[:2]] * (len(told) - 1)
    assert len(told) > 1


@settings(max_examples=5)
@given(data=st.data())
def test_in_victorus_every_way_is_told_by_which_any_other_takes_a_piece(data: Any) -> None:
    game: Any = find_game("victorus")
    state = game.start(game.setup())
    for _ in range(data.draw(st.integers(0, 40), label="actions before")):
        state = game.advance(state, data.draw(st.sampled_from(list(game.legal(state)))))
    threats = game.threats(state, (0,))
    assert all(action in game.legal(there) for there, action in threats)
    told = {(game.decides(there), action) for there, action in threats}
    assert 0 not in {seat for seat, _ in told}
    for seat in range(1, 6):
        there = game.turn_of(state, seat)
        if there is not None:
            mine = {a for a in game.legal(there) if takes_of(game, there, a, "red")}
            assert mine <= {a for who, a in told if who == seat}


def takes_of(game: Any, state: Any, action: Action, seat: str) -> bool:
    """Tell whether ``action``, or the pivot after a Hospitaller's travel, takes a piece."""
    if any(game.owner(token) == seat for token in game.effect(state, action).captures):
        return True
    after = game.advance(state, action)
    return after.turn.stage == "pivot" and any(
        takes_of(game, after, pivot, seat) for pivot in game.legal(after)
    )


def test_who_is_out_of_victorus_or_has_won_it_has_no_turn() -> None:
    game: Any = find_game("victorus")
    start = game.start(game.setup())
    assert game.decides(game.turn_of(start, 4)) == 4
    assert game.turn_of(start._replace(tally=start.tally._replace(playing=62)), 0) is None
    ended = start.tally._replace(winners=1, ending="VIC-7.4")
    assert game.turn_of(start._replace(tally=ended), 0) is None


@pytest.mark.parametrize("name", THINKERS)
@settings(max_examples=5)
@given(data=st.data())
def test_what_is_chosen_is_legal_and_costs_no_more_than_it_may(name: str, data: Any) -> None:
    game: Any = find_game(name)
    state = game.start(game.setup())
    for _ in range(data.draw(st.integers(0, 12), label="actions before")):
        actions = list(game.legal(state))
        if not actions:
            break
        state = game.advance(state, data.draw(st.sampled_from(actions)))
    if game.to_move(state) is None:
        return
    thought = chosen(game, state, 50)
    assert thought.action in game.legal(state)
    assert thought.nodes <= max(51, len(game.legal(state)))
    assert 0.0 <= thought.expected <= 1.0


@pytest.mark.parametrize("name", THINKERS)
def test_the_same_seed_and_budget_choose_the_same(name: str) -> None:
    game: Any = find_game(name)
    state = game.start(game.setup())
    first = Searcher(game, random.Random(3)).choose(state, Budget(nodes=200))
    again = Searcher(game, random.Random(3)).choose(state, Budget(nodes=200))
    assert first == again


@pytest.mark.parametrize(
    ("name", "action", "hopes"),
    [
        ("chess", "g1-f3", 0.53957206),
        ("invictus", "h3-i4", 0.52315842),
        ("victorus", "i1-i5", 0.19925113),
        ("heximeros", "r1-x7", 0.05031945),
    ],
)
def test_pure_python_and_native_code_choose_the_same(name: str, action: str, hopes: float) -> None:
    """What is written here both builds find; who changes how a machine plays writes it anew."""
    game: Any = find_game(name)
    thought = Searcher(game, random.Random(3)).choose(game.start(game.setup()), Budget(nodes=300))
    assert (str(thought.action), round(thought.expected, 8)) == (action, hopes)


def test_thinking_ends_when_nobody_waits_any_more() -> None:
    game: Any = find_game("chess")
    state = game.start(game.setup())
    asked = iter([False] * 3 + [True] * 1000)
    budget = Budget(cancelled=lambda: next(asked))
    heard: list[Thought] = []
    thought = Searcher(game, random.Random(1)).choose(state, budget, heard.append)
    assert thought.nodes < 64 * 5
    assert heard[-1] == thought


def test_thinking_ends_when_the_time_is_up() -> None:
    game: Any = find_game("invictus")
    state = game.start(game.setup())
    ticks = iter(range(10_000))
    budget = Budget(seconds=4.0, clock=lambda: float(next(ticks)))
    assert chosen_by(game, state, budget).nodes < 64 * 6


def chosen_by(game: Any, state: Any, budget: Budget) -> Thought:
    return Searcher(game, random.Random(1)).choose(state, budget)


def test_the_only_action_is_not_thought_about() -> None:
    game, state = at("k7/8/1K6/8/8/8/8/7R b - - 0 1")
    assert len(game.legal(state)) == 1
    assert chosen(game, state).nodes == 1


def test_ideas_differ_and_come_best_first() -> None:
    game, state = at("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    ideas = advise(game, state, 5, count=5)
    assert len({idea.action for idea in some(ideas)}) == 5
    assert [idea.expected for idea in ideas] == sorted((i.expected for i in ideas), reverse=True)


def test_an_idea_says_what_it_takes_and_what_it_prepares() -> None:
    game, state = at("4k3/8/3q4/8/8/8/3Q4/4K3 w - - 0 1")
    assert advise(game, state, 2)[0].reason == "takes black queen"
    game, state = at("4K3/P6r/8/8/8/8/8/7k w - - 0 1")
    assert advise(game, state, 2)[0].reason == "becomes white queen"
    game, state = at("8/8/P7/8/8/8/7k/4K3 w - - 0 1")
    reasons = {str(idea.action): idea.reason for idea in advise(game, state, 3, 9)}
    assert reasons["a6-a7"] == "prepares a7-a8=Q: becomes white queen"


def test_an_idea_says_what_it_scores() -> None:
    game: Any = find_game("invictus")
    dice = {"a8": "black 6", "a2": "black 1", "e5": "white 1"}
    state = game.arrange(game.setup(), dice, "black")
    reasons = {str(idea.action): idea.reason for idea in advise(game, state, 2, 9)}
    assert reasons["a8-a9"] == "scores 6"


@pytest.mark.parametrize(
    ("name", "ended"),
    [
        ("invictus", lambda s: replace(s, ended="agreed", home=((6, 6), (1,)))),
        ("victorus", lambda s: s._replace(tally=s.tally._replace(winners=1, ending="VIC-7.4"))),
        ("heximeros", lambda s: s._replace(tally=s.tally._replace(winner=0, ending="HX-5.4"))),
    ],
)
def test_of_a_game_that_is_over_the_winner_stands_best(name: str, ended: Any) -> None:
    game: Any = find_game(name)
    state = ended(game.start(game.setup()))
    values = game.evaluate(state)
    assert values[0] > max(values[1:])
    assert game.outcome(state).winners == (state.setup.seats[0],)
    assert not game.lively(state)


def test_where_the_game_is_over_there_is_nothing_to_advise() -> None:
    game, state = at("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert advise(game, state, 1) == []


class Unweighed:
    """A game of which nobody says how anybody stands."""

    title = "Coin"


def test_a_game_that_no_machine_thinks_ahead_in_says_so() -> None:
    game: Any = Unweighed()
    with pytest.raises(BadInput, match="no machine thinks ahead in Coin"):
        advise(game, None, 1)
    with (
        pytest.raises(BadInput, match="no machine thinks ahead in Coin"),
        player_named(game, "level:1", random.Random(1)),
    ):
        pass


@pytest.mark.parametrize("name", ["level:0", "level:7", "level:", "leve:3", "greed", "", "uci:"])
def test_a_player_that_there_is_not_is_named(name: str) -> None:
    game: Game[Any] = find_game("chess")
    with pytest.raises(BadInput), player_named(game, name, random.Random(1)):
        pass


def test_programs_of_others_play_only_what_they_know() -> None:
    with (
        pytest.raises(BadInput, match="programs of others do not play Invictus"),
        player_named(find_game("invictus"), "uci:stockfish", random.Random(1)),
    ):
        pass


def test_a_level_has_its_share_of_a_budget_and_its_own_without_one() -> None:
    game: Any = find_game("chess")
    state = game.start(game.setup())
    with player_named(game, "level:1", random.Random(1)) as first:
        assert first.choose(state, Budget()).nodes <= LEVELS[0] + 1
        assert first.choose(state, Budget(nodes=1024 * 40)).nodes <= 41
    with player_named(game, "level:6", random.Random(1)) as sixth:
        assert sixth.choose(state, Budget(nodes=200)).nodes == 201


def test_who_overlooks_some_actions_still_notices_one() -> None:
    chance = random.Random(3)
    assert sorted(noticed(range(9), 0.0, chance)) == list(range(9))
    assert len(noticed(range(9), 1.0, chance)) == 1
    assert 560 < len(noticed(range(1000), 0.4, chance)) < 640


def test_each_level_overlooks_less_than_the_one_below_and_the_last_nothing() -> None:
    assert list(OVERLOOKED) == sorted(OVERLOOKED, reverse=True)
    assert len(set(OVERLOOKED)) == len(LEVELS)
    assert OVERLOOKED[-1] == 0


def test_allies_hope_together() -> None:
    game: Any = find_game("victorus")
    setup = game.setup(None, {"variant": "allied"})
    own = own_side(game, setup, 0)
    assert len(own) == 3
    assert odds([0.0] * 6, own) == pytest.approx(0.0)
    assert odds([9.0 if number in own else 0.0 for number in range(6)], own) > 5
    assert expected(odds([1.0, 1.0, 1.0], frozenset((0,)))) == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", THINKERS)
def test_who_is_ahead_stands_better(name: str) -> None:
    """Taking away the greatest piece of one side never makes that side stand better."""
    game: Any = find_game(name)
    setup = game.setup()
    start = game.start(setup)
    position = dict(game.expect(start))
    assert isinstance(game, Evaluation)
    own = own_side(game, setup, 0)
    mine = [spot for spot, token in some(sorted(position.items())) if owned(game, setup, token)]
    whole = odds(game.evaluate(game.arrange(setup, position)), own)
    for spot in mine:
        less = {other: token for other, token in position.items() if other != spot}
        assert odds(game.evaluate(game.arrange(setup, less)), own) <= whole + 1e-9, spot


def owned(game: Any, setup: Any, token: str) -> bool:
    return bool(game.owner(token) == setup.seats[0])


def test_the_quick_game_of_victorus_is_about_points() -> None:
    game: Any = find_game("victorus")
    setup = game.setup(("red", "purple"), {"variant": "quick"})
    state = game.start(setup)
    even = game.evaluate(state)
    assert even[0] == pytest.approx(even[1])
    taken = (*state.tally.cards[0][:8], (101,))
    ahead = state._replace(tally=state.tally._replace(cards=(taken, *state.tally.cards[1:])))
    assert game.evaluate(ahead)[0] > game.evaluate(ahead)[1]


def test_a_royal_that_waits_to_come_back_counts() -> None:
    game: Any = find_game("victorus")
    state = game.start(game.setup(("red", "purple")))
    queen = next(c for c in state.board[:181] if c and state.arena.token(c) == "red half Q")
    board = state.board.replace(bytes((queen,)), b"\0")
    gone = state._replace(board=board)
    waits = gone._replace(tally=gone.tally._replace(waiting=(queen,)))
    assert game.evaluate(waits)[0] > game.evaluate(gone)[0]


def test_a_full_table_of_positions_and_the_deepest_search_end_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "KEPT", 3)
    monkeypatch.setattr(search, "DEEPEST", 4)
    game, state = at("7k/8/8/3p4/8/8/3P3P/7K w - - 0 1")
    thought = chosen(game, state, 10**6)
    assert thought.depth == 3
    assert len(thought.line) <= 3


def test_a_line_is_played_on_by_both_sides() -> None:
    game: Any = find_game("invictus")
    state = game.start(game.setup())
    thought = chosen(game, state, 2000)
    assert thought.depth >= 2
    for action in some(thought.line):
        assert action in game.legal(state)
        state = game.advance(state, action)
    assert isinstance(thought.line[0], Action)
