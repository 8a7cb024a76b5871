"""Hands over a table of cards are told from cards, cups and lights, whatever their colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.simulation.troubles import Troubles
from tests.checks.card_evenings import CardEvening
from vision.board.calibrate import camera_from_table
from vision.cards.card_sight import CardPlace
from vision.cards.cards import CardReading
from vision.cards.hands_over import HandsOver


class Watched:
    """A table of cards, and whether a hand is seen over it; what lies where is known."""

    def __init__(self):
        self.evening = CardEvening(0, trouble=False, size=(1280, 960))
        self.cards, self.camera = self.evening.cards, self.evening.camera
        self.hands = HandsOver(self.cards.board)
        self.look()

    def look(self):
        """Return whether the next picture shows a hand, and whether one is seen in it."""
        image = self.camera.read().image
        camera = camera_from_table(self.cards.board, self.camera.table_file(), image)
        lies = self.camera.position
        places = {
            spot: CardPlace(
                spot not in lies,
                CardReading(((lies[spot], 1.0),)) if spot in lies else None,
                outline=np.array(self.cards.board[spot].outline) if spot in lies else None,
            )
            for spot in self.cards.board
        }
        return self.camera.hand_in_view, self.hands.seen(image, camera, places)

    def until_calm(self):
        """Return what :meth:`look` does for each picture until the hands are gone."""
        looks = [self.look()]
        while self.camera.busy or looks[-1][0]:
            looks.append(self.look())
        return looks


SKINS = {"dark": (90, 62, 48), "brown": (150, 110, 88), "light": (240, 205, 180),
         "black glove": (60, 60, 64), "white glove": (235, 235, 235)}  # fmt: skip


@pytest.mark.parametrize("skin", SKINS.values(), ids=SKINS)
def test_a_hand_that_lays_a_card_is_seen_and_the_card_is_none(skin):
    table = Watched()
    table.camera.troubles = Troubles(skin=skin, hand_frames=2)
    for spot, token in (("south.C", "red 7"), ("west.L", "blue 2"), ("north.R", "back")):
        table.cards.put(spot, token)
        looks = table.until_calm()
        assert not looks[-1][1]
        missed = sum(hand and not seen for hand, seen in looks)
        assert missed <= 1, "one that just came in beside the board may be a shadow"


def test_cards_that_are_gathered_are_no_hand():
    table = Watched()
    spots = [spot for spot in table.cards.board if not spot.endswith("reserve")]
    table.cards.lay(dict.fromkeys(spots, "red 7"))
    assert table.look() == (False, False)
    table.cards.lay({})
    assert table.look() == (False, False)


@pytest.mark.parametrize("spot", ["east.reserve", "south.C"])
def test_a_cup_that_was_put_down_is_waited_for_once(spot):
    table = Watched()
    table.camera.troubles = replace(table.camera.troubles, cup=spot)
    table.look()
    assert table.look() == (False, False)
    table.camera.troubles = replace(table.camera.troubles, cup=None)
    table.look()
    assert table.look() == (False, False)


def test_a_hand_that_was_there_from_the_first_picture_and_goes_is_waited_for_once():
    table = Watched()
    table.camera.troubles = Troubles(resting="south.C")
    table.hands.forget()
    assert table.look() == (True, False), "nothing is there to compare it with"
    table.camera.troubles = Troubles()
    table.look()
    assert table.look() == (False, False)


def test_a_lamp_that_goes_out_is_no_hand():
    table = Watched()
    table.camera.troubles = replace(table.camera.troubles, lamp=0.6)
    table.look()
    assert table.look() == (False, False)
