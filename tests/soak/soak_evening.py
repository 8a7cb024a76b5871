"""Whole evenings at random: everything that people, machines and the world do to a table.

    python -m tests.soak.soak_evening --steps 10000 --seed 1

The real service with its simulated table runs in a process of its own, and hypothesis chooses what
happens next: another game, somebody joins, sits down or leaves, a piece is moved by hand or on a
phone, the camera or the lights are unplugged or fail, the process is killed and started again, the
time of day jumps, the disk fills up, anything is pressed and any page is opened. After each step:
no thread is dead, nothing was logged as an error, no action was lost, the camera took no action
that no hand made, no answer was a fault, and the pages that stay open show the present game.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.games import find_game, games
from tests.checks.chromium import chromium
from tests.checks.living_house import Broken, LivingHouse, Phone

NAMES = ("Ada", "Bo", "Cy")
ODD = ("/nothing", "/evidence/1/after", "/games/1", "/static/app.js", "/api/judge?from=h2&to=h4")
"""Addresses beside those that the pages have without parameters."""
OPEN = ("/", "/table")
"""The pages that stay open: a phone's, and the simulated table's."""
SPARED = ("/api/dismiss", "/api/host", "/api/delete", "/api/import", "/api/language")
"""What is not pressed blindly: it has steps of its own, or would send everybody away."""
FIELDS = {
    "action": ("end", "h2-h4", "e2-e4", "resign=white", "agree", "x"),
    "actions": (["h2-h4"], ["end"], []),
    "answer": ("offer", "accept", "decline", "perhaps"),
    "batch": (0, 1, 99),
    "button": ("turn", "undo", "new", "dimmer", "brighter"),
    "count": (0, 1, 2, 9999),
    "game": ("victorus", "chess", "invictus", "ludo"),
    "index": (0, 1),
    "number": (0, 1, 7, -1),
    "paused": (True, False),
    "points": ({}, {"h2": [10, 10]}),
    "position": ("table", {}, {"h2": "red white T"}),
    "target": ("h4", "e4", "nowhere"),
    "token": ("red white T", "white N", "back", ""),
    "why": ("so be it", ""),
    "zone": ("active", "pool", "nowhere"),
    "lights": ("full", "errors", "off"),
    "brightness": (0, 50, 100, 1000),
    "keep_days": (0, 30),
}
JUMPS = (-3600.0, -30.0, 5.0, 3600.0, 86_400.0 * 14, 86_400.0 * 40, -86_400.0 * 400)
DISK = 24
"""Megabytes of the disk that is filled."""
LONG, PATIENCE = 50, 30.0
"""Steps of an evening; seconds in which a page has to show what there is."""
SHOWN = """() => {
  const said = (selector, key, value) => Object.fromEntries(
    [...document.querySelectorAll(selector)].map(({ dataset }) => [dataset[key], dataset[value]]));
  const dice = '[data-number][data-zone]';
  return [said('[data-spot][data-token]', 'spot', 'token'), said(dice, 'number', 'zone')];
}"""
"""What a page shows: the token on each spot, and the zone of the mat in which each die lies."""
CHANCE = st.integers(0, 2**32 - 1).map(random.Random)
FOUND: Counter[str] = Counter()


@contextlib.contextmanager
def small_disk() -> Iterator[Path]:
    """Give a folder on a disk of its own where the system lets us, else an ordinary one."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", folder]
        mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0
        try:
            yield Path(folder)
        finally:
            if mounted:
                subprocess.run(["umount", "-l", folder], check=True)


def _beside(shown: Any, wanted: Any) -> str:
    """Return in words what a page shows otherwise than it should."""
    if shown is None:
        return "nothing"
    first, other = ({**tokens, **dice} for tokens, dice in (shown, wanted))
    odd = {spot for spot in {*first, *other} if first.get(spot) != other.get(spot)}
    return ", ".join(f"{spot} {first.get(spot)} not {other.get(spot)}" for spot in sorted(odd))


