"""What owners entered of their games' cards, kept in the data folder in one file for each game."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.games import find_game
from companion.rules import BadInput, HardwareFault, OwnCards, quoted, read_json, read_toml, say
from companion.runtime.files import private_folder, read_text, write_private

Card = Mapping[str, Any]
MOST, LONGEST = 1000, 500
"""Cards kept for one game, and characters in each of their fields, at most."""


class OwnFiles:
    """The files ``GAME-cards.toml``, written by hand, or else ``GAME-cards.json``, written by the
    pages. A file is read once; what the pages change is known at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, Mapping[str, Any]] = {}
        self._guard = threading.Lock()

    def path(self, game: str) -> Path:
        """Return the file of ``game``, whether there is one or not."""
        by_hand = self._folder / f"{game}-cards.toml"
        return by_hand if by_hand.exists() else by_hand.with_suffix(".json")

    def owned(self, game: str) -> Mapping[str, Any]:
        """Return what the file of ``game`` holds, nothing if there is none.

        Raises:
            BadInput: the file cannot be read.
        """
        with self._guard:
            if game not in self._known:
                self._known[game] = MappingProxyType(_read(self.path(game)))
            return self._known[game]

    def cards(self, game: str) -> tuple[Card, ...]:
        """Return the cards one by one, each with its kind; raises BadInput as :meth:`owned`."""
        lists = self.owned(game)
        return tuple({"kind": kind, **card} for kind, cards in lists.items() for card in cards)

    def enter(self, game: str, card: Card, instead: str = "") -> None:
        """Add ``card``, or put it in the place of the one called ``instead``.

        Raises:
            BadInput: the card or the file is wrong, or the file is written by hand.
            HardwareFault: it cannot be kept.
        """
        if long := next((n for n, v in card.items() if len(str(v)) > LONGEST), None):
            raise BadInput(say("{field}: {most} letters at most", field=long, most=LONGEST))
        cards = list(self.cards(game))
        places = [n for n, known in enumerate(cards) if instead and known["name"] == instead]
        if places:
            cards[places[0]] = card
        elif len(cards) >= MOST:
            raise BadInput(say("{most} cards are entered; no game has more", most=MOST))
        else:
            cards.append(card)
        self._keep(game, cards)

    def forget(self, game: str, name: str) -> None:
        """Leave the card called ``name`` out; raises as :meth:`enter`."""
        cards = self.cards(game)
        left = [card for card in cards if card["name"] != name]
        if len(left) == len(cards):
            raise BadInput(say("no card of yours is called {name}", name=name))
        self._keep(game, left)

    def _keep(self, game: str, cards: Sequence[Card]) -> None:
        path = self.path(game)
        if path.suffix == ".toml":
            raise BadInput(say("your cards are written by hand in {file}; change them there",
                               file=path.name))  # fmt: skip
        data = {"card": [dict(card) for card in cards]}
        owning = find_game(game)
        if isinstance(owning, OwnCards):
            owning.check_owned(data)
        try:
            private_folder(path.parent)
            write_private(path, json.dumps(data, indent=1, ensure_ascii=False))
        except OSError as error:
            raise HardwareFault(f"cannot write {path}: {error.strerror}") from error
        with self._guard:
            self._known[game] = MappingProxyType(data)


def _read(path: Path) -> dict[str, Any]:
    try:
        text = read_text(path)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadInput(
            say("cannot read {file}: {why}", file=quoted(path.name), why=str(error.strerror))
        ) from error
    what = say("the card file {file}", file=quoted(path.name))
    data = read_toml(text, what) if path.suffix == ".toml" else read_json(text, what)
    if not isinstance(data, dict):
        raise BadInput(say("{what} holds no lists of cards; see the page of the game", what=what))
    return data
