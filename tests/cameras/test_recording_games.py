"""Recording: what was watched can be replayed, and gives the same events."""

from __future__ import annotations

import errno
import itertools
import json
from pathlib import Path

import pytest

from companion import cli
from companion.commands.record import paced, watched
from companion.games import find_game
from companion.journal import Journal
from companion.live.recording import Recorder, Recording, RecordingSpace, free_folder
from companion.live.service import Service
from companion.rules import BadInput, HardwareFault
from companion.simulation.recorded_game import RecordedScene, record
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from companion.table import Table
from vision.board.optics import CameraView, fit_view
from vision.frames import Frame

MOVES = [("h2", "h4", True), ("k13", "k11", True), ("h4", "h5", False)]
"""From, to and whether the rules allow it."""


@pytest.fixture
def game():
    return find_game("victorus")


@pytest.fixture
def setup(game):
    return game.setup(["red", "purple"])


@pytest.fixture
def film(game, setup):
    """Make a simulated camera over the set-up table; its clock runs ten frames a second."""

    def make(state=None):
        position = game.expect(state or game.start(setup))
        ticks = itertools.count()
        return SimulatedCamera(
            SimulatedTable(game, setup, position, seed=5),
            fit_view(game.board(setup), CameraView(image_size=(800, 600))),
            Troubles(hand_frames=2),
            clock=lambda: next(ticks) / 10,
        )

    return make


@pytest.fixture
def pictures(film, tmp_path):
    """A folder of pictures of a short game, with its table file."""
    folder = tmp_path / "pictures"
    scenes = [
        RecordedScene(stills=2),
        *(RecordedScene((f"move {a} {b}",)) for a, b, _ in MOVES),
        RecordedScene(),
    ]
    record(folder, film(), scenes)
    return folder


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def moves(lines):
    return [(a["from"], a["to"], a["legal"]) for line in lines for a in line["actions"]]


def test_a_recorded_game_replays_to_the_very_lines_that_were_read(pictures, tmp_path, capsys):
    folder, table = tmp_path / "kept", str(pictures / "table.json")
    assert cli.main(["record", str(pictures), str(folder), "--table", table, "--json"]) == 0
    said = lines_of(capsys.readouterr().out)
    assert moves(said) == MOVES
    assert lines_of((folder / "events.jsonl").read_text()) == said
    assert cli.main(["replay", str(folder), "--json"]) == 0
    assert lines_of(capsys.readouterr().out) == said


