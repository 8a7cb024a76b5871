"""The reader that a game needs: by its tokens, men and dice or cards, or by its mat. Only that one
is loaded: each has a room of its own behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.rules import DiceOnMat, Game, Setup, tokens_of
from vision.frames import TableFile
from vision.tokens.album import Album

if TYPE_CHECKING:
    from vision.cards.card_reader import CardReader
    from vision.decoding.reader import Reader
    from vision.dice.dice_reader import DiceReader
    from vision.sensing.both_reader import BothReader
    from vision.sensing.sensor_reader import SensorReader

    AnyReader = (
        Reader[Any] | CardReader[Any] | DiceReader[Any] | SensorReader[Any] | BothReader[Any]
    )


def open_reader(
    game: Game[Any],
    setup: Setup,
    table_file: TableFile,
    *,
    live: bool = False,
    album: Album | None = None,
) -> AnyReader:
    """Return the reader for ``game``; the rest is as :class:`Reader` has it. A table file with
    ``sensors`` is that of a board which feels what lies on it, and with ``pictures`` a camera looks
    at it, too, which has games of cards and of dice on a mat to itself."""
    pictures = bool(table_file.get("pictures"))
    if "sensors" in table_file and not pictures:
        from vision.sensing.sensor_reader import SensorReader

        return SensorReader(game, setup, table_file, live=live)
    if isinstance(game, DiceOnMat):
        from vision.dice.dice_reader import DiceReader

        return DiceReader(game, setup, game.mat(setup), table_file, live=live)
    tokens = tokens_of(game, setup)
    if tokens and all(game.look(token).card for token in tokens):
        from vision.cards.card_reader import CardReader

        return CardReader(game, setup, table_file, live=live)
    if "sensors" in table_file:
        from vision.sensing.both_reader import BothReader

        return BothReader(game, setup, table_file, live=live, album=album)
    from vision.decoding.reader import Reader

    return Reader(game, setup, table_file, live=live, album=album)
