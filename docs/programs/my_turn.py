"""Lights a cell of the board as long as it is my turn:

    python my_turn.py http://companion.local:8000 TOKEN white e4

TOKEN is one of `companion token make lamp --scope play`.
"""

import json
import sys
import time
import urllib.request

TABLE, TOKEN, SEAT, CELL = sys.argv[1:5]


def ask(path, **body):
    sent = json.dumps(body).encode() if body else None  # a body makes it a POST
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{TABLE}/api/v1{path}", sent, headers)
    return urllib.request.urlopen(request, timeout=30)


def follow(mine=False, kind=""):
    for line in ask("/events"):
        name, _, rest = line.decode().rstrip("\n").partition(": ")
        kind = rest if name == "event" else kind
        if name == "data" and kind == "turn":
            mine = json.loads(rest)["seat"] == SEAT
            print("my turn" if mine else "not my turn", flush=True)
        if name == "data" and (mine or kind == "turn"):  # whatever happens puts the light out
            ask("/lights", spots=[CELL] if mine else [], seconds=30)


while True:
    try:
        follow()
    except urllib.error.HTTPError as error:
        print(json.load(error)["error"]["message"], file=sys.stderr, flush=True)
    except OSError:
        time.sleep(1)  # the table is being started anew
