"""Matches between machines: seats go round, the same seed plays the same games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from companion.cli import main
from companion.games import find_game
from companion.players import match
from companion.players.budget import Budget
from companion.players.match import Match, Tally
from companion.players.named import player_named
from companion.rules import BadInput

pytestmark = pytest.mark.no_cover  # other tests prove the rules line by line


def played(name: str, *players: str, games: int = 2, seed: int = 1, seats: Any = None) -> Tally:
    game: Any = find_game(name)
    return Match(game, game.setup(seats), players, Budget(nodes=60)).play(games, seed)


def test_every_game_has_one_winner_or_is_drawn() -> None:
    tally = played("chess", "greedy", "random", games=3)
    assert tally.games == sum(tally.wins.values()) + tally.draws == 3
    assert set(tally.wins) == {"greedy", "random"}


def test_the_same_seed_plays_the_same_games() -> None:
    first, again = (played("invictus", "greedy", "random", seed=5) for _ in range(2))
    assert (first.wins, first.points, first.nodes) == (again.wins, again.points, again.nodes)


def test_who_thinks_beats_who_does_not() -> None:
    assert played("chess", "level:6", "random").wins["level:6"] == 2


def test_seats_go_round_from_game_to_game(monkeypatch: pytest.MonkeyPatch) -> None:
    begins: list[str] = []

    @contextmanager
    def named(game: Any, name: str, chance: Any) -> Iterator[Any]:
        begins.append(name)
        with player_named(game, "random", chance) as player:
            yield player

    monkeypatch.setattr(match, "player_named", named)
    played("victorus", "a", "b", "c", games=3)
    assert [begins[at : at + 6] for at in (0, 6, 12)] == [
        ["a", "b", "c"] * 2, ["b", "c", "a"] * 2, ["c", "a", "b"] * 2
    ]  # fmt: skip


def test_a_game_that_goes_on_for_ever_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "LONGEST", 3)
    tally = played("chess", "random", "greedy", games=2)
    assert (tally.games, tally.draws, sum(tally.wins.values())) == (2, 2, 0)


def test_a_game_in_which_nothing_is_taken_or_promoted_for_long_is_a_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match, "STILL", 1)
    tally = played("chess", "random", "greedy", games=2)
    assert (tally.games, tally.draws) == (2, 2)


def test_a_game_for_points_that_is_broken_off_is_won_by_who_has_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match, "LONGEST", 80)
    tally = played("invictus", "greedy", "random", games=1)
    assert tally.points["greedy"] > tally.points["random"]
    assert (tally.wins["greedy"], tally.draws) == (1, 0)


def test_by_a_capture_a_game_goes_on_and_by_moves_to_and_fro_it_does_not() -> None:
    game: Any = find_game("chess")
    begun = game.start(game.setup())
    state, still = begun, []
    for text in ("g1-f3", "b8-c6", "f3-e5", "d7-d5", "e5-c6"):
        state = game.apply(state, game.parse(state.setup, text))
        still.append(match._Stand.of(game, state).still(match._Stand.of(game, begun)))
    assert still == [True, True, True, True, False]


def test_whose_chances_grow_is_getting_on_though_nothing_is_taken() -> None:
    stand = match._Stand(Counter("KQ"), (0.5, 0.5))
    assert not stand._replace(shares=(0.6, 0.4)).still(stand)
    assert stand._replace(shares=(0.52, 0.48)).still(stand)


def test_a_lead_is_counted_by_deals_that_each_player_had_from_every_place() -> None:
    tally = Tally(deals=[{"a": 10, "b": 4}, {"a": 8, "b": 8}, {"a": 9, "b": 3}])
    ahead = tally.ahead("a")
    assert ahead == pytest.approx((4.0, 1.96 * 12**0.5 / 3**0.5))
    assert Tally(deals=[{"a": 10, "b": 4}]).ahead("a") is None


def test_a_deal_is_counted_when_both_pairs_had_it() -> None:
    tally = played("victory_honor", "random", "greedy", games=3)
    assert len(tally.deals) == 1


def test_seats_that_cannot_be_shared_out_are_told() -> None:
    with pytest.raises(BadInput, match="Victorus has 6 seats here"):
        played("victorus", "greedy", "greedy", "random", "random")


def test_the_command_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    words = "match victorus greedy random --seats red,purple --games 2 --seed 7 --nodes 50 --json"
    assert main(words.split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["games", "wins", "draws", "points", "seconds", "nodes_per_second"]
    assert told["games"] == 2
    assert told["wins"]["greedy"] + told["wins"]["random"] + told["draws"] == 2


def test_the_command_tells_people_who_won(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "invictus", "greedy", "random", "--games", "1", "--seconds", "0.01"]) == 0
    told = capsys.readouterr().out
    assert "won 1 of 1" in told
    assert "points" in told


def test_a_budget_is_of_one_kind(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["match", "chess", "greedy", "random", "--nodes", "5", "--seconds", "1"])
    assert "not allowed with" in capsys.readouterr().err


def test_advice_is_told_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "invictus", "h3-g4", "--level", "1", "--json"]) == 0
    ideas = json.loads(capsys.readouterr().out)
    assert len(ideas) == 3
    assert {"action", "expected", "reason"} <= set(ideas[0])
    assert main(["advise", "chess", "--level", "1", "--ideas", "1"]) == 0
    assert "%" in capsys.readouterr().out
    assert main(["advise", "chess", "--fen", "7k/8/8/8/8/8/5r2/7K w - - 0 1"]) == 0
    assert "h1-g1" in capsys.readouterr().out


def test_a_game_that_is_over_needs_no_advice(capsys: pytest.CaptureFixture[str]) -> None:
    mate = ["f2-f3", "e7-e5", "g2-g4", "d8-h4"]
    assert main(["advise", "chess", *mate]) == 0
    assert capsys.readouterr().out == "The game is over.\n"
