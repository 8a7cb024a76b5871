"""Small learned readers of pip dice: convolutions in plain numpy, weights beside this file.

``training/train_dice.py`` learns the weights, from drawn dice and from photographs under the
BSD-3-Clause licence (Nell Byler, dice_detection).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Maps = NDArray[np.float32]
Layers: TypeAlias = "Sequence[tuple[Maps, Maps, int]]"
"""Weights (out, in, side, side), bias (out,) and stride of each layer."""

CELL = 8
"""Pixels a side that one answer of the finder stands for."""
USUAL = 40.0
"""Pixels of a die's side that the finder answers 0 for: it answers logarithms."""
WEIGHTS = Path(__file__).with_name("dice_net.npz")


class Net:
    """Convolutions, each with a ramp but the last. Weights of 3x3 keep the size of the maps,
    larger ones look at whole maps only."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers

    def __call__(self, pictures: NDArray[np.uint8]) -> Maps:
        """Return what the net says, (n, maps, rows, columns), of BGR pictures (n, h, w, 3)."""
        maps: Maps = pictures.transpose(0, 3, 1, 2).astype(np.float32)
        maps = (maps - np.float32(128)) / np.float32(64)
        for k, (weights, bias, stride) in enumerate(self._layers):
            maps = _convolved(maps, weights, stride)
            maps += bias[:, None, None]
            if k < len(self._layers) - 1:
                np.maximum(maps, 0, out=maps)
        return maps


def _convolved(maps: Maps, weights: Maps, stride: int) -> Maps:
    """Return the convolution as one product of matrices for each picture."""
    side = weights.shape[-1]
    edge = 1 if side == 3 else 0
    count, channels, height, width = maps.shape
    height, width = height + 2 * edge, width + 2 * edge
    padded = np.zeros((count, channels, height, width), np.float32)
    padded[:, :, edge : height - edge, edge : width - edge] = maps
    rows, columns = (height - side) // stride + 1, (width - side) // stride + 1
    taps = np.empty((count, channels, side * side, rows, columns), np.float32)
    for k in range(side * side):
        y, x = divmod(k, side)
        down = slice(y, y + (rows - 1) * stride + 1, stride)
        taps[:, :, k] = padded[:, :, down, x : x + (columns - 1) * stride + 1 : stride]
    matrix = weights.reshape(len(weights), -1)
    product = matrix @ taps.reshape(count, matrix.shape[1], -1)
    return np.asarray(product.reshape(count, len(weights), rows, columns))


@cache
def dice_nets() -> tuple[Net, Net]:
    """Return the finder and the reader with the weights that came with this program.

    The finder answers for every CELL pixels of a picture: whether a die's middle is there (log
    odds), the logarithm of its side, and how far its middle is off that of the cell, in cells
    right and down. The reader answers for a patch: the log odds of no top, 1 to 6, and no die.
    """
    return tuple(Net(layers) for layers in read_nets(WEIGHTS, ("finder", "reader")))  # type: ignore[return-value]


def read_nets(path: Path, names: Sequence[str]) -> list[Layers]:
    """Read the layers of the named nets."""
    with np.load(path) as kept:
        return [
            [
                (
                    kept[f"{name} weights {k}"].astype(np.float32),
                    kept[f"{name} bias {k}"].astype(np.float32),
                    int(stride),
                )
                for k, stride in enumerate(kept[f"{name} strides"])
            ]
            for name in names
        ]


def write_nets(path: Path, nets: Mapping[str, Layers]) -> None:
    """Write the layers of nets, in halves of the usual precision."""
    named: dict[str, NDArray[np.generic]] = {}
    for name, layers in nets.items():
        named[f"{name} strides"] = np.array([stride for _, _, stride in layers])
        for k, (weights, bias, _) in enumerate(layers):
            named[f"{name} weights {k}"] = weights.astype(np.float16)
            named[f"{name} bias {k}"] = bias.astype(np.float32)
    np.savez_compressed(path, allow_pickle=False, **named)
