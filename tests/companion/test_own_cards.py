"""Cards that owners enter, kept in the data folder."""

from __future__ import annotations

import json

import pytest

from companion.cli import main
from companion.live.own_files import OwnFiles
from companion.rules import BadInput, HardwareFault
from companion.rules.own import NOTHING, furnish

GAME = "hoplomachus"
FOE = {"name": "Foe", "kind": "sport", "hits": 2}


@pytest.fixture
def files(tmp_path):
    return OwnFiles(tmp_path)


def test_nothing_is_owned_before_something_is_entered(files):
    assert files.owned(GAME) == {}
    assert files.cards(GAME) == ()


def test_a_card_is_entered_changed_and_left_out(files, tmp_path):
    files.enter(GAME, FOE)
    files.enter(GAME, {"name": "Other", "kind": "tactic"})
    files.enter(GAME, {**FOE, "name": "Friend"}, instead="Foe")
    assert [card["name"] for card in OwnFiles(tmp_path).cards(GAME)] == ["Friend", "Other"]
    files.forget(GAME, "Other")
    assert files.cards(GAME) == ({**FOE, "name": "Friend"},)
    assert json.loads(files.path(GAME).read_text())["card"] == [{**FOE, "name": "Friend"}]
    with pytest.raises(BadInput, match="no card of yours is called Other"):
        files.forget(GAME, "Other")


def test_a_wrong_card_is_refused_and_nothing_is_kept(files):
    with pytest.raises(BadInput, match="hits is a whole number"):
        files.enter(GAME, {**FOE, "hits": "two"})
    assert files.cards(GAME) == ()
    assert not files.path(GAME).exists()


def test_a_file_written_by_hand_comes_first_and_is_changed_by_hand(files, tmp_path):
    (tmp_path / "hoplomachus-cards.toml").write_text('[[tactic]]\nname = "Wedge"\n')
    assert files.cards(GAME) == ({"kind": "tactic", "name": "Wedge"},)
    with pytest.raises(BadInput, match="written by hand in hoplomachus-cards"):
        files.enter(GAME, FOE)


@pytest.mark.parametrize("text", ["[[card]", "[[card]]\nname = \x00"])
def test_a_file_that_cannot_be_read_is_one_sentence(files, tmp_path, text):
    (tmp_path / "hoplomachus-cards.toml").write_text(text)
    with pytest.raises(BadInput, match="is no TOML"):
        files.owned(GAME)


def test_a_file_of_something_else_and_one_that_is_no_text_are_told(tmp_path):
    (tmp_path / "hoplomachus-cards.json").write_text("[]")
    with pytest.raises(BadInput, match="holds no lists of cards"):
        OwnFiles(tmp_path).owned(GAME)
    (tmp_path / "hoplomachus-cards.json").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(BadInput, match="cannot read"):
        OwnFiles(tmp_path).owned(GAME)


def test_a_folder_that_cannot_be_written_to_is_the_machines_fault(tmp_path):
    files = OwnFiles(tmp_path / "taken")
    assert files.cards(GAME) == ()
    (tmp_path / "taken").write_text("")
    with pytest.raises(HardwareFault, match="cannot write"):
        files.enter(GAME, FOE)


def test_the_command_says_what_is_missing_for_a_game_with_own_cards(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "tabletop-companion"
    folder.mkdir()
    (folder / "hoplomachus-cards.toml").write_text('[[card]]\nname = "Foe"\nkind = "sport"\n')
    try:
        assert main(["legal", GAME, "--option", "cards=own"]) == 2
        told = capsys.readouterr().err
        assert "has 1 of the 54 Conflict cards" in told
        assert told.count("\n") == 1
    finally:
        furnish(lambda game: NOTHING)
