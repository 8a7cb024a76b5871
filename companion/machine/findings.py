"""What a check of the machine found, and what to do about a missing package."""

from __future__ import annotations

import importlib.util
from typing import NamedTuple

from companion.rules import HardwareFault


class Finding(NamedTuple):
    """The result of one check: ``level`` is ``ok``, ``note`` (works, but something is absent) or
    ``fault``; ``advice`` is what to do."""

    check: str
    level: str
    message: str
    advice: str = ""


OPENCV = (
    "run `make play`, or say pip install 'tabletop-companion[headless]' (on a desktop [desktop]; "
    "on a Raspberry Pi apt install python3-opencv, in an environment with --system-site-packages)"
)
"""What to run to install OpenCV, which depends on the machine."""
OURS = ("companion", "vision", "hardware", "web")


def mended_by(trouble: str) -> str:
    """Return what to do about a package that cannot be imported."""
    if "libGL" in trouble:
        return (
            "apt install libgl1, or take the OpenCV without windows: pip install "
            "opencv-python-headless after pip uninstall opencv-python"
        )
    if "dtype size changed" in trouble or "numpy.core.multiarray" in trouble:
        return (
            "pip's OpenCV and the system's camera package want different NumPys: in an environment "
            "with --system-site-packages say `pip uninstall opencv-python opencv-python-headless "
            "numpy` and use apt's"
        )
    if trouble.startswith(("pytest ", "_pytest ")):
        return "pip install pytest"
    return OPENCV if "cv2" in trouble else "run `make play` once"


def lacking(error: ImportError) -> HardwareFault:
    """Return ``error``, the failed import of a package, as one sentence that says what to do.

    Raises:
        ImportError: a module of our own is missing, which no user can mend.
    """
    missing = (error.name or "").partition(".")[0]
    if missing in OURS:
        raise error
    name = {"cv2": "OpenCV", "": "a package"}.get(missing, missing)
    absent = isinstance(error, ModuleNotFoundError)
    what = "is not installed" if absent else f"cannot be imported ({error.msg})"
    cure = mended_by(f"{missing} {error.msg}")
    return HardwareFault(f"{name} {what}, which this command needs: {cure}")


def need_opencv() -> None:
    """Check at once that OpenCV is installed, where it is imported only later.

    Raises:
        HardwareFault: it is not installed.
    """
    try:
        found = importlib.util.find_spec("cv2")
    except ValueError:  # imported without a place it came from
        found = None
    if found is None:
        raise lacking(ModuleNotFoundError("No module named 'cv2'", name="cv2"))
