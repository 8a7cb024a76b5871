"""Small learned readers of pip dice: convolutions in plain numpy, weights beside this file.

``training/train_dice.py`` learns the weights; ``docs/dice.md`` says from what, and how well they
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Maps = NDArray[np.float32]
Layers: TypeAlias = "Sequence[tuple[Maps, Maps, int, int]]"
"""Weights (out, in, side, side), bias (out,), stride and spread of each layer; weights that are
spread look at every so-manieth pixel."""

CELL = 4
"""Pixels a side that one answer of the finder stands for; pictures are shown in multiples."""
USUAL = 16.0
"""Pixels of a die's side that the finder answers 0 for: it answers logarithms."""
PATCH, DIE = 48, 30
"""Pixels of the patches in which the reader tells values, and of a die's side in them."""
VALUES = 8
"""Answers of the reader that tell values; three more tell where the die lies."""
TOGETHER, BAND = 4, 8
"""Pictures, and rows of their answers, that are worked out at once; more would not stay in the
processor's cache."""
WEIGHTS = Path(__file__).with_name("dice_net.npz")


class Net:
    """Convolutions, each with a ramp but the last. Weights of 3x3 keep the size of the maps,
    larger ones look at whole maps only."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers

    def __call__(self, pictures: NDArray[np.uint8]) -> Maps:
        """Return what the net says, (n, maps, rows, columns), of BGR pictures (n, h, w, 3)."""
        some = range(0, len(pictures), TOGETHER)
        return np.concatenate([self._says(pictures[k : k + TOGETHER]) for k in some])

    def _says(self, pictures: NDArray[np.uint8]) -> Maps:
        maps: Maps = pictures.transpose(0, 3, 1, 2).astype(np.float32)
        maps = (maps - np.float32(128)) / np.float32(64)
        for k, (weights, bias, stride, spread) in enumerate(self._layers):
            maps = _convolved(maps, weights, stride, spread)
            maps += bias[:, None, None]
            if k < len(self._layers) - 1:
                np.maximum(maps, 0, out=maps)
        return maps


def _convolved(maps: Maps, weights: Maps, stride: int, spread: int) -> Maps:
    """Return the convolution, as products of matrices of some rows of each picture."""
    side = weights.shape[-1]
    edge = spread if side == 3 else 0
    count, channels, height, width = maps.shape
    height, width = height + 2 * edge, width + 2 * edge
    padded = np.zeros((count, channels, height, width), np.float32)
    padded[:, :, edge : height - edge, edge : width - edge] = maps
    reach = spread * (side - 1)
    rows, columns = ((long - reach - 1) // stride + 1 for long in (height, width))
    matrix = weights.reshape(len(weights), -1)
    found = np.empty((count, len(weights), rows, columns), np.float32)
    right = (columns - 1) * stride + 1
    at = [(spread * y, slice(spread * x, spread * x + right, stride))
          for y in range(side) for x in range(side)]  # fmt: skip
    for start in range(0, rows, BAND):
        some = min(BAND, rows - start)
        taps = np.empty((count, channels, side * side, some, columns), np.float32)
        first, down = start * stride, (some - 1) * stride + 1
        for k, (y, across) in enumerate(at):
            taps[:, :, k] = padded[:, :, first + y : first + y + down : stride, across]
        product = matrix @ taps.reshape(count, matrix.shape[1], -1)
        found[:, :, start : start + some] = product.reshape(count, len(weights), some, columns)
    return found


@cache
def dice_nets() -> tuple[Net, Net]:
    """Return the finder and the reader with the weights that came with this program.

    The finder answers for every cell of a picture: whether a die's middle is there (log odds), the
    logarithm of its side, and how far its middle is off that of the cell, in cells right and down.
    The reader answers for a patch: the log odds of no top, 1 to 6, and no die; and how far a die's
    middle is right and down of the patch's, in DIE pixels, and the logarithm of its side in these.
    """
    return tuple(Net(layers) for layers in read_nets(WEIGHTS))  # type: ignore[return-value]


def read_nets(path: Path) -> list[Layers]:
    """Read the layers of finder and reader."""
    with np.load(path) as kept:
        return [
            [
                (
                    kept[f"{name} weights {k}"] * kept[f"{name} scale {k}"][:, None, None, None],
                    kept[f"{name} bias {k}"],
                    int(stride),
                    int(spread),
                )
                for k, (stride, spread) in enumerate(kept[f"{name} steps"])
            ]
            for name in ("finder", "reader")
        ]


@cache
def beliefs() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how much each kind of evidence (``vision.dice.dicefind.DiceEvidence``) says: that
    there is a die (at last each doubling of those that are sure), and that its value is right."""
    with np.load(WEIGHTS) as kept:
        return kept["there"].astype(np.float64), kept["told"].astype(np.float64)
