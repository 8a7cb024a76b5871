"""Read the recordings as other rooms would have given them, and count what went wrong.

    python -m tests.soak.soak_light --seed 1 --seeds 3
    python -m tests.soak.soak_light --only victorus-1 --kind sun --seed 4

The rooms are those of ``tests.checks.room_light``. Whoever mends the reading does so with some
seeds and judges it by others. Nothing false may be told in any room; what is not read is counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.checks.recordings import OTHERS, OURS
from tests.checks.room_light import KINDS, read_lines
from tests.checks.soaking import key


def lying(position: Any) -> dict[str, str]:
    """Return what lies where; a captor's being turned round is not counted."""
    return {spot: token.removesuffix(" frozen") for spot, token in (position or {}).items()}


def moves(folder: Path) -> bool:
    """Tell whether what happens in a recording is moves on a board."""
    entries = json.loads((folder / "truth.json").read_text())
    return all(event.get("from") for entry in entries for event in entry["events"])


def judge(folder: Path, kind: str, seed: int) -> Counter[str]:
    """Read ``folder`` in one room: ``right`` of its ``stills``, ``told`` of its ``events``, and
    what was told that had not happened (``false``); ``hands`` that were taken for still tables."""
    counts: Counter[str] = Counter()
    due: list[tuple[Any, ...]] = []
    truth = json.loads((folder / "truth.json").read_text())
    for line, entry in zip(read_lines(folder, kind, seed), truth, strict=True):
        due += [key(event) for event in entry["events"]]
        counts["events"] += len(entry["events"])
        for action in line["actions"]:
            if key(action) in due:
                due.remove(key(action))
                counts["told"] += 1
            else:
                counts["false"] += 1
                print(f"false: {folder.name} {kind} {seed} {line['frame']} {key(action)}")
        counts["asked"] += "ask" in line
        if entry["kind"] == "still":
            counts["stills"] += 1
            right = line["still"] and lying(line["position"]) == lying(entry.get("position"))
            counts["right"] += right
            if not right and not line["still"]:
                counts["waited"] += 1
        else:
            counts["hands"] += bool(line["still"])
    return counts


def main() -> int:
    """Return 1 if anything false was told."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", help="a recording's name")
    parser.add_argument("--kind", action="append", choices=sorted(KINDS))
    parser.add_argument("--seed", type=int, default=1, help="the first room's seed")
    parser.add_argument("--seeds", type=int, default=1, help="rooms of each kind")
    chosen = parser.parse_args()
    folders = {path.parent.name: path.parent for at in (OTHERS, OURS) if at.is_dir()
               for path in sorted(at.glob("*/truth.json"))}  # fmt: skip
    total: Counter[str] = Counter()
    for name in chosen.only or filter(lambda name: moves(folders[name]), folders):
        for kind in chosen.kind or KINDS:
            for seed in range(chosen.seed, chosen.seed + chosen.seeds):
                counts = judge(folders[name], kind, seed)
                total += counts
                print(json.dumps({"recording": name, "kind": kind, "seed": seed, **counts}),
                      flush=True)  # fmt: skip
    print(json.dumps(total))
    return int(total["false"] > 0)


if __name__ == "__main__":
    sys.exit(main())
