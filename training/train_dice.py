"""Learn the nets of pip dice and write their weights where the program finds them.

    pip install torch
    python training/train_dice.py finder FOLDER
    python training/train_dice.py reader FOLDER

FOLDER holds the photographs, laid out as ``training/README.md`` says. A third of every source of
dice and whole sources without dice are kept out; ``training/measure_dice.py`` reads those. The
reader is also shown what the finder wrongly takes for dice, so it is taught after it. Both begin
with those layers of the weights in use that fit.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))
from dice_patches import read_patch
from dice_photos import Photo, photo, photographs, without_dice
from dice_scenes import (
    CROP,
    LARGE,
    SMALL,
    Stock,
    all_coloured,
    coloured,
    found_scene,
    table_with,
    thing_sticker,
)
from dice_sprites import sprite, sprites
from dice_things import KINDS
from dice_weights import write_nets

from vision.dice.dice_net import (
    CELL,
    USUAL,
    VALUES,
    WEIGHTS,
    Layers,
    Net,
    read_nets,
)
from vision.dice.dicefind import Sizes, looked, nearer, places_of

FINDER = [(3, 16, 3, 2, 1), (16, 32, 3, 2, 1), (32, 32, 3, 1, 1), (32, 32, 3, 1, 2),
          (32, 32, 3, 1, 4), (32, 32, 3, 1, 1), (32, 4, 1, 1, 1)]  # fmt: skip
READER = [(3, 16, 3, 1, 1), (16, 32, 3, 2, 1), (32, 32, 3, 1, 1), (32, 64, 3, 2, 1),
          (64, 64, 3, 1, 1), (64, 64, 3, 1, 1), (64, 96, 3, 2, 1), (96, 96, 3, 1, 1),
          (96, 32, 1, 1, 1), (32, 72, 6, 1, 1), (72, VALUES + 3, 1, 1, 1)]  # fmt: skip
"""Layers of the two nets: maps in, maps out, side of the weights, stride, spread."""
GRID = CROP // CELL
RATE = 1e-3
"""Greatest step, unless another is asked for; larger ones would spoil weights well learned."""
LISTED = Path(__file__).with_name("negatives.json")
Shape = list[tuple[int, int, int, int, int]]
MINED = 40
"""About so many photographs of each source are searched for what the finder takes for dice."""
LACKING = "trays", "microscope", "detection"
"""Sources whose truth lacks some dice."""
SAVED = 1000
"""After so many batches what was learned is written."""
NO_DICE = np.zeros((0, 4), np.float32)
Batch = tuple[torch.Tensor, ...]
Floats = NDArray[np.float32]
Whole = NDArray[np.intp]


def stock(folder: Path, chance: np.random.Generator, count: int) -> Stock:
    """Gather what scenes are made of."""
    drawn = [sprite(chance, chance.random() < 0.12) for _ in range(count)]
    dice = [coloured(one, chance) for one in drawn for _ in range(4)]
    alike = [all_coloured(sprites(chance, 4), chance) for _ in range(count)]
    things = [thing_sticker(chance) for _ in range(3 * count)]
    bare = [seen for _, seen in without_dice(folder / "without", LISTED, kept=False)]
    return Stock(photographs(folder, kept=False), dice, alike, things, bare)


def finder_batch(stock: Stock, chance: np.random.Generator) -> Batch:
    """Return pictures, what the finder should say of each, (4, GRID, GRID): heat, size and
    offsets; where the last three count, and where the heat does."""
    scenes = [found_scene(stock, chance) for _ in range(32)]
    told = [answers(scene.dice) for scene in scenes]
    return shown(np.stack([s.picture for s in scenes])), *(
        torch.from_numpy(np.stack(part)) for part in zip(*told, strict=True)
    )


def reader_batch(stock: Stock, chance: np.random.Generator) -> Batch:
    """Return patches, values, and where dice lie."""
    seen, values, lie = zip(*(read_patch(stock, chance) for _ in range(96)), strict=True)
    return shown(np.stack(seen)), torch.tensor(values), torch.from_numpy(np.stack(lie))


def shown(pictures: np.ndarray) -> torch.Tensor:
    """Return pictures as the nets see them."""
    return (torch.from_numpy(pictures).permute(0, 3, 1, 2).float() - 128) / 64


def answers(dice: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what the finder should say of a picture with ``dice``, where size and place count,
    and where the heat does: nobody minds what is said of dice a little too small or large."""
    wanted = np.zeros((4, GRID, GRID), np.float32)
    counts = np.zeros((GRID, GRID), np.float32)
    minds = np.ones((GRID, GRID), np.float32)
    ys, xs = np.mgrid[:GRID, :GRID]
    middle_x, middle_y = (xs + 0.5) * CELL - 0.5, (ys + 0.5) * CELL - 0.5
    nearest = np.full((GRID, GRID), np.inf)
    for x, y, size, _ in dice:
        far = np.hypot(middle_x - x, middle_y - y)
        if not 0.92 * SMALL <= size <= 1.05 * LARGE:
            if size < 1.6 * LARGE:
                minds[far < 0.4 * size] = 0
            continue
        heat = np.exp(-((far / (0.13 * size + 1)) ** 2) / 2)
        if far.min() < CELL:
            heat[np.unravel_index(far.argmin(), far.shape)] = 1.0
        wanted[0] = np.maximum(wanted[0], heat)
        own = (far < np.maximum(0.22 * size, CELL * 0.71)) & (far < nearest)
        nearest[own] = far[own]
        wanted[1][own] = math.log(size / USUAL)
        wanted[2][own], wanted[3][own] = (x - middle_x[own]) / CELL, (y - middle_y[own]) / CELL
        counts[own] = 1
    minds[wanted[0] > 0.999] = 1
    return wanted, counts, minds


