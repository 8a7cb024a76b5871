"""``dice``: every pip die in a photograph, with its value and where it lies."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.commands.common import print_json
from vision.dice.dicefind import FoundDie, find_dice
from vision.pictures import load_picture


def run_dice(arguments: argparse.Namespace) -> int:
    """Print the dice of one photograph, from top to bottom."""
    photo: Path = arguments.photo
    image = load_picture(photo)
    dice = find_dice(image)
    if arguments.json:
        print_json([entry(die) for die in dice])
    else:
        print("\n".join(sentence(die) for die in dice) or "no dice are seen")
    return 0


def entry(die: FoundDie) -> dict[str, Any]:
    """Return a die for programs: ``sure`` is there only where it is not."""
    told: dict[str, Any] = {"value": die.value, "x": round(die.x, 1), "y": round(die.y, 1)}
    return told if die.sure else {**told, "sure": False}


def sentence(die: FoundDie) -> str:
    """Return a die's line for people."""
    doubt = "" if die.sure else "  not sure: look whether it lies flat, alone and in good light"
    return f"{die.value} at {die.x:.0f},{die.y:.0f}{doubt}"
