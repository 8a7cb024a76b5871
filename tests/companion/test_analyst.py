"""Who looks at played games again: one at a time, what was found is kept."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.live import analyst
from companion.live.analyst import Analyst
from companion.rules import Action, BadInput, HardwareFault

CHESS: Any = find_game("chess")
START: Any = CHESS.start(CHESS.setup())


class Told:
    """A process that has been told what to answer."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.questions = list(answers), 0

    def ask(self, question: Any) -> None:
        self.questions += 1

    def answer(self, seconds: float) -> Any:
        return self.answers.pop(0)

    def stop(self) -> None:
        pass


def asked(who: Analyst, move: str) -> Any:
    origin, target = move.split("-")
    return who.analyse(CHESS, START, [Action("move", origin, target)])


@pytest.fixture
def who(monkeypatch: pytest.MonkeyPatch) -> Any:
    def made(*answers: Any) -> tuple[Analyst, Told]:
        process = Told(*answers)
        monkeypatch.setattr(analyst, "ThinkingProcess", lambda: process)
        return Analyst(), process

    return made


def test_what_was_found_is_asked_once_and_kept(who: Any) -> None:
    one, process = who(None, {"seats": {}, "actions": []})
    assert asked(one, "e2-e4") is None
    assert asked(one, "e2-e4") == asked(one, "e2-e4") == {"seats": {}, "actions": []}
    assert process.questions == 1


def test_another_game_is_begun_anew_and_the_oldest_forgotten(
    who: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyst, "KEPT", 1)
    one, process = who(None, *({"seats": {}} for _ in range(3)))
    for move in ("e2-e4", "d2-d4", "c2-c4", "d2-d4"):
        asked(one, move)
    assert process.questions == 4


def test_a_process_that_ends_is_a_fault_and_may_be_asked_again(who: Any) -> None:
    one, _ = who({"fault": ""}, {"seats": {}})
    with pytest.raises(HardwareFault):
        asked(one, "e2-e4")
    assert asked(one, "e2-e4") == {"seats": {}}


def test_who_comes_to_no_end_is_a_fault_and_may_be_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = Told(None, None, {"ideas": []})
    monkeypatch.setattr(analyst, "ThinkingProcess", lambda: process)
    patient, hasty = Analyst(most=60.0), Analyst(most=0.0)
    assert patient.answer("here", {}, 0.0) is None
    with pytest.raises(HardwareFault):
        hasty.answer("here", {}, 0.0)
    assert hasty.answer("here", {}, 0.0) == {"ideas": []}


def test_a_game_of_which_nobody_says_how_it_stands_is_not_looked_at(who: Any) -> None:
    game: Any = find_game("hoplomachus")
    with pytest.raises(BadInput):
        who()[0].analyse(game, game.start(game.setup()), [])
