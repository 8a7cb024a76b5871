"""Texts and requests that nobody means, drawn from those that somebody does: what reads them
answers with a sentence, whatever they hold.

Used by the short test (companion/test_fuzz.py) and at length by soak/soak_fuzz.py.
"""

from __future__ import annotations

import json
import random
import re
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import web
from companion.commands.common import read_state
from companion.games import find_game, games, table_game
from companion.games.chess.fen import START
from companion.journal import Journal
from companion.live.equipment import HandTable
from companion.live.own_files import OwnFiles
from companion.live.recording import resume_recorded
from companion.referee.export import follow
from companion.rules import (
    BadInput,
    CompanionError,
    read_json,
    read_record,
    read_toml,
    write_record,
)
from companion.rules.own import furnish
from companion.runtime.table_settings import TableSettings
from companion.simulation.tabletop import SimulatedTable
from companion.table import Table
from companion.table.evening import Evening
from hardware.settings import read_settings
from hardware.wiring import read_wiring
from tests.checks.plain_words import code_names

ODD = (
    "", " ", "\0", "\ud800", "\udfff", "²", "٣", "１２", "-1", "9" * 30, "9" * 5000, "1e999", "NaN",
    "None", "null", "true", "[", "]", "{", "}", "[" * 500, '"', "'", "\\", "\\ud800", "=", ">", "*",
    "-", ".", ",", ":", "#", "/", "\n", "\r\n", "\t", "\u2028", "\u202e", "é", "😀", "a" * 3000,
    "<b>", "%s", "{0}", "{name}", "../../etc", "a1-" * 200, "red", "h2", "south.L", "silver Al",
)  # fmt: skip
VALUES = (
    None, True, False, 0, -1, 1, 2, 10**14, 10**15, -(10**30), 0.5, -0.0, 1e308, "", "x", "h2",
    "red", "a" * 500, "\ud800", "\0", "²", [], {}, [1], ["a"], [[]], {"a": 1}, [None], {"": ""},
    "9" * 5000,
)  # fmt: skip
SLOW = 10.0
"""Seconds that nothing takes which is read."""


