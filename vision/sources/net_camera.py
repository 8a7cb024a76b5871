"""Cameras in the network: MJPEG streams and single pictures over HTTP, RTSP."""

from __future__ import annotations

import http.client
from email.message import Message
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import (
    HTTPBasicAuthHandler,
    HTTPDigestAuthHandler,
    HTTPPasswordMgrWithDefaultRealm,
    OpenerDirector,
    ProxyHandler,
    build_opener,
)

import cv2

from companion.rules import BadInput, HardwareFault
from vision import _cv
from vision.frames import PATIENCE, Image
from vision.pictures import decode
from vision.sources.devices import Capture, Device, Newest

LARGEST = 64 * 1024 * 1024
"""Bytes of a picture beyond which a stream is not one of pictures."""


def connect(address: str, patience: float = PATIENCE) -> Device:
    """Open the camera at ``address``, ``rtsp://…`` or ``http://…``; seconds of ``patience``.

    Raises:
        HardwareFault: it cannot be reached, or sends something else than pictures.
    """
    parts = urlsplit(address)
    name = called(parts)
    if parts.scheme.startswith("rtsp"):
        return Newest(_rtsp(address, name, patience), name, patience)
    ask = _Asker(parts, name, patience)
    answer = ask()
    kind = answer.headers.get_content_type()
    if kind.startswith("multipart/"):
        return Newest(Multipart(answer), name, patience)
    answer.close()
    if kind.startswith("image/"):
        return SnapshotCamera(ask, name)
    raise HardwareFault(
        f"{name} sends {kind}, not pictures; use the address of its MJPEG stream or its snapshot."
    )


def called(parts: SplitResult) -> str:
    """Return what faults call the camera: never its password, nor a key in its query."""
    port = f":{parts.port}" if parts.port else ""
    return f"the camera at {parts.hostname}{port}{parts.path}"


def _rtsp(address: str, name: str, patience: float) -> Capture:
    wait = int(1000 * patience)
    capture = _cv.capture(
        address,
        cv2.CAP_FFMPEG,
        [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait],
    )
    if not capture.isOpened():
        capture.release()
        raise HardwareFault(f"{name} cannot be reached; is it switched on and in the network?")
    return Capture(capture)


class _Asker:
    """Asks an HTTP camera, with name and password where the address has them, past any proxy."""

    def __init__(self, parts: SplitResult, name: str, patience: float) -> None:
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")
        self._address, self._name, self._patience = bare.geturl(), name, patience
        keys = HTTPPasswordMgrWithDefaultRealm()
        if parts.username is not None:
            user, password = unquote(parts.username), unquote(parts.password or "")
            keys.add_password(None, self._address, user, password)
        self._opener: OpenerDirector = build_opener(
            ProxyHandler({}), HTTPBasicAuthHandler(keys), HTTPDigestAuthHandler(keys)
        )

    def __call__(self) -> http.client.HTTPResponse:
        try:
            answer: http.client.HTTPResponse = self._opener.open(
                self._address, timeout=self._patience
            )
        except HTTPError as error:
            error.close()
            asks = " Write http://NAME:PASSWORD@… before its address." if error.code == 401 else ""
            raise HardwareFault(
                f"{self._name} answers {error.code} {error.reason}.{asks}"
            ) from error
        except (URLError, http.client.HTTPException, OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            raise HardwareFault(f"{self._name} cannot be reached: {why}.") from error
        return answer


class SnapshotCamera:
    """A device that is asked for every picture (``…/snapshot.jpg``)."""

    def __init__(self, ask: _Asker, name: str) -> None:
        self._ask, self._name = ask, name

    def read(self) -> Image:
        """Return the picture that the camera takes now.

        Raises:
            HardwareFault: none comes, or it cannot be decoded.
        """
        with self._ask() as answer:
            try:
                data = answer.read(LARGEST)
            except (OSError, http.client.HTTPException) as error:
                raise HardwareFault(f"{self._name} broke off in a picture.") from error
        image = _decoded(data)
        if image is None:
            raise HardwareFault(f"{self._name} sends pictures that cannot be read.")
        return image

    def close(self) -> None:
        """Nothing is held open between two pictures."""


class Multipart:
    """An MJPEG stream: the parts of one endless ``multipart/x-mixed-replace`` answer."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer
        headers: Message = answer.headers
        self._mark = b"--" + (headers.get_boundary() or "").removeprefix("--").encode()
        self._data = b""
        self._at_mark = False

    def grab(self) -> bool:
        """Wait for the next picture; False when the stream has ended or fallen silent."""
        try:
            self._data = self._part()
        except (OSError, ValueError, http.client.HTTPException):
            return False
        return bool(self._data)

    def picture(self) -> Image | None:
        """Return the picture grabbed last; None where it cannot be decoded."""
        return _decoded(self._data)

    def close(self) -> None:
        """End the answer."""
        self._answer.close()

    def _part(self) -> bytes:
        """Return the body of the next part, empty at the end of the stream."""
        while not self._at_mark:
            line = self._answer.readline(LARGEST)
            if not line:
                return b""
            self._at_mark = line.startswith(self._mark)
        self._at_mark = False
        length = 0
        while (line := self._answer.readline(LARGEST)).strip():
            field, _, value = line.partition(b":")
            if field.strip().lower() == b"content-length":
                length = int(value)
        return self._measured(length) if 0 < length <= LARGEST else self._unmeasured()

    def _measured(self, length: int) -> bytes:
        data = self._answer.read(length)
        return data if len(data) == length else b""

    def _unmeasured(self) -> bytes:
        """Return everything up to the next mark, for cameras that give no length."""
        lines: list[bytes] = []
        size = 0
        while size < LARGEST:
            line = self._answer.readline(LARGEST)
            if not line:
                return b""
            if line.startswith(self._mark):
                self._at_mark = True
                return b"".join(lines).removesuffix(b"\r\n")
            lines.append(line)
            size += len(line)
        return b""


def _decoded(data: bytes) -> Image | None:
    try:
        return decode(data, "the picture")
    except BadInput:
        return None
