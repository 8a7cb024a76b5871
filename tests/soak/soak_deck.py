"""Show decks of another make to the simulated camera on the real page, and read them afterwards.

    python -m tests.soak.soak_deck --decks 4 --hand-seconds 2

Cards are laid one by one by a hand, in the light and noise of an evening drawn by the seed. Told
are the presses on the phone, the seconds by the clock of the pictures with hands and without, and
how the deck's cards are read in another light: right, asked about, taken for another.
``three_minutes_if_a_card_takes`` is how slow hands may be for all of it to take three minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from companion.simulation.troubles import random_troubles
from tests.checks.deck_showing import FRAMES_PER_SECOND, GAME, Showing
from vision.board.calibrate import camera_from_table
from vision.cards.card_reader import CardReader
from vision.cards.card_sight import CardSight

PRESS_SECONDS = 3.0
"""How long somebody takes to see that the cards lie right and to press."""
CARDS, CLEARINGS = 41, 4


def read_again(showing: Showing, seed: int) -> Counter[str]:
    """Lay every card once more in another light, and count how it is read."""
    board, file = showing.cards.board, showing.camera.table_file()
    reader = CardReader(GAME, showing.table.setup, file)
    showing.faces.recall(reader)
    light = random_troubles(random.Random(f"another light {seed}"))
    found: Counter[str] = Counter()
    for batch in range(3):
        tokens = showing.asked(batch)
        showing.camera.troubles = light
        showing.lay(tokens)
        frame = showing.camera.read()
        assert frame is not None
        assert frame.image is not None
        camera = camera_from_table(board, file, frame.image)
        places = CardSight(board, reader.deck).look(frame.image, camera, tokens)
        for spot, place in places.items():
            sure = place.token == tokens[spot]
            found["right" if sure else "asked" if place.token is None else "wrong"] += 1
    return found


def main() -> int:
    """Return 1 if a card was taken for another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decks", type=int, default=4)
    parser.add_argument("--first", type=int, default=0, help="the first deck's seed")
    parser.add_argument("--hand-seconds", type=float, default=2.0)
    chosen = parser.parse_args()
    # A hand lays a card and sets it straight: two gestures.
    hand, total = round(chosen.hand_seconds * FRAMES_PER_SECOND / 2), Counter[str]()
    for seed in range(chosen.first, chosen.first + chosen.decks):
        with tempfile.TemporaryDirectory() as folder:
            showing = Showing(Path(folder), seed, trouble=True, hand=hand)
            complaints = showing.show_all()
            seconds = showing.frames / FRAMES_PER_SECOND + showing.taps * PRESS_SECONDS
            waited = seconds - hand * (2 * CARDS + CLEARINGS) / FRAMES_PER_SECOND
            known = read_again(showing, seed)
        total += known
        told = {
            "seed": seed,
            "presses": showing.taps,
            "seconds": round(seconds, 1),
            "seconds_without_hands": round(waited, 1),
            "three_minutes_if_a_card_takes": round((180 - waited) / (CARDS + CLEARINGS), 1),
            "complaints": complaints,
            "read_again": dict(known),
        }
        print(json.dumps(told), flush=True)
    print(json.dumps({"decks": chosen.decks, "cards": dict(total)}), flush=True)
    return int(total["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
