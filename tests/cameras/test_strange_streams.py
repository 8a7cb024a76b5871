"""Streams that freeze, tear, change or end: that is said, and the game goes on after it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count

import cv2
import numpy as np
import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.service import Service
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable, Troubles
from companion.table import Table
from vision.board.optics import CameraView, fit_view
from vision.frames import Frame
from vision.sources import net_camera as network
from vision.sources.cameras import open_source
from vision.sources.devices import LiveSource
from vision.watching.feed import FROZEN, Feed

LOOKS = 400
STEP = 0.1


class Camera:
    """What a camera over a game of Victorus shows, as a test changes it."""

    def __init__(self):
        game = find_game("victorus")
        self.setup = game.setup(["red", "purple"])
        self.hands = SimulatedTable(game, self.setup, game.expect(game.start(self.setup)), seed=3)
        ticks = count()
        self.camera = SimulatedCamera(
            self.hands,
            fit_view(game.board(self.setup), CameraView(image_size=(800, 600), marks="taps")),
            Troubles(hand_frames=3),
            clock=lambda: next(ticks) * STEP,
        )
        self.change = lambda image: image
        self.game = game

    def shoot(self):
        return self.change(self.camera.read().image)


class Watched:
    """A table that is watched through a source."""

    def __init__(self, camera, source, journal):
        self.camera, self.hands = camera, camera.hands
        self.table = Table.create(journal, camera.game, camera.setup)
        self.service = Service(
            self.table, camera.camera.table_file(), source, lambda moment: None, lambda: None
        )

    @property
    def actions(self):
        return [self.table.game.format(action) for action in self.table.actions]

    def look_until(self, true):
        for _ in range(LOOKS):
            self.service.look()
            status = self.service.status()
            if true(status):
                return status
        raise AssertionError(f"never came: the camera says {self.service.status()}")

    def in_order(self):
        self.look_until(lambda s: s["still"] and not s["differs"] and not s["message"])

    def told(self, words):
        status = self.look_until(lambda status: words in status["message"])
        assert status["lost"]
        assert "moved" not in status["message"]

    def goes_on(self):
        self.in_order()
        done = len(self.actions)
        origin, target = ("h2", "h4") if not done else ("h4", "h2")
        self.hands.move(origin, target)
        self.look_until(lambda status: len(self.actions) != done)


class Direct:
    """The camera as a source, without a network between."""

    def __init__(self, camera):
        self._camera, self.opened = camera, 1

    def read(self):
        frame = self._camera.camera.read()
        return replace(frame, image=self._camera.change(frame.image))

    def close(self):
        self.opened += 1


@pytest.fixture
def camera():
    return Camera()


@pytest.fixture
def watched(camera):
    with Journal() as journal:
        yield Watched(camera, Direct(camera), journal)


@pytest.fixture
def streamed(camera, net_camera):
    """The same over a real MJPEG stream; a picture comes every tenth of a second."""
    net, ticks = net_camera(camera.shoot), count()
    source = LiveSource(partial(network.connect, net.address), lambda: next(ticks) * STEP)
    with Journal() as journal:
        yield Watched(camera, source, journal), net
        source.close()


def still_picture(camera):
    """Have the camera send its next picture for ever."""
    kept = []

    def frozen(image):
        kept.append(image)
        return kept[0]

    camera.change = frozen


def thaw(camera):
    camera.change = lambda image: image


class TestFrozen:
    @pytest.mark.thorough
    @pytest.mark.slow
    def test_a_frozen_stream_is_told_as_that_and_read_on_when_it_goes_on(self, streamed):
        watched, _ = streamed
        watched.in_order()
        still_picture(watched.camera)
        watched.told("very same picture")
        assert watched.actions == []
        thaw(watched.camera)
        watched.goes_on()
        assert watched.actions == ["h2-h4"]

    @pytest.mark.thorough
    def test_a_frozen_camera_is_opened_anew(self, watched):
        watched.in_order()
        source = watched.service._source
        still_picture(watched.camera)
        watched.told("frozen")
        assert source.opened > 1

    @pytest.mark.slow
    def test_a_quiet_table_is_not_frozen(self, watched):
        watched.in_order()
        for _ in range(int(2 * FROZEN / STEP)):
            watched.service.look()
        assert watched.service.status()["message"] == ""

    def test_a_film_may_show_the_same_for_ever(self, camera):
        image = camera.shoot()
        feed = Feed()
        assert not any(feed.frozen(Frame(image, at * STEP)) for at in range(int(FROZEN / STEP)))
        assert feed.frozen(Frame(image, FROZEN + 1)) > FROZEN

        class Film:
            at = 0.0

            def read(self):
                self.at += 1.0
                return Frame(image, self.at, "x", recorded=True)

        with Journal() as journal:
            watched = Watched(camera, Film(), journal)
            for _ in range(40):
                watched.service.look()
            assert watched.service.status()["message"] == ""


def grey_below(image):
    image = image.copy()
    image[400:] = 128
    return image


def of_another(image):
    image = image.copy()
    image[350:] = np.roll(image[350:], 120, 1)[::-1]
    return image


def cut_off(image):
    """The first half of a JPEG."""
    data = cv2.imencode(".jpg", image)[1].tobytes()
    return data[: len(data) // 2]


def half_empty(image):
    """A JPEG the second half of which never came, though its end did."""
    return cut_off(image) + b"\xff\xd9"


def no_picture(image):
    return b"GIF89a" + bytes(900)


class TestTorn:
    @pytest.mark.parametrize("tear", [grey_below, of_another])
    def test_a_torn_picture_is_told_as_that_and_no_move(self, watched, tear):
        watched.in_order()
        watched.camera.change = tear
        watched.told("torn")
        for _ in range(30):
            watched.service.look()
        assert watched.actions == []
        thaw(watched.camera)
        watched.goes_on()
        assert watched.actions == ["h2-h4"]

    @pytest.mark.thorough
    @pytest.mark.parametrize("damage", [cut_off, half_empty, no_picture])
    def test_damaged_bytes_in_a_stream_are_told_as_that(self, streamed, damage):
        watched, _ = streamed
        watched.in_order()
        watched.camera.change = damage
        status = watched.look_until(lambda status: status["lost"])
        assert "cannot be read" in status["message"] or "torn" in status["message"]
        thaw(watched.camera)
        watched.goes_on()
        assert watched.actions == ["h2-h4"]

    def test_one_damaged_picture_among_many_is_nothing_to_be_told(self, streamed):
        watched, _ = streamed
        watched.in_order()
        pictures = count()
        watched.camera.change = lambda image: cut_off(image) if next(pictures) % 3 == 0 else image
        for _ in range(30):
            watched.service.look()
            assert not watched.service.status()["lost"]

    @pytest.mark.parametrize("kept", [0, 20])
    def test_a_picture_of_which_next_to_nothing_is_as_before_is_no_torn_one(self, kept):
        before = np.random.default_rng(1).integers(80, 90, (960, 1280, 3)).astype(np.uint8)
        after = before + np.uint8(60)
        after[:kept] = before[:kept]
        feed = Feed()
        assert [feed.torn(Frame(image, 0.0, "")) for image in (before, after)] == [False, False]

    def test_what_a_sleeve_hid_is_taken_for_a_tear_for_two_seconds_at_most(self):
        sleeve = np.full((960, 1280, 3), 90, np.uint8)
        table = sleeve.copy()
        table[500:] = 180  # a paler table before a board with a straight edge
        feed = Feed()
        assert not feed.torn(Frame(sleeve, 0.0, ""))
        told = [feed.torn(Frame(table, 0.5 * number, "")) for number in range(1, 10)]
        assert told == [True] * 4 + [False] * 5

    @pytest.mark.slow
    def test_hands_sleeves_and_a_darker_room_are_no_tear(self, camera):
        feed, fresh = Feed(), 0
        for number in range(200):
            if number % 20 == 5:
                camera.hands.move(*(("h2", "h4") if fresh % 2 == 0 else ("h4", "h2")))
                fresh += 1
            image = camera.shoot()
            if number > 100:
                image = (image * 0.6).astype(np.uint8)
            if 150 < number < 160:
                image[480:, 100:600] = 40  # somebody leans over the near edge
            assert not feed.torn(Frame(image, number * STEP))
        assert fresh == 10


class TestResized:
    @pytest.mark.slow
    def test_a_stream_that_changes_its_size_is_read_on(self, streamed):
        watched, _ = streamed
        watched.goes_on()
        for size in ((640, 480), (1200, 900)):
            watched.camera.change = lambda image, size=size: cv2.resize(image, size)
            watched.goes_on()
        assert watched.actions in (["h2-h4"], [])

    @pytest.mark.parametrize("size", [(640, 480), (1200, 900)])
    def test_the_first_move_is_seen_though_the_size_changed_with_it(self, watched, size):
        watched.in_order()
        watched.camera.change = lambda image: cv2.resize(image, size)
        watched.hands.move("h2", "h4")
        watched.look_until(lambda status: watched.actions)
        assert watched.actions == ["h2-h4"]

    def test_other_proportions_are_said_and_a_calibration_helps(self, watched):
        watched.in_order()
        watched.camera.change = lambda image: image[:450].copy()
        watched.told("calibrate")
        file = watched.camera.camera.table_file()
        watched.service.recalibrate({**file, "image_size": [800, 450], "taps": file["taps"]})
        watched.service.look()
        thaw(watched.camera)
        watched.service.recalibrate(file)
        watched.goes_on()

    def test_photographs_are_of_one_size(self, watched):
        watched.goes_on()
        watched.camera.change = lambda image: cv2.resize(image, (1200, 900))
        table = watched.table
        move = next(a for a in table.game.legal(table.state) if a.origin and a.target)
        watched.hands.move(move.origin, move.target)
        watched.look_until(lambda status: len(watched.actions) == 2)
        assert watched.actions == ["h2-h4", table.game.format(move)]


class TestFiles:
    def test_a_folder_that_ends_says_so_and_is_followed_when_it_grows(self, camera, tmp_path):
        number = count()

        def write():
            path = tmp_path / f"{next(number):04d}.png"
            cv2.imwrite(str(path), camera.shoot())

        for _ in range(3):
            write()
        source = open_source(tmp_path, follow=True)
        with Journal() as journal:
            watched = Watched(camera, source, journal)
            watched.told("come to its end")
            assert not watched.service.look()
            write()
            assert watched.service.look()
            assert watched.service.status()["message"] == ""
            camera.hands.move("h2", "h4")
            for _ in range(6):
                write()
            watched.look_until(lambda status: watched.actions)
            assert watched.actions == ["h2-h4"]

    def test_a_picture_that_is_still_being_written_is_waited_for(self, camera, tmp_path):
        data = cv2.imencode(".jpg", camera.shoot())[1].tobytes()
        (tmp_path / "0.jpg").write_bytes(data)
        source = open_source(tmp_path, follow=True)
        assert source.read().name == "0.jpg"
        (tmp_path / "1.jpg").write_bytes(data[:2000])
        assert source.read() is None
        (tmp_path / "1.jpg").write_bytes(data[:9000])
        assert source.read() is None
        (tmp_path / "1.jpg").write_bytes(data)
        assert source.read().image is not None
        (tmp_path / "2.jpg").write_bytes(data[:2000])
        assert source.read() is None
        assert source.read().trouble, "nobody writes it any more"

    def test_a_folder_that_goes_away_is_at_its_end(self, camera, tmp_path):
        folder = tmp_path / "film"
        folder.mkdir()
        cv2.imwrite(str(folder / "0.png"), camera.shoot())
        source = open_source(folder, follow=True)
        assert source.read() is not None
        (folder / "0.png").unlink()
        folder.rmdir()
        assert source.read() is None
        source.close()
        assert source.read() is None