def test_without_a_table_file_the_pictures_alone_are_kept(pictures, tmp_path, capsys):
    folder = tmp_path / "kept"
    assert cli.main(["record", str(pictures), str(folder), "--frames", "3"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["0000.jpg", "0001.jpg", "0002.jpg"]
    assert "3 pictures" in capsys.readouterr().out


def test_a_folder_with_something_in_it_is_left_alone(pictures, capsys):
    before = sorted(pictures.iterdir())
    assert cli.main(["record", str(pictures), str(pictures)]) == 2
    assert "name a new folder" in capsys.readouterr().err
    assert sorted(pictures.iterdir()) == before


def test_recording_where_nothing_can_be_made_is_said_in_one_sentence(pictures, tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    assert cli.main(["record", str(pictures), str(tmp_path / "file" / "below")]) == 2
    assert "cannot record in" in capsys.readouterr().err


def test_a_camera_that_is_not_there_is_told_and_leaves_no_folder(tmp_path, capsys):
    folder = tmp_path / "kept"
    table = tmp_path / "table.json"
    table.write_text('{"game": "chess", "seats": ["white", "black"], "taps": {}}')
    for more in ([], ["--table", str(table)]):
        assert cli.main(["record", "http://127.0.0.1:9/video", str(folder), *more]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    empty = tmp_path / "nothing"
    empty.mkdir()
    assert cli.main(["record", str(empty), str(folder)]) == 2
    assert not folder.exists()


def test_a_recording_ends_at_its_size_and_says_so_before_and_then(pictures, tmp_path, capsys):
    folder = tmp_path / "kept"
    assert cli.main(["record", str(pictures), str(folder), "--record-megabytes", "1"]) == 0
    told = capsys.readouterr()
    assert "at most 1 MB (--record-megabytes), and 500 MB of the disk stay free" in told.out
    assert told.err == "companion: The recording has its 1 MB and has ended.\n"
    kept = sum(path.stat().st_size for path in folder.iterdir())
    assert 0 < kept <= 1_000_000
    assert f"{len(list(folder.iterdir()))} pictures" in told.out


def test_all_folders_of_an_evening_share_one_room(tmp_path):
    room = RecordingSpace(1, free=lambda folder: 10**12)
    first, second = Recording(tmp_path / "a", room), Recording(tmp_path / "b", room)
    assert first.add(bytes(600_000))
    assert not second.add(bytes(600_000))
    assert second.full
    assert "1 MB" in second.trouble
    assert not second.add(b"x"), "what has ended is over"
    assert not second.folder.exists()


def test_a_recording_leaves_the_disk_enough_for_games_and_goes_on_when_there_is_room(tmp_path):
    free = [499_000_000]
    recording = Recording(tmp_path / "kept", RecordingSpace(10, free=lambda folder: free[0]))
    recording.describe({"game": "chess"})
    assert not recording.add(b"picture")
    assert "less than 500 MB are free" in recording.trouble
    assert not recording.folder.exists()
    free[0] = 600_000_000
    assert recording.add(b"picture")
    assert recording.trouble == ""
    assert sorted(path.name for path in recording.folder.iterdir()) == ["0000.jpg", "table.json"]


def test_frames_are_kept_no_more_often_than_asked():
    frames = [Frame(None, at / 10, str(at)) for at in range(10)]
    assert [frame.name for frame in paced(iter(frames), 0.4)] == ["0", "4", "8"]
    assert len(list(paced(iter(frames), 0.0))) == 10


def test_a_recorder_waits_for_a_lost_camera(capsys):
    class Loose:
        answers = iter([HardwareFault("gone."), HardwareFault("gone."), Frame(None, 1.0), None])

        def read(self):
            answer = next(self.answers)
            if isinstance(answer, HardwareFault):
                raise answer
            return answer

    waits = []
    assert len(list(watched(Loose(), waits.append))) == 1
    assert len(waits) == 2
    assert capsys.readouterr().err == "companion: gone.\n"


# -- while a game is played ----------------------------------------------------------


class Evening:
    """A game that is played on the simulated table, watched and recorded."""

    def __init__(self, film, game, setup, folder, before=()):
        self.table = Table.create(Journal(), game, setup)
        for text in before:
            assert self.table.play(game.parse(setup, text), "referee").allowed
        camera = film(self.table.state)
        self.hands = camera.table
        recorder = Recorder(Recording(folder), self.table)
        self.service = Service(
            self.table, camera.table_file(), camera, lambda moment: None, lambda: None, recorder
        )

    def look(self, frames=6):
        for _ in range(frames):
            self.service.look()

    def close(self):
        self.table.journal.close()


@pytest.fixture
def evening(film, game, setup, tmp_path):
    made = []

    def begin(before=()):
        made.append(Evening(film, game, setup, tmp_path / "evening", before))
        made[-1].look()
        return made[-1]

    yield begin
    for one in made:
        one.close()


@pytest.mark.thorough
def test_a_game_that_was_played_replays_with_the_same_events(evening, tmp_path, capsys):
    played = evening()
    for origin, target, _ in MOVES:
        played.hands.move(origin, target)
        played.look()
    assert len(played.table.actions) == 2
    played.look(100)
    kept = list((tmp_path / "evening").glob("*.jpg"))
    assert len(kept) < 40, "a quiet table is not worth its room"
    assert cli.main(["replay", str(tmp_path / "evening"), "--json"]) == 0
    again = lines_of(capsys.readouterr().out)
    assert moves(again) == MOVES
    assert moves(lines_of((tmp_path / "evening" / "events.jsonl").read_text())) == moves(again)


def test_a_recording_that_begins_in_mid_game_replays_from_there(evening, tmp_path, capsys):
    played = evening(before=["h2-h4"])
    played.hands.move("k13", "k11")
    played.look()
    assert cli.main(["replay", str(tmp_path / "evening"), "--json"]) == 0
    assert moves(lines_of(capsys.readouterr().out)) == [("k13", "k11", True)]


def test_a_full_disk_is_said_and_the_game_goes_on(evening, monkeypatch, tmp_path):
    played = evening()
    whole = Path.write_bytes

    def full(path, data):
        whole(path, data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    before = sorted((tmp_path / "evening").iterdir())
    played.hands.move("h2", "h4")
    played.look()
    assert [played.table.game.format(a) for a in played.table.actions] == ["h2-h4"]
    message = played.service.status()["message"]
    assert message.count("No space left") == 1
    assert message.endswith("the game goes on.")
    assert sorted((tmp_path / "evening").iterdir()) == before, "no half picture is left"
    monkeypatch.setattr(Path, "write_bytes", whole)
    played.hands.move("k13", "k11")
    played.look()
    assert played.service.status()["message"] == ""


def test_a_recording_whose_game_does_not_stand_is_refused(pictures, capsys):
    path = pictures / "table.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"played": ["h13-h11"]}))
    assert cli.main(["replay", str(pictures)]) == 2
    assert "“h13-h11” does not stand" in capsys.readouterr().err


def test_a_recording_needs_a_folder_of_its_own(tmp_path):
    (tmp_path / "notes.txt").touch()
    with pytest.raises(BadInput, match="not empty"):
        Recording(tmp_path)


def test_an_empty_folder_is_recorded_in_and_a_used_one_is_left_alone(tmp_path):
    (tmp_path / "evening").mkdir()
    assert free_folder(tmp_path / "evening") == tmp_path / "evening"
    (tmp_path / "evening" / "0000.jpg").touch()
    assert free_folder(tmp_path / "evening") == tmp_path / "evening-2"
    (tmp_path / "evening-2").touch()
    assert free_folder(tmp_path / "evening") == tmp_path / "evening-3"
