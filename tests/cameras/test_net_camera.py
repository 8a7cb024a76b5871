"""Cameras in the network, by a real server in the loopback."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from companion.rules import HardwareFault
from vision.sources.cameras import open_source


def grey(level):
    return np.full((16, 16, 3), level, np.uint8)


def numbered(number):
    """Return a picture unlike that of every other number below 10,000."""
    picture = grey(2 * (number % 100))
    picture[:, 8:] = 2 * (number // 100)
    return picture


@pytest.mark.parametrize("lengths", [True, False])
def test_an_mjpeg_stream_is_read_with_and_without_lengths(net_camera, lengths):
    numbers = itertools.count()
    camera = net_camera(lambda: numbered(next(numbers)), lengths=lengths)
    source = open_source(camera.address)
    frames = [source.read() for _ in range(3)]
    source.close()
    assert [frame.name for frame in frames] == ["000000", "000001", "000002"]
    assert all(frame.image.shape == (16, 16, 3) for frame in frames)
    assert len({frame.image.tobytes() for frame in frames}) == 3, "no picture came twice"


def test_a_camera_that_gives_single_pictures_is_asked_for_each(net_camera):
    taken = []
    camera = net_camera(lambda: taken.append(1) or grey(10 * len(taken)))
    source = open_source(camera.address.replace("stream.mjpg", "snapshot.jpg"))
    source.read()  # connecting looks once
    before = len(taken)
    assert source.read().image.mean() == pytest.approx(10 * (before + 1), abs=2)
    assert len(taken) == before + 1
    source.close()


def test_an_address_that_shows_a_page_is_no_camera(net_camera):
    camera = net_camera(lambda: grey(9))
    with pytest.raises(HardwareFault, match="sends text/html, not pictures"):
        open_source(f"http://127.0.0.1:{camera.port}/").read()


def test_a_password_opens_the_camera_and_is_never_shown(net_camera):
    camera = net_camera(lambda: grey(90), password="ann:se cret")
    with pytest.raises(HardwareFault, match=r"401.*NAME:PASSWORD"):
        open_source(camera.address).read()
    source = open_source(camera.address.replace("://", "://ann:se%20cret@"))
    assert source.read().image is not None
    source.close()
    camera.unplug()
    with pytest.raises(HardwareFault) as fault:
        open_source(camera.address.replace("://", "://ann:se%20cret@")).read()
    assert "cret" not in str(fault.value)
    assert "127.0.0.1" in str(fault.value)


def test_a_camera_switched_off_is_a_fault_and_comes_back(net_camera):
    camera = net_camera(lambda: grey(90))
    source = open_source(camera.address)
    source.read()
    camera.unplug()
    with pytest.raises(HardwareFault):
        # What the line still holds may come first.
        list(iter(source.read, None))
    with pytest.raises(HardwareFault, match="cannot be reached"):
        source.read()
    camera.plug_in()
    assert source.read().image is not None
    source.close()
