"""``replay --why``: how one picture of a recording was read, as text, as JSON and as a page."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.live.replay import read_picture
from companion.live.traces import small_jpeg, told
from companion.rules import BadInput
from companion.runtime.files import write_private
from companion.table import Table
from vision.frames import Frame, Source
from web.readings import standing_page

if TYPE_CHECKING:
    from vision.readers import AnyReader

WIDTH = 30
"""Letters of a bar."""
LONG = 45.0
"""Nats that make a bar empty: nothing is less likely."""


def why(
    source: Source,
    reader: AnyReader,
    table: Table[Any],
    name: str,
    before: Callable[[str], None],
) -> tuple[Mapping[str, Any], Frame]:
    """Read the recording up to the frame called ``name``, by its whole name or without its ending;
    return its trace, as :func:`companion.live.traces.told` has it, and the frame.

    Raises:
        BadInput: there is no such frame.
    """
    first = last = ""
    while (frame := source.read()) is not None:
        before(frame.name)
        first, last = first or frame.name, frame.name
        reading = read_picture(reader, table, frame)
        if name in (frame.name, Path(frame.name).stem):
            trace = reader.why(reading, closely=not reading.still)
            return told(trace, reader.board, reader.camera), frame
    raise BadInput(
        f"there is no picture {name}; the recording goes from {first or '-'} to {last or '-'}"
    )


def write_page(trace: Mapping[str, Any], frame: Frame, file: Path) -> None:
    """Write a trace with its picture as one HTML file that needs nothing else."""
    picture = ""
    if frame.image is not None:
        data = base64.b64encode(small_jpeg(frame.image)).decode("ascii")
        picture = f"data:image/jpeg;base64,{data}"
    write_private(file, standing_page(trace, picture).encode())


def as_text(trace: Mapping[str, Any]) -> str:
    """Return a trace for people at a terminal."""
    lines = [f"{trace['frame']}: {trace['verdict']}: {trace['reason']}"]
    dull = [spot for spot in trace["spots"] if _dull(spot)]
    for spot in trace["spots"]:
        if spot not in dull:
            lines += ["", *_spot(spot)]
    if dull:
        names = ", ".join(spot["spot"] for spot in dull)
        lines += ["", f"as believed: {names}"]
    for number, search in enumerate(trace["searches"], 1):
        lines += ["", *_search(number, search)]
    return "\n".join(lines)


def _dull(spot: Mapping[str, Any]) -> bool:
    """Tell whether a spot was looked at and showed just what was believed there."""
    found = spot["candidates"]
    return not spot["marks"] and (not found or found[0]["token"] == spot["believed"])


def _spot(spot: Mapping[str, Any]) -> Iterable[str]:
    marks = f" [{', '.join(spot['marks'])}]" if spot["marks"] else ""
    yield f"{spot['spot']}{marks}: {spot['believed'] or 'nothing'} believed"
    if not spot["candidates"]:
        yield "    not looked at closely"
    for one in spot["candidates"]:
        nats, token = one["log_likelihood"], one["token"] or "nothing"
        yield f"  {nats:8.2f} {_bar(1 + nats / LONG)} {token}"


def _search(number: int, search: Mapping[str, Any]) -> Iterable[str]:
    yield f"search {number}, for what explains {', '.join(search['spots']) or 'nothing'}"
    yield "       p    prior evidence  circumstances"
    for one in search["hypotheses"]:
        words = " ".join(one["actions"]) or "nothing was moved"
        rest = "" if one["legal"] else ", which the rules refuse"
        rest += f"; against it: {', '.join(one['against'])}" if one["against"] else ""
        numbers = f"{one['p']:8.4f} {one['prior']:8.2f} {one['evidence']:8.2f}"
        yield f"{numbers} {one['circumstances']:8.2f}  {words}{rest}"
    if search["result"]:
        yield f"  so: {search['result']}"


def _bar(share: float) -> str:
    full = round(WIDTH * min(1.0, max(0.0, share)))
    return "#" * full + "." * (WIDTH - full)
