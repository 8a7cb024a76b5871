"""A page may ask for what lay on the table in the game before: every game tells of such tokens what
it can, or refuses them in a sentence."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, partial

import pytest

from companion.games import find_game, games
from companion.rules import (
    BadInput,
    mark_of,
    name_of,
    owner_of,
    picture_of,
    tokens_of,
)
from tests.checks.loops import some


@cache
def lying(name: str) -> frozenset[str]:
    """Return what may lie on the table in a game, and what does at its start."""
    game = find_game(name)
    setup = game.setup()
    return frozenset({*tokens_of(game, setup), *game.expect(game.start(setup)).values()})


@pytest.mark.parametrize("name", games())
def test_tokens_of_other_games_are_refused_in_a_sentence_if_at_all(name: str) -> None:
    game = find_game(name)
    picture = partial(picture_of, game, game.setup())
    asks = (game.look, picture, partial(name_of, game), partial(owner_of, game))
    others = {"", " ", "mauve", "red 8", "white X"}.union(*map(lying, games())) - lying(name)
    for token in some(others):
        for ask in (*asks, partial(mark_of, game)):
            with suppress(BadInput):
                ask(token)
        with pytest.raises(BadInput):
            # So no page ever shows it.
            picture(token)
