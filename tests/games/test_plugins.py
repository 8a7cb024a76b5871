"""Games that other packages bring are found; what is wrong with one is told in one sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.games import find_game, games, unplayable
from companion.machine.doctor import check_games
from companion.rules import BadInput, say, tell
from tests.checks.foreign import found, installed
from web import language
from web.language import translator

OURS = ("chess", "heximeros", "hoplomachus", "invictus", "victorus", "victory_honor")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A folder whose packages are installed."""
    language._joined.cache_clear()
    with found(tmp_path):
        yield tmp_path
    language._joined.cache_clear()


def sentence(name: str) -> str:
    """Return why a game cannot be played: one sentence, told once."""
    (one,) = [one for one in unplayable() if one.name == name]
    assert "\n" not in one.reason
    assert "Traceback" not in one.reason
    return str(one.reason)


def test_our_own_games_need_no_installation() -> None:
    assert set(OURS) <= set(games())
    assert unplayable() == ()


def test_a_game_of_an_installed_package_is_found_among_ours(shelf: Path) -> None:
    installed(shelf, "slide")
    assert set(games()) == {*OURS, "slide"}
    assert find_game("slide").title == "Slide"
    assert unplayable() == ()


BROKEN: dict[str, str] = {
    "a module is missing": "import no_such_module\n",
    "it cannot be read": "GAME = (\n",
    "it falls": "1 / 0\n",
    "it ends the program": "import sys\nsys.exit(3)\n",
    "there is no GAME": "GAMES = 3\n",
    "GAME is no game": "GAME = 'slide'\n",
    "GAME is a class": "from companion.rules import Game\nGAME = Game\n",
    "the contract is not kept": "from companion.rules import Game\n\n\nclass Mine(Game):\n"
    "    name = 'slide'\n\n\nGAME = Mine()\n",
}


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN)
def test_a_package_that_cannot_be_loaded_is_named_and_all_others_are_played(
    shelf: Path, source: str
) -> None:
    installed(shelf, "slide", source=source)
    installed(shelf, "other", package="good-one")
    assert set(games()) == {*OURS, "other"}
    assert "“slide” of their-slide 1.0" in sentence("slide")
    with pytest.raises(BadInput, match="their-slide"):
        find_game("slide")
    assert find_game("chess").name == "chess"


def test_a_game_that_calls_itself_otherwise_is_not_offered(shelf: Path) -> None:
    installed(shelf, "slide", "    name = 'glide'\n")
    assert "differ" in sentence("slide")
    assert not {"slide", "glide"} & set(games())


@pytest.mark.parametrize("lacking", ["title = ''", "title = ' '", "title = 3", "seats = ()"])
def test_a_game_without_a_title_or_seats_is_not_offered(shelf: Path, lacking: str) -> None:
    installed(shelf, "slide", f"    {lacking}\n")
    assert "title or seats" in sentence("slide")


def test_who_stops_the_companion_while_a_game_is_loaded_stops_it(shelf: Path) -> None:
    installed(shelf, "slide", source="raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        find_game("slide")


@pytest.mark.parametrize("name", ["Slide", "slide game", "../slide", "1slide", "s" * 41])
def test_a_name_that_no_file_can_have_is_not_offered(shelf: Path, name: str) -> None:
    installed(shelf, name, package="odd-one")
    assert "odd-one" in sentence(name)
    assert name not in games()


def test_two_packages_of_one_name_are_both_named_and_neither_is_played(shelf: Path) -> None:
    installed(shelf, "slide", package="first-slide")
    installed(shelf, "slide", package="second-slide")
    assert "first-slide 1.0, second-slide 1.0" in sentence("slide")
    assert set(games()) == set(OURS)


def test_a_package_that_brings_a_game_of_ours_again_is_named_and_ours_is_played(
    shelf: Path,
) -> None:
    installed(shelf, "chess", package="new-chess")
    assert "new-chess 1.0" in sentence("chess")
    assert find_game("chess").title == "Chess"
    assert set(games()) == set(OURS)


def test_the_commands_tell_what_cannot_be_played(shelf: Path, capsys: Any) -> None:
    installed(shelf, "slide", source="1 / 0\n")
    assert main(["games"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("slide")]
    assert len(told) == 1
    assert "their-slide 1.0" in told[0]
    assert main(["games", "--json"]) == 0
    out, err = capsys.readouterr()
    assert {game["name"] for game in json.loads(out)} == set(OURS)
    assert "their-slide 1.0" in err
    assert main(["judge", "slide", "a1-a2"]) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "their-slide 1.0" in err


def test_the_doctor_tells_what_cannot_be_played(shelf: Path) -> None:
    assert [finding.level for finding in check_games()] == ["ok"]
    installed(shelf, "slide", source="1 / 0\n")
    with found(shelf):
        (fault,) = [finding for finding in check_games() if finding.level == "fault"]
    assert "their-slide 1.0" in fault.message


@pytest.mark.parametrize("file", ["METADATA", "entry_points.txt"])
def test_a_package_whose_facts_are_damaged_hides_no_other(shelf: Path, file: str) -> None:
    installed(shelf, "other", package="good-one")
    facts = installed(shelf, "slide") / "their_slide-1.0.dist-info"
    (facts / file).write_bytes(b"\xff\xfe\x00")
    assert {*OURS, "other"} <= set(games())


CATALOGS = {
    "whole": 'msgid "the goose flies"\nmsgstr "l’oca vola"\n',
    "cut off": 'msgid "the goose',
    "no text": b"\xff\xfe\x00",
}


def speaking(folder: Path, catalog: str | bytes) -> None:
    """Install a package whose game says something, with an Italian catalog."""
    installed(folder, "slide")
    package = folder / "their_slide"
    (package / "languages").mkdir(parents=True)
    (folder / "their_slide.py").rename(package / "__init__.py")
    data = catalog if isinstance(catalog, bytes) else catalog.encode()
    (package / "languages" / "it.po").write_bytes(data)


def test_what_a_game_from_elsewhere_says_is_told_by_the_catalog_it_brings(shelf: Path) -> None:
    speaking(shelf, CATALOGS["whole"])
    find_game("slide")
    italian = translator("it")
    assert tell(say("the goose flies"), italian) == "l’oca vola"
    assert tell(say("the goose swims"), italian) == "the goose swims"
    assert tell(say("it cannot be loaded ({why})", why="x"), italian) != "it cannot be loaded (x)"
    assert tell(say("the goose flies"), translator("fr")) == "the goose flies"


@pytest.mark.parametrize("damaged", ["cut off", "no text"])
def test_a_damaged_catalog_leaves_the_sentences_english(shelf: Path, damaged: str) -> None:
    speaking(shelf, CATALOGS[damaged])
    assert find_game("slide").title == "Slide"
    assert tell(say("the goose flies"), translator("it")) == "the goose flies"
