"""What a board of sensors under the simulated table feels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.simulation.tabletop import LyingPiece, SimulatedTable
from vision.frames import Sensed


class SimulatedBoard:
    """A board of sensors under ``table`` (:class:`vision.sensing.sensor_source.Wire`) that does not
    know its pieces: it feels on which spots something lies, and where a piece went meanwhile.
    ``wait`` returns when it is to be asked again; ``alone`` no camera looks at the table."""

    def __init__(
        self, table: SimulatedTable, wait: Callable[[], None], *, alone: bool = False
    ) -> None:
        self._table, self._wait, self._alone = table, wait, alone
        self._lay: Mapping[str, LyingPiece] = {}

    def receive(self, seconds: float) -> Sequence[Sensed]:
        """Return what is felt now."""
        self._wait()
        if self._alone:
            self._table.gestures()  # nobody else takes them
        before, self._lay = self._lay, self._table.pieces
        left = {spot for spot, piece in before.items() if self._lay.get(spot) is not piece}
        return [Sensed(frozenset(self._lay), frozenset(left))]

    def close(self) -> None:
        """Let go of nothing."""
