"""Setting up with guidance, and going on after a stop with what was learned before."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.face_file import FaceFile
from companion.live.service import Service
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from companion.table import Table
from vision.board.optics import CameraView, fit_view
from vision.frames import Frame
from vision.tokens.album import load_album, save_album
from vision.watching.waiting import PATIENCE, Gate, to_do

GAME = find_game("victorus")
SETUP = GAME.setup(["red", "purple"])
START = dict(GAME.expect(GAME.start(SETUP)))


class Evening:
    """A companion that watches a simulated table; it can be killed and started again."""

    def __init__(self, folder, position=START):
        self.folder, self.ticks = folder, itertools.count()
        self.hands = SimulatedTable(GAME, SETUP, position, seed=4)
        self.journal = None
        self.lit = []

    def start(self, troubles=None):
        self.journal = Journal(self.folder / "game.sqlite3")
        old = bool(self.journal.games())
        self.table = Table.resume(self.journal) if old else Table.create(self.journal, GAME, SETUP)
        camera = SimulatedCamera(
            self.hands,
            fit_view(GAME.board(SETUP), CameraView(image_size=(1024, 768))),
            troubles or Troubles(hand_frames=3),
            clock=lambda: next(self.ticks) / 10,
        )
        self.service = Service(
            self.table, camera.table_file(), camera, self.lit.append, lambda: None,
            faces=FaceFile(self.folder / "faces.npz", "victorus"),
        )  # fmt: skip
        return self

    def look(self, frames=8):
        for _ in range(frames):
            self.service.look()
        return self.service.status()

    def kill(self):
        """Nothing is said goodbye to; only the file has to be let go of."""
        self.journal.close()

    @property
    def played(self):
        return [GAME.format(action) for action in self.table.actions]


@pytest.fixture
def evening(tmp_path):
    made = []

    def begin(position=START):
        made.append(Evening(tmp_path, position))
        return made[-1]

    yield begin
    for one in made:
        if one.journal:
            one.kill()


def without(*spots):
    return {spot: token for spot, token in START.items() if spot not in spots}


# -- what still has to be done -------------------------------------------------------


def test_empty_spots_are_named_and_lit_until_the_set_up_is_complete(evening):
    game = evening(without("h2", "k13")).start()
    status = game.look()
    assert status["differs"] == ["h2", "k13"]
    assert "h2 is empty (red Templar, black edge belongs there)" in status["message"]
    assert "k13 is empty" in status["message"]
    assert game.lit[-1].missing == ("h2", "k13")
    game.hands.put("h2", START["h2"])
    assert game.look()["differs"] == ["k13"]
    game.hands.put("k13", START["k13"])
    status = game.look()
    assert status["differs"] == []
    assert status["message"] == ""
    assert game.lit[-1].missing == ()
    assert game.played == []
    game.hands.move("h2", "h4")
    game.look()
    assert game.played == ["h2-h4"]


@pytest.mark.slow
def test_a_bare_board_is_waited_for_too(evening):
    game = evening({}).start()
    assert len(game.look()["differs"]) > 0.9 * len(START)
    for spot, token in START.items():
        game.hands.put(spot, token)
    assert game.look(4 * len(START))["differs"] == []
    game.hands.move("h2", "h4")
    game.look()
    assert game.played == ["h2-h4"]
    assert "refused" not in [event.kind for event in game.table.events()]


def test_words_for_what_to_do_stay_short():
    faults = {f"a{k}": "empty" for k in range(1, 10)}
    words = to_do(faults, dict.fromkeys(faults, "red pawn"), str)
    assert words.count("is empty") == 6
    assert words.endswith("and 3 more")
    assert to_do({"b1": "turned"}, {"b1": "red pawn"}, str) == "red pawn on b1 is turned round"
    assert "shows another piece" in to_do({"b1": "wrong"}, {"b1": "red pawn"}, str)


# -- when to look --------------------------------------------------------------------


@pytest.fixture
def film():
    """Make frames of a film: a grey table, lit as asked, with patches on it."""
    ticks = itertools.count()

    def shoot(level=90, patch=None, size=40):
        image = np.full((600, 800, 3), level, np.uint8)
        if patch is not None:
            image[200 : 200 + size, 200 : 200 + size] = patch
        return Frame(image, next(ticks) / 10)

    return shoot


def test_nothing_is_looked_at_while_a_hand_moves(film):
    gate = Gate()
    assert not gate.calm(film()), "one picture says nothing of movement"
    assert gate.calm(film())
    assert not gate.calm(film(patch=200, size=200))
    assert gate.calm(film(patch=200, size=200))


def test_an_unchanged_table_is_looked_at_now_and_then_only(film):
    gate = Gate()
    gate.calm(film())
    looks = []
    for _ in range(3 * PATIENCE):
        assert gate.calm(film())
        looks.append(gate.due())
    assert looks[0]
    assert sum(looks) == 3


def test_a_piece_put_down_and_a_lamp_are_told_apart(film):
    gate = Gate()
    gate.calm(film())
    gate.calm(film())
    assert gate.due()
    gate.calm(film(120))
    gate.calm(film(120))
    assert not gate.due()
    gate.calm(film(120, patch=30))
    gate.calm(film(120, patch=30))
    assert gate.due()


# -- faces kept ----------------------------------------------------------------------


@pytest.fixture
def known(tmp_path):
    """A table on which a game was begun before: its faces are kept."""
    before = Evening(tmp_path).start()
    before.look()
    before.kill()
    (tmp_path / "game.sqlite3").unlink()
    assert (tmp_path / "faces.npz").exists()
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("known")
def test_swapped_pieces_are_noticed_at_a_table_known_from_before(evening):
    swapped = START | {"h2": START["g1"], "g1": START["h2"]}
    assert START["h2"] != START["g1"]
    game = evening(swapped).start()
    status = game.look()
    assert status["differs"] == ["g1", "h2"]
    assert "h2 shows another piece (red Templar, black edge belongs there)" in status["message"]
    for spot in ("h2", "g1"):
        game.hands.remove(spot)
    for spot in ("h2", "g1"):
        game.hands.put(spot, START[spot])
    assert game.look(20)["differs"] == []


@pytest.mark.slow
@pytest.mark.usefixtures("known")
def test_a_piece_turned_round_is_noticed_at_a_table_known_from_before(evening):
    game = evening().start()
    game.hands.turn("h2")
    status = game.look()
    if GAME.look(START["h2"]).turn is None:
        pytest.skip("this game's pieces may lie as they like")
    assert status["differs"] == ["h2"]
    assert "turned round" in status["message"]
    game.hands.turn("h2")
    assert game.look()["differs"] == []


def test_faces_survive_their_file(known):
    album = load_album(known / "faces.npz", "victorus")
    assert len(album.faces) == len({GAME.look(token).face for token in START.values()})
    save_album(album, known / "again.npz")
    again = load_album(known / "again.npz", "victorus")
    assert again.faces.keys() == album.faces.keys()
    for name, face in album.faces.items():
        assert again.faces[name].picture == pytest.approx(face.picture, abs=0.5)
    assert load_album(known / "faces.npz", "chess") is None
    assert load_album(known / "none.npz", "victorus") is None


def test_a_damaged_file_of_faces_is_logged_and_learned_anew(evening, tmp_path, caplog):
    (tmp_path / "faces.npz").write_bytes(b"not an album")
    game = evening().start()
    assert game.look()["message"] == ""
    assert "delete it" in caplog.text
    assert load_album(tmp_path / "faces.npz", "victorus") is not None


@pytest.mark.slow
def test_faces_of_other_pieces_are_not_believed(known, evening):
    album = load_album(known / "faces.npz", "victorus")
    names = list(album.faces)
    for name in names:
        album.faces[name].picture[:] = np.random.default_rng(1).uniform(0, 255, (41, 41, 3))
    save_album(album, known / "faces.npz")
    game = evening().start()
    assert game.look()["differs"] == []


# -- killed in mid-game --------------------------------------------------------------


def test_a_killed_game_goes_on_where_it_stood(evening):
    game = evening().start()
    game.look()
    game.hands.move("h2", "h4")
    game.look()
    game.kill()
    game.start()
    assert game.look()["differs"] == []
    assert game.played == ["h2-h4"]
    game.hands.move("k13", "k11")
    game.look()
    assert game.played == ["h2-h4", "k13-k11"]


def test_a_move_made_while_the_companion_was_away_is_seen_when_it_is_back(evening):
    game = evening().start()
    game.look()
    game.hands.move("h2", "h4")
    game.look()
    game.kill()
    game.hands.move("k13", "k11")
    game.start()
    assert game.look(12)["differs"] == []
    assert game.played == ["h2-h4", "k13-k11"]


def test_after_a_kill_the_spots_that_differ_are_said(evening):
    game = evening().start()
    game.look()
    game.hands.move("h2", "h4")
    game.look()
    game.kill()
    game.hands.remove("h4")
    game.start()
    status = game.look()
    assert status["lifted"] == "h4" or status["differs"] == ["h4"]
    game.hands.put("h4", START["h2"])
    assert game.look()["differs"] == []
    assert game.played == ["h2-h4"]
