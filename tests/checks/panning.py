"""What a browser's main thread does while a finger pans a board, from a trace of the browser."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple

CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "cc"]
WAYS = ((-300, -200), (300, 200), (-200, 300), (120, -180))
"""How far a finger goes, across and down, in pixels, each time from the middle of the board."""
MIDDLE, STEPS = (180, 240), 30
TASK, FRAME = "ThreadControllerImpl::RunTask", "ProxyMain::BeginMainFrame"


class Panned(NamedTuple):
    """How often each kind of work was done by the main thread, and how many milliseconds it worked
    for each frame, as the clock on the wall tells them."""

    times: Counter[str]
    milliseconds: float


def panned(page: Any, slower: float = 1.0) -> Panned:
    """Pan the board of ``page`` by a finger, on a processor that is so many times ``slower``."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.context.browser.start_tracing(page=page, categories=CATEGORIES)
    for way in WAYS:
        for step in range(STEPS):
            x, y = (middle + far * step / STEPS for middle, far in zip(MIDDLE, way, strict=True))
            kind = "touchMove" if step else "touchStart"
            touch = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            devtools.send("Input.dispatchTouchEvent", touch)
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    events = json.loads(page.context.browser.stop_tracing())["traceEvents"]
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    done = [
        event for event in events if event["ph"] == "X" and (event["pid"], event["tid"]) in threads
    ]
    times = Counter(event["name"] for event in done)
    worked = sum(event["dur"] for event in done if event["name"] == TASK) / 1000
    return Panned(times, worked / max(1, times[FRAME]))
