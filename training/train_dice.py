"""Learn the reader of pip dice and write its weights where the program finds them.

    pip install torch
    python training/train_dice.py PHOTOS --minutes 25
    python training/train_dice.py PHOTOS --minutes 12 --fold 0/3

PHOTOS is a folder of photographs with ``ground_truth.json`` (name -> dice with value and box in
fractions). Half of what is shown is drawn dice, half photographs, all bent and recoloured. With
--fold one part of the photographs is kept out, and the share of its dice read right is printed;
parts are runs of ten photographs, so that likely neighbours stay together.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import cv2
import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))
from dice_scenes import CROP, Photo, Scene, close_up, cut, drawn, drawn_close_up, photo, recoloured
from dice_sprites import Sprite, sprite

from vision.dice.dice_net import CELL, USUAL, WEIGHTS, Layers, Net, write_nets
from vision.dice.dicefind import find_dice

FINDER = [(3, 16, 3, 2), (16, 32, 3, 2), (32, 32, 3, 1), (32, 64, 3, 2), (64, 64, 3, 1),
          (64, 64, 3, 1), (64, 4, 1, 1)]  # fmt: skip
READER = [(3, 16, 3, 1), (16, 32, 3, 2), (32, 32, 3, 1), (32, 64, 3, 2), (64, 64, 3, 1),
          (64, 64, 3, 2), (64, 96, 6, 1), (96, 8, 1, 1)]  # fmt: skip
"""Layers of the two nets: maps in, maps out, side of the weights, stride."""
GRID = CROP // CELL
Shape = list[tuple[int, int, int, int]]
Cost = Callable[..., torch.Tensor]
Supply = Callable[[list[Photo], list[Sprite], np.random.Generator], tuple[np.ndarray, ...]]


def photographs(folder: Path) -> dict[str, Scene]:
    """Load the photographs with their dice."""
    truth = json.loads((folder / "ground_truth.json").read_text())
    scenes = {}
    for name in sorted(truth):
        picture = cv2.imread(str(folder / name))
        height, width = picture.shape[:2]
        dice = [
            ((die["xmin"] + die["xmax"]) / 2 * width, (die["ymin"] + die["ymax"]) / 2 * height,
             max((die["xmax"] - die["xmin"]) * width, (die["ymax"] - die["ymin"]) * height),
             die["value"])
            for die in truth[name]["dice"]
        ]  # fmt: skip
        scenes[name] = Scene(picture, np.array(dice, np.float32).reshape(-1, 4))
    return scenes


def example(photos: list[Photo], sprites: list[Sprite], chance: np.random.Generator) -> tuple:
    """Return a batch for the finder: pictures, and what the net should say of each, (4, GRID,
    GRID): heat, size and offsets, and where the last three count."""
    scenes = []
    for _ in range(16):
        real = chance.random() < 0.55
        scene = (
            cut(photos[chance.integers(len(photos))], chance) if real else drawn(sprites, chance)
        )
        scenes.append(Scene(recoloured(scene.picture, chance), scene.dice))
    told = [answers(scene.dice) for scene in scenes]
    return tuple(np.stack(part) for part in ([s.picture for s in scenes], *zip(*told, strict=True)))


def patches(photos: list[Photo], sprites: list[Sprite], chance: np.random.Generator) -> tuple:
    """Return a batch for the reader: patches and values."""
    seen, values = [], []
    for _ in range(64):
        if chance.random() < 0.6:
            patch, value = close_up(photos[chance.integers(len(photos))], chance)
        else:
            patch, value = drawn_close_up(sprites, chance)
        seen.append(recoloured(patch, chance))
        values.append(value)
    return np.stack(seen), np.array(values)


def answers(dice: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what the finder should say of a picture with ``dice``, and where it counts."""
    wanted = np.zeros((4, GRID, GRID), np.float32)
    counts = np.zeros((GRID, GRID), np.float32)
    ys, xs = np.mgrid[:GRID, :GRID]
    middle_x, middle_y = (xs + 0.5) * CELL - 0.5, (ys + 0.5) * CELL - 0.5
    nearest = np.full((GRID, GRID), np.inf)
    for x, y, size, _ in dice:
        far = np.hypot(middle_x - x, middle_y - y)
        heat = np.exp(-((far / (0.16 * size + 2)) ** 2) / 2)
        if far.min() < CELL:
            heat[np.unravel_index(far.argmin(), far.shape)] = 1.0
        wanted[0] = np.maximum(wanted[0], heat)
        own = (far < np.maximum(0.22 * size, CELL * 0.71)) & (far < nearest)
        nearest[own] = far[own]
        wanted[1][own] = math.log(size / USUAL)
        wanted[2][own], wanted[3][own] = (x - middle_x[own]) / CELL, (y - middle_y[own]) / CELL
        counts[own] = 1
    return wanted, counts


