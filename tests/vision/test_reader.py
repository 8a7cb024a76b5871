"""What the reader makes of a game played on the simulated table."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.rules import BadInput
from companion.simulation.troubles import Troubles
from vision.board.optics import CameraView
from vision.decoding.reading import Reading
from vision.decoding.scene import Scene
from vision.frames import Frame

Begin = Callable[..., Any]


def told(reading: Reading) -> list[str]:
    return [str(step.action) for step in reading.steps]


def plain(reading: Reading) -> dict[str, str]:
    assert reading.position is not None
    return {spot: token.removesuffix(" frozen") for spot, token in reading.position.items()}


def test_the_set_up_is_read_whole(play: Begin) -> None:
    game = play()
    reading = game.look()
    assert reading.still
    assert reading.steps == ()
    assert plain(reading) == dict(game.game.expect(game.past[0]))


@pytest.mark.parametrize(
    ("game", "rooms"),
    [("victorus", set()), ("hoplomachus", {"dice"}), ("victory_honor", {"cards"})],
)
def test_of_cards_and_dice_is_loaded_what_the_game_needs(game: str, rooms: set[str]) -> None:
    code = (
        "import sys; from companion.games import find_game; import companion.live.equipping\n"
        f"from vision.readers import open_reader; game = find_game({game!r})\n"
        "open_reader(game, game.setup(), {})\n"
        "readers = {'dice': 'vision.dice.tray', 'cards': 'vision.cards.card_reader'}\n"
        "print(*(name for name, module in readers.items() if module in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == rooms


def test_a_legal_move_is_told_with_its_ruling(play: Begin) -> None:
    reading = play().move("g1-g3")
    assert told(reading) == ["g1-g3"]
    assert reading.steps[0].legal
    assert reading.steps[0].p > 0.99


@pytest.mark.parametrize("marks", ["markers", "taps"])
def test_markers_and_taps_both_find_the_board(play: Begin, marks: Any) -> None:
    game = play(view=CameraView(image_size=(960, 720), marks=marks, tilt=18, turn=9))
    assert told(game.move("g1-g3")) == ["g1-g3"]


def test_two_moves_between_two_stills_are_told_in_order(play: Begin) -> None:
    game = play()
    game.camera.table.move("g1", "g3")
    game.camera.table.move("d10", "f10")
    assert told(game.look()) == ["g1-g3", "d10-f10"]


def test_a_move_that_hardly_showed_is_sought_before_the_next_is_refused(
    play: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = play()
    eye = game.reader._eye
    look = eye.look

    def overlooks(frame: Frame, table: Any) -> Any:
        glimpse = look(frame, table)
        return replace(glimpse, changed=tuple({*glimpse.changed} - {"g1", "g3"}))

    monkeypatch.setattr(eye, "look", overlooks)
    game.camera.table.move("g1", "g3")
    game.camera.table.move("d10", "f10")
    assert told(game.look()) == ["g1-g3", "d10-f10"]
    refused = game.move("b5-m11")
    assert told(refused) == ["b5-m11"], "nothing else left"
    assert not refused.steps[0].legal
    game.reader._hidden = frozenset({"a2"})
    nothing: frozenset[str] = frozenset()
    looked = Scene(eye.observe(nothing), {}, nothing, nothing)
    assert game.reader._missed(looked, game.past) is None, "hidden spots are not looked at"


class Dim:
    """What a picture shows, but for the ``errors`` of some tokens on some spots; where none are
    told every other spot is not as plain to see by ``more``."""

    def __init__(self, seen: Any, errors: Any, more: float = 0.0) -> None:
        self._seen, self._errors, self._more = seen, errors, more

    def __getattr__(self, name: str) -> Any:
        return getattr(self._seen, name)

    def error(self, spot: str, token: str | None) -> float:
        there = self._errors.get(spot)
        return self._seen.error(spot, token) + self._more if there is None else there(token)

    replaced = error


def test_a_pale_token_of_which_nobody_noticed_that_it_left_is_found_where_it_came(
    play: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = play()
    eye, token = game.reader._eye, game.reader.belief.table["g1"]
    look, observe = eye.look, eye.observe
    pale = {
        "g1": lambda t: {token: 0.114, None: 0.021}.get(t, 0.5),
        "g3": lambda t: {token: 0.02, None: 0.155}.get(t, 0.5),
    }

    def overlooks(frame: Frame, table: Any) -> Any:
        glimpse = look(frame, table)
        return replace(glimpse, changed=tuple({*glimpse.changed} - {"g1"}))

    monkeypatch.setattr(eye, "look", overlooks)
    monkeypatch.setattr(eye, "observe", lambda spots: Dim(observe(spots), pale))
    assert told(game.move("g1-g3")) == ["g1-g3"]


def test_what_a_large_shadow_seemed_to_cover_is_seen_again(
    play: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = play()
    game.reader._hidden = frozenset({"e5", "f5", "g5", "h5", "i5"})
    observe = game.reader._eye.observe
    monkeypatch.setattr(game.reader._eye, "observe", lambda spots: Dim(observe(spots), {}, 0.08))
    assert game.look().differs == ()


def test_an_illegal_move_is_named_and_its_take_back_known(play: Begin) -> None:
    game = play()
    refused = game.move("g1-g6")
    assert told(refused) == ["g1-g6"]
    assert not refused.steps[0].legal
    assert refused.steps[0].ruling.rule.startswith("VIC-")
    assert plain(refused)["g6"] == "red white E"
    back = game.move("g6-g1")
    assert told(back) == ["g6-g1"]
    assert back.steps[0].takeback == 0
    assert len(game.past) == 1


def test_play_goes_on_while_a_refused_move_still_stands(play: Begin) -> None:
    game = play()
    assert told(game.move("g1-g3")) == ["g1-g3"]
    assert not game.move("b5-m11").steps[0].legal
    reading = game.move("d10-f10")
    assert told(reading) == ["d10-f10"]
    assert reading.steps[0].legal
    assert plain(reading)["m11"] == "orange white B"


def test_accepted_moves_are_taken_back_one_and_two_at_a_time(play: Begin) -> None:
    game = play()
    game.move("g1-g3")
    back = game.move("g3-g1")
    assert told(back) == ["g3-g1"]
    assert back.steps[0].takeback == 1
    game.move("g1-g3")
    game.move("d10-f10")
    game.camera.table.move("f10", "d10")
    game.camera.table.move("g3", "g1")
    both = game.look()
    assert told(both) == ["f10-d10", "g3-g1"]
    assert [step.takeback for step in both.steps] == [1, 1]
    assert len(game.past) == 1


def test_a_nudged_piece_is_no_event(play: Begin) -> None:
    game = play()
    game.camera.table.nudge("h2", 3.0, -2.0, 12.0)
    reading = game.look()
    assert reading.steps == ()
    assert plain(reading)["h2"] == "red black T"


def test_a_hand_in_view_is_not_still(play: Begin) -> None:
    game = play(troubles=Troubles(hand_frames=2))
    game.camera.table.move("g1", "g3")
    seen = []
    while not seen or game.camera.busy:
        frame = game.camera.read()
        seen.append((game.camera.hand_in_view, game.read(frame).still))
    assert (True, False) in seen
    assert all(still != hand for hand, still in seen)


def test_a_bumped_camera_aligns_itself_without_an_event(play: Begin) -> None:
    game = play()
    game.camera.troubles = replace(game.camera.troubles, bump_px=(9.0, -7.0))
    assert game.look().steps == ()
    assert told(game.move("g1-g3")) == ["g1-g3"]


def test_a_lamp_switched_off_is_no_event(play: Begin) -> None:
    game = play()
    game.camera.troubles = replace(game.camera.troubles, lamp=0.55, gradient=0.3)
    assert game.look().steps == ()
    assert told(game.move("g1-g3")) == ["g1-g3"]


def test_a_missing_piece_is_named_and_welcomed_back(play: Begin) -> None:
    game = play()
    game.camera.table.remove("h2")
    gone = game.look()
    assert gone.differs == ("h2",)
    assert gone.lifted == "h2"
    assert "h2" not in plain(gone)
    game.camera.table.put("h2", "red black T")
    back = game.look()
    assert back.differs == ()
    assert back.steps == ()
    assert plain(back)["h2"] == "red black T"


def test_an_unreadable_frame_is_reported_and_skipped(play: Begin) -> None:
    game = play()
    reading = game.read(Frame(None, 0.0, "0007.jpg", "0007.jpg cannot be read"))
    assert not reading.still
    assert reading.position is None
    assert "0007.jpg" in reading.message
    assert told(game.move("g1-g3")) == ["g1-g3"]


def test_an_incomplete_set_up_is_read_and_names_the_spots(play: Begin) -> None:
    game = play()
    game.camera.table.remove("i1")
    reading = game.anew().read(game.settled(), game.past)
    assert reading.differs == ("i1",)
    assert "i1" in reading.message
    assert "i1" not in plain(reading)


def test_a_bare_board_is_no_set_up(play: Begin) -> None:
    game = play()
    for spot in game.camera.table.position:
        game.camera.table.remove(spot)
    reader = game.anew()
    reading = reader.read(game.settled(), game.past)
    assert "not the set-up" in reading.message
    assert len(reading.differs) == len(game.game.expect(game.past[-1]))
    assert not reading.steps
    for spot, token in game.game.expect(game.past[-1]).items():
        game.camera.table.put(spot, token)
    assert not reader.read(game.settled(), game.past).differs, "it begins once it is set up"


def test_markers_out_of_view_are_named(play: Begin) -> None:
    game = play()
    blank = np.full((720, 960, 3), 90, np.uint8)
    with pytest.raises(BadInput, match=r"markers 0, 1, 2, 3"):
        game.anew().read(Frame(blank, 0.0, "0000.jpg"), game.past)


def test_a_hand_over_a_marker_while_a_recording_waits_for_its_set_up_is_passed_over(
    play: Begin,
) -> None:
    game = play()
    for spot in game.camera.table.position:
        game.camera.table.remove(spot)
    reader = game.anew()
    assert "not the set-up" in reader.read(game.settled(), game.past).message
    covered = reader.read(Frame(np.full((720, 960, 3), 90, np.uint8), 1.0, "hand"), game.past)
    assert not covered.still
    assert "markers" in covered.message
