"""Texts and requests that nobody means, by the hundred thousand: each is read, or refused in a
sentence for people.

    python -m tests.soak.soak_fuzz [--texts 130000] [--requests 8000] [--seed 1]
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path

from tests.checks.fuzzing import Requests, Texts


def main() -> int:
    """Run, print a table of counts, and fail where anything was no sentence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=130_000)
    parser.add_argument("--requests", type=int, default=8_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    logging.disable(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        counted = [
            Texts(chosen.seed).run(chosen.texts),
            Requests(chosen.seed, Path(folder)).run(chosen.requests),
        ]
    print(f"seed {chosen.seed}")
    for count in counted:
        print(*count.table(), sep="\n")
        for kind, what in count.failed[:20]:
            print(f"{kind}: {what}")
    return 1 if any(count.failed for count in counted) else 0


if __name__ == "__main__":
    raise SystemExit(main())
