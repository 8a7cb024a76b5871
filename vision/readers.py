"""The reader that a game needs: by its tokens, men and dice, or cards."""

from __future__ import annotations

from typing import Any

from companion.rules import Game, Setup
from vision.cards.card_reader import CardReader
from vision.decoding.reader import Reader
from vision.frames import TableFile
from vision.tokens.album import Album

AnyReader = Reader[Any] | CardReader[Any]


def open_reader(
    game: Game[Any],
    setup: Setup,
    table_file: TableFile,
    *,
    live: bool = False,
    album: Album | None = None,
) -> AnyReader:
    """Return the reader for ``game``; the rest is as :class:`Reader` has it."""
    tokens = game.tokens(setup)
    if tokens and all(game.look(token).card for token in tokens):
        return CardReader(game, setup, table_file, live=live)
    return Reader(game, setup, table_file, live=live, album=album)
