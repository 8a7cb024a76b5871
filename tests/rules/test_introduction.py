"""What is told of a game before its rules, and a file that does not tell it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import games
from companion.rules import BadInput
from companion.rules.introduction import introduction
from tests.checks.loops import some

LANGUAGES = "en", "it", "fr", "es"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", games())
def test_every_game_is_introduced_in_every_language(name: str, language: str) -> None:
    found = introduction(f"companion.games.{name}", language)
    assert found is not None
    assert 0 < found.minutes[0] <= found.minutes[1]
    for text in some((found.needed, found.aim, found.turn, found.win)):
        assert text.endswith(".")
    if language != "en":
        assert found.win != getattr(introduction(f"companion.games.{name}"), "win", "")


def test_a_game_may_have_no_introduction() -> None:
    assert introduction(__package__) is None
    assert introduction("no.such.package") is None


def test_a_broken_introduction_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "brokenintroduction"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "introduction.toml").write_text("minutes = 3")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BadInput, match=r"introduction\.toml of brokenintroduction has to give"):
        introduction("brokenintroduction")
