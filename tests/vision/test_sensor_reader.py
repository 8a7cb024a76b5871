"""A board that feels where pieces stand: what the rules tell, what is asked, what is told."""

from __future__ import annotations

import pytest

from companion.games import find_game
from tests.checks.felt_evenings import READ_AS_LEGAL, FeltEvening, played, told
from vision.frames import Frame, Sensed
from vision.readers import open_reader
from vision.sensing.sensor_reader import SETTLED, SensorReader

CHESS = find_game("chess")


@pytest.fixture
def chess():
    return FeltEvening("chess", 1)


def test_a_move_is_told_once_the_piece_stands(chess):
    lifted = played(chess, "lift e2")
    assert (told(lifted), lifted.lifted) == ([], "e2")
    assert told(played(chess, "drop e4")) == [("e2-e4", True)]


def test_a_piece_that_is_put_back_is_no_move(chess):
    played(chess, "lift e2")
    reading = played(chess, "drop e2")
    assert (told(reading), reading.differs, reading.asks) == ([], (), ())


def test_what_was_lifted_tells_a_capture(chess):
    for does in (["move e2 e4"], ["move d7 d5"], ["remove d5"]):
        played(chess, *does)
    assert told(played(chess, "move e4 d5")) == [("e4-d5", True)]
    assert chess.table.state_id > 0
    assert dict(chess.look().position) == chess.hands.position


def test_castling_waits_for_the_rook(chess):
    for move in ("e2 e4", "e7 e5", "g1 f3", "b8 c6", "f1 c4", "f8 c5"):
        assert len(played(chess, f"move {move}").steps) == 1
    assert told(played(chess, "move e1 g1")) == []
    assert told(played(chess, "move h1 f1")) == [("e1-g1", True)]


def test_what_a_pawn_became_is_asked(chess):
    moves = "a2 a4, h7 h5, a4 a5, h5 h4, a5 a6, h4 h3, a6 b7, h3 g2"
    for move in moves.split(", "):
        assert len(played(chess, f"move {move}").steps) == 1
    reading = played(chess, "move b7 a8")
    assert told(reading) == []
    assert {str(steps[0].action) for steps in reading.asks} == {f"b7-a8={p}" for p in "QRBN"}


def test_a_board_that_knows_its_pieces_is_asked_nothing():
    evening = FeltEvening("chess", 1, knows=True)
    moves = "a2 a4, h7 h5, a4 a5, h5 h4, a5 a6, h4 h3, a6 b7, h3 g2"
    for move in moves.split(", "):
        played(evening, f"move {move}")
    assert told(played(evening, "move b7 a8", "flip a8 white N")) == [("b7-a8=N", True)]


def test_a_refused_move_is_told_and_its_way_back(chess):
    assert told(played(chess, "move e2 e5")) == [("e2-e5", False)]
    assert told(played(chess, "move e5 e2")) == [("e5-e2", False)]
    assert told(played(chess, "move e2 e4")) == [("e2-e4", True)]


def test_a_move_is_taken_back(chess):
    played(chess, "move e2 e4")
    reading = played(chess, "move e4 e2")
    assert [step.takeback for step in reading.steps] == [1]
    assert not chess.table.actions


def test_what_was_moved_on_a_phone_is_followed(chess):
    chess.table.play(CHESS.parse(chess.table.setup, "e2-e4"), "white")
    assert told(played(chess, "move e2 e4")) == []
    assert told(played(chess, "move e7 e5")) == [("e7-e5", True)]


def test_a_table_that_is_not_set_up_is_told_what_is_missing():
    reader = SensorReader(CHESS, CHESS.setup(), {"sensors": []}, live=True)
    start = CHESS.start(CHESS.setup())
    lying = frozenset(CHESS.expect(start)) - {"e2"} | {"e4"}
    for at in (0.0, SETTLED):
        reading = reader.read(Frame(None, at, sensed=Sensed(lying)), (start,))
    assert reading.missing == ("e2",)
    assert "e2" in reading.message
    assert "e4" in reading.message


def test_spots_are_numbered_in_the_order_that_the_table_file_gives():
    order = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
    reader = open_reader(CHESS, CHESS.setup(), {"sensors": order}, live=True)
    start = CHESS.start(CHESS.setup())
    lying = frozenset([*range(16), *range(48, 64)])
    for at in (0.0, SETTLED):
        reading = reader.read(Frame(None, at, sensed=Sensed(lying)), (start,))
    assert (reading.still, reading.differs) == (True, ())
    strange = reader.read(Frame(None, 2.0, sensed=Sensed(lying | {64})), (start,))
    assert not strange.still
    assert "64" in strange.message


def test_why_a_reading_came_about_is_told(chess):
    reading = played(chess, "move e2 e4")
    trace = chess.why(reading)
    assert {spot.spot for spot in trace.spots if "changed" in spot.marks} == {"e2", "e4"}
    assert trace.searches


@pytest.mark.parametrize("game", ["chess", "victorus", "invictus", "heximeros"])
@pytest.mark.parametrize("knows", [False, True], ids=["feels", "knows"])
def test_an_evening_is_read_without_a_wrong_event(game, knows):
    evening = FeltEvening(game, 7, knows=knows)
    evening.play(15)
    assert [failure for failure in evening.failures if failure != READ_AS_LEGAL] == []
    assert evening.counts["actions"] >= 8


def test_a_game_on_a_board_with_the_dgt_protocol_is_read_field_by_field():
    evening = FeltEvening("chess", 5, dgt=True)
    evening.play(30)
    assert evening.failures == []
    assert evening.counts["actions"] >= 30
