"""A board of sensors under a camera: what one cannot see the other tells, and contradictions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.checks.both_evenings import BOTH, COVERED, SILENT, BothEvening
from tests.checks.carved import CARVED
from tests.checks.felt_evenings import READ_AS_LEGAL, played, told
from vision.decoding.reader import Reader
from vision.sensing.both_reader import CONTRADICTED
from vision.sensing.both_reader import COVERED as COVERED_FOR


@pytest.fixture
def chess():
    return BothEvening("chess", 1)


def test_a_move_is_told_once(chess):
    assert told(played(chess, "move e2 e4")) == [("e2-e4", True)]
    after = [chess.look() for _ in range(2)]
    assert [told(reading) for reading in after] == [[], []]
    assert [reading.differs for reading in after] == [(), ()]


def test_sensors_may_ask_of_the_first_picture_what_it_showed(chess):
    reader = Reader(chess.game, chess.table.setup, chess.table_file, live=True)
    while not reader.begun:
        reader.read(chess.frame(), [chess.table.state])
    seen = reader.sight(frozenset({"e2", "e4"}))
    assert seen is not None
    assert seen.error("e2", "white P") < seen.error("e2", None)
    assert seen.error("e4", None) < seen.error("e4", "white P")


def test_a_refused_move_is_told_once_and_its_way_back(chess):
    assert told(played(chess, "move e2 e5")) == [("e2-e5", False)]
    assert told(chess.look()) == []
    assert told(played(chess, "move e5 e2")) == [("e5-e2", False)]
    assert told(played(chess, "move e2 e4")) == [("e2-e4", True)]


@pytest.mark.slow
def test_the_camera_tells_what_a_pawn_became(chess):
    moves = "a2 a4, h7 h5, a4 a5, h5 h4, a5 a6, h4 h3, a6 b7, h3 g2"
    for move in moves.split(", "):
        assert len(played(chess, f"move {move}").steps) == 1
    assert told(played(chess, "move b7 a8", "flip a8 white N")) == [("b7-a8=N", True)]


def test_under_a_covered_camera_the_sensors_go_on(chess):
    chess.eyes = COVERED
    assert told(played(chess, "move e2 e4")) == [("e2-e4", True)]
    chess.wait(COVERED_FOR)
    reading = chess.look()
    assert "the sensors go on" in reading.message
    chess.eyes = BOTH
    assert told(played(chess, "move e7 e5")) == [("e7-e5", True)]
    assert (chess.look().message, chess.look().differs) == ("", ())


@pytest.mark.slow
def test_a_camera_that_missed_much_of_the_game_begins_with_what_it_sees_then(chess):
    """What it sees is not held against a picture of long ago."""
    chess.eyes = COVERED
    for move in ("e2 e4", "e7 e5", "g1 f3"):
        chess.wait(COVERED_FOR / 2)
        assert len(played(chess, f"move {move}").steps) == 1
    assert "first picture" in chess.look().message
    chess.eyes = SILENT
    chess.look()
    assert told(played(chess, "move b8 c6")) == [("b8-c6", True)]
    chess.eyes = BOTH
    assert told(played(chess, "move f1 c4")) == [("f1-c4", True)]
    assert (chess.look().message, chess.look().differs) == ("", ())


def test_beside_silent_sensors_the_camera_goes_on(chess):
    chess.eyes = SILENT
    reading = played(chess, "move e2 e4")
    assert told(reading) == [("e2-e4", True)]
    assert "the camera goes on" in reading.message
    chess.eyes = BOTH
    assert told(played(chess, "move e7 e5")) == [("e7-e5", True)]
    assert (chess.look().message, chess.look().differs) == ("", ())


@pytest.mark.parametrize(("slow", "refused"), [((), [("c8-d8", False)]), (("d8",), [])])
@pytest.mark.slow
def test_no_man_took_his_like_where_the_board_felt_nobody_lifted(slow, refused):
    evening = BothEvening("chess", 1, art=CARVED)
    evening.sensors.slow = slow
    assert told(played(evening, "move c8 d8")) == refused


@pytest.mark.slow
def test_what_was_never_told_as_refused_is_put_back_without_a_word():
    evening = BothEvening("chess", 1, art=CARVED)
    evening.sensors.slow = ("d8",)
    assert "c8" in played(evening, "move c8 d8").message
    back = played(evening, "move d8 c8", "put d8 black Q")
    assert (told(back), back.differs, back.message) == ([], (), "")
    assert [event.kind for event in evening.table.events()] == ["started"]
    assert told(played(evening, "move e2 e4")) == [("e2-e4", True)]


def test_what_the_camera_plainly_sees_is_told_though_the_board_felt_nobody_lifted(chess):
    chess.sensors.slow = ("d8",)
    assert told(played(chess, "move c8 d8")) == [("c8-d8", False)]


@pytest.mark.slow
def test_a_sensor_that_feels_nothing_is_said_asked_about_and_then_not_believed(chess):
    chess.sensors.broken = {"e4"}
    reading = played(chess, "move e2 e4")
    assert told(reading) == []
    assert "e4" in reading.message
    assert [[str(step.action) for step in steps] for steps in reading.asks] == [["e2-e4"]]
    chess.carry_out(replace(reading, steps=reading.asks[0]))
    assert "contradict" in chess.look().message
    chess.wait(CONTRADICTED)
    reading = chess.look()
    assert "the camera decides" in reading.message
    assert told(played(chess, "move e7 e5")) == [("e7-e5", True)]
    assert told(played(chess, "move g1 f3")) == [("g1-f3", True)]
    played(chess, "move b8 c6")
    played(chess, "move d2 d4")
    assert told(played(chess, "remove d4", "move e5 d4")) == [("e5-d4", True)]


@pytest.fixture
def knowing():
    """A camera over a board with the DGT protocol, which cannot tell its carved men apart."""
    return BothEvening("chess", 1, dgt=True, art=CARVED)


@pytest.mark.slow
def test_a_board_that_knows_its_men_and_a_camera_tell_a_move_once(knowing):
    assert told(played(knowing, "move e2 e4")) == [("e2-e4", True)]
    assert [told(knowing.look()) for _ in range(2)] == [[], []]
    assert told(played(knowing, "move e7 e4")) == [("e7-e4", False)]
    assert told(played(knowing, "move e4 e7", "put e4 white P")) == [("e4-e7", False)]


@pytest.mark.slow
def test_a_board_that_knows_its_men_tells_what_a_pawn_became(knowing):
    moves = "a2 a4, h7 h5, a4 a5, h5 h4, a5 a6, h4 h3, a6 b7, h3 g2"
    for move in moves.split(", "):
        assert len(played(knowing, f"move {move}").steps) == 1
    assert told(played(knowing, "move b7 a8", "flip a8 white N")) == [("b7-a8=N", True)]


def test_another_man_than_the_board_knows_is_said_where_the_camera_cannot_tell(knowing):
    reading = played(knowing, "remove b8", "put b8 black B")
    assert (told(reading), reading.differs, reading.lifted) == ([], ("b8",), None)
    assert "differs from the game at b8" in reading.message
    reading = played(knowing, "remove b8", "put b8 black N")
    assert (told(reading), reading.differs, reading.message) == ([], (), "")


@pytest.mark.slow
def test_another_man_that_both_know_is_no_contradiction():
    evening = BothEvening("chess", 1, dgt=True)
    reading = played(evening, "remove d1", "put d1 white B")
    assert (told(reading), reading.differs) == ([], ("d1",))
    assert "contradict" not in reading.message


@pytest.mark.thorough
def test_a_man_that_the_board_takes_for_another_is_said_and_then_the_camera_decides():
    evening = BothEvening("chess", 1, dgt=True)
    evening.sensors.mistaken = {"d1": "white B"}
    reading = evening.look()
    assert "camera and sensors contradict each other about d1" in reading.message
    while "contradict" in reading.message:
        reading = evening.look()
    assert "the sensors of d1 are not believed" in reading.message
    assert told(played(evening, "move e2 e4")) == [("e2-e4", True)]


@pytest.mark.slow
def test_a_board_set_up_wrongly_is_said_before_the_camera_learns_the_men():
    """Else it would take knights for bishops all evening."""
    evening = BothEvening("chess", 1, dgt=True, does=("remove b1", "move c1 b1", "put c1 white N"))
    reading = evening.look()
    assert (reading.differs, told(reading)) == (("b1", "c1"), [])
    assert "b1 shows another piece (white knight belongs there)" in reading.message
    played(evening, "remove b1", "move c1 b1", "put c1 white B")
    assert (evening.look().message, evening.look().differs) == ("", ())
    assert told(played(evening, "move b1 c3")) == [("b1-c3", True)]


@pytest.mark.slow
@pytest.mark.parametrize("art", [None, CARVED])
def test_an_evening_over_a_board_with_the_dgt_protocol_is_read_without_a_wrong_event(art):
    evening = BothEvening("chess", 3, dgt=True, changing=True, art=art)
    evening.play(20)
    assert [failure for failure in evening.failures if failure != READ_AS_LEGAL] == []
    assert evening.counts["actions"] >= 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "changing"),
    [
        ("victorus", True),
        *(
            pytest.param(*evening, marks=pytest.mark.slow)
            for evening in (
                ("chess", False),
                ("chess", True),
                ("victorus", False),
                ("invictus", True),
            )
        ),
    ],
)
def test_an_evening_is_read_without_a_wrong_event(game, changing):
    evening = BothEvening(game, 7, changing=changing)
    evening.play(10)
    assert [failure for failure in evening.failures if failure != READ_AS_LEGAL] == []
    assert evening.counts["actions"] >= 5
