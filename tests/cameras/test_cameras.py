"""Cameras: which address means which, what is locked, and that no picture is ever an old one."""

from __future__ import annotations

import queue
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from companion.rules import BadInput, HardwareFault
from vision.sources import usb_camera
from vision.sources.cameras import is_live, open_source
from vision.sources.devices import Newest
from vision.sources.exposure import Exposure, settled, without_flicker
from vision.sources.sources import FolderSource, VideoSource

PATIENCE = 60.0

# -- addresses -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "picamera:first",
        "picamera:²",
        "picamera:" + "9" * 5000,
        "picamera?size=big",
        "picamera?mains=55",
        "picamera?stream=fast",
        "picamera?zoom=2",
        "v4l2:0?size=0x0",
        "http://",
        "rtsp://:99999/",
        "ftp://camera/stream",
        "no/such/folder",
        "v4l2",
    ],
)
def test_a_wrong_address_is_said_before_the_game_begins(address):
    with pytest.raises(BadInput):
        open_source(address)


@pytest.mark.parametrize("address", ["picamera", "picamera:1?stream=still", "v4l2:", "v4l2:C920"])
def test_a_camera_that_is_not_plugged_in_is_found_out_by_looking(address, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.setattr(usb_camera, "BY_ID", tmp_path)
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: _Unplugged())
    source = open_source(address)
    for _ in range(2):
        with pytest.raises(HardwareFault):
            source.read()
    source.close()


class _Unplugged:
    def isOpened(self):  # noqa: N802 - OpenCV's name
        return False

    def release(self):
        pass


def test_files_and_cameras_are_told_apart(tmp_path):
    assert is_live("v4l2:/dev/video0")
    assert is_live("picamera?mains=60")
    assert is_live("http://192.168.1.7/video")
    assert not is_live("picamera-pictures")
    assert not is_live("simulated")
    cv2.imwrite(str(tmp_path / "0001.jpg"), np.zeros((4, 4, 3), np.uint8))
    assert type(open_source(tmp_path)) is FolderSource
    with pytest.raises(BadInput, match="does not exist"):
        open_source(str(tmp_path / "game.mp4"))


def test_a_video_is_read_frame_by_frame(tmp_path):
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (32, 32))
    for level in (40, 120, 200):
        writer.write(np.full((32, 32, 3), level, np.uint8))
    writer.release()
    source = open_source(str(path))
    assert type(source) is VideoSource
    frames = [source.read() for _ in range(4)]
    assert [frame.name for frame in frames[:3]] == ["000000", "000001", "000002"]
    assert [round(frame.image.mean() / 40) for frame in frames[:3]] == [1, 3, 5]
    assert frames[3] is None
    source.close()


# -- never an old picture ------------------------------------------------------------


class Sending:
    """A stream that sends what the test puts in; a picture is a number."""

    def __init__(self):
        self.line = queue.Queue()
        self.closed = threading.Event()
        self.last = None

    def grab(self):
        self.last = self.line.get(timeout=PATIENCE)
        self.line.task_done()
        return self.last is not None

    def picture(self):
        return None if self.last == "torn" else np.array([self.last])

    def close(self):
        self.closed.set()


def test_pictures_that_queued_up_are_never_handed_out():
    stream = Sending()
    newest = Newest(stream, "the camera", PATIENCE)
    for number in range(5):
        stream.line.put(number)
    stream.line.join()  # all five were sent before anybody asked
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(newest.read)
        number = 5
        while not asked.done():
            stream.line.put(number)
            stream.line.join()
            number += 1
    assert asked.result()[0] >= 5
    stream.line.put(None)
    newest.close()
    assert stream.closed.is_set()


def test_a_camera_that_falls_silent_is_a_fault():
    stream = Sending()
    newest = Newest(stream, "the camera", patience=0.0)
    with pytest.raises(HardwareFault, match="plugged in"):
        newest.read()
    stream.line.put(None)
    newest.close()


def test_a_camera_whose_pictures_cannot_be_decoded_is_a_fault():
    stream = Sending()
    newest = Newest(stream, "the camera", PATIENCE)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(newest.read)
        while not asked.done():
            stream.line.put("torn")
            stream.line.join()
        with pytest.raises(HardwareFault, match="cannot be read"):
            asked.result()
    stream.line.put(None)
    newest.close()


# -- exposure ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "mains", "locked"),
    [
        (Exposure(14_000, 2.0), 50, Exposure(10_000, 2.8)),
        (Exposure(31_000, 1.0), 50, Exposure(30_000, 31 / 30)),
        (Exposure(6_000, 4.0), 50, Exposure(10_000, 2.4)),
        (Exposure(4_000, 1.5), 50, Exposure(4_000, 1.5)),
        (Exposure(9_000, 1.5), 60, Exposure(25_000 / 3, 1.62)),
    ],
)
def test_an_exposure_of_whole_half_periods_is_as_bright_and_does_not_flicker(found, mains, locked):
    given = without_flicker(found, mains, most_gain=16.0, longest=33_333)
    assert given.time == pytest.approx(locked.time)
    assert given.gain == pytest.approx(locked.gain)


