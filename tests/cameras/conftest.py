"""Cameras that tests plug in and out: a server in the loopback, a webcam, a Pi's module."""

from __future__ import annotations

import base64
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import cv2
import numpy as np
import pytest


def jpeg(image):
    if isinstance(image, bytes):
        return image
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert done
    return data.tobytes()


class NetCamera:
    """An MJPEG camera in the loopback. ``shoot`` gives its pictures; it can be unplugged."""

    def __init__(self, shoot, lengths=True, password=None):
        self.shoot, self.lengths, self.password = shoot, lengths, password
        self.port = 0
        self._server = None
        self._plugged = False

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/stream.mjpg"

    def plug_in(self):
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                camera.serve(self)

            def log_message(self, *_):
                pass

        self._plugged = True
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = False  # closing waits for the streams under way
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def unplug(self):
        if self._plugged:
            self._plugged = False
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()

    def serve(self, request):
        if self.password and request.headers.get("Authorization") != self._right():
            request.send_response(401)
            request.send_header("WWW-Authenticate", 'Basic realm="camera"')
            request.end_headers()
            return
        request.send_response(200)
        if request.path.endswith(".mjpg"):
            request.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
            request.end_headers()
            self._stream(request)
        elif request.path.endswith(".jpg"):
            picture = jpeg(self.shoot())  # before its headers: whoever has these knows it is taken
            request.send_header("Content-Type", "image/jpeg")
            request.end_headers()
            request.wfile.write(picture)
        else:
            request.send_header("Content-Type", "text/html")
            request.end_headers()

    def _stream(self, request):
        try:
            while self._plugged:
                data = jpeg(self.shoot())
                length = f"Content-Length: {len(data)}\r\n" if self.lengths else ""
                head = f"--picture\r\nContent-Type: image/jpeg\r\n{length}\r\n"
                request.wfile.write(head.encode() + data + b"\r\n")
        except OSError:
            pass  # the watcher went away

    def _right(self):
        return "Basic " + base64.b64encode(self.password.encode()).decode()


@pytest.fixture
def net_camera():
    """Make a camera in the loopback; it is unplugged at the end."""
    made = []

    def make(shoot, **ways):
        made.append(NetCamera(shoot, **ways).plug_in())
        return made[-1]

    yield make
    for camera in made:
        camera.unplug()


class Webcam:
    """The part of ``cv2.VideoCapture`` that a webcam needs, with a webcam behind it.

    Its automatic has brought the picture to ``brightness``; ``locks`` tells whether it lets the
    exposure be set; ``true`` whether it then obeys.
    """

    def __init__(self, locks=True, true=True, exposure=137.0):
        self.plugged = True
        self.locks, self.true = locks, true
        self.held = threading.Event()
        self.settings = {cv2.CAP_PROP_EXPOSURE: exposure, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}
        self.found = exposure
        self.grabs = 0
        self.opened = []
        self.released = 0

    def open(self, device, system=0):
        self.opened.append(device)
        return self

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return self.plugged

    def set(self, what, value):
        if what == cv2.CAP_PROP_AUTO_EXPOSURE and value == 1 and not self.locks:
            return False
        self.settings[what] = value
        return True

    def get(self, what):
        return self.settings.get(what, 0.0)

    def grab(self):
        self.grabs += 1
        return self.plugged

    def retrieve(self):
        automatic = self.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
        light = 1.0 if automatic else self.settings[cv2.CAP_PROP_EXPOSURE] / self.found
        level = 120 * light if self.true or automatic else 4.0
        return self.plugged, np.full((12, 16, 3), int(min(255, level)), np.uint8)

    def release(self):
        self.released += 1


@pytest.fixture
def webcam(monkeypatch):
    """Make every ``cv2.VideoCapture`` the webcam that the test describes."""

    def plug_in(**ways):
        camera = Webcam(**ways)
        monkeypatch.setattr(cv2, "VideoCapture", camera.open)
        return camera

    return plug_in


class Request:
    """What picamera2 hands out for one picture; it has to be released."""

    def __init__(self, camera):
        self._camera = camera
        camera.out += 1

    def make_array(self, name):
        assert name == "main"
        wide, high = self._camera.settings["main"]["size"]
        picture = np.zeros((high, wide, 3), np.uint8)
        picture[..., 0] = 200  # blue comes first in what picamera2 calls RGB888
        return picture

    def get_metadata(self):
        return self._camera.meter()

    def release(self):
        self._camera.out -= 1


class Picamera2:
    """A camera on the ribbon cable as picamera2 shows it."""

    cameras = 1
    sensor_resolution = (4608, 2592)
    focuses = True

    def __init__(self, index):
        type(self).latest = self
        self.out = 0
        self.closed = self.focused = False
        self.silent = False
        self.settings = None
        self.controls = {}
        self.frames = 0
        self.camera_controls = {"AnalogueGain": (1.0, 16.0, 1.0), "ExposureTime": (1, 10**6, 1)}
        if self.focuses:
            self.camera_controls["AfMode"] = (0, 2, 0)

    @classmethod
    def global_camera_info(cls):
        return [{"Num": number} for number in range(cls.cameras)]

    def create_video_configuration(self, main, controls):
        return {"kind": "video", "main": main, "controls": controls}

    def create_still_configuration(self, main, buffer_count):
        return {"kind": "still", "main": main, "buffers": buffer_count}

    def configure(self, settings):
        self.settings = settings

    def start(self):
        if self.settings is None:
            raise RuntimeError("Camera has not been configured")

    def autofocus_cycle(self, wait):
        self.focused = True
        return True

    def set_controls(self, controls):
        self.controls |= controls

    def capture_request(self, wait, flush):
        if self.silent:
            raise TimeoutError
        assert flush, "without it the picture may be an old one"
        self.frames += 1
        return Request(self)

    def meter(self):
        """The automatic needs some frames to find 14 ms at gain 2."""
        if "ExposureTime" in self.controls:
            return {k: self.controls[k] for k in ("ExposureTime", "AnalogueGain", "ColourGains")}
        share = min(1.0, 0.2 * self.frames)
        return {"ExposureTime": 14000 * share, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.4)}

    def close(self):
        self.closed = True


@pytest.fixture
def ribbon(monkeypatch):
    """picamera2 with one camera; change the class to change what is plugged in."""

    class Plugged(Picamera2):
        pass

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Plugged))
    return Plugged