def mutated(text: str, chance: random.Random) -> str:
    """Return ``text`` with some of it lost, doubled, exchanged or put in between."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        to = min(to, at + chance.choice((1, 2, 8, 200)))
        kind = chance.randrange(5)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:to] + text[at:to] * chance.choice((1, 2, 20)) + text[to:]
        elif kind == 2:
            text = text[:at] + chance.choice(ODD) + text[to:]
        elif kind == 3:
            text = text[:at] + chance.choice(ODD) + text[at:]
        else:
            text = text[:at] + text[at:to][::-1] + text[to:]
    return text[:20_000]


def varied(value: Any, chance: random.Random) -> Any:
    """Return JSON ``value`` with one thing in it of another kind, lost or too much."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        name = chance.choice(list(value))
        kind = chance.random()
        if kind < 0.15:
            return {other: inner for other, inner in value.items() if other != name}
        if kind < 0.25:
            return {**value, chance.choice(ODD): chance.choice(VALUES)}
        return {**value, name: varied(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.85:
        at = chance.randrange(len(value))
        kind = chance.random()
        if kind < 0.2:
            return [*value[:at], *value[at + 1 :]]
        if kind < 0.3:
            return [*value, *value]
        return [*value[:at], varied(value[at], chance), *value[at + 1 :]]
    if isinstance(value, str) and chance.random() < 0.6:
        return mutated(value, chance)
    return chance.choice(VALUES)


def written(value: Any) -> str:
    """Return ``value`` as JSON, half letters and all."""
    return json.dumps(value)


@dataclass
class Counted:
    """How often something was ``read`` or ``refused`` by kind, and what ``failed``."""

    read: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[str, str]] = field(default_factory=list)

    def attempt(self, kind: str, do: Callable[[], object], *, flags: bool = False) -> None:
        """Do it: it is done, or refused in a sentence for people within :data:`SLOW` seconds."""
        begun = time.monotonic()
        try:
            do()
            self.read[kind] += 1
        except CompanionError as error:
            self.refused[kind] += 1
            if odd := code_names(str(error), flags=flags):
                self.failed.append((kind, f"{error}: {odd}"))
        except Exception:
            self.failed.append((kind, traceback.format_exc(limit=-3)))
        if time.monotonic() - begun > SLOW:
            self.failed.append((kind, f"took {time.monotonic() - begun:.0f} s"))

    def table(self) -> list[str]:
        """Return a line for each kind: how many were read, refused, and failed."""
        failures = Counter(kind for kind, _ in self.failed)
        return [
            f"{kind:24} {self.read[kind]:8} read {self.refused[kind]:8} refused "
            f"{failures[kind]:4} failed"
            for kind in sorted({*self.read, *self.refused, *failures})
        ]


class Texts:
    """Texts of every kind that is read, as somebody means them, and how each is read."""

    def __init__(self, seed: int) -> None:
        self.chance, self.count = random.Random(f"texts {seed}"), Counted()
        self.kept = {name: self._kept(name) for name in games()}

    def _kept(self, name: str) -> Mapping[str, Any]:
        """Play a little and keep what can be written down of it."""
        game, chance = find_game(name), self.chance
        setup = game.setup()
        states, played = [game.start(setup)], []
        for _ in range(24):
            legal = list(game.legal(states[-1]))
            if not legal:
                break
            played.append(chance.choice(legal))
            states.append(game.advance(states[-1], played[-1]))
        return {
            "game": game, "setup": setup, "states": states,
            "actions": [game.format(action) for action in played],
            "record": write_record(game, setup, played),
            "dumps": [json.loads(json.dumps(game.dump(s))) for s in (states[0], states[-1])],
            "position": dict(game.expect(states[-1])),
        }  # fmt: skip

    def run(self, times: int) -> Counted:
        """Read so many texts, of each kind as many."""
        kinds = (
            self.action, self.position, self.state, self.record, self.fen, self.cards,
            self.settings, self.wiring, self.table_file,
        )  # fmt: skip
        for number in range(times):
            kinds[number % len(kinds)]()
        return self.count

    def _one(self) -> Mapping[str, Any]:
        return self.kept[self.chance.choice(games())]

    def _judged(self, one: Mapping[str, Any], text: str) -> None:
        game, state = one["game"], self.chance.choice(one["states"])
        action = game.parse(one["setup"], text)
        if odd := code_names(game.judge(state, action).reason):
            self.count.failed.append(("action", f"{text!r}: {odd}"))

    def action(self) -> None:
        one = self._one()
        text = mutated(self.chance.choice(one["actions"] or ["end"]), self.chance)
        self.count.attempt("action", lambda: self._judged(one, text))

    def _usable(self, game: Any, state: Any) -> None:
        game.expect(state), game.outcome(state), game.check(state)

    def position(self) -> None:
        one = self._one()
        data = {"position": one["position"], "to_move": one["setup"].seats[0]}
        text = written(varied(data, self.chance))

        def do() -> None:
            found = read_json(text, "the position file")
            if not isinstance(found, dict):
                raise BadInput("the position file holds no position")
            self._usable(one["game"], read_state(one["game"], one["setup"], found))

        self.count.attempt("position", do, flags=True)

    def state(self) -> None:
        one = self._one()
        text = written(varied(self.chance.choice(one["dumps"]), self.chance))

        def do() -> None:
            found = read_json(text, "the position file")
            if isinstance(found, dict):
                one["game"].load(found)

        self.count.attempt("saved state", do)

    def record(self) -> None:
        text = mutated(self._one()["record"], self.chance)
        self.count.attempt("record", lambda: follow(read_record(text), find_game))

    def fen(self) -> None:
        one, text = self.kept["chess"], mutated(START, self.chance)
        self.count.attempt("FEN", lambda: one["game"].read_position(one["setup"], text))

    def cards(self) -> None:
        card = {"name": "Ox", "kind": "sport", "hits": 2, "damage": 1, "reward": "a die"}
        data = varied({"card": [card, {**card, "name": "Elk"}], "hero": []}, self.chance)
        text = written(data)
        if self.chance.random() < 0.4:
            text = mutated('[[card]]\nname = "Ox"\nkind = "sport"\nhits = 2\n', self.chance)
            do = lambda: read_toml(text, "the card file")  # noqa: E731
        else:
            do = lambda: read_json(text, "the card file")  # noqa: E731
        game = find_game("hoplomachus")
        self.count.attempt("own cards", lambda: game.check_owned(do()))

    def settings(self) -> None:
        lamps = {"level": "full", "brightness": 50, "night": "22:00-07:00", "night_brightness": 5}
        table = {"play": "phone", "sound": True, "keep_days": 30}
        chosen = self.chance.random() < 0.5
        text = written(varied(lamps if chosen else table, self.chance))

        def do() -> None:
            found = read_json(text, "the settings")
            if isinstance(found, dict):
                read_settings(found) if chosen else TableSettings().changed(found)

        self.count.attempt("settings", do)

    def wiring(self) -> None:
        one = self.kept[self.chance.choice(("chess", "invictus", "victorus"))]
        board = one["game"].board(one["setup"])
        order, under = list(board.spots)[1:], next(iter(board.spots))
        count = len(board.spots) + 1
        text = mutated(
            f'first = 1\nserpentine = true\norder = ["{" ".join(order[:20])}", '
            f'"- {" ".join(order[20:])}"]\n[leds]\n{under} = [0]\n'
            f'[[strips]]\ncount = {count}\nlights = "spi:0.0"\nlimit_ma = 900.0\n',
            self.chance,
        )
        self.count.attempt("wiring", lambda: read_wiring(text, board), flags=True)

    def table_file(self) -> None:
        one = self._one()
        game, setup = one["game"], one["setup"]
        data = {"game": game.name, "seats": list(setup.seats), "options": dict(setup.options),
                "played": one["actions"][:6]}  # fmt: skip
        text = written(varied(data, self.chance))

        def do() -> None:
            found = read_json(text, "the table file")
            if not isinstance(found, dict):
                return
            named, chosen = table_game(found)
            table = Table.create(Journal(), named, chosen)
            resume_recorded(table, found)

        self.count.attempt("table file", do, flags=True)


FIELDS = re.compile(
    r"(?:text|word|maybe|integer|flag|words|texts|spot)\(body, \"(\w+)\"|body\.get\(\"(\w+)\"|"
    r"request\.args\.get(?:list)?\(\"(\w+)\""
)


def fields() -> tuple[str, ...]:
    """Return every field of the requests, as the routes ask for them."""
    folder = Path(web.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    return tuple(sorted({name for found in FIELDS.findall(source) for name in found if name}))


class Requests:
    """A real house, and requests to every route of it that no page of ours sends."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance, self.count = random.Random(f"requests {seed}"), Counted()
        self.now, self.number = 1e9, 0
        game = find_game("victorus")
        journal = Journal(folder / "game.journal")
        table = Table.create(journal, game, game.setup(), now=lambda: self.now)
        self.evening = Evening(table, now=lambda: self.now)
        self.own = OwnFiles(folder)
        furnish(self.own.owned)
        self.app = web.create_app(
            self.evening,
            config=web.Config(open_house=True, clock=lambda: self.now),
            virtual=HandTable(self._hands, lambda: b"", lambda button: None),
            own=self.own,
        )
        self.client = self.app.test_client()
        link = web.invitation(self.app, host=True)
        body = {"key": "k" * 20, "code": link.partition("#")[2]}
        self.client.post("/api/join", json=body)
        self.routes = [
            rule for rule in self.app.url_map.iter_rules() if "/static/" not in rule.rule
        ]
        self.fields = fields()

    def _hands(self) -> SimulatedTable:
        table = self.evening.table
        if getattr(self, "_of", None) is not table:
            lying = table.game.expect(table.state)
            self._of, self._table = table, SimulatedTable(table.game, table.setup, lying)
        return self._table

    def run(self, times: int) -> Counted:
        """Send so many requests."""
        for _ in range(times):
            self.now += 1.0
            self.number += 1
            self.send(self.chance.choice(self.routes))
        return self.count

    def _address(self, rule: Any) -> str:
        def part(_: re.Match[str]) -> str:
            odd = self.chance.choice(("1", "0", "9" * 19, "9" * 5000, "²", "-1", "x", "%ED%A0%80"))
            return self.chance.choice((odd, "1", "before", "record.txt"))

        return re.sub(r"<[^>]*>", part, rule.rule)

    def _likely(self, name: str) -> Any:
        table, chance = self.evening.table, self.chance
        legal = list(table.game.legal(table.state))
        spots = list(table.game.board(table.setup).spots)
        usual: dict[str, Callable[[], Any]] = {
            "state_id": lambda: table.state_id, "count": lambda: 1, "index": lambda: 0,
            "action": lambda: table.game.format(chance.choice(legal)) if legal else "end",
            "actions": lambda: [table.game.format(chance.choice(legal))] if legal else [],
            "seat": lambda: chance.choice(table.setup.seats),
            "position": lambda: dict(table.game.expect(table.state)),
            "game": lambda: chance.choice(games()), "paused": lambda: False, "why": lambda: "so",
            "spot": lambda: chance.choice(spots), "from": lambda: chance.choice(spots),
            "to": lambda: chance.choice(spots), "origin": lambda: chance.choice(spots),
            "target": lambda: chance.choice(spots), "answer": lambda: "offer",
            "name": lambda: "Ada",
            "language": lambda: "it", "what": lambda: "photographs", "number": lambda: 1,
            "record": lambda: "game: chess\n\ne2-e4\n", "title": lambda: "a game",
            "options": dict, "batch": lambda: 0, "card": lambda: {"name": "Ox"},
        }  # fmt: skip
        return usual.get(name, lambda: chance.choice(VALUES))()

    def _body(self) -> bytes:
        chance = self.chance
        body: dict[str, Any] = {"key": f"{self.number:020d}"}
        for name in self.fields:
            if chance.random() < 0.6:
                body[name] = self._likely(name)
        for _ in range(chance.choice((0, 1, 1, 2))):
            body = varied(body, chance) if isinstance(body, dict) else body
        if isinstance(body, dict) and chance.random() < 0.9:
            body["key"] = f"{self.number:020d}"
        text = written(body)
        if chance.random() < 0.1:
            text = mutated(text, chance)
        return text.encode("utf-8", "surrogatepass")

    def _headers(self) -> Iterator[tuple[str, str]]:
        chance = self.chance
        plain = ("", "x", "²", "9" * 5000, "é", "a=b;;=", "%ED%A0%80", "1", "it,fr;q=x")
        for name in (
            "Last-Event-ID",
            "Accept-Language",
            "Accept-Encoding",
            "Range",
            "If-None-Match",
        ):
            if chance.random() < 0.1:
                yield name, chance.choice(plain)
        if chance.random() < 0.05:
            yield "Content-Encoding", chance.choice(("gzip", "br", "x"))
        if chance.random() < 0.05:
            yield (
                "Cookie",
                chance.choice((f"{web.context.COOKIE}={chance.choice(plain)}", "=;=", "é")),
            )

    def send(self, rule: Any) -> None:
        """Send a request to the route and look at the answer."""
        chance = self.chance
        path, methods = self._address(rule), sorted(rule.methods or ())
        asked = "POST" if "POST" in methods else "GET"
        method = asked if chance.random() < 0.95 else chance.choice(methods)
        if chance.random() < 0.03:
            method, path = (
                chance.choice(("PUT", "DELETE", "PATCH", "GET")),
                mutated(path, chance)[:500],
            )
        kind = chance.choice(
            ("application/json",) * 12 + ("text/plain", "application/json; charset=x")
        )
        query = {
            name: str(self._likely(name)) if chance.random() < 0.5 else chance.choice(ODD)[:800]
            for name in self.fields if chance.random() < 0.1
        }  # fmt: skip
        if path.startswith("/api/events"):
            query["client"] = chance.choice(ODD)[:7]
        query = {k: v.encode("utf-8", "surrogatepass").decode("latin1") for k, v in query.items()}
        path = path.encode("utf-8", "surrogatepass").decode("latin1")
        answer = self.client.open(
            path if path.startswith("/") else f"/{path}",
            method=method,
            query_string=query,
            data=self._body() if method == "POST" else None,
            content_type=kind if method == "POST" else None,
            headers=[*self._headers(), ("Accept", "*/*")],
        )
        self._look(rule.rule, answer)

    def _look(self, kind: str, answer: Any) -> None:
        if answer.status_code < 400:
            self.count.read[kind] += 1
        else:
            self.count.refused[kind] += 1
        if answer.status_code >= 500:
            self.count.failed.append((kind, f"{answer.status}: {answer.text[:300]}"))
        elif answer.status_code >= 400 and answer.is_json and answer.data:
            said = answer.json["error"]["message"]
            if odd := code_names(said):
                self.count.failed.append((kind, f"{said}: {odd}"))
        answer.close()
