"""One address for every source of frames: cameras by kind and name, files by path.

    v4l2:/dev/v4l/by-id/usb-…   a USB webcam by its id (v4l2:0 by number, v4l2:C920 by name)
    picamera                    a camera on a Pi's ribbon cable (picamera:1 the second)
    http://…                    an MJPEG stream or a snapshot in the network
    rtsp://…                    an RTSP stream
    udp:…, mqtt://…, serial:…, dgt:…    a board of sensors (vision.sensing.sensor_source)
    FOLDER, FILE                pictures or a video

Webcams and Pi cameras take settings: ``picamera?size=1640x1232&mains=60``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from companion.rules import BadInput
from companion.rules.given import quoted, whole_number
from vision.frames import Source
from vision.sensing.sensor_source import KINDS, is_felt, open_sensors
from vision.sources import net_camera, usb_camera
from vision.sources.devices import LiveSource
from vision.sources.exposure import MAINS
from vision.sources.pi_camera import PiCamera
from vision.sources.sources import open_source as open_file

NETWORK = ("http", "https", "rtsp", "rtsps")


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """How a camera is to look: ``size`` in pixels, the ``mains`` frequency of the lamps in hertz,
    ``stream``: ``video``, or ``still`` for a Pi camera's whole resolution."""

    size: tuple[int, int] = (1640, 1232)
    mains: int = 50
    stream: str = "video"


def open_source(address: str | Path, *, follow: bool = False) -> Source:
    """Return the source at ``address``; a camera is opened when it is first read. With ``follow``
    a folder of pictures may grow.

    Raises:
        BadInput: no such kind of address, a setting that does not exist, or no such file.
    """
    text = str(address)
    kind, colon, rest = text.partition(":")
    name, _, settings = text.partition("?")
    if kind in NETWORK and rest.startswith("//"):
        return LiveSource(partial(net_camera.connect, _reachable(text)))
    if name == "picamera" or name.startswith("picamera:"):
        index = whole_number(name.partition(":")[2] or "0")
        if index is None:
            raise BadInput(f"{quoted(text)}: Pi cameras have numbers, as in picamera:0")
        given = read_settings(settings, text)
        return LiveSource(
            partial(PiCamera, index, given.size, given.mains, given.stream == "still")
        )
    if kind == "v4l2" and colon:
        which, _, settings = rest.partition("?")
        given = read_settings(settings, text)
        return LiveSource(partial(usb_camera.connect, which, given.size, given.mains))
    if is_felt(text) and colon:
        return open_sensors(text)
    if "://" in text:
        raise BadInput(
            f"{quoted(text)}: addresses begin with {', '.join(f'{n}://' for n in NETWORK)}"
        )
    return open_file(address, follow=follow)


def is_live(address: str) -> bool:
    """Tell whether ``address`` names a camera, not a file."""
    return re.split("[:?]", address)[0] in ("v4l2", "picamera", *NETWORK, *KINDS)


def read_settings(text: str, address: str) -> CameraSettings:
    """Return the settings behind the ``?`` of ``address``.

    Raises:
        BadInput: an unknown setting, or a value that it does not take.
    """
    given: Mapping[str, str] = dict(part.partition("=")[::2] for part in text.split("&") if part)
    if unknown := [name for name in given if name not in ("size", "mains", "stream")]:
        raise BadInput(
            f"{quoted(address)}: cameras have size, mains and stream, not {quoted(unknown[0])}"
        )
    size = re.fullmatch(r"([1-9]\d{1,4})x([1-9]\d{1,4})", given.get("size", "1640x1232"))
    if not size:
        raise BadInput(f"{quoted(address)}: a size is written as 1640x1232")
    mains, stream = given.get("mains", "50"), given.get("stream", "video")
    if mains not in map(str, MAINS):
        raise BadInput(f"{quoted(address)}: mains is 50 or 60 (hertz)")
    if stream not in ("video", "still"):
        raise BadInput(f"{quoted(address)}: stream is video or still")
    return CameraSettings((int(size[1]), int(size[2])), int(mains), stream)


def _reachable(address: str) -> str:
    try:
        parts = urlsplit(address)
        valid = bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise BadInput("a network address names a host: http://192.168.1.7:8080/video")
    return address