def grown(shape: Shape, start: Layers) -> Layers:
    """Return layers of a shape that answer nearly as those of ``start`` do, which may be narrower
    and fewer: an added one hands on what it is told."""
    left, layers = list(start), []
    for before, after, side, stride, spread in shape:
        alike = math.sqrt(2 / (before * side * side))
        weights = 0.1 * alike * torch.randn(after, before, side, side).numpy()
        bias = np.zeros(after, np.float32)
        if left and left[0][0].shape[2] == side and left[0][2] == stride:
            old, own, *_ = left.pop(0)
            weights[len(old) :] *= 10
            weights[: len(old), : old.shape[1]], bias[: len(old)] = old, own
        else:
            weights[range(after), range(after), side // 2, side // 2] += 1
        layers.append((weights, bias, stride, spread))
    return layers


def build(layers: Layers, batch: torch.Tensor) -> nn.Sequential:
    """Return a net to be taught that begins with ``layers``; ``batch`` tells how large their
    answers are, which the normalisation must know."""
    parts: list[nn.Module] = []
    for weights, bias, stride, spread in layers:
        after, before, side, _ = weights.shape
        pad = spread if side == 3 else 0
        last = len(parts) == 3 * len(layers) - 3
        layer = nn.Conv2d(before, after, side, stride, pad, spread, bias=last)
        norm = nn.BatchNorm2d(after)
        with torch.no_grad():
            layer.weight.copy_(torch.from_numpy(weights))
            if last:
                layer.bias.copy_(torch.from_numpy(bias))  # type: ignore[union-attr]
                return nn.Sequential(*parts, layer)
            said = layer(batch)
            norm.weight.copy_(said.std((0, 2, 3)))
            norm.bias.copy_(said.mean((0, 2, 3)) + torch.from_numpy(bias))
            batch = torch.relu(norm(said))
        parts += [layer, norm, nn.ReLU()]
    raise AssertionError


def miss(
    said: torch.Tensor, wanted: torch.Tensor, counts: torch.Tensor, minds: torch.Tensor
) -> torch.Tensor:
    """Focal loss for the heat (Law and Deng 2018), distances for size and place."""
    heat, target = said[:, 0], wanted[:, 0]
    p = torch.sigmoid(heat)
    on = target > 0.999
    good = -nn.functional.logsigmoid(heat) * (1 - p) ** 2
    bad = -nn.functional.logsigmoid(-heat) * p**2 * (1 - target) ** 4 * minds
    total = torch.where(on, good, bad).sum() / on.sum().clamp(min=1)
    off = (said[:, 1:] - wanted[:, 1:]).abs().sum(1)
    return total + (off * counts).sum() / counts.sum().clamp(min=1)


def misread(said: torch.Tensor, values: torch.Tensor, lie: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the values, and distances of where dice lie."""
    told = ~lie[:, 0].isnan()
    off = (said[told, VALUES:, 0, 0] - lie[told]).abs().sum(1).mean()
    wrong = nn.functional.cross_entropy(said[:, :VALUES, 0, 0], values, label_smoothing=0.02)
    return wrong + off


def plain(net: nn.Sequential) -> Layers:
    """Return the net's layers with the normalisation folded in."""
    layers = []
    parts = list(net)
    for k, part in enumerate(parts):
        if not isinstance(part, nn.Conv2d):
            continue
        weights = part.weight.detach().numpy()
        if k + 1 < len(parts):
            norm = parts[k + 1]
            gain = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach().numpy()
            bias = norm.bias.detach().numpy() - norm.running_mean.numpy() * gain
            weights = weights * gain[:, None, None, None]
        else:
            bias = part.bias.detach().numpy()
        layers.append((weights, bias.astype(np.float32), part.stride[0], part.dilation[0]))
    return layers


def learn(
    net: nn.Sequential,
    cost: Callable[..., torch.Tensor],
    batch: Callable[[], Batch],
    count: int,
    keep: Callable[[Layers], None],
) -> None:
    """Teach a net with so many batches; what is kept is the mean of its latest weights, now and
    then and at the end."""
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    latest = get_ema_multi_avg_fn(0.998)
    kept = AveragedModel(net, multi_avg_fn=latest, use_buffers=True)
    steps = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-2)
    mean = 0.0
    for k in range(count):
        rate = RATE * min(1.0, (k + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * k / count)) + 1e-5
        for group in steps.param_groups:
            group["lr"] = rate
        pictures, *wanted = batch()
        with torch.autocast("cpu", torch.bfloat16):
            said = net(pictures.contiguous(memory_format=torch.channels_last))
        loss = cost(said.float(), *wanted)
        steps.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        steps.step()
        if k > count // 10:
            kept.update_parameters(net)
        mean += (float(loss.detach()) - mean) * max(0.01, 1 / (k + 1))
        if k % 100 == 99:
            print(f"{k + 1} of {count} batches, loss {mean:.3f}", flush=True)
        if k % SAVED == SAVED - 1 or k == count - 1:
            keep(plain(kept.module))


def look_for(stock: Stock, drawn: Sequence[Photo], finder: Net, reader: Net) -> None:
    """Add to ``stock`` what the finder sees in some photographs of each source and in tables that
    are ``drawn`` with what is none, as it takes it to lie and as the reader does: dice, and what is
    none. Of a source whose truth may lack dice, what is none is not known."""
    shown = {name: some[:: max(1, len(some) // MINED)] for name, some in stock.photos.items()}
    for name, photos in (*shown.items(), ("", stock.bare[::3]), ("drawn", drawn)):
        for seen in photos:
            sizes = Sizes(seen.picture)
            places = places_of(sizes, finder)
            said = looked(sizes, places, reader)
            places += [nearer(*one) for one in zip(places, said, strict=True)]
            at = np.array([(p.x, p.y, p.size) for p in places], np.float32).reshape(-1, 3)
            dice, off = nearest(at, seen.dice)
            own = off < 0.4
            if own.any():
                stock.found[seen] = at[own], dice[own]
            if name not in LACKING:
                stock.hard += [(seen, place) for place in at[~own][:60]]


def nearest(at: Floats, dice: Floats) -> tuple[Whole, Floats]:
    """Return the die nearest to each place, and how far off it is, in sides of the die. A place of
    quite another size is far off."""
    if not len(dice):
        return np.zeros(len(at), np.intp), np.full(len(at), np.inf, np.float32)
    off = np.hypot(*(at[:, None, :2] - dice[:, :2]).transpose(2, 0, 1)) / dice[:, 2]
    off[np.abs(np.log(at[:, None, 2] / dice[:, 2])) > 0.5] = np.inf
    return off.argmin(1), off.min(1)


def main() -> None:
    """Run as a command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", choices=("finder", "reader"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--batches", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sprites", type=int, default=500, help="drawn dice to show")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    os.nice(10)
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    chance = np.random.default_rng(chosen.seed)
    finder, reader = read_nets(chosen.weights)
    made_of = stock(chosen.folder, chance, chosen.sprites)
    print("stock:", {name: len(some) for name, some in made_of.photos.items()}, flush=True)

    def keep(layers: Layers) -> None:
        write_nets(chosen.weights, {chosen.net: layers})

    if chosen.net == "finder":
        first = torch.cat([finder_batch(made_of, chance)[0] for _ in range(8)])
        net = build(grown(FINDER, finder), first)
        learn(net, miss, lambda: finder_batch(made_of, chance), chosen.batches, keep)
    else:
        drawn = [photo("", table_with(draw, chance), NO_DICE) for draw in KINDS for _ in range(3)]
        look_for(made_of, drawn, Net(finder), Net(reader))
        print(f"{len(made_of.hard)} places were taken for dice", flush=True)
        net = build(grown(READER, reader), reader_batch(made_of, chance)[0])
        learn(net, misread, lambda: reader_batch(made_of, chance), chosen.batches, keep)


if __name__ == "__main__":
    main()
