"""Pictures of every page for docs/screenshots: phone, desktop and television, light and dark.

Run by hand: ``make screenshots``. A game of Victorus for six is played to the middle with a fixed
seed, and the beginning of games with armies, cards and dice; every picture is a WebP of at most
40 KB.
"""

from __future__ import annotations

import random
import sys
from itertools import product
from pathlib import Path

import cv2
import numpy as np

import web
from companion.games import find_game
from companion.journal import Journal
from companion.rules import Action
from companion.table import Table
from tests.checks.chromium import NAME, chromium
from tests.checks.every_page import drawn_up

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
SIZES = {"phone": (360, 740), "desktop": (1280, 800), "tv": (1920, 1080)}
PAGES = {
    "game": "/", "scores": "/ scores", "moves": "/ moves", "more": "/ more",
    "referee": "/allowed?at={last}&from={origin}&to={target}",
    "log": "/history", "rules": "/rules?q=spoke",
    "seats": "/join", "settings": "/settings", "games": "/games", "view": "/view",
    "past": "/games/1", "shelf": "/shelf", "box": "/shelf/victorus",
}  # fmt: skip
"""Where each picture is taken; after a space, the sheet that is drawn over the stage on a phone."""
LIMIT, WIDEST = 40 * 1024, 1280
ACTIONS = 34


def middle_game(journal):
    """Return a table in the middle of a game, with a refused move as the last thing."""
    game = find_game("victorus")
    table = Table.create(journal, game, game.setup())
    choose = random.Random(11)
    for _ in range(ACTIONS):
        legal = game.legal(table.state)
        captures = [a for a in legal if a.origin and game.effect(table.state, a).captures]
        photographs = {"before": picture(0), "after": picture(1)}
        table.play(choose.choice(captures or legal), "camera", evidence=photographs)
    position, mover = game.expect(table.state), game.to_move(table.state)
    spots = sorted(game.board(table.setup).spots)
    refused = next(
        action
        for origin in sorted(position)
        if position[origin].startswith(f"{mover} ")
        for target in spots
        if target not in position
        for action in [Action("move", origin, target)]
        if len(game.judge(table.state, action).spots) > 1
        and not game.judge(table.state, action).allowed
    )
    table.play(refused, "camera", evidence={"before": picture(0), "after": picture(1)})
    return table, mover, refused


def picture(step):
    """Return a stand-in for a photograph: a grey table with a coin at one of two places."""
    image = np.full((240, 320, 3), 90, np.uint8)
    cv2.circle(image, (110 + 100 * step, 120), 40, (40, 40, 200), -1, cv2.LINE_AA)
    return cv2.imencode(".jpg", image)[1].tobytes()


def small(data):
    """Return a WebP picture of at most 40 KB, as good as fits."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image.shape[1] > WIDEST:
        scale = WIDEST / image.shape[1]
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for quality in (80, 70, 60, 50, 80, 70, 60, 50):
        if quality == 50:
            image = cv2.resize(image, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
        done = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes()
        if len(done) <= LIMIT:
            return done
    raise SystemExit("a picture does not become small enough")


def armies(journal):
    """Return a table of HexiMeros after a round, with a move that is not yet passed on."""
    game, choose = find_game("heximeros"), random.Random(11)
    table = Table.create(journal, game, game.setup())
    while len(table.actions) < 13:
        legal = game.legal(table.state)
        table.play(choose.choice([a for a in legal if a.origin] or legal), "camera")
    return table, game.to_move(table.state)


def cards(journal):
    """Return a table of Victory & Honor in the middle of a phase, all cards told on phones."""
    game, choose = find_game("victory_honor"), random.Random(3)
    table = Table.create(journal, game, game.setup())
    while len(table.actions) < 9:
        table.play(choose.choice(game.legal(table.state)), "camera")
    return table, game.to_move(table.state)


def dice(journal):
    """Return a table of Hoplomachus with dice that are rolled."""
    game, choose = find_game("hoplomachus"), random.Random(4)
    table = Table.create(journal, game, game.setup())
    while not any(entry.verb == "roll" for entry in game.entries(table.state)):
        table.play(choose.choice(game.legal(table.state)), "camera")
    return table, game.to_move(table.state)


def opened(name):
    """Return what gives a table of the game ``name`` after some actions."""

    def opened(journal):
        game, choose = find_game(name), random.Random(4)
        table = Table.create(journal, game, game.setup())
        while len(table.actions) < 24:
            table.play(choose.choice(game.legal(table.state)), "camera")
        return table, game.to_move(table.state)

    return opened


STAGES = {
    "armies": armies, "cards": cards, "dice": dice, "chess": opened("chess"),
    "invictus": opened("invictus"),
}  # fmt: skip
"""Games that are seen on a phone, beside the one that is seen everywhere."""
TABLES = {
    "victorus": lambda journal: middle_game(journal)[:2], "invictus": STAGES["invictus"],
    "heximeros": armies, "victory_honor": cards, "hoplomachus": dice, "chess": STAGES["chess"],
}  # fmt: skip
"""All games, each in the middle of a game."""


def shoot(browser, table, seat, pages, sizes, schemes=("light", "dark")):
    """Yield ``pages`` (name -> path) as the phone that sits on ``seat`` sees them: the name of each
    picture and its PNG."""
    app = web.create_app(table, config=web.Config(hosts=(NAME,), open_house=True))
    with web.Server(app, port=0) as server:
        address = f"http://{NAME}:{server.port}"
        page = browser.new_context().new_page()
        page.goto(f"{address}/join#{web.invitation(app).partition('#')[2]}")
        # The page loads itself anew once the code has let it in: what is pressed before is lost.
        page.wait_for_selector("#join-form", state="detached")
        page.wait_for_selector(f"#sit-{seat}")
        page.click(f"#sit-{seat}")
        page.wait_for_selector(f"#leave-{seat}")
        for size, scheme in product(sizes, schemes):
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for name, path in pages.items():
                place, _, sheet = path.partition(" ")
                if sheet and size != "phone":
                    continue
                page.goto(address + place)
                page.wait_for_selector("#pill[data-live=yes]")
                if size == "tv":
                    # The code differs from time to time; it goes as it does once all sit.
                    page.click("#invite")
                if sheet:
                    drawn_up(page, sheet)
                page.evaluate("document.fonts.ready")
                yield f"{name}-{size}-{scheme}", page.screenshot()
        page.context.close()


def keep(shots):
    """Write pictures for docs/screenshots."""
    for name, shot in shots:
        target = FOLDER / f"{name}.webp"
        target.write_bytes(small(shot))
        sys.stdout.write(f"{target.name} {target.stat().st_size // 1024} KB\n")


def main():
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        with Journal() as journal:
            table, mover, refused = middle_game(journal)
            asked = {
                "last": table.events()[-1].seq, "origin": refused.origin, "target": refused.target,
            }  # fmt: skip
            pages = {name: path.format(**asked) for name, path in PAGES.items()}
            keep(shoot(browser, table, mover, pages, ("phone", "desktop")))
        with Journal() as journal:
            keep(shoot(browser, *middle_game(journal)[:2], {"view": "/view"}, ("tv",)))
        for name, begun in STAGES.items():
            with Journal() as journal:
                keep(shoot(browser, *begun(journal), {name: "/"}, ("phone",)))


if __name__ == "__main__":
    main()
