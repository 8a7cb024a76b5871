"""The result of a game as apps that log plays take it: a play of BG Stats, which hands it on to
BoardGameGeek. The format is the one that BG Stats publishes for other programs."""

from __future__ import annotations

import time
from typing import Any

from companion.referee.export import ScoreSheet
from companion.rules import Translate, tell

SOURCE = "Tabletop companion"


def play_file(
    sheet: ScoreSheet, number: int, translate: Translate, over: float | None = None
) -> dict[str, Any]:
    """Return the game ``number`` that ``sheet`` tells as a play, its words translated; ``over`` is
    when it ended, in seconds since 1970, None where nobody knows."""
    game, outcome = sheet.game, sheet.outcome
    scores = {card.seat: card.score for card in sheet.cards}
    scored = any(score is not None for score in scores.values())
    play: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{game.name}-{int(sheet.begun)}-{number}",
        "playDate": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(sheet.begun)),
        "board": ", ".join(f"{name}: {value}" for name, value in sheet.setup.options.items()),
        "comments": tell(outcome.reason, translate) if outcome else "",
        "game": {
            "name": tell(game.title, translate),
            "sourceGameId": game.name,
            "highestWins": True,
            "noPoints": not scored,
        },
        "players": [
            {
                "name": sheet.players.get(seat) or tell(seat.capitalize(), translate),
                "sourcePlayerId": sheet.players.get(seat, seat),
                "role": seat,
                "startPlayer": place == 0,
                "winner": bool(outcome and seat in outcome.winners),
                "score": scores.get(seat),
            }
            for place, seat in enumerate(sheet.setup.seats)
        ],
    }
    if over is not None:
        play["durationMin"] = max(1, round((over - sheet.begun) / 60))
    return play
