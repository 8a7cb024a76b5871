"""Recorded games made on the simulated table: numbered pictures, what the owner entered, and
what really happened."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.rules import BadInput, quoted
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.pictures import to_jpeg

_QUALITY = 92


@dataclass(frozen=True, slots=True)
class RecordedScene:
    """What happens before the next still frame.

    ``does`` are operations as :func:`perform` reads them, each shown with its hand frames;
    ``events`` what the truth says of them; ``troubles`` holds from this scene on;
    ``stills`` is how many still frames end it.
    """

    does: tuple[str, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    troubles: Troubles | None = None
    stills: int = 1


def perform(table: SimulatedTable, text: str) -> None:
    """Do what one line says: ``move h2 h4``, ``remove h4``, ``put h4 red white T``, ``turn h4``,
    ``stand h4``, ``flip h4 red white T+``, ``nudge h4 3 -2 10``, ``lift h4``, ``drop h5``.

    Raises:
        BadInput: no such operation, a missing part, or the table refuses it.
    """
    verb, *parts = text.split()
    rest = " ".join(parts[1:])
    ways: dict[str, tuple[int, Callable[[], None]]] = {
        "move": (2, lambda: table.move(parts[0], parts[1])),
        "remove": (1, lambda: table.remove(parts[0])),
        "put": (2, lambda: table.put(parts[0], rest)),
        "turn": (1, lambda: table.turn(parts[0])),
        "stand": (1, lambda: table.stand(parts[0])),
        "flip": (2, lambda: table.flip(parts[0], rest)),
        "nudge": (3, lambda: table.nudge(parts[0], *(float(part) for part in parts[1:4]))),
        "lift": (1, lambda: table.lift(parts[0])),
        "drop": (1, lambda: table.drop(parts[0])),
    }
    if verb not in ways:
        raise BadInput(f"{quoted(text)}: the table knows {', '.join(ways)}, not {quoted(verb)}")
    least, act = ways[verb]
    if len(parts) < least:
        raise BadInput(f"{quoted(text)}: {verb} needs at least {least} words after it")
    try:
        act()
    except BadInput:
        raise
    except ValueError:
        raise BadInput(f"{quoted(text)}: how far to nudge is written in numbers") from None


def record(folder: Path, camera: SimulatedCamera, scenes: Iterable[RecordedScene]) -> None:
    """Write a recording of ``scenes`` into ``folder``, which is made if need be: ``0000.jpg`` …,
    ``table.json`` (of the moment before the first scene) and ``truth.json``.

    Raises:
        BadInput: a scene asks for what the table refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    truth: list[dict[str, Any]] = []
    _write(folder / "table.json", camera.table_file())
    for scene in scenes:
        if scene.troubles:
            camera.troubles = scene.troubles
        for line in scene.does:
            perform(camera.table, line)
        events, stills = list(scene.events), 0
        while stills < scene.stills:
            name = f"{len(truth):04d}.jpg"
            frame = camera.read()
            if frame is None or frame.image is None:
                (folder / name).write_bytes(b"")
                kind = "unreadable"
            else:
                (folder / name).write_bytes(to_jpeg(frame.image, _QUALITY))
                kind = "hand" if camera.hand_in_view or camera.busy else "still"
            entry: dict[str, Any] = {"frame": name, "kind": kind, "events": []}
            if kind == "still":
                entry |= {"events": events, "position": camera.position}
                events, stills = [], stills + 1
            truth.append(entry)
    _write(folder / "truth.json", truth)


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
