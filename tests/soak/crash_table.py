"""Kill a table that is in play, again and again, and look for anything that was lost.

    python -m tests.soak.crash_table --kills 500

A child process plays random actions on a table with a journal on disk and acknowledges each on a
pipe once the call has returned. The parent kills it with SIGKILL after a random number of
acknowledgements and a random moment more, opens the journal and compares. The exit status is 1
if anything acknowledged is missing, changed or half there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.games import find_game
from companion.journal import Event, Journal
from companion.table import Table

LONGEST = 40
"""Actions in a game before the child begins the next one in the same journal."""
LIVES = 20
"""Kills before a fresh journal is begun, so that comparing everything stays quick."""


# -- the child: a table in play ----------------------------------------------------------


def photographs(seed: int) -> dict[str, bytes]:
    """Return two pictures of a size like that of real ones, the same for the same seed."""
    source = random.Random(seed)
    return {
        moment: source.randbytes(source.randrange(2_000, 9_000)) for moment in ("before", "after")
    }


def child(path: str, game_name: str, seed: int) -> None:
    """Play random actions for ever and acknowledge each."""
    source = random.Random(seed)
    game = find_game(game_name)
    with Journal(path) as journal:
        if journal.games():
            table = Table.resume(journal)
        else:
            table = Table.create(journal, game, game.setup())
        seen = 0
        while True:
            acknowledge(table, seen)
            seen = table.state_id
            if len(table.actions) >= LONGEST or not game.legal(table.state):
                table = Table.create(journal, game, game.setup())
            else:
                happen(table, source)


def happen(table: Table[Any], source: random.Random) -> None:
    """Let something happen at the table: mostly a legal action."""
    legal = table.game.legal(table.state)
    pictures = photographs(table.state_id)
    match source.choices(("play", "refuse", "undo", "correct", "note"), (16, 1, 1, 1, 1))[0]:
        case "undo" if table.actions:
            table.undo(source.randint(1, min(3, len(table.actions))), "red")
        case "correct" if table.actions:
            other = source.choice(table.game.legal(table.past[-2]))
            table.correct([other], "red", evidence=pictures)
        case "refuse" if table.actions:
            table.play(table.actions[-1], "camera", pictures)
        case "note":
            table.note("differs", {"spots": [str(legal[0].origin)]}, "camera")
        case _:
            table.play(source.choice(legal), "camera", pictures)


def acknowledge(table: Table[Any], seen: int) -> None:
    """Tell the parent what has happened since ``seen`` and where that led."""
    told = [fingerprint(event) for event in table.events(seen)]
    print(json.dumps([table.game_id, told, digest(table)]), flush=True)


def fingerprint(event: Event) -> list[Any]:
    """Return what must be found again of an event."""
    return [event.seq, event.kind, event.action, event.at, list(event.photographs)]


def digest(table: Table[Any]) -> str:
    """Return a digest of the table's whole state."""
    dumped = json.dumps(table.game.dump(table.state), sort_keys=True, default=str)
    return hashlib.sha256(dumped.encode()).hexdigest()


# -- the parent --------------------------------------------------------------------------


def kill_one(path: str, game: str, source: random.Random) -> list[list[Any]]:
    """Run a child, kill it at a random point, return everything that it acknowledged."""
    command = [sys.executable, __file__, "--child", path, "--game", game]
    command += ["--seed", str(source.randrange(2**32))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(source.randint(1, 25))]
        try:
            process.wait(timeout=source.expovariate(1 / 0.005))
        except subprocess.TimeoutExpired:
            process.kill()
        else:
            raise SystemExit(f"the child ended by itself with status {process.returncode}")
        lines += process.stdout.readlines()
    # A last line without its end is an acknowledgement that was cut off by the kill.
    return [json.loads(line) for line in lines if line.endswith("\n")]


def losses(path: str, acknowledged: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Yield a sentence for everything that is not in the journal as it was acknowledged."""
    with Journal(path) as journal:
        found = {event.seq: event for game in journal.games() for event in journal.events(game)}
        for _, told, _ in acknowledged:
            for event in told:
                if event[0] not in found or fingerprint(found[event[0]]) != event:
                    yield f"lost or changed: {event}"
        game_id, told, wanted = acknowledged[-1]
        table = Table.resume(journal, game_id)
        if told and digest_at(table, told[-1][0]) != wanted:
            yield f"another position after event {told[-1][0]}"
        yield from halves(journal, found)


def digest_at(table: Table[Any], seq: int) -> str:
    """Return the digest of the state right after event ``seq``."""
    dumped = json.dumps(table.game.dump(table.line_at(seq).state), sort_keys=True, default=str)
    return hashlib.sha256(dumped.encode()).hexdigest()


def halves(journal: Journal, found: dict[int, Event]) -> Iterator[str]:
    """Yield a sentence for everything of which only a half was committed."""
    if sorted(found) != list(range(1, len(found) + 1)):
        yield "a gap between the events"
    for seq, event in found.items():
        if event.kind == "corrected" and (seq + 1 not in found or found[seq + 1].kind != "action"):
            yield f"event {seq} takes back and puts nothing in its place"
        if event.photographs and set(journal.evidence(seq)) != {"before", "after"}:
            yield f"event {seq} has lost a photograph"
        expected = photographs(seq - 1 - (found.get(seq - 1, event).kind == "corrected"))
        if event.photographs and journal.evidence(seq) != expected:
            yield f"event {seq} has another photograph"


def soak(kills: int, game: str, seed: int, folder: Path) -> Counter[str]:
    """Kill ``kills`` tables with journals in ``folder`` and return what was counted."""
    source = random.Random(seed)
    count: Counter[str] = Counter(kills=0, acknowledged=0, events=0, games=0, losses=0)
    for number in range(kills):
        path = str(folder / f"{number // LIVES}.journal")
        acknowledged = kill_one(path, game, source)
        count["kills"] += 1
        count["acknowledged"] += len(acknowledged)
        for sentence in losses(path, acknowledged):
            count["losses"] += 1
            print(sentence, file=sys.stderr)
    for path in folder.glob("*.journal"):
        with Journal.read(path) as journal:
            games = journal.games()
            count["games"] += len(games)
            count["events"] += sum(len(journal.events(number)) for number in games)
    return count


def main() -> int:
    """Run as a command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--game", default="victorus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", metavar="JOURNAL", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(arguments.child, arguments.game, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        count = soak(arguments.kills, arguments.game, arguments.seed, Path(folder))
    print(json.dumps(count))
    return 1 if count["losses"] else 0


if __name__ == "__main__":
    sys.exit(main())