class Evening(RuleBasedStateMachine):
    """One evening. ``pages`` are kept open in a browser and never reloaded."""

    browser: Any = None

    def __init__(self) -> None:
        super().__init__()
        self._away = contextlib.ExitStack()
        self.folder = self._away.enter_context(small_disk())
        self.log: list[str] = []
        self.phones: list[Phone] = []
        self.pages: list[Any] = []
        self._complaints: list[str] = []
        self.camera = self.lights = True

    @initialize(game=st.sampled_from(sorted(games())))
    def begin(self, game: str) -> None:
        self.house = LivingHouse(self.folder, game)
        self._away.callback(self.house.close)
        self.phones = [
            Phone(self.house, name, f"127.0.0.{number}") for number, name in enumerate(NAMES, 2)
        ]
        self.host = self.phones[0]
        self._join(self.host, self.house.host_code)
        for phone in self.phones[1:]:
            self._join(phone, self.house.world("code"))
        if self.browser is not None:
            self._open_pages()
        self.house.world("settle")

    def _join(self, phone: Phone, code: str) -> None:
        phone.cookie = ""
        status, told = phone.post("/api/join", code=code, name=phone.name)
        self._expect(status == 200, f"{phone.name} could not join: {told}")

    def _expect(self, holds: bool, words: str) -> None:
        if not holds:
            # Told at once: an evening is never the same twice.
            print(words, file=sys.stderr, flush=True)
            raise Broken(words)

    # -- games and people ------------------------------------------------------------

    @rule(chance=CHANCE, name=st.sampled_from(sorted(games())))
    def another_game(self, chance: random.Random, name: str) -> None:
        game = find_game(name)
        seats, options = None, {}
        if chance.random() < 0.3:
            seats = chance.sample(game.seats, chance.randint(1, len(game.seats)))
        if chance.random() < 0.3 and (open_ones := [o for o in game.options if o.choices]):
            option = chance.choice(open_ones)
            options = {option.name: chance.choice(option.choices)}
        status, told = self.host.post("/api/new", game=name, seats=seats, options=options)
        if seats is None and not options and not self.house.trouble:
            self._expect(status == 200, f"{name} could not be begun: {told}")
        if status == 200:
            FOUND["games"] += 1

    @rule(chance=CHANCE)
    def resume(self, chance: random.Random) -> None:
        status, told = self.host.get("/api/games")
        left = (
            [game["number"] for game in told["games"] if not game["over"]] if status == 200 else []
        )
        if left:
            self.host.post("/api/resume", number=chance.choice(left))

    @staticmethod
    def _seats(state: Mapping[str, Any]) -> list[str]:
        """Return the seats of the game that a phone shows."""
        return [seat["seat"] for seat in state["seats"]]

    @rule(chance=CHANCE)
    def somebody_sits_or_leaves(self, chance: random.Random) -> None:
        phone = chance.choice(self.phones)
        seats = self._seats(phone.state())
        what = chance.choice(("/api/seat", "/api/seat", "/api/leave", "/api/name"))
        if what == "/api/name":
            phone.post(what, name=f"{phone.name} {chance.randrange(99)}")
        else:
            FOUND[what] += phone.post(what, seat=chance.choice(seats))[0] == 200

    @rule(chance=CHANCE)
    def somebody_is_dismissed_and_comes_back(self, chance: random.Random) -> None:
        phone = chance.choice(self.phones[1:])
        person = phone.state()["you"].get("person")
        status, _ = self.host.post("/api/dismiss", who=person or "nobody")
        if status == 200:
            self._expect(not phone.state()["you"]["joined"], "a dismissed phone stayed")
            self._join(phone, self.house.world("code"))

    # -- play ------------------------------------------------------------------------

    def _camera_plays(self) -> bool:
        return self.camera and not self.house.trouble

    @precondition(_camera_plays)
    @rule(number=st.integers(0, 2**32 - 1), cheat=st.booleans())
    def a_hand_moves(self, number: int, cheat: bool) -> None:
        self._say_how("camera")
        self.house.world("tidy")
        self.house.world("settle")
        self.house.catch_up()
        told = self.house.world("hand", seed=number, cheat=cheat and number % 4 == 0)
        if told is None:
            return
        self.house.world("settle")
        taken = [event for event in self.house.catch_up() if event[1] == "action"]
        wrong = [action for _, _, actor, action in taken if action != told["action"]]
        if told["legal"]:
            FOUND["read" if taken else "not read"] += 1
            self._expect(not wrong, f"the hand did {told['action']}, the camera took {wrong}")
        else:
            FOUND["refused"] += 1
            self._expect(not taken, f"the hand did {told['action']} against the rules: {taken}")
            self.house.world("tidy")

    @rule(number=st.integers(0, 2**32 - 1))
    def hands_make_a_mess(self, number: int) -> None:
        self.house.world("mess", seed=number)

    def _say_how(self, play: str) -> None:
        self.host.post("/api/settings", play=play)

    @rule(chance=CHANCE)
    def a_move_on_a_phone(self, chance: random.Random) -> None:
        self._enter_a_move(chance)

    def _enter_a_move(self, chance: random.Random) -> None:
        self._say_how("phone")
        legal = self.house.world("legal", seed=chance.randrange(2**32))
        if legal is None:
            return
        action, phone = legal["action"], chance.choice(self.phones)
        path = "/api/say" if legal["spoken"] else "/api/move"
        status, told = phone.post(path, action=action, state_id=phone.state()["state_id"])
        if status == 200 and told["allowed"]:
            FOUND["phones"] += 1
            taken = [event[3] for event in self.house.catch_up() if event[1] == "action"]
            self._expect(action in taken, f"{action} was acknowledged and is not in the journal")

    @rule(chance=CHANCE)
    def something_is_settled(self, chance: random.Random) -> None:
        phone = chance.choice(self.phones)
        state = phone.state()
        number = state["state_id"]
        chance.choice([
            lambda: phone.post("/api/undo", count=chance.randint(1, 3), state_id=number),
            lambda: phone.post("/api/pause", paused=chance.random() < 0.5),
            lambda: phone.post("/api/draw", answer=chance.choice(("offer", "accept", "decline")),
                               state_id=number, seat=chance.choice(self._seats(state))),
            lambda: phone.post("/api/ruling", why="so be it", state_id=number,
                               to_move=chance.choice(self._seats(state))),
            lambda: phone.post("/api/ruling", why="as it lies", state_id=number, position="table"),
            lambda: phone.post("/api/answer", index=0, actions=["h2-h4"], state_id=number),
            lambda: phone.post("/api/array"),
        ])()  # fmt: skip

    @rule(chance=CHANCE)
    def somebody_gives_up(self, chance: random.Random) -> None:
        phone = chance.choice(self.phones)
        state = phone.state()
        path = chance.choice(("/api/resign", "/api/abort"))
        phone.post(path, state_id=state["state_id"], seat=chance.choice(self._seats(state)))

    # -- machines and the world ------------------------------------------------------

    @rule(how=st.sampled_from(("plugged", "plugged", "unplugged", "unforeseen")))
    def the_camera(self, how: str) -> None:
        self.house.world("plug", what="camera", how=how)
        self.camera = how == "plugged"
        if how == "plugged":
            self.house.world("settle")

    @rule(how=st.sampled_from(("plugged", "plugged", "unplugged", "unforeseen")))
    def the_lights(self, how: str) -> None:
        self.house.world("plug", what="lights", how=how)
        self.lights = how == "plugged"

    @rule(jump=st.sampled_from(JUMPS))
    def the_time_of_day_jumps(self, jump: float) -> None:
        pictures = self.house.world("photographs")
        joined = [phone.state()["you"]["joined"] for phone in self.phones]
        self.house.world("jump", seconds=jump)
        still = [phone.state()["you"]["joined"] for phone in self.phones]
        self._expect(joined == still, f"a jump of {jump} s locked phones out: {still}")
        self._expect(self.house.world("photographs") >= pictures, f"{jump} s deleted pictures")

    @rule(milliseconds=st.integers(0, 40))
    def the_plug_is_pulled(self, milliseconds: int) -> None:
        self.house.catch_up()
        name, acknowledged = f"Ada {len(self.house.news)}", threading.Event()
        writing = threading.Thread(target=self._rename, args=(name, acknowledged))
        writing.start()
        acknowledged.wait(milliseconds / 1000)
        self.house.kill()
        writing.join()
        self.house.start()
        FOUND["kills"] += 1
        self.camera = self.lights = True
        joined = [phone.state()["you"]["joined"] for phone in self.phones]
        self._expect(all(joined), f"after a restart phones are out: {joined}")
        kept = self.host.state()["you"]["name"] == name
        self._expect(kept or not acknowledged.is_set(), f"{name} was acknowledged and is lost")

    def _rename(self, name: str, acknowledged: threading.Event) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if self.host.post("/api/name", name=name)[0] == 200:
                acknowledged.set()

    @rule(chance=CHANCE)
    def the_disk_fills_up(self, chance: random.Random) -> None:
        self.house.trouble = True
        with self._filled():
            for _ in range(3):
                self._enter_a_move(chance)
                self.open_any_page(chance)
            self.host.post("/api/delete", what="photographs")
        self.house.trouble = not self.camera
        status, told = self.host.post("/api/name", name="Ada")
        self._expect(status == 200, f"with room on the disk again a name was refused: {told}")
        FOUND["full disks"] += 1

    @contextlib.contextmanager
    def _filled(self) -> Iterator[None]:
        """Leave no byte free on the disk of the journal."""
        filler = self.folder / "filler"
        with filler.open("wb", buffering=0) as file:
            for size in (1 << 16, 1 << 10, 1):
                with contextlib.suppress(OSError):
                    while os.path.ismount(self.folder):
                        file.write(bytes(size))
        try:
            yield
        finally:
            filler.unlink()

    # -- anything else ---------------------------------------------------------------

    @rule(chance=CHANCE)
    def open_any_page(self, chance: random.Random) -> None:
        chance.choice(self.phones).get(chance.choice((*ODD, *self.house.reads)))

    @rule(chance=CHANCE)
    def press_anything(self, chance: random.Random) -> None:
        phone = chance.choice(self.phones)
        path = chance.choice([path for path in self.house.writes if path not in SPARED])
        state = phone.state()
        body = {name: chance.choice(values) for name, values in FIELDS.items()}
        body |= {"state_id": state["state_id"], "seat": chance.choice(self._seats(state))}
        if state["position"]:
            body |= {"spot": chance.choice(list(state["position"])),
                     "origin": chance.choice(list(state["position"]))}  # fmt: skip
        for name in chance.sample(list(body), chance.randint(0, 3)):
            body.pop(name)
        phone.post(path, **body)
        FOUND["pressed"] += 1

    # -- what always holds -----------------------------------------------------------

    @invariant()
    def nothing_is_broken(self) -> None:
        if not self.phones:
            return
        FOUND["steps"] += 1
        self.house.catch_up()
        health = self.house.world("health")
        self._expect(not health["errors"], "logged: " + "\n".join(health["errors"])[-3000:])
        self._expect(not health["dead"], f"dead threads: {health['dead']}")
        if self.pages and FOUND["steps"] % 10 == 0 and self._camera_plays():
            # What hands do on the table reaches other pages by the camera alone.
            self._look_at_pages()

    def _open_pages(self) -> None:
        """Open a phone's page and the simulated table's, which are never loaded again."""
        self._address = f"http://127.0.0.1:{self.house.port}"
        context = self.browser.new_context()
        self._away.callback(self._close_pages, context)
        self._keep_cookie(context)
        self.pages = [context.new_page() for _ in range(2)]
        for page, path in zip(self.pages, OPEN, strict=True):
            page.on("pageerror", lambda error: self._complaints.append(error.stack or str(error)))
            page.goto(self._address + path)

    def _close_pages(self, context: Any) -> None:
        """Close the pages. Chromium may never close one that is just being loaded anew."""
        for page in self.pages:
            with contextlib.suppress(Exception):
                page.goto("about:blank")
        context.close()

    def _keep_cookie(self, context: Any) -> None:
        """Give the browser the key that the host's phone has: they are one phone."""
        name, _, value = self.host.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": self._address}])

    def _look_at_pages(self) -> None:
        """Wait until every page shows what there is to see now."""
        self._keep_cookie(self.pages[0].context)
        told = (self._standing, self._lying)
        for page, path, tokens in zip(self.pages, OPEN, told, strict=True):
            end = time.monotonic() + PATIENCE
            while (shown := self._shown(page)) != (wanted := tokens()) and time.monotonic() < end:
                page.wait_for_timeout(200)
                if page.url.startswith("chrome-error:"):
                    # The house fell while the page was loaded; a browser with a window tries again.
                    page.goto(self._address + path)
            if shown != wanted:
                text = page.evaluate("document.body?.innerText.slice(0, 500)")
                self._expect(False, f"{page.url} shows {_beside(shown, wanted)}; it says: {text}")
        self._expect(not self._complaints, f"the pages complained: {self._complaints}")
        FOUND["pages"] += 1

    def _standing(self) -> Any:
        return [self.host.state()["position"], {}]

    def _lying(self) -> Any:
        told = self.host.get("/api/virtual/table")[1]
        return [told["tokens"], {str(die["number"]): die["zone"] for die in told.get("dice", ())}]

    @staticmethod
    def _shown(page: Any) -> Any:
        """Return what the page shows, None while it is loaded anew by itself."""
        with contextlib.suppress(Exception):
            return page.evaluate(SHOWN)
        return None

    def teardown(self) -> None:
        self._away.close()
        print(f"{FOUND['steps']} steps", file=sys.stderr, flush=True)


def evenings(steps: int, number: int, browser: Any = None) -> Counter[str]:
    """Let ``steps`` things happen, in evenings of :data:`LONG` each; return what was counted.

    Raises:
        Broken: something happened that must never happen.
    """
    FOUND.clear()
    Evening.browser = browser
    while (left := steps - FOUND["steps"]) > 0:
        chosen = settings(
            # The first evening is the dullest there is, and some end early.
            max_examples=1 + -(-left // LONG),
            stateful_step_count=min(left, LONG),
            deadline=None,
            database=None,
            # Every step takes its time; an evening that broke is told as it was, not made smaller.
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        run_state_machine_as_test(seed(number + FOUND["steps"])(Evening), settings=chosen)
    return FOUND


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    begun = time.monotonic()
    with chromium() as browser:
        found = evenings(chosen.steps, chosen.seed, browser)
    print(json.dumps({**found, "seconds": round(time.monotonic() - begun)}, indent=2))


if __name__ == "__main__":
    main()
