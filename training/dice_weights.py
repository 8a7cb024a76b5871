"""Writes what was taught into the file of weights that the program reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.dice.dice_net import Layers

STEPS = 57
"""Steps up and down in which a weight is kept: more make a larger file, and answer alike."""


def write_beliefs(path: Path, there: NDArray[np.float64], told: NDArray[np.float64]) -> None:
    """Write how much each kind of evidence says, and leave the nets as they are."""
    _write(path, ("there", "told"), {"there": there, "told": told})


def write_nets(path: Path, nets: Mapping[str, Layers]) -> None:
    """Write the layers of nets, each weight as one of 2 STEPS + 1 parts of its map's largest."""
    named: dict[str, NDArray[np.generic]] = {}
    for name, layers in nets.items():
        named[f"{name} steps"] = np.array([layer[2:] for layer in layers])
        for k, (weights, bias, *_) in enumerate(layers):
            scale = np.abs(weights).max((1, 2, 3)).astype(np.float32) / STEPS + 1e-9
            steps = np.round(weights / scale[:, None, None, None])
            named[f"{name} weights {k}"] = steps.astype(np.int8)
            named[f"{name} scale {k}"] = scale.astype(np.float32)
            named[f"{name} bias {k}"] = bias.astype(np.float32)
    _write(path, tuple(nets), named)


def _write(path: Path, names: Sequence[str], named: Mapping[str, NDArray[np.generic]]) -> None:
    """Write arrays in place of those whose names begin with ``names``."""
    with np.load(path) as kept:
        others = {name: kept[name] for name in kept.files if not name.startswith(tuple(names))}
    np.savez_compressed(path, allow_pickle=False, **others, **named)
