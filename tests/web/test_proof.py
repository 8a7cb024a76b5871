"""A ruling as one HTML file for outsiders: it needs nothing else, and has the board, the rule's
text and the proof."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.games import find_game, games
from companion.rules import card_texts_of
from web.language import languages
from web.proof import proof_page

REFUSED = {
    "chess": "e2-e5",
    "heximeros": "a1-a2",
    "hoplomachus": "scout",
    "invictus": "a2-a4",
    "victorus": "h2-h5",
    "victory_honor": "west.L=red5",
}
"""An action for each game that its rules refuse at the start."""


class Page(HTMLParser):
    """What a page shows and what it asks for from elsewhere."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.outside, self.uses, self.ids = "", [], set(), set()
        self.cells = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.add(given.get("id"))
        self.cells += given.get("class") == "cell"
        for name in ("src", "href"):
            link = given.get(name)
            if link and link.startswith("#"):
                self.uses.add(link[1:])
            elif link:
                self.outside.append(link)
        if tag in ("script", "link"):
            self.outside.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def page_of(name: str, action: str, language: str = "en", **options: str) -> Page:
    game = find_game(name)
    setup = game.setup(options=options)
    asked = game.parse(setup, action)
    return Page(proof_page(game, setup, game.start(setup), [asked], language))


@pytest.mark.parametrize("name", games())
def test_a_refusal_of_every_game_has_board_rule_and_proof(name: str) -> None:
    game = find_game(name)
    setup = game.setup()
    state = game.start(setup)
    ruling = game.judge(state, game.parse(setup, REFUSED[name]))
    page = page_of(name, REFUSED[name])
    assert not ruling.allowed
    assert "Not allowed" in page.text
    assert ruling.reason in page.text
    assert game.rules[ruling.rule].text in page.text
    assert page.cells == len(game.board(setup).spots)
    assert page.outside == [], "it can be sent to anybody"
    assert page.uses <= page.ids, "every token that stands there is drawn"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", games())
def test_a_page_is_told_in_every_language(name: str, language: str) -> None:
    page = page_of(name, REFUSED[name], language)
    told = {"en": "Not allowed", "it": "Non permesso", "fr": "Pas permis", "es": "No permitido"}
    assert told[language] in page.text
    if language != "en":
        assert "Was that allowed?" not in page.text
        assert "The proof" not in page.text


def test_a_position_that_cannot_be_is_told_and_ruled_on_all_the_same() -> None:
    game = find_game("chess")
    setup = game.setup()
    state = game.arrange(setup, {"e1": "white K", "d4": "white Q"}, "white")
    page = Page(proof_page(game, setup, state, [game.parse(setup, "d4-e6")], "en"))
    assert "This position cannot be" in page.text
    assert all(problem.reason in page.text for problem in game.check(state))
    assert "Not allowed" in page.text


def test_what_lies_face_down_is_left_out_and_said() -> None:
    game = find_game("victory_honor")
    setup = game.setup()
    state = game.arrange(setup, {"south.L": "red 7", "west.C": "back"})
    mover = game.to_move(state)
    page = Page(proof_page(game, setup, state, [game.parse(setup, f"{mover}.L=red5")], "en"))
    assert "What lies face down is not known here: West's centre." in page.text


def test_texts_that_were_never_entered_are_left_out_and_said(monkeypatch: Any) -> None:
    game = find_game("hoplomachus")
    setup = game.setup()
    state = game.start(setup)
    lieutenant = state.lieutenant
    module = __import__("companion.games.hoplomachus.card_texts", fromlist=["card_of"])
    real = module.card_of
    bare = real(lieutenant).__class__(lieutenant, "lieutenant", 8, 2)
    monkeypatch.setattr(module, "card_of", lambda n: bare if n == lieutenant else real(n))
    assert [card.name for card in card_texts_of(game, state) if card.lacking] == [lieutenant]
    page = Page(proof_page(game, setup, state, [game.parse(setup, "scout")], "en"))
    assert f"were never entered, and nothing is made of them: {lieutenant}." in page.text


# -- the command -----------------------------------------------------------------------------------


def test_the_command_reads_a_position_file_and_writes_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, html = tmp_path / "position.json", tmp_path / "ruling.html"
    board = {"e1": "white K", "e8": "black K", "e2": "white R", "e4": "black Q"}
    file.write_text(json.dumps({"position": board, "to_move": "white"}))
    assert main(["referee", "chess", "e2-d2", "--position", str(file), "--html", str(html)]) == 0
    page = Page(html.read_text(encoding="utf-8"))
    assert "pinned" in page.text
    assert "e4: black queen" in page.text
    assert "REFUSED by CH-3.9.2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess", "e2-e4", "--option", "rim=open"], "Chess has no option “rim”"),
        (["hoplomachus", "hero Nobody"], "there is no card “Nobody”"),
        (["chess", "z9-z8"], "z9"),
        (["draughts2", "a1-a2"], "draughts2"),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = tmp_path / "ruling.html"
    assert main(["referee", *words, "--html", str(html)]) != 0
    said = capsys.readouterr().err.strip()
    assert told in said
    assert "\n" not in said
    assert not html.exists()


@pytest.mark.parametrize("given", ["--position", "whole", "--fen"])
@pytest.mark.parametrize("command", ["judge", "referee"])
def test_a_position_that_cannot_be_is_told_once_by_the_commands_too(
    command: str, given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, html = tmp_path / "position.json", tmp_path / "ruling.html"
    chess = find_game("chess")
    saved = chess.dump(chess.arrange(chess.setup(), {"e1": "white K"}, "white"))
    file.write_text(json.dumps(saved if given == "whole" else {"position": {"e1": "white K"}}))
    where = ["--fen", "8/8/8/8/8/8/8/4K3 w - - 0 1"] if given == "--fen" else []
    page = ["--html", str(html)] if command == "referee" else []
    words = [command, "chess", "e1-e2", *(where or ["--position", str(file)]), *page]
    assert main(words) == 0
    said = capsys.readouterr().err.strip()
    assert said == (
        "companion: the position cannot come about, and is ruled on as it stands: "
        "Black has no king, and must have one (CH-2.2)"
    )
    assert html.exists() == (command == "referee")
