"""A game on paper: how it ended, its last position, its scorecards and every action."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest

from companion.games import find_game
from companion.referee.export import Followed, ScoreSheet, follow
from companion.referee.game_on_paper import game_pdf, numbered, scores_pdf
from companion.referee.play_file import play_file
from companion.rules import read_record

GOLDEN = Path(__file__).parents[1] / "games" / "golden"


def read(name: str) -> tuple[ScoreSheet, Followed]:
    followed = follow(read_record((GOLDEN / f"{name}.txt").read_text("utf-8")), find_game)
    game, state = followed.game, followed.states[-1]
    cards, ended = game.scorecards(state), game.outcome(state)
    names = {followed.setup.seats[0]: "Anna"}
    return ScoreSheet(
        game, followed.setup, cards, ended, names, 0.0, len(followed.actions)
    ), followed


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in document)


def picture(pdf: bytes) -> Any:
    return pypdfium2.PdfDocument(pdf)[0].render(scale=1).to_numpy().astype(int)


def test_the_whole_game_stands_on_paper_action_by_action() -> None:
    sheet, followed = read("invictus_last_die_home")
    lines = numbered(followed)
    text = text_of(game_pdf(sheet, followed, lines))
    assert len(lines) == len(followed.actions) == 246
    for line in lines:
        assert line in text
    assert "Anna" in text
    assert "actions: 246" in text


def test_heximeros_is_printed_in_its_own_notation() -> None:
    sheet, followed = read("heximeros_resurrection")
    game = followed.game
    lines = game.notate("hxm", followed.states[0], followed.actions, {}).splitlines()
    text = text_of(game_pdf(sheet, followed, lines))
    assert len(lines) == len(followed.actions)
    for line in lines:
        assert " ".join(line.split()) in text


@pytest.mark.parametrize("name", ["victorus_quick", "victory_honor_four_rounds", "chess_immortal"])
def test_the_last_position_is_drawn(name: str) -> None:
    sheet, followed = read(name)
    drawn = picture(game_pdf(sheet, followed, []))
    bare = picture(scores_pdf(sheet))
    assert np.count_nonzero(drawn.min(axis=2) < 200) > np.count_nonzero(bare.min(axis=2) < 200)
    board = drawn[90:400]
    assert np.count_nonzero(np.ptp(board, axis=2) > 30) > 800


def test_paper_speaks_the_language_of_the_phone() -> None:
    sheet, followed = read("chess_immortal")
    words = {"Moves": "Mosse", "actions: {count}": "azioni: {count}"}
    text = text_of(game_pdf(sheet, followed, ["1. e4 e5"], lambda text: words.get(text, text)))
    assert "Mosse" in text
    assert "azioni: 45" in text
    assert "1. e4 e5" in text


def test_a_play_names_the_winner_the_points_and_the_minutes() -> None:
    sheet, _ = read("invictus_last_die_home")
    play = play_file(sheet, 7, str, sheet.begun + 2_520)
    assert (play["durationMin"], play["game"]["sourceGameId"]) == (42, "invictus")
    won = {one["role"] for one in play["players"] if one["winner"]}
    assert sheet.outcome is not None
    assert won == set(sheet.outcome.winners)
    assert [one["role"] for one in play["players"]] == list(sheet.setup.seats)
    assert [one["startPlayer"] for one in play["players"]].count(True) == 1
    assert "Anna" in {one["name"] for one in play["players"]}


def test_a_game_without_points_says_so_and_one_that_goes_on_has_no_winner() -> None:
    sheet, _ = read("chess_immortal")
    assert play_file(sheet, 1, str)["game"]["noPoints"] is True
    open_game = play_file(sheet._replace(outcome=None), 1, str)
    assert not any(one["winner"] for one in open_game["players"])
    assert "durationMin" not in open_game
