"""From the hand to the light: a game with lights compared, frame by frame, with the rules."""

from __future__ import annotations

import random

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.light_panel import LightPanel
from companion.live.service import Service
from companion.rules import Action
from companion.simulation.table_camera import CameraView, SimulatedCamera, SimulatedTable, Troubles
from companion.table import Table
from hardware.lights import MEANINGS, Moment, lights
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring
from vision.board.optics import fit_view

VICTORUS = find_game("victorus")
CHOICES = {"destination", "capture"}


def allowed_by_the_judge(game, state, lifted):
    """Ask for every spot of the board, one by one: an oracle that knows no list of moves."""
    board = game.board(state.setup)
    return {
        spot
        for spot in board
        if spot != lifted and game.judge(state, Action("move", lifted, spot)).allowed
    }


def lit_as(frame, meanings):
    return {spot for spot, light in frame.items() if light.meaning in meanings}


def as_the_judge_allows(state, lifted):
    """Compare what is lit for a token in the hand with what the judge allows it."""
    frame = lights(VICTORUS, state, Moment(lifted=lifted))
    allowed, standing = allowed_by_the_judge(VICTORUS, state, lifted), VICTORUS.expect(state)
    assert lit_as(frame, CHOICES) == allowed, lifted
    assert lit_as(frame, {"capture"}) == {spot for spot in allowed if spot in standing}
    rest = lit_as(frame, MEANINGS.keys() - CHOICES)
    assert rest == {lifted}
    assert frame[lifted].meaning == ("home" if allowed else "nowhere")


@pytest.mark.parametrize(
    ("seed", "every"),
    [(0, 4), *(pytest.param(seed, 1, marks=pytest.mark.slow) for seed in (0, 1))],
)
def test_in_a_whole_game_no_spot_is_lit_that_is_not_legal_and_no_legal_one_is_dark(seed, every):
    """In all positions of a game, or in every so many."""
    chance = random.Random(seed)
    state = VICTORUS.start(VICTORUS.setup(("red", "purple")))
    actions = 0
    while legal := VICTORUS.legal(state):
        if actions % every == 0:
            movable = [action.origin for action in legal if action.origin]
            any_token = chance.choice(sorted(VICTORUS.expect(state)))
            for lifted in {any_token, *chance.sample(movable, min(1, len(movable)))}:
                as_the_judge_allows(state, lifted)
        action = chance.choice(legal)
        state = VICTORUS.advance(state, action)
        actions += 1
    frame = lights(VICTORUS, state, Moment())
    (winner,) = VICTORUS.outcome(state).winners
    assert actions > 100
    assert lit_as(frame, {"win"}) == set(frame)
    assert set(frame) == {
        spot for spot, token in VICTORUS.expect(state).items() if token.startswith(winner)
    }


class Evening:
    """A simulated table with camera, lights and service; every picture is a tenth of a second."""

    def __init__(self):
        self.time = 0.0
        setup = VICTORUS.setup(("red", "purple"))
        board = VICTORUS.board(setup)
        self.wiring = default_wiring(board)
        self.strip = SimulatedStrip()
        self.table = Table.create(Journal(), VICTORUS, setup, now=self.clock)
        show = LightShow(self.strip, self.wiring, self.clock)
        self.panel = LightPanel(self.table, show, lambda: None, clock=self.clock)
        self.hands = SimulatedTable(
            VICTORUS, setup, VICTORUS.expect(self.table.state), seed=3, tidy=0.8
        )
        self.camera = SimulatedCamera(
            self.hands, fit_view(board, CameraView(image_size=(1024, 768))),
            Troubles(hand_frames=3), seed=3, clock=self.clock, glow=self.panel.glow,
        )  # fmt: skip
        self.service = Service(
            self.table, self.camera.table_file(), self.camera, self.panel.show, lambda: None,
            lamps=self.panel,
        )  # fmt: skip
        self.see(4)

    def clock(self):
        return self.time

    def see(self, frames):
        for _ in range(frames):
            self.time += 0.1
            self.service.look()

    def hand_is_gone(self):
        """Watch until the hand has left the picture, then two frames more: where a light leaves a
        doubt the second is taken without lights."""
        self.see(1)
        while self.camera.hand_in_view or self.camera.busy:
            self.see(1)
        self.see(2)

    def lit(self, *meanings):
        """Return the spots whose LEDs shine on the strip with one of these meanings."""
        words = {MEANINGS[meaning].words for meaning in meanings}
        wanted = {s for s, light in self.panel.words().items() if light["meaning"] in words}
        shining = {
            spot
            for spot, leds in self.wiring.leds.items()
            if any(any(self.strip.pixels[led]) for led in leds)
        }
        assert wanted <= shining or "proof" not in meanings
        return wanted & shining if meanings else shining


@pytest.fixture(scope="module")
def evening():
    return Evening()


def test_a_lift_is_lit_within_two_frames_and_putting_back_clears_it(evening):
    evening.hands.lift("h2")
    evening.hand_is_gone()
    allowed = allowed_by_the_judge(VICTORUS, evening.table.state, "h2")
    assert evening.lit() == {"h2", *allowed}
    evening.hands.drop("h2")
    evening.hand_is_gone()
    assert evening.service.status()["lifted"] is None
    assert not evening.lit("home", *CHOICES)


def test_a_wrong_landing_lights_the_way_back_and_the_proof(evening):
    evening.hands.move("h2", "h3")
    evening.hand_is_gone()
    refusal = evening.table.events()[-1]
    assert refusal.kind == "refused"
    frame = evening.panel.words()
    meanings = {spot: light["meaning"] for spot, light in frame.items()}
    assert meanings.pop("h2") == "put it back here"
    proof = {spot for spot, meaning in meanings.items() if meaning == "proves the ruling"}
    assert proof == set(refusal.ruling.spots) - {"h2"}
    assert set(meanings) == proof | {"h3"}
    evening.hands.move("h3", "h2")
    evening.hand_is_gone()
    assert not evening.lit("back", "proof", "stray")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5, 11])
def test_moves_of_both_sides_are_lit_before_they_land(seed):
    evening = Evening()
    chance = random.Random(seed)
    game, table = VICTORUS, evening.table
    for _ in range(5):
        moves = [action for action in game.legal(table.state) if action.origin]
        action = chance.choice(moves)
        evening.hands.lift(action.origin)
        evening.hand_is_gone()
        allowed = allowed_by_the_judge(game, table.state, action.origin)
        assert evening.lit() == {action.origin, *allowed}, action
        evening.hands.drop(action.target)
        evening.hand_is_gone()
        # Where the light spoils a face the lights go out for one more look.
        evening.see(1)
        assert table.actions[-1] == action
        assert not evening.lit(*CHOICES, "home")
