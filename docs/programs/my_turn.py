"""Lights a cell of the board whenever it is my turn:

    python my_turn.py http://companion.local:8000 TOKEN white e4

TOKEN is one of `companion token make lamp --scope play`.
"""

import json
import sys
import urllib.request

TABLE, TOKEN, SEAT, CELL = sys.argv[1:5]


def ask(path, **body):
    """Return the open answer of the table; a body makes it a POST."""
    sent = json.dumps(body).encode() if body else None
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(TABLE + "/api/v1" + path, sent, headers))


def happenings():
    """Yield the name and the content of every event of the stream."""
    kind = ""
    for line in ask("/events"):
        name, _, rest = line.decode().rstrip("\n").partition(": ")
        if name == "event":
            kind = rest
        elif name == "data":
            yield kind, json.loads(rest)


for kind, told in happenings():
    if kind == "turn":
        mine = told["seat"] == SEAT
        ask("/lights", spots=[CELL] if mine else [], seconds=600)
        print("my turn" if mine else "not my turn", flush=True)
