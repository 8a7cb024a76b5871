"""Pictures that come in another size than before: another camera, which has to find the board."""

from __future__ import annotations

from companion.rules import BadInput, Board, say
from vision.board.calibrate import Camera
from vision.board.calibration import entered
from vision.frames import Image, TableFile

STRETCHED = 0.02
"""Part by which the ratio of the picture's sides may change while it still shows the same view."""

SMALLEST = 96
"""Pixels along the shorter side below which tokens are too small to be read."""


def size_of(image: Image) -> tuple[int, int]:
    """Return the width and height of ``image`` in pixels."""
    return image.shape[1], image.shape[0]


class Resized:
    """Notices when pictures come in another size than before. ``table_file`` is the description of
    where the board lies, changed to the new size."""

    def __init__(self, table_file: TableFile) -> None:
        self.table_file = table_file
        self._size: tuple[int, int] | None = None
        self._known = not table_file.keys().isdisjoint(("corners", "taps"))

    def notices(self, image: Image, board: Board, camera: Camera | None) -> bool:
        """Tell whether ``image`` is the first one of another size than those before, so that
        everything has to be looked at anew. The board is then where ``camera``, which saw it in
        the last size, would show it in a smaller or larger picture of the same; printed markers
        are found wherever they are.

        Raises:
            BadInput: it has other proportions, so it may show another part of the table; or it is
                too small for anything.
        """
        size, before = size_of(image), self._size
        if min(size) < SMALLEST:
            now = f"{size[0]} x {size[1]}"
            raise BadInput(
                say(
                    "The camera sends pictures of {now} points: too small to read the table; "
                    "set it to larger ones.",
                    now=now,
                )
            )
        if size == before:
            return False
        if before is not None and self._known and "markers" not in self.table_file:
            across, down = size[0] / before[0], size[1] / before[1]
            if abs(across / down - 1) > STRETCHED:
                raise BadInput(
                    say(
                        "The camera sends pictures of {now} points now, not of {before} as before: "
                        "calibrate it again.",
                        now=f"{size[0]} x {size[1]}",
                        before=f"{before[0]} x {before[1]}",
                    )
                )
            where = entered(board, camera) if camera else {"image_size": list(before)}
            self.table_file = {**self.table_file, **where}
        self._size = size
        return before is not None