def test_where_the_gain_is_bounded_the_time_grows_instead():
    given = without_flicker(Exposure(25_000, 2.0), 50, most_gain=1.8, longest=60_000)
    assert given == Exposure(30_000, pytest.approx(5 / 3))


def test_the_automatic_has_settled_when_four_frames_are_alike():
    rising = [Exposure(1000.0 * k) for k in range(1, 6)]
    assert not settled(rising)
    assert settled([*rising, *[Exposure(5050.0)] * 3])


# -- a webcam ------------------------------------------------------------------------


def test_a_webcam_is_locked_at_whole_half_periods_after_it_has_settled(webcam):
    camera = webcam(exposure=137.0)
    source = open_source("v4l2:0?size=1280x960")
    assert source.read().image.shape == (12, 16, 3)
    source.close()
    assert camera.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == usb_camera.MANUAL
    assert camera.settings[cv2.CAP_PROP_EXPOSURE] == 100, "10 ms: one half period of 50 Hz"
    assert camera.settings[cv2.CAP_PROP_AUTO_WB] == 0
    assert camera.settings[cv2.CAP_PROP_BUFFERSIZE] == 1
    assert camera.settings[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert camera.settings[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")


@pytest.mark.parametrize("ways", [{"locks": False}, {"true": False}, {"exposure": 0.0}])
def test_a_webcam_that_cannot_be_locked_keeps_its_automatic(webcam, ways):
    camera = webcam(**ways)
    source = open_source("v4l2:0")
    assert source.read().image.mean() == pytest.approx(120, abs=2)
    source.close()
    assert camera.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == usb_camera.AUTOMATIC


def test_a_webcam_pulled_out_is_a_fault_and_comes_back(webcam):
    camera = webcam()
    source = open_source("v4l2:0")
    source.read()
    camera.plugged = False
    for _ in range(3):
        with pytest.raises(HardwareFault, match="plugged in"):
            source.read()
    camera.plugged = True
    assert source.read().image is not None
    source.close()
    assert camera.released == len(camera.opened), "every handle was given back"


def test_a_webcam_is_found_by_a_part_of_its_name(webcam, monkeypatch, tmp_path):
    camera = webcam()
    monkeypatch.setattr(usb_camera, "BY_ID", tmp_path)
    for name in ("usb-046d_HD_C920-video-index0", "usb-046d_HD_C920-video-index1"):
        (tmp_path / name).touch()
    source = open_source("v4l2:c920")
    source.read()
    source.close()
    assert camera.opened == [str(tmp_path / "usb-046d_HD_C920-video-index0")]


def test_two_webcams_of_one_name_are_both_named(monkeypatch, tmp_path):
    monkeypatch.setattr(usb_camera, "BY_ID", tmp_path)
    for name in ("usb-A_Cam-video-index0", "usb-B_Cam-video-index0"):
        (tmp_path / name).touch()
    with pytest.raises(HardwareFault, match=r"several webcams.*usb-A_Cam.*usb-B_Cam"):
        open_source("v4l2:cam").read()


@pytest.mark.parametrize("which", ["9" * 20, "9" * 5000, "²", "70000"])
def test_a_number_that_no_webcam_has_is_told_in_one_short_sentence(which):
    with pytest.raises(HardwareFault, match="no webcam called") as told:
        open_source(f"v4l2:{which}").read()
    assert len(str(told.value)) < 200


# -- a camera on a Pi ----------------------------------------------------------------


def test_a_pi_camera_is_focused_settled_and_locked_explicitly(ribbon):
    source = open_source("picamera?size=64x48")
    image = source.read().image
    camera = ribbon.latest
    assert image.shape == (48, 64, 3)
    assert image[0, 0].tolist() == [200, 0, 0], "blue, green, red"
    assert camera.focused
    assert camera.settings["kind"] == "video"
    assert camera.controls["ExposureTime"] == 10_000
    assert camera.controls["AnalogueGain"] == pytest.approx(2.8)
    assert camera.controls["AwbEnable"] is False
    assert camera.controls["ColourGains"] == (1.9, 1.4)
    assert camera.out == 0, "every request was released"
    source.close()
    assert camera.closed


def test_stills_use_the_whole_sensor(ribbon):
    source = open_source("picamera?stream=still")
    assert source.read().image.shape == (2592, 4608, 3)
    assert ribbon.latest.settings["kind"] == "still"
    source.close()


def test_a_pi_camera_without_a_lens_motor_is_not_focused(ribbon):
    ribbon.focuses = False
    source = open_source("picamera?size=64x48")
    source.read()
    assert not ribbon.latest.focused
    source.close()


def test_a_pi_camera_that_falls_silent_is_given_back_and_opened_again(ribbon):
    source = open_source("picamera?size=64x48")
    source.read()
    first = ribbon.latest
    first.silent = True
    with pytest.raises(HardwareFault, match="cable"):
        source.read()
    assert first.closed
    assert source.read().image is not None
    assert ribbon.latest is not first
    source.close()


def test_a_pi_without_a_camera_says_so(ribbon):
    ribbon.cameras = 0
    with pytest.raises(HardwareFault, match="ribbon cable"):
        open_source("picamera").read()


def test_a_computer_without_picamera2_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(HardwareFault, match="apt install python3-picamera2"):
        open_source("picamera").read()
