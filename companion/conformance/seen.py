"""Silver: cameras see the game, lights and phones show it, and it can be printed."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion.conformance.checks import SILVER, AnyGame, CheckedGame, Missing, check
from companion.conformance.rules import tokens, walk
from companion.rules import Action, DiceOnMat, OwnCards, picture_of, quoted

if TYPE_CHECKING:
    from companion.table import Table

COLOUR = re.compile(r"#[0-9a-fA-F]{3}([0-9a-fA-F]{3})?|")
WIDEST = 1.5
"""No token reaches farther from its middle than so many times the pitch."""
MOVES, PLIES = 4, 16
"""So many moves of tokens are shown to a camera, of so many actions at most."""
LOOKS = 60
"""After so many pictures a camera has seen what there is to see."""
PAGES = ("/", "/allowed", "/history", "/rules", "/join", "/view", "/games", "/settings")


@contextmanager
def _opencv() -> Iterator[None]:
    """Say what cannot be checked where OpenCV is not installed."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "cv2":
            raise
        raise Missing("OpenCV is not installed: pip install opencv-python-headless") from error


@check(SILVER)
def its_tokens_have_pictures(candidate: CheckedGame) -> None:
    """Every token has a picture of its size; those that look different are drawn differently."""
    game = candidate.game
    setup = game.setup()
    pitch, drawn = game.board(setup).pitch, dict[Any, str]()
    for token in sorted(tokens(game)):
        strokes, face = picture_of(game, setup, token), game.look(token).face
        assert strokes, f"{token} has no picture"
        for stroke in strokes:
            far = [p for p in stroke.points if not math.hypot(*p) <= WIDEST * pitch]
            assert not far, f"the picture of {token} reaches to {far[0]}, the pitch is {pitch}"
            assert COLOUR.fullmatch(stroke.fill), f"{token}: {quoted(stroke.fill)} is no colour"
            assert COLOUR.fullmatch(stroke.colour), f"{token}: {quoted(stroke.colour)} is no colour"
        if game.look(token).turn is None:
            other = drawn.setdefault(strokes, face)
            assert other == face, f"{token} is drawn as {other} is, but is another face"


@check(SILVER)
def lights_show_where_it_may_go(candidate: CheckedGame) -> None:
    """Where a token is lifted that may move, the lights show where it may go."""
    from hardware.lights import Moment, lights

    game = candidate.game
    for state in walk(game):
        for action in game.legal(state):
            lit = lights(game, state, Moment(lifted=action.origin))
            assert set(lit) <= set(game.board(state.setup)), "lights under no spots"
            if action.origin and action.target:
                assert action.target in lit, f"{action}: nothing is lit on {action.target}"


@check(SILVER)
def it_is_printed(candidate: CheckedGame) -> None:
    """Its board and its pieces are made into a PDF at true size."""
    from companion.sheets.contents import PrintOrder, sheets
    from companion.sheets.pdf import pdf_of

    game = candidate.game
    printed = sheets(PrintOrder(game, game.setup(), "a4"), ())
    pdf = pdf_of(printed, "a4")
    assert pdf.output(), "nothing is printed"
    assert pdf.page_no() > 0, "no page is printed"


# -- phones -----------------------------------------------------------------------------------


@contextmanager
def _table(game: AnyGame) -> Iterator[Table[Any]]:
    """A table in memory at the beginning of the game."""
    from companion.journal import Journal
    from companion.table import Table

    with Journal() as journal:
        yield Table.create(journal, game, game.setup())


@check(SILVER)
def phones_show_it_and_play_it(candidate: CheckedGame) -> None:
    """Every page shows the game, and what is legal can be played on a phone to the same state."""
    from web import Config, create_app

    game = candidate.game
    with _table(game) as table:
        client = create_app(table, config=Config(trust_machine=True, open_house=True)).test_client()
        key, rng = iter(range(10**15, 10**16)), random.Random(1)
        _look_at(client)
        for _ in range(PLIES):
            told = client.get("/api/state").get_json()
            assert told["to_move"] == game.to_move(table.state)
            legal = game.legal(table.state)
            if not legal:
                break
            action = rng.choice(legal)
            body = {
                "key": str(next(key)), "action": game.format(action), "state_id": told["state_id"],
            }  # fmt: skip
            after = game.apply(table.state, action)
            answer = client.post("/api/move" if _carried(action) else "/api/say", json=body)
            assert answer.status_code == 200, f"{action}: {_said(answer)}"
            assert table.state == after, f"{action} leads elsewhere on the phone"
        _look_at(client)


def _look_at(client: Any) -> None:
    for page in PAGES:
        answer = client.get(page)
        assert answer.status_code == 200, f"{page}: {answer.status_code} {_said(answer)}"


def _said(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.get_data(as_text=True)).split())[:300]


def _carried(action: Action) -> bool:
    return bool(action.origin or action.target)


# -- cameras ----------------------------------------------------------------------------------


@check(SILVER)
def a_camera_reads_it(candidate: CheckedGame) -> None:
    """A camera over the simulated table reads what hands do there."""
    game = candidate.game
    if isinstance(game, DiceOnMat | OwnCards):
        return  # what a camera sees of these depends on what players enter and roll
    with _opencv(), _table(game) as table:
        watch = CameraWatch(table)
        rng, moved = random.Random(2), 0
        for _ in range(PLIES):
            legal = game.legal(table.state)
            if not legal or moved == MOVES:
                break
            action = rng.choice([one for one in legal if _carried(one)] or list(legal))
            moved += watch.show(action)
        assert moved, "no token was ever moved"


class CameraWatch:
    """A table that a camera watches, and hands at it."""

    def __init__(self, table: Table[Any]) -> None:
        from companion.live.live_picture import LivePicture
        from companion.live.service import Service
        from companion.simulation.screenplay import Screenplay
        from companion.simulation.table_camera import SimulatedCamera, SimulatedTable, Troubles
        from vision.board.optics import CameraView, fit_view

        game, setup = table.game, table.setup
        lying = game.expect(table.state)
        self.table, self.play = table, Screenplay(game, table.state)
        self.hands = SimulatedTable(game, setup, lying)
        view = fit_view(self.hands.board, CameraView(image_size=(1024, 768)))
        quiet = Troubles(hand_frames=1)
        self.camera = SimulatedCamera(self.hands, view, quiet, clock=lambda: 0.0)
        self.service: Service[Any] = Service(
            table, self.camera.table_file(), LivePicture(self.camera), lambda m: None, lambda: None
        )
        self._look()

    def show(self, action: Action) -> bool:
        """Let hands do ``action`` and the camera look; a spoken one is said. Return whether it
        was seen.

        Raises:
            AssertionError: the camera read something else, or nothing.
        """
        from companion.simulation.recorded_game import perform

        table, written = self.table, self.table.game.format(action)
        after = table.game.apply(table.state, action)
        scene = self.play.play(action)
        if not _carried(action):
            table.play(action, "referee")
        for line in scene.does:
            perform(self.hands, line)
        self._look()
        asked = self.service.status()["asks"]
        if table.state != after and [written] in asked:
            self.service.answer(asked.index([written]))
        read = [table.game.format(one) for one in table.actions[-3:]]
        said = self.service.status()["message"]
        assert table.state == after, f"{written} was shown, and read as {read} ({said})"
        return _carried(action)

    def _look(self) -> None:
        """Watch until the hands are gone and the picture has stood still for a while."""
        calm = 0
        for _ in range(LOOKS):
            self.service.look()
            calm = 0 if self.camera.busy or self.camera.hand_in_view else calm + 1
            if calm > 3:
                return
