"""HexiMeros: six armies on 655 hexagons; the last player with a Sovereign wins."""

from companion.games.heximeros.game import GAME, HexiMeros

__all__ = ["GAME", "HexiMeros"]
