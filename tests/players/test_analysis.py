"""A game looked at again: expectations, better moves, blunders, of every seat."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.cli import main
from companion.games import find_game
from companion.players.analysis import Reviewed, analysed, as_json
from companion.rules import BadInput

pytestmark = pytest.mark.no_cover  # other tests prove the rules line by line
FOOLS_MATE = ["f2-f3", "e7-e5", "g2-g4", "d8-h4"]


def looked_at(name: str, actions: list[str], seats: Any = None) -> list[Reviewed]:
    game: Any = find_game(name)
    setup = game.setup(seats)
    parsed = [game.parse(setup, text) for text in actions]
    return list(analysed(game, game.start(setup), parsed, 2))


@pytest.fixture(scope="module")
def mate() -> list[Reviewed]:
    return looked_at("chess", FOOLS_MATE)


def test_what_lets_in_a_mate_is_a_blunder_and_the_mate_is_none(mate: list[Reviewed]) -> None:
    assert [moment.seat for moment in mate] == ["white", "black"] * 2
    opens, ends = mate[2], mate[3]
    assert opens.blunder
    assert opens.lost > 0.4
    assert opens.best.action != opens.action
    assert (ends.lost, ends.blunder) == (0.0, False)
    assert ends.shares == {"white": 0.0, "black": 1.0}


def test_nothing_better_than_the_best_is_ever_lost(mate: list[Reviewed]) -> None:
    assert all(0 <= moment.lost <= 1 for moment in mate)
    assert all(sum(moment.shares.values()) == pytest.approx(1) for moment in mate)


def test_what_was_done_is_never_called_better_than_itself() -> None:
    """The machine likes the rook and sees only one action later that this lets in a mate."""
    rook = "e2-e4 e7-e5 g1-f3 b8-c6 f1-c4 g8-f6 f3-g5 f6-e4 g5-f7 d8-h4 f7-h8 h4-f2"
    found = looked_at("chess", rook.split())
    turning = [moment for moment in found if moment.blunder]
    assert {moment.seat for moment in turning} == {"white", "black"}
    for moment in turning:
        assert moment.best.action != moment.action
        assert moment.best.expected - moment.shares[moment.seat] == pytest.approx(moment.lost)


def test_each_seat_is_told_its_blunders_and_captures() -> None:
    game: Any = find_game("chess")
    told = as_json(game, looked_at("chess", ["e2-e4", "d7-d5", "e4-d5", "d8-d5"]))
    assert {seat: own["captures"] for seat, own in told["seats"].items()} == {
        "white": 1, "black": 1,
    }  # fmt: skip
    assert told["seats"]["white"]["actions"] == 2


def test_every_one_of_six_seats_has_its_expectation() -> None:
    game: Any = find_game("victorus")
    state, chance, actions = game.start(game.setup()), random.Random(3), []
    for _ in range(4):
        actions.append(chance.choice(list(game.legal(state))))
        state = game.advance(state, actions[-1])
    found = list(analysed(game, game.start(game.setup()), actions, 1))
    assert len(found) == 4
    assert all(len(moment.shares) == 6 for moment in found)


def test_a_claim_that_is_nobodys_decision_is_passed_over() -> None:
    assert [m.seat for m in looked_at("chess", ["e2-e4", "resign=white"])] == ["white"]


def test_where_nobody_thinks_ahead_nothing_is_analysed() -> None:
    with pytest.raises(BadInput, match="no machine thinks ahead"):
        looked_at("hoplomachus", [])


def test_the_command_tells_what_was_better(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "chess", *FOOLS_MATE, "--level", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["action"] for one in told["actions"]] == FOOLS_MATE
    assert told["actions"][-1]["expected"] == {"white": 0.0, "black": 1.0}
    assert main(["analyse", "chess", *FOOLS_MATE]) == 0
    shown = capsys.readouterr().out
    assert "was better by" in shown
    assert "black: 2 actions" in shown


def test_the_command_writes_the_game_with_evaluations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "chess", *FOOLS_MATE, "--level", "1", "--notation", "pgn"]) == 0
    written = capsys.readouterr().out
    # The third move lets in a mate: nobody's pawns tell that.
    assert written.count("[%eval ") == 2
    assert written.endswith("2. g4 Qh4# 0-1\n")
    for game, name in (("chess", "hxm"), ("heximeros", "pgn")):
        assert main(["analyse", game, *FOOLS_MATE[:0], "g1-f3", "--notation", name]) == 2
