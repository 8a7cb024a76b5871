"""A journal that version 0.1.0 wrote is opened, read, audited and played on.

``data/0.1.0.journal.gz`` holds an evening of all six games with refused moves, take-backs,
corrections, decisions, photographs and phones that joined; ``data/0.1.0.json`` tells how each game
stood. Both were made by the code of that version, and neither is ever made anew; nor is
``data/0.2.0.faces.npz``, two of the pieces that version 0.2.0 learned at its simulated table.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.referee import audit_journal, export_record
from companion.rules import BadInput, read_record
from companion.table import Table
from companion.table.evening import Evening
from companion.table.past_games import past_games
from companion.table.resuming import Asked, take_up
from vision.tokens.album import load_album

DATA = Path(__file__).parent / "data"
FACTS: dict[str, dict[str, Any]] = json.loads((DATA / "0.1.0.json").read_text("utf-8"))
GAMES = [pytest.param(int(number), id=facts["game"]) for number, facts in FACTS.items()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "evening.sqlite3"
    with gzip.open(DATA / "0.1.0.journal.gz") as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    return path


def shown(table: Table[Any]) -> dict[str, Any]:
    """Return what the fixture tells of a game."""
    return {
        "game": table.game.name,
        "to_move": table.to_move,
        "ended_by": table.ended_by,
        "actions": len(table.actions),
        "position": dict(sorted(table.game.expect(table.state).items())),
        "scores": [card.score for card in table.game.scorecards(table.state)],
        "events": len(table.events()),
    }


def test_pieces_that_version_0_2_0_learned_are_known() -> None:
    album = load_album(DATA / "0.2.0.faces.npz", "victorus")
    assert album is not None
    assert set(album.faces) == {"red white T", "black black H"} == set(album.turns)
    red, black = (
        face.picture[face.outline > 0.5].mean(axis=0)
        for _, face in sorted(album.faces.items(), reverse=True)
    )
    assert red[2] > 2 * red[0], "colours are blue, green and red, as then"
    assert np.ptp(black) < 20


def test_all_six_games_are_there() -> None:
    assert {facts["game"] for facts in FACTS.values()} == {
        "chess", "heximeros", "hoplomachus", "invictus", "victorus", "victory_honor",
    }  # fmt: skip


@pytest.mark.parametrize("number", GAMES)
def test_a_game_stands_as_it_was_left(path: Path, number: int) -> None:
    with Journal(path) as journal:
        table = Table.resume(journal, number)
        kept = FACTS[str(number)]
        assert shown(table) == kept | {"events": len(table.events())}
        # Games with clocks write down that they were taken up.
        assert 0 <= len(table.events()) - kept["events"] <= 1


@pytest.mark.parametrize("number", GAMES)
def test_a_game_is_played_on(path: Path, number: int) -> None:
    with Journal(path) as journal:
        table = Table.resume(journal, number)
        if table.outcome is not None:
            table.undo(1, "host")
        action = table.game.legal(table.state)[0]
        assert table.play(action, "host").allowed
        stood = table.state
        table.undo(1, "host")
        table.play(action, "host")
        assert table.state == stood


@pytest.mark.parametrize("number", GAMES)
def test_a_game_is_audited_and_written_down_read_only(path: Path, number: int) -> None:
    path.chmod(0o400)
    with Journal.read(path) as journal:
        audit = audit_journal(journal, number)
        refused = [event for event in journal.events(number) if event.kind == "refused"]
        assert len(audit.findings) == len(refused)
        assert audit.spoilt == ()
        assert read_record(export_record(journal, number)).game == FACTS[str(number)]["game"]
        assert journal.begun_by(number) == "0.1.0"


def test_people_photographs_arrays_and_records_are_kept(path: Path) -> None:
    with Journal(path) as journal:
        evening = Evening(Table.resume(journal), find_game)
        assert sorted(member.name for member in evening.people.members.values()) == ["Ann", "Bruno"]
        assert evening.array("invictus") is not None
        assert [title for _, title, _ in journal.records().values()] == ["a game of elsewhere"]
        first = next(e for e in journal.events(1) if e.photographs)
        assert set(journal.shown(1, first.seq)) == {"before", "after"}
        assert len(past_games(journal)) == len(FACTS)


def test_opening_says_which_version_began_each_game(path: Path) -> None:
    with Journal(path) as journal:
        table = Evening(Table.resume(journal), find_game).begin("chess", None, {})
        assert {journal.begun_by(number) for number in map(int, FACTS)} == {"0.1.0"}
        assert journal.begun_by(table.game_id) == version("tabletop-companion")
        journal.forget_games(table.game_id)
        assert journal.begun_by(table.game_id) == version("tabletop-companion")
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM begun").fetchone() == (1,)
    db.close()


def test_an_old_game_keeps_the_readings_it_was_begun_with(path: Path) -> None:
    with Journal(path) as journal:
        games = {header.name: number for number, header in journal.games().items()}
        old = Table.resume(journal, games["victorus"]).setup
        assert (old["rim"], old["return"], old["same_kingdom"]) == ("blocks", "no", "yes")
        text = export_record(journal, games["victorus"])
        assert "rules: 2\n" in text
        assert "option: same_kingdom = yes\n" in text
        hexes = Table.resume(journal, games["heximeros"]).setup
        assert (hexes["ground_zero"], hexes["doubling"]) == ("straight", "six")
        assert hexes["two_capitals"] == "any"
        mountain = Table.resume(journal, games["hoplomachus"]).setup
        assert (mountain["instant_rewards"], mountain["allies"]) == ("sport", "oldest")


def test_a_new_game_tells_by_which_rules_it_was_begun(path: Path) -> None:
    with Journal(path) as journal:
        table = Evening(Table.resume(journal), find_game).begin("victorus", None, {})
        assert table.events()[0].data["rules"] == 2
        assert journal.games()[table.game_id].rules == 2
        assert journal.games()[1].rules == 1
        again = Table.resume(journal, table.game_id)
        assert again.setup == table.setup
        assert again.setup["rim"] == "open"


def test_a_start_by_the_usual_options_goes_on_with_an_old_game(path: Path) -> None:
    with Journal(path) as journal:
        number = next(n for n, header in journal.games().items() if header.name == "heximeros")
        game = find_game("heximeros")
        assert take_up(journal, Asked(game, game.setup())).table.game_id == number
        other = game.setup(None, {"scoring": "yes", "doubling": "three"})
        assert take_up(journal, Asked(game, other)).table.game_id != number


def test_who_cannot_follow_an_old_game_is_told_which_version_can(path: Path) -> None:
    with sqlite3.connect(path) as db:
        sql = "UPDATE event SET action = 'a1-a1' WHERE seq = (SELECT min(seq) FROM event "
        db.execute(sql + "WHERE kind = 'action' AND game = 6)")
    db.close()
    with (
        Journal(path) as journal,
        pytest.raises(BadInput, match=r"game 6, begun with version 0\.1\.0, cannot be followed"),
    ):
        Table.resume(journal, 6)