def build(shape: Shape) -> nn.Sequential:
    """Return a net to be taught."""
    parts: list[nn.Module] = []
    for before, after, side, stride in shape[:-1]:
        pad = 1 if side == 3 else 0
        parts += [
            nn.Conv2d(before, after, side, stride, pad, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
        ]
    parts.append(nn.Conv2d(shape[-1][0], shape[-1][1], 1))
    return nn.Sequential(*parts)


def miss(said: torch.Tensor, wanted: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Focal loss for the heat (Law and Deng 2018), distances for size and place."""
    heat, target = said[:, 0], wanted[:, 0]
    p = torch.sigmoid(heat)
    on = target > 0.999
    good = -nn.functional.logsigmoid(heat) * (1 - p) ** 2
    bad = -nn.functional.logsigmoid(-heat) * p**2 * (1 - target) ** 4
    total = torch.where(on, good, bad).sum() / on.sum().clamp(min=1)
    off = (said[:, 1:] - wanted[:, 1:]).abs().sum(1)
    return total + (off * counts).sum() / counts.sum().clamp(min=1)


def misread(said: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the values."""
    return nn.functional.cross_entropy(said[:, :, 0, 0], values, label_smoothing=0.03)


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
        halved = weights.astype(np.float16).astype(np.float32)
        layers.append((halved, bias.astype(np.float32), part.stride[0]))
    return layers


def supply(
    queue: Queue, make: Supply, photos: list[Photo], sprites: list[Sprite], seed: int
) -> None:
    """Make batches for ever."""
    chance = np.random.default_rng(seed)
    while True:
        queue.put(make(photos, sprites, chance))


def learn(
    net: nn.Sequential, cost: Callable[..., torch.Tensor], queue: Queue, minutes: float
) -> nn.Sequential:
    """Teach a net for so many minutes."""
    steps = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-2)
    queue.get()
    start, count, mean = time.monotonic(), 0, 0.0
    while (part := (time.monotonic() - start) / (60 * minutes)) < 1:
        rate = 4e-3 * min(1.0, (count + 1) / 60) * (0.5 + 0.5 * math.cos(math.pi * part)) + 1e-5
        for group in steps.param_groups:
            group["lr"] = rate
        pictures, *wanted = (torch.from_numpy(told) for told in queue.get())
        shown = (pictures.permute(0, 3, 1, 2).float() - 128) / 64
        loss = cost(net(shown), *wanted)
        steps.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        steps.step()
        count += 1
        mean += (float(loss.detach()) - mean) * max(0.02, 1 / count)
        if count % 100 == 0:
            print(f"{count} batches, {100 * part:.0f} %, loss {mean:.3f}", flush=True)
    return net.eval()


def teach(
    shape: Shape, cost: Cost, make: Supply, photos: list[Photo], sprites: list[Sprite],
    minutes: float, seed: int,
) -> Layers:  # fmt: skip
    """Teach a net of this shape while another thread makes what it learns from."""
    torch.manual_seed(seed)
    queue: Queue = Queue(8)
    arguments = queue, make, photos, sprites, seed
    threading.Thread(target=supply, args=arguments, daemon=True).start()
    return plain(learn(build(shape), cost, queue, minutes))


def score(nets: tuple[Net, Net], scenes: dict[str, Scene]) -> None:
    """Print how many dice are found and read right, and what else was found."""
    dice = right = found = false = unsure = 0
    for name, scene in scenes.items():
        left = list(find_dice(scene.picture, nets))
        for x, y, size, value in scene.dice:
            dice += 1
            near = [d for d in left if max(abs(d.x - x), abs(d.y - y)) < size / 2]
            if not near:
                print(f"  {name}: {int(value)} at {x:.0f},{y:.0f} not found")
                continue
            best = min(near, key=lambda d: math.hypot(d.x - x, d.y - y))
            left.remove(best)
            found += 1
            unsure += not best.sure
            right += best.value == value
            if best.value != value:
                print(f"  {name}: {int(value)} at {x:.0f},{y:.0f} read {best}")
        false += len(left)
        for d in left:
            print(f"  {name}: nothing at {d}")
    share = 100 * right / dice
    print(f"{right} of {dice} right ({share:.2f} %), {found} found, {unsure} unsure, {false} false")


def main() -> None:
    """Run as a command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--fold", help="K/N: keep part K of N out and read it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sprites", type=int, default=900, help="drawn dice to show")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    os.nice(5)
    torch.set_num_threads(1)
    scenes = photographs(chosen.photos)
    kept: dict[str, Scene] = {}
    if chosen.fold:
        part, parts = map(int, chosen.fold.split("/"))
        kept = {name: s for k, (name, s) in enumerate(scenes.items()) if k // 10 % parts == part}
    photos = [photo(scene) for name, scene in scenes.items() if name not in kept]
    chance = np.random.default_rng(chosen.seed)
    sprites = [sprite(chance, chance.random() < 0.12) for _ in range(chosen.sprites)]
    finder = teach(FINDER, miss, example, photos, sprites, 0.35 * chosen.minutes, chosen.seed)
    reader = teach(READER, misread, patches, photos, sprites, 0.65 * chosen.minutes, chosen.seed)
    write_nets(chosen.out, {"finder": finder, "reader": reader})
    score((Net(finder), Net(reader)), kept or scenes)


if __name__ == "__main__":
    main()
