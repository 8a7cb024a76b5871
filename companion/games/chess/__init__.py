"""Chess by the Laws of FIDE of 2023. Rule ids are article numbers: ``CH-3.8.2`` is castling."""

from companion.games.chess.fen import from_fen, to_fen
from companion.games.chess.game import GAME, Chess
from companion.games.chess.pgn import san, write_pgn
from companion.games.chess.state import ChessState

__all__ = ["GAME", "Chess", "ChessState", "from_fen", "san", "to_fen", "write_pgn"]
