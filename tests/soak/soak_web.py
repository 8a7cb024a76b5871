"""Evenings of phones in fast time: no part of a page stale, no drawing too many, no memory lost.

    python -m tests.soak.soak_web [--evenings 20] [--phones 8]

Every evening another game is played at random on one house: moves, refused ones, undos, phones that
join, sit, change name and language, reload pages and follow the stream. Counted: parts of a page
that differ from the same drawn anew, drawings kept beyond bounds, answers that are errors, objects
more after all evenings than after the first third.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
from collections import Counter
from typing import Any

import web
from companion.games import find_game
from companion.journal import Journal
from companion.rules import Action
from companion.table import Table
from companion.table.evening import Evening
from web.fragments import MOST
from web.roles import KEPT, Snapshots
from web.updates import UpdateTeller

GAMES = ("victorus", "heximeros", "chess", "invictus")
PAGES = ("/", "/allowed", "/history", "/join", "/rules", "/settings", "/view", "/api/state?html=1")
LANGUAGES = ("en", "it", "fr", "es")
ACTIONS = 40
GROWTH = 20_000
"""Objects more from a third of the evenings on are a leak: journals keep past games, no more."""


class Soak:
    """One house, evening after evening."""

    def __init__(self, seed: int, phones: int) -> None:
        self.chance, self.found = random.Random(seed), Counter[str]()
        self.hands = [0.0]
        game = find_game(GAMES[0])
        table = Table.create(Journal(), game, game.setup(), now=lambda: self.hands[0])
        self.evening = Evening(table, now=lambda: self.hands[0])
        config = web.Config(open_house=False, clock=lambda: self.hands[0])
        self.app = web.create_app(self.evening, config=config)
        self.house = self.app.extensions["context"]
        self.phones = [self._join(number) for number in range(phones)]

    def _join(self, number: int) -> Any:
        client = self.app.test_client()
        code = web.invitation(self.app, host=not number).partition("#")[2]
        self._post(client, "/api/join", code=code, name=f"Phone {number}")
        return client

    def _post(self, client: Any, path: str, **body: Any) -> Any:
        self.hands[0] += 1.0  # nobody presses faster
        answer = client.post(path, json={"key": f"{self.chance.getrandbits(64):020}", **body})
        self.found["posts"] += 1
        self.found["errors"] += answer.status_code >= 500
        return answer

    def run(self, evenings: int) -> Counter[str]:
        """Play ``evenings`` games and return what was counted."""
        for number in range(evenings):
            name = GAMES[number % len(GAMES)]
            if number:
                game = find_game(name)
                self.evening.begin(name, game.setup().seats, {})
            self._play()
            gc.collect()
            objects = len(gc.get_objects())
            if number == evenings // 3:
                self.found["objects"] = objects
        self.found["grown"] = objects - self.found["objects"]
        return self.found

    def _play(self) -> None:
        table = self.evening.table
        game, spots = table.game, sorted(table.game.board(table.setup).spots)
        tellers = []
        for client in self.phones:
            with self._request(client):
                tellers.append((client, UpdateTeller(self.house, html=True, seen=None)))
        for _ in range(ACTIONS):
            legal = game.legal(table.state)
            if not legal:
                break
            what = self.chance.random()
            if what < 0.1 and table.actions:
                table.undo(1, "host")
            elif what < 0.2:
                one, other = self.chance.sample(spots, 2)
                table.play(Action("move", one, other), "camera")
            else:
                table.play(self.chance.choice(legal), "camera")
            self._people(table)
            self._look(tellers)

    def _request(self, client: Any) -> Any:
        """Return the context of a request for the stream of ``client``."""
        key = client.get_cookie("companion_phone")
        headers = {"Cookie": f"companion_phone={key.value}" if key else ""}
        return self.app.test_request_context("/api/events", headers=headers)

    def _people(self, table: Table[Any]) -> None:
        """Somebody sits down, gets up, or is called otherwise."""
        client, what = self.chance.choice(self.phones), self.chance.random()
        seat = self.chance.choice(table.setup.seats)
        if what < 0.1:
            self._post(client, "/api/seat", seat=seat)
        elif what < 0.15:
            self._post(client, "/api/leave", seat=seat)
        elif what < 0.25:
            self._post(client, "/api/name", name=f"Somebody {self.chance.randrange(10**6)}")

    def _look(self, tellers: list[tuple[Any, UpdateTeller]]) -> None:
        """Every phone follows; one reloads a page; what is kept is held against what is not."""
        for client, teller in tellers:
            with self._request(client):
                message = teller.tell()
                said = json.loads(message.text).get("state_id", message.number)
                self.found["told"] += 1
                self.found["wrong state"] += said != self.evening.table.state_id
        client, language = self.chance.choice(self.phones), self.chance.choice(LANGUAGES)
        self.hands[0] += 1.0
        answer = client.get(self.chance.choice(PAGES), headers={"Accept-Language": language})
        self.found["pages"] += 1
        self.found["errors"] += answer.status_code != 200
        key = client.get_cookie("companion_phone")
        headers = {"Cookie": f"companion_phone={key.value}", "Accept-Language": language}
        with self.app.test_request_context("/", headers=headers):
            look = self.house.look()
            person = self.house.person()
            known = self.house.snapshots.of(look, person, language)
            kept, self.house.drawings._kept = self.house.drawings._kept, (0, {})
            anew = Snapshots(self.house.views).of(look, person, language)
            self.house.drawings._kept = kept
            self.found["stale"] += known.stream(html=True) != anew.stream(html=True)
        self.found["too many"] += len(kept[1]) > MOST + 64
        self.found["too many"] += len(self.house.snapshots._kept) > KEPT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=20)
    parser.add_argument("--phones", type=int, default=8)
    chosen = parser.parse_args()
    found = Soak(1, chosen.phones).run(chosen.evenings)
    print(json.dumps(found, indent=2))
    faults = [found[name] for name in ("errors", "stale", "wrong state", "too many")]
    if any(faults) or found["grown"] > GROWTH:
        sys.exit("the pages did not hold")


if __name__ == "__main__":
    main()
