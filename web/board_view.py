"""What the pages draw of the game that is played: its board, turned to whoever looks, and its
tokens with their names."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any

from flask import Flask
from markupsafe import Markup

from companion.rules import BadInput, GameFault, owner_of
from web import drawing
from web.context import Context, Drawn
from web.language import current

TOKENS = 2048
"""Pictures of tokens, and names, that are kept, in all languages together."""


class SeenBoard:
    """The drawings of one table that are needed again and again: ``sides`` maps each seat to the
    degrees by which its board is turned, ``colours`` to the colour of its pieces, ``facing``
    returns the board turned by so many degrees, ``symbol`` a token's picture and ``spoken`` its
    name in a language."""

    def __init__(self, table: Drawn, context: Context) -> None:
        game, setup = table.game, table.setup
        self.sides: Mapping[str, int] = drawing.sides(game, setup)
        self.colours: Mapping[str, str] = drawing.colours(game, setup)
        self.facing = cache(lambda turn: drawing.picture(game.board(setup), turn))
        self.symbol = lru_cache(TOKENS)(lambda token, language: context.symbol(token))
        self.spoken = lru_cache(TOKENS)(lambda token, language: context.spoken(token))


POINTED = "#ffc24a"
"""The colour of what a lesson or an adviser points out."""


def pointed_out(meanings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the lights of spots that are pointed out on a drawn board, each with what is told of
    it."""
    return {
        spot: {"colour": POINTED, "effect": "pulse", "meaning": meaning}
        for spot, meaning in meanings.items()
    }


class BoardView:
    """The drawings of the game that the current request shows; made anew when another game
    begins."""

    def __init__(self, context: Context) -> None:
        self._context = context
        # The game on the table, and a lesson that somebody takes meanwhile.
        self._kept = lru_cache(2)(lambda table: SeenBoard(table, context))
        self._colours = lru_cache(64)(self._colours_of)

    @property
    def _seen(self) -> SeenBoard:
        return self._kept(self._context.drawn)

    def sides(self) -> Mapping[str, int]:
        """Return by how many degrees the board is turned for each seat."""
        return self._seen.sides

    def swatch(self, seat: str, game: str = "") -> Markup:
        """Return a coin in the colour of a seat's pieces, in the game of that name where it is
        another one than the request draws."""
        colours = self._colours(game) if game else self._seen.colours
        return drawing.swatch(seat, colours.get(seat, ""))

    def _colours_of(self, name: str) -> Mapping[str, str]:
        """Return the colours of all seats of a game; of one that is not to be had, none."""
        with suppress(BadInput, GameFault):
            game = self._context.evening.game(name)
            return drawing.colours(game, game.setup())
        return {}

    def facing(self, turn: int = 0) -> drawing.Picture:
        """Return the board turned clockwise by ``turn`` degrees."""
        return self._seen.facing(turn)

    def turn_for(self, seats: Sequence[str], to_move: str | None) -> int:
        """Return the degrees by which the board is turned for a phone that holds ``seats``: for the
        seat to move if it holds several, 0 for a phone that only watches."""
        own = to_move if to_move in seats else next(iter(seats), "")
        return self.sides().get(own or "", 0)

    def symbol(self, token: str) -> Markup:
        """Return the picture of ``token``, its name in the language of the request."""
        return self._seen.symbol(token, current())

    def spoken(self, token: str) -> str:
        """Return what people call ``token`` in the language of the request."""
        return self._seen.spoken(token, current())

    def upright(self, token: str, turn: int = 0) -> int:
        """Return by how many degrees the picture of ``token`` is turned so that it stands upright:
        on a board turned by ``turn`` for tokens that look to nobody, beside the board (``turn``
        0) for those that look to their owner."""
        game = self._context.drawn.game
        if game.look(token).turn is None:
            return -turn
        return 0 if turn else self.sides().get(owner_of(game, token) or "", 0)


def register(app: Flask, context: Context) -> None:
    """Let the templates of ``app`` draw the board and its tokens."""
    view = BoardView(context)
    app.jinja_env.filters["swatch"] = view.swatch
    app.jinja_env.filters["day"] = lambda at: time.strftime("%Y-%m-%d %H:%M", time.localtime(at))

    # Globals, not the context of a request: macros that need no context are made once.
    app.jinja_env.globals.update(
        facing=view.facing,
        sides=view.sides,
        symbol=view.symbol,
        turn_for=view.turn_for,
        upright=view.upright,
        spoken=view.spoken,
        board_of=context.drawings.board,
        part=lambda name, view: Markup(view["html"][name]),
        scorecard=context.drawings.card,
        held=context.drawings.held,
    )
